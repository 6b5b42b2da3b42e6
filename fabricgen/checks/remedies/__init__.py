"""Fixes that are tried against the plan before they are printed."""
