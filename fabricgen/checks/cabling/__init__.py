"""Cables, ports and cages: both ends agree, and each port is used once."""
