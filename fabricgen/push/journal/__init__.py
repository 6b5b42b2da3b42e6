"""Each step of a push is written down before it begins and after it has ended."""
