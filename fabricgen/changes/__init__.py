"""Changes of a switch: a literal table of their kinds, and two Devices to the changes between them."""
