"""The figures of a plan for a design review: one frozen value, printed as text or JSON."""
