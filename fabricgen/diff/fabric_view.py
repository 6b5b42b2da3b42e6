"""One side of one fabric for the blast radius: GPUs of each NIC port, owners of slots, total bandwidth."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.hardware.model import NicGroup, ServerModel
from fabricgen.intent.fabric import Backend
from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.fabric import FabricPlan, chassis_of, places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.renamed import former_names
from fabricgen.plan.tenants import Owner, PlannedTenant, owners


class ServerNicPort(NamedTuple):
    """One NIC port of a server: numbers of the GPUs that use it, and their rail; no rail on a frontend."""

    gpus: tuple[int, ...]
    rails: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One fabric on one side.

    names    server group → its name after the change; tenant_names: the same for tenants
    nics     server group → NIC ports in the order of the hardware file
    owned    server group → slots with an owner; empty on a backend that is not shared
    gbps     lower tier → bandwidth of all cables between it and the tier above; leaves include border leaves
    """

    fabric: FabricPlan
    names: Mapping[str, str]
    tenant_names: Mapping[str, str]
    nics: Mapping[str, tuple[ServerNicPort, ...]]
    tenants: tuple[PlannedTenant, ...]
    owned: Mapping[str, tuple[Owner, ...]]
    gbps: Mapping[Tier, int]


class NameChanges(NamedTuple):
    """Names that changed, old → new."""

    groups: Mapping[str, str]
    tenants: Mapping[str, str]


def names_of(before: Plan, after: Plan) -> NameChanges:
    """Renamed server groups and tenants of the side before."""
    former = former_names(before.intent, after.intent)
    return NameChanges(
        groups={old: new for new, old in former.groups.items()},
        tenants={old: new for new, old in former.tenants.items()},
    )


def make_view(plan: Plan, name: str, names: NameChanges) -> View:
    """Look up all that a fabric's switches share."""
    fabric = plan.fabrics[name]
    tenants = plan.tenants.get(name, ())
    groups = fabric.shape.groups
    is_backend = isinstance(fabric.fabric, Backend)
    gbps_by_tier = {Tier.LEAF: 0, Tier.SPINE: 0}
    for place in places(fabric) if fabric.shape.spines else ():
        if place.tier is not Tier.SUPERSPINE:
            gbps_by_tier[lower_tier(place)] += sum(port.speed_gbps for port in chassis_of(fabric, place).up)
    return View(
        fabric=fabric,
        names={group.name: names.groups.get(group.name, group.name) for group in groups},
        tenant_names={tenant.name: names.tenants.get(tenant.name, tenant.name) for tenant in tenants},
        nics={group.name: nics_of(server_of(plan, group.name), group.nics, is_backend=is_backend) for group in groups},
        tenants=tenants,
        owned={group.name: owners(tenants, group.name) for group in groups},
        gbps=gbps_by_tier,
    )


def server_of(plan: Plan, group: str) -> ServerModel:
    """Server model of a group."""
    return plan.catalog.servers[plan.intent.servers[group].model]


def nics_of(server: ServerModel, nics: NicGroup, *, is_backend: bool) -> tuple[ServerNicPort, ...]:
    """GPUs that use each NIC port: on a backend those of its rail, elsewhere all of the server.

    GPUs are assigned to the rails of the group in order: 8 GPUs on 8 rails one each, on 4 rails two neighbors each.
    """
    if not is_backend:
        return tuple(ServerNicPort(tuple(range(server.gpus)), ()) for _ in nics.ports)
    rails = sorted({port.rail for port in nics.ports})
    return tuple(
        ServerNicPort(_of_rail(server.gpus, len(rails), rails.index(port.rail)), (port.rail,)) for port in nics.ports
    )


def _of_rail(gpus: int, rails: int, rail_index: int) -> tuple[int, ...]:
    if gpus < rails:
        return (rail_index * gpus // rails,) if gpus else ()
    return tuple(gpu for gpu in range(gpus) if gpu * rails // gpus == rail_index)


def lower_tier(lower: Place) -> Tier:
    """Tier with which the cables from a switch to the tier above are counted."""
    return Tier.SPINE if lower.tier is Tier.SPINE else Tier.LEAF


def servers_with_gpus(plan: Plan, names: Mapping[str, str]) -> Iterator[tuple[str, int, int]]:
    """Every server that exists: its group's name after the change, slot, and number of GPUs."""
    states = plan.exceptions.slots
    for group, written in plan.intent.servers.items():
        gpus = server_of(plan, group).gpus
        for span in written.slots:
            for slot in range(span.first, span.last + 1):
                if states.get(SlotKey(group, slot)) not in ("absent", "dead"):
                    yield names.get(group, group), slot, gpus
