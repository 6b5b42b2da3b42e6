"""What to write instead: tried against the plan before it is printed."""
