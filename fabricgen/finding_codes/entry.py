"""Types of the tables: a check of a live fabric, and its finding codes."""

from typing import NamedTuple


class FindingCode(NamedTuple):
    """One kind of finding.

    means  what is wrong on the switch
    fix    the usual cause, and what to do
    """

    code: str
    means: str
    fix: str


class LiveCheck(NamedTuple):
    """One check of `verify`. `compares`: what it compares."""

    name: str
    compares: str
    codes: tuple[FindingCode, ...]
