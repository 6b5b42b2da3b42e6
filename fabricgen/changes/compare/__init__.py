"""Two Devices to the changes between them, part by part."""
