"""Tenants of a plan: prefixes that they reach do not overlap, and every number of the overlay is unique."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from ipaddress import ip_network
from typing import NamedTuple

from fabricgen.base.addresses import Network
from fabricgen.base.text import listed
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.model import Intent
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.tenants import FIRST_RELAY_LOOPBACK, ID_MAX, PlannedTenant, owners, relay_loopback, tenants_in
from fabricgen.plan.wiring import unit_slots

VNI_MAX = 16777214
"""Largest VNI that the intent accepts; 24 bits, RFC 7348 section 5."""


class Subnet(NamedTuple):
    """One prefix that a VRF has a route for; sorts by family and address.

    title    its purpose: a network's name, the relays, or the link to a peer
    is_link  it is the link of an outside session
    """

    version: int
    start: int
    end: int
    tenant: str
    title: str
    prefix: Network
    where: IntentPath
    is_link: bool = False


def _subnet(tenant: str, title: str, prefix: Network, where: IntentPath) -> Subnet:
    ends = int(prefix.network_address), int(prefix.broadcast_address)
    return Subnet(prefix.version, *ends, tenant, title, prefix, ("tenants", tenant, *where))


def in_vrf(tenants: Sequence[PlannedTenant]) -> Iterator[Subnet]:
    """Yield the subnets and relays of tenants that one VRF learns."""
    for tenant in tenants:
        for network in tenant.networks:
            for subnet in network.subnets:
                yield _subnet(
                    tenant.name, f"network {tenant.name}/{network.name}", subnet, ("networks", network.name, "subnets")
                )
        for prefix in tenant.relay_sources:
            yield _subnet(tenant.name, f"the relays of {tenant.name}", prefix, ("relay_sources",))


def _links(tenant: PlannedTenant) -> Iterator[Subnet]:
    """Yield the links of a tenant's outside sessions, which are in its own VRF only."""
    for position, external in enumerate(tenant.external):
        for index, end in enumerate(external.addresses):
            link = ip_network(f"{end.address}/{end.length}", strict=False)
            where = ("external", position, "addresses", index)
            yield _subnet(tenant.name, f"the link of {tenant.name} to {external.peer}", link, where)._replace(
                is_link=True
            )


def vrfs(tenants: Iterable[PlannedTenant]) -> Iterator[tuple[PlannedTenant, list[PlannedTenant]]]:
    """Yield each tenant with the tenants whose routes its VRF has: itself first."""
    by_name = {tenant.name: tenant for tenant in tenants}
    for tenant in by_name.values():
        yield tenant, [tenant, *(by_name[other] for other in tenant.reaches if other in by_name)]


def subnets_apart(plan: Plan) -> Iterator[Problem]:
    """Subnets, relays and outside links that one VRF has do not overlap.

    Compared in one VRF: subnets and relays of the tenant and of all tenants that it reaches; links of the tenant only.

    Checked in order, against the widest subnet before. Source: a VRF has one route per prefix, RFC 4364 section 3.
    """
    reported: set[tuple[str, str]] = set()
    for name, tenants in plan.tenants.items():
        has_border = plan.fabrics[name].shape.border is not None
        for tenant, seen in vrfs(tenants):
            links = _links(tenant) if has_border else ()
            for first, second in _overlaps(sorted((*in_vrf(seen), *links))):
                key = (str(first.prefix), str(second.prefix))
                if key not in reported:
                    reported.add(key)
                    yield _overlap(plan.intent, tenant.name, first, second)


def _overlaps(ordered: list[Subnet]) -> Iterator[tuple[Subnet, Subnet]]:
    widest: Subnet | None = None
    for subnet in ordered:
        if widest is not None and subnet.version == widest.version and subnet.start <= widest.end:
            yield widest, subnet
        if widest is None or subnet.version != widest.version or subnet.end > widest.end:
            widest = subnet


def _overlap(intent: Intent, vrf: str, one: Subnet, two: Subnet) -> Problem:
    if one.is_link:
        one, two = two, one
    third = "" if vrf in (one.tenant, two.tenant) else f", and {vrf} reaches both"
    pairs = [(vrf, other) for other in sorted({one.tenant, two.tenant} - {vrf})]
    imports = [pair if pair[1] in intent.tenants[vrf].imports else pair[::-1] for pair in pairs]
    apart = "".join(f", or remove {other} from tenants.{name}.imports" for name, other in imports)
    return Problem(
        code="tenant-overlap",
        what=f"{two.prefix} ({two.title}) overlaps {one.prefix} ({one.title}){third}",
        where=two.where,
        why=f"both are in the VRF of {vrf}, which cannot tell their addresses apart",
        fix=f"write another prefix for {two.title}{apart}",
    )


class Number(NamedTuple):
    """A VNI with its owner's name and path in the intent."""

    vni: int
    title: str
    where: IntentPath


