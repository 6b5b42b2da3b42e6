"""Environment of the collective library (NCCL, RCCL) of one server, each line with its reason.

Names and meanings: NCCL user guide, environment variables; RCCL takes the same names (its env-variables page).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from fabricgen.hosts.model import Host, Nic, Variable
from fabricgen.plan.fabric import FabricPlan, group_of
from fabricgen.policy.load_balancing import PER_PACKET
from fabricgen.policy.nics import NIC_VENDOR_BY_NAME, QUEUE_PAIRS

HCA, INTERFACE, GID, CLASS = "NCCL_IB_HCA", "NCCL_SOCKET_IFNAME", "NCCL_IB_GID_INDEX", "NCCL_IB_TC"
CONTROL, PAIRS, CROSS, PXN = "NCCL_IB_FIFO_TC", "NCCL_IB_QPS_PER_CONNECTION", "NCCL_CROSS_NIC", "NCCL_PXN_DISABLE"
ADAPTIVE, DISABLE = "NCCL_IB_ADAPTIVE_ROUTING", "NCCL_IB_DISABLE"


def library_of(host: Host, backends: Iterable[FabricPlan], modes: Mapping[str, str]) -> Host:
    """The server with its library environment; none without a backend. `modes`: how each fabric balances load."""
    first = next(iter(backends), None)
    if first is None:
        return host
    return replace(host, library=tuple(_variables(host, first, modes[first.name])))


def _variables(host: Host, fabric: FabricPlan, mode: str) -> Iterator[Variable]:
    rails = tuple(nic for nic in host.nics if nic.fabric == fabric.name and nic.used)
    if host.pairs:
        yield from _sockets(host, fabric)
        return
    yield _devices(rails)
    yield _interface(host)
    for row in host.settings:
        if row.fabric != fabric.name:
            continue
        yield Variable(GID, str(row.gid_index), f"RoCEv2 with the NIC's {fabric.fabric.addressing.hosts} address")
        reason = f"DSCP {row.data_dscp} of marking {row.marking}; left out it is 0, and everything rides best effort"
        yield Variable(CLASS, str(row.traffic_class), reason)
        if NIC_VENDOR_BY_NAME[row.vendor].control:
            yield Variable(CONTROL, str(row.cnp_octet), f"control messages in the class of DSCP {row.cnp_dscp}")
    yield from _adaptive(rails, mode)
    yield Variable(PAIRS, str(QUEUE_PAIRS[mode]), f"queue pairs of a connection where the fabric does {mode}")
    # Where not every NIC reaches every other, the library must be configured: it cannot see the network.
    shape = fabric.shape
    group = group_of(fabric, host.group)
    lone_leaves = not shape.spines and group.rails > 1
    if lone_leaves or shape.rail_planes > 1:
        cause, own = (
            ("no spine joins the rails", "rail") if lone_leaves else ("rails have planes of their own", "plane")
        )
        yield Variable(CROSS, "0", f"{cause}: a NIC reaches those of its own {own} alone")
        yield Variable(PXN, "0", "so other rails are reached through the GPU that sits on them")
    elif shape.planes > 1:
        yield Variable(CROSS, "0", "planes are not joined: a slice of a NIC reaches those of its own plane alone")


def _sockets(host: Host, fabric: FabricPlan) -> Iterator[Variable]:
    """Without RoCE: an RDMA device is one port of a NIC, and packets to the NIC's address come in by either."""
    names = [pair.name for pair in host.pairs if pair.fabric == fabric.name]
    yield Variable(DISABLE, "1", "the address of a NIC is behind both of its ports, and an RDMA device is one of them")
    yield Variable(INTERFACE, f"={','.join(names)}", "the NICs' own addresses, in the order of rails")


def _adaptive(rails: tuple[Nic, ...], mode: str) -> Iterator[Variable]:
    """Sprayed data may arrive in any order, because the library sends it apart from the completion notice."""
    vendors = {nic.vendor for nic in rails}
    if mode == PER_PACKET and any(NIC_VENDOR_BY_NAME[name].adaptive for name in vendors & set(NIC_VENDOR_BY_NAME)):
        yield Variable(ADAPTIVE, "1", "switches send each packet by a path of its own; on RoCE it is off by default")


def _devices(rails: tuple[Nic, ...]) -> Variable:
    names = [nic.device for nic in rails]
    if not names or not all(names):
        reason = "names of the RDMA devices are not known: give the server's hardware file pci_addresses"
        return Variable(HCA, "", reason)
    basis = "" if all(nic.renamed for nic in rails) else "; TO CHECK: names as others have seen them on this model"
    return Variable(
        HCA, f"={','.join(names)}", f"the backend's NICs alone, exactly these, in the order of rails{basis}"
    )


def _interface(host: Host) -> Variable:
    names = [network.interface for network in host.networks]
    if not names:
        return Variable(
            INTERFACE, "", "no frontend has a network for this server: name the interface for set-up traffic"
        )
    return Variable(INTERFACE, f"={names[0]}", "connections are set up over the frontend")
