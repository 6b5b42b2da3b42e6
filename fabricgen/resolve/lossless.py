"""The lossless plan of one switch model, with the basis of every number: resolve renders it, `plan` prints it."""

from fractions import Fraction
from typing import NamedTuple

from fabricgen.hardware.model import Asic, SwitchModel
from fabricgen.intent.fabric import EcnThresholds, Fabric, is_lossless
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Tier
from fabricgen.platforms import PLATFORMS
from fabricgen.policy.buffers import PoolBudget, queue_limit_octets, xon_offset_octets
from fabricgen.policy.ecn import PUBLISHED, Ecn, Marked, kmin_limit_octets, published_or_formula, thresholds_of
from fabricgen.policy.headroom import Headroom, HeadroomFacts, headroom
from fabricgen.policy.marking import MARKING_BY_NAME, Marking
from fabricgen.policy.scheduling import QueueRow, schedule
from fabricgen.resolve.control import rides_with_cnp
from fabricgen.topologies.shape import Chassis

FULL_MTU = 9214
"""Octets of the largest packet where no fabric says another: the default of an intent."""
CONGESTED_QUEUES = 1
"""Queues assumed full at once for the limit of one; ECN is checked against the full fan-out."""


class Lossless(NamedTuple):
    """Lossless arithmetic of one model and system on one fabric. The headroom of each link is cached."""

    fabric: Fabric
    switch: SwitchModel
    asic: Asic
    system: str
    tiers: int
    cache: dict[tuple[int, float], Headroom | None]

    @property
    def marking(self) -> Marking:
        """The fabric's marking plan."""
        return MARKING_BY_NAME[self.fabric.roce.marking]

    @property
    def alpha(self) -> Fraction:
        """Share of the free buffer that one lossless queue may use."""
        return Fraction(self.fabric.roce.alpha)

    @property
    def headroom_pool(self) -> int | None:
        """Octets reserved for headroom: the model's published pool, else the chip's; None where unknown."""
        return self.switch.headroom_pool_octets or self.asic.headroom_pool_octets

    @property
    def pool(self) -> PoolBudget | None:
        """Division of the packet memory; None where the chip's sizes are unknown."""
        if self.asic.buffer_octets is None or self.headroom_pool is None:
            return None
        return PoolBudget(total_octets=self.asic.buffer_octets, headroom_octets=self.headroom_pool, reserved_octets=0)

    @property
    def queue_limit(self) -> int | None:
        """Octets that one congested lossless queue may reach; None where the buffer is unknown."""
        pool = self.pool
        return queue_limit_octets(pool.shared_octets, self.alpha, CONGESTED_QUEUES) if pool else None

    @property
    def resume_octets(self) -> int:
        """How far below its limit a queue must fall before the peer may send again; 0 where the cell is unknown."""
        if self.fabric.roce.xon_offset == "published" and self.switch.xon_offset_octets is not None:
            return self.switch.xon_offset_octets
        return xon_offset_octets(self.asic.cell_octets) if self.asic.cell_octets else 0

    def queues(self, system: str) -> tuple[QueueRow, ...]:
        """Return the queues in use on a switch that runs a system, ascending."""
        return schedule(self.marking, rides=self.rides(system))

    def rides(self, system: str) -> bool:
        """Return whether the switch's own packets use the CNP queue."""
        return rides_with_cnp(system, self.marking, bfd=self.fabric.bgp.bfd)

    def ecn(self, speed_gbps: int, role: str, nic_vendor: str, fan_out: int) -> Ecn | None:
        """Return the thresholds at a speed, from the intent or the vendor; None where the named profile has no row.

        fan_out  egress queues that one ingress port feeds (`fan_out_of`), for which the formula reserves room
        """
        chosen = self.fabric.roce.ecn
        if isinstance(chosen, EcnThresholds):
            return Ecn(chosen.minimum_octets, chosen.maximum_octets, chosen.probability_percent, "the intent")
        queue = self.queue(speed_gbps, role, nic_vendor, fan_out)
        return published_or_formula(self.published, queue) if chosen == PUBLISHED else thresholds_of(chosen, queue)

    def queue(self, speed_gbps: int, role: str, nic_vendor: str, fan_out: int) -> Marked:
        """Return the lossless queue of ports of a speed, as input of profiles and the formula."""
        return Marked(
            speed_gbps=speed_gbps,
            role=Tier.LEAF.value if role == Tier.BORDER.value else role,
            tiers=self.tiers,
            nic_vendor=nic_vendor,
            queue_limit_octets=self.queue_limit,
            pfc_limit_octets=self.pfc_limit(fan_out),
        )

    @property
    def published(self) -> tuple[str, ...]:
        """ECN profiles that the vendor publishes for the model with its system, in order of preference."""
        platform = PLATFORMS.get(self.system)
        return platform.published_ecn(self.asic.name) if platform is not None else ()

    def pfc_limit(self, fan_out: int) -> int | None:
        """Return the Kmin from which PFC would act first, in octets; None where the buffer is unknown."""
        pool = self.pool
        if pool is None:
            return None
        return int(kmin_limit_octets(shared_octets=pool.shared_octets, alpha=self.alpha, fan_out=fan_out))

    def headroom(self, speed_gbps: int, length_m: float) -> Headroom | None:
        """Return the headroom of one link; None where nothing is published and no fit covers the speed."""
        key = (speed_gbps, length_m)
        if key not in self.cache:
            facts = HeadroomFacts(
                model_rows=self.switch.headroom,
                asic_rows=self.asic.headroom,
                fit=self.asic.fit,
                cell_octets=self.asic.cell_octets,
            )
            self.cache[key] = headroom(facts, speed_gbps=speed_gbps, length_m=length_m, mtu=self.fabric.mtu)
        return self.cache[key]


