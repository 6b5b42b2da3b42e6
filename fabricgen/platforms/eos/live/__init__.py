"""How a switch with Arista EOS is read, compared, drained and changed."""
