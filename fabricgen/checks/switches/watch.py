"""What must hold of the switches as they will be told: each is resolved once, looked at, and let go."""

from collections.abc import Iterable, Iterator, Mapping

from fabricgen.checks.engine.waivers import FeatureUse
from fabricgen.checks.lossless.buffers import published_depths
from fabricgen.checks.lossless.lossless_switches import boxes
from fabricgen.checks.routing.isolation import planes_apart
from fabricgen.checks.routing.mtu import VXLAN_OVERHEAD, mtu_source
from fabricgen.checks.routing.shared_backend import told
from fabricgen.checks.routing.valleys import valleys
from fabricgen.checks.support.limits import limited
from fabricgen.checks.switches.link_consistency import LinkClass, LinkConsistency, SingleEnd, doubted, drawn, settled
from fabricgen.checks.switches.link_ends import LinkEnds, differing, has_own, paired
from fabricgen.checks.switches.observe import Observer
from fabricgen.checks.switches.tally import Tally
from fabricgen.device.device import Device
from fabricgen.errors import IntentPath, Problem
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.policy.load_balancing import flowlet_faults, path_skew_us, seed_faults
from fabricgen.resolve.device import devices

OVERHEAD = VXLAN_OVERHEAD["ipv4"]
FALLBACK = "this is a fault of ours; report it with your intent"


def switches(plan: Plan) -> Iterator[Problem]:
    """Every switch, as it will be told, keeps to the plan: policy, isolation, classes, seeds, MTU, as-built headroom.

    No path goes down and up again, so no buffers wait in a circle, healthy or after any failure. A backend accepts,
    originates and carries nothing of others. No two switches of different planes are joined or speak BGP. All switches
    of a fabric have one marking and one lossless priority. No lossless class is on a bridged VLAN. Tiers that are told
    seeds hash with different ones; the flowlet gap is longer than the skew of the paths. Both ends of links have one
    MTU, and gateways leave room for VXLAN. Headroom over the cables as built stays within the pool. The operating
    system of each has words for every value.

    Each switch is resolved, looked at and forgotten: what stays are counts, and of each kind of thing the first switch
    that showed it (`checks/switches/tally.py`).
    """
    yield from watched(plan).problems()


def watched(plan: Plan, kinds: Iterable[FeatureUse] = ()) -> "Watch":
    """A watch that has seen every switch of a plan. kinds: some of them, which were resolved already."""
    watch = Watch(plan)
    for device in devices(plan, [kind.device for kind in kinds]):
        watch.look(device)
    return watch


