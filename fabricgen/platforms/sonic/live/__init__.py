"""How a switch with community SONiC is read, compared, drained and changed."""
