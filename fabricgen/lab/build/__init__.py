"""Check, build, wait for, change and remove a lab."""
