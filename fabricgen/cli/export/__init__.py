"""`fabricgen export`."""
