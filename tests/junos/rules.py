"""Statements → values that no model of Juniper's checks: addresses, numbers, MTUs, shares, places of loopback units."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from ipaddress import ip_address, ip_interface, ip_network

from tests.junos.reading import Path, rows, values

PHYSICAL_MTU = 9216
"""Of every port of Juniper's validated designs (Juniper/jvd at 005ab34)."""
HEADER = 14
ASN = range(1, 4294967295)
VLANS = range(1, 4095)
LOCAL = range(65536)


def faults(found: Iterable[Path]) -> list[str]:
    """What is wrong with the values of a configuration, in words."""
    lines = list(found)
    return [fault for rule in RULES for fault in rule(lines)]


def _bad(kind: str, found: Iterable[str], right: Callable[[str], object]) -> Iterator[str]:
    for value in found:
        try:
            good = right(value)
        except ValueError:
            good = False
        if good is False:
            yield f"{kind} {value}"


def addresses(lines: list[Path]) -> Iterator[str]:
    owned = values(lines, "interfaces * unit * family * address ?", "interfaces * unit * family * address ? primary")
    yield from _bad("interface address", owned, lambda value: ip_interface(value) is not None and "/" in value)
    told = values(
        lines,
        "protocols bgp group * neighbor ? ...",
        "protocols bgp group * local-address ?",
        "routing-instances * protocols bgp group * neighbor ? ...",
        "routing-options router-id ?",
        "system name-server ? ...",
        "system tacplus-server ? ...",
        "system syslog host ? ...",
        "system ntp server ? ...",
        "protocols sflow collector ? ...",
    )
    yield from _bad("address", told, lambda value: ip_address(value) is not None)
    lists = values(lines, "policy-options route-filter-list * ? ...", "routing-options static route ? discard")
    yield from _bad("prefix", lists, lambda value: ip_network(value) is not None and "/" in value)


def families(lines: list[Path]) -> Iterator[str]:
    """An address is of the family that it stands in, and a session has the family of its address where it has one."""
    for family, address in rows(lines, "interfaces * unit * family ? address ?"):
        if (":" in address) != (family == "inet6"):
            yield f"{address} in family {family}"


def filters(lines: list[Path]) -> Iterator[str]:
    for prefix, longest in rows(lines, "policy-options route-filter-list * ? upto ?"):
        network = ip_network(prefix, strict=False)
        if not network.prefixlen < int(longest[1:]) <= network.max_prefixlen:
            yield f"{prefix} upto {longest}"


def numbers(lines: list[Path]) -> Iterator[str]:
    asns = values(
        lines,
        "routing-options autonomous-system ?",
        "protocols bgp group * peer-as ?",
        "protocols bgp group * neighbor * peer-as ?",
        "routing-instances * protocols bgp group * neighbor * peer-as ?",
    )
    yield from _bad("AS", asns, lambda value: int(value) in ASN)
    vlans = values(lines, "interfaces * unit * vlan-id ?", "routing-instances * vlans * vlan-id ?")
    yield from _bad("VLAN", vlans, lambda value: int(value) in VLANS)
    queues = values(
        lines,
        "class-of-service forwarding-classes class * queue-num ? ...",
        "class-of-service congestion-notification-profile * output ieee-802.1 code-point * flow-control-queue ?",
    )
    yield from _bad("queue", queues, lambda value: int(value) in range(8))


def marks(lines: list[Path]) -> Iterator[str]:
    bits = [
        *(bit for found in rows(lines, "class-of-service classifiers dscp * forwarding-class * * * code-points ?")
          for bit in found[0].split()),
        *values(lines, "class-of-service congestion-notification-profile * input dscp code-point ? ..."),
    ]  # fmt: skip
    yield from _bad("code point", bits, lambda value: bool(re.fullmatch("[01]{6}", value)))
    priorities = values(lines, "class-of-service congestion-notification-profile * output ieee-802.1 code-point ? ...")
    yield from _bad("priority", priorities, lambda value: bool(re.fullmatch("[01]{3}", value)))


def targets(lines: list[Path]) -> Iterator[str]:
    told = values(lines, "routing-instances * vrf-target ?", "routing-instances * vrf-target export ?") + [
        value for value in values(lines, "policy-options community * members ?") if value.startswith("target:")
    ]
    yield from _bad("route target", told, _is_target)
    plain = [
        value for value in values(lines, "policy-options community * members ?") if not value.startswith("target:")
    ]
    yield from _bad("community", plain, lambda value: all(int(part) in LOCAL for part in value.split(":", 1)))
    owned = values(lines, "routing-instances * route-distinguisher ?")
    yield from _bad("route distinguisher", owned, _is_distinguisher)
    for value, count in Counter(owned).items():
        if count > 1:
            yield f"route distinguisher {value} of {count} instances"


def _is_target(value: str) -> bool:
    word, admin, number = value.split(":")
    return word == "target" and int(admin) in LOCAL and int(number) in range(2**32)


