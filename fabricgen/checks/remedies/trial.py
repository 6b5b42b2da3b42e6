"""Remedies are tried before they are offered: the intent with them is planned, and held to rules of dimensions.

A trial plans one fabric and looks at no switch, so it takes some milliseconds, and only where something is wrong.
"""

import re
from collections.abc import Callable, Iterable, Iterator
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
from fabricgen.intent.fabric import Fabric, RailOnly, Spines
from fabricgen.intent.model import Intent
from fabricgen.plan.cabling import unsupported_media
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.lock import Lock, without_fabric
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.plan.rows import last_pod, pods_recorded, rows_recorded, rows_standing
from fabricgen.topologies.shape import Shape

MOST = 64
"""Counts of spines that are tried: no leaf of the library has more uplinks."""
OFFERED = 2
"""Values that are offered for one key."""
HELD = 8
"""Values that hold, after which no other is tried for the rules below."""
OWN_KEY = re.compile(r"\b(?=(?:topology\.|(?:leaf|spine|superspine|border)(?:\.model)?: ))")
"""Where a key of a fabric begins in an offer."""
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
"""What a remedy should hold besides dimensions; one that does not is offered only where none does."""


class Short(NamedTuple):
    """Spines, or superspines, without a port for the last row. key: `now` or `planned`, whose count they are."""

    key: str
    switches: int
    rows: int


