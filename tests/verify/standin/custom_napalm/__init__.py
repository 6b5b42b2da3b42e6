"""Drivers that NAPALM finds before its own (its documented place for a site's own drivers)."""
