"""Tenants, their networks and NICs: ids, VNIs, targets, servers, leaves, imports and external sessions."""

from collections.abc import Iterator
from itertools import islice

from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.formula import MANY, listed
from fabricgen.explain.inverse import Seat, seat_name
from fabricgen.explain.known import KnownSite, id_origin, intent_origin
from fabricgen.explain.parse import Question
from fabricgen.intent.fabric import Backend, Evpn, overlay_of
from fabricgen.intent.scalars import Span, spans_text
from fabricgen.plan.exceptions import PortKey, server_name
from fabricgen.plan.fabric import FabricPlan, binding_of, name_of, place_exists, places, port_text
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.tenants import (
    FIRST_RELAY_LOOPBACK,
    PlannedNetwork,
    PlannedTenant,
    claim_text,
    owner_of,
    owners,
    relay_loopback,
    tenants_in,
)
from fabricgen.plan.wiring import groups_on, host_ports, unit_slots
from fabricgen.resolve.evpn import gateway_address, other_end
from fabricgen.topologies.shape import GroupShape


def tenant_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """A tenant, one answer per frontend or shared backend that carries it."""
    if asked.kind in ("", "tenant"):
        for fabric, tenant in tenants_of(known):
            if tenant.name == asked.text:
                yield Answer("tenant", f"{tenant.name}: tenant on {fabric.name}", tuple(_facts(known, fabric, tenant)))


def network_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """A network of a tenant, `tenant/network`."""
    if asked.kind in ("", "network"):
        for fabric, tenant in tenants_of(known):
            for network in tenant.networks:
                if asked.text == f"{tenant.name}/{network.name}":
                    yield network_answer(known, fabric, tenant, network)


def network_answer(known: KnownSite, fabric: FabricPlan, tenant: PlannedTenant, network: PlannedNetwork) -> Answer:
    """All lines about one bridged network."""
    title = f"{tenant.name}/{network.name}: network of a tenant on {fabric.name}"
    return Answer("network", title, tuple(network_facts(known, fabric, tenant, network)))


def tenants_of(known: KnownSite) -> Iterator[tuple[FabricPlan, PlannedTenant]]:
    """Every tenant of every fabric that carries it."""
    for name, tenants in known.plan.tenants.items():
        for tenant in tenants:
            yield known.plan.fabrics[name], tenant


def numbers(fabric: FabricPlan) -> Evpn:
    """Overlay settings of a fabric with tenants, from the intent."""
    overlay = overlay_of(fabric.fabric)
    if overlay is None:
        raise TypeError(f"{fabric.name} has no overlay")
    return overlay


def _facts(known: KnownSite, fabric: FabricPlan, tenant: PlannedTenant) -> Iterator[AnswerLine]:
    path = ("tenants", tenant.name)
    servers = ", ".join(f"{group}[{spans_text(spans)}]" for group, spans in sorted(tenant.servers.items()))
    yield from vrf_facts(known, fabric, tenant)
    yield AnswerLine("servers", servers or "none", "", intent_origin(known, (*path, "servers")))
    if isinstance(fabric.fabric, Backend):
        yield from nic_facts(known, fabric, tenant)
        return
    yield AnswerLine("leaves", _leaves(fabric, tenant))
    for network in tenant.networks:
        yield from network_facts(known, fabric, tenant, network)
    origin = intent_origin(known, (*path, "imports"))
    written = known.plan.intent.tenants[tenant.name].imports
    yield AnswerLine(
        "reaches", ", ".join(tenant.reaches) or "none", "imports work in both directions", origin if written else None
    )
    for index in range(len(tenant.external)):
        yield from outside_facts(known, fabric, tenant, index, "")


def vrf_facts(known: KnownSite, fabric: FabricPlan, tenant: PlannedTenant) -> Iterator[AnswerLine]:
    """Id, L3 VNI, route distinguisher and targets of a tenant's VRF."""
    evpn, path = numbers(fabric), ("tenants", tenant.name)
    origin = id_origin(known, fabric.name, tenant.id)
    yield AnswerLine("VRF id", str(tenant.id), "the next free id in the lock when it was created", origin)
    if known.plan.intent.tenants[tenant.name].vni is not None:
        written = intent_origin(known, (*path, "vni"))
        yield AnswerLine("L3 VNI", str(tenant.vni), "", written)
    else:
        yield AnswerLine("L3 VNI", str(tenant.vni), f"vni_base + id = {evpn.vni_base} + {tenant.id}", origin)
    yield AnswerLine("VRF RD", f"<router id of the leaf>:{tenant.id}", "router id : id (RFC 4364, type 1)")
    yield AnswerLine("VRF target", f"{evpn.admin}:{tenant.vni}", "admin : L3 VNI, not derived from the ASN")