def lossless_speeds(switch: SwitchModel, asic: Asic, system: str, length_m: int) -> tuple[int, ...]:
    """Speeds of ports, in Gb/s, at which a switch that runs a system can have a lossless class, the fastest first.

    length_m  of the longest cable

    The sizes of its buffers must be known, or its system reserves headroom itself. What else a fabric asks for, such as
    the number of ports, only a plan can tell.
    """
    platform, spellings = PLATFORMS[system], {**asic.spellings.get(system, {}), **switch.spellings.get(system, {})}
    needed, pool = (platform.can("pfc"), platform.can("headroom")), platform.can("headroom-pool")
    is_refused = any(row is None or (row.refusal and not (row.instead or row.is_vouched(spellings))) for row in needed)
    if is_refused or any(key not in spellings for key in platform.lossless_keys):
        return ()
    # Where ports share no pool each takes its headroom from the buffer.
    has_room = (
        pool is None or bool(pool.refusal) or (switch.headroom_pool_octets or asic.headroom_pool_octets) is not None
    )
    is_known = has_room and asic.buffer_octets is not None
    facts = HeadroomFacts(switch.headroom, asic.headroom, asic.fit, asic.cell_octets)
    speeds = {mode.speed_gbps for run in switch.cages if not run.service for mode in run.modes}
    known = [
        speed
        for speed in speeds
        if length_m <= platform.own_headroom_m
        or (is_known and headroom(facts, speed_gbps=speed, length_m=length_m, mtu=FULL_MTU) is not None)
    ]
    return tuple(sorted(known, reverse=True))


def lossless_of(plan: FabricPlan, chassis: Chassis) -> Lossless | None:
    """Return the lossless arithmetic of a chassis; None on a fabric without a lossless class."""
    fabric = plan.fabric
    if not is_lossless(fabric):
        return None
    system = chassis.system.partition("-")[0]
    return Lossless(fabric, chassis.switch, chassis.asic, system, max(plan.shape.tiers, 1), {})


def fan_out_of(plan: FabricPlan, role: str, chassis: Chassis) -> int:
    """Return the egress queues that one ingress port of a planned chassis feeds: all ports in use but its own.

    F of the DCQCN paper. On a spine or superspine without all links of the pair that the packet came in by.
    """
    ingress_links = {"spine": plan.shape.links, "superspine": plan.shape.core_links}.get(role, 1)
    return max(len(chassis.down) + len(chassis.up) - ingress_links, 1)


def nic_vendor(plan: FabricPlan) -> str:
    """Return the vendor of the fabric's NICs, which the ECN formula needs."""
    return plan.shape.groups[0].nics.vendor
