"""Interfaces of switches and servers: made, changed and removed unit by unit, or by ifupdown2."""
