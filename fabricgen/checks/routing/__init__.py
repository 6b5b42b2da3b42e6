"""Routes and packets on their way: no valleys, no leaks, one MTU."""
