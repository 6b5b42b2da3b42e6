"""Operational state of one switch in one vocabulary for all platforms. Values only; no logic, no vendor."""
