"""What a lossless class shares with other traffic: uplinks with too many servers, VLANs, and ways out of the fabric."""

from collections.abc import Iterator

from fabricgen.checks.lossless.marking import lossless_fabrics, ranges_text
from fabricgen.errors import Problem
from fabricgen.intent.fabric import Frontend
from fabricgen.plan.plan import Plan
from fabricgen.policy.marking import MARKING_BY_NAME
from fabricgen.topologies.shape import GroupShape, Shape


def oversubscribed_lossless(plan: Plan) -> Iterator[Problem]:
    """Switches with a lossless class have as much capacity towards the tier above as towards the one below.

    Of leaves the most oversubscribed are reported; of spines below superspines those of a full pod. Nothing is dropped
    where they have less, but PFC pauses servers more often, and pauses reach servers whose packets go elsewhere.
    Source: Guo et al., SIGCOMM 2016 (pauses spread, and ECN is to act before them).
    """
    for name, _, fabric in lossless_fabrics(plan):
        leaves = ((*_leaf_gbps(fabric.shape, group), group.name) for group in fabric.shape.leaf_groups)
        narrow = [(down / up, down, up, group) for down, up, group in leaves if 0 < up < down]
        if narrow:
            _, down, up, group = max(narrow, key=lambda leaf: leaf[0])
            yield _oversubscribed(name, f"a leaf of {group} on {name} takes {down} Gb/s from servers", up, "leaf")
        down, up = _spine_gbps(fabric.shape)
        if 0 < up < down:
            what = f"a spine of {name} takes {down} Gb/s from the leaves of a full pod"
            yield _oversubscribed(name, what, up, "spine")


def _oversubscribed(name: str, what: str, up: int, role: str) -> Problem:
    key = "oversubscription" if role == "leaf" else "spine_oversubscription"
    return Problem(
        code="lossless-oversubscribed",
        what=f"{what}, has {up} Gb/s of uplinks, and is lossless",
        where=("fabrics", name, "topology", key),
        why="a lossless class drops nothing: when servers send more than the uplinks carry, PFC pauses them, and "
        "pauses also stop packets that go elsewhere; ECN slows the senders down, but a burst is over before it does",
        fix=f'write {key}: "1:1" where the models have the ports, or waive lossless-oversubscribed with the load that '
        "you expect of RDMA",
    )


def _leaf_gbps(shape: Shape, owner: GroupShape) -> tuple[int, int]:
    """Gb/s of a leaf from the servers of its unit, of all groups on it, and of its uplinks."""
    servers = (port for group in shape.sharing(owner.name) for port in group.down)
    return sum(port.speed_gbps for port in servers), sum(port.speed_gbps for port in owner.leaf.up)


def _spine_gbps(shape: Shape) -> tuple[int, int]:
    """Gb/s of a spine from the leaves of a full pod, as far as it has ports, and of its uplinks; 0 without any."""
    if shape.spine is None:
        return 0, 0
    leaves = shape.borders + sum(group.units_a_pod * group.leaves_a_unit for group in shape.groups)
    below = shape.spine.down[: leaves * shape.links]
    return sum(port.speed_gbps for port in below), sum(port.speed_gbps for port in shape.spine.up)


def switched_lossless(plan: Plan) -> Iterator[Problem]:
    """Servers with a lossless class are on routed ports. Those of a frontend are in VLANs, which leaves bridge.

    What is flooded in a VLAN waits for its slowest server. While a server's host route is missing, a packet for it may
    come down to one leaf of its network and go up to another, so that buffers can wait for each other.
    Source: Guo et al., SIGCOMM 2016, section 4.2; the graph of `explain --lossless`.
    """
    for name, settings, _ in lossless_fabrics(plan):
        if isinstance(settings, Frontend):
            yield Problem(
                code="lossless-switched",
                what=f"{name} has a lossless class on VLANs, so that PFC cannot deadlock is not proven",
                where=("fabrics", name, "transport"),
                why="a flooded packet is paused by the slowest server of its VLAN, and a packet to a server that was "
                "silent or has moved may come down to one leaf and go up to another; `explain --lossless` shows what "
                "is proven, and the PFC watchdog ends what is not",
                fix="waive lossless-switched once the watchdog has ended a pause storm in your test; or write "
                "kind: storage, design: tor for storage over RDMA on routed ports",
            )


def bonded_rdma(plan: Plan) -> Iterator[Problem]:
    """Servers of a lossless frontend with one bond over both leaves have its ports on one card, and say so by address.

    A card knows its own connections alone. Of a bond over two cards it gets packets of both, as each leaf sends to its
    own port, and drops those of the other card. Functions of one card have one PCI address but for the function.
    Source: NVIDIA community, DOC-2724 (RoCE LAG: both ports of one card, and they alone); Linux, mlx5 lag.c.
    """
    for name, settings, fabric in lossless_fabrics(plan):
        if not isinstance(settings, Frontend) or settings.server_ports.multihoming != "evpn-esi":
            continue
        for group in fabric.shape.groups:
            cards = {address.rpartition(".")[0] for address in group.nics.pci_addresses}
            if group.indexes > 1 and len(cards) != 1:
                are = "is over two cards" if cards else "may be over two cards"
                yield Problem(
                    code="rdma-bond",
                    what=f"the bond of a server of {group.name} on {name} {are}",
                    where=("fabrics", name, "server_ports", "multihoming"),
                    why="RDMA over a bond needs both ports of one card (RoCE LAG): with two cards each leaf sends to "
                    "its own port, and a card drops packets of connections that the other one has",
                    fix="write multihoming: active-backup (connections end when the other port takes over); or, where "
                    f"both ports are on one card, write pci_addresses of {settings.connects[group.name]} in a file of "
                    "the server's model in hardware/servers beside the intent, or waive rdma-bond",
                )


def lossless_exits(plan: Plan) -> Iterator[Problem]:
    """Nothing outside reaches into a lossless class: a port towards an outside peer has no PFC.

    What leaves by it is not lossless beyond. What comes in is put into a class by its DSCP, or is at the next switch,
    as a tunnel copies it: without PFC towards its sender it takes lossless buffers, and is dropped under load.
    """
    for name, settings, fabric in lossless_fabrics(plan):
        marking = MARKING_BY_NAME.get(settings.roce.marking)
        outside = [tenant.name for tenant in plan.tenants.get(name, ()) if tenant.external]
        if fabric.shape.border is not None and outside and marking is not None:
            yield Problem(
                code="lossless-exits",
                what=f"packets from outside peers can enter the lossless class of {name}",
                where=("fabrics", name, "topology", "border_leaves"),
                why=f"external ports have no PFC, and no port rewrites DSCP: a packet of {outside[0]} that comes in "
                f"with DSCP {ranges_text(marking.roce_dscps)} takes lossless buffers, and is dropped when they are "
                "full; what leaves by external ports is not lossless behind them",
                fix="let outside peers send these code points as 0, and waive lossless-exits with who does it",
            )
