"""Overrides, raw lines and keys of the intent against one another."""
