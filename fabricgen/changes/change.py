"""One difference between two states of a switch."""

from enum import StrEnum
from typing import NamedTuple


class ChangeOp(StrEnum):
    """The operation. A setting that is turned on is added, one that is turned off removed."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


class DeviceChange(NamedTuple):
    """One difference. `before` is empty for what is added, `after` for what is removed.

    kind     a name of KINDS
    subject  which one of its kind on this switch: a port, an address, a VLAN's number, a name; empty for the switch
             itself
    port     the switch's own port that it concerns; empty where it concerns no single port
    peer     remote device or server of that port or session
    vrf      tenant's VRF that it concerns
    """

    kind: str
    change: ChangeOp
    subject: str
    before: str
    after: str
    port: str = ""
    peer: str = ""
    vrf: str = ""
