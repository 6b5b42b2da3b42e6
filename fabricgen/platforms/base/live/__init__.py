"""How each platform is read through NAPALM: vendors' commands stand here. Enters: NAPALM's outputs; leaves: State."""
