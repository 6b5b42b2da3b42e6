"""How each platform is read through NAPALM. Vendors' commands are here. Input: NAPALM's outputs; output: State."""
