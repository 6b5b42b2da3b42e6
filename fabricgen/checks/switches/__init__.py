"""What holds of every switch as it is resolved: each is seen once, and only counts are kept."""
