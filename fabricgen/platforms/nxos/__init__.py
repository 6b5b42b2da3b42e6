"""Cisco NX-OS: capabilities and rendering; `live/` reads and changes switches."""
