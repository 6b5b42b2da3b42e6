"""Files of people to values with the position of each, and to problems that name the position."""
