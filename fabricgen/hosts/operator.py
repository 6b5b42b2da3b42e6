"""Rails by PCI address, in the format of NVIDIA's NIC configuration operator.

Source: Mellanox/nic-configuration-operator 8bfbeb3 (2026-08-13), api/v1alpha1/nicinterfacenametemplate.go: `pfsPerNic`,
`rdmaDevicePrefix`, `netDevicePrefix` with the placeholders %nic_id%, %plane_id% and %rail_id%, and `railPciAddresses`,
whose first dimension is the rail and whose second are the addresses of its NICs.
"""

from typing import NamedTuple

from fabricgen.errors import Problem
from fabricgen.hosts.model import Host, Nic
from fabricgen.hosts.names import RAIL, RDMA
from fabricgen.policy.nics import has_operator

GIVE_PCI = (
    "write a file of the model's name in hardware/servers beside the intent, with model and "
    "nics: {GROUP: {pci_addresses: [...]}}"
)


class OperatorNames(NamedTuple):
    """A NicInterfaceNameTemplate of one server."""

    resource: str
    planes: int
    net: str
    rdma: str
    rails: tuple[tuple[str, ...], ...]


def operator_names(host: Host) -> OperatorNames | Problem | None:
    """Rails of the first backend; None where its NICs are of another vendor; a Problem where they cannot be written."""
    backends = [nic for nic in host.nics if nic.kind == "backend"]
    rails = [nic for nic in backends if nic.fabric == backends[0].fabric]
    if not rails or not has_operator(rails[0].vendor):
        return None
    refusal = _refused(rails)
    if refusal is not None:
        why, fix = refusal
        return Problem(
            code="no-rail-list",
            what=f"the rails of {host.group} ({host.model}) on {rails[0].fabric} for NVIDIA's operator",
            why=why,
            fix=fix,
            where=("servers", host.group, "model"),
        )
    plane = "p%plane_id%" if rails[0].planes > 1 else ""
    net = f"{RAIL}%rail_id%{plane}"
    first = sorted((nic for nic in rails if nic.plane == 0), key=lambda nic: nic.rail)
    return OperatorNames(
        resource=f"{host.name.lower()}-rails",
        planes=rails[0].planes,
        net=net,
        rdma=RDMA.format(net),
        rails=tuple((nic.pci,) for nic in first),
    )


def _refused(rails: list[Nic]) -> tuple[str, str] | None:
    """Reason why the list cannot be written, and the fix; None where it can."""
    if not all(nic.pci for nic in rails):
        return (
            "its hardware file has no pci_addresses for these NICs",
            GIVE_PCI,
        )
    if any(nic.index for nic in rails):
        return (
            "a rail has two ports, and the operator cannot distinguish their names",
            "use the .link files of `export hosts`, which name each port, in place of the operator's list",
        )
    if sorted({nic.rail for nic in rails}) != list(range(len({nic.rail for nic in rails}))):
        return "its rails are not numbered from 0 without a gap", "number the rails of the hardware file from 0"
    return None
