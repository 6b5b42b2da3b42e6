"""The lossless plan of one switch model, with every number's basis: what resolve renders and `plan` prints."""

from fractions import Fraction
from typing import NamedTuple

from fabricgen.hardware.model import Asic, Switch
from fabricgen.intent.fabric import Backend, EcnThresholds
from fabricgen.plan.fabric import FabricPlan
from fabricgen.policy.buffers import PoolBudget, queue_limit_octets, xon_offset_octets
from fabricgen.policy.ecn import Ecn, ecn_thresholds
from fabricgen.policy.headroom import Headroom, HeadroomFacts, headroom
from fabricgen.policy.marking import MARKING_BY_NAME, Marking
from fabricgen.policy.scheduling import WEIGHTS_BY_NAME, QueueRow, schedule
from fabricgen.resolve.control import rides_with_cnp
from fabricgen.topologies.shape import Chassis

WEIGHTS = "backend"
CONGESTED_QUEUES = 1
"""Queues assumed full at once for the limit of one; ECN is checked against the full fan-out."""


class Lossless(NamedTuple):
    """Lossless arithmetic of one chassis on one backend. Headroom of a link is looked up once and kept."""

    fabric: Backend
    switch: Switch
    asic: Asic
    tiers: int
    cache: dict[tuple[int, float], Headroom | None]

    @property
    def marking(self) -> Marking:
        """The fabric's marking plan."""
        return MARKING_BY_NAME[self.fabric.roce.marking]

    @property
    def alpha(self) -> Fraction:
        """Share of the free buffer one lossless queue may take."""
        return Fraction(self.fabric.roce.alpha)

    @property
    def headroom_pool(self) -> int | None:
        """Octets kept for headroom: the model's own published pool first, then the chip's; None where unknown."""
        return self.switch.headroom_pool_octets or self.asic.headroom_pool_octets

    @property
    def pool(self) -> PoolBudget | None:
        """Packet memory cut up; None where the chip's sizes are unknown."""
        if self.asic.buffer_octets is None or self.headroom_pool is None:
            return None
        return PoolBudget(total_octets=self.asic.buffer_octets, headroom_octets=self.headroom_pool, reserved_octets=0)

    @property
    def queue_limit(self) -> int | None:
        """Octets one congested lossless queue may grow to; None where the buffer is unknown."""
        pool = self.pool
        return queue_limit_octets(pool.shared_octets, self.alpha, CONGESTED_QUEUES) if pool else None

    @property
    def resume_octets(self) -> int:
        """How far below its limit a queue falls before the peer may send again; 0 where the cell is unknown."""
        return xon_offset_octets(self.asic.cell_octets) if self.asic.cell_octets else 0

    def queues(self, system: str) -> tuple[QueueRow, ...]:
        """Queues in use on a switch that runs a system, ascending."""
        return schedule(self.marking, WEIGHTS_BY_NAME[WEIGHTS], rides=self.rides(system))

    def rides(self, system: str) -> bool:
        """Whether the switch's own packets leave by the CNP's queue."""
        return rides_with_cnp(system, self.marking, bfd=self.fabric.bgp.bfd)

    def ecn(self, speed_gbps: int, role: str, nic_vendor: str) -> Ecn | None:
        """Thresholds at a speed; None where the named profile has no row for it."""
        chosen = self.fabric.roce.ecn
        if isinstance(chosen, EcnThresholds):
            return Ecn(chosen.minimum_octets, chosen.maximum_octets, chosen.probability_percent, "the intent")
        return ecn_thresholds(
            chosen,
            speed_gbps=speed_gbps,
            tiers=self.tiers,
            role=role,
            queue_limit_octets=self.queue_limit,
            nic_vendor=nic_vendor,
        )

    def headroom(self, speed_gbps: int, length_m: float) -> Headroom | None:
        """Headroom of one link; None where nothing is published and no fit exists for the speed."""
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


def lossless_of(plan: FabricPlan, chassis: Chassis) -> Lossless | None:
    """Lossless arithmetic for a chassis; None on a fabric without a lossless class."""
    fabric = plan.fabric
    if not isinstance(fabric, Backend) or fabric.transport != "roce-lossless":
        return None
    return Lossless(fabric, chassis.switch, chassis.asic, max(plan.shape.tiers, 1), {})


def nic_vendor(plan: FabricPlan) -> str:
    """Vendor of the fabric's NICs: the ECN formula asks it."""
    return plan.shape.groups[0].nics.vendor
