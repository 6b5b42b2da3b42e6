"""Interfaces of switches and servers: created, changed and removed unit by unit, or by ifupdown2."""
