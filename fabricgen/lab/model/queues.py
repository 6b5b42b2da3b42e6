"""Queues of a Device as `tc` commands on a virtual link: classes by DSCP, strict and weighted queues, RED with ECN.

    htb           the lab's rate, far below the port's, so that a queue can grow
    └ prio        one band per strict queue, the highest first; a capped one has a token bucket
      └ drr       weighted queues, in the last band (Debian's User-Mode Linux has no ets)
        └ red     where the queue marks; otherwise a plain FIFO

A packet's size does not shrink with the rate. Thresholds scaled like the rate would be less than a packet, so they are
scaled together until the minimum is PACKETS full packets: their ratio and the probability remain the Device's.

NOT_EXERCISED lists what this cannot exercise, and must be printed wherever the lab describes queues: pause frames need
a port with DCB operations, and virtual links have none. Headroom, watchdog, pause thresholds and the shared buffer are
therefore rendered and checked, never exercised. A lossless queue becomes a deep one, and RED drops nothing by itself
(`nodrop`): nothing is lost as long as the senders react to the marks, which is the part that can be shown.

Source: tc-htb(8), tc-prio(8), tc-drr(8), tc-red(8), tc-tbf(8), tc-u32(8), ip-link(8) of iproute2 6.1; tried
on Linux 6.1 (UML).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.qos import Ecn, Qos, QosProfile, Queue
from fabricgen.lab.model.lab import LabNic

NOT_EXERCISED = (
    "PFC: pause frames, headroom, pause thresholds and the watchdog: virtual links have no DCB operations; "
    "the text of a platform that has them is rendered and checked, not run"
)
"""Printed for every switch with lossless queues."""

RATE_MBPS = 100
"""Default rate of a port in the lab: what one slow core can fill."""
PACKET = 1500
"""Octets of a full packet of a sender in the lab, RED's `avpkt`."""
PACKETS = 20
"""Full packets of the smallest marking threshold: below it the windows of a few senders alone fill the queue."""
DEPTH = 8
"""Depth of a marking queue, in maximum thresholds."""
FIFO_PACKETS = 1000
"""Depth of a queue that does not mark: the default transmit queue of a Linux link."""
QUANTUM_OCTETS = 300
"""Octets per round and percent of weight: five percent are one full packet."""
BURST_OCTETS = 20000
"""Token bucket of a rate: above the largest packet, and above 10 Mbit/s for one tick of a 100 Hz clock."""
WHOLE = 99
"""Percent that replace 100: tc writes a probability as a share of 2^32 in 32 bits, and 100 % becomes 0."""

ROOT, BANDS, SHARES = 1, 2, 3
"""Handles of htb, prio and drr; the leaf of queue q has the handle LEAF + q."""
LEAF = 16
FAMILIES = (("ip", 1, "match ip dsfield {} 0xfc"), ("ipv6", 2, "match ip6 priority {} 0xfc"))
"""Protocol, order of its filters, and match of a DSCP in it: the upper six bits of the octet (RFC 2474)."""
OTHERS = 3
"""Order of the filter for other protocols, which use the queue of DSCP 0."""


class Thresholds(NamedTuple):
    """RED's parameters at the lab's rate. Octets; percent at the maximum; `burst` in packets."""

    minimum: int
    maximum: int
    limit: int
    burst: int
    percent: int


class Band(NamedTuple):
    """Place of a queue: parent of its leaf, as `major:minor`, and whether it is weighted."""

    parent: str
    weighted: bool


def commands(device: Device, ports: Iterable[str], rate_mbps: int = RATE_MBPS) -> Iterator[str]:
    """Lines for `tc -batch`, for those ports of a switch that have a queue profile; the links must have no queues."""
    if device.qos is None:
        return
    profiles = {profile.name: profile for profile in device.qos.profiles}
    port_names = set(ports)
    for row in device.interfaces.ethernet:
        if row.name in port_names and row.profile.qos:
            yield from port_commands(device.qos, profiles[row.profile.qos], row.name, rate_mbps)


def host_commands(nics: Iterable[LabNic]) -> Iterator[str]:
    """Lines for `ip -batch` that disable segmentation offload on a server, so that each mark is one packet."""
    yield from (f"link set dev {nic.name} gso_max_segs 1" for nic in nics if not nic.parent)


def port_commands(qos: Qos, profile: QosProfile, port: str, rate_mbps: int = RATE_MBPS) -> tuple[str, ...]:
    """Lines for `tc -batch` that give one port the queues of a profile.

    port       name of the link in its namespace
    rate_mbps  rate of the link in the lab, Mbit/s, at most the profile's own

    Raises ValueError where the rate is above the profile's: a lab only slows down.
    """
    if not 0 < rate_mbps <= profile.speed_gbps * 1000:
        raise ValueError(f"{port}: {rate_mbps} Mbit/s is not a share of {profile.speed_gbps} Gbit/s")
    bands = _bands(profile.queues)
    # Queue of DSCP 0, also for packets without a DSCP; the lowest queue where DSCP 0 has none.
    default_queue = _queues_by_dscp(qos, bands).get(0, min(bands))
    lines = [
        f"qdisc add dev {port} root handle {ROOT}: htb default 1",
        f"class add dev {port} parent {ROOT}: classid {ROOT}:1 htb rate {rate_mbps}mbit burst {BURST_OCTETS}",
        _prio(port, bands, default_queue),
        *_shares(port, profile.queues, bands, default_queue),
        *(_leaf(port, profile, queue, bands[queue.queue], rate_mbps) for queue in profile.queues),
        *_filters(port, qos, bands, default_queue),
    ]
    return tuple(lines)


