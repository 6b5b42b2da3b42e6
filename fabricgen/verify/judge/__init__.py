"""Judgement of one switch: its expected state compared with its actual state."""
