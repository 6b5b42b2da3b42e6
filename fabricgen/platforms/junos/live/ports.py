"""Ports of Junos: interfaces with their units, aggregates, VLANs, LLDP neighbors.

Unit 0 of a port is the port itself in the plan; any other unit with an address is a subinterface. The MTU of a port
includes 14 octets of Ethernet, the MTU of a family is that of the IP packet (M:media-mtu). Units that Junos creates for
itself have neither an address nor a VLAN, and its own units of lo0 belong to instances that begin with two underscores.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

from fabricgen.platforms.base.live.values import NotUnderstoodError, whole
from fabricgen.platforms.junos.live.bgp import vrf_of
from fabricgen.platforms.junos.live.xml import (
    digits,
    has,
    interface_address,
    is_link_local,
    parsed,
    port_of,
    text,
    texts,
)
from fabricgen.state.state import ETHERNET, LAG, LOOPBACK, OTHER, SUBINTERFACE, SVI, Adjacency, Interface

HEADER = 14
"""Octets of Ethernet in a port's MTU."""
DISTRIBUTES = "Collecting distributing"
"""Mux state of a member that carries frames (IEEE 802.1AX)."""
FAMILIES = ("inet", "inet6")
_MANAGEMENT = re.compile(r"re\d+:mgmt-\d+|fxp\d+|em0|me0|vme", re.ASCII)
"""Names of management ports. Other ports that are not on the panel are internal, with internal addresses."""
DOWN_FLAGS = ("iff-down", "iff-hardware-down", "iff-device-down")
Vlans = Mapping[str, tuple[tuple[int, int], ...]]
"""Port → (tag, VLAN), sorted."""


class OtherOutputs(NamedTuple):
    """What other commands report of interfaces. None: could not be read.

    vrfs     unit → VRF of the plan; without units of the default one
    members  aggregate → ports that carry frames
    vlans    port → its VLANs; () for a routed port
    """

    vrfs: Mapping[str, str]
    members: Mapping[str, tuple[str, ...]] | None
    vlans: Vlans | None


def interfaces(shown: object, other_outputs: OtherOutputs) -> tuple[Interface, ...]:
    """Return every port, aggregate and unit that the plan may have."""
    ports = [port for root in parsed(shown, "interface-information") for port in root.findall("physical-interface")]
    return tuple(sorted(interface for port in ports for interface in _interfaces(port, other_outputs)))


def _interfaces(port: Element, other_outputs: OtherOutputs) -> Iterator[Interface]:
    """Yield a port and its units, but nothing that Junos creates for itself."""
    name, kind = text(port, "name"), _kind(text(port, "name"))
    if kind == OTHER and not _MANAGEMENT.fullmatch(name):
        return
    units = {text(unit, "name"): unit for unit in port.findall("logical-interface")}
    if kind in (ETHERNET, LAG, OTHER):
        yield _port(port, kind, units, other_outputs)
        units.pop(f"{name}.0", None)
    for unit_name, unit in units.items():
        if kind in (SVI, LOOPBACK) or any(_addresses(unit)):
            yield _unit(port, kind if kind in (SVI, LOOPBACK) else SUBINTERFACE, unit_name, unit, other_outputs)


def _kind(name: str) -> str:
    if name.startswith(("et-", "xe-", "ge-")):
        return ETHERNET
    if re.fullmatch(r"ae\d+", name, re.ASCII):
        return LAG
    return {"irb": SVI, "lo0": LOOPBACK}.get(name, OTHER)


