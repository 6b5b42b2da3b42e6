"""Nokia SR Linux: capabilities and rendering; `live/` reads and changes switches."""
