"""Claims of a platform, tried on one switch of the user: what is done there, what is kept of it, and how it is told."""