def nic_facts(known: KnownSite, fabric: FabricPlan, tenant: PlannedTenant) -> Iterator[AnswerLine]:
    """NICs of a tenant on a shared backend: single ones, their number, their leaves, and the first of them."""
    if tenant.nics:
        written = intent_origin(known, ("tenants", tenant.name, "nics"))
        yield AnswerLine(
            "single NICs", ", ".join(map(claim_text, tenant.nics)), "precedence over whole servers", written
        )
    nics = tuple(_nics(known, fabric, tenant))
    leaves = tuple(dict.fromkeys(leaf for leaf, _ in nics))
    yield AnswerLine(
        "NICs", listed(tuple(text for _, text in nics[:MANY]), len(nics)), "without those of other tenants"
    )
    yield AnswerLine("leaves", listed(leaves[:MANY], len(leaves)))
    yield AnswerLine("reaches", "none", "a shared backend always separates tenants")


def _nics(known: KnownSite, fabric: FabricPlan, tenant: PlannedTenant) -> Iterator[tuple[str, str]]:
    """Leaf and description of every NIC port of a tenant whose leaf exists, by leaf and port."""
    all_tenants = known.plan.tenants[fabric.name]
    for group in fabric.shape.groups:
        owned = owners(all_tenants, group.name)
        ports = group.nics.ports
        for leaf in (place for place in places(fabric) if place.group == group.leaves_of and place.tier is Tier.LEAF):
            for host in host_ports(fabric, leaf):
                if host.group != group.name:
                    continue
                rail = ports[host.nic].rail
                if owner_of(owned, host.slot, rail) == tenant.name:
                    server = server_name(fabric.exceptions, host.group, host.slot)
                    yield name_of(fabric, leaf), f"{server} rail {rail}" + ("" if host.present else " (reserved)")


def network_facts(
    known: KnownSite, fabric: FabricPlan, tenant: PlannedTenant, network: PlannedNetwork
) -> Iterator[AnswerLine]:
    """VLAN, L2 VNI, route distinguisher and target, subnets and gateways of a network."""
    evpn, path = numbers(fabric), ("tenants", tenant.name, "networks", network.name)
    origin = id_origin(known, fabric.name, network.id)
    yield AnswerLine("network", f"{tenant.name}/{network.name}", "", intent_origin(known, path))
    yield AnswerLine("VLAN", str(network.vlan_id), "", intent_origin(known, (*path, "vlan")))
    yield AnswerLine("network id", str(network.id), "the next free id in the lock when it was created", origin)
    if known.plan.intent.tenants[tenant.name].networks[network.name].vni is not None:
        yield AnswerLine("L2 VNI", str(network.vni), "", intent_origin(known, (*path, "vni")))
    else:
        yield AnswerLine("L2 VNI", str(network.vni), f"vni_base + id = {evpn.vni_base} + {network.id}", origin)
    yield AnswerLine("network RD", f"<router id of the leaf>:{network.id}", "router id : id (RFC 4364, type 1)")
    yield AnswerLine("network target", f"{evpn.admin}:{network.vni}", "admin : L2 VNI, not derived from the ASN")
    for subnet in network.subnets:
        yield AnswerLine("subnet", str(subnet), "", intent_origin(known, (*path, "subnets")))
        yield AnswerLine("gateway", gateway_address(subnet), "the first address of the subnet, the same on every leaf")


def gateway_facts(
    known: KnownSite, fabric: FabricPlan, tenant: PlannedTenant, network: PlannedNetwork
) -> Iterator[AnswerLine]:
    """The gateway of a network: its addresses, and the leaves that have it."""
    yield from network_facts(known, fabric, tenant, network)
    yield AnswerLine("MAC", numbers(fabric).gateway_mac, "the same on every leaf")
    yield AnswerLine("leaves", _leaves(fabric, tenant))


