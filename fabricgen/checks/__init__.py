"""What must hold of a plan: each check a function that yields problems."""
