"""VNIs of Junos, from `show evpn instance extensive` (or its MAC-VRF equivalent) and `show evpn l3-context`.

A rendered MAC-VRF has one VLAN, so it floods to its neighbors with a route of type 3. Junos prints no state of a VNI: a
VNI in the output is up unless its instance is isolated from the core.
"""

from collections.abc import Iterable, Iterator, Mapping
from xml.etree.ElementTree import Element

from fabricgen.platforms.base.live.values import address
from fabricgen.platforms.junos.live.bgp import vrf_of
from fabricgen.platforms.junos.live.xml import digits, number, parsed, text
from fabricgen.state.state import L2, L3, Vni

VXLAN = "VXLAN"


def l2(shown: object, names: Mapping[str, str]) -> tuple[Vni, ...]:
    """L2 VNIs of all instances."""
    instances = [row for root in parsed(shown, "evpn-instance-information") for row in root.iter("evpn-instance")]
    return tuple(sorted(vni for row in instances for vni in _l2(row, names)))


def _l2(instance: Element, names: Mapping[str, str]) -> Iterator[Vni]:
    contexts = {
        text(row, "irb-interface-name"): text(row, "irb-interface-l3-context", "")
        for row in instance.findall("irb-interface-status-table/irb-interface")
    }
    vteps, is_up = tuple(sorted(set(_floods(instance)))), text(instance, "core-isolated-state", "N") != "Y"
    for domain in instance.findall("bridge-domain-status-table/bridge-domain"):
        if text(domain, "domain-id", ""):
            gateway = contexts.get(text(domain, "irb-interface", ""), "")
            vrf = vrf_of(gateway, names) if gateway else ""
            yield Vni(number(domain, "domain-id"), L2, digits(text(domain, "vlan-id", "")), vrf, vteps, is_up)


def _floods(instance: Element) -> Iterator[str]:
    for row in instance.findall("evpn-neighbor/evpn-neighbor-route-information"):
        if number(row, "evpn-num-inclusive-multicast-routes", 0) > 0:
            yield address(text(row, "evpn-neighbor-address"))


def l3(shown: object, names: Mapping[str, str]) -> tuple[Vni, ...]:
    """L3 VNIs of all tenants."""
    contexts = [row for root in parsed(shown, "evpn-l3-context-information") for row in root.iter("evpn-l3-context")]
    return tuple(sorted(_l3(contexts, names)))


def _l3(contexts: Iterable[Element], names: Mapping[str, str]) -> Iterator[Vni]:
    for row in contexts:
        if text(row, "context-encapsulation", "") == VXLAN:
            yield Vni(number(row, "context-vni"), L3, 0, vrf_of(text(row, "context-name"), names), (), up=True)
