"""One switch through its driver: what it is to run, and what a push does there."""
