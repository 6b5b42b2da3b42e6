"""From one intent to the next in states that carry traffic: which sequences are known, and what each state keeps."""
