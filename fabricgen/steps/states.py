"""What a state has in common with others, so that the same is not judged again.

A long upgrade has hundreds of states that differ from each other in a few switches. Both intents are judged whole, so
each switch is judged in service, with the old release and with the new one. What a state adds is that some switches are
drained, and that switches of both releases meet: this is judged once for each kind of switch and each pair of kinds.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar

from fabricgen.base.grouping import grouped
from fabricgen.plan.exceptions import AWAY, DeviceSettings, Exceptions, PortKey, SlotKey
from fabricgen.plan.fabric import FabricPlan, chassis_of, group_of, name_of, places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import groups_on, unit_slots, uplinks
from fabricgen.resolve.links import ACTIVE

Signature = frozenset[Hashable]
"""Kinds of switches of a state, and pairs of kinds that are cabled together or are leaves of one unit and rail."""


class _Switch(NamedTuple):
    """A switch.

    unit   number of a leaf's unit in its group, through all pods; -1 for others
    above  switches above it that it is cabled to; pair: other leaves of its unit and rail
    """

    name: str
    place: Place
    unit: int
    above: tuple[str, ...]
    pair: tuple[str, ...]


class States:
    """States of one intent: the intent itself, with other states and releases of switches, and states of slots."""

    def __init__(self, base: Plan) -> None:
        self.base = base
        self._switches = {name: tuple(_switches(fabric)) for name, fabric in base.fabrics.items()}
        self._by_name = {switch.name: switch for fabric in self._switches.values() for switch in fabric}
        self._above = {name: {switch.above: None for switch in switches} for name, switches in self._switches.items()}
        self._shared: dict[Hashable, DeviceSettings] = {}
        for fabric in base.fabrics.values():
            fabric.named.update((switch.name, switch.place) for switch in self._switches[fabric.name])

    def compact(self, plan: Plan) -> Plan:
        """Return the plan of a state with the parts of the intent's, and one object for equal settings of its switches.

        Overrides of single switches that only set a release are then judged as one override of all of them.
        """
        settings = {name: self._settings(plan, name, own) for name, own in plan.exceptions.settings.items()}
        exceptions = plan.exceptions._replace(settings=settings)
        fabrics = {
            name: replace(fabric, exceptions=exceptions, bindings=plan.fabrics[name].bindings)
            for name, fabric in self.base.fabrics.items()
        }
        for name, fabric in fabrics.items():
            # Numbers and names do not depend on exceptions.
            fabric.known.update(self.base.fabrics[name].known)
            fabric.named.update(self.base.fabrics[name].named)
        return self.base._replace(fabrics=fabrics)

    def _settings(self, plan: Plan, name: str, own: DeviceSettings) -> DeviceSettings:
        of_base = self.base.exceptions.settings.get(name)
        if own == of_base:
            return of_base
        place = self._by_name[name].place
        if own.fabric is not plan.intent.fabrics[place.fabric] or own.management is not plan.intent.management:
            return own
        key = place.fabric, place.tier, own.system
        if key not in self._shared:
            fabric, management = self.base.intent.fabrics[place.fabric], self.base.intent.management
            self._shared[key] = own._replace(fabric=fabric, management=management)
        return self._shared[key]

    def signature(self, plan: Plan) -> Signature:
        """Return the kinds of a compact plan. A switch that overrides or files name in other ways is its own kind."""
        shared = {id(settings) for settings in self._shared.values()}
        shared |= {id(settings) for settings in self.base.exceptions.settings.values()}
        named = {name for name, own in plan.exceptions.settings.items() if id(own) not in shared}
        named.update(_named(plan.exceptions))
        found: set[Hashable] = set()
        for fabric, switches in self._switches.items():
            slots = _slots_by_unit(plan.fabrics[fabric])
            kinds = {switch.name: _kind(plan.exceptions, switch, slots, named) for switch in switches}
            found.update(kinds.values())
            # Leaves of a pod have the same switches above them, so there are few of these sets.
            upper = {above: {kinds[name] for name in above} for above in self._above[fabric]}
            cabled = {(kinds[switch.name], switch.above) for switch in switches}
            found.update((kind, far) for kind, above in cabled for far in upper[above])
            found.update((kinds[switch.name], kinds[other]) for switch in switches for other in switch.pair)
        return frozenset(found)

    def reached(self, before: Plan, after: Plan) -> frozenset[str] | None:
        """Return the switches that may differ between two compact plans; None for any.

        A switch that is drained, or has another release, is as its neighbors see it: they have its name and the names
        of its ports. With another state, or another system, its neighbors may differ, too.
        """
        old, new = before.exceptions, after.exceptions
        if _others(old) != _others(new):
            return None
        changed = {*_differing(old.devices, new.devices), *_differing(old.systems, new.systems)}
        changed |= {*_differing(old.settings, new.settings)}
        found = {name for each in changed for name in (each, *self._by_name[each].pair)}
        wide = {name for name in changed if _is_wide(self._by_name[name].place, name, before, after)}
        found.update(name for each in wide for name in self._by_name[each].above)
        found.update(switch.name for switch in self._by_name.values() if not wide.isdisjoint(switch.above))
        for slot in _differing(old.slots, new.slots):
            found.update(switch.name for switch in self._by_name.values() if self._serves(switch.place, slot))
        return frozenset(found)

    def _serves(self, place: Place, slot: SlotKey) -> bool:
        groups = groups_on(self.base.fabrics[place.fabric], place) if place.tier is Tier.LEAF else ()
        units = (unit_slots(group, place) for group in groups if group.name == slot.group)
        return any(unit.first <= slot.slot <= unit.last for unit in units)


def _switches(fabric: FabricPlan) -> Iterator[_Switch]:
    everyone = tuple(places(fabric))
    rails = grouped((place._replace(index=0), name_of(fabric, place)) for place in everyone if place.tier is Tier.LEAF)
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    for place in everyone:
        name = name_of(fabric, place)
        above = tuple(dict.fromkeys(name_of(fabric, link.upper) for link in uplinks(fabric, place)))
        pair = tuple(other for other in rails.get(place._replace(index=0), ()) if other != name)
        is_leaf = place.tier is Tier.LEAF
        unit = place.pod * group_of(fabric, place.group).units_a_pod + place.su if is_leaf else -1
        yield _Switch(name, place, unit, known.setdefault(above, above), pair if is_leaf else ())


def _named(exceptions: Exceptions) -> Iterator[str]:
    """Yield switches of which overrides or files set more than a state and a release."""
    keys: tuple[PortKey, ...] = (
        *exceptions.ports, *exceptions.cables, *exceptions.broken, *exceptions.port_settings,
    )  # fmt: skip
    yield from (key.device for key in keys)


_Slots = Mapping[tuple[str, int], list[tuple[int, str]]]
"""Server group of the leaves and unit → positions of slots with a state in it, and these states."""


def _slots_by_unit(fabric: FabricPlan) -> _Slots:
    groups = {group.name: group for group in fabric.shape.groups}
    states = sorted((key, state) for key, state in fabric.exceptions.slots.items() if key.group in groups)
    return grouped(
        ((group.leaves_of, key.slot // group.slots_a_unit), (group.position(key.slot), state))
        for key, state in states
        for group in (groups[key.group],)
    )


def _kind(exceptions: Exceptions, switch: _Switch, slots: _Slots, named: Collection[str]) -> Hashable:
    """Return what a switch has in common with others; `named`: those that have nothing in common with any."""
    place, name = switch.place, switch.name
    return (
        place.fabric,
        place.tier,
        place.group,
        exceptions.devices.get(name, ACTIVE),
        exceptions.systems.get(name, ""),
        name if name in named else id(exceptions.settings.get(name)),
        tuple(slots.get((place.group, switch.unit), ())),
    )


def _others(exceptions: Exceptions) -> Exceptions:
    """Return the exceptions without those that `reached` compares one by one."""
    return exceptions._replace(devices={}, slots={}, systems={}, settings={})


K = TypeVar("K")


def _differing(old: Mapping[K, object], new: Mapping[K, object]) -> Iterator[K]:
    return (key for key in {**old, **new} if old.get(key) != new.get(key))


def _is_wide(place: Place, name: str, before: Plan, after: Plan) -> bool:
    """Return whether neighbors of a switch may differ with it."""
    fabrics = before.fabrics[place.fabric], after.fabrics[place.fabric]
    families = {chassis_of(fabric, place).system.partition("-")[0] for fabric in fabrics}
    states = {fabric.exceptions.devices.get(name, ACTIVE) for fabric in fabrics}
    return len(families) > 1 or not states.isdisjoint(AWAY)
