"""What a kind of change is.

A kind without a dot is a thing that exists or not; kinds below it are the settings of one that remains. A setting that
is empty, 0, False or None before is added, one that is so after it is removed; otherwise it is changed.
"""

from enum import StrEnum
from typing import NamedTuple


class ValueType(StrEnum):
    """How the values of a kind compare across many switches.

    SETTING  the same on many switches: the changes of two switches are alike only if the values are equal
    OWN      each switch has its own (addresses, numbers, names): changes are alike whatever the values are
    """

    SETTING = "setting"
    OWN = "own"


class BlastRadius(StrEnum):
    """What fails when a change goes wrong."""

    SWITCH = "switch"
    PORT = "port"
    SESSION = "session"
    VRF = "vrf"
    NOTHING = "nothing"


class ChangeType(NamedTuple):
    """One kind. `one`, `many`: its singular and plural.

    `off`: both for a setting that is turned off, where they differ.
    """

    name: str
    one: str
    many: str
    value: ValueType
    reach: BlastRadius
    off: tuple[str, str] | None = None
