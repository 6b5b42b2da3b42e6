"""Servers as the plan has them: addresses and routes of each NIC, what the NIC is told, what a host agent must see."""
