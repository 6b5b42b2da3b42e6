"""`fabricgen lab`."""
