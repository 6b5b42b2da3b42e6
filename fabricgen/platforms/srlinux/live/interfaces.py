"""SR Linux's state of ports: interfaces with their subinterfaces, and LLDP.

Addresses, VRFs and VLANs are those of subinterfaces. Index 0 of a routed port is told as the port itself, which is
what the plan knows; bridged ones are told as the VLANs of their port, by the mac-vrf that each of them is in.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.platforms.base.live.values import NotUnderstoodError
from fabricgen.platforms.srlinux.live.values import (
    field,
    flag,
    is_link_local,
    number,
    rows,
    table,
    vrf_name,
    with_length,
    word,
)
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
    """Subinterface → network instance that routes it, and → VLAN of the mac-vrf that bridges it (0: of no such name).

    vxlan  the same of subinterfaces of tunnels: VXLAN interface → name of its instance
    """

    vrfs: Mapping[str, str]
    vlans: Mapping[str, int]
    vxlan: Mapping[str, str]


def vlan_of(instance: str) -> int:
    """VLAN of a mac-vrf by its name, which is ours; 0 of another."""
    found = _VLAN.fullmatch(instance)
    return int(found[1]) if found else 0


def homes(kinds: object, members: object, tunnels: object) -> Homes:
    """Who is in which network instance: `type`, `interface` and `vxlan-interface` of all of them."""
    bridging = {word(row, "name") for row in rows(kinds, "network-instance") if word(row, "type", "") == MAC_VRF}
    vrfs: dict[str, str] = {}
    vlans: dict[str, int] = {}
    for instance in rows(members, "network-instance"):
        name = word(instance, "name")
        for row in rows(instance, "interface"):
            if name in bridging:
                vlans[word(row, "name")] = vlan_of(name)
            else:
                vrfs[word(row, "name")] = vrf_name(name)
    vxlan = {
        word(row, "name"): word(instance, "name")
        for instance in rows(tunnels, "network-instance")
        for row in rows(instance, "vxlan-interface")
    }
    return Homes(vrfs, vlans, vxlan)


def interfaces(shown: object, found: Homes) -> tuple[Interface, ...]:
    """Every interface of `/interface[name=*]`."""
    return tuple(one for row in rows(shown, "interface") for one in _interfaces(row, found))


def _interfaces(row: object, found: Homes) -> Iterator[Interface]:
    name = word(row, "name")
    kind = next((kind for pattern, kind in _KINDS if pattern.fullmatch(name)), OTHER)
    subs = {number(sub, "index"): sub for sub in rows(row, "subinterface")}
    if kind in (LOOPBACK, SVI):
        yield from (_routed(f"{name}.{index}", kind, row, sub, found) for index, sub in subs.items())
        return
    routed = {index: sub for index, sub in subs.items() if not _is_bridged(sub)}
    yield _port(name, kind, row, routed.pop(0, None), found)
    yield from (_routed(f"{name}.{index}", SUBINTERFACE, row, sub, found) for index, sub in routed.items())


def _is_bridged(sub: object) -> bool:
    return word(sub, "type", "routed") == "bridged"


def _routed(name: str, kind: str, row: object, sub: object, found: Homes) -> Interface:
    """A subinterface of its own. That of a gateway is known by the VLAN whose mac-vrf it is in."""
    index = number(sub, "index")
    numbers = {SVI: found.vlans.get(name, 0) or index, SUBINTERFACE: _tag(sub) or index}
    return Interface(
        name=name,
        kind=kind,
        admin_up=_is_enabled(row) and _is_enabled(sub),
        oper_up=word(sub, "oper-state") == UP,
        mtu=number(sub, "ip-mtu", 0) if kind != LOOPBACK else 0,
        addresses=_addresses(sub),
        vrf=found.vrfs.get(name, ""),
        vlan_id=numbers.get(kind, 0),
    )


def _port(name: str, kind: str, row: object, sub: object, found: Homes) -> Interface:
    """A port or an aggregate, and what routes on it without a tag."""
    is_up = word(row, "oper-state") == UP
    return Interface(
        name=name,
        kind=kind,
        admin_up=_is_enabled(row) and (sub is None or _is_enabled(sub)),
        oper_up=is_up and (sub is None or word(sub, "oper-state") == UP),
        mtu=_mtu(row, sub),
        addresses=_addresses(sub) if sub is not None else (),
        vrf=found.vrfs.get(f"{name}.0", "") if sub is not None else "",
        members=_members(row) if kind == LAG else None,
        vlans=_vlans(name, row, found),
    )


def _is_enabled(row: object) -> bool:
    return word(row, "admin-state", ENABLED) == ENABLED


def _mtu(row: object, sub: object) -> int:
    """Octets of an IP packet: said of what routes; elsewhere what a frame leaves, of the port and of what bridges.

    A frame is counted without its check sequence (units of `mtu` and `l2-mtu` in the models).
    """
    if sub is not None:
        return number(sub, "ip-mtu", 0)
    bridged = [number(one, "l2-mtu", 0) for one in rows(row, "subinterface") if _is_bridged(one)]
    frames = [number(row, "mtu", 0), *bridged]
    tagged = flag(row, "vlan-tagging", False) or bool(bridged)
    least = min((octets for octets in frames if octets), default=0)
    return max(least - FRAME - (TAG if tagged else 0), 0)


def _addresses(sub: object) -> tuple[str, ...]:
    """IPv4 and IPv6, of whatever origin, without link-local ones."""
    found = (
        with_length(word(entry, "ip-prefix"))
        for family in ("ipv4", "ipv6")
        for entry in rows(table(sub, family), "address")
    )
    return tuple(sorted({one for one in found if not is_link_local(one.partition("/")[0])}))


def _members(row: object) -> tuple[str, ...]:
    """Ports that an aggregate bundles now."""
    listed = rows(table(row, "lag"), "member")
    return tuple(sorted(word(one, "name") for one in listed if word(one, "oper-state", "") == UP))


def _vlans(name: str, row: object, found: Homes) -> tuple[tuple[int, int], ...] | None:
    """VLANs that a bridged port forwards: not those of what is down on a port that is up.

    A member of an aggregate has none of its own, and is not compared.
    """
    if field(table(row, "ethernet"), "aggregate-id") is not None:
        return None
    is_up = word(row, "oper-state", "") == UP
    subs = [sub for sub in rows(row, "subinterface") if _is_bridged(sub)]
    forwarding = [sub for sub in subs if not is_up or word(sub, "oper-state", UP) == UP]
    bridged = [(f"{name}.{number(sub, 'index')}", sub) for sub in forwarding]
    return tuple(sorted((_tag(sub), found.vlans[full]) for full, sub in bridged if full in found.vlans))


def _tag(sub: object) -> int:
    """VLAN of the frames; 0 for untagged ones, and for those of any tag."""
    encap = table(sub, "vlan", "encap", "single-tagged")
    try:
        return number(encap, "vlan-id", 0)
    except NotUnderstoodError:
        return 0


def adjacencies(shown: object) -> tuple[Adjacency, ...]:
    """Neighbors of `/system/lldp`, port by port."""
    return tuple(
        Adjacency(word(row, "name"), word(neighbor, "system-name", ""), _port_id(neighbor))
        for row in rows(shown, "interface")
        for neighbor in rows(row, "neighbor")
    )


def _port_id(neighbor: object) -> str:
    text = word(neighbor, "port-id", "")
    return text.lower() if word(neighbor, "port-id-type", "") == "MAC_ADDRESS" else text
