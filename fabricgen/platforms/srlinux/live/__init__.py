"""How a switch with Nokia SR Linux is read, compared, drained and changed."""
