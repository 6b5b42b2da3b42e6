"""Live state compared with the plan: expected state, actual state, and findings."""
