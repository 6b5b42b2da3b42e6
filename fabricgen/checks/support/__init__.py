"""Whether the operating systems of the switches support what the intent asks for."""
