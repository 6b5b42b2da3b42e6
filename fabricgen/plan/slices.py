"""Names of a server's NIC ports, whole or divided into planes."""

from fabricgen.hardware.model import NicGroup


def slice_name(nics: NicGroup, nic: int, plane: int) -> str:
    """Port of a NIC group as it is cabled: its own name and, for a slice, a slash and the plane."""
    name = nics.ports[nic].name
    return name if nics.planes == 1 else f"{name}/{plane}"
