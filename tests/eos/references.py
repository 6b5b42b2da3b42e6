"""Configuration text → names that are used and not defined, and names that are defined and not used."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from tests.eos.oracle import paths


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


BGP = r"router bgp \d+ > "

KINDS = (
    Kind(
        "route-map",
        (r"route-map (?P<name>\S+) (permit|deny) \d+",),
        (r".*neighbor \S+ route-map (?P<name>\S+) (in|out)", r".*route-target import evpn route-map (?P<name>\S+)"),
    ),
    Kind(
        "ip prefix-list",
        (r"ip prefix-list (?P<name>\S+)",),
        (r"route-map .* > match ip address prefix-list (?P<name>\S+)",),
    ),
    Kind(
        "ipv6 prefix-list",
        (r"ipv6 prefix-list (?P<name>\S+)",),
        (r"route-map .* > match ipv6 address prefix-list (?P<name>\S+)",),
    ),
    Kind(
        "community-list",
        (r"ip community-list (?P<name>\S+) permit .*",),
        (r"route-map .* > match community (?P<name>\S+)",),
    ),
    Kind(
        "extcommunity-list",
        (r"ip extcommunity-list (?P<name>\S+) permit .*",),
        (r"route-map .* > match extcommunity (?P<name>\S+)",),
    ),
    Kind(
        "peer group",
        (BGP + r"neighbor (?P<name>\S+) peer group",),
        (
            BGP + r"neighbor \S+ peer group (?P<name>\S+)",
            BGP + r"neighbor interface \S+ peer-group (?P<name>\S+) remote-as \d+",
        ),
    ),
    Kind(
        "activated",
        (BGP + r"neighbor (?P<name>\S+) peer group", BGP + r".*neighbor (?P<name>\S+) remote-as \d+"),
        (BGP + r".*address-family \S+ > neighbor (?P<name>\S+) activate",),
        may_rest=True,
    ),
    Kind("qos profile", (r"qos profile (?P<name>\S+)",), (r"interface .* > service-profile (?P<name>\S+)",)),
    Kind(
        "mmu profile",
        (r"platform trident mmu queue profile (?P<name>\S+)",),
        (r"platform trident mmu queue profile (?P<name>\S+) apply",),
    ),
    Kind(
        "vrf",
        (r"vrf instance (?P<name>\S+)",),
        (
            r".* > vrf (?P<name>\S+)",
            r".* > vxlan vrf (?P<name>\S+) vni \d+",
            r"(no )?ip(v6)? (routing|route|unicast-routing) vrf (?P<name>\S+).*",
            r"(ip|logging|ntp|sflow|lldp|snmp-server|tacacs-server) .*vrf (?!default)(?P<name>\S+).*",
        ),
    ),
    Kind(
        "vlan",
        (r"vlan (?P<name>\d+)",),
        (
            r"interface .* > switchport access vlan (?P<name>\d+)",
            r"interface .* > switchport trunk allowed vlan (?P<name>[\d,]+)",
            r"interface Vlan(?P<name>\d+)",
            r"interface Vxlan1 > vxlan vlan (?P<name>\d+) vni \d+",
            BGP + r"vlan (?P<name>\d+)",
        ),
    ),
    Kind(
        "ssl profile",
        (r"management security > ssl profile (?P<name>\S+)",),
        (r"management api .*ssl profile (?P<name>\S+)",),
    ),
    Kind(
        "tacacs group",
        (r"aaa group server tacacs\+ (?P<name>\S+)",),
        (r"aaa a.* group (?P<name>\S+).*",),
    ),
    Kind(
        "tacacs server",
        (r"tacacs-server host (?P<name>\S+) .*",),
        (r"aaa group server .* > server (?P<name>\S+) vrf .*",),
    ),
    Kind(
        "link tracking",
        (r"link tracking group (?P<name>\S+)",),
        (r"interface .* > link tracking group (?P<name>\S+) (upstream|downstream)",),
    ),
    Kind(
        "port-channel",
        (r"interface Port-Channel(?P<name>\d+)",),
        (r"interface .* > channel-group (?P<name>\d+) mode active",),
    ),
    Kind(
        "loopback",
        (r"interface (?P<name>Loopback\d+)",),
        (r".* > .*(update-source|source-interface|local-interface) (?P<name>Loopback\d+)",),
        may_rest=True,
    ),
    Kind(
        "parent port",
        (r"interface (?P<name>Ethernet[\d/]+)",),
        (r"interface (?P<name>Ethernet[\d/]+)\.\d+",),
        may_rest=True,
    ),
    Kind("snmp view", (r"snmp-server view (?P<name>\S+) .*",), (r"snmp-server group .* read (?P<name>\S+)",)),
    Kind("snmp group", (r"snmp-server group (?P<name>\S+) .*",), (r"snmp-server user \S+ (?P<name>\S+) v3 .*",)),
    Kind(
        "snmp user",
        (r"snmp-server user (?P<name>\S+) .*",),
        (r"snmp-server host .* priv (?P<name>\S+)",),
        may_rest=True,
    ),
    Kind(
        "activation",
        (BGP + r".*address-family \S+ > neighbor (?P<name>\S+) activate",),
        (BGP + r"neighbor (?P<name>\S+) peer group", BGP + r"vrf \S+ > neighbor (?P<name>\S+) remote-as \d+"),
    ),
)


READY = re.compile(
    r"RM-(LEAVES|SPINES|SUPERSPINES)-(IPV[46]-DRAINED|UNNUMBERED(-DRAINED)?)-(IN|OUT)|RM-SPINES-EVPN-DRAINED-OUT"
)
"""Maps that stand before a link is drained, and of unnumbered links also those that it takes again, as each link's
peer group names its own: see the docstring of fabricgen/resolve/policy.py."""


def loose(text: str) -> list[Loose]:
    """Every name that hangs, by kind."""
    lines = [" > ".join(path) for path in paths(text)]
    found = []
    for kind in KINDS:
        defined, used = set(_names(lines, kind.defined)), set(_names(lines, kind.used))
        found += [Loose("undefined", kind.name, name) for name in sorted(used - defined)]
        resting = set() if not kind.may_rest else defined
        resting |= {name for name in defined if READY.fullmatch(name)}
        found += [Loose("unused", kind.name, name) for name in sorted(defined - used - resting)]
    return found


def _names(lines: Iterable[str], patterns: tuple[str, ...]) -> Iterable[str]:
    for pattern in patterns:
        compiled = re.compile(pattern)
        for line in lines:
            match = compiled.fullmatch(line)
            if match:
                yield from match["name"].split(",")
