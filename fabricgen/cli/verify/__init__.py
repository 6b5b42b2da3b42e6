"""`fabricgen verify`."""
