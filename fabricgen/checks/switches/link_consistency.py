"""Ends of links by kind: which can differ at all where overrides give some switches settings of their own."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.checks.switches.link_ends import FABRIC_ROLES, LinkEnd, LinkEnds, link_ends, paired
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.plan.exceptions import PortKey, settings_digest
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Tier
from fabricgen.resolve.variants import variants


class LinkClass(NamedTuple):
    """Links of one kind: the tier of their lower switches, and the settings of both, lower first.

    settings  empty for the fabric's own, else a digest of those that overrides give, and of who gives them: what is
              kept of a switch is the same whatever others there are
    """

    level: str
    settings: tuple[str, str]
    speed_gbps: int


class Values(NamedTuple):
    """What both ends of a link have to have alike."""

    mtu: int
    fec: str
    bfd: bool


class LinkClassValues(NamedTuple):
    """What one end of links of a kind has, the upper one or the lower."""

    joint: LinkClass
    upper: bool
    values: Values


class SingleEnd(NamedTuple):
    """An end of a link of a kind. joint: None where it is kept one by one."""

    joint: LinkClass | None
    upper: bool
    end: LinkEnd


class LinkConsistency:
    """Which ends can differ at all: what ends of one kind have is kept once, however many they are.

    What an end has follows from the settings of its switch and the speed of its port. So where all ends of a kind, both
    sides of it, have one MTU, one FEC and one BFD, no link of the kind has ends that differ. Ports with settings of
    their own, and what they are joined to, are kept one by one: they are as many as the intent has named.
    """

    def __init__(self, plan: FabricPlan) -> None:
        self._ports = plan.exceptions.port_settings
        digests = {id(found.settings): settings_digest(found.settings) for found in variants(plan)}
        # Switches that do not stand have no links.
        self._variants = {name: digests.get(id(own), "") for name, own in plan.exceptions.settings.items()}

    def knots(self, device: Device) -> frozenset[LinkClassValues]:
        """What the ends of one switch have, by kind; single ends are not among them."""
        bfd = any(group.bfd for group in device.routing.bgp.groups)
        own = self._variants.get(device.name, "")
        # Rows share their profiles, so that pairs of a profile and the far switch's settings are few.
        if self._variants or self._ports:
            found = {(id(row.profile), self._variants.get(row.peer, "")): row for row in self._rows(device)}
        else:
            found = {(key, ""): row for key, row in _by_profile(device.interfaces.ethernet).items()}
        return frozenset(
            LinkClassValues(
                _joint(device.role, row, own, far),
                row.profile.role == "downlink",
                Values(row.profile.mtu, row.profile.fec, bfd),
            )
            for (_, far), row in found.items()
        )

    def _rows(self, device: Device) -> Iterator[Ethernet]:
        rows = (row for row in device.interfaces.ethernet if row.enabled and row.profile.role in FABRIC_ROLES)
        return (row for row in rows if not self._is_single(device.name, row)) if self._ports else rows

    def _is_single(self, device: str, row: Ethernet) -> bool:
        return PortKey(device, row.name) in self._ports or PortKey(row.peer, row.peer_port) in self._ports

    def single(self, device: Device) -> tuple[LinkEnd, ...]:
        """Ends of one switch that are kept one by one."""
        ends = link_ends(device) if self._ports else ()
        return tuple(end for end in ends if end.near in self._ports or end.far in self._ports)

    def owned(self, device: Device) -> tuple[LinkEnd, ...]:
        """Ends of one switch that overrides have a say in."""
        if device.name in self._variants:
            return link_ends(device)
        return tuple(end for end in self.single(device) if end.near in self._ports)

    def strands(self, device: Device, joints: Collection[LinkClass]) -> Iterator[SingleEnd]:
        """Ends of one switch that are of these kinds, or kept one by one."""
        own = self._variants.get(device.name, "")
        rows = {row.name: row for row in device.interfaces.ethernet}
        for end in link_ends(device):
            row = rows[end.near.port]
            joint = _joint(device.role, row, own, self._variants.get(row.peer, ""))
            if self._is_single(device.name, row):
                yield SingleEnd(None, row.profile.role == "downlink", end)
            elif joint in joints:
                yield SingleEnd(joint, row.profile.role == "downlink", end)


def _by_profile(rows: Iterable[Ethernet]) -> dict[int, Ethernet]:
    """A row of each profile that ports towards other switches have, by its identity."""
    found = {id(row.profile): row for row in rows if row.enabled}
    return {key: row for key, row in found.items() if row.profile.role in FABRIC_ROLES}


def _joint(role: str, row: Ethernet, own: str, far: str) -> LinkClass:
    """The kind of link that a port belongs to, the same from both of its ends."""
    upward = row.profile.role == "uplink"
    is_high = role == Tier.SUPERSPINE or (role == Tier.SPINE and upward)
    settings = (own, far) if upward else (far, own)
    return LinkClass((Tier.SPINE if is_high else Tier.LEAF).value, settings, row.profile.speed_gbps)


def doubted(knots: Iterable[LinkClassValues]) -> frozenset[LinkClass]:
    """Kinds of links whose ends do not all have the same."""
    found: dict[LinkClass, Values] = {}
    return frozenset(knot.joint for knot in knots if found.setdefault(knot.joint, knot.values) != knot.values)


def settled(knots: Iterable[LinkClassValues]) -> dict[LinkClass, Values]:
    """What the upper ends of each kind have, where all of them have the same, and all lower ends, too."""
    sides: dict[tuple[LinkClass, bool], set[Values]] = {}
    for knot in knots:
        sides.setdefault((knot.joint, knot.upper), set()).add(knot.values)
    mixed = {joint for (joint, _), found in sides.items() if len(found) > 1}
    return {joint: next(iter(found)) for (joint, upper), found in sides.items() if upper and joint not in mixed}


def drawn(strands: Iterable[SingleEnd], known: Mapping[LinkClass, Values]) -> Iterator[LinkEnds]:
    """Both ends of each link. Where what upper ends have is known, the lower one is enough; the others are kept."""
    kept: list[LinkEnd] = []
    for joint, upper, end in strands:
        if joint is None or joint not in known:
            kept.append(end)
        elif not upper:
            yield LinkEnds(end, LinkEnd(end.far, end.near, *known[joint]))
    yield from paired(kept)
