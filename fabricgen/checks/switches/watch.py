"""Rules over all resolved switches: each switch is resolved once, observed, and dropped."""

from collections.abc import Iterable, Iterator, Mapping

from fabricgen.checks.engine.waivers import FeatureUse
from fabricgen.checks.lossless.buffers import published_depths
from fabricgen.checks.lossless.lossless_switches import boxes
from fabricgen.checks.routing.isolation import planes_apart
from fabricgen.checks.routing.mtu import VXLAN_OVERHEAD, mtu_source
from fabricgen.checks.routing.shared_backend import leak_problems
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
FALLBACK = "this is a bug in fabricgen; report it with your intent"


def switches(plan: Plan) -> Iterator[Problem]:
    """Every resolved switch follows the plan: policy, isolation, classes, seeds, MTU, as-built headroom.

    No path goes down and up again, so no buffers wait in a circle, healthy or after any failure. A backend accepts,
    originates and carries nothing of others. No two switches of different planes are joined or speak BGP. All switches
    of a fabric have one marking and one lossless priority. No lossless class is on a bridged VLAN. Tiers with
    configured seeds hash with different ones; the flowlet gap is longer than the skew of the paths. Both ends of links
    have one MTU, and gateways leave room for VXLAN. Headroom over the cables as built stays within the pool. The
    operating system of each switch supports every value.

    Each switch is resolved, observed and dropped: only counts are kept, and the first switch of each kind of finding
    (`checks/switches/tally.py`).
    """
    yield from watched(plan).problems()


def watched(plan: Plan, kinds: Iterable[FeatureUse] = ()) -> "Watch":
    """Return a watch that has seen every switch of a plan. kinds: some switches that are already resolved."""
    watch = Watch(plan)
    for device in devices(plan, [kind.device for kind in kinds]):
        watch.add_switch(device)
    return watch


class Watch:
    """Observes switches on their way to be rendered, and yields problems when all have been seen."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._observers: dict[str, Observer] = {}
        self._tallies: dict[str, Tally] = {}

    def add_switch(self, device: Device) -> None:
        """Keep the values of one switch that the rules need."""
        observer = self._observers.get(device.fabric)
        if observer is None:
            observer = self._observers[device.fabric] = Observer(self._plan, device.fabric)
        tally = self._tallies.get(device.fabric)
        if tally is None:
            tally = self._tallies[device.fabric] = Tally()
        tally.add(observer.observe(device))

    @property
    def tallies(self) -> Mapping[str, Tally]:
        """Tallies of the switches seen, by fabric: small, so that they can be sent to another process."""
        return self._tallies

    def take_tallies(self) -> Mapping[str, Tally]:
        """Return the tallies, and start again without any."""
        tallies, self._tallies = self._tallies, {}
        return tallies

    @property
    def switches(self) -> int:
        """Number of switches seen."""
        return sum(tally.switches for tally in self._tallies.values())

    def join(self, tallies: Mapping[str, Tally]) -> None:
        """Add the tallies of another watch of this plan, for the switches that follow these."""
        for name, more in tallies.items():
            self._tallies.setdefault(name, Tally()).join(more)

    def problems(self) -> Iterator[Problem]:
        """Yield the problems of the check `switches` over all switches seen."""
        for name, tally in self._tallies.items():
            yield from _judged(self._plan, name, tally)


def _judged(plan: Plan, name: str, tally: Tally) -> Iterator[Problem]:
    fabric = plan.fabrics[name]
    yield from limited(tally.limits.values())
    yield from valleys(name, tally.herds())
    yield from _open(name, tally)
    yield from leak_problems(name, tally.shared, tally.switches)
    yield from (problem for counted in tally.crossings.values() for problem in planes_apart(fabric, *counted))
    yield from _one_plan(name, tally)
    yield from _bridged(name, tally)
    yield from _seeds(name, tally)
    yield from _mtus(fabric, tally)
    yield from differing(fabric, _pairs(plan, name, tally))
    yield from _skew(plan, name, tally)
    yield from _as_built(plan, name, tally)


def _open(name: str, tally: Tally) -> Iterator[Problem]:
    for count, first in tally.opened.values():
        yield Problem(
            code="backend-open",
            what=f"{name} has external connectivity at {count} of {tally.switches} switches, first {first.name}",
            where=("fabrics", name),
            why=f"{first.why}; a backend has no default route and no external connectivity",
            fix=FALLBACK,
        )


def _one_plan(name: str, tally: Tally) -> Iterator[Problem]:
    (_, first), *others = tally.classes.values()
    if others:
        count = sum(number for number, _ in others)
        yield Problem(
            code="marking-differs",
            what=f"DSCP marking differs from {first.name} at {count} of {tally.switches} switches of "
            f"{name}, first {others[0][1].name}",
            where=("fabrics", name, "roce", "marking"),
            why="a packet that is lossless on one switch and lossy on the next is dropped under load",
            fix="write roce.marking for the whole fabric",
        )


def _bridged(name: str, tally: Tally) -> Iterator[Problem]:
    for count, first in tally.bridged.values():
        yield Problem(
            code="lossless-bridged",
            what=f"{first.name} {first.why} has a lossless class on a bridged VLAN",
            where=("fabrics", name),
            why=f"{count} of {tally.switches} switches have it; a flooded frame could pause all ports of the VLAN at "
            f"once, so RoCE is routed only",
            fix=FALLBACK,
        )


def _seeds(name: str, tally: Tally) -> Iterator[Problem]:
    """Compare the configured seeds. Systems without a setting: warning `seeds-not-configurable`."""
    seed_by_tier = dict(key for key in tally.seeds if key[1] is not None)
    for why in seed_faults(tuple(seed for seed in seed_by_tier.values() if seed is not None)):
        yield Problem(
            code="hash-seeds",
            what=f"tiers of {name} have the same ECMP hash seed",
            where=("fabrics", name, "load_balancing"),
            why=why,
            fix=FALLBACK,
        )


def _mtus(fabric: FabricPlan, tally: Tally) -> Iterator[Problem]:
    name = fabric.name
    mtus = sorted(tally.mtus)
    gateway = max(tally.gateways)
    # With overrides each link is compared by itself, see `_pairs`.
    if len(mtus) > 1 and not has_own(fabric):
        yield Problem(
            code="mtu-differs",
            what=f"links of {name} have {len(mtus)} MTUs",
            where=("fabrics", name, "mtu"),
            why=f"all links of a path need the same MTU: {', '.join(map(str, mtus))}",
            fix=FALLBACK,
        )
    if mtus and gateway + OVERHEAD > mtus[0]:
        yield Problem(
            code="gateway-mtu",
            what=f"gateways of {name} accept packets that are too large for VXLAN",
            where=tally.mtu_sources.get(mtus[0], mtu_source(fabric, ())),
            why=f"gateway MTU {gateway} + VXLAN overhead {OVERHEAD} is above link MTU {mtus[0]}",
            fix=f"write an MTU of {gateway + OVERHEAD} or more on every link",
        )


def _pairs(plan: Plan, name: str, tally: Tally) -> Iterable[LinkEnds]:
    """Return links whose ends may differ: those kept one by one, and all links of classes with different values.

    None without overrides: the values of a whole fabric are checked on its plan.
    """
    if not has_own(plan.fabrics[name]):
        return ()
    kinds = doubted(tally.knots)
    return drawn(_strands(plan, name, kinds), settled(tally.knots)) if kinds else paired(tally.single)


def _strands(plan: Plan, name: str, kinds: frozenset[LinkClass]) -> Iterator[SingleEnd]:
    """Yield ends of these classes, and single ends, of a fabric's switches, which are resolved once more."""
    weave = LinkConsistency(plan.fabrics[name])
    for device in devices(plan):
        if device.fabric == name:
            yield from weave.strands(device, kinds)


