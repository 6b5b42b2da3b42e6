"""What one switch showed: operational state in one vocabulary for all platforms. Values only; no logic, no vendor."""
