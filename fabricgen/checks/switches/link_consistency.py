"""Classes of link ends: finds links whose ends can differ because overrides give some switches other settings."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.checks.switches.link_ends import FABRIC_ROLES, LinkEnd, LinkEnds, link_ends, paired, session_values
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.plan.exceptions import PortKey, settings_digest
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Tier
from fabricgen.resolve.variants import variants


class LinkClass(NamedTuple):
    """Links of one class: the tier of their lower switches, and the settings of both ends, lower first.

    settings  empty for the fabric's own, else a digest of the settings from overrides and of their sources: it does not
              depend on other switches
    """

    level: str
    settings: tuple[str, str]
    speed_gbps: int


class Values(NamedTuple):
    """Values that both ends of a link must have in common."""

    mtu: int
    fec: str
    bfd: bool
    ttl: str
    password: str


class LinkClassValues(NamedTuple):
    """Values of one end, upper or lower, of links of a class."""

    joint: LinkClass
    upper: bool
    values: Values


class SingleEnd(NamedTuple):
    """An end of a link of a class. joint: None if it is compared link by link."""

    joint: LinkClass | None
    upper: bool
    end: LinkEnd


class LinkConsistency:
    """Finds the ends that can differ: the values of each class are kept once, for any number of ends.

    The values of an end follow from the settings of its switch and the speed of its port. So if all ends of a class, on
    both sides, have one MTU, one FEC and one BFD, no link of the class has different ends. Ports with settings of
    their own, and the ports at their far ends, are kept one by one: they are as many as the intent names.
    """

    def __init__(self, plan: FabricPlan) -> None:
        self._ports = plan.exceptions.port_settings
        digests = {id(variant.settings): settings_digest(variant.settings) for variant in variants(plan)}
        # Switches that do not exist have no links.
        self._variants = {name: digests.get(id(settings), "") for name, settings in plan.exceptions.settings.items()}

    def knots(self, device: Device) -> frozenset[LinkClassValues]:
        """Return the values of one switch's ends, by class, without the ends that are kept one by one."""
        of_sessions = session_values(device)
        settings = self._variants.get(device.name, "")
        # Rows share their profiles, so there are few pairs of a profile and the far switch's settings.
        if self._variants or self._ports:
            rows = {(id(row.profile), self._variants.get(row.peer, "")): row for row in self._rows(device)}
        else:
            rows = {(key, ""): row for key, row in _by_profile(device.interfaces.ethernet).items()}
        return frozenset(
            LinkClassValues(
                _joint(device.role, row, settings, far),
                row.profile.role == "downlink",
                Values(row.profile.mtu, row.profile.fec, *of_sessions),
            )
            for (_, far), row in rows.items()
        )

    def _rows(self, device: Device) -> Iterator[Ethernet]:
        rows = (row for row in device.interfaces.ethernet if row.enabled and row.profile.role in FABRIC_ROLES)
        return (row for row in rows if not self._is_single(device.name, row)) if self._ports else rows

    def _is_single(self, device: str, row: Ethernet) -> bool:
        return PortKey(device, row.name) in self._ports or PortKey(row.peer, row.peer_port) in self._ports

    def single(self, device: Device) -> tuple[LinkEnd, ...]:
        """Return the ends of one switch that are kept one by one."""
        ends = link_ends(device) if self._ports else ()
        return tuple(end for end in ends if end.near in self._ports or end.far in self._ports)

    def owned(self, device: Device) -> tuple[LinkEnd, ...]:
        """Return the ends of one switch whose values overrides can change."""
        if device.name in self._variants:
            return link_ends(device)
        return tuple(end for end in self.single(device) if end.near in self._ports)

    def strands(self, device: Device, joints: Collection[LinkClass]) -> Iterator[SingleEnd]:
        """Yield the ends of one switch that are in these classes, or kept one by one."""
        settings = self._variants.get(device.name, "")
        rows = {row.name: row for row in device.interfaces.ethernet}
        for end in link_ends(device):
            row = rows[end.near.port]
            joint = _joint(device.role, row, settings, self._variants.get(row.peer, ""))
            if self._is_single(device.name, row):
                yield SingleEnd(None, row.profile.role == "downlink", end)
            elif joint in joints:
                yield SingleEnd(joint, row.profile.role == "downlink", end)


def _by_profile(rows: Iterable[Ethernet]) -> dict[int, Ethernet]:
    """Return one row of each profile of ports towards other switches, by the profile's identity."""
    by_identity = {id(row.profile): row for row in rows if row.enabled}
    return {key: row for key, row in by_identity.items() if row.profile.role in FABRIC_ROLES}


def _joint(role: str, row: Ethernet, own: str, far: str) -> LinkClass:
    """Return the class of a port's link; it is the same from both of its ends."""
    upward = row.profile.role == "uplink"
    is_high = role == Tier.SUPERSPINE or (role == Tier.SPINE and upward)
    settings = (own, far) if upward else (far, own)
    return LinkClass((Tier.SPINE if is_high else Tier.LEAF).value, settings, row.profile.speed_gbps)


def doubted(knots: Iterable[LinkClassValues]) -> frozenset[LinkClass]:
    """Return the classes of links whose ends do not all have the same values."""
    first_values: dict[LinkClass, Values] = {}
    return frozenset(knot.joint for knot in knots if first_values.setdefault(knot.joint, knot.values) != knot.values)


def settled(knots: Iterable[LinkClassValues]) -> dict[LinkClass, Values]:
    """Return the values of the upper ends, for each class in which all upper ends agree, and all lower ends do."""
    sides: dict[tuple[LinkClass, bool], set[Values]] = {}
    for knot in knots:
        sides.setdefault((knot.joint, knot.upper), set()).add(knot.values)
    mixed = {joint for (joint, _), values in sides.items() if len(values) > 1}
    return {joint: next(iter(values)) for (joint, upper), values in sides.items() if upper and joint not in mixed}


def drawn(strands: Iterable[SingleEnd], known: Mapping[LinkClass, Values]) -> Iterator[LinkEnds]:
    """Yield both ends of each link. If the class's upper values are known, the lower end is enough."""
    unpaired: list[LinkEnd] = []
    for joint, upper, end in strands:
        if joint is None or joint not in known:
            unpaired.append(end)
        elif not upper:
            yield LinkEnds(end, LinkEnd(end.far, end.near, *known[joint]))
    yield from paired(unpaired)
