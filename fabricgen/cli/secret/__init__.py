"""`fabricgen secret`."""
