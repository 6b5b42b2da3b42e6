"""What must hold of the switches as they will be told: each is resolved once, looked at, and let go."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.addresses import Network
from fabricgen.checks.isolation import openings, planes_apart, strangers
from fabricgen.checks.limits import Limited, limited
from fabricgen.checks.link_ends import FABRIC_ROLES, LinkEnd, differing, has_own, link_ends
from fabricgen.checks.lossless import Box, boxes, overcommit, pool_octets
from fabricgen.checks.mtu import VXLAN_OVERHEAD, mtu_source
from fabricgen.checks.shared_backend import Fault, faults, told
from fabricgen.checks.valleys import Turns, turns, valleys
from fabricgen.device.device import Device
from fabricgen.device.qos import Qos
from fabricgen.errors import Problem
from fabricgen.intent.fabric import Backend, Fabric, overlay_of
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import UPPER
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.policy.headroom import budget_faults, headroom_budget, profile_faults
from fabricgen.policy.load_balancing import flowlet_faults, path_skew_us, seed_faults
from fabricgen.resolve.device import devices

OVERHEAD = VXLAN_OVERHEAD["ipv4"]
FALLBACK = "this is a fault of ours; report it with your intent"


class Seen(NamedTuple):
    """What is kept of one switch: a few numbers and the turns its policy allows.

    classes     marking, DSCP map, queue map and lossless priorities; every switch of a fabric has the same
    headroom    octets → ports
    lengths     metres of its uplinks
    strangers   switches that it has a session with and no cable to
    ends        ends of its links, where overrides may have made them differ
    limits      what its platform can not be told of it
    """

    name: str
    role: str
    model: str
    seed: int
    gap_us: int
    mtus: frozenset[int]
    gateway_mtu: int
    lossless_bridged: str
    classes: tuple[object, ...]
    kmax: dict[int, int]
    headroom: Counter[int]
    lengths: frozenset[float]
    openings: tuple[str, ...]
    shared: tuple[Fault, ...]
    turns: Turns
    strangers: tuple[str, ...]
    ends: tuple[LinkEnd, ...] = ()
    limits: Limited = ()


def observe(device: Device, fabric: Fabric) -> Seen:
    """Look at one switch."""
    rows = device.interfaces.ethernet
    prefixes: tuple[Network, ...] = tuple(
        found for found in (fabric.addressing.ipv4, fabric.addressing.ipv6) if found is not None
    )
    bridged = [row.name for row in rows if row.profile.qos and (row.switching is not None or _bridges(device))]
    return Seen(
        name=device.name,
        role=device.role,
        model=device.hardware.model,
        seed=device.load_balancing.seed,
        gap_us=device.load_balancing.flowlet_gap_us,
        mtus=frozenset(row.profile.mtu for row in rows if row.profile.role in FABRIC_ROLES),
        gateway_mtu=max((gateway.mtu for gateway in device.evpn.gateways), default=0) if device.evpn else 0,
        lossless_bridged=bridged[0] if bridged else "",
        classes=_classes(device.qos),
        kmax=_kmax(device.qos),
        headroom=Counter(row.headroom_octets for row in rows if row.profile.qos),
        lengths=frozenset(row.length_m for row in rows if row.profile.role == "uplink"),
        openings=tuple(openings(device, prefixes, shared=overlay_of(fabric) is not None))
        if isinstance(fabric, Backend)
        else (),
        shared=tuple(faults(device)) if isinstance(fabric, Backend) and fabric.tenancy is not None else (),
        turns=turns(device),
        strangers=strangers(device),
        limits=tuple(PLATFORMS[device.system].limits(device)),
    )


def _bridges(device: Device) -> bool:
    return device.evpn is not None and bool(device.evpn.vlans)


def _classes(qos: Qos | None) -> tuple[object, ...]:
    if qos is None:
        return ()
    priorities = tuple(sorted({profile.lossless_priorities for profile in qos.profiles}))
    return (qos.marking, qos.dscp_classes, qos.class_queues, priorities)


def _kmax(qos: Qos | None) -> dict[int, int]:
    """Speed → where marking is certain, the deepest that a queue is meant to get."""
    profiles = qos.profiles if qos else ()
    return {
        profile.speed_gbps: max((queue.ecn.maximum_octets for queue in profile.queues if queue.ecn), default=0)
        for profile in profiles
    }


def switches(plan: Plan) -> Iterator[Problem]:
    """Every switch, as it will be told, keeps to the plan: policy, isolation, classes, seeds, MTU, as-built headroom.

    No path goes down and up again, so no buffers wait in a circle, healthy or after any failure. A backend accepts,
    originates and carries nothing of others. No two switches of different planes are joined or speak BGP. All switches
    of a fabric have one marking and one lossless priority. No lossless class is on a bridged VLAN. Tiers hash with
    different seeds; the flowlet gap is longer than the skew of the paths. Both ends of links have one MTU, and gateways
    leave room for VXLAN. Headroom over the cables as built stays within the pool. The operating system of each has
    words for every value.
    """
    watch = Watch(plan)
    for device in devices(plan):
        watch.look(device)
    yield from watch.problems()


class Watch:
    """Looks at switches as they pass on their way to be rendered, and judges them when all have been seen."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._seen: dict[str, list[Seen]] = {}

    def look(self, device: Device) -> None:
        """Keep what the rules ask of one switch."""
        seen = observe(device, self._plan.intent.fabrics[device.fabric])
        if has_own(self._plan.fabrics[device.fabric]):
            seen = seen._replace(ends=link_ends(device))
        self._seen.setdefault(device.fabric, []).append(seen)

    def problems(self) -> Iterator[Problem]:
        """What `switches` says of all that were seen."""
        for name, found in self._seen.items():
            yield from _judged(self._plan, name, tuple(found))


