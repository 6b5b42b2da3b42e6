"""SR Linux's state of ports: interfaces with their subinterfaces, and LLDP.

Addresses, VRFs and VLANs belong to subinterfaces. Index 0 of a routed port is reported as the port itself, as in the
plan; bridged subinterfaces are reported as the VLANs of their port, by their mac-vrf.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.platforms.base.live.values import NotUnderstoodError, is_link_local, with_length
from fabricgen.platforms.srlinux.live.values import field, flag, number, rows, table, vrf_name, word
from fabricgen.platforms.srlinux.ports import FRAME, TAG
from fabricgen.state.state import ETHERNET, LAG, LOOPBACK, OTHER, SUBINTERFACE, SVI, Adjacency, Interface

MAC_VRF = "mac-vrf"
UP, ENABLED = "up", "enable"
_VLAN = re.compile(r"VLAN-(\d{1,4})", re.ASCII)
"""Name of the mac-vrf of a VLAN (platforms/srlinux/bgp.py, instance)."""
_KINDS = (
    (re.compile(r"(?:ethernet-|mgmt).*", re.ASCII), ETHERNET),
    (re.compile(r"lag\d+", re.ASCII), LAG),
    (re.compile(r"(?:lo|system)\d+", re.ASCII), LOOPBACK),
    (re.compile(r"irb\d+", re.ASCII), SVI),
)


class Homes(NamedTuple):
    """Subinterface → network instance that routes it, and → VLAN of the mac-vrf that bridges it (0: unknown name).

    vxlan  VXLAN interface of a tunnel → name of its network instance
    """

    vrfs: Mapping[str, str]
    vlans: Mapping[str, int]
    vxlan: Mapping[str, str]


def vlan_of(instance: str) -> int:
    """Return the VLAN of a mac-vrf with a rendered name; 0 for any other."""
    match = _VLAN.fullmatch(instance)
    return int(match[1]) if match else 0


def homes(kinds: object, members: object, tunnels: object) -> Homes:
    """Return the members of network instances, from their `type`, `interface` and `vxlan-interface`."""
    mac_vrfs = {word(row, "name") for row in rows(kinds, "network-instance") if word(row, "type", "") == MAC_VRF}
    vrfs: dict[str, str] = {}
    vlans: dict[str, int] = {}
    for instance in rows(members, "network-instance"):
        name = word(instance, "name")
        for row in rows(instance, "interface"):
            if name in mac_vrfs:
                vlans[word(row, "name")] = vlan_of(name)
            else:
                vrfs[word(row, "name")] = vrf_name(name)
    vxlan = {
        word(row, "name"): word(instance, "name")
        for instance in rows(tunnels, "network-instance")
        for row in rows(instance, "vxlan-interface")
    }
    return Homes(vrfs, vlans, vxlan)


def interfaces(shown: object, instances: Homes) -> tuple[Interface, ...]:
    """Return every interface of `/interface[name=*]`."""
    return tuple(interface for row in rows(shown, "interface") for interface in _interfaces(row, instances))


def _interfaces(row: object, instances: Homes) -> Iterator[Interface]:
    name = word(row, "name")
    kind = next((kind for pattern, kind in _KINDS if pattern.fullmatch(name)), OTHER)
    subs = {number(sub, "index"): sub for sub in rows(row, "subinterface")}
    if kind in (LOOPBACK, SVI):
        yield from (_routed(f"{name}.{index}", kind, row, sub, instances) for index, sub in subs.items())
        return
    routed = {index: sub for index, sub in subs.items() if not _is_bridged(sub)}
    yield _port(name, kind, row, routed.pop(0, None), instances)
    yield from (_routed(f"{name}.{index}", SUBINTERFACE, row, sub, instances) for index, sub in routed.items())


def _is_bridged(sub: object) -> bool:
    return word(sub, "type", "routed") == "bridged"


def _routed(name: str, kind: str, row: object, sub: object, instances: Homes) -> Interface:
    """Return a subinterface as an interface. A gateway is known by the VLAN of its mac-vrf."""
    index = number(sub, "index")
    vlan_ids = {SVI: instances.vlans.get(name, 0) or index, SUBINTERFACE: _tag(sub) or index}
    return Interface(
        name=name,
        kind=kind,
        admin_up=_is_enabled(row) and _is_enabled(sub),
        oper_up=word(sub, "oper-state") == UP,
        mtu=number(sub, "ip-mtu", 0) if kind != LOOPBACK else 0,
        addresses=_addresses(sub),
        vrf=instances.vrfs.get(name, ""),
        vlan_id=vlan_ids.get(kind, 0),
    )


def _port(name: str, kind: str, row: object, sub: object, instances: Homes) -> Interface:
    """Return a port or an aggregate, with its untagged routed subinterface."""
    is_up = word(row, "oper-state") == UP
    return Interface(
        name=name,
        kind=kind,
        admin_up=_is_enabled(row) and (sub is None or _is_enabled(sub)),
        oper_up=is_up and (sub is None or word(sub, "oper-state") == UP),
        mtu=_mtu(row, sub),
        addresses=_addresses(sub) if sub is not None else (),
        vrf=instances.vrfs.get(f"{name}.0", "") if sub is not None else "",
        members=_members(row) if kind == LAG else None,
        vlans=_vlans(name, row, instances),
    )


def _is_enabled(row: object) -> bool:
    return word(row, "admin-state", ENABLED) == ENABLED


def _mtu(row: object, routed: object) -> int:
    """Return the octets of an IP packet: `ip-mtu` if it routes, else what the frames of port and bridging leave.

    Frames are counted without FCS (units of `mtu` and `l2-mtu` in the models).
    """
    if routed is not None:
        return number(routed, "ip-mtu", 0)
    bridged = [number(sub, "l2-mtu", 0) for sub in rows(row, "subinterface") if _is_bridged(sub)]
    frames = [number(row, "mtu", 0), *bridged]
    tagged = flag(row, "vlan-tagging", False) or bool(bridged)
    smallest = min((octets for octets in frames if octets), default=0)
    return max(smallest - FRAME - (TAG if tagged else 0), 0)


def _addresses(sub: object) -> tuple[str, ...]:
    """Return IPv4 and IPv6 addresses of any origin, without link-local ones."""
    prefixes = (
        with_length(word(entry, "ip-prefix"))
        for family in ("ipv4", "ipv6")
        for entry in rows(table(sub, family), "address")
    )
    return tuple(sorted({prefix for prefix in prefixes if not is_link_local(prefix.partition("/")[0])}))


def _members(row: object) -> tuple[str, ...]:
    """Return the active ports of an aggregate."""
    lag_members = rows(table(row, "lag"), "member")
    return tuple(sorted(word(member, "name") for member in lag_members if word(member, "oper-state", "") == UP))


def _vlans(name: str, row: object, instances: Homes) -> tuple[tuple[int, int], ...] | None:
    """Return the VLANs that a bridged port forwards, without those that are down while the port is up.

    None for a member of an aggregate: it has no VLANs of its own, and is not compared.
    """
    if field(table(row, "ethernet"), "aggregate-id") is not None:
        return None
    is_up = word(row, "oper-state", "") == UP
    subs = [sub for sub in rows(row, "subinterface") if _is_bridged(sub)]
    forwarding = [sub for sub in subs if not is_up or word(sub, "oper-state", UP) == UP]
    bridged = [(f"{name}.{number(sub, 'index')}", sub) for sub in forwarding]
    return tuple(sorted((_tag(sub), instances.vlans[full]) for full, sub in bridged if full in instances.vlans))


def _tag(sub: object) -> int:
    """Return the VLAN tag of frames; 0 for untagged ones, and for any tag."""
    encap = table(sub, "vlan", "encap", "single-tagged")
    try:
        return number(encap, "vlan-id", 0)
    except NotUnderstoodError:
        return 0


def adjacencies(shown: object) -> tuple[Adjacency, ...]:
    """Return the neighbors of `/system/lldp`, port by port."""
    return tuple(
        Adjacency(word(row, "name"), word(neighbor, "system-name", ""), _port_id(neighbor))
        for row in rows(shown, "interface")
        for neighbor in rows(row, "neighbor")
    )


def _port_id(neighbor: object) -> str:
    text = word(neighbor, "port-id", "")
    return text.lower() if word(neighbor, "port-id-type", "") == "MAC_ADDRESS" else text
