"""Numbers, text and tables that every part uses; it imports nothing of fabricgen."""
