"""The rules that a plan must follow: each check is a function that yields problems."""
