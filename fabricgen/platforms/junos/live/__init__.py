"""How a switch with Juniper Junos is read, compared, drained and changed."""