def _skew(plan: Plan, name: str, tally: Tally) -> Iterator[Problem]:
    """Compare the flowlet gap with the skew: one queue per hop, up and down. Lossy queues have no known depth."""
    gap, lengths = max(tally.gaps), tally.lengths
    if not gap or not lengths:
        return
    hops = 2 * (plan.fabrics[name].shape.tiers - 1)
    # The vendor answers for thresholds that it publishes with flowlets: `published_late` warns with the numbers.
    depths = tally.kmax - published_depths(plan, name)
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


def _as_built(plan: Plan, name: str, tally: Tally) -> Iterator[Problem]:
    """Yield problems of headroom over cables of the cable file; the default lengths are checked without switches."""
    if not any(fix for _, fix in tally.fits):
        return
    fabric_boxes = (box for box in boxes(plan) if box.name == name)
    for index, box in enumerate(fabric_boxes):
        fits = [(fix, count, first) for (number, fix), (count, first) in tally.fits.items() if number == index]
        short = [(fix, count, first) for fix, count, first in fits if fix]
        if short:
            fix, _, first = short[0]
            yield Problem(
                code="cable-headroom",
                what=f"headroom for the cable lengths does not fit the buffer on "
                f"{sum(count for _, count, _ in short)} of "
                f"{sum(count for _, count, _ in fits)} {box.role} switches of {name}, first {first.name}",
                where=_headroom_source(plan.fabrics[name]),
                why=first.why,
                fix=fix,
            )


def _headroom_source(fabric: FabricPlan) -> IntentPath:
    """Return the path that gives ports other headroom than by the default lengths."""
    exceptions = fabric.exceptions
    if exceptions.cables:
        return ("cables", "file")
    sources = (dict(port.sources).get("headroom_octets") for port in exceptions.port_settings.values())
    return next((("overrides", source, "headroom_octets") for source in sources if source), ("overrides",))
