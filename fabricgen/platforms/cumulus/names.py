"""Names and numbers that Cumulus Linux needs and a Device does not have, and quoting for YAML."""

import json
import re

from fabricgen.device.device import Device
from fabricgen.platforms.linux.interfaces import l3_vlans
from fabricgen.platforms.linux.names import device_name

TAKEN = re.compile(
    r"(lo|all|auto|default|mgmt|none|bridge|br_.*|peerlink.*|(eth|swp|bond|vlan|vni|vrf|vxlan)\d.*"
    r"|local|main|unspec|on|off|yes|no|y|n|true|false|null)"
)
"""Names that mean something else on the switch, Linux's routing tables, and words that are no text in YAML."""
RESERVED_VLANS = range(3725, 4000)
"""VLANs of the chip (511 VLAN-aware Bridge Mode); 4000-4064 are NVUE's for L3 VNIs with MLAG, which is not used."""
L3_VLANS = range(2, RESERVED_VLANS.start)
"""VLANs of L3 VNIs, counted down from below the reserved ones."""
SELF_SIGNED = "self-signed"
"""What the API calls the certificate that a switch makes for itself (NVUE reference, API)."""
_NUMBERS = re.compile(r"\d+")


def quoted(text: str) -> str:
    """Text as a double-quoted YAML scalar, whatever it contains; several blanks become one."""
    return json.dumps(" ".join(text.split()) or "-", ensure_ascii=False)


def natural(name: str) -> tuple[int, ...]:
    """Sort key of ports: swp2 before swp10, swp2s0 after swp2."""
    return tuple(int(digits) for digits in _NUMBERS.findall(name))


def vrf_names(device: Device) -> dict[str, str]:
    """Tenant's VRF → its name on the switch: its own, or vrf<VNI> if Linux does not accept it."""
    rows = device.evpn.vrfs if device.evpn else ()
    return {row.name: device_name(row.name, f"vrf{row.vni}", TAKEN) for row in rows}


def derived(device: Device) -> dict[str, str]:
    """Derived values of tenant VRFs: the VLAN depends on networks, the name on the VNI."""
    if device.evpn is None:
        return {"VRF of management": "mgmt"}
    names, vlans = vrf_names(device), l3_vlans(device.evpn, L3_VLANS)
    l3_vlan_of = {f"L3 VLAN of {name}": str(vlan) for name, vlan in vlans.items()}
    return {"VRF of management": "mgmt"} | l3_vlan_of | {f"VRF of {name}": value for name, value in names.items()}
