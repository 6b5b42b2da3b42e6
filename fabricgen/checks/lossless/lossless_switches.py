"""Chassis of lossless fabrics, and the room that each has for the headroom of its ports, as it is rendered."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fabricgen.checks.lossless.marking import has_known_names, lossless_backends
from fabricgen.device.qos import Qos
from fabricgen.errors import IntentPath
from fabricgen.hardware.ports import ports
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.platforms.base.lossless import RenderedLossless
from fabricgen.policy.buffers import PoolBudget
from fabricgen.policy.headroom import OVERCOMMIT, HeadroomBudget, headroom_budget
from fabricgen.resolve.device import rendered_lossless
from fabricgen.resolve.lossless import Lossless, fan_out_of, lossless_of
from fabricgen.resolve.qos import LosslessBox, qos_of
from fabricgen.topologies.shape import Chassis


class LosslessSwitch(NamedTuple):
    """One chassis of a lossless fabric: its role in the intent, its ports in use by speed, and its arithmetic.

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
        """The model in the intent."""
        return ("fabrics", self.name, self.role, "model")


class HeadroomUse(NamedTuple):
    """Headroom of all lossless ports of a switch, as the switch has it, against what it has for that; octets.

    ports    how many ports share it
    needed   as the files have it, or as the switch computes it
    size     the pool that its ports share; where they share none, its whole buffer
    allowed  octets that may be needed per octet of size
    private  whether the ports share no pool: each takes its headroom off the buffer
    """

    ports: int
    needed: int
    size: int
    allowed: float
    private: bool

    @property
    def budget(self) -> HeadroomBudget:
        """For one lossless class."""
        return headroom_budget([self.needed], lossless_classes=1, pool_octets=self.size)


def boxes(plan: Plan) -> Iterator[LosslessSwitch]:
    """Every chassis of every lossless fabric, with the default cable lengths: one a role, whatever the size.

    None of a fabric whose marking plan or ECN profile is unknown: `known_profiles` refuses that one.
    """
    for name, backend, fabric in lossless_backends(plan):
        if not has_known_names(backend):
            continue
        for role, chassis in _chassis(fabric):
            lossless = lossless_of(fabric, chassis)
            if lossless is not None:
                links = _links(fabric, role, chassis)
                yield LosslessSwitch(name, role, fabric, chassis, lossless, links, fan_out_of(fabric, role, chassis))


def _chassis(fabric: FabricPlan) -> Iterator[tuple[str, Chassis]]:
    yield from (("leaf", group.leaf) for group in fabric.shape.groups)
    if fabric.shape.spine is not None and fabric.shape.spines:
        yield "spine", fabric.shape.spine
    if fabric.shape.core is not None and fabric.shape.cores:
        yield "superspine", fabric.shape.core


def _links(fabric: FabricPlan, role: str, chassis: Chassis) -> dict[tuple[int, float], int]:
    """Ports in use of a planned chassis by speed and length; every port of a spine or superspine is planned for."""
    lengths = fabric.lengths
    below, above = {
        "leaf": (lengths.server_leaf, lengths.leaf_spine),
        "spine": (lengths.leaf_spine, lengths.spine_superspine),
        "superspine": (lengths.spine_superspine, 0.0),
    }[role]
    found: dict[tuple[int, float], int] = {}
    for used, length in ((chassis.down, below), (chassis.up, above)):
        for port in used:
            found[port.speed_gbps, length] = found.get((port.speed_gbps, length), 0) + 1
    return found


def planned_qos(box: LosslessSwitch) -> Qos:
    """Quality of service of a chassis with its planned ports."""
    links = ((link, count, box.lossless.headroom(*link)) for link, count in sorted(box.links.items()))
    rows = tuple(((*link, found.octets if found else 0), count) for link, count, found in links)
    return qos_of(LosslessBox(box.fabric, box.role, box.chassis, box.lossless), rows)


def rendered_of(box: LosslessSwitch, qos: Qos | None = None) -> RenderedLossless:
    """The lossless class of a chassis as its switches are told of it, after the rounding of their system.

    qos  of a switch that was built in another way; else with the planned ports
    """
    return rendered_lossless(box.chassis, qos or planned_qos(box), box.lossless.fabric.mtu)


def room_of(box: LosslessSwitch, qos: Qos | None = None) -> HeadroomUse | None:
    """Room for the headroom of a switch; None where no source gives the size of its pool or buffer.

    qos  of a switch that was built in another way, e.g. with other cables; else with the planned ports
    """
    told = qos or planned_qos(box)
    found = rendered_of(box, told)
    rows = tuple(zip(told.headroom, found.headroom, strict=True))
    count = sum(row.ports for row, _ in rows)
    private = sum(own.private * row.ports for row, own in rows)
    if private:
        buffer = box.chassis.asic.buffer_octets
        return HeadroomUse(count, private, buffer, 1, private=True) if buffer else None
    pool = found.pool_octets or box.lossless.headroom_pool
    if not pool:
        return None
    needed = sum((own.octets or row.octets) * row.ports for row, own in rows)
    return HeadroomUse(count, needed, pool, _overcommit(box, told), private=False)


def overcommit(box: LosslessSwitch) -> float:
    """Octets of headroom that may be promised per octet of pool, with the planned ports."""
    room = room_of(box)
    return room.allowed if room is not None else OVERCOMMIT


def _overcommit(box: LosslessSwitch, qos: Qos) -> float:
    """Octets of headroom that may be promised per octet of a shared pool.

    The intent's own number if it has one; else 2, as not all ports pause at once, or the maker's own ratio where every
    link is of the model's published table, e.g. 2.66 for 128 x 400G.
    """
    own: float | None = box.lossless.fabric.roce.headroom_overcommit
    links = [(row.speed_gbps, float(row.length_m)) for row in qos.headroom]
    return own if own is not None else max(float(OVERCOMMIT), vendor_ratio(box, links))


def vendor_ratio(box: LosslessSwitch, links: Sequence[tuple[int, float]]) -> float:
    """Octets that the model's maker promises per octet of its pool: every port at each speed in use at its row.

    0 where the model has no row or no pool of its own, or where a link in use is not of its table: then the maker
    has said nothing about this mixture.
    """
    switch = box.chassis.switch
    found = [box.lossless.headroom(speed, length) for speed, length in links]
    if not switch.headroom_pool_octets or any(row is None or row.basis != "model-row" for row in found):
        return 0
    rows = {speed: max(row.xoff_octets for row in switch.headroom if row.speed_gbps == speed) for speed, _ in links}
    return max(
        (len(ports(switch, speed)) * octets / switch.headroom_pool_octets for speed, octets in rows.items()), default=0
    )


def budget_of(box: LosslessSwitch) -> PoolBudget | None:
    """Packet memory cut up, as it is rendered; None where a size is unknown. Private headroom comes off the buffer."""
    room, total = room_of(box), box.chassis.asic.buffer_octets
    if room is None or not total:
        return None
    headroom = room.needed if room.private else room.size
    return PoolBudget(total_octets=total, headroom_octets=headroom, reserved_octets=0)
