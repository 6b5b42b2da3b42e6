"""How a switch with FRRouting on Linux is read, compared, drained and changed."""
