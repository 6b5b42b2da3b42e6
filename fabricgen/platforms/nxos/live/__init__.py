"""How a switch with Cisco NX-OS is read, compared, drained and changed."""
