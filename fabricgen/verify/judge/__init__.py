"""What one switch must show against what it showed."""
