"""Statements → names that are used and not defined, names that are defined and not used, and units in no place."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tests.junos.reading import Path, rows, values


class Kind(NamedTuple):
    """One kind of name: patterns of statements that define it, and that use it. A list holds several."""

    name: str
    defined: tuple[str, ...]
    used: tuple[str, ...]
    may_rest: bool = False


class Loose(NamedTuple):
    """A name that hangs: "undefined" or "unused"."""

    fault: str
    kind: str
    name: str


INSTANCE = "routing-instances *"
COS = "class-of-service"
KINDS = (
    Kind(
        "policy",
        ("policy-options policy-statement ? ...",),
        (
            "protocols bgp group * import ?",
            "protocols bgp group * export ?",
            "protocols bgp group * neighbor * import ?",
            "protocols bgp group * neighbor * export ?",
            "routing-options forwarding-table export ?",
            f"{INSTANCE} protocols bgp group * neighbor * import ?",
            f"{INSTANCE} protocols bgp group * neighbor * export ?",
            f"{INSTANCE} protocols evpn ip-prefix-routes export ?",
            f"{INSTANCE} vrf-import ?",
        ),
    ),
    Kind(
        "route filter list",
        ("policy-options route-filter-list ? ...",),
        ("policy-options policy-statement * term * from route-filter-list ?",),
    ),
    Kind(
        "prefix list",
        ("policy-options prefix-list ? ...",),
        ("firewall family inet filter * term * from source-prefix-list ?",),
    ),
    Kind(
        "community",
        ("policy-options community ? members *",),
        (
            "policy-options policy-statement * term * from community ?",
            "policy-options policy-statement * term * then community add ?",
            "policy-options policy-statement * term * then community set ?",
        ),
        may_rest=True,
    ),
    Kind("classifier", (f"{COS} classifiers dscp ? ...",), (f"{COS} interfaces * unit * classifiers dscp ?",)),
    Kind(
        "notification profile",
        (f"{COS} congestion-notification-profile ? ...",),
        (f"{COS} interfaces * congestion-notification-profile ?",),
    ),
    Kind("scheduler map", (f"{COS} scheduler-maps ? ...",), (f"{COS} interfaces * scheduler-map ?",)),
    Kind("scheduler", (f"{COS} schedulers ? ...",), (f"{COS} scheduler-maps * forwarding-class * scheduler ?",)),
    Kind(
        "forwarding class",
        (f"{COS} forwarding-classes class ? ...",),
        (f"{COS} classifiers dscp * forwarding-class ? ...", f"{COS} scheduler-maps * forwarding-class ? ..."),
    ),
    Kind(
        "drop profile",
        (f"{COS} drop-profiles ? ...",),
        (f"{COS} schedulers * drop-profile-map loss-priority any protocol any drop-profile ?",),
    ),
    Kind(
        "table of management",
        ("routing-instances ? routing-options ...",),
        (
            "system name-server * routing-instance ?",
            "system tacplus-server * routing-instance ?",
            "system syslog host * routing-instance ?",
            "system ntp server * routing-instance ?",
            "system services extension-service request-response grpc routing-instance ?",
            "snmp v3 target-address * routing-instance ?",
            "protocols sflow collector * routing-instance ?",
        ),
        may_rest=True,
    ),
    Kind(
        "isolation group",
        ("protocols network-isolation group ? ...",),
        ("interfaces * network-isolation-profile ?",),
    ),
    Kind(
        "server group",
        (
            f"{INSTANCE} forwarding-options dhcp-relay server-group ? *",
            f"{INSTANCE} forwarding-options dhcp-relay dhcpv6 server-group ? *",
        ),
        (
            f"{INSTANCE} forwarding-options dhcp-relay group * active-server-group ?",
            f"{INSTANCE} forwarding-options dhcp-relay dhcpv6 group * active-server-group ?",
        ),
    ),
    Kind("aggregate", ("interfaces ? aggregated-ether-options ...",), ("interfaces * ether-options 802.3ad ?",)),
    Kind(
        "VLAN of an access port",
        (f"{INSTANCE} vlans ? vlan-id *",),
        ("interfaces * unit * family ethernet-switching vlan members ?",),
        may_rest=True,
    ),
    Kind(
        "SNMP view", ("snmp view ? ...",), ("snmp v3 vacm access group * default-context-prefix * * * * read-view ?",)
    ),
    Kind(
        "SNMP target",
        ("snmp v3 target-parameters ? ...",),
        ("snmp v3 target-address * target-parameters ?",),
    ),
    Kind("SNMP tag", ("snmp v3 notify * tag ?",), ("snmp v3 target-address * tag-list ?",)),
    Kind(
        "SNMP user",
        ("snmp v3 usm local-engine user ? ...",),
        ("snmp v3 vacm security-to-group security-model usm security-name ? ...",),
    ),
    Kind(
        "SNMP group",
        ("snmp v3 vacm access group ? ...",),
        ("snmp v3 vacm security-to-group security-model usm security-name * group ?",),
    ),
)


def loose(found: Iterable[Path]) -> list[Loose]:
    """Every name that hangs, by kind; maps of drained sessions, and those in whose place they are, may rest."""
    lines = list(found)
    hanging: list[Loose] = []
    for kind in KINDS:
        defined, used = set(_names(lines, kind.defined)), set(_names(lines, kind.used))
        hanging += [Loose("undefined", kind.name, name) for name in sorted(used - defined)]
        resting = defined if kind.may_rest else {name for name in defined if _ready(name)}
        resting |= {name.replace("-DRAINED-", "-") for name in used if _ready(name)}
        hanging += [Loose("unused", kind.name, name) for name in sorted(defined - used - resting)]
    return [*hanging, *units(lines)]


def _names(lines: list[Path], patterns: tuple[str, ...]) -> Iterator[str]:
    for value in values(lines, *patterns):
        yield from value.split()


def _ready(name: str) -> bool:
    """Maps that a session takes when it is drained, or again when it is not."""
    return name.startswith("RM-") and ("-DRAINED-" in name or "-UNNUMBERED-" in name)


def declared_units(lines: Iterable[Path]) -> set[str]:
    """Every unit with an interface's name."""
    return {f"{name}.{unit}" for name, unit in {got[:2] for got in rows(lines, "interfaces ? unit ? ...")}}


