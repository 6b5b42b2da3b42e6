"""Rules over every resolved switch: each is read once, and only counts are kept."""
