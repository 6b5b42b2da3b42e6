"""VNIs of Cumulus Linux, from zebra with the kernel's flood lists.

One VXLAN device carries all VNIs, so its flood entries name the VNI (`src_vni`), and its VLANs do not identify one; a
device per VNI is supported as well. Source: `show evpn vni detail` and `bridge fdb show` of single and of several VXLAN
devices (511 EVPN, Troubleshooting; 511 Inter-subnet Routing); keys of the JSON as FRR prints them, which suzieq reads
on Cumulus (suzieq/config/evpnVni.yml, 24faf597), `tenantVrf` and `vlan` as of FRR's zebra/zebra_evpn.c (fbfc8222);
`src_vni` seen with iproute2 6.1.0; 2026-11-22.
"""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.platforms.cumulus.live.kernel import interfaces
from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread, Row, canonical, inner, number, word
from fabricgen.platforms.linux.live.interfaces import links
from fabricgen.platforms.linux.live.overlay import FLOOD, FLOODED, NO_VRF, VNIS
from fabricgen.state.state import L2, L3, SVI, Vni

Flood = Mapping[tuple[str, int], tuple[str, ...]]
"""(VXLAN device, VNI) → VTEPs; VNI 0 if the device has one VNI and names none."""


class _Kernel(NamedTuple):
    """What the kernel adds: flood lists, VLANs by SVI, and devices that are up and bridge ports."""

    flood: Flood
    svis: Mapping[str, int]
    up: frozenset[str]


def vnis(answers: CommandOutputs) -> tuple[Vni, ...]:
    """VNIs by number. A switch without a VTEP prints nothing."""
    if answers.silent(VNIS):
        return ()
    listed = answers.rows(VNIS)
    kernel = _kernel(answers) if listed else _Kernel({}, {}, frozenset())
    return tuple(sorted(_vni(answers, row, kernel) for row in listed))


def _kernel(answers: CommandOutputs) -> _Kernel:
    all_interfaces = interfaces(answers)
    devices = [link.row for link in links(answers).found]
    bridges = {word(row, "ifname") for row in devices if word(inner(row, "linkinfo"), "info_kind", "") == "bridge"}
    bridged = {word(row, "ifname") for row in devices if word(row, "master", "") in bridges}
    flooded: dict[tuple[str, int], set[str]] = {}
    for row in answers.rows(FLOOD):
        if row.get("mac") == FLOODED and "dst" in row:
            key = word(row, "ifname"), number(row, "src_vni", 0)
            flooded.setdefault(key, set()).add(canonical(word(row, "dst")))
    return _Kernel(
        flood={key: tuple(sorted(vteps)) for key, vteps in flooded.items()},
        svis={row.name: row.vlan_id for row in all_interfaces if row.kind == SVI},
        up=frozenset(row.name for row in all_interfaces if row.oper_up and row.name in bridged),
    )


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
        vlan_id=kernel.svis.get(svi) or number(row, "vlan", 0),
        vrf="" if vrf == NO_VRF else answers.vrf(vrf),
        vteps=flooded if kind == L2 else (),
        up=device in kernel.up if kind == L2 else word(row, "state") == "Up",
    )
