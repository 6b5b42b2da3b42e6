"""Classes of switches of a lossless fabric with the same settings: an example and the switch names of each."""

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
    """What switches with the same settings have in common.

    settings  identity of the settings that an override gives them; 0: the fabric's
    name      of the switch, where a cable file or the state of a port makes every switch different
    """

    tier: Tier
    group: str
    settings: int
    ports: PortValues
    name: str


@dataclass(slots=True)
class ClassMembers:
    """Switches of one class: the first of them, and their number. `names`: empty where only the number is kept."""

    place: Place
    count: int
    names: list[str]


class RenderedValues(NamedTuple):
    """Settings of the switches of one class: as planned, and as their files have them, rounded by the operating system.

    group         server group of leaves
    ports         what overrides give to ports of each switch
    is_own        overrides give settings to the switches or to their ports
    switch_count  number of switches; names: theirs, empty where only their number is known
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
    switch_count: int
    names: tuple[str, ...]


def rendered_values(site: FabricContext, fabric: FabricPlan) -> Iterator[RenderedValues]:
    """The rendered values of each class, in the order of the names of their first switches."""
    for kind, members in _members_by_class(fabric).items():
        values = _values_of_class(site, kind, members)
        if values is not None:
            yield values


def _members_by_class(fabric: FabricPlan) -> dict[SwitchClass, ClassMembers]:
    """Switches by class. Of those without overrides only the number is kept, so memory does not grow with the site."""
    exceptions = fabric.exceptions
    ports = _port_values(exceptions)
    by_name = bool(exceptions.cables or exceptions.ports)
    is_plain = not (by_name or ports or exceptions.settings)
    classes: dict[SwitchClass, ClassMembers] = {}
    for place in present_places(fabric):
        name = "" if is_plain else name_of(fabric, place)
        settings = exceptions.settings.get(name)
        kind = SwitchClass(
            place.tier, place.group, id(settings) if settings else 0, ports.get(name, ()), name if by_name else ""
        )
        members = classes.setdefault(kind, ClassMembers(place, 0, []))
        members.count += 1
        if by_name or kind.settings or kind.ports:
            members.names.append(name)
    return classes


def _port_values(exceptions: Exceptions) -> dict[str, PortValues]:
    """What overrides give ports of each switch, as far as it concerns the lossless class."""
    values_of: dict[str, list[tuple[str, int, int]]] = {}
    for key, settings in exceptions.port_settings.items():
        if settings.mtu or settings.headroom_octets:
            values_of.setdefault(key.device, []).append((key.port, settings.mtu, settings.headroom_octets))
    return {name: tuple(sorted(values)) for name, values in values_of.items()}


def _values_of_class(site: FabricContext, kind: SwitchClass, members: ClassMembers) -> RenderedValues | None:
    fabric, place = site.fabric, members.place
    chassis = chassis_of(fabric, place)
    # A context is expensive; all switches with the fabric's settings share the arithmetic of their model.
    settings = make_context(site, place).lossless if kind.settings else site.lossless.get(lossless_key(chassis))
    device = resolve(site, place)
    qos = device.qos
    if settings is None or qos is None:
        return None
    role, fan_out = place.tier.value, fan_out_of(fabric, place.tier.value, chassis)
    vendor = nic_vendor(fabric)
    mtus = [row.profile.mtu for row in device.interfaces.ethernet if row.profile.qos]
    return RenderedValues(
        role=role,
        group=place.group,
        system=chassis.system,
        chassis=chassis,
        lossless=settings,
        qos=qos,
        planned={row.speed_gbps: settings.ecn(row.speed_gbps, role, vendor, fan_out) for row in qos.profiles},
        rendered=rendered_lossless(chassis, qos, max(mtus, default=settings.fabric.mtu)),
        ports=kind.ports,
        is_own=bool(kind.settings or kind.ports),
        switch_count=members.count,
        names=tuple(members.names),
    )


Row = TypeVar("Row", bound=Hashable)


def named(
    rows: Iterable[tuple[Row, RenderedValues]],
    all_samples: Sequence[RenderedValues],
    scope: Callable[[RenderedValues], Hashable],
    about: Callable[[Row], Hashable] = lambda _: None,
) -> Iterator[tuple[Row, tuple[RenderedValues, ...], str]]:
    """Each row once: the classes that have it, and the names of their switches.

    Names are empty for a row that all switches of the scope have, and for the one row of switches without overrides.

    scope  what switches have in common that could have the same row, e.g. their role
    about  the subject of a row: of two rows with the same subject, e.g. where cables differ, both get names
    """
    samples_of: dict[Row, dict[int, RenderedValues]] = {}
    for row, sample in rows:
        samples_of.setdefault(row, {})[id(sample)] = sample
    unnamed = Counter(
        (scope(next(iter(members_by_id.values()))), about(row))
        for row, members_by_id in samples_of.items()
        if _is_rule(members_by_id.values())
    )
    counts = Counter[Hashable]()
    for sample in all_samples:
        counts[scope(sample)] += sample.switch_count
    for row, members_by_id in samples_of.items():
        members = tuple(members_by_id.values())
        row_scope = scope(members[0])
        is_all = sum(sample.switch_count for sample in members) == counts[row_scope]
        is_rule = _is_rule(members) and unnamed[row_scope, about(row)] == 1
        yield row, members, "" if is_all or is_rule else _who(members)


def _is_rule(members: Iterable[RenderedValues]) -> bool:
    """Whether some of the classes have no overrides."""
    return any(not sample.is_own for sample in members)


def _who(members: Sequence[RenderedValues]) -> str:
    """Names of switches; if only their number is kept, their role and group."""
    names = [name for sample in members for name in sample.names]
    if len(names) == sum(sample.switch_count for sample in members):
        return names_text(names)
    return " and ".join(
        dict.fromkeys(f"{sample.role} of {sample.group}" if sample.group else sample.role for sample in members)
    )


def names_text(names: Sequence[str]) -> str:
    """Switches by their names: one name, a range of numbers, or the number of switches."""
    ordered = sorted(names, key=lambda name: (len(name), name))
    first, last = ordered[0], ordered[-1]
    stem, _, start = first.rpartition("-")
    if len(ordered) == 1:
        return first
    if [f"{stem}-{int(start) + offset:0{len(start)}d}" for offset in range(len(ordered))] == ordered:
        return f"{first}…{last.rpartition('-')[2]}"
    return f"{len(ordered)} switches, first {first}"