def _is_distinguisher(value: str) -> bool:
    """RFC 4364, type 1: an IPv4 address, and two octets."""
    address, _, number = value.rpartition(":")
    return ip_address(address).version == 4 and int(number) in LOCAL


def mtus(lines: list[Path]) -> Iterator[str]:
    """A frame holds its packet: Junos counts the header, and eight octets of tags where ports are flexible."""
    physical = {name: int(mtu) for name, mtu in rows(lines, "interfaces ? mtu ?")}
    tagged = set(values(lines, "interfaces ? flexible-vlan-tagging"))
    for name, frame in physical.items():
        if frame > PHYSICAL_MTU:
            yield f"MTU {frame} of {name}"
    for name, unit, family, mtu in rows(lines, "interfaces ? unit ? family ? mtu ?"):
        if int(mtu) + HEADER + (8 if name in tagged else 0) > physical.get(name, 0):
            yield f"MTU {mtu} of {name}.{unit} {family} in {physical.get(name, 0)}"


def loopbacks(lines: list[Path]) -> Iterator[str]:
    """One unit of lo0 an instance; the default one has unit 0; what VXLAN speaks from is primary."""
    for name in {found[0] for found in rows(lines, "routing-instances ? instance-type vrf")}:
        own = [value for value in values(lines, f"routing-instances {name} interface ?") if value.startswith("lo0.")]
        if len(own) != 1 or own == ["lo0.0"]:
            yield f"instance {name} has {' '.join(own) or 'no'} unit of lo0"
    if rows(lines, "routing-instances * protocols evpn ..."):
        primary = values(lines, "interfaces lo0 unit 0 family inet address ? primary")
        if len(primary) != 1:
            yield f"{len(primary)} primary addresses on lo0.0"


def segments(lines: list[Path]) -> Iterator[str]:
    esis = [value for name, value in rows(lines, "interfaces ? esi ?") if value != "all-active"]
    yield from _bad("ESI", esis, lambda value: bool(re.fullmatch("00(:[0-9a-f]{2}){9}", value)))
    for value, count in Counter(esis).items():
        if count > 1:
            yield f"ESI {value} of {count} aggregates"
    for (name,) in rows(lines, "interfaces ? esi all-active"):
        if not values(lines, f"interfaces {name} aggregated-ether-options lacp system-id ?"):
            yield f"{name} has a segment and no system id"


def balancing(lines: list[Path]) -> Iterator[str]:
    if not rows(lines, "routing-options forwarding-table export ECMP"):
        yield "no export policy of the forwarding table: one path of all is used"
    if not rows(lines, "policy-options policy-statement ECMP then load-balance per-packet"):
        yield "the export policy of the forwarding table balances nothing"


def sessions(lines: list[Path]) -> Iterator[str]:
    """Every group says its family, its policies and its hold time; nothing is left to Junos, which accepts all."""
    for (name,) in set(rows(lines, "protocols bgp group ? type external")):
        for word in ("import", "export", "hold-time"):
            if not values(lines, f"protocols bgp group {name} {word} ?"):
                yield f"group {name} has no {word}"
        for family in {found[0] for found in rows(lines, f"protocols bgp group {name} family ? ...")}:
            if not rows(lines, f"protocols bgp group {name} family {family} * prefix-limit maximum ?"):
                yield f"group {name} has no limit in {family}"
    for (name,) in set(rows(lines, "policy-options policy-statement ? ...")) - {("ECMP",)}:
        if not rows(lines, f"policy-options policy-statement {name} then reject"):
            yield f"policy {name} ends without a reject"


def logs(lines: list[Path]) -> Iterator[str]:
    """BGP says when a session goes up or down, in each instance that has sessions: by default it does not."""
    speakers = {line[: line.index("bgp") + 1] for line in lines if "bgp" in line and "group" in line}
    for speaker in sorted(speakers - {line[:-1] for line in lines if line[-1] == "log-updown"}):
        yield f"{' '.join(speaker)} logs no session that goes up or down"


def relays(lines: list[Path]) -> Iterator[str]:
    """A gateway in a group of relays does not flood what it relays; one without a relay leaves the VLAN its DHCP.

    All 22 files of QFX in Juniper's validated designs that name a gateway in such a group have it so
    (Juniper/jvd at 005ab34).
    """
    grouped = set(
        values(lines, "routing-instances * forwarding-options dhcp-relay group * interface ? overrides relay-source *")
    )
    silent = {f"irb.{unit}" for (unit,) in rows(lines, "interfaces irb unit ? no-dhcp-flood")}
    yield from (f"{name} relays and floods" for name in sorted(grouped - silent))
    yield from (f"{name} floods no DHCP and relays none" for name in sorted(silent - grouped))


RULES = (
    addresses,
    families,
    filters,
    numbers,
    marks,
    targets,
    mtus,
    loopbacks,
    segments,
    balancing,
    sessions,
    logs,
    relays,
)