class Watch:
    """Looks at switches as they pass on their way to be rendered, and judges them when all have been seen."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._observers: dict[str, Observer] = {}
        self._tallies: dict[str, Tally] = {}

    def look(self, device: Device) -> None:
        """Keep what the rules ask of one switch."""
        observer = self._observers.get(device.fabric)
        if observer is None:
            observer = self._observers[device.fabric] = Observer(self._plan, device.fabric)
        tally = self._tallies.get(device.fabric)
        if tally is None:
            tally = self._tallies[device.fabric] = Tally()
        tally.add(observer.observe(device))

    @property
    def tallies(self) -> Mapping[str, Tally]:
        """What was kept of the switches seen, by fabric: small, and made to be sent to another process."""
        return self._tallies

    def taken(self) -> Mapping[str, Tally]:
        """The same, and nothing of it is kept any more."""
        found, self._tallies = self._tallies, {}
        return found

    @property
    def switches(self) -> int:
        """How many were seen."""
        return sum(tally.switches for tally in self._tallies.values())

    def join(self, tallies: Mapping[str, Tally]) -> None:
        """Count what another watch of this plan has kept of the switches that come behind these."""
        for name, more in tallies.items():
            self._tallies.setdefault(name, Tally()).join(more)

    def problems(self) -> Iterator[Problem]:
        """What `switches` says of all that were seen."""
        for name, found in self._tallies.items():
            yield from _judged(self._plan, name, found)


def _judged(plan: Plan, name: str, seen: Tally) -> Iterator[Problem]:
    fabric = plan.fabrics[name]
    yield from limited(seen.limits.values())
    yield from valleys(name, seen.herds())
    yield from _open(name, seen)
    yield from told(name, seen.shared, seen.switches)
    yield from (problem for found in seen.crossings.values() for problem in planes_apart(fabric, *found))
    yield from _one_plan(name, seen)
    yield from _bridged(name, seen)
    yield from _seeds(name, seen)
    yield from _mtus(fabric, seen)
    yield from differing(fabric, _pairs(plan, name, seen))
    yield from _skew(plan, name, seen)
    yield from _as_built(plan, name, seen)


def _open(name: str, seen: Tally) -> Iterator[Problem]:
    for count, first in seen.opened.values():
        yield Problem(
            code="backend-open",
            what=f"{name} is open to the outside at {count} of {seen.switches} switches, first {first.name}",
            where=("fabrics", name),
            why=f"{first.why}; a backend has no default route and no external connectivity",
            fix=FALLBACK,
        )


def _one_plan(name: str, seen: Tally) -> Iterator[Problem]:
    (_, first), *others = seen.classes.values()
    if others:
        count = sum(number for number, _ in others)
        yield Problem(
            code="marking-differs",
            what=f"packets are marked otherwise than on {first.name} at {count} of {seen.switches} switches of "
            f"{name}, first {others[0][1].name}",
            where=("fabrics", name, "roce", "marking"),
            why="a packet that is lossless on one switch and lossy on the next is dropped where it hurts",
            fix="write roce.marking for the whole fabric",
        )


def _bridged(name: str, seen: Tally) -> Iterator[Problem]:
    for count, first in seen.bridged.values():
        yield Problem(
            code="lossless-bridged",
            what=f"{first.name} {first.why} has a lossless class on a bridged VLAN",
            where=("fabrics", name),
            why=f"{count} of {seen.switches} switches do; a flooded frame would be paused everywhere at once, "
            "and RoCE stays routed",
            fix=FALLBACK,
        )


def _seeds(name: str, seen: Tally) -> Iterator[Problem]:
    """Seeds as the files have them. What a system keeps of its own is for the note of seeds."""
    told_seeds = dict(key for key in seen.seeds if key[1] is not None)
    for why in seed_faults(tuple(seed for seed in told_seeds.values() if seed is not None)):
        yield Problem(
            code="hash-seeds",
            what=f"tiers of {name} have the same ECMP hash seed",
            where=("fabrics", name, "load_balancing"),
            why=why,
            fix=FALLBACK,
        )


def _mtus(fabric: FabricPlan, seen: Tally) -> Iterator[Problem]:
    name = fabric.name
    every = sorted(seen.mtus)
    gateway = max(seen.gateways)
    # Where overrides have a say, each link is judged by itself.
    if len(every) > 1 and not has_own(fabric):
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
            where=seen.mtu_sources.get(every[0], mtu_source(fabric, ())),
            why=f"gateway MTU {gateway} + VXLAN overhead {OVERHEAD} is above link MTU {every[0]}",
            fix=f"write an MTU of {gateway + OVERHEAD} or more on every link",
        )


def _pairs(plan: Plan, name: str, seen: Tally) -> Iterable[LinkEnds]:
    """Links whose ends may differ: those kept one by one, and where a kind of them is in doubt, all of that kind.

    There are none where overrides give nothing: what a fabric has at large is for the checks of its plan.
    """
    if not has_own(plan.fabrics[name]):
        return ()
    kinds = doubted(seen.knots)
    return drawn(_strands(plan, name, kinds), settled(seen.knots)) if kinds else paired(seen.single)


def _strands(plan: Plan, name: str, kinds: frozenset[LinkClass]) -> Iterator[SingleEnd]:
    """Ends of these kinds, and single ones, of the switches of a fabric, which are resolved once more."""
    weave = LinkConsistency(plan.fabrics[name])
    for device in devices(plan):
        if device.fabric == name:
            yield from weave.strands(device, kinds)


def _skew(plan: Plan, name: str, seen: Tally) -> Iterator[Problem]:
    """Queues differ between paths, one a hop between switches: up and down again. Lossy ones have no known depth."""
    gap, lengths = max(seen.gaps), seen.lengths
    if not gap or not lengths:
        return
    hops = 2 * (plan.fabrics[name].shape.tiers - 1)
    # Thresholds that a maker publishes with flowlets are its own to vouch for: `published_late` warns with the numbers.
    depths = seen.kmax - published_depths(plan, name)
    skew = max(
        (
            path_skew_us(
                shortest_m=hops * min(lengths),
                longest_m=hops * max(lengths),
                hops=hops,
                kmax_octets=octets,
                speed_gbps=speed,
            )
            for speed, octets in depths
            if octets
        ),
        default=0.0,
    )
    for why in flowlet_faults(gap, skew):
        yield Problem(
            code="flowlet-gap",
            what=f"the flowlet gap of {name} is too short: packets may be reordered",
            where=("fabrics", name, "load_balancing"),
            why=f"{why} (uplinks of {min(lengths):g}-{max(lengths):g} m, queues up to Kmax on {hops} hops)",
            fix="write load_balancing: ecmp, or roce.ecn thresholds with a smaller maximum_octets",
        )


def _as_built(plan: Plan, name: str, seen: Tally) -> Iterator[Problem]:
    """Headroom over cables as the file has them; the default lengths are checked without switches."""
    if not any(fix for _, fix in seen.fits):
        return
    own = (box for box in boxes(plan) if box.name == name)
    for at, box in enumerate(own):
        found = [(fix, count, first) for (number, fix), (count, first) in seen.fits.items() if number == at]
        short = [(fix, count, first) for fix, count, first in found if fix]
        if short:
            fix, _, first = short[0]
            yield Problem(
                code="cable-headroom",
                what=f"headroom over the cables has no room on {sum(count for _, count, _ in short)} of "
                f"{sum(count for _, count, _ in found)} {box.role} switches of {name}, first {first.name}",
                where=_headroom_source(plan.fabrics[name]),
                why=first.why,
                fix=fix,
            )


def _headroom_source(fabric: FabricPlan) -> IntentPath:
    """Where ports get another headroom than that of the default lengths."""
    found = fabric.exceptions
    if found.cables:
        return ("cables", "file")
    sources = (dict(own.sources).get("headroom_octets") for own in found.port_settings.values())
    return next((("overrides", source, "headroom_octets") for source in sources if source), ("overrides",))
