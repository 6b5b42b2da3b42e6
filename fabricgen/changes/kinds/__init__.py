"""The closed vocabulary of changes: every kind, with what its subject and its values are."""
