"""The other side of a comparison: a rendered tree, another intent, or a git revision, read by this release."""
