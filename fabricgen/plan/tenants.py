"""Tenants with their numbers: VRF ids, VNIs, VLANs, who may reach whom, and which leaf carries what."""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network
from typing import NamedTuple

from fabricgen.intent.backend_rules import Claim, carries, claims, groups_of
from fabricgen.intent.fabric import Fabric, Frontend, overlay_of
from fabricgen.intent.scalars import Span, Spans, parse_spans, spans_text
from fabricgen.intent.tenants import External, Network, Tenant
from fabricgen.plan.lock import Id
from fabricgen.plan.renames import Renames, renames_of, standing_renames

ID_MAX = 65535  # the number part of a type-1 route distinguisher is two octets (RFC 4364 section 4.2)

FIRST_RELAY_LOOPBACK = 10
"""Relays' loopbacks are numbered from here by the tenant's id; the numbers below are the fabric's own."""


class PlannedNetwork(NamedTuple):
    """One bridged network. `id` tells its route distinguisher apart on a switch."""

    name: str
    id: int
    vlan_id: int
    vni: int
    subnets: tuple[IPv4Network | IPv6Network, ...]
    relays: tuple[str, ...]


class PlannedTenant(NamedTuple):
    """One VRF of one fabric. On a shared backend it has servers and NICs only.

    servers        group → slots
    reaches        names of the tenants whose routes it imports, both ways, sorted
    relay_sources  a prefix a family with the addresses that leaves relay DHCP from; empty where nothing is relayed
    nics           single NICs of a backend, which win over whole servers
    """

    name: str
    id: int
    vni: int
    networks: tuple[PlannedNetwork, ...]
    servers: Mapping[str, Spans]
    reaches: tuple[str, ...]
    external: tuple[External, ...]
    relay_sources: tuple[IPv4Network | IPv6Network, ...] = ()
    nics: tuple[Claim, ...] = ()


def claim_text(claim: Claim) -> str:
    """Name NICs as the intent does, e.g. train[8-9]/0-3."""
    return f"{claim.group}[{spans_text((claim.slots,))}]/{spans_text((claim.rails,))}"


def relay_loopback(tenant: PlannedTenant) -> int:
    """Number of the loopback that a tenant's relays speak from, the same on every leaf; it never moves."""
    return FIRST_RELAY_LOOPBACK + tenant.id


EVERY_RAIL = Span(0, 999)
"""Rails of a whole server: the intent's numbers of rails have three digits."""


class Owner(NamedTuple):
    """Slots of a group that one tenant owns, with these rails of them."""

    span: Span
    tenant: str
    rails: Span = EVERY_RAIL


def server_spans(servers: Iterable[str]) -> dict[str, Spans]:
    """Read "train[0-63]" and its like; one entry a group, all of its ranges."""
    texts: dict[str, list[str]] = {}
    for text in servers:
        group, _, slots = text.partition("[")
        texts.setdefault(group, []).append(slots.rstrip("]"))
    return {group: parse_spans(",".join(parts)) for group, parts in texts.items()}


def carried_by(name: str, fabric: Fabric, tenants: Mapping[str, Tenant]) -> dict[str, Tenant]:
    """Tenants that have a VRF on a fabric, with the networks that it carries.

    A frontend carries those with a network on it, a shared backend those with a server or a NIC there and nothing else.
    """
    if isinstance(fabric, Frontend):
        found = {
            key: {network: body for network, body in tenant.networks.items() if carries(name, body)}
            for key, tenant in tenants.items()
        }
        return {key: _with_networks(tenants[key], row) for key, row in found.items() if row}
    if overlay_of(fabric) is None:
        return {}
    bare: dict[str, object] = {"networks": {}, "imports": (), "external": (), "relay_sources": ()}
    here = {key: tenant for key, tenant in tenants.items() if groups_of(tenant) & set(fabric.connects)}
    return {key: tenant.model_copy(update=bare) for key, tenant in here.items()}


def _with_networks(tenant: Tenant, networks: dict[str, Network]) -> Tenant:
    """The tenant with these of its networks; itself where they are all of them, as a copy of thousands takes time."""
    return tenant if len(networks) == len(tenant.networks) else tenant.model_copy(update={"networks": networks})


def extend_ids(recorded: tuple[Id, ...], fabric: str, tenants: Mapping[str, Tenant]) -> tuple[Id, ...]:
    """Recorded ids plus one for each tenant and network without: the lowest above all of the fabric's.

    tenants  those that the fabric carries
    """
    ids = list(recorded)
    known = {(i.kind, i.name) for i in recorded if i.fabric == fabric}
    following = max((i.id for i in recorded if i.fabric == fabric), default=0) + 1
    for kind, name in _named(tenants):
        if (kind, name) not in known:
            ids.append(Id(fabric, kind, name, following))
            following += 1
    return tuple(ids)


def _named(tenants: Mapping[str, Tenant]) -> Iterator[tuple[str, str]]:
    for name, tenant in sorted(tenants.items()):
        yield "vrf", name
        for network in sorted(tenant.networks):
            yield "network", f"{name}/{network}"


