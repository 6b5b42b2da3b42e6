"""Tenants with their numbers: VRF ids, VNIs, VLANs, imports, and who owns which slots."""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network
from typing import NamedTuple

from fabricgen.intent.backend_rules import Claim, carries, claims, groups_of
from fabricgen.intent.fabric import Fabric, Frontend, overlay_of
from fabricgen.intent.scalars import Span, Spans, parse_spans, spans_text
from fabricgen.intent.tenants import External, Network, Tenant
from fabricgen.plan.lock import Id
from fabricgen.plan.renames import Renames, pending_renames, renames_of

ID_MAX = 65535  # the number part of a type-1 route distinguisher is two octets (RFC 4364 section 4.2)

FIRST_RELAY_LOOPBACK = 10
"""First loopback of DHCP relays, to which the tenant's id is added; the numbers below are the fabric's own."""


class PlannedNetwork(NamedTuple):
    """One bridged network. `id` is the unique part of its route distinguisher on a switch."""

    name: str
    id: int
    vlan_id: int
    vni: int
    subnets: tuple[IPv4Network | IPv6Network, ...]
    relays: tuple[str, ...]


class PlannedTenant(NamedTuple):
    """One VRF of one fabric. On a shared backend it has servers and NICs only.

    servers        group → slots
    reaches        names of the tenants whose routes it imports, in both directions, sorted
    relay_sources  one prefix per family with the addresses from which leaves relay DHCP; empty without a relay
    nics           single NICs of a backend, which take precedence over whole servers
    guards         what ports of its servers drop
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
    guards: tuple[str, ...] = ()


def claim_text(claim: Claim) -> str:
    """Text of NICs as in the intent, e.g. train[8-9]/0-3."""
    return f"{claim.group}[{spans_text((claim.slots,))}]/{spans_text((claim.rails,))}"


def relay_loopback(tenant: PlannedTenant) -> int:
    """Number of the loopback that is the source of a tenant's relays, the same on every leaf; it never changes."""
    return FIRST_RELAY_LOOPBACK + tenant.id


EVERY_RAIL = Span(0, 999)
"""Rails of a whole server: rail numbers in the intent have at most three digits."""


class Owner(NamedTuple):
    """Slots of a group that one tenant owns, with these rails of them."""

    span: Span
    tenant: str
    rails: Span = EVERY_RAIL


def server_spans(servers: Iterable[str]) -> dict[str, Spans]:
    """Read texts such as "train[0-63]"; one entry per group, with all of its ranges."""
    texts: dict[str, list[str]] = {}
    for text in servers:
        group, _, slots = text.partition("[")
        texts.setdefault(group, []).append(slots.rstrip("]"))
    return {group: parse_spans(",".join(parts)) for group, parts in texts.items()}


def carried_by(name: str, fabric: Fabric, tenants: Mapping[str, Tenant]) -> dict[str, Tenant]:
    """Tenants that have a VRF on a fabric, with the networks that it carries.

    A frontend carries tenants with a network on it, a shared backend those with a server or a NIC on it, without
    networks.
    """
    if isinstance(fabric, Frontend):
        networks_by_tenant = {
            key: {network: body for network, body in tenant.networks.items() if carries(name, body)}
            for key, tenant in tenants.items()
        }
        return {key: _with_networks(tenants[key], networks) for key, networks in networks_by_tenant.items() if networks}
    if overlay_of(fabric) is None:
        return {}
    bare: dict[str, object] = {"networks": {}, "imports": (), "external": (), "relay_sources": (), "guards": ()}
    attached = {key: tenant for key, tenant in tenants.items() if groups_of(tenant) & set(fabric.connects)}
    return {key: tenant.model_copy(update=bare) for key, tenant in attached.items()}


def _with_networks(tenant: Tenant, networks: dict[str, Network]) -> Tenant:
    """The tenant with these of its networks; itself if they are all of them, because copying thousands takes time."""
    return tenant if len(networks) == len(tenant.networks) else tenant.model_copy(update={"networks": networks})


def extend_ids(recorded: tuple[Id, ...], fabric: str, tenants: Mapping[str, Tenant]) -> tuple[Id, ...]:
    """Recorded ids plus one for each tenant and network without: the lowest above all of the fabric's.

    tenants  those that the fabric carries
    """
    ids = list(recorded)
    known = {(line.kind, line.name) for line in recorded if line.fabric == fabric}
    next_id = max((line.id for line in recorded if line.fabric == fabric), default=0) + 1
    for kind, name in _named(tenants):
        if (kind, name) not in known:
            ids.append(Id(fabric, kind, name, next_id))
            next_id += 1
    return tuple(ids)


def _named(tenants: Mapping[str, Tenant]) -> Iterator[tuple[str, str]]:
    for name, tenant in sorted(tenants.items()):
        yield "vrf", name
        for network in sorted(tenant.networks):
            yield "network", f"{name}/{network}"


