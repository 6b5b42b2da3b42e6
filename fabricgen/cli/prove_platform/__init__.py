"""`fabricgen prove-platform`."""
