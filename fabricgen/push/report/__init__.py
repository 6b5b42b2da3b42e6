"""A run as text, JSON and Markdown."""