def short_spines(fabric: FabricPlan) -> Short | None:
    """The first stage in which the highest row in use, times the links of a pair, is beyond a spine's ports."""
    shape = fabric.shape
    if shape.spine is None or not shape.spines or not shape.spines_planned or not fits(fabric):
        return None
    stages = (
        Short("now", shape.spines, rows_standing(fabric)),
        Short("planned", shape.spines_planned, rows_recorded(fabric)),
    )
    ports = len(shape.spine.down)
    return next((one for one in stages if one.rows * (shape.uplinks_on(one.switches) // one.switches) > ports), None)


def short_cores(fabric: FabricPlan) -> Short | None:
    """The same of superspines: a pod's row is its number."""
    shape = fabric.shape
    if shape.core is None or shape.spine is None or not shape.cores or not fits(fabric):
        return None
    stages = (
        Short("now", shape.cores, last_pod(fabric)),
        Short("planned", shape.cores_planned, pods_recorded(fabric)),
    )
    up, ports = len(shape.spine.up), len(shape.core.down)
    return next((one for one in stages if one.rows * (up // one.switches) > ports), None)


class RemedyTrial(NamedTuple):
    """One fabric of an intent, and all that decides its dimensions."""

    name: str
    intent: Intent
    catalog: Catalog
    recorded: Lock

    @property
    def fabric(self) -> Fabric:
        """As it is in the intent that is tried."""
        return self.intent.fabrics[self.name]

    def spines(self, key: str = "spines") -> Spines | None:
        """Spines, or superspines, that the intent has."""
        topology = self.fabric.topology
        found: Spines | None = None if isinstance(topology, RailOnly) else getattr(topology, key)
        return found

    def on_fabric(self, **changes: object) -> "RemedyTrial":
        """With other keys of the fabric."""
        return self._with({self.name: self.fabric.model_copy(update=changes)})

    def on_topology(self, **changes: object) -> "RemedyTrial":
        """With other keys of its topology."""
        return self.on_fabric(topology=self.fabric.topology.model_copy(update=changes))

    def on_group(self, group: str, **changes: object) -> "RemedyTrial":
        """With other keys of a server group."""
        servers = {**self.intent.servers, group: self.intent.servers[group].model_copy(update=changes)}
        return self._replace(intent=self.intent.model_copy(update={"servers": servers}))

    def on_spines(self, now: int, planned: int | None, key: str = "spines") -> "RemedyTrial":
        """With other counts of spines."""
        return self.on_topology(**{key: Spines.model_construct(now=now, planned=planned)})

    def renumbered(self) -> "RemedyTrial":
        """Without what is recorded of it, as `render --renumber` plans it."""
        return self._replace(recorded=without_fabric(self.recorded, self.name))

    def _with(self, fabrics: dict[str, Fabric]) -> "RemedyTrial":
        return self._replace(intent=self.intent.model_copy(update={"fabrics": {**self.intent.fabrics, **fabrics}}))

    @property
    def is_recorded(self) -> bool:
        """Whether the lock has numbers of it."""
        return any(line.fabric == self.name for line in self.recorded.segments)

    @property
    def is_possible(self) -> bool:
        """Whether it has dimensions."""
        return self._shape() is not None

    @property
    def pods(self) -> int:
        """How many pods it has; 0 without dimensions."""
        shape = self._shape()
        return shape.pods if shape is not None else 0

    def _shape(self) -> Shape | None:
        try:
            return make_shapes(self._alone(), self.catalog, self.recorded)[self.name]
        except FabricError:
            return None

    @property
    def holds(self) -> bool:
        """Whether it has dimensions, numbers that stay, and a port for each row."""
        return self.plan() is not None

    @property
    def is_stuck(self) -> bool:
        """Whether recorded leaves refuse it, whatever the counts of spines."""
        plan = self._planned() if self.is_recorded else None
        return plan is not None and not leaves_fit(plan.fabrics[self.name])

    def plan(self) -> Plan | None:
        """Its plan, where it holds."""
        plan = self._planned()
        if plan is None:
            return None
        fabric = plan.fabrics[self.name]
        is_short = short_spines(fabric) is not None or short_cores(fabric) is not None
        is_held = not is_short and fits_recorded(plan, fabric) and next(rows_disjoint(plan), None) is None
        return plan if is_held else None

    def _planned(self) -> Plan | None:
        intent = self._alone()
        try:
            shapes = make_shapes(intent, self.catalog, self.recorded)
            return make_plan(intent, self.catalog, shapes, self.recorded, Exceptions())
        except FabricError:
            return None

    def _alone(self) -> Intent:
        """The intent with this fabric alone: others may have faults of their own."""
        return self.intent.model_copy(update={"fabrics": {self.name: self.fabric}})


def _planes_agree(plan: Plan) -> Iterator[str]:
    """Yield server groups whose NICs have another number of slices than the fabric has planes (`nic_planes`)."""
    for fabric in plan.fabrics.values():
        yield from (group.name for group in fabric.shape.groups if group.nics.planes != fabric.shape.planes)


def anywhere(name: str, text: str) -> str:
    """Remedies of a fabric as they are typed where a problem is not of the fabric itself: keys are whole."""
    return OWN_KEY.sub(f"fabrics.{name}.", text)


def trial_of(plan: Plan, name: str) -> RemedyTrial:
    """One fabric of a plan, to be tried otherwise."""
    return RemedyTrial(name, plan.intent, plan.catalog, plan.recorded)


class Offer(NamedTuple):
    """What may be written, as text, and the trial of it.

    is_sound  whether it holds the other rules, too; None where it was not tried yet
    """

    text: str
    trial: RemedyTrial
    is_sound: bool | None = None


def kept(offers: Iterable[Offer], most: int) -> tuple[Offer, ...]:
    """Those that hold; of these the sound ones, where there are some."""
    held: list[Offer] = []
    sound: list[Offer] = []
    for offer in offers:
        tried = offer if offer.is_sound is not None else _tried(offer)
        if tried is not None:
            held.append(tried)
            if tried.is_sound:
                sound.append(tried)
        if len(sound) == most or len(held) == HELD:
            break
    return tuple((sound or held)[:most])


def _tried(offer: Offer) -> Offer | None:
    """The offer with what its plan says; None where it does not hold."""
    plan = offer.trial.plan()
    return offer._replace(is_sound=_is_sound(plan)) if plan is not None else None


def offered(offers: Iterable[Offer], most: int = OFFERED) -> tuple[str, ...]:
    """The texts of those that are kept."""
    return tuple(dict.fromkeys(offer.text for offer in kept(offers, most)))


def _is_sound(plan: Plan) -> bool:
    """Whether a plan holds the other rules, too."""
    rules: tuple[Callable[[Plan], Iterator[object]], ...] = (_planes_agree, *RULES)
    return all(next(rule(plan), None) is None for rule in rules)


def near(asked: int, counts: Iterable[int]) -> Iterator[int]:
    """Counts from the nearest to the one that is asked for."""
    return iter(sorted(counts, key=lambda count: (abs(count - asked), count)))
