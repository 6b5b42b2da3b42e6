"""Which switches of a lossless fabric the page looks at: one of each kind that is given the same, with who they are."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from fabricgen.device.qos import Qos
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import FabricPlan, chassis_of, name_of, present_places
from fabricgen.plan.place import Place, Tier
from fabricgen.platforms.base.lossless import RenderedLossless
from fabricgen.policy.ecn import Ecn
from fabricgen.resolve.context import FabricContext, lossless_key, make_context
from fabricgen.resolve.device import rendered_lossless, resolve
from fabricgen.resolve.lossless import Lossless, fan_out_of, nic_vendor
from fabricgen.topologies.shape import Chassis

PortValues = tuple[tuple[str, int, int], ...]
"""Port, MTU and headroom that overrides give it."""


class SwitchClass(NamedTuple):
    """What switches have in common that are given the same.

    settings  which settings of their own; 0: the fabric's
    name      of the switch, where a cable file or the state of a port tells every switch apart
    """

    tier: Tier
    group: str
    settings: int
    ports: PortValues
    name: str


@dataclass(slots=True)
class Crowd:
    """Switches of one kind: the first of them, and how many. `names`: empty where only their number is kept."""

    place: Place
    count: int
    names: list[str]


class RenderedValues(NamedTuple):
    """What switches of one kind are given: the plan, and what their files say after the rounding of their system.

    group     server group of leaves
    ports     what overrides give ports of each
    is_own    overrides give them settings, or ports of theirs
    standing  how many switches; names: theirs, empty where only their number is known
    """

    role: str
    group: str
    system: str
    chassis: Chassis
    lossless: Lossless
    qos: Qos
    planned: dict[int, Ecn | None]
    rendered: RenderedLossless
    ports: PortValues
    is_own: bool
    standing: int
    names: tuple[str, ...]


def looks(site: FabricContext, fabric: FabricPlan) -> Iterator[RenderedValues]:
    """One look for each kind, in the order of the names of their first switches."""
    for kind, crowd in _crowds(fabric).items():
        found = _look(site, kind, crowd)
        if found is not None:
            yield found


def _crowds(fabric: FabricPlan) -> dict[SwitchClass, Crowd]:
    """Switches by kind. Of those that are as their role is, only the number is kept, whatever the size of the site."""
    own = fabric.exceptions
    ports = _port_values(own)
    apart = bool(own.cables or own.ports)
    is_plain = not (apart or ports or own.settings)
    found: dict[SwitchClass, Crowd] = {}
    for place in present_places(fabric):
        name = "" if is_plain else name_of(fabric, place)
        settings = own.settings.get(name)
        kind = SwitchClass(
            place.tier, place.group, id(settings) if settings else 0, ports.get(name, ()), name if apart else ""
        )
        crowd = found.setdefault(kind, Crowd(place, 0, []))
        crowd.count += 1
        if apart or kind.settings or kind.ports:
            crowd.names.append(name)
    return found


def _port_values(own: Exceptions) -> dict[str, PortValues]:
    """What overrides give ports of each switch, as far as the lossless class knows of it."""
    found: dict[str, list[tuple[str, int, int]]] = {}
    for key, settings in own.port_settings.items():
        if settings.mtu or settings.headroom_octets:
            found.setdefault(key.device, []).append((key.port, settings.mtu, settings.headroom_octets))
    return {name: tuple(sorted(values)) for name, values in found.items()}


def _look(site: FabricContext, kind: SwitchClass, crowd: Crowd) -> RenderedValues | None:
    fabric, place = site.fabric, crowd.place
    chassis = chassis_of(fabric, place)
    # A context is dear, and all that have the fabric's settings share the arithmetic of their model.
    found = make_context(site, place).lossless if kind.settings else site.lossless.get(lossless_key(chassis))
    device = resolve(site, place)
    qos = device.qos
    if found is None or qos is None:
        return None
    role, fan_out = place.tier.value, fan_out_of(fabric, place.tier.value, chassis)
    vendor = nic_vendor(fabric)
    mtus = [row.profile.mtu for row in device.interfaces.ethernet if row.profile.qos]
    return RenderedValues(
        role=role,
        group=place.group,
        system=chassis.system,
        chassis=chassis,
        lossless=found,
        qos=qos,
        planned={row.speed_gbps: found.ecn(row.speed_gbps, role, vendor, fan_out) for row in qos.profiles},
        rendered=rendered_lossless(chassis, qos, max(mtus, default=found.fabric.mtu)),
        ports=kind.ports,
        is_own=bool(kind.settings or kind.ports),
        standing=crowd.count,
        names=tuple(crowd.names),
    )


Row = TypeVar("Row", bound=Hashable)


def named(
    rows: Iterable[tuple[Row, RenderedValues]],
    every: Sequence[RenderedValues],
    scope: Callable[[RenderedValues], Hashable],
    about: Callable[[Row], Hashable] = lambda _: None,
) -> Iterator[tuple[Row, tuple[RenderedValues, ...], str]]:
    """Each row once: who has it, and their names, or none where it is what all have, or all that no other row names.

    scope  what switches have in common that could have the same row, e.g. their role
    about  what a row is of: of two of the same, e.g. where cables differ, both have names
    """
    found: dict[Row, dict[int, RenderedValues]] = {}
    for row, one in rows:
        found.setdefault(row, {})[id(one)] = one
    rules = Counter(
        (scope(next(iter(having.values()))), about(row)) for row, having in found.items() if _is_rule(having.values())
    )
    could = Counter[Hashable]()
    for one in every:
        could[scope(one)] += one.standing
    for row, having in found.items():
        members = tuple(having.values())
        of = scope(members[0])
        is_all = sum(one.standing for one in members) == could[of]
        is_rule = _is_rule(members) and rules[of, about(row)] == 1
        yield row, members, "" if is_all or is_rule else _who(members)


def _is_rule(members: Iterable[RenderedValues]) -> bool:
    """Whether some of them have nothing of their own."""
    return any(not one.is_own for one in members)


def _who(members: Sequence[RenderedValues]) -> str:
    """Names of switches; where only their number is kept, what they are."""
    names = [name for one in members for name in one.names]
    if len(names) == sum(one.standing for one in members):
        return names_text(names)
    return " and ".join(dict.fromkeys(f"{one.role} of {one.group}" if one.group else one.role for one in members))


def names_text(names: Sequence[str]) -> str:
    """Switches by their names: one, a run of numbers, or how many there are."""
    ordered = sorted(names, key=lambda name: (len(name), name))
    first, last = ordered[0], ordered[-1]
    stem, _, start = first.rpartition("-")
    if len(ordered) == 1:
        return first
    if [f"{stem}-{int(start) + at:0{len(start)}d}" for at in range(len(ordered))] == ordered:
        return f"{first}…{last.rpartition('-')[2]}"
    return f"{len(ordered)} switches, first {first}"
