"""How FRR and the Linux kernel are read, drained and changed, whatever system is around them."""
