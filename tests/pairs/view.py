"""What a configuration says of its end of each cable and session, in the same words for every platform."""

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

DSCPS = range(64)
IPV4, IPV6, EVPN = "ipv4", "ipv6", "evpn"


class Port(NamedTuple):
    """A routed port.

    ipv4, ipv6  address with its length, empty where it has none
    mtu         octets of the largest IP packet
    classes     traffic class of each DSCP from 0 to 63; empty where the port takes no notice of DSCP
    sends       DSCP → priority of the PFC frames that a full buffer of its packets sends (IEEE 802.1Q, clause 36)
    obeys       DSCP → priority of the PFC frames that stop its packets
    advertises  speaks IPv6 and sends router advertisements, by which the far end of an unnumbered link finds it
    """

    ipv4: str = ""
    ipv6: str = ""
    mtu: int = 0
    enabled: bool = True
    classes: tuple[int, ...] = ()
    sends: tuple[tuple[int, int], ...] = ()
    obeys: tuple[tuple[int, int], ...] = ()
    advertises: bool = False


class Session(NamedTuple):
    """A BGP session of the default VRF, as one end has it.

    peer      address of the far end; over an unnumbered link the own port
    source    address that it speaks from; empty: that of the port which the peer is on
    families  active address families: ipv4, ipv6, evpn
    multihop  most hops to the peer, 1 for a direct one
    extended  extended communities are sent, route targets among them (RFC 4360)
    kept      EVPN routes that are handed on keep their next hop, the VTEP
    ipv6_hops  IPv4 prefixes may have IPv6 next hops (RFC 8950)
    """

    peer: str
    remote_as: int
    families: frozenset[str]
    keepalive: int
    hold: int
    bfd: bool
    multihop: int = 1
    source: str = ""
    extended: bool = True
    kept: bool = True
    ipv6_hops: bool = False


class Targets(NamedTuple):
    """Route targets of a VNI, as <number>:<number>. Imports are those of routes that end up in it, leaks among them."""

    imports: frozenset[str]
    exports: frozenset[str]


class Gateway(NamedTuple):
    """The gateway of a VLAN that every leaf has: its MAC address, and its addresses with their lengths."""

    mac: str
    addresses: frozenset[str]


class Segment(NamedTuple):
    """The Ethernet segment of a server's bond: identifier, ES-Import target (RFC 7432, 7.6) and LACP's system id."""

    esi: str
    target: str
    system_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One switch.

    bridged, routed  VNI → route targets
    gateways         VNI of a VLAN → its gateway
    segments         of the bonds that another leaf has, too
    vtep             the address that its tunnels start at
    """

    asn: int
    ports: Mapping[str, Port]
    loopbacks: frozenset[str]
    sessions: Mapping[str, Session]
    vtep: str = ""
    bridged: Mapping[int, Targets] = field(default_factory=dict)
    routed: Mapping[int, Targets] = field(default_factory=dict)
    gateways: Mapping[int, Gateway] = field(default_factory=dict)
    segments: frozenset[Segment] = frozenset()


@cache
def parsed(text: str) -> ipaddress.IPv4Interface | ipaddress.IPv6Interface:
    """An address, with its length where it has one. Raises ValueError where it is none."""
    return ipaddress.ip_interface(text)


@cache
def address(text: str) -> str:
    """An address without a length, in its one spelling."""
    return str(parsed(text).ip)


def gateway(mac: str, addresses: Iterable[str]) -> Gateway:
    """A gateway in its one spelling."""
    return Gateway(octets(mac), frozenset(str(parsed(one)) for one in addresses))


def segment(esi: str, system_id: str, target: str = "") -> Segment:
    """A segment in its one spelling; a target that is not told is made of the six octets behind the first."""
    found = octets(esi)
    return Segment(found, octets(target) if target else found[3:20], octets(system_id))


def octets(text: str) -> str:
    """Octets as aa:bb:cc, however they are grouped: MAC addresses and ESIs are written with colons, dots or dashes."""
    digits = "".join(sign for sign in text.lower() if sign in "0123456789abcdef")
    return ":".join(digits[at : at + 2] for at in range(0, len(digits), 2))


def first(addresses: Iterable[str], version: int) -> str:
    """The first address of a version that is no link-local one; empty where there is none."""
    found = (parsed(text) for text in addresses)
    return next((str(one) for one in found if one.version == version and not one.is_link_local), "")


def numbers(text: str) -> tuple[int, ...]:
    """Numbers of a list as 1,3-5."""
    found: list[int] = []
    for part in text.split(","):
        low, _, high = part.partition("-")
        found += range(int(low), int(high or low) + 1)
    return tuple(found)
