"""Servers of the plan: addresses, routes and settings of each NIC, and the state that a host agent must see."""
