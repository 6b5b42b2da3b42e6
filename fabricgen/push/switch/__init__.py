"""One switch through its driver: its candidate configuration, and the actions of a push on it."""
