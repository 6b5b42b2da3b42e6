"""An intent and the files beside it, read and planned: what every command begins with."""
