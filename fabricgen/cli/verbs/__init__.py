"""One file a verb: its options, and what was typed. What does it is imported when it is called, not for --help."""
