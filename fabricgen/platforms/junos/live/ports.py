"""Ports of Junos: interfaces with their units, bundles, VLANs, LLDP neighbors.

Unit 0 of a port is the port itself in the plan; another unit with an address is a subinterface. An MTU of a port counts
14 octets of Ethernet, that of a family is the IP packet's (M:media-mtu). Units that Junos makes for itself have neither
an address nor a VLAN, and lo0's own are of instances that begin with two underscores.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

from fabricgen.platforms.base.live.values import NotUnderstoodError
from fabricgen.platforms.junos.live.bgp import vrf_of
from fabricgen.platforms.junos.live.xml import (
    digits,
    has,
    is_link_local,
    parsed,
    port_of,
    text,
    texts,
    whole,
    with_length,
)
from fabricgen.state.state import (
    ETHERNET,
    LAG,
    LOOPBACK,
    OTHER,
    SUBINTERFACE,
    SVI,
    Adjacency,
    Interface,
)

HEADER = 14
"""Octets of Ethernet in a port's MTU."""
DISTRIBUTES = "Collecting distributing"
"""Mux state of a member that carries frames (IEEE 802.1AX)."""
FAMILIES = ("inet", "inet6")
_MANAGEMENT = re.compile(r"re\d+:mgmt-\d+|fxp\d+|em0|me0|vme", re.ASCII)
"""Names of management ports. Others that are no port of the panel talk inside the box, with addresses of its own."""
DOWN_FLAGS = ("iff-down", "iff-hardware-down", "iff-device-down")
Vlans = Mapping[str, tuple[tuple[int, int], ...]]
"""Port → (tag, VLAN), sorted."""


class Beside(NamedTuple):
    """What other commands say of interfaces. None: they could not be read.

    vrfs     unit → VRF of the plan; those of the default one are not among them
    members  aggregate → ports that carry frames
    vlans    port → its VLANs; none of one that is routed
    """

    vrfs: Mapping[str, str]
    members: Mapping[str, tuple[str, ...]] | None
    vlans: Vlans | None


def interfaces(shown: object, beside: Beside) -> tuple[Interface, ...]:
    """Every port, aggregate and unit with a meaning of its own."""
    ports = [port for found in parsed(shown, "interface-information") for port in found.findall("physical-interface")]
    return tuple(sorted(one for port in ports for one in _interfaces(port, beside)))


def _interfaces(port: Element, beside: Beside) -> Iterator[Interface]:
    """A port and its units; nothing of what Junos has for itself."""
    name, kind = text(port, "name"), _kind(text(port, "name"))
    if kind == OTHER and not _MANAGEMENT.fullmatch(name):
        return
    units = {text(unit, "name"): unit for unit in port.findall("logical-interface")}
    if kind in (ETHERNET, LAG, OTHER):
        yield _port(port, kind, units, beside)
        units.pop(f"{name}.0", None)
    for unit_name, unit in units.items():
        if kind in (SVI, LOOPBACK) or any(_addresses(unit)):
            yield _unit(port, kind if kind in (SVI, LOOPBACK) else SUBINTERFACE, unit_name, unit, beside)


def _kind(name: str) -> str:
    if name.startswith(("et-", "xe-", "ge-")):
        return ETHERNET
    if re.fullmatch(r"ae\d+", name, re.ASCII):
        return LAG
    return {"irb": SVI, "lo0": LOOPBACK}.get(name, OTHER)


def _port(port: Element, kind: str, units: Mapping[str, Element], beside: Beside) -> Interface:
    """A port and its unit 0. The MTU of a family is told where there is one, and it is the smaller of two.

    Of a port whose units have tags it is theirs: its own counts the tags, too.
    """
    name = text(port, "name")
    unit = units.get(f"{name}.0")
    packets = _packets(unit) if unit is not None else max(map(_packets, units.values()), default=0)
    frames = digits(text(port, "mtu", "")) - HEADER
    addresses = tuple(sorted(_addresses(unit))) if unit is not None else ()
    return Interface(
        name=name,
        kind=kind,
        admin_up=text(port, "admin-status") == "up",
        oper_up=text(port, "oper-status") == "up" and (unit is None or _is_up(unit)),
        mtu=packets or max(frames, 0),
        addresses=addresses,
        vrf=beside.vrfs.get(f"{name}.0", ""),
        members=beside.members.get(name, ()) if kind == LAG and beside.members is not None else None,
        vlans=beside.vlans.get(name, ()) if beside.vlans is not None and kind in (ETHERNET, LAG) else None,
    )


