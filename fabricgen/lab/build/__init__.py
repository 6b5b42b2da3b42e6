"""A lab is checked, built, waited for, changed and removed."""
