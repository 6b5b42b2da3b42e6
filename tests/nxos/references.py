"""Configuration text → names that are used and not defined, and names that are defined and not used."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tests.nxos.lines import walk


class Kind(NamedTuple):
    """One kind of name. Patterns read a line with its headings, joined by " > "; `name` is the group to take."""

    name: str
    defined: tuple[str, ...]
    used: tuple[str, ...]
    may_rest: bool = False


class Loose(NamedTuple):
    """A name that hangs: "undefined" or "unused"."""

    fault: str
    kind: str
    name: str


KINDS = (
    Kind(
        "route-map",
        (r"route-map (?P<name>\S+) (permit|deny) \d+",),
        (r"router bgp .* > route-map (?P<name>\S+) (in|out)",),
    ),
    Kind(
        "ip prefix-list",
        (r"ip prefix-list (?P<name>\S+) seq .*",),
        (r"route-map .* > match ip address prefix-list (?P<name>\S+)",),
    ),
    Kind(
        "ipv6 prefix-list",
        (r"ipv6 prefix-list (?P<name>\S+) seq .*",),
        (r"route-map .* > match ipv6 address prefix-list (?P<name>\S+)",),
    ),
    Kind(
        "community-list",
        (r"ip community-list standard (?P<name>\S+) seq .*",),
        (r"route-map .* > match community (?P<name>\S+)",),
    ),
    Kind(
        "vrf",
        (r"vrf context (?P<name>\S+)",),
        (
            r"interface .* > vrf member (?P<name>\S+)",
            r"router bgp \d+ > vrf (?P<name>\S+)",
            r"(?!interface|router|vrf).*(use-)?vrf (?P<name>\S+)",
        ),
        may_rest=True,
    ),
    Kind(
        "vlan",
        (r"vlan (?P<name>\d+)",),
        (
            r"interface .* > switchport access vlan (?P<name>\d+)",
            r"interface .* > switchport trunk allowed vlan (?P<name>[\d,]+)",
            r"interface Vlan(?P<name>\d+)",
        ),
    ),
    Kind(
        "bridged VNI",
        (r"vlan \d+ > vn-segment (?P<name>\d+)",),
        (r"interface nve1 > member vni (?P<name>\d+)", r"evpn > vni (?P<name>\d+) l2"),
    ),
    Kind(
        "bridged VNI in the tunnel", (r"interface nve1 > member vni (?P<name>\d+)",), (r"evpn > vni (?P<name>\d+) l2",)
    ),
    Kind("bridged VNI in EVPN", (r"evpn > vni (?P<name>\d+) l2",), (r"interface nve1 > member vni (?P<name>\d+)",)),
    Kind(
        "routed VNI",
        (r"vrf context \S+ > vni (?P<name>\d+) l3",),
        (r"interface nve1 > member vni (?P<name>\d+) associate-vrf",),
    ),
    Kind(
        "class of marks",
        (r"class-map type qos match-any (?P<name>\S+)",),
        (r"policy-map type qos \S+ > class (?P<name>(?!class-default)\S+)",),
    ),
    Kind(
        "policy of marks",
        (r"policy-map type qos (?P<name>\S+)",),
        (r"interface .* > service-policy type qos input (?P<name>\S+)",),
    ),
    Kind(
        "policy of queues",
        (r"policy-map type queuing (?P<name>\S+)",),
        (r"interface .* > service-policy type queuing output (?P<name>\S+)",),
    ),
    Kind(
        "policy of the box",
        (r"policy-map type network-qos (?P<name>\S+)",),
        (r"system qos > service-policy type network-qos (?P<name>\S+)",),
    ),
    Kind("group of servers", (r"aaa group server tacacs\+ (?P<name>\S+)",), (r"aaa a.* group (?P<name>\S+).*",)),
    Kind(
        "TACACS server",
        (r"tacacs-server host (?P<name>\S+) .*",),
        (r"aaa group server .* > server (?P<name>\S+)",),
    ),
    Kind(
        "SNMP user",
        (r"snmp-server user (?P<name>\S+) \S+ auth .*",),
        (r"snmp-server host .* priv (?P<name>\S+)", r"snmp-server user (?P<name>\S+) use-ipv4acl .*"),
        may_rest=True,
    ),
    Kind(
        "access list",
        (r"ip access-list (?P<name>\S+)",),
        (
            r"line vty > access-class (?P<name>\S+) in",
            r"interface mgmt0 > ip access-group (?P<name>\S+) in",
            r"snmp-server user \S+ use-ipv4acl (?P<name>\S+) .*",
        ),
    ),
    Kind(
        "access list of IPv6",
        (r"ipv6 access-list (?P<name>\S+)",),
        (
            r"line vty > ipv6 access-class (?P<name>\S+) in",
            r"interface mgmt0 > ipv6 traffic-filter (?P<name>\S+) in",
            r"snmp-server user .* use-ipv6acl (?P<name>\S+)",
        ),
    ),
    Kind(
        "loopback",
        (r"interface (?P<name>loopback\d+)",),
        (r".* > (ip dhcp relay |ipv6 dhcp relay |update-|)source(-interface)? (?P<name>loopback\d+)",),
        may_rest=True,
    ),
    Kind(
        "port",
        (r"interface (?P<name>Ethernet[\d/]+)",),
        (r"interface (?P<name>Ethernet[\d/]+)\.\d+", r"sflow data-source interface (?P<name>\S+)"),
        may_rest=True,
    ),
)
READY = re.compile(r"RM-(LEAVES|SPINES|SUPERSPINES)-IPV[46](-DRAINED)?-(IN|OUT)|RM-SPINES-EVPN(-DRAINED)?-OUT")
"""Maps that stand before a link is drained, and those that it takes again: see fabricgen/resolve/policy.py."""


def loose(text: str) -> list[Loose]:
    """Every name that hangs, by kind."""
    lines = [" > ".join((*seen.above, seen.text)) for seen in walk(text)]
    found = []
    for kind in KINDS:
        defined, used = set(_names(lines, kind.defined)), set(_names(lines, kind.used))
        found += [Loose("undefined", kind.name, name) for name in sorted(used - defined)]
        resting = defined if kind.may_rest else {name for name in defined if READY.fullmatch(name)}
        found += [Loose("unused", kind.name, name) for name in sorted(defined - used - resting)]
    return found


def _names(lines: Iterable[str], patterns: tuple[str, ...]) -> Iterator[str]:
    for pattern in patterns:
        compiled = re.compile(pattern)
        for line in lines:
            match = compiled.fullmatch(line)
            if match:
                yield from match["name"].split(",")
