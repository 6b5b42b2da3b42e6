"""A run: wave after wave, each verified or rolled back."""
