"""Lossless arithmetic and the load-balancing rules: literal tables and pure functions, no device and no plan."""
