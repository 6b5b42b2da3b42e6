"""One switch on both sides: resolved when somebody asks, and only then."""

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
"""Stands for a switch of which nobody says what is touched: all of it may be."""


class Sites:
    """What the switches of a fabric share on each side, made once."""

    def __init__(self, before: Plan, after: Plan) -> None:
        self._before, self._after = before, after
        self._sites: dict[tuple[bool, str], FabricContext] = {}
        self._same: dict[str, bool] = {}

    def old(self, fabric: str) -> FabricContext:
        """Of the side before."""
        return self._site(fabric, is_old=True)

    def new(self, fabric: str) -> FabricContext:
        """Of the side after."""
        return self._site(fabric, is_old=False)

    def is_same(self, fabric: str) -> bool:
        """Whether the fabric has equal inputs on both sides: then all of its switches are equal.

        The whole fabric is asked, not the input keys of its switches: a key leaves out hardware files of the user's
        own, cables that are told by the server's end, and the other leaf of a drained one.
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
    """A switch as it stands on each side. Raises LookupError where it is asked for a side that has it not."""

    def __init__(self, sites: Sites, pair: SwitchPair) -> None:
        self.pair = pair
        self._sites = sites

    @property
    def stays(self) -> bool:
        """Whether it stands on both sides."""
        return self.pair.before is not None and self.pair.after is not None

    @cached_property
    def is_same(self) -> bool:
        """Whether its Devices are equal without a look at them."""
        before, after = self.pair.before, self.pair.after
        return before is not None and before == after and self._sites.is_same(before.fabric)

    @cached_property
    def old(self) -> Device:
        """As it was."""
        place = _there(self.pair.before)
        return resolve(self._sites.old(place.fabric), place)

    @cached_property
    def new(self) -> Device:
        """As it will be."""
        if self.is_same:
            return self.old
        place = _there(self.pair.after)
        return resolve(self._sites.new(place.fabric), place)

    @property
    def old_system(self) -> str:
        """Platform that it ran."""
        place = _there(self.pair.before)
        return chassis_of(self._sites.old(place.fabric).fabric, place).system.partition("-")[0]

    def changed(self, facts: tuple[DeviceChange, ...]) -> ChangedSwitch:
        """With these facts; named as after the change, or as before it where it goes."""
        pair = self.pair
        site = self._sites.new if pair.after is not None else self._sites.old
        place = _there(pair.after or pair.before)
        chassis = chassis_of(site(place.fabric).fabric, place)
        return ChangedSwitch(
            name=pair.name_after or pair.name_before,
            fabric=place.fabric,
            role=place.tier.value,
            system=chassis.system.partition("-")[0],
            before=pair.before,
            after=pair.after,
            facts=facts,
        )

    def whole(self) -> ChangedSwitch:
        """As one of which nobody says what is touched."""
        return self.changed((WHOLE,))


def _there(place: Place | None) -> Place:
    if place is None:
        raise LookupError("the switch does not stand on this side")
    return place
