"""FRR on Linux, read back."""
