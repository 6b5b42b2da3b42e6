"""Names of a server's interfaces: what the plan calls the place, short enough for Linux."""

import re

LONGEST = 15
"""Octets of an interface name (Linux IFNAMSIZ, 16 with its end)."""
RAIL = "rail"
RDMA = "rdma-{}"
PAIR = "ab"
"""Ends of the names of a rail's two ports towards a pair of leaves."""
_FUNCTION = re.compile(r"(.*\.)([0-7])")


class UniqueNames:
    """Names given on one server, no two alike."""

    def __init__(self) -> None:
        self._taken: set[str] = {"lo", "all", "default"}

    def take(self, wanted: str) -> str:
        """The name itself, shortened where it is too long, with a number where it is taken."""
        name, number = wanted[:LONGEST].rstrip("-"), 0
        while name in self._taken:
            number += 1
            name = f"{wanted[: LONGEST - len(str(number)) - 1]}-{number}"
        self._taken.add(name)
        return name


def rail_name(prefix: str, rail: int, plane: str, end: str) -> str:
    """Interface of a rail, e.g. rail3, rail3p1 of plane 1, rail3b towards the second leaf of a pair."""
    return f"{prefix}{rail}{plane}{end}"


def function_of(pci: str, plane: int) -> str:
    """PCI address of a plane's function: the NIC's own, its function number higher by the plane's.

    The same as NVIDIA's operator counts (nic-configuration-operator, CalculatePCIAddressForPF). Empty for none.
    """
    found = _FUNCTION.fullmatch(pci)
    if found is None or int(found[2]) + plane > 7:
        return ""
    return f"{found[1]}{int(found[2]) + plane}"