def _port(port: Element, kind: str, units: Mapping[str, Element], other_outputs: OtherOutputs) -> Interface:
    """Return a port with its unit 0. If a family has an MTU, it is the port's: the smaller of two.

    The MTU of a port with tagged units is that of its units: its own includes the tags.
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
        vrf=other_outputs.vrfs.get(f"{name}.0", ""),
        members=other_outputs.members.get(name, ()) if kind == LAG and other_outputs.members is not None else None,
        vlans=other_outputs.vlans.get(name, ())
        if other_outputs.vlans is not None and kind in (ETHERNET, LAG)
        else None,
    )


def _unit(port: Element, kind: str, name: str, unit: Element, other_outputs: OtherOutputs) -> Interface:
    """Return a unit that is an interface of its own in the plan. A loopback unit has no state: lo0's counts."""
    is_up = text(port, "oper-status") == "up" and (kind == LOOPBACK or _is_up(unit))
    return Interface(
        name=name,
        kind=kind,
        admin_up=text(port, "admin-status") == "up" and not has(unit, "if-config-flags/iff-down"),
        oper_up=is_up,
        mtu=_packets(unit),
        addresses=tuple(sorted(_addresses(unit))),
        vrf=other_outputs.vrfs.get(name, ""),
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
    """Return the octets of the largest packet of all families; 0 without families or without a limit."""
    mtus = [digits(text(row, "mtu", "")) for row in _routed(unit)]
    return min((mtu for mtu in mtus if mtu), default=0)


def _addresses(unit: Element) -> Iterator[str]:
    for row in _routed(unit):
        for entry in row.findall("interface-address"):
            local = text(entry, "ifa-local", "")
            if local and not is_link_local(local):
                yield interface_address(local, text(entry, "ifa-destination", ""))


def instances(shown: object, names: Mapping[str, str]) -> Mapping[str, str]:
    """Return unit → VRF, from `show route instance detail`. A MAC-VRF lists units too, but does not route them."""
    vrfs_by_unit: dict[str, str] = {}
    for core in (row for root in parsed(shown, "instance-information") for row in root.iter("instance-core")):
        name = text(core, "instance-name")
        if text(core, "instance-type", "") in ("vrf", "virtual-router", "forwarding"):
            vrf = vrf_of(name, names)
            vrfs_by_unit |= {unit: vrf for unit in texts(core, "instance-interface/interface-name") if vrf}
    return vrfs_by_unit


def members(shown: object) -> Mapping[str, tuple[str, ...]]:
    """Return aggregate → its ports that carry frames, from `show lacp interfaces`."""
    members_by_lag: dict[str, tuple[str, ...]] = {}
    for row in (element for information in parsed(shown, "lacp-interface-information-list") for element in information):
        name = text(row, "lag-lacp-header/aggregate-name")
        ports = row.findall("lag-lacp-protocol")
        members_by_lag[name] = tuple(
            sorted(text(element, "name") for element in ports if text(element, "lacp-mux-state", "") == DISTRIBUTES)
        )
    return members_by_lag


def vlans(shown: object) -> Vlans:
    """Return port → its VLANs, from `show vlans`.

    Unit 0 takes untagged frames, other units those with the VLAN's tag.
    """
    vlans_by_port: dict[str, set[tuple[int, int]]] = {}
    for row in parsed(shown, "l2ng-l2ald-vlan-instance-group"):
        vlan = digits(text(row, "l2ng-l2rtb-vlan-tag", ""))
        for unit in texts(row, "l2ng-l2rtb-vlan-member/l2ng-l2rtb-vlan-member-interface"):
            port, _, unit_number = unit.rstrip("*").partition(".")
            if vlan and _kind(port) in (ETHERNET, LAG):
                vlans_by_port.setdefault(port, set()).add(
                    (0 if unit_number in ("", "0") else whole(unit_number, "unit"), vlan)
                )
    return {port: tuple(sorted(pairs)) for port, pairs in vlans_by_port.items()}


def adjacencies(shown: object) -> tuple[Adjacency, ...]:
    """Return the neighbors of `show lldp neighbors`; older releases print the local interface, with its unit."""
    rows = [
        row for root in parsed(shown, "lldp-neighbors-information") for row in root.iter("lldp-neighbor-information")
    ]
    return tuple(
        Adjacency(
            port_of(text(row, "lldp-local-port-id", "") or text(row, "lldp-local-interface")),
            text(row, "lldp-remote-system-name", ""),
            text(row, "lldp-remote-port-id", ""),
        )
        for row in rows
    )
