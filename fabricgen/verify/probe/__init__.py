"""Probes between servers and over every equal-cost path: which to send, and what their losses mean."""
