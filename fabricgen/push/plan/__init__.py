"""Which switches change, at what risk, in which order, and who approved it. Nothing here contacts a switch."""
