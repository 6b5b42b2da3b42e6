"""Shape of the tables: a check of a live fabric, and the codes of its findings."""

from typing import NamedTuple


class FindingCode(NamedTuple):
    """One kind of finding.

    means  what is so on the switch
    mend   what usually causes it, and what to do
    """

    code: str
    means: str
    mend: str


class LiveCheck(NamedTuple):
    """One check of `verify`. `compares`: what is held against what."""

    name: str
    compares: str
    codes: tuple[FindingCode, ...]
