"""Quality of service of one switch, from the lossless plan and its actual ports."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.device.interfaces import Ethernet
from fabricgen.device.qos import (
    ClassQueue,
    Cluster,
    DscpClass,
    Ecn,
    HeadroomProfile,
    LoadBalancing,
    Qos,
    QosProfile,
    Queue,
    Watchdog,
)
from fabricgen.intent.fabric import Fabric
from fabricgen.plan.fabric import FabricPlan, host_space
from fabricgen.plan.place import Tier
from fabricgen.policy.load_balancing import CLUSTER_AGING_SECONDS, FLOWLET_GAP_US, FLOWLETS
from fabricgen.policy.marking import dscp_map, queue_map
from fabricgen.resolve.context import Context
from fabricgen.resolve.lossless import Lossless, fan_out_of, nic_vendor
from fabricgen.resolve.profiles import qos_name
from fabricgen.topologies.shape import Chassis

HASH_SEEDS = {Tier.LEAF: 0, Tier.BORDER: 0, Tier.SPINE: 1, Tier.SUPERSPINE: 2}
"""ECMP seeds: equal ones in two tiers polarise traffic; small numbers fit the narrowest range of all platforms."""


def resolve_load_balancing(context: Context, rows: tuple[Ethernet, ...]) -> LoadBalancing:
    """Return the fabric's mode and the tier's hash seed.

    In mode cluster the leaf of the hosts places their flows; the tiers above hash.
    """
    mode, is_leaf = context.settings.load_balancing, context.place.tier is Tier.LEAF
    return LoadBalancing(
        mode="ecmp" if mode == "cluster" and not is_leaf else mode,
        seed=HASH_SEEDS[context.place.tier],
        flowlet_gap_us=FLOWLET_GAP_US if mode in FLOWLETS else 0,
        cluster=_cluster(context.fabric, rows) if mode == "cluster" and is_leaf else None,
    )


def _cluster(fabric: FabricPlan, rows: tuple[Ethernet, ...]) -> Cluster:
    """Return the cluster settings, with all host ports, used or not, so that further servers change nothing here."""
    ports = tuple(row.name for row in rows if row.profile.role == "host")
    return Cluster(destination_length(fabric), CLUSTER_AGING_SECONDS, ports)


def destination_length(fabric: FabricPlan) -> int:
    """Return the length of a leaf's IPv4 aggregate; where server groups differ, the longest."""
    hosts = [
        segment.hosts
        for (tier, _), segments in fabric.segments.items()
        if tier is Tier.LEAF
        for segment in segments
        if segment.hosts
    ]
    return max((33 - host_space(count).bit_length() for count in hosts), default=32)


def resolve_qos(context: Context, rows: tuple[Ethernet, ...]) -> Qos | None:
    """Return the lossless settings for the ports of a switch; None without a lossless class."""
    lossless = context.lossless
    if lossless is None:
        return None
    links = _links(rows)
    role = context.place.tier.value
    box = LosslessBox(context.fabric, role, context.chassis, lossless)
    return context.alike(("qos", lossless.switch.model, context.chassis.system, links), lambda: qos_of(box, links))


class LosslessBox(NamedTuple):
    """A chassis of a lossless fabric in its role: leaf, border-leaf, spine or superspine."""

    fabric: FabricPlan
    role: str
    chassis: Chassis
    lossless: Lossless


Links = tuple[tuple[tuple[int, float, int], int], ...]
"""(speed, length, headroom) of lossless ports → number of such ports, as sorted pairs."""


def _links(rows: tuple[Ethernet, ...]) -> Links:
    links = Counter((row.profile.speed_gbps, row.length_m, row.headroom_octets) for row in rows if row.profile.qos)
    return tuple(sorted(links.items()))


def qos_of(box: LosslessBox, links: Links) -> Qos:
    """Return the lossless settings of a chassis with these ports."""
    lossless = box.lossless
    headroom = tuple(_headroom(lossless, links))
    marking = lossless.marking
    return Qos(
        marking=marking.name,
        dscp_classes=_dscp_classes(dscp_map(marking)),
        class_queues=tuple(ClassQueue(number, queue) for number, queue in enumerate(queue_map(marking))),
        profiles=tuple(_profile(box, speed) for speed in sorted({speed for (speed, _, _), _ in links})),
        headroom=headroom,
        headroom_octets=max((row.octets for row in headroom), default=0),
        headroom_pool_octets=lossless.headroom_pool or 0,
        alpha=lossless.fabric.roce.alpha,
        resume_octets=lossless.resume_octets,
        watchdog=watchdog(lossless.fabric),
    )


def watchdog(fabric: Fabric) -> Watchdog:
    """Return the watchdog of the intent, polled twice within the shorter time.

    A switch replaces a longer polling interval by its own value.
    """
    times = fabric.roce.watchdog
    return Watchdog(times.detect_ms, times.restore_ms, min(times.detect_ms, times.restore_ms) // 2, times.action)


def _dscp_classes(classes: tuple[int, ...]) -> tuple[DscpClass, ...]:
    return tuple(
        DscpClass(number, tuple(dscp for dscp, traffic_class in enumerate(classes) if traffic_class == number))
        for number in sorted(set(classes))
    )


def _profile(box: LosslessBox, speed: int) -> QosProfile:
    lossless = box.lossless
    fan_out = fan_out_of(box.fabric, box.role, box.chassis)
    thresholds = lossless.ecn(speed, box.role, nic_vendor(box.fabric), fan_out)
    ecn = (
        Ecn(thresholds.minimum_octets, thresholds.maximum_octets, thresholds.probability_percent)
        if thresholds
        else None
    )
    queues = tuple(
        Queue(
            queue=row.queue,
            name=row.traffic,
            weight_percent=row.weight_percent,
            cap_percent=row.cap_percent if row.cap_percent < 100 else 0,
            ecn=ecn if row.lossless else None,
        )
        for row in reversed(lossless.queues(box.chassis.system))
    )
    return QosProfile(
        name=qos_name(speed), speed_gbps=speed, lossless_priorities=(lossless.marking.priority,), queues=queues
    )


def _headroom(lossless: Lossless, links: Links) -> Iterator[HeadroomProfile]:
    for (speed, length, octets), ports in links:
        published = lossless.headroom(speed, length)
        if published is not None or octets:
            is_table = published is not None and published.octets == octets
            yield HeadroomProfile(
                speed_gbps=speed,
                length_m=int(-(-length // 1)),
                octets=octets,
                cells=(published.cells or 0) if is_table and published else _cells(lossless, octets),
                ports=ports,
                basis=published.basis if is_table and published else OVERRIDE,
                source=published.source if is_table and published else "overrides",
            )


OVERRIDE = "override"
"""Basis of a headroom from an override of a port, or from the port's own MTU."""


def _cells(lossless: Lossless, octets: int) -> int:
    """Return the cells that hold so many octets; 0 where the chip's cell is unknown."""
    return -(-octets // lossless.asic.cell_octets) if lossless.asic.cell_octets else 0
