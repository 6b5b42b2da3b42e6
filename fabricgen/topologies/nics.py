"""NICs as one fabric uses them: divided into the planes of the intent, halved for a pair of leaves.

A NIC is divided only as its hardware file allows (`planes`, `plane_choices`). The two ports to a pair of leaves are two
ports of the hardware, or two halves of a NIC that share its cage.
"""

from collections import Counter
from collections.abc import Iterator

from fabricgen.errors import FabricError, IntentPath
from fabricgen.hardware.model import NicGroup, NicPort
from fabricgen.intent.fabric import LeafSpine, Topology

HALVES = 2


def planes_asked(topology: Topology) -> int | None:
    """Return the slices into which the intent divides each NIC; None where it does not say."""
    return None if isinstance(topology, LeafSpine) else topology.planes


def leaves_a_rail(topology: Topology) -> int:
    """Return the number of leaves that the ports of one rail of a server are spread over."""
    return 1 if isinstance(topology, LeafSpine) else topology.leaves_per_rail


def effective_nics(nics: NicGroup, topology: Topology, path: IntentPath, group: str) -> NicGroup:
    """Return the NIC group as the fabric at `path` uses it. Raises FabricError where the NICs cannot be divided so."""
    planes_written, indexes = planes_asked(topology), leaves_a_rail(topology)
    if indexes == 1 or set(Counter(port.rail for port in nics.ports).values()) == {indexes}:
        planes = planes_written or nics.planes
        _check(nics, planes, (*path, "topology", "planes"), group)
        return nics.model_copy(update={"planes": planes})
    planes = planes_written or 1
    _check(nics, HALVES * planes, (*path, "topology", "leaves_per_rail"), group)
    # Each port becomes two of half the speed, which share its cage, its RDMA device and its PCI address.
    return nics.model_copy(
        update={
            "speed_gbps": nics.speed_gbps // HALVES,
            "planes": planes,
            "plane_choices": (),
            "ports": tuple(half for port in nics.ports for half in _halves(port)),
            "device_names": tuple(name for name in nics.device_names for _ in range(HALVES)),
            "pci_addresses": tuple(address for address in nics.pci_addresses for _ in range(HALVES)),
        }
    )


def storage_nics(nics: NicGroup) -> NicGroup:
    """The NIC group on a fabric to storage: each port is a rail by its position, where the hardware tells none apart.

    Such ports are near no GPU. As rails they end on leaves of their own, and a lost leaf takes one path of a server.
    """
    if len({port.rail for port in nics.ports}) > 1:
        return nics
    ports = tuple(port.model_copy(update={"rail": rail}) for rail, port in enumerate(nics.ports))
    return nics.model_copy(update={"ports": ports})


def rails_of(nics: NicGroup) -> int:
    """Return the number of rails of a NIC group: one more than the highest."""
    return 1 + max(port.rail for port in nics.ports)


def choices(nics: NicGroup) -> tuple[int, ...]:
    """Return the numbers of slices that the NIC can be divided into, ascending."""
    return tuple(sorted({nics.planes, *nics.plane_choices}))


def _check(nics: NicGroup, slices: int, where: IntentPath, group: str) -> None:
    known = choices(nics)
    if slices in known and nics.speed_gbps % slices == 0:
        return
    allowed = " or ".join(map(str, known))
    is_pair = where[-1] == "leaves_per_rail"
    possible = tuple(number // HALVES for number in known if number % HALVES == 0)
    pair = f"write planes: {' or '.join(map(str, possible))}, or leaves_per_rail: 1" if possible else ""
    raise FabricError.of(
        code="nic-slices",
        what=f"a NIC of {group} cannot be divided into {slices}",
        where=where,
        why=f"its hardware file has {allowed} slice{'s' if known != (1,) else ''} of {nics.speed_gbps}G"
        + ("; with leaf pairs each plane's slice is split again in two" if is_pair else ""),
        fix=(pair or "write leaves_per_rail: 1, or connect NICs with two ports per rail")
        if is_pair
        else f"write planes: {allowed}, or connect another NIC group",
    )


def _halves(port: NicPort) -> Iterator[NicPort]:
    for half in range(HALVES):
        yield port.model_copy(update={"name": f"{port.name}/{half}", "cage": port.cage or port.name})
