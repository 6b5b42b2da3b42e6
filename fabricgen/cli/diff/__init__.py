"""`fabricgen diff`."""
