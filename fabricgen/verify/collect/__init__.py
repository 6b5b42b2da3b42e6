"""Switches are read, and their outputs are stored."""
