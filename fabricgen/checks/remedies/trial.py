"""Trials of fixes before they are offered: the changed intent is planned, and its dimensions are checked.

A trial plans one fabric and no switches, so it takes some milliseconds, and only runs if something is wrong.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.checks.capacity.balancing import ecmp_width
from fabricgen.checks.lossless.buffers import buffers, headroom_pool, sizes_known
from fabricgen.checks.numbers.asns import asn_ranges
from fabricgen.checks.numbers.lock_fit import fits, fits_recorded, leaves_fit, rows_disjoint
from fabricgen.checks.numbers.names import name_length
from fabricgen.checks.numbers.pools import oob_size, pool_sizes
from fabricgen.checks.routing.mtu import switch_mtu
from fabricgen.checks.support.capabilities import capabilities, platforms
from fabricgen.errors import FabricError
from fabricgen.hardware.catalog import Catalog
from fabricgen.intent.fabric import Fabric, Spines
from fabricgen.intent.model import Intent
from fabricgen.plan.cabling import unsupported_media
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.lock import Lock, without_fabric
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.plan.rows import last_pod, pods_recorded, rows_in_use, rows_recorded
from fabricgen.topologies.shape import Shape

MOST = 64
"""Largest count of spines that is tried: no leaf of the library has more uplinks."""
OFFERED = 2
"""Number of values that are offered for one key."""
MOST_TRIED = 8
"""After so many working values no further one is tested by RULES."""
OWN_KEY = re.compile(r"(?<![.\w])(?=(?:topology\.|leaf_models\.|(?:leaf|spine|superspine|border)(?:\.model)?: ))")
"""Matches the start of a fabric's key in an offer."""
RULES = (
    platforms,
    capabilities,
    name_length,
    pool_sizes,
    oob_size,
    asn_ranges,
    ecmp_width,
    switch_mtu,
    sizes_known,
    headroom_pool,
    buffers,
    unsupported_media,
)
"""Further checks of a fix; one that breaks them is offered only if all others do, too."""


class Short(NamedTuple):
    """Spines, or superspines, without a port for the last row. key: the count that is short, `now` or `planned`."""

    key: str
    switches: int
    rows: int


