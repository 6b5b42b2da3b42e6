"""Claims of a platform, tested on one switch of the user: the trials, what is kept of them, and the report."""
