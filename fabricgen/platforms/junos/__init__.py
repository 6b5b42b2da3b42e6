"""Juniper Junos: capabilities and rendering; `live/` reads and changes switches."""