def renamed_ids(recorded: tuple[Id, ...], fabrics: Mapping[str, str], tenants: Mapping[str, Tenant]) -> tuple[Id, ...]:
    """Ids under the new names of fabrics, tenants and networks with a `was`.

    fabrics  renames that are still to be made, from old to new

    Raises FabricError for a `was` that is ambiguous about whose numbers are meant.
    """
    of_tenants = renames_of(("tenants",), tenants)
    network_renames = [
        renames_of(("tenants", name, "networks"), tenant.networks, f"{name}/") for name, tenant in tenants.items()
    ]
    of_networks = Renames(
        former={old: new for renames in network_renames for old, new in renames.former.items()},
        places={new: place for renames in network_renames for new, place in renames.places.items()},
        present=frozenset(name for renames in network_renames for name in renames.present),
    )
    ids = tuple(line._replace(fabric=fabrics.get(line.fabric, line.fabric)) for line in recorded)
    for fabric in sorted({line.fabric for line in ids}):
        pending = pending_renames(
            of_tenants, (line.name for line in ids if line.fabric == fabric and line.kind == "vrf")
        )
        ids = tuple(_of_tenant(line, pending) if line.fabric == fabric else line for line in ids)
        ids = _with_late_networks(ids, fabric, of_tenants)
        pending = pending_renames(
            of_networks, (line.name for line in ids if line.fabric == fabric and line.kind == "network")
        )
        ids = tuple(
            line._replace(name=pending.get(line.name, line.name)) if line.fabric == fabric else line for line in ids
        )
    return ids


def _with_late_networks(ids: tuple[Id, ...], fabric: str, renames: Renames) -> tuple[Id, ...]:
    """Ids with the networks that another branch added to a tenant under its former name, while this one renamed it.

    Such a line has no tenant: the former name is neither in the intent nor among the VRFs, and the new one is.
    """
    owned_names = {(line.kind, line.name) for line in ids if line.fabric == fabric}
    late = {
        old: new
        for old, new in renames.former.items()
        if old not in renames.present and ("vrf", old) not in owned_names and ("vrf", new) in owned_names
    }
    renamed_lines = (
        _of_tenant(line, late) if line.fabric == fabric and line.kind == "network" else line for line in ids
    )
    return tuple(
        new if new == old or ("network", new.name) not in owned_names else old
        for old, new in zip(ids, renamed_lines, strict=True)
    )


def _of_tenant(line: Id, renames: Mapping[str, str]) -> Id:
    """Return the id of a tenant, or of a network of it, under the tenant's new name."""
    tenant, slash, network = line.name.partition("/")
    return line._replace(name=renames.get(tenant, tenant) + slash + network)


def plan_tenants(
    name: str, fabric: Fabric, tenants: Mapping[str, Tenant], ids: tuple[Id, ...]
) -> tuple[PlannedTenant, ...]:
    """Every tenant of the site that the fabric carries, as it carries it, sorted by name."""
    numbers = {(line.kind, line.name): line.id for line in ids if line.fabric == name}
    carried = carried_by(name, fabric, tenants)
    base = fabric.evpn.vni_base
    # Imports work in both directions: every route out needs a route back.
    pairs = {(name, other) for name, tenant in carried.items() for other in tenant.imports if other in carried}
    pairs |= {(other, name) for name, other in pairs}
    reach = {name: tuple(sorted(other for importer, other in pairs if importer == name)) for name in carried}
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
                relay_sources=tenant.relay_sources if any(net.dhcp_relay for net in tenant.networks.values()) else (),
                nics=_nics(fabric, tenant),
                guards=tenant.guards,
            )
        )
    return tuple(planned)


def _nics(fabric: Fabric, tenant: Tenant) -> tuple[Claim, ...]:
    """Single NICs of a tenant on a backend, sorted; on a frontend tenants have whole servers only."""
    if isinstance(fabric, Frontend):
        return ()
    return tuple(sorted(claim for text in tenant.nics for claim in claims(text) if claim.group in fabric.connects))


def owners(tenants: Iterable[PlannedTenant], group: str) -> tuple[Owner, ...]:
    """Owners of the slots of a group; unowned slots are left out. Single NICs come first: they take precedence."""
    all_tenants = tuple(tenants)
    nics = [
        Owner(claim.slots, tenant.name, claim.rails)
        for tenant in all_tenants
        for claim in tenant.nics
        if claim.group == group
    ]
    servers = [Owner(span, tenant.name) for tenant in all_tenants for span in tenant.servers.get(group, ())]
    return (*sorted(nics), *sorted(servers))


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
    names = {owner.tenant for owner in owned if owner.span.first <= slots.last and slots.first <= owner.span.last}
    return tuple(sorted(names))