def _unit(port: Element, kind: str, name: str, unit: Element, beside: Beside) -> Interface:
    """A unit that the plan knows by itself. Loopbacks say neither up nor down, and are what lo0 is."""
    is_up = text(port, "oper-status") == "up" and (kind == LOOPBACK or _is_up(unit))
    return Interface(
        name=name,
        kind=kind,
        admin_up=text(port, "admin-status") == "up" and not has(unit, "if-config-flags/iff-down"),
        oper_up=is_up,
        mtu=_packets(unit),
        addresses=tuple(sorted(_addresses(unit))),
        vrf=beside.vrfs.get(name, ""),
        vlan_id=whole(name.rpartition(".")[2], "unit") if kind != LOOPBACK else 0,
    )


def _is_up(unit: Element) -> bool:
    flags = unit.find("if-config-flags")
    if flags is None:
        raise NotUnderstoodError(f"no flags of {text(unit, 'name')}")
    return has(flags, "iff-up") and not any(has(flags, flag) for flag in DOWN_FLAGS)


def _routed(unit: Element) -> Iterator[Element]:
    return (row for row in unit.findall("address-family") if text(row, "address-family-name", "") in FAMILIES)


def _packets(unit: Element) -> int:
    """Octets of the largest packet of all families; 0 for a unit without any, or one that has no limit."""
    found = [digits(text(row, "mtu", "")) for row in _routed(unit)]
    return min((mtu for mtu in found if mtu), default=0)


def _addresses(unit: Element) -> Iterator[str]:
    for row in _routed(unit):
        for entry in row.findall("interface-address"):
            local = text(entry, "ifa-local", "")
            if local and not is_link_local(local):
                yield with_length(local, text(entry, "ifa-destination", ""))


def instances(shown: object, names: Mapping[str, str]) -> Mapping[str, str]:
    """Unit → VRF, by `show route instance detail`. A MAC-VRF names units too, but routes none of them."""
    found: dict[str, str] = {}
    for core in (row for each in parsed(shown, "instance-information") for row in each.iter("instance-core")):
        name = text(core, "instance-name")
        if text(core, "instance-type", "") in ("vrf", "virtual-router", "forwarding"):
            vrf = vrf_of(name, names)
            found |= {unit: vrf for unit in texts(core, "instance-interface/interface-name") if vrf}
    return found


def members(shown: object) -> Mapping[str, tuple[str, ...]]:
    """Aggregate → ports that carry frames of it, by `show lacp interfaces`."""
    found: dict[str, tuple[str, ...]] = {}
    for row in (one for each in parsed(shown, "lacp-interface-information-list") for one in each):
        name = text(row, "lag-lacp-header/aggregate-name")
        ports = row.findall("lag-lacp-protocol")
        found[name] = tuple(
            sorted(text(one, "name") for one in ports if text(one, "lacp-mux-state", "") == DISTRIBUTES)
        )
    return found


def vlans(shown: object) -> Vlans:
    """Port → its VLANs, by `show vlans`. A unit 0 takes frames without a tag, another those with the VLAN's own."""
    found: dict[str, set[tuple[int, int]]] = {}
    for row in parsed(shown, "l2ng-l2ald-vlan-instance-group"):
        vlan = digits(text(row, "l2ng-l2rtb-vlan-tag", ""))
        for unit in texts(row, "l2ng-l2rtb-vlan-member/l2ng-l2rtb-vlan-member-interface"):
            port, _, at = unit.rstrip("*").partition(".")
            if vlan and _kind(port) in (ETHERNET, LAG):
                found.setdefault(port, set()).add((0 if at in ("", "0") else whole(at, "unit"), vlan))
    return {port: tuple(sorted(pairs)) for port, pairs in found.items()}


def adjacencies(shown: object) -> tuple[Adjacency, ...]:
    """Neighbors of `show lldp neighbors`; older releases call the own port an interface, with its unit."""
    rows = [
        row for each in parsed(shown, "lldp-neighbors-information") for row in each.iter("lldp-neighbor-information")
    ]
    return tuple(
        Adjacency(
            port_of(text(row, "lldp-local-port-id", "") or text(row, "lldp-local-interface")),
            text(row, "lldp-remote-system-name", ""),
            text(row, "lldp-remote-port-id", ""),
        )
        for row in rows
    )
