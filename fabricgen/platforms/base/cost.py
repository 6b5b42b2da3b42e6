"""Cost of a change of one kind on a platform: what it interrupts while it is made."""

from enum import IntEnum
from typing import NamedTuple

from fabricgen.changes.change import ChangeOp


class Risk(IntEnum):
    """Risk of a change, in ascending order.

    NONE           touches nothing that forwards or routes
    HITLESS        takes effect; no session goes down and no packet is lost
    SESSION_RESET  a session of BGP, BFD or LACP goes down, for good or until it is up again; other paths carry on
    TRAFFIC_LOSS   packets are lost: a link goes down; a path, VLAN, prefix or queue is removed or rebuilt
    UNKNOWN        no source says; counts as traffic loss
    RELOAD         the switch, or what forwards in it, restarts
    """

    NONE = 0
    HITLESS = 1
    SESSION_RESET = 2
    TRAFFIC_LOSS = 3
    UNKNOWN = 4
    RELOAD = 5

    @property
    def words(self) -> str:
        """The name as reports print it."""
        return self.name.lower().replace("_", " ")

    @property
    def is_disruptive(self) -> bool:
        """Whether a review must not call it safe."""
        return self >= Risk.SESSION_RESET


NO_LINE = "no line says it"
"""End of the source of a change that is in no file of the platform: reviews leave it out beside others."""


class Cost(NamedTuple):
    """Costs of adding, changing and removing one kind of change. None: the platform does not have this change.

    source  a name of the platform's NOTES.md or a whole citation; unsure: why it is believed without one
    raised, lowered  cost where a number grows or shrinks, if it differs; otherwise `changed` holds for both
    """

    kind: str
    added: Risk | None
    changed: Risk | None
    removed: Risk | None
    source: str
    unsure: str = ""
    raised: Risk | None = None
    lowered: Risk | None = None

    def of(self, change: ChangeOp, before: str = "", after: str = "") -> Risk:
        """The cost of one change; UNKNOWN if the table has None. The values decide between `raised` and `lowered`."""
        risk = {ChangeOp.ADDED: self.added, ChangeOp.CHANGED: self.changed, ChangeOp.REMOVED: self.removed}[change]
        if change is ChangeOp.CHANGED and before.isdecimal() and after.isdecimal():
            by_direction = self.raised if int(after) > int(before) else self.lowered
            risk = risk if by_direction is None else by_direction
        return Risk.UNKNOWN if risk is None else risk
