"""Which names Linux takes for a device, a VRF among them, and which signs its interfaces file cannot have."""

import re

LONGEST_NAME = 15
"""Octets of an interface name (Linux IFNAMSIZ 16 with its end)."""
TAKEN = re.compile(r"(lo|all|default|bridge|eth\d+|swp.*|bond\d+|vlan\d+|vni\d+|vrf\d+|local|main|unspec|.*\..*)")
"""Names that are something else on the box: devices of these files, directories of the kernel's settings, and tables of
routes, which ifupdown2 refuses as VRFs (3.0.0, addons/vrf.py: system_reserved_rt_tables); with a dot
it is a VLAN of another device (addons/vlan.py)."""
SIGNS = re.compile(r"\$[\\%$]*(?=IFACE)|\\|%")
"""Signs that an interfaces file cannot have in a text; every other `$` arrives as it is written."""


def device_name(name: str, other: str) -> str:
    """A VRF's name where Linux takes it as a device's, else the other one."""
    return other if len(name) > LONGEST_NAME or TAKEN.fullmatch(name) else name