def _vnis(tenants: Iterable[PlannedTenant]) -> Iterator[Number]:
    for tenant in tenants:
        path: IntentPath = ("tenants", tenant.name)
        yield Number(tenant.vni, f"tenant {tenant.name}", (*path, "vni"))
        for network in tenant.networks:
            title = f"network {tenant.name}/{network.name}"
            yield Number(network.vni, title, (*path, "networks", network.name, "vni"))


def vnis_unique(plan: Plan) -> Iterator[Problem]:
    """A VNI of a fabric belongs to one tenant or one network; so do route targets, which are administrator:VNI.

    Source: RFC 7348 section 5 (24 bits), RFC 8365 section 5.1.2.
    """
    for name, tenants in plan.tenants.items():
        first: dict[int, Number] = {}
        for number in _vnis(tenants):
            other = first.setdefault(number.vni, number)
            if other is not number:
                yield Problem(
                    code="vni-twice",
                    what=f"{other.title} and {number.title} both have VNI {number.vni} on {name}",
                    where=number.where,
                    why="a VNI and its route target tell one VRF or one bridged network from all others",
                    fix="write another `vni` for one of them, or remove `vni` from one",
                )
            if number.vni > VNI_MAX:
                yield Problem(
                    code="vni-range",
                    what=f"{number.title} would have VNI {number.vni}",
                    where=("fabrics", name, "evpn", "vni_base"),
                    why=f"vni_base plus its id in the lock is above {VNI_MAX} (RFC 7348 section 5)",
                    fix=f"write vni_base: {VNI_MAX - ID_MAX - 1} or less (with room for all ids up to {ID_MAX})",
                )
                break


def ids_left(plan: Plan) -> Iterator[Problem]:
    """The ids of route distinguishers fit into two octets (RFC 4364 section 4.2)."""
    for name in plan.tenants:
        ids = [entry for entry in plan.lock.ids if entry.fabric == name]
        highest = max((entry.id for entry in ids), default=0)
        if highest > ID_MAX:
            yield Problem(
                code="ids-exhausted",
                what=f"{name} has no free id for another tenant or network",
                where=("tenants",),
                why=f"the highest would be {highest}; a route distinguisher holds {ID_MAX} (RFC 4364 section 4.2)",
                fix=_freed(plan, name, ID_MAX) or "plan for fewer tenants and networks: each has an id of its own",
            )


def _freed(plan: Plan, name: str, last: int) -> str:
    """Return how to free ids up to `last` for entries without a line in the lock; empty where no line can be deleted.

    New ids follow the highest id in the lock, and `--renumber` keeps ids. So only deleting a line frees some: one of a
    tenant or network that is not in the intent any more.
    """
    recorded = {(entry.kind, entry.name) for entry in plan.recorded.ids if entry.fabric == name}
    ids = [entry for entry in plan.lock.ids if entry.fabric == name]
    new_count = sum((entry.kind, entry.name) not in recorded for entry in ids)
    tenants = plan.intent.tenants
    used = {*tenants, *(f"{name}/{network}" for name, body in tenants.items() for network in body.networks)}
    above = [entry for entry in ids if entry.id > last - new_count and (entry.kind, entry.name) in recorded]
    if not new_count or not above or any(entry.name in used for entry in above):
        return ""
    lines = listed((f"{entry.name} (id {entry.id})" for entry in above), most=LINES_NAMED)
    which = "the line" if len(above) == 1 else "the lines"
    return (
        f"delete {which} of {lines} under ids: in fabricgen.lock once no switch uses their numbers: nothing in "
        f"the intent has this name"
    )


LINES_NAMED = 3
"""Number of lock lines that a fix lists."""
LAST_LOOPBACK = 2100
"""Highest number of a relay's loopback. No source for the limit of a system was found; ids are far below it."""


def relay_pools(plan: Plan) -> Iterator[Problem]:
    """Every planned leaf has an address to relay from, after the network address, and a loopback number for it."""
    for name, tenants in plan.tenants.items():
        leaves = _numbered_leaves(plan.fabrics[name])
        for tenant in tenants:
            for position, prefix in enumerate(tenant.relay_sources):
                where: IntentPath = ("tenants", tenant.name, "relay_sources", position)
                room = prefix.num_addresses - 2
                if leaves > room:
                    length = prefix.max_prefixlen - (leaves + 1).bit_length()
                    yield Problem(
                        code="relay-pool",
                        what=f"{prefix} is too small for the relays of {tenant.name} on {name}",
                        where=where,
                        why=f"{leaves} planned leaves need one address each, and it has {max(room, 0)}",
                        fix=f"write {prefix.supernet(new_prefix=length)} or another prefix of /{length} or larger",
                    )
            if tenant.relay_sources and relay_loopback(tenant) > LAST_LOOPBACK:
                yield Problem(
                    code="relay-loopback",
                    what=f"the relays of {tenant.name} would use loopback {relay_loopback(tenant)}",
                    where=("tenants", tenant.name, "relay_sources"),
                    why=f"its id in the lock is {tenant.id}, and loopbacks are numbered up to {LAST_LOOPBACK}",
                    fix=_lower(plan, name, tenant),
                )


