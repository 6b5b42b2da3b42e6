"""`fabricgen list`."""
