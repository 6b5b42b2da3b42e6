"""Verdicts for people and for machines."""
