"""What a change of one kind of fact costs on a platform while it is made."""

from enum import IntEnum
from typing import NamedTuple

from fabricgen.changes.change import ChangeOp


class Risk(IntEnum):
    """From harmless to worst.

    NONE           nothing that forwards or routes is touched
    HITLESS        it takes effect, and no session falls and no packet is lost
    SESSION_RESET  a session of BGP, BFD or LACP falls, for good or until it is up again; other paths carry on
    TRAFFIC_LOSS   packets are lost: a link falls, a path, VLAN, prefix or queue is gone or rebuilt
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
        """As a report says it."""
        return self.name.lower().replace("_", " ")

    @property
    def is_disruptive(self) -> bool:
        """Whether a review must not call it safe."""
        return self >= Risk.SESSION_RESET


class Cost(NamedTuple):
    """What the three changes of a kind cost, and who says so. None: the change cannot be on this platform.

    source  a name of the platform's NOTES.md or a whole citation; unsure: why it is believed without one
    raised, lowered  where a number that grows costs something else than one that shrinks; else `changed` holds for both
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
        """What one change costs; unknown for one that the table says cannot be. The values tell which way it goes."""
        found = {ChangeOp.ADDED: self.added, ChangeOp.CHANGED: self.changed, ChangeOp.REMOVED: self.removed}[change]
        if change is ChangeOp.CHANGED and before.isdecimal() and after.isdecimal():
            way = self.raised if int(after) > int(before) else self.lowered
            found = found if way is None else way
        return Risk.UNKNOWN if found is None else found
