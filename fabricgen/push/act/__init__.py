"""A run: wave after wave, each proven, or taken back."""