def _judged(plan: Plan, name: str, seen: tuple[Seen, ...]) -> Iterator[Problem]:
    yield from limited(one.limits for one in seen)
    yield from valleys(name, tuple(found.turns for found in seen))
    yield from _open(name, seen)
    yield from told(name, tuple((one.name, one.shared) for one in seen))
    yield from planes_apart(plan.fabrics[name], {one.name: (*one.turns.above, *one.strangers) for one in seen})
    yield from _one_plan(name, seen)
    yield from _bridged(name, seen)
    yield from _seeds(name, seen)
    yield from _mtus(plan.fabrics[name], seen)
    yield from differing(plan.fabrics[name], (end for one in seen for end in one.ends))
    yield from _skew(plan, name, seen)
    yield from _as_built(plan, name, seen)


def _open(name: str, seen: tuple[Seen, ...]) -> Iterator[Problem]:
    found = [one for one in seen if one.openings]
    if found:
        yield Problem(
            code="backend-open",
            what=f"{name} is open to the outside at {len(found)} of {len(seen)} switches, first {found[0].name}",
            where=("fabrics", name),
            why=f"{found[0].openings[0]}; a backend has no default route and is connected to nothing else",
            fix=FALLBACK,
        )


def _one_plan(name: str, seen: tuple[Seen, ...]) -> Iterator[Problem]:
    first = seen[0]
    other = [one for one in seen if one.classes != first.classes]
    if other:
        yield Problem(
            code="marking-differs",
            what=f"packets are marked otherwise than on {first.name} at {len(other)} of {len(seen)} switches of "
            f"{name}, first {other[0].name}",
            where=("fabrics", name, "roce", "marking"),
            why="a packet that is lossless on one switch and lossy on the next is dropped where it hurts",
            fix="write roce.marking for the whole fabric",
        )


def _bridged(name: str, seen: tuple[Seen, ...]) -> Iterator[Problem]:
    found = [one for one in seen if one.lossless_bridged]
    if found:
        yield Problem(
            code="lossless-bridged",
            what=f"{found[0].name} {found[0].lossless_bridged} has a lossless class on a bridged VLAN",
            where=("fabrics", name),
            why=f"{len(found)} of {len(seen)} switches do; a flooded frame would be paused everywhere at once, "
            "and RoCE stays routed",
            fix=FALLBACK,
        )


