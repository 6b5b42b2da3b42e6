"""From a person's file to values, each with the place where it was written, and to problems that name the place."""
