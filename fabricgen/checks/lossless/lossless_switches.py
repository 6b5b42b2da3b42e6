"""Chassis of lossless fabrics, and the memory that each has for the headroom of its ports, as rendered."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fabricgen.checks.lossless.marking import has_known_names, lossless_fabrics
from fabricgen.device.qos import Qos
from fabricgen.errors import IntentPath
from fabricgen.hardware.catalog import library_switch
from fabricgen.hardware.ports import ports
from fabricgen.intent.fabric import model_key
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.platforms.base.lossless import RenderedLossless
from fabricgen.policy.buffers import PoolBudget
from fabricgen.policy.headroom import OVERCOMMIT, HeadroomBudget
from fabricgen.resolve.device import rendered_lossless
from fabricgen.resolve.lossless import Lossless, fan_out_of, lossless_of
from fabricgen.resolve.qos import LosslessBox, qos_of
from fabricgen.topologies.shape import Chassis


class LosslessSwitch(NamedTuple):
    """One chassis of a lossless fabric: its role, its ports in use by speed, and its arithmetic.

    links    (speed, metres) → ports
    fan_out  egress queues that one ingress port feeds
    """

    name: str
    role: str
    fabric: FabricPlan
    chassis: Chassis
    lossless: Lossless
    links: dict[tuple[int, float], int]
    fan_out: int

    @property
    def where(self) -> IntentPath:
        """Path of the model in the intent."""
        if self.role == Tier.BORDER.value:
            key = "border" if getattr(self.fabric.fabric, "border", None) else "leaf"
            return ("fabrics", self.name, key, "model")
        return ("fabrics", self.name, *model_key(self.fabric.fabric, self.role, self.chassis.switch.model))


class HeadroomUse(NamedTuple):
    """Headroom of all lossless ports of a switch compared with the memory for it, in octets.

    ports    number of ports that share it
    needed   as in the files, or as the switch computes it
    size     the pool that the ports share; without a shared pool the whole buffer
    allowed  octets that may be needed per octet of size
    private  the ports share no pool: each takes its headroom from the buffer
    """

    ports: int
    needed: int
    size: int
    allowed: float
    private: bool

    @property
    def budget(self) -> HeadroomBudget:
        """The budget with one lossless class, as every marking plan has."""
        return HeadroomBudget(self.needed, self.size)


def boxes(plan: Plan) -> Iterator[LosslessSwitch]:
    """Yield every chassis of every lossless fabric, with the default cable lengths: one per role, for any size.

    Fabrics with an unknown marking plan or ECN profile are skipped: `known_profiles` refuses them.
    """
    for name, settings, fabric in lossless_fabrics(plan):
        if not has_known_names(settings):
            continue
        for key, chassis in fabric.shape.chassis:
            role = Tier.BORDER.value if key == "border" else key
            lossless = lossless_of(fabric, chassis)
            if lossless is not None:
                links = _links(fabric, role, chassis)
                yield LosslessSwitch(name, role, fabric, chassis, lossless, links, fan_out_of(fabric, role, chassis))


def _links(fabric: FabricPlan, role: str, chassis: Chassis) -> dict[tuple[int, float], int]:
    """Return the lossless ports of a planned chassis by speed and length; on a spine or superspine all are planned."""
    lengths = fabric.lengths
    below, above = {
        Tier.LEAF.value: (lengths.server_leaf, lengths.leaf_spine),
        Tier.BORDER.value: (0.0, lengths.leaf_spine),
        Tier.SPINE.value: (lengths.leaf_spine, lengths.spine_superspine),
        Tier.SUPERSPINE.value: (lengths.spine_superspine, 0.0),
    }[role]
    # Ports towards outside peers have no lossless class.
    down = () if role == Tier.BORDER.value else chassis.down
    ports_by_link: dict[tuple[int, float], int] = {}
    for used, length in ((down, below), (chassis.up, above)):
        for port in used:
            ports_by_link[port.speed_gbps, length] = ports_by_link.get((port.speed_gbps, length), 0) + 1
    return ports_by_link


def planned_qos(box: LosslessSwitch) -> Qos:
    """Return the quality of service of a chassis with its planned ports."""
    links = ((link, count, box.lossless.headroom(*link)) for link, count in sorted(box.links.items()))
    rows = tuple(((*link, headroom.octets if headroom else 0), count) for link, count, headroom in links)
    return qos_of(LosslessBox(box.fabric, box.role, box.chassis, box.lossless), rows)


def rendered_of(box: LosslessSwitch, qos: Qos | None = None) -> RenderedLossless:
    """Return the lossless class of a chassis after the rounding of its system.

    qos  of a particular switch; by default of the chassis with its planned ports
    """
    return rendered_lossless(box.chassis, qos or planned_qos(box), box.lossless.fabric.mtu)


def room_of(box: LosslessSwitch, qos: Qos | None = None) -> HeadroomUse | None:
    """Return the use of headroom memory of a switch; None where no source gives the size of its pool or buffer.

    qos  of a particular switch, e.g. with other cables; by default of the chassis with its planned ports
    """
    planned = qos or planned_qos(box)
    rendered = rendered_of(box, planned)
    rows = tuple(zip(planned.headroom, rendered.headroom, strict=True))
    count = sum(row.ports for row, _ in rows)
    private = sum(as_rendered.private * row.ports for row, as_rendered in rows)
    if private:
        buffer = box.chassis.asic.buffer_octets
        return HeadroomUse(count, private, buffer, 1, private=True) if buffer else None
    pool = rendered.pool_octets or box.lossless.headroom_pool
    if not pool:
        return None
    needed = sum((as_rendered.octets or row.octets) * row.ports for row, as_rendered in rows)
    return HeadroomUse(count, needed, pool, _overcommit(box, planned), private=False)


def _overcommit(box: LosslessSwitch, qos: Qos) -> float:
    """Return the octets of headroom that may be reserved per octet of a shared pool.

    The intent's number if it has one; else 2, as not all ports pause at once, or the vendor's own ratio where every
    link is in the model's published table, e.g. 2.66 for 128 x 400G.
    """
    written: float | None = box.lossless.fabric.roce.headroom_overcommit
    links = [(row.speed_gbps, float(row.length_m)) for row in qos.headroom]
    return written if written is not None else max(float(OVERCOMMIT), vendor_ratio(box, links))


def vendor_ratio(box: LosslessSwitch, links: Sequence[tuple[int, float]]) -> float:
    """Return the octets that the model's vendor reserves per octet of its pool, if every port has the row of its speed.

    Table and pool are those of the library: rows of a user's file are his own, and would raise their own limit. 0 where
    the library has no row or no pool of the model, or where a link in use is not in its table: then the vendor has
    published nothing about this mixture.
    """
    switch = library_switch(box.chassis.switch.model)
    if switch is None or not switch.headroom_pool_octets or not box.chassis.switch.headroom_pool_octets:
        return 0
    tables = {speed: [row for row in switch.headroom if row.speed_gbps == speed] for speed, _ in links}
    if any(length > max((row.length_m for row in tables[speed]), default=-1) for speed, length in links):
        return 0
    most = {speed: max(row.xoff_octets for row in rows) for speed, rows in tables.items()}
    return max(
        (len(ports(switch, speed)) * octets / switch.headroom_pool_octets for speed, octets in most.items()), default=0
    )


def budget_of(box: LosslessSwitch) -> PoolBudget | None:
    """Return the division of the packet memory as rendered, without private headroom; None if a size is unknown."""
    room, total = room_of(box), box.chassis.asic.buffer_octets
    if room is None or not total:
        return None
    headroom = room.needed if room.private else room.size
    return PoolBudget(total_octets=total, headroom_octets=headroom, reserved_octets=0)
