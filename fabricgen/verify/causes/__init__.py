"""Which findings follow from another one."""
