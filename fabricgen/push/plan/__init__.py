"""Which switches change, at what risk, in which order, and who agreed to it. Nothing here asks a switch."""
