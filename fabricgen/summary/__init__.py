"""What a plan amounts to, for a design review: one frozen value, printed as text or JSON."""
