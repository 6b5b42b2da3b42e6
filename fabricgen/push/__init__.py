"""A change brought to live switches: in waves, drained first where needed, timed, checked, confirmed, written down."""
