"""`fabricgen explain`."""
