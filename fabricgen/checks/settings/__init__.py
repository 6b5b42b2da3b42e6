"""Overrides, raw lines and keys of the intent compared with each other."""