def short_spines(fabric: FabricPlan) -> Short | None:
    """Return the first stage in which the highest row in use, times the links of a pair, is beyond a spine's ports."""
    shape = fabric.shape
    if shape.spine is None or not shape.spines or not shape.spines_planned or not fits(fabric):
        return None
    stages = (
        Short("now", shape.spines, rows_in_use(fabric)),
        Short("planned", shape.spines_planned, rows_recorded(fabric)),
    )
    ports = len(shape.spine.down)
    return next(
        (stage for stage in stages if stage.rows * (shape.uplinks_on(stage.switches) // stage.switches) > ports), None
    )


def short_cores(fabric: FabricPlan) -> Short | None:
    """Return the same for superspines, where a pod's row is its number."""
    shape = fabric.shape
    if shape.core is None or shape.spine is None or not shape.cores or not fits(fabric):
        return None
    stages = (
        Short("now", shape.cores, last_pod(fabric)),
        Short("planned", shape.cores_planned, pods_recorded(fabric)),
    )
    up, ports = len(shape.spine.up), len(shape.core.down)
    return next((stage for stage in stages if stage.rows * (up // stage.switches) > ports), None)


class RemedyTrial(NamedTuple):
    """One fabric of an intent, with everything that decides its dimensions.

    most_servers  group → the most planned servers that a fix may offer, as other fabrics can take no more
    """

    name: str
    intent: Intent
    catalog: Catalog
    recorded: Lock
    most_servers: Mapping[str, int] = MappingProxyType({})

    @property
    def fabric(self) -> Fabric:
        """The fabric of the tried intent."""
        return self.intent.fabrics[self.name]

    def spines(self, key: str = "spines") -> Spines | None:
        """Return the counts of spines, or superspines, in the intent."""
        counts: Spines | None = getattr(self.fabric.topology, key)
        return counts

    def on_fabric(self, **changes: object) -> "RemedyTrial":
        """Return the trial with other keys of the fabric."""
        return self._with({self.name: self.fabric.model_copy(update=changes)})

    def on_topology(self, **changes: object) -> "RemedyTrial":
        """Return the trial with other keys of its topology."""
        return self.on_fabric(topology=self.fabric.topology.model_copy(update=changes))

    def on_group(self, group: str, **changes: object) -> "RemedyTrial":
        """Return the trial with other keys of a server group."""
        servers = {**self.intent.servers, group: self.intent.servers[group].model_copy(update=changes)}
        return self._replace(intent=self.intent.model_copy(update={"servers": servers}))

    def on_spines(self, now: int, planned: int | None, key: str = "spines") -> "RemedyTrial":
        """Return the trial with other counts of spines."""
        return self.on_topology(**{key: Spines.model_construct(now=now, planned=planned)})

    def renumbered(self) -> "RemedyTrial":
        """Return the trial without the fabric's lines of the lock, as `render --renumber` plans it."""
        return self._replace(recorded=without_fabric(self.recorded, self.name))

    def _with(self, fabrics: dict[str, Fabric]) -> "RemedyTrial":
        return self._replace(intent=self.intent.model_copy(update={"fabrics": {**self.intent.fabrics, **fabrics}}))

    @property
    def is_recorded(self) -> bool:
        """Whether the lock has numbers of the fabric."""
        return any(line.fabric == self.name for line in self.recorded.segments)

    @property
    def is_possible(self) -> bool:
        """Whether the fabric has valid dimensions."""
        return self._shape() is not None

    @property
    def pods(self) -> int:
        """Number of pods; 0 without valid dimensions."""
        shape = self._shape()
        return shape.pods if shape is not None else 0

    def _shape(self) -> Shape | None:
        try:
            return make_shapes(self._alone(), self.catalog, self.recorded)[self.name]
        except FabricError:
            return None

    @property
    def holds(self) -> bool:
        """Whether the fix works: valid dimensions, numbers that stay, and a port for each row."""
        return self.plan() is not None

    def misfits(self) -> tuple[str, ...]:
        """Return other fabrics that need new numbers, too."""
        others = (self._replace(name=name) for name in self.intent.fabrics if name != self.name)
        return tuple(other.name for other in others if not other.holds and other.renumbered().holds)

    @property
    def is_stuck(self) -> bool:
        """Whether recorded leaves prevent it, for any count of spines."""
        plan = self._planned() if self.is_recorded else None
        return plan is not None and not leaves_fit(plan.fabrics[self.name])

    def plan(self) -> Plan | None:
        """Return the plan of the fabric if the fix works, else None."""
        plan = self._planned()
        if plan is None:
            return None
        fabric = plan.fabrics[self.name]
        is_short = short_spines(fabric) is not None or short_cores(fabric) is not None
        fits = not is_short and fits_recorded(plan, fabric) and next(rows_disjoint(plan), None) is None
        return plan if fits else None

    def _planned(self) -> Plan | None:
        intent = self._alone()
        try:
            shapes = make_shapes(intent, self.catalog, self.recorded)
            return make_plan(intent, self.catalog, shapes, self.recorded, Exceptions())
        except FabricError:
            return None

    def _alone(self) -> Intent:
        """Return the intent with only this fabric, as others may have problems of their own."""
        return self.intent.model_copy(update={"fabrics": {self.name: self.fabric}})


def _planes_agree(plan: Plan) -> Iterator[str]:
    """Yield server groups whose NICs have another number of slices than the fabric has planes (`nic_planes`)."""
    for fabric in plan.fabrics.values():
        yield from (group.name for group in fabric.shape.groups if group.nics.planes != fabric.shape.slices)


def anywhere(name: str, text: str) -> str:
    """Return fixes of a fabric with whole paths of keys, for a problem whose path is not the fabric."""
    return OWN_KEY.sub(f"fabrics.{name}.", text)


def trial_of(plan: Plan, name: str) -> RemedyTrial:
    """Return a trial of one fabric of a plan."""
    return RemedyTrial(name, plan.intent, plan.catalog, plan.recorded)


class Offer(NamedTuple):
    """A change to write, as text, and its trial.

    is_sound  whether it also passes RULES; None if not tested yet
    """

    text: str
    trial: RemedyTrial
    is_sound: bool | None = None


def working_offers(offers: Iterable[Offer], most: int) -> tuple[Offer, ...]:
    """Return up to `most` offers that work, only sound ones if there are some."""
    working: list[Offer] = []
    sound: list[Offer] = []
    for offer in offers:
        tried = offer if offer.is_sound is not None else _tried(offer)
        if tried is not None:
            working.append(tried)
            if tried.is_sound:
                sound.append(tried)
        if len(sound) == most or len(working) == MOST_TRIED:
            break
    return tuple((sound or working)[:most])


def _tried(offer: Offer) -> Offer | None:
    """Return the offer with `is_sound` set; None where it does not work."""
    plan = offer.trial.plan()
    return offer._replace(is_sound=_is_sound(plan)) if plan is not None else None


def offered(offers: Iterable[Offer], most: int = OFFERED) -> tuple[str, ...]:
    """Return the texts of the offers that `working_offers` returns."""
    return tuple(dict.fromkeys(offer.text for offer in working_offers(offers, most)))


def _is_sound(plan: Plan) -> bool:
    """Return whether a plan also passes RULES."""
    rules: tuple[Callable[[Plan], Iterator[object]], ...] = (_planes_agree, *RULES)
    return all(next(rule(plan), None) is None for rule in rules)


def near(asked: int, counts: Iterable[int]) -> Iterator[int]:
    """Return counts by their distance from `asked`."""
    return iter(sorted(counts, key=lambda count: (abs(count - asked), count)))
