"""Community SONiC: capabilities and rendering; `live/` reads and changes switches."""
