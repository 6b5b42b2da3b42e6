"""`fabricgen render`."""
