"""What a platform is, and what several of them share."""
