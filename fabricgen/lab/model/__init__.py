"""A lab as values from the plan: its part of the fabric, switches, servers, links. Nothing is made on the host."""
