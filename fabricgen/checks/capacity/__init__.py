"""Capacity of the fabric, whole and with links or switches missing, and load balancing."""
