"""What a switch is told, fact by fact: a literal table of kinds, and two Devices to the facts that differ."""
