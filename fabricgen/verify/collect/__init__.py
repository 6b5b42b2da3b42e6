"""Switches are asked, and what they answer is kept."""
