"""Texts in which every reference is a secret, as a rendered text has it."""

from fabricgen.base.secret import MARK, WRITTEN


def all_marked(text: str) -> str:
    """The text with a mark in front of each reference."""
    return WRITTEN.sub(lambda found: f"{MARK}{found.group()}", text)