def _lower(plan: Plan, name: str, tenant: PlannedTenant) -> str:
    """Return how a tenant gets an id with a loopback number; a recorded tenant keeps its id."""
    is_new = (name, "vrf", tenant.name) not in {(entry.fabric, entry.kind, entry.name) for entry in plan.recorded.ids}
    freed = _freed(plan, name, LAST_LOOPBACK - FIRST_RELAY_LOOPBACK) if is_new else ""
    return freed or (
        f"remove relay_sources: of {tenant.name} and dhcp_relay: of its networks; its servers then need a DHCP server "
        f"in their own networks"
    )


def _numbered_leaves(fabric: FabricPlan) -> int:
    """Return one more than the highest number of a leaf, with planned leaves and gaps between groups."""
    segments = [line for (tier, _), lines in fabric.segments.items() if tier is Tier.LEAF for line in lines]
    return max((segment.first + segment.box.size() for segment in segments), default=0)


def vlans_on_leaves(plan: Plan) -> Iterator[Problem]:
    """Tenants that share a leaf have different VLANs: a VLAN id means one network on a switch (IEEE 802.1Q)."""
    for name, tenants in plan.tenants.items():
        fabric = plan.fabrics[name]
        clashing = _clashing(tenants)
        if not clashing:
            continue
        first_units: dict[tuple[int, tuple[str, ...]], tuple[str, int]] = {}
        for leaf, here in _tenants_by_unit(fabric, tenants):
            for vlan, users in clashing.items():
                sharing = tuple(user for user in users if user in here)
                if len(sharing) > 1:
                    first, count = first_units.get((vlan, sharing), (leaf, 0))
                    first_units[vlan, sharing] = (first, count + 1)
        for (vlan, sharing), (leaf, count) in sorted(first_units.items()):
            yield _vlan_clash(name, vlan, sharing, (leaf, count))


def _clashing(tenants: Iterable[PlannedTenant]) -> dict[int, tuple[str, ...]]:
    """Return VLAN id → tenants, for ids that several tenants have."""
    users: dict[int, list[str]] = {}
    for tenant in tenants:
        for vlan in Counter(network.vlan_id for network in tenant.networks):
            users.setdefault(vlan, []).append(tenant.name)
    return {vlan: tuple(names) for vlan, names in users.items() if len(names) > 1}


def _tenants_by_unit(fabric: FabricPlan, tenants: tuple[PlannedTenant, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every unit with a server, and the tenants on its leaves."""
    for group in fabric.shape.groups:
        owned = owners(tenants, group.name)
        for span in group.present:
            for unit in range(span.first, span.last + 1):
                pod, su = divmod(unit, group.units_a_pod)
                leaf = Place(fabric.name, Tier.LEAF, group.name, 0, pod, su, 0, 0)
                slots = unit_slots(group, leaf)
                yield f"{group.name}[{slots.first}-{slots.last}]", tenants_in(owned, slots)


def _vlan_clash(name: str, vlan: int, both: tuple[str, ...], first_unit: tuple[str, int]) -> Problem:
    leaf, count = first_unit
    units = f"unit {leaf} of {name} has" if count == 1 else f"{count} units of {name}, first {leaf}, have"
    return Problem(
        code="vlan-clash",
        what=f"{' and '.join(both)} both use VLAN {vlan} on leaves they share",
        where=("tenants", both[-1], "networks"),
        why=f"{units} servers of both, and a VLAN ID is one network on a switch",
        fix=f"write another VLAN for {both[-1]}, or move its servers to leaves of their own",
    )


def outside_ports(plan: Plan) -> Iterator[Problem]:
    """An outside session is on a port that the border leaf has, and each port leads to one peer."""
    for name, tenants in plan.tenants.items():
        border = plan.fabrics[name].shape.border
        if border is None:
            continue
        peers: dict[tuple[int, int], str] = {}
        for tenant in tenants:
            for position, external in enumerate(tenant.external):
                where = ("tenants", tenant.name, "external", position, "port")
                if external.port >= len(border.down):
                    yield _no_port(external.port, (border.switch.model, len(border.down)), where)
                    continue
                peer = peers.setdefault((external.border, external.port), external.peer)
                if peer != external.peer:
                    yield Problem(
                        code="port-two-peers",
                        what=f"port {external.port} of border leaf {external.border} connects {peer} and "
                        f"{external.peer}",
                        where=where,
                        why="one port has one cable",
                        fix=f"write another port for {external.peer}",
                    )


def _no_port(number: int, box: tuple[str, int], where: IntentPath) -> Problem:
    model, ports = box
    return Problem(
        code="outside-port",
        what=f"the border leaf has no external port {number}",
        where=where,
        why=f"{model} has {ports} of them, 0 to {ports - 1}" if ports else f"{model} has none left",
        fix=f"write port: {ports - 1} or lower" if ports else "choose another border: model",
    )
