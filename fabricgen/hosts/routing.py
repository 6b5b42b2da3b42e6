"""Routing of a server whose NICs have one address behind two leaves: FRR's terms, for the template that prints them.

The server announces the address of a NIC over both of its ports, and learns the addresses of other servers' NICs of
that rail over them. It passes no route on. A route's tag is the number of the NIC that it came by, which gives its
packets the address of this NIC.
Source: FRR user manual, BGP (unnumbered), Zebra (`set src`, `ip protocol`); RFC 8950.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from fabricgen.base.addresses import ipv4
from fabricgen.hosts.model import PairedNic, PairPort
from fabricgen.plan.leaf_pairs import LAST_ASN


class NicRouting(NamedTuple):
    """The sessions of one NIC, and its policy. word: ip or ipv6, as FRR writes lists of the family."""

    nic: PairedNic
    word: str
    stem: str
    ports: tuple[PairPort, ...]


class FamilyRouting(NamedTuple):
    """NICs with addresses of one family: ipv4 or ipv6, and FRR's word for it."""

    name: str
    word: str
    nics: tuple[NicRouting, ...]


class HostRouting(NamedTuple):
    """BGP of a server. paths: most ports of a NIC."""

    name: str
    site: str
    asn: int
    router_id: str
    nics: tuple[NicRouting, ...]
    families: tuple[FamilyRouting, ...]
    paths: int


def host_routing(name: str, site: str, pairs: Iterable[PairedNic]) -> HostRouting | None:
    """The routing of a server; None without a NIC that has two leaves."""
    nics = tuple(_nic(pair) for pair in pairs if pair.ports)
    if not nics:
        return None
    families = (
        FamilyRouting(family, word, tuple(nic for nic in nics if nic.word == word))
        for family, word in (("ipv4", "ip"), ("ipv6", "ipv6"))
    )
    first = nics[0].nic
    return HostRouting(
        name=name,
        site=site,
        asn=first.asn,
        router_id=first.host if nics[0].word == "ip" else server_router_id(first.asn),
        nics=nics,
        families=tuple(family for family in families if family.nics),
        paths=max(len(nic.ports) for nic in nics),
    )


def server_router_id(asn: int) -> str:
    """Router id of a server without IPv4: counted from the last AS number of servers, as its own AS number is.

    The AS number itself would be no address of a host, as RFC 4271 section 6.2 wants it. No switch has an id that low:
    0.0.0.0/8 is in no fabric's prefix. Numbers like 0.0.0.1 are valid (RFC 6286), and FRR takes them.
    """
    return ipv4(1 + LAST_ASN - asn)


def _nic(pair: PairedNic) -> NicRouting:
    return NicRouting(pair, "ipv6" if ":" in pair.address else "ip", pair.name.upper(), pair.ports)


def at_ports(pairs: Iterable[PairedNic], names: Mapping[tuple[str, str], str]) -> tuple[PairedNic, ...]:
    """The NICs with the ports that are in `names` alone: switch and its port → name of the interface."""
    kept = (
        pair._replace(
            ports=tuple(
                port._replace(interface=names[port.switch, port.port])
                for port in pair.ports
                if (port.switch, port.port) in names
            )
        )
        for pair in pairs
    )
    return tuple(pair for pair in kept if pair.ports)
