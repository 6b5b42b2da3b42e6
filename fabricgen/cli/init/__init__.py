"""`fabricgen init`."""
