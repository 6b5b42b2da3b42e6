"""An intent and its neighboring files, read and planned: the first step of every command."""
