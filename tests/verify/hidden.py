"""A file with secrets, of one platform."""

from collections.abc import Callable
from typing import NamedTuple


class Hidden(NamedTuple):
    """A rendered file, how it is read, and what the switch shows in place of a secret."""

    text: str
    read: Callable[[str], object]
    hashed: str
