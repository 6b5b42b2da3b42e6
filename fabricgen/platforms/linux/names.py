"""Names that Linux accepts for a device, including VRFs, and characters that its interfaces file cannot contain."""

import re

LONGEST_NAME = 15
"""Octets of an interface name (Linux IFNAMSIZ 16 with its terminator)."""
TAKEN = re.compile(r"(lo|all|default|bridge|eth\d+|swp.*|bond\d+|vlan\d+|vni\d+|vrf\d+|local|main|unspec|.*\..*)")
"""Names that mean something else on the switch: devices of these files, directories of the kernel's settings, and
routing tables, which ifupdown2 refuses as VRFs (3.0.0, addons/vrf.py: system_reserved_rt_tables); a name with a dot
means a VLAN of another device (addons/vlan.py)."""
SIGNS = re.compile(r"\$[\\%$]*(?=IFACE)|\\|%")
"""Characters that a text in an interfaces file cannot contain; every other `$` arrives as it is written."""


def device_name(name: str, other: str, taken: re.Pattern[str] = TAKEN) -> str:
    """A VRF's name if Linux accepts it as a device name, else the other one. taken: names of something else."""
    return other if len(name) > LONGEST_NAME or taken.fullmatch(name) else name
