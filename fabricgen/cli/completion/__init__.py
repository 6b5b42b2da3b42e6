"""`fabricgen completion`."""
