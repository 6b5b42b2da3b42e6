"""One switch on both sides, resolved on first use."""

from functools import cached_property

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.device.device import Device
from fabricgen.diff.groups import ChangedSwitch
from fabricgen.diff.pairs import SwitchPair
from fabricgen.plan.fabric import chassis_of
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.render.keys import fabric_digest
from fabricgen.resolve.context import FabricContext, make_site
from fabricgen.resolve.device import resolve

WHOLE = DeviceChange("device", ChangeOp.CHANGED, "", "", "")
"""Represents any change of a switch: which part it touches is unknown, so all of it counts."""


class Sites:
    """Contexts that the switches of a fabric share on each side, made once."""

    def __init__(self, before: Plan, after: Plan) -> None:
        self._before, self._after = before, after
        self._sites: dict[tuple[bool, str], FabricContext] = {}
        self._same: dict[str, bool] = {}

    def old(self, fabric: str) -> FabricContext:
        """Context of a fabric on the side before."""
        return self._site(fabric, is_old=True)

    def new(self, fabric: str) -> FabricContext:
        """Context of a fabric on the side after."""
        return self._site(fabric, is_old=False)

    def is_same(self, fabric: str) -> bool:
        """Whether the fabric has equal inputs on both sides: then all of its switches are equal.

        The whole fabric is compared, not the input keys of its switches: a key leaves out the user's own hardware
        files, cables that are listed by the server's end, and the other leaf of a drained one.
        """
        if fabric not in self._same:
            self._same[fabric] = fabric in self._before.fabrics and _is_same(self._before, self._after, fabric)
        return self._same[fabric]

    def _site(self, fabric: str, *, is_old: bool) -> FabricContext:
        key = (is_old, fabric)
        if key not in self._sites:
            self._sites[key] = make_site(self._before if is_old else self._after, fabric)
        return self._sites[key]


def _is_same(before: Plan, after: Plan, name: str) -> bool:
    old, new = before.fabrics[name], after.fabrics[name]
    return (
        old.shape == new.shape
        and old.exceptions == new.exceptions
        and before.intent.raw == after.intent.raw
        and fabric_digest(before, old) == fabric_digest(after, new)
    )


class DevicePair:
    """A switch as it is on each side. Raises LookupError if it does not exist on the requested side."""

    def __init__(self, sites: Sites, pair: SwitchPair) -> None:
        self.pair = pair
        self._sites = sites

    @property
    def stays(self) -> bool:
        """Whether it exists on both sides."""
        return self.pair.before is not None and self.pair.after is not None

    @cached_property
    def is_same(self) -> bool:
        """Whether its Devices are known to be equal without resolving them."""
        before, after = self.pair.before, self.pair.after
        return before is not None and before == after and self._sites.is_same(before.fabric)

    @cached_property
    def old(self) -> Device:
        """The Device before."""
        place = _existing(self.pair.before)
        return resolve(self._sites.old(place.fabric), place)

    @cached_property
    def new(self) -> Device:
        """The Device after."""
        if self.is_same:
            return self.old
        place = _existing(self.pair.after)
        return resolve(self._sites.new(place.fabric), place)

    @property
    def old_system(self) -> str:
        """The platform that it ran before."""
        place = _existing(self.pair.before)
        return chassis_of(self._sites.old(place.fabric).fabric, place).system.partition("-")[0]

    def changed(self, changes: tuple[DeviceChange, ...]) -> ChangedSwitch:
        """The switch with these changes; its names are those after the change, or before it if it is removed."""
        pair = self.pair
        site = self._sites.new if pair.after is not None else self._sites.old
        place = _existing(pair.after or pair.before)
        chassis = chassis_of(site(place.fabric).fabric, place)
        return ChangedSwitch(
            name=pair.name_after or pair.name_before,
            fabric=place.fabric,
            role=place.tier.value,
            system=chassis.system.partition("-")[0],
            before=pair.before,
            after=pair.after,
            changes=changes,
        )

    def whole(self) -> ChangedSwitch:
        """The switch with any change: which part it touches is unknown."""
        return self.changed((WHOLE,))


def _existing(place: Place | None) -> Place:
    if place is None:
        raise LookupError("the switch does not exist on this side")
    return place
