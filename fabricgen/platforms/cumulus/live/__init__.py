"""How a switch with NVIDIA Cumulus Linux is read, compared, drained and changed."""
