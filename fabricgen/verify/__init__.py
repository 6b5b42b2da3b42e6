"""Live state against the plan: what must be seen (expected), what was seen (state), and what differs (findings)."""
