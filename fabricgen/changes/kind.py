"""What a kind of fact is.

A kind without a dot is a thing that is there or not; below it are the settings of one that stays. A setting that is
empty, 0, False or None before is added, after it removed, else changed.
"""

from enum import StrEnum
from typing import NamedTuple


class ValueType(StrEnum):
    """What the values of a kind are to a reader who sees many switches at once.

    SETTING  the same on many switches: two switches differ alike only if the values are equal
    OWN      each switch has its own (addresses, numbers, names): switches differ alike whatever the values
    """

    SETTING = "setting"
    OWN = "own"


class BlastRadius(StrEnum):
    """What stops when a fact goes wrong."""

    SWITCH = "switch"
    PORT = "port"
    SESSION = "session"
    VRF = "vrf"
    NOTHING = "nothing"


class ChangeType(NamedTuple):
    """One kind. `one` and `many` are its words in a sentence; `off`: those of one that is turned off, where others."""

    name: str
    one: str
    many: str
    value: ValueType
    reach: BlastRadius
    off: tuple[str, str] | None = None