def units(lines: list[Path]) -> Iterator[Loose]:
    """Units that are used and are none, and those of routed ports of tenants that stand in two instances."""
    declared = declared_units(lines)
    placed = values(lines, f"{INSTANCE} interface ?", f"{INSTANCE} vlans * interface ?")
    used = [
        *placed,
        *values(
            lines,
            f"{INSTANCE} vlans * l3-interface ?",
            f"{INSTANCE} vtep-source-interface ?",
            f"{INSTANCE} forwarding-options dhcp-relay group * interface ? ...",
            f"{INSTANCE} forwarding-options dhcp-relay dhcpv6 group * interface ? ...",
            f"{INSTANCE} forwarding-options dhcp-relay group * interface * overrides relay-source ?",
            f"{INSTANCE} forwarding-options dhcp-relay dhcpv6 group * interface * overrides relay-source ?",
            "protocols router-advertisement interface ? ...",
            "protocols bgp group * dynamic-neighbor * peer-auto-discovery interface ?",
        ),
    ]
    yield from (Loose("undefined", "unit", name) for name in sorted(set(used) - declared))
    yield from (Loose("twice", "unit", name) for name in sorted({name for name in placed if placed.count(name) > 1}))
    ports = set(values(lines, "interfaces ? ..."))
    named = values(lines, f"{COS} interfaces ? ...", "protocols rstp interface ? ...")
    yield from (Loose("undefined", "port", name) for name in sorted(set(named) - ports))
    sampled = [name.removesuffix(".0") for name in values(lines, "protocols sflow interfaces ?")]
    yield from (Loose("undefined", "sampled", name) for name in sorted(set(sampled) - declared - ports))
