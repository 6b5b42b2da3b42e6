"""Reports of a run as text, JSON and Markdown."""
