"""`fabricgen push`."""