def relay_facts(known: KnownSite, fabric: FabricPlan, tenant: PlannedTenant, seat: Seat) -> Iterator[AnswerLine]:
    """The loopback from which a leaf relays DHCP in a tenant's VRF."""
    number = seat.segment.first + seat.number
    yield AnswerLine("leaf", seat_name(known.plan, seat))
    yield AnswerLine(
        "loopback",
        str(relay_loopback(tenant)),
        f"{FIRST_RELAY_LOOPBACK} + VRF id = {FIRST_RELAY_LOOPBACK} + {tenant.id}",
        id_origin(known, fabric.name, tenant.id),
    )
    origin = intent_origin(known, ("tenants", tenant.name, "relay_sources"))
    for prefix in tenant.relay_sources:
        address = prefix.network_address + 1 + number
        formula = f"prefix + 1 + number in the leaf's name = {prefix.network_address} + 1 + {number}"
        yield AnswerLine("address", f"{address}/{prefix.max_prefixlen}", formula, origin)


def outside_facts(
    known: KnownSite, fabric: FabricPlan, tenant: PlannedTenant, at: int, port: str
) -> Iterator[AnswerLine]:
    """One external session. `port`: its name, if already known."""
    external = tenant.external[at]
    border = Place(fabric.name, Tier.BORDER, "", 0, 0, 0, 0, external.border)
    name = name_of(fabric, border)
    text = port or outside_port(fabric, border, external.port).port
    origin = intent_origin(known, ("tenants", tenant.name, "external", at))
    value = f"{tenant.name} to {external.peer}, AS {external.asn}, on {name} {text}.{external.vlan}"
    yield AnswerLine("outside", value, "", origin)
    for end in external.addresses:
        yield AnswerLine("our address", f"{end.address}/{end.length}", "", origin)
        yield AnswerLine(
            "peer's address", f"{other_end(end.address)}/{end.length}", "the other address of the pair", origin
        )


def outside_port(fabric: FabricPlan, border: Place, number: int) -> PortKey:
    """The external port of a border leaf, by its number."""
    return PortKey(name_of(fabric, border), port_text(fabric, border, binding_of(fabric, border).down[number]))


def attached_networks(
    known: KnownSite, fabric: FabricPlan, leaf: Place
) -> Iterator[tuple[PlannedTenant, PlannedNetwork]]:
    """Networks of the tenants with servers on a leaf: the leaf has their VLANs."""
    if leaf.tier is not Tier.LEAF:
        return
    tenants = known.plan.tenants.get(fabric.name, ())
    names = [
        name
        for group in groups_on(fabric, leaf)
        for name in tenants_in(owners(tenants, group.name), unit_slots(group, leaf))
    ]
    for tenant in tenants:
        if tenant.name in names:
            yield from ((tenant, network) for network in tenant.networks)


def _leaves(fabric: FabricPlan, tenant: PlannedTenant) -> str:
    """Leaves with servers of a tenant: the first by name, all by number."""
    groups = {group.name: group for group in fabric.shape.groups}
    units = [(groups[name], _units(groups[name], spans)) for name, spans in sorted(tenant.servers.items())]
    count = sum(span.size * group.rails * group.indexes for group, spans in units for span in spans)
    names = islice((name for group, spans in units for span in spans for name in _names(fabric, group, span)), MANY)
    return listed(tuple(names), count)


def _units(group: GroupShape, slots: tuple[Span, ...]) -> tuple[Span, ...]:
    """Existing units that contain one of the slots; sorted, disjoint."""
    units: list[Span] = []
    for span in slots:
        first, last = span.first // group.slots_a_unit, span.last // group.slots_a_unit
        if units and first <= units[-1].last:
            first = units[-1].last + 1
        units += [
            Span(max(first, present.first), min(last, present.last))
            for present in group.present
            if max(first, present.first) <= min(last, present.last)
        ]
    return tuple(units)


def _names(fabric: FabricPlan, group: GroupShape, units: Span) -> Iterator[str]:
    for unit in range(units.first, units.last + 1):
        pod, su = divmod(unit, group.units_a_pod)
        for column in sorted({(column.rail, column.index) for column in group.columns}):
            leaf = Place(fabric.name, Tier.LEAF, group.leaves_of, 0, pod, su, *column)
            if place_exists(fabric, leaf):
                yield name_of(fabric, leaf)
