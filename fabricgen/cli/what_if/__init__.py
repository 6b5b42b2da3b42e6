"""`fabricgen what-if`."""
