"""A large fabric whose texts are all as planned: judged without keeping the views of all its switches.

What the two ends of a session or link must have alike is a line of text, which both ends write. The end with the lower
name adds the digest of the line to a sum, the other one subtracts it: a sum of 0 says that every line has its match.
So a switch gives a number, wherever it is read, and few views are needed: those of the switches that stand for all.
Where a sum is not 0, or a switch has what only all views together can judge, the fabric is gathered as a small one is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from itertools import chain
from socket import AF_INET, AF_INET6, inet_ntop, inet_pton
from typing import NamedTuple

from fabricgen.audit.ends import network_owners, password_text
from fabricgen.audit.nics import nic_ends, nics_of
from fabricgen.audit.onward import DISCARD
from fabricgen.audit.outlines import Joined, Outline, chosen, outline
from fabricgen.audit.site_view import End, NicEnd, SiteView, cables_of, outside_of
from fabricgen.audit.switch import SwitchAudit
from fabricgen.audit.views import PortView, SessionView, SwitchView, host_of
from fabricgen.device.device import Device
from fabricgen.plan.fabric import FabricPlan
from fabricgen.readback.rows import new

DIGEST_OCTETS = 16


class SwitchShare(NamedTuple):
    """What a switch gives to the account of its fabric.

    ends       sum over its ends of sessions and links
    addresses  of its ports, with their VRF, a line each
    router_id  its BGP identifier; empty for none
    has_nics   its files are held to those of NICs
    """

    outline: Outline
    ends: int
    addresses: str
    router_id: str
    has_nics: bool


@dataclass(slots=True)
class LargeFabric:
    """The account of a fabric. is_open: a switch is not as planned, or has what only all views together can judge."""

    outlines: dict[str, Outline] = field(default_factory=dict)
    ends: int = 0
    addresses: list[str] = field(default_factory=list)
    router_ids: list[str] = field(default_factory=list)
    has_nics: bool = False
    is_open: bool = False

    def add(self, fabric: FabricPlan, device: Device, audit: SwitchAudit, roles: Mapping[str, str]) -> None:
        """Take the share of one switch. roles: of all switches, by name."""
        view = audit.whole().view
        if self.is_open or view is None or not audit.is_exact or outside_of(device):
            self.is_open = True
            return
        share = share_of(view, cables_of(device, roles), nics_of(fabric, device, audit), roles)
        if share is None:
            self.is_open = True
            return
        self.outlines[device.name] = share.outline
        self.ends += share.ends
        self.addresses.append(share.addresses)
        self.router_ids += filter(None, [share.router_id])
        self.has_nics = self.has_nics or share.has_nics

    def join(self, other: "LargeFabric") -> None:
        """Take the shares that were gathered elsewhere."""
        self.outlines |= other.outlines
        self.ends += other.ends
        self.addresses += other.addresses
        self.router_ids += other.router_ids
        self.has_nics = self.has_nics or other.has_nics
        self.is_open = self.is_open or other.is_open

    @property
    def holds(self) -> bool:
        """Whether all ends match, no address or router id is there twice, and no prefix has two owners."""
        if self.is_open or self.ends:
            return False
        lines = [*chain.from_iterable(row.split("\n") for row in self.addresses)]
        prefixes = [*chain.from_iterable(row.prefixes for row in self.outlines.values())]
        return all(len(rows) == len({*rows}) for rows in (lines, prefixes, self.router_ids))

    def representatives(self) -> frozenset[str]:
        """Names of the switches whose routes stand for those of all."""
        return frozenset(chosen(self.outlines, (), lambda _: ()))


def share_of(
    switch: SwitchView, cables: Mapping[End, End], nics: Mapping[End, NicEnd], roles: Mapping[str, str]
) -> SwitchShare | None:
    """The share of a switch that has underlay sessions with switches of its fabric alone, and no fault of its own.

    cables  its own, by its end; roles: of all switches, by name
    """
    if switch.vtep or switch.vrfs or switch.vlans or switch.gateways or switch.segments or not _is_owner(switch):
        return None
    alone = SiteView([switch], {}, frozenset(), {}, nics, {})
    if any(chain(nic_ends(alone), network_owners(alone))):
        return None
    links = _Links(switch, roles)
    lines = [links.line(near, far) for near, far in cables.items()]
    if None in lines or len(links.joined) != len(switch.sessions):
        return None
    return SwitchShare(
        outline=outline(switch, links.joined),
        ends=sum(map(_signed, filter(None, lines))),
        addresses="\n".join(
            f"{port.vrf} {host_of(address)}" for port in switch.ports.values() for address in port.addresses
        ),
        router_id=switch.router_id,
        has_nics=bool(nics),
    )


def _is_owner(switch: SwitchView) -> bool:
    """Whether static routes of the default VRF lead nowhere, each for a prefix that the switch announces."""
    return all(
        next_hop == DISCARD and (vrf, prefix) in switch.networks
        for (vrf, prefix), (next_hop, _) in switch.statics.items()
        if not vrf
    )


Line = tuple[bool, str]
"""Whether it is from the end with the lower name; and what both ends must have alike."""


class _Links:
    """The links of a switch to others, and the sessions over them. roles: of all switches, by name."""

    def __init__(self, switch: SwitchView, roles: Mapping[str, str]) -> None:
        self.joined: list[Joined] = []
        self._switch, self._roles = switch, roles
        self._sessions = {near.peer: near for near in switch.sessions if _is_plain(near)}

    def line(self, near: End, far: End) -> Line | None:
        """What both ends of a cable write of it and of its sessions; None for a port that is none of a plain link."""
        port = self._switch.ports.get(near.port)
        if port is None or port.vrf:
            return None
        is_lower = near < far
        parts = []
        for address in port.addresses:
            peer = _opposite(address)
            if not peer:
                return None
            ends = f"{address} {peer}" if is_lower else f"{peer} {address}"
            parts.append(f"{ends} {self._session(self._sessions.get(host_of(peer)), port, far, is_lower=is_lower)}")
        if port.unnumbered:
            parts.append(self._session(self._sessions.get(port.name), port, far, is_lower=is_lower))
        (low, low_port), (high, high_port) = (near, far) if is_lower else (far, near)
        link = _link_text(port.enabled, port.mtu, port.unnumbered, port.lossless, port.watchdog)
        return is_lower, f"{low} {low_port} {high} {high_port} {link} {sorted(parts)}"

    def _session(self, near: SessionView | None, port: PortView, far: End, *, is_lower: bool) -> str:
        """What the two ends expect of each other, and must have alike; a word where there is no session."""
        if near is None:
            return "none"
        here, there = self._switch.asn, near.remote_as
        self.joined.append(new(Joined, (near, far.switch, self._roles[far.switch], here == there, port.enabled)))
        alike = _session_text(near.families, near.password, near.timers, near.bfd, near.multihop, near.ttl_hops)
        return f"{here} {there} {alike}" if is_lower else f"{there} {here} {alike}"


def _is_plain(near: SessionView) -> bool:
    """Whether a session is of a link in the default VRF, checks AS loops, and is not shut down."""
    if near.undoes_loop_check:
        return False
    return near.enabled and not near.vrf and not near.source and "evpn" not in near.families


def _opposite(address: str) -> str:
    """The other address of a subnet of two (RFC 3021, RFC 6164), with its length; empty where it has not two."""
    host, _, length = address.partition("/")
    family = {"31": AF_INET, "127": AF_INET6}.get(length)
    if family is None:
        return ""
    *above, last = inet_pton(family, host)
    return f"{inet_ntop(family, bytes((*above, last ^ 1)))}/{length}"


@cache
def _link_text(*values: object) -> str:
    """What `ends.link_ends` compares of two ports, but for their subnets."""
    return str(values)


@cache
def _session_text(
    families: frozenset[str], password: str, timers: tuple[int, int], is_bfd_on: object, multihop: int, ttl_hops: int
) -> str:
    """What `ends.session_ends` compares of two sessions, but for AS numbers."""
    return f"{sorted(families)} {password_text(password)} {timers} {is_bfd_on} {multihop + ttl_hops > 0} {ttl_hops > 0}"


def _signed(line: Line) -> int:
    is_lower, text = line
    number = int.from_bytes(blake2b(text.encode(), digest_size=DIGEST_OCTETS).digest())
    return number if is_lower else -number