def renamed_ids(recorded: tuple[Id, ...], fabrics: Mapping[str, str], tenants: Mapping[str, Tenant]) -> tuple[Id, ...]:
    """Ids under the new names of fabrics, tenants and networks that say what they were.

    fabrics  renames still to be made, from old to new

    Raises FabricError for a `was` that leaves open whose numbers are meant.
    """
    named = renames_of(("tenants",), tenants)
    found = [renames_of(("tenants", name, "networks"), t.networks, f"{name}/") for name, t in tenants.items()]
    inside = Renames(
        former={old: new for each in found for old, new in each.former.items()},
        places={new: place for each in found for new, place in each.places.items()},
        present=frozenset(name for each in found for name in each.present),
    )
    ids = tuple(i._replace(fabric=fabrics.get(i.fabric, i.fabric)) for i in recorded)
    for fabric in sorted({i.fabric for i in ids}):
        moved = standing_renames(named, (i.name for i in ids if i.fabric == fabric and i.kind == "vrf"))
        ids = tuple(_of_tenant(i, moved) if i.fabric == fabric else i for i in ids)
        ids = _left_behind(ids, fabric, named)
        moved = standing_renames(inside, (i.name for i in ids if i.fabric == fabric and i.kind == "network"))
        ids = tuple(i._replace(name=moved.get(i.name, i.name)) if i.fabric == fabric else i for i in ids)
    return ids


def _left_behind(ids: tuple[Id, ...], fabric: str, renames: Renames) -> tuple[Id, ...]:
    """Ids with the networks that another branch gave a tenant under its former name, while this one renamed it.

    Such a line has no tenant: the former name is neither in the intent nor among the VRFs, and the new one is.
    """
    own = {(i.kind, i.name) for i in ids if i.fabric == fabric}
    late = {
        old: new
        for old, new in renames.former.items()
        if old not in renames.present and ("vrf", old) not in own and ("vrf", new) in own
    }
    found = (_of_tenant(i, late) if i.fabric == fabric and i.kind == "network" else i for i in ids)
    return tuple(
        new if new == old or ("network", new.name) not in own else old for old, new in zip(ids, found, strict=True)
    )


def _of_tenant(line: Id, renames: Mapping[str, str]) -> Id:
    """Return the id of a tenant or of a network of it under the tenant's new name."""
    tenant, slash, network = line.name.partition("/")
    return line._replace(name=renames.get(tenant, tenant) + slash + network)


def plan_tenants(
    name: str, fabric: Fabric, tenants: Mapping[str, Tenant], ids: tuple[Id, ...]
) -> tuple[PlannedTenant, ...]:
    """Every tenant of the site that a fabric carries, as it does, sorted by name."""
    numbers = {(i.kind, i.name): i.id for i in ids if i.fabric == name}
    carried = carried_by(name, fabric, tenants)
    base = fabric.evpn.vni_base
    # Imports hold both ways: a route back is needed for every route out.
    pairs = {(name, other) for name, tenant in carried.items() for other in tenant.imports if other in carried}
    pairs |= {(other, name) for name, other in pairs}
    reach = {name: tuple(sorted(other for own, other in pairs if own == name)) for name in carried}
    planned = []
    for key, tenant in sorted(carried.items()):
        number = numbers["vrf", key]
        planned.append(
            PlannedTenant(
                name=key,
                id=number,
                vni=tenant.vni or base + number,
                networks=tuple(
                    PlannedNetwork(
                        name=network,
                        id=numbers["network", f"{key}/{network}"],
                        vlan_id=body.vlan,
                        vni=body.vni or base + numbers["network", f"{key}/{network}"],
                        subnets=body.subnets,
                        relays=tuple(str(relay) for relay in body.dhcp_relay),
                    )
                    for network, body in sorted(tenant.networks.items(), key=lambda item: item[1].vlan)
                ),
                servers={
                    group: spans for group, spans in server_spans(tenant.servers).items() if group in fabric.connects
                },
                reaches=reach[key],
                external=tenant.external,
                relay_sources=tenant.relay_sources if any(n.dhcp_relay for n in tenant.networks.values()) else (),
                nics=_nics(fabric, tenant),
            )
        )
    return tuple(planned)


def _nics(fabric: Fabric, tenant: Tenant) -> tuple[Claim, ...]:
    """Single NICs of a tenant on a backend, sorted; a frontend takes whole servers."""
    if isinstance(fabric, Frontend):
        return ()
    return tuple(sorted(claim for text in tenant.nics for claim in claims(text) if claim.group in fabric.connects))


def owners(tenants: Iterable[PlannedTenant], group: str) -> tuple[Owner, ...]:
    """Which tenant owns which slots of a group; slots of nobody are in none. Single NICs come first: they win."""
    found = tuple(tenants)
    nics = [Owner(c.slots, tenant.name, c.rails) for tenant in found for c in tenant.nics if c.group == group]
    whole = [Owner(span, tenant.name) for tenant in found for span in tenant.servers.get(group, ())]
    return (*sorted(nics), *sorted(whole))


def owner_of(owned: tuple[Owner, ...], slot: int, rail: int = 0) -> str:
    """Tenant of a slot, on a backend of the NIC of one rail of it; empty for none."""
    return next(
        (
            owner.tenant
            for owner in owned
            if owner.span.first <= slot <= owner.span.last and owner.rails.first <= rail <= owner.rails.last
        ),
        "",
    )


def tenants_in(owned: tuple[Owner, ...], slots: Span) -> tuple[str, ...]:
    """Tenants that own at least one of the slots, or a NIC of one, sorted."""
    found = {o.tenant for o in owned if o.span.first <= slots.last and slots.first <= o.span.last}
    return tuple(sorted(found))
