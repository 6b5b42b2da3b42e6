"""What a lossless class shares with other traffic: uplinks with too many servers, VLANs, and ways out of the fabric."""

from collections.abc import Iterator

from fabricgen.checks.lossless.marking import lossless_fabrics, ranges_text
from fabricgen.errors import Problem
from fabricgen.intent.fabric import Frontend
from fabricgen.plan.plan import Plan
from fabricgen.policy.marking import MARKING_BY_NAME


def oversubscribed_lossless(plan: Plan) -> Iterator[Problem]:
    """Leaves with a lossless class have as much capacity towards spines as towards servers.

    Nothing is dropped where they have less, but PFC pauses servers more often, and pauses reach servers whose packets
    go elsewhere. Source: Guo et al., SIGCOMM 2016 (pauses spread, and ECN is to act before them).
    """
    for name, _, fabric in lossless_fabrics(plan):
        for group in fabric.shape.groups:
            down = sum(port.speed_gbps for port in group.leaf.down)
            up = sum(port.speed_gbps for port in group.leaf.up)
            if 0 < up < down:
                yield Problem(
                    code="lossless-oversubscribed",
                    what=f"a leaf of {group.name} on {name} takes {down} Gb/s from servers, has {up} Gb/s of uplinks, "
                    f"and is lossless",
                    where=("fabrics", name, "topology", "oversubscription"),
                    why="a lossless class drops nothing: when servers send more than the uplinks carry, PFC pauses "
                    "them, and pauses also stop packets that go elsewhere; ECN slows the senders down, but a burst is "
                    "over before it does",
                    fix='write oversubscription: "1:1" where the models have the ports, or waive '
                    "lossless-oversubscribed with the load that you expect of RDMA",
                )
                break


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
