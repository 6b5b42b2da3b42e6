"""What a break of the code is."""

from typing import NamedTuple


class Mutant(NamedTuple):
    """One break.

    breaks  what goes wrong with it
    tests   paths, and with :: single tests, of which at least one must fail
    """

    name: str
    file: str
    old: str
    new: str
    breaks: str
    tests: tuple[str, ...]
