"""From plan and place to the Device: one function per feature, each returns its part."""
