"""How FRR and the Linux kernel are read, drained and changed, on any system that has them."""
