"""From plan and place to the Device: one function a feature, each returning its own part."""
