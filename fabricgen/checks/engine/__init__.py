"""What a check is, who has accepted what, and how each check was made."""
