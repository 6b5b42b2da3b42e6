"""From one intent to the next in states that carry traffic: the known sequences, and the capacity of each state."""
