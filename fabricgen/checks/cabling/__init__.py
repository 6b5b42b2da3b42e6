"""Cables, ports and cages: both ends of a cable agree, and each port is used once."""
