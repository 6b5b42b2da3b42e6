"""The closed vocabulary of changes: every kind, with its reach and the type of its values."""
