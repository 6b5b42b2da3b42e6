"""Interface names of a server: short enough for Linux, and like the names in the plan."""

import re

LONGEST = 15
"""Octets of an interface name (Linux IFNAMSIZ 16, with the terminating zero)."""
RESERVED = frozenset({"lo", "all", "default"})
RAIL = "rail"
RDMA = "rdma-{}"
PAIR = "ab"
"""Suffixes of the names of a rail's two ports towards a pair of leaves."""
_FUNCTION = re.compile(r"(.*\.)([0-7])")


def unique_name(preferred: str, taken: set[str]) -> str:
    """The name, shortened where it is too long, with a number where it is taken or reserved; adds it to `taken`."""
    name, number = preferred[:LONGEST], 0
    while name in taken or name in RESERVED:
        number += 1
        name = f"{preferred[: LONGEST - len(str(number)) - 1]}-{number}"
    taken.add(name)
    return name


def rail_name(prefix: str, rail: int, plane: str, end: str) -> str:
    """Name of a rail's interface, e.g. rail3, rail3p1 of plane 1, rail3b towards the second leaf of a pair."""
    return f"{prefix}{rail}{plane}{end}"


def function_of(pci: str, plane: int) -> str:
    """PCI address of a plane's function: the NIC's with the plane added to its function number. Empty if invalid.

    NVIDIA's operator counts the same way (nic-configuration-operator, CalculatePCIAddressForPF).
    """
    match = _FUNCTION.fullmatch(pci)
    if match is None or int(match[2]) + plane > 7:
        return ""
    return f"{match[1]}{int(match[2]) + plane}"