def _seeds(name: str, seen: tuple[Seen, ...]) -> Iterator[Problem]:
    by_tier = {(one.role if one.role in UPPER else "leaf"): one.seed for one in seen}
    for why in seed_faults(tuple(by_tier.values())):
        yield Problem(
            code="hash-seeds",
            what=f"tiers of {name} hash alike",
            where=("fabrics", name, "load_balancing"),
            why=why,
            fix=FALLBACK,
        )


def _mtus(fabric: FabricPlan, seen: tuple[Seen, ...]) -> Iterator[Problem]:
    name = fabric.name
    every = sorted({mtu for one in seen for mtu in one.mtus})
    gateway = max(one.gateway_mtu for one in seen)
    if len(every) > 1 and not any(one.ends for one in seen):
        yield Problem(
            code="mtu-differs",
            what=f"links of {name} have {len(every)} MTUs",
            where=("fabrics", name, "mtu"),
            why=f"both ends and every link of a path need one: {', '.join(map(str, every))}",
            fix=FALLBACK,
        )
    if every and gateway + OVERHEAD > every[0]:
        yield Problem(
            code="gateway-mtu",
            what=f"gateways of {name} let packets through that do not fit VXLAN",
            where=mtu_source(fabric, (end.near for one in seen for end in one.ends if end.mtu == every[0])),
            why=f"gateway MTU {gateway} + VXLAN overhead {OVERHEAD} is above link MTU {every[0]}",
            fix=f"write an MTU of {gateway + OVERHEAD} or more on every link",
        )


def _skew(plan: Plan, name: str, seen: tuple[Seen, ...]) -> Iterator[Problem]:
    """Queues differ between paths, one a hop between switches: up and down again. Lossy ones have no known depth."""
    gap = max(one.gap_us for one in seen)
    lengths = {length for one in seen for length in one.lengths}
    if not gap or not lengths:
        return
    hops = 2 * (plan.fabrics[name].shape.tiers - 1)
    deepest = [(speed, octets) for one in seen for speed, octets in one.kmax.items() if octets]
    skew = max(
        (
            path_skew_us(
                shortest_m=hops * min(lengths),
                longest_m=hops * max(lengths),
                hops=hops,
                kmax_octets=octets,
                speed_gbps=speed,
            )
            for speed, octets in set(deepest)
        ),
        default=0.0,
    )
    for why in flowlet_faults(gap, skew):
        yield Problem(
            code="flowlet-gap",
            what=f"flowlets of {name} would overtake each other",
            where=("fabrics", name, "load_balancing"),
            why=f"{why} (uplinks of {min(lengths):g}-{max(lengths):g} m, queues up to Kmax on {hops} hops)",
            fix="write roce.ecn: formula or thresholds with a smaller maximum, or load_balancing: ecmp",
        )


def _as_built(plan: Plan, name: str, seen: tuple[Seen, ...]) -> Iterator[Problem]:
    """Headroom over cables as the file has them; the default lengths are checked without switches."""
    if not plan.fabrics[name].exceptions.cables:
        return
    for box in boxes(plan):
        own = [
            one for one in seen if box.name == name and one.role == box.role and one.model == box.chassis.switch.model
        ]
        found = [(one, why) for one in own for why in _headroom_faults(box, one)]
        if found:
            one, why = found[0]
            yield Problem(
                code="cable-headroom",
                what=f"headroom over the cables has no room on {len(found)} of {len(own)} {box.role} switches of "
                f"{name}, first {one.name}",
                where=("cables", "file"),
                why=why,
                fix="shorten the cables, round their lengths, or accept it with roce.headroom_overcommit",
            )


def _headroom_faults(box: Box, one: Seen) -> tuple[str, ...]:
    if 0 in one.headroom:
        return (f"no source gives the headroom of {one.headroom[0]} of its links",)
    pool = pool_octets(box)
    if pool is None:
        return ()
    octets = tuple(one.headroom.elements())
    budget = headroom_budget(octets, lossless_classes=1, pool_octets=pool)
    faults = budget_faults(budget, lossless_classes=1, overcommit=overcommit(box))
    return (*faults, *profile_faults(octets, box.chassis.asic.headroom_profiles))
