"""The intent: its schema, and the rules across its keys."""
