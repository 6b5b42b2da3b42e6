"""Push of a change to live switches: in waves, drained first if needed, timed, checked, confirmed, and journaled."""
