"""The overlay: VNIs from zebra with the kernel's flood lists, and EVPN routes from bgpd.

Source: outputs of FRR 8.4.4 and iproute2 6.1.0, 2026-11-21; route names in brackets are those of bgp_evpn_route2str
(bgpd/bgp_evpn.c), written as in RFC 7432 and RFC 9136. `tenantVrf` and `vlan` of VNIs as later releases print them
(FRR's zebra/zebra_evpn.c, fbfc8222; suzieq/config/evpnVni.yml, 24faf597, reads them on Cumulus); `src_vni`, the VNI of
a flood entry of a VXLAN device with several VNIs (Cumulus 511 EVPN, Troubleshooting), seen with iproute2 6.1.0.
"""

from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import NamedTuple

from fabricgen.platforms.linux.live.bridging import BRIDGED
from fabricgen.platforms.linux.live.decode import (
    CommandOutputs,
    Misread,
    Row,
    canonical,
    inner,
    number,
    objects,
    rows,
    word,
    words,
)
from fabricgen.platforms.linux.live.interfaces import NetDevices, interfaces, kind_word, links, spaces
from fabricgen.state.state import L2, L3, SVI, EvpnRoute, Vni

VNIS = "show evpn vni detail json"
FLOOD = "bridge -j fdb show"
EVPN_ROUTES = "show bgp l2vpn evpn json"

FLOODED = "00:00:00:00:00:00"
"""MAC whose entries list the remote VTEPs that a VXLAN device floods to (bridge(8))."""
NO_VRF = "Unknown"
"""zebra's VRF of a VNI whose VRF the kernel does not have."""
TAG_DIGITS = 10
OWN = "(unspec)"
"""FRR's peer of a route of its own."""


class _Kernel(NamedTuple):
    """What the kernel adds to VNIs: flood lists, access VLANs by VXLAN device, VLANs by SVI.

    flood     (VXLAN device, VNI) → VTEPs; VNI 0 if the device has one VNI and names none
    up        devices that are up and bridge ports; the VLAN of the VNI says which VLAN's
    learning  bridge port → whether the bridge learns MAC addresses there, if the kernel prints it
    """

    flood: Mapping[tuple[str, int], tuple[str, ...]]
    access: Mapping[str, int]
    svis: Mapping[str, int]
    up: frozenset[str]
    learning: Mapping[str, bool]


def vnis(answers: CommandOutputs, *, shared_device: bool = False) -> tuple[Vni, ...]:
    """VNIs by number. A switch without a VTEP prints nothing.

    shared_device  one VXLAN device may carry several VNIs: its VLAN and its learning flag say nothing of one of them
    """
    if answers.silent(VNIS):
        return ()
    listed = answers.rows(VNIS)
    if not listed:
        return ()
    kernel = _kernel(answers)
    if shared_device:
        kernel = kernel._replace(access={}, learning={})
    return tuple(sorted(_vni(answers, row, kernel) for row in listed))


def _kernel(answers: CommandOutputs) -> _Kernel:
    devices, all_interfaces = links(answers), interfaces(answers)
    bridges = {word(link.row, "ifname") for link in devices.found if kind_word(link.row) == "bridge"}
    bridged = {word(link.row, "ifname") for link in devices.found if word(link.row, "master", "") in bridges}
    return _Kernel(
        flood=_flood(answers, devices),
        access=dict(_access(answers)),
        svis={row.name: row.vlan_id for row in all_interfaces if row.kind == SVI},
        up=frozenset(row.name for row in all_interfaces if row.oper_up and row.name in bridged),
        learning={
            word(link.row, "ifname"): bool(learns)
            for link in devices.found
            if (learns := _learning(link.row)) is not None
        },
    )


def _learning(row: Row) -> object:
    """The learning flag of a bridge port (bridge(8), learning)."""
    return inner(inner(row, "linkinfo"), "info_slave_data").get("learning")


