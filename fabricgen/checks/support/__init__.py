"""What the operating systems of the switches can do of what the intent asks."""