def thresholds(ecn: Ecn, speed_gbps: int, rate_mbps: int) -> Thresholds:
    """Marking thresholds of a queue of the port, at the lab's rate. Octets."""
    smallest = PACKET * PACKETS
    minimum = max(ecn.minimum_octets * rate_mbps // (speed_gbps * 1000), smallest)
    maximum = max(minimum * ecn.maximum_octets // max(ecn.minimum_octets, 1), minimum + PACKET)
    return Thresholds(
        minimum=minimum,
        maximum=maximum,
        limit=maximum * DEPTH,
        burst=-(-(2 * minimum + maximum) // (3 * PACKET)),
        percent=min(ecn.probability_percent, WHOLE),
    )


def _bands(queues: Iterable[Queue]) -> dict[int, Band]:
    """Place of each queue: strict ones in bands of prio from 1, weighted ones in classes of drr, numbered as the queue.

    Class numbers count from 1, as 0 is no class.
    """
    strict = sorted((queue.queue for queue in queues if not queue.weight_percent), reverse=True)
    bands = {queue_id: Band(f"{BANDS}:{band}", weighted=False) for band, queue_id in enumerate(strict, start=1)}
    for queue in queues:
        if queue.weight_percent:
            bands[queue.queue] = Band(f"{SHARES}:{queue.queue + 1:x}", weighted=True)
    return bands


def _queues_by_dscp(qos: Qos, bands: Mapping[int, Band]) -> dict[int, int]:
    queue_of = {row.traffic_class: row.queue for row in qos.class_queues}
    rows = ((dscp, queue_of.get(row.traffic_class, -1)) for row in qos.dscp_classes for dscp in row.dscps)
    return {dscp: queue for dscp, queue in rows if queue in bands}


def _prio(port: str, bands: Mapping[int, Band], usual: int) -> str:
    """Bands of the strict queues and one for all weighted ones. prio needs at least two."""
    strict = [band for band in bands.values() if not band.weighted]
    weighted = any(band.weighted for band in bands.values())
    count = max(len(strict) + weighted, 2)
    first = len(strict) if bands[usual].weighted else int(bands[usual].parent.partition(":")[2]) - 1
    return (
        f"qdisc add dev {port} parent {ROOT}:1 handle {BANDS}: prio bands {count} priomap {' '.join([str(first)] * 16)}"
    )


def _shares(port: str, queues: Iterable[Queue], bands: Mapping[int, Band], usual: int) -> Iterator[str]:
    """A drr in the band after the strict queues, with a class for each weighted queue.

    drr drops packets that no filter matches, so a filter that matches everything is added with the classes.
    """
    weighted = [queue for queue in queues if bands[queue.queue].weighted]
    if not weighted:
        return
    strict = len(bands) - len(weighted)
    yield f"qdisc add dev {port} parent {BANDS}:{strict + 1} handle {SHARES}: drr"
    for queue in weighted:
        quantum = queue.weight_percent * QUANTUM_OCTETS
        yield f"class add dev {port} parent {SHARES}: classid {bands[queue.queue].parent} drr quantum {quantum}"
    if bands[usual].weighted:
        options = f"protocol all prio {OTHERS} u32 match u32 0 0 flowid {bands[usual].parent}"
        yield f"filter add dev {port} parent {SHARES}: {options}"


def _leaf(port: str, profile: QosProfile, queue: Queue, band: Band, rate_mbps: int) -> str:
    head = f"qdisc add dev {port} parent {band.parent} handle {LEAF + queue.queue:x}:"
    if queue.ecn is not None:
        red = thresholds(queue.ecn, profile.speed_gbps, rate_mbps)
        return (
            f"{head} red limit {red.limit} min {red.minimum} max {red.maximum} avpkt {PACKET} burst {red.burst} "
            f"bandwidth {rate_mbps}mbit probability {red.percent / 100:.2f} ecn nodrop"
        )
    if queue.cap_percent:
        rate_kbps = rate_mbps * 10 * queue.cap_percent
        return f"{head} tbf rate {rate_kbps}kbit burst {BURST_OCTETS} limit {FIFO_PACKETS * PACKET}"
    return f"{head} pfifo limit {FIFO_PACKETS}"


def _filters(port: str, qos: Qos, bands: Mapping[int, Band], usual: int) -> Iterator[str]:
    """A filter for each DSCP that does not use the default queue, in both families."""
    head = f"filter add dev {port} parent"
    for dscp, queue in sorted(_queues_by_dscp(qos, bands).items()):
        band = bands[queue]
        if queue == usual:
            continue
        for protocol, order, match in FAMILIES:
            options = f"protocol {protocol} prio {order} u32 {match.format(hex(dscp << 2))} flowid"
            if not band.weighted:
                yield f"{head} {BANDS}: {options} {band.parent}"
                continue
            yield f"{head} {SHARES}: {options} {band.parent}"
            if not bands[usual].weighted:
                yield f"{head} {BANDS}: {options} {BANDS}:{sum(not band.weighted for band in bands.values()) + 1}"
