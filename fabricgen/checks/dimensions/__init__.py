"""Counts, sizes and models, with fixes that were tried."""
