"""Counts, sizes and models, with remedies that were tried."""
