"""What a check is, which problems are waived, and how each check was made."""
