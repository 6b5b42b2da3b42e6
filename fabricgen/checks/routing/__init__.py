"""Routes and packets between switches: no valleys, no leaks, one MTU."""
