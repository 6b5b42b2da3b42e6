"""`fabricgen schema`."""
