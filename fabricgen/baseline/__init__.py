"""The other side of a difference: a rendered tree, another intent, or a git revision, read as this release reads."""
