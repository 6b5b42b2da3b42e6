"""Lossless arithmetic and load-balancing rules: literal tables and pure functions that know no device and no plan."""
