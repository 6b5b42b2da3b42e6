"""What a property says where it does not hold."""

from typing import NamedTuple

from fabricgen.audit.views import At


class Violation(NamedTuple):
    """A property that does not hold at a switch.

    property  name of PROPERTIES (`properties.py`)
    at        the line that is wrong, or the nearest one; line 0: none
    what      what is wrong, and which figure or name says so
    why       what follows from it for packets
    """

    property: str
    switch: str
    at: At
    what: str
    why: str


class ViolationGroup(NamedTuple):
    """Violations of one property at one line, with one consequence."""

    property: str
    switch: str
    at: At
    what: tuple[str, ...]
    why: str
