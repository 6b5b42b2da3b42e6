"""SR Linux's state of the overlay: VXLAN interfaces with their flood lists, and EVPN's local RIB."""

import re
from collections.abc import Callable, Iterator, Mapping

from fabricgen.platforms.base.live.values import NotUnderstoodError, address, prefix
from fabricgen.platforms.srlinux.live.interfaces import UP, Homes, vlan_of
from fabricgen.platforms.srlinux.live.values import flag, number, rows, table, vrf_name, word
from fabricgen.state.state import L2, L3, EvpnRoute, Vni

_KINDS = {"bridged": L2, "routed": L3}
_ESI = re.compile(r"(?:[0-9a-f]{2}:){9}[0-9a-f]{2}")
OWN_NEIGHBOR = ("0.0.0.0", "::")  # noqa: S104 -- the neighbor of a route that is the switch's own
NO_ADDRESS = (*OWN_NEIGHBOR, "")
"""IP address of a type 2 route that has only a MAC address."""


def vnis(shown: object, homes: Homes) -> tuple[Vni, ...]:
    """Return VNIs of `/tunnel-interface[name=*]/vxlan-interface`; one without a network instance is down."""
    return tuple(
        sorted(
            _vni(f"{word(tunnel, 'name')}.{number(row, 'index')}", row, homes)
            for tunnel in rows(shown, "tunnel-interface")
            for row in rows(tunnel, "vxlan-interface")
        )
    )


def _vni(name: str, row: object, homes: Homes) -> Vni:
    kind = _KINDS.get(word(row, "type", ""))
    if kind is None:
        raise NotUnderstoodError("a VXLAN interface that is neither bridged nor routed")
    home = homes.vxlan.get(name, "")
    floods = rows(table(row, "bridge-table", "multicast-destinations"), "destination")
    vteps = {
        address(word(destination, "vtep"))
        for destination in floods
        if not word(destination, "not-programmed-reason", "")
    }
    return Vni(
        vni=number(table(row, "ingress"), "vni"),
        kind=kind,
        vlan_id=vlan_of(home) if kind == L2 else 0,
        vrf=vrf_name(home) if kind == L3 else "",
        vteps=tuple(sorted(vteps)) if kind == L2 else (),
        up=word(row, "oper-state", "") == UP and bool(home),
    )


def evpn(shown: object, attributes: object) -> tuple[EvpnRoute, ...]:
    """Return the valid routes of the local RIB: those of peers, and the switch's own.

    shown       `…/bgp-rib/afi-safi[afi-safi-name=*]/evpn/local-rib` of all network instances
    attributes  `…/bgp-rib/attr-sets`, which have the next hops
    """
    hops = _next_hops(attributes)
    evpn_routes: set[EvpnRoute] = set()
    for instance in rows(shown, "network-instance"):
        name = word(instance, "name")
        for family in rows(table(instance, "bgp-rib"), "afi-safi"):
            evpn_routes.update(_routes(name, table(family, "evpn", "local-rib"), hops))
    return tuple(sorted(evpn_routes))


def _next_hops(attributes: object) -> dict[tuple[str, int], str]:
    return {
        (word(instance, "name"), number(row, "index")): word(row, "next-hop", "")
        for instance in rows(attributes, "network-instance")
        for row in rows(table(instance, "bgp-rib", "attr-sets"), "attr-set")
    }


def arrived(shown: object, attributes: object) -> Iterator[tuple[str, tuple[str, int]]]:
    """Yield next hop and attribute set of each valid route from a peer; set: network instance and its number."""
    hops = _next_hops(attributes)
    for instance in rows(shown, "network-instance"):
        name = word(instance, "name")
        for family in rows(table(instance, "bgp-rib"), "afi-safi"):
            local_rib = table(family, "evpn", "local-rib")
            for row in (row for list_name, _ in _TYPES.values() for row in rows(local_rib, list_name)):
                if flag(row, "valid-route", True) and address(word(row, "neighbor")) not in OWN_NEIGHBOR:
                    attribute_set = (name, number(row, "attr-id", -1))
                    yield address(hops.get(attribute_set, "")), attribute_set


def _routes(name: str, local_rib: object, hops: Mapping[tuple[str, int], str]) -> Iterator[EvpnRoute]:
    for kind, (list_name, key) in _TYPES.items():
        for row in rows(local_rib, list_name):
            if flag(row, "valid-route", True):
                is_own = address(word(row, "neighbor")) in OWN_NEIGHBOR
                hop = "" if is_own else address(hops.get((name, number(row, "attr-id")), ""))
                tag = number(row, "ethernet-tag-id", 0) if kind in TAGGED else 0
                yield EvpnRoute(kind, word(row, "route-distinguisher"), key(row), hop, tag)


def _segment(row: object) -> str:
    """Return an ESI in the form of the Device."""
    text = word(row, "esi").lower()
    if not _ESI.fullmatch(text):
        raise NotUnderstoodError("an Ethernet segment that is none")
    digits = text.replace(":", "")
    return ":".join(digits[index : index + 4] for index in range(0, 20, 4))


def _mac_ip(row: object) -> str:
    """Return the MAC address and, if there is one, the IP address."""
    ip = word(row, "ip-address", "")
    host = "" if ip in NO_ADDRESS else f" {address(ip)}"
    return word(row, "mac-address").lower() + host


def _originator(row: object) -> str:
    return address(word(row, "originating-router"))


def _prefix(row: object) -> str:
    """Return the prefix of type 5; its length may be a separate member."""
    text = word(row, "ip-prefix")
    return prefix(text if "/" in text else f"{text}/{number(row, 'ip-prefix-length')}")


TAGGED = (2, 3, 5)
"""Route types whose Ethernet tag distinguishes VLANs of a bundle."""

_TYPES: Mapping[int, tuple[str, Callable[[object], str]]] = {
    1: ("ethernet-ad-route", _segment),
    2: ("mac-ip-route", _mac_ip),
    3: ("imet-route", _originator),
    4: ("ethernet-segment-route", _segment),
    5: ("ip-prefix-route", _prefix),
}
"""Type (RFC 7432, RFC 9136) → its list in the models, and the key of a route after its RD."""
