"""`fabricgen validate`."""
