"""The plan of a site: every fabric's numbers from the intent, the hardware and the lock. Reads no device."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from ipaddress import IPv4Network, IPv6Network
from typing import NamedTuple

from fabricgen.base.addresses import block_length
from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.catalog import Catalog
from fabricgen.intent.completion import chosen_version
from fabricgen.intent.fabric import Addressing, Backend, Fabric, is_unnumbered, overlay_of, router_ids_of
from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import Span
from fabricgen.plan.bindings import ports_outside, with_bindings
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import FabricPlan, host_space, row_of
from fabricgen.plan.lock import Lock, by_fabric
from fabricgen.plan.nic_ports import nic_port_clashes
from fabricgen.plan.place import Place, PlaceRange, Tier, box
from fabricgen.plan.renames import pending_renames, renames_of
from fabricgen.plan.segments import (
    OOB_RESERVED,
    FabricPools,
    NumberDemand,
    Pool,
    Segment,
    SharedPorts,
    SitePools,
    UpPorts,
    extend,
    renamed,
)
from fabricgen.plan.tenants import PlannedTenant, carried_by, extend_ids, plan_tenants, renamed_ids
from fabricgen.topologies import make_shape
from fabricgen.topologies.request import Allocated, make_request
from fabricgen.topologies.shape import Chassis, GroupShape, Shape, with_cores, with_spines

NO_LOCK = Lock()


class Plan(NamedTuple):
    """Everything that is computed of a site.

    fabrics  sorted by name; tenants: by fabric with tenants, a frontend or a shared backend
    lock     the lock as it must become
    """

    intent: Intent
    catalog: Catalog
    fabrics: Mapping[str, FabricPlan]
    tenants: Mapping[str, tuple[PlannedTenant, ...]]
    lock: Lock
    recorded: Lock

    @property
    def exceptions(self) -> Exceptions:
        """Those of the site, which every fabric has; none without a fabric."""
        return next((fabric.exceptions for fabric in self.fabrics.values()), Exceptions())


def make_shapes(intent: Intent, catalog: Catalog, recorded: Lock = NO_LOCK) -> dict[str, Shape]:
    """Dimensions of each fabric, sorted by name. Raises FabricError with the problems of all.

    recorded  the current lock: a number of spines that it has, and the intent leaves out, is kept
    """
    former = {new: old for old, new in _renamed_fabrics(intent, recorded).items()}
    shapes: dict[str, Shape] = {}
    problems: list[Problem] = []
    for name, fabric in sorted(intent.fabrics.items()):
        allocated = _recorded_counts(former.get(name, name), recorded, intent)
        try:
            shapes[name] = make_shape(make_request(name, fabric, intent.servers, catalog, allocated))
        except FabricError as error:
            problems.extend(error.problems)
    if problems:
        # Clashes of NIC ports are found without a shape: reported now, they need not wait for these corrections.
        raise FabricError((*problems, *nic_port_clashes(intent, catalog)))
    return shapes


def _renamed_fabrics(intent: Intent, recorded: Lock) -> dict[str, str]:
    """Renames of fabrics that the lock does not have yet, from old to new."""
    written = {segment.fabric for segment in recorded.segments} | {id_line.fabric for id_line in recorded.ids}
    return pending_renames(renames_of(("fabrics",), intent.fabrics), written)


def _renamed_groups(intent: Intent, recorded: Lock) -> dict[str, str]:
    """Renames of server groups that the lock does not have yet, from old to new."""
    lines = recorded.segments
    written = {line.group for line in lines} | {each.group for line in lines for each in line.shared}
    return pending_renames(renames_of(("servers",), intent.servers), written)


def _recorded_counts(name: str, recorded: Lock, intent: Intent) -> Allocated:
    """What the lock has of a fabric. name: the one that it is recorded under."""
    own_segments = tuple(segment for segment in recorded.segments if segment.fabric == name)
    leaves = tuple(segment for segment in own_segments if segment.tier is Tier.LEAF)
    is_pods = any(segment.box.pod.last for segment in leaves)
    units: dict[str, int] = {}
    for leaf in leaves if is_pods else ():
        units[leaf.group] = max(units.get(leaf.group, 0), leaf.box.su.last + 1)
    return Allocated(
        spines=max((each.box.index.last + 1 for each in own_segments if each.tier is Tier.SPINE), default=0),
        superspines=max((each.box.index.last + 1 for each in own_segments if each.tier is Tier.SUPERSPINE), default=0),
        spine_up=next((each.up.count for each in own_segments if each.tier is Tier.SPINE and each.up is not None), 0),
        uplink_gbps=next((leaf.up.gbps for leaf in leaves if leaf.up is not None), 0),
        units=tuple(units.items()),
        sharing=_recorded_sharing(leaves, recorded, intent),
    )


def _recorded_sharing(leaves: tuple[Segment, ...], recorded: Lock, intent: Intent) -> tuple[str, ...]:
    """Groups on the leaves of another, under their present names, in the order of their ports."""
    names = [each.group for leaf in leaves for each in leaf.shared]
    renames = _renamed_groups(intent, recorded) if names else {}
    return tuple(dict.fromkeys(renames.get(name, name) for name in names))


def extend_lock(intent: Intent, shapes: Mapping[str, Shape], recorded: Lock) -> Lock:
    """The lock as the intent needs it: renamed, then extended. Existing switches keep their numbers.

    Raises FabricError for a `was` that is ambiguous about whose numbers are meant.
    """
    recorded = follow_renames(intent, recorded)
    ids = recorded.ids
    demands = [demand for name, shape in shapes.items() for demand in demands_of(shape, intent.fabrics[name])]
    site = SitePools(
        fabrics={name: pools_of(fabric) for name, fabric in intent.fabrics.items()},
        oob=int(intent.management.oob.network_address) + OOB_RESERVED,
    )
    for name, fabric in sorted(intent.fabrics.items()):
        ids = extend_ids(ids, name, carried_by(name, fabric, intent.tenants))
    defaults = chosen_version(intent, None)
    return by_fabric(Lock(segments=extend(recorded.segments, demands, site), ids=ids, defaults=defaults))


def follow_renames(intent: Intent, recorded: Lock) -> Lock:
    """The lock under the names of the intent, its lines in the same order.

    Raises FabricError for a `was` that is ambiguous about whose numbers are meant.
    """
    fabrics = _renamed_fabrics(intent, recorded)
    groups = _renamed_groups(intent, recorded)
    return recorded._replace(
        segments=renamed(recorded.segments, fabrics, groups), ids=renamed_ids(recorded.ids, fabrics, intent.tenants)
    )


def demands_of(shape: Shape, fabric: Fabric) -> Iterator[NumberDemand]:
    """What a fabric needs numbers for, borders first, so that their rows stay low on the spines."""
    if shape.border is not None:
        yield _demand(shape, fabric, Tier.BORDER, box(index=shape.borders), shape.border)
    for group in shape.leaf_groups:
        planned = box(shape.planes, shape.pods, group.units_a_pod, group.rails, group.indexes)
        yield _demand(shape, fabric, Tier.LEAF, planned, group.leaf, group)
    if shape.spine is not None:
        planned = box(shape.planes, shape.pods, index=shape.spines_planned)
        yield _demand(shape, fabric, Tier.SPINE, planned, shape.spine)
    if shape.core is not None:
        planned = box(shape.planes, su=shape.spines_planned, index=shape.cores_planned)
        yield _demand(shape, fabric, Tier.SUPERSPINE, planned, shape.core)


def _demand(
    shape: Shape, fabric: Fabric, tier: Tier, planned: PlaceRange, chassis: Chassis, group: GroupShape | None = None
) -> NumberDemand:
    hosts = len(chassis.down) if group is not None and isinstance(fabric, Backend) else 0
    # Unnumbered links need no addresses of a block.
    links = fabric.addressing.links
    host_family = fabric.addressing.hosts if hosts else ""
    addresses = host_space(hosts) + (0 if is_unnumbered(fabric.addressing) else 2 * len(chassis.uplinks))
    has_block = addresses > 0
    return NumberDemand(
        fabric=shape.fabric,
        tier=tier,
        group=group.name if group is not None else "",
        planned=planned,
        slots=group.slots_a_unit if group is not None else 0,
        hosts=hosts,
        length4=block_length(addresses, 32) if has_block and ("ipv4" in links or host_family == "ipv4") else None,
        length6=block_length(addresses, 128) if has_block and ("ipv6" in links or host_family == "ipv6") else None,
        up=_up_ports(shape, tier, chassis),
        shared=_shared(shape, group) if group is not None else (),
    )


def _shared(shape: Shape, owner: GroupShape) -> tuple[SharedPorts, ...]:
    others = (group for group in shape.sharing(owner.name) if group is not owner)
    return tuple(SharedPorts(group.name, group.slots_a_unit, group.ports_a_leaf) for group in others)


def _up_ports(shape: Shape, tier: Tier, chassis: Chassis) -> UpPorts | None:
    """Ports that a switch needs upwards: for a leaf those that its ratio requires, even if its spines take more."""
    if not chassis.up:
        return None
    return UpPorts(len(chassis.up) if tier is Tier.SPINE else shape.uplinks_asked, chassis.up[0].speed_gbps)


def pools_of(fabric: Fabric) -> FabricPools:
    """Pools of one fabric."""
    addressing = fabric.addressing
    return FabricPools(
        ipv4=_pool(addressing.ipv4),
        ipv6=_pool(addressing.ipv6),
        asns=fabric.asns,
        router_ids=_pool(router_ids_of(addressing)),
    )


def _pool(network: IPv4Network | IPv6Network | None) -> Pool | None:
    if network is None:
        return None
    return Pool(start=int(network.network_address), size=network.num_addresses, bits=network.max_prefixlen)


def make_plan(
    intent: Intent, catalog: Catalog, shapes: Mapping[str, Shape], recorded: Lock, exceptions: Exceptions
) -> Plan:
    """Build the plan from shapes and numbers. The checks verify it later."""
    intent = _with_own_mtu(intent, shapes)
    lock = extend_lock(intent, shapes, recorded)
    fabrics = {name: _fabric_plan(name, intent, shape, lock) for name, shape in sorted(shapes.items())}
    tenants = {
        name: plan_tenants(name, fabric, intent.tenants, lock.ids)
        for name, fabric in sorted(intent.fabrics.items())
        if overlay_of(fabric) is not None
    }
    bare = Plan(intent=intent, catalog=catalog, fabrics=fabrics, tenants=tenants, lock=lock, recorded=recorded)
    return with_exceptions(bare, exceptions)


def _with_own_mtu(intent: Intent, shapes: Mapping[str, Shape]) -> Intent:
    """The intent, with an MTU that all models support for each fabric that sets none.

    No fabric whose models support the default changes: with other models, the default was refused until now.
    """
    changed: dict[str, Fabric] = {}
    for name, shape in shapes.items():
        fabric = intent.fabrics[name]
        supported_mtu = min(chassis.switch.mtu for _, chassis in shape.chassis)
        if "mtu" not in fabric.model_fields_set and supported_mtu < fabric.mtu:
            changed[name] = fabric.model_copy(update={"mtu": supported_mtu})
    return intent.model_copy(update={"fabrics": {**intent.fabrics, **changed}}) if changed else intent


def on_spines(plan: Plan, name: str, spines: int) -> FabricPlan:
    """One fabric with another number of spines; `growth` knows whether that number is legal."""
    return _with_shape(plan, name, with_spines(plan.fabrics[name].shape, spines))


def on_cores(plan: Plan, name: str, cores: int) -> FabricPlan:
    """One fabric with another number of superspines per core group; legal or not, as for spines."""
    return _with_shape(plan, name, with_cores(plan.fabrics[name].shape, cores))


def _with_shape(plan: Plan, name: str, shape: Shape) -> FabricPlan:
    return with_bindings(replace(plan.fabrics[name], shape=shape), ports_outside(plan.tenants.get(name, ())))


def with_exceptions(plan: Plan, exceptions: Exceptions) -> Plan:
    """Return the plan with these exceptions. Numbers and names stay; cables of dead ports move to spare ports."""
    fabrics = {
        name: with_bindings(replace(fabric, exceptions=exceptions), ports_outside(plan.tenants.get(name, ())))
        for name, fabric in plan.fabrics.items()
    }
    return plan._replace(fabrics=fabrics)


def _fabric_plan(name: str, intent: Intent, shape: Shape, lock: Lock) -> FabricPlan:
    fabric = intent.fabrics[name]
    segments: dict[tuple[Tier, str], tuple[Segment, ...]] = {}
    for segment in lock.segments:
        if segment.fabric == name:
            key = (segment.tier, segment.group)
            segments[key] = (*segments.get(key, ()), _used(segment, fabric.addressing))
    known = {group.name for group in shape.leaf_groups}
    kept = {key: group_segments for key, group_segments in segments.items() if not key[1] or key[1] in known}
    bare = FabricPlan(
        name=name,
        prefix=fabric.prefix or name,
        fabric=fabric,
        shape=shape,
        segments=kept,
        rows={},
        exceptions=Exceptions(),
        bindings={},
        lengths=intent.cables.default,
    )
    return replace(bare, rows=_rows(bare))


def _used(segment: Segment, addressing: Addressing) -> Segment:
    """The numbers of a line that the fabric uses: without the prefix of a family, none of that family.

    The lock keeps them in case the prefix comes back.
    """
    if addressing.ipv4 is None and segment.loopback4 is not None:
        segment = segment.without_ipv4()
    if addressing.ipv6 is None and (segment.ipv6, segment.loopback6) != (None, None):
        segment = segment._replace(ipv6=None, loopback6=None)
    return segment


def _rows(plan: FabricPlan) -> dict[int, Place]:
    rows: dict[int, Place] = {}
    for (tier, group), segments in plan.segments.items():
        if tier not in (Tier.BORDER, Tier.LEAF):
            continue
        for segment in segments:
            # Equal leaves of other planes and pods share the row, so one plane and one pod are enough.
            one_pod = segment.box.cut(0, Span(segment.box.plane.first, segment.box.plane.first))
            one_pod = one_pod.cut(1, Span(segment.box.pod.first, segment.box.pod.first))
            for number in range(one_pod.size()):
                place = Place(plan.name, tier, group, *one_pod.point(number))
                rows[row_of(plan, place)] = place._replace(plane=0, pod=0)
    return rows