def _vni(answers: CommandOutputs, row: Row, kernel: _Kernel) -> Vni:
    kind, vni = word(row, "type").lower(), number(row, "vni")
    if kind not in (L2, L3):
        raise Misread(f"VNI of type {kind}")
    device = word(row, "vxlanInterface" if kind == L2 else "vxlanIntf", "")
    vrf = word(row, "tenantVrf", "") or word(row, "vrf", "")
    svi = word(row, "sviInterface" if kind == L2 else "sviIntf", "")
    flooded = kernel.flood.get((device, vni)) or kernel.flood.get((device, 0), ())
    return Vni(
        vni=vni,
        kind=kind,
        vlan_id=kernel.svis.get(svi) or kernel.access.get(device) or number(row, "vlan", 0),
        vrf="" if vrf == NO_VRF else answers.vrf(vrf),
        vteps=flooded if kind == L2 else (),
        up=device in kernel.up if kind == L2 else word(row, "state") == "Up",
        learning=kernel.learning.get(device),
    )


def _flood(answers: CommandOutputs, devices: NetDevices) -> dict[tuple[str, int], tuple[str, ...]]:
    flooded: dict[tuple[str, int], set[str]] = {}
    for _, entries in spaces(answers, FLOOD, devices.devices):
        for row in entries:
            if row.get("mac") == FLOODED and "dst" in row:
                key = word(row, "ifname"), number(row, "src_vni", 0)
                flooded.setdefault(key, set()).add(canonical(word(row, "dst")))
    return {key: tuple(sorted(vteps)) for key, vteps in flooded.items()}


def _access(answers: CommandOutputs) -> Iterator[tuple[str, int]]:
    """Untagged VLAN of each bridge port, used for a VLAN without an SVI."""
    for row in answers.rows(BRIDGED):
        for vlan in rows(row.get("vlans", []), "vlans"):
            if "PVID" in words(vlan, "flags"):
                yield word(row, "ifname"), number(vlan, "vlan")


def evpn(answers: CommandOutputs) -> tuple[EvpnRoute, ...]:
    """Valid EVPN routes, one for each next hop."""
    if answers.silent(EVPN_ROUTES):
        return ()
    evpn_routes: set[EvpnRoute] = set()
    for rd, block in objects(answers.table(EVPN_ROUTES)):
        for name, row in objects(block):
            kind, key, tag = _key(name)
            hops = {next_hop(path) for path in rows(row.get("paths"), name) if path.get("valid")}
            evpn_routes |= {EvpnRoute(kind, rd, key, hop, tag) for hop in hops}
    return tuple(sorted(evpn_routes))


def next_hop(path: Row) -> str:
    """VTEP of a path, empty for one of our own."""
    if word(path, "peerId") == OWN:
        return ""
    hops = rows(path.get("nexthops", []), "nexthops")
    return canonical(word(hops[0], "ip")) if hops else ""


def _key(name: str) -> tuple[int, str, int]:
    """Type, key and Ethernet tag of a route from FRR's name of it, e.g. [5]:[0]:[20]:[172.17.0.0]."""
    fields = name.removeprefix("[").removesuffix("]").split("]:[")
    match fields:
        case ["1", _, esi, *_] | ["4", esi, *_]:
            # Ethernet segment as the Device writes it: five groups of four digits.
            digits = esi.replace(":", "").lower()
            return int(fields[0]), ":".join(digits[start : start + 4] for start in range(0, len(digits), 4)), 0
        case ["2", tag, _, mac]:
            return 2, mac.lower(), _tag(tag)
        case ["2", tag, _, mac, _, address]:
            return 2, f"{mac.lower()} {canonical(address)}", _tag(tag)
        case ["3", tag, _, originator]:
            return 3, canonical(originator), _tag(tag)
        case ["5", tag, length, address]:
            return 5, str(ip_network(f"{address}/{length}")), _tag(tag)
    raise Misread(f"EVPN route {name}")


def _tag(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= TAG_DIGITS):
        raise Misread(f"Ethernet tag {text}")
    return int(text)
