"""NVIDIA Cumulus Linux, read back."""
