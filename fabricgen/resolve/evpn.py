"""Overlay of one leaf or border leaf: its tenants, with VLANs, VRFs, gateways and BGP of the VRFs."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from fabricgen.base.addresses import NO_ADDRESS, Address, InterfaceAddress, Ipv4, Prefix, ipv4
from fabricgen.base.secret import secret
from fabricgen.device.evpn import DuplicateMac, Evpn, Gateway, Vlan, Vrf
from fabricgen.device.routing import BgpVrf, ExternalNeighbor
from fabricgen.intent.fabric import Backend, Frontend, is_lossless, overlay_of
from fabricgen.intent.fabric import Evpn as Numbers
from fabricgen.intent.tenants import External
from fabricgen.plan.fabric import vtep
from fabricgen.plan.place import UPPER, Tier
from fabricgen.plan.tenants import PlannedNetwork, PlannedTenant, relay_loopback, tenants_in
from fabricgen.plan.wiring import groups_on, unit_slots
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.context import Context
from fabricgen.resolve.macs import table_room
from fabricgen.resolve.nics import owned_ports, used_links
from fabricgen.resolve.profiles import VXLAN_OVERHEAD
from fabricgen.resolve.relays import relay_hosts

EXTERNAL_RESTART_MINUTES = 5
"""How long a session with an outside peer stays closed after the peer exceeded its limit of prefixes."""


def attached(context: Context) -> tuple[PlannedTenant, ...]:
    """Return the tenants with servers on this leaf, or with NICs on a shared backend: the leaf has their VLANs."""
    if context.place.tier is not Tier.LEAF or overlay_of(context.settings) is None:
        return ()
    names = {
        name
        for group in groups_on(context.fabric, context.place)
        for name in tenants_in(context.site.owned[group.name], unit_slots(group, context.place))
    }
    if isinstance(context.settings, Backend):
        names = {owner.name for owner, _ in owned_ports(context)}
    return tuple(tenant for tenant in context.site.tenants if tenant.name in names)


def carried(context: Context) -> tuple[PlannedTenant, ...]:
    """Return the tenants whose VRF is here: attached, or with a session on this border; and all that those can reach.

    Both VRFs of an import exist wherever one of them has a server, so that a packet finds its route in whichever of
    the two L3 VNIs it was sent: not every chip encapsulates with the VNI of the imported route.
    """
    if overlay_of(context.settings) is None or context.place.tier in UPPER:
        return ()
    names = {tenant.name for tenant in attached(context)}
    names |= {tenant.name for tenant in context.site.tenants if externals_here(context, tenant)}
    names |= {other for tenant in context.site.tenants if tenant.name in names for other in tenant.reaches}
    return tuple(tenant for tenant in context.site.tenants if tenant.name in names)


def route_target(context: Context, vni: int) -> str:
    """Return the route target of a VNI: the site's administrator number, never the ASN."""
    return f"{numbers(context).admin}:{vni}"


def numbers(context: Context) -> Numbers:
    """Return the numbers of the fabric's overlay."""
    overlay = overlay_of(context.settings)
    if overlay is None:
        raise TypeError(f"{context.name} is on a fabric without an overlay")
    return overlay


def distinguisher(context: Context, number: int) -> str:
    """Return the route distinguisher: the VTEP of this switch, and the id of the instance (RFC 4364 type 1).

    Not the router id: a switch may assign RDs from it to instances before it has read the planned ones (RFC 7432
    section 7.9 does not say which of its addresses), and of two instances with one RD each removes the other's routes.
    """
    return f"{ipv4(vtep(context.fabric, context.place))}:{number}"


def resolve_evpn(context: Context) -> Evpn | None:
    """Return the EVPN part of a leaf; None on a spine and on a backend that is not shared."""
    if overlay_of(context.settings) is None or context.place.tier in UPPER:
        return None
    local = [(tenant, network) for tenant in attached(context) for network in tenant.networks]
    local.sort(key=lambda item: item[1].vlan_id)
    return Evpn(
        vtep=ipv4(vtep(context.fabric, context.place)),
        gateway_mac=numbers(context).gateway_mac,
        vlans=tuple(_vlan(context, tenant, network) for tenant, network in local),
        vrfs=tuple(Vrf(tenant.name, tenant.vni, tenant.id) for tenant in carried(context)),
        gateways=tuple(_gateway(context, tenant, network) for tenant, network in local),
        mtu=context.settings.mtu - VXLAN_OVERHEAD,
        marks=isinstance(context.settings, Backend) or is_lossless(context.settings),
        multihomed=context.site.multihomed,
        duplicate_mac=_duplicate_mac(context) if local else None,
    )


def _duplicate_mac(context: Context) -> DuplicateMac | None:
    settings = context.settings.duplicate_mac if isinstance(context.settings, Frontend) else None
    if settings is None:
        return None
    return DuplicateMac(settings.moves, settings.window_minutes * 60, (settings.recovery_minutes or 0) * 60)


def _vlan(context: Context, tenant: PlannedTenant, network: PlannedNetwork) -> Vlan:
    # Room for all servers of a tenant: a VLAN's table also holds addresses from other leaves.
    platform = PLATFORMS.get(context.chassis.system.partition("-")[0])
    servers = sum(span.size for group, spans in tenant.servers.items() if group in context.site.owned for span in spans)
    return Vlan(
        vlan_id=network.vlan_id,
        name=f"{tenant.name}-{network.name}",
        vni=network.vni,
        rd=distinguisher(context, network.id),
        route_target=route_target(context, network.vni),
        vrf=tenant.name,
        macs=table_room(servers, context.site.macs, platform.vlan_macs if platform is not None else 0),
    )


def gateway_address(subnet: IPv4Network | IPv6Network) -> InterfaceAddress:
    """Return the first address of a subnet with its length."""
    return InterfaceAddress(f"{subnet.network_address + 1}/{subnet.prefixlen}")


def _gateway(context: Context, tenant: PlannedTenant, network: PlannedNetwork) -> Gateway:
    texts = {subnet.version: gateway_address(subnet) for subnet in network.subnets}
    return Gateway(
        vlan_id=network.vlan_id,
        description=f"{tenant.name} {network.name}",
        vrf=tenant.name,
        ipv4=texts.get(4, NO_ADDRESS),
        ipv6=texts.get(6, NO_ADDRESS),
        relays_ipv4=tuple(Ipv4(relay) for relay in network.relays if "." in relay),
        relays_ipv6=tuple(Ipv4(relay) for relay in network.relays if ":" in relay),
        mtu=context.settings.mtu - VXLAN_OVERHEAD,
        relay_source=relay_loopback(tenant) if network.relays else -1,
    )


def resolve_vrfs(context: Context) -> tuple[BgpVrf, ...]:
    """Return BGP of every VRF that the switch carries."""
    return tuple(_vrf(context, tenant) for tenant in carried(context))


def _vrf(context: Context, tenant: PlannedTenant) -> BgpVrf:
    # Sorted by number, so that renaming a tenant does not change the order of the targets.
    others = sorted(
        (candidate for candidate in context.site.tenants if candidate.name in tenant.reaches),
        key=lambda other: other.id,
    )
    originated = _originated(context, tenant)
    return BgpVrf(
        name=tenant.name,
        rd=distinguisher(context, tenant.id),
        import_targets=tuple(route_target(context, vni) for vni in (tenant.vni, *(other.vni for other in others))),
        imports=tuple(other.name for other in others),
        import_map=import_map(tenant),
        export_target=route_target(context, tenant.vni),
        networks_ipv4=tuple(prefix for prefix in originated if ":" not in prefix),
        networks_ipv6=tuple(prefix for prefix in originated if ":" in prefix),
        neighbors=tuple(_externals(context, tenant)),
    )


def _originated(context: Context, tenant: PlannedTenant) -> tuple[Prefix, ...]:
    """Return the prefixes that a VRF announces here: subnets of a frontend; on a backend the link of each NIC in use.

    NICs have no aggregate: those of other tenants lie between them.
    """
    if isinstance(context.settings, Backend):
        return tuple(used_links(context, tenant))
    prefixes = (*subnets(tenant), *relay_hosts(context, tenant)) if tenant in attached(context) else ()
    return tuple(Prefix(str(subnet)) for subnet in prefixes)


def import_map(tenant: PlannedTenant) -> str:
    """Return the name of the route map for the imports of a tenant's VRF; empty without imports."""
    return f"RM-{tenant.name}-IMPORT".upper() if tenant.reaches else ""


def subnets(tenant: PlannedTenant) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return all subnets of a tenant, by VLAN."""
    return tuple(subnet for network in tenant.networks for subnet in network.subnets)


def externals_here(context: Context, tenant: PlannedTenant) -> tuple[External, ...]:
    """Return the outside sessions of a tenant on this border leaf."""
    if context.place.tier is not Tier.BORDER:
        return ()
    return tuple(external for external in tenant.external if external.border == context.place.index)


def external_name(tenant: str, external: External, family: str) -> str:
    """Return the start of the names of a session's policy objects; it is unique on a border leaf."""
    return f"{tenant}-{external.peer}-{external.port}-{external.vlan}-{family}".upper()


def _externals(context: Context, tenant: PlannedTenant) -> Iterable[ExternalNeighbor]:
    for external in externals_here(context, tenant):
        for end in external.addresses:
            family = f"ipv{end.address.version}"
            name = external_name(tenant.name, external, family)
            yield ExternalNeighbor(
                address=other_end(end.address),
                family=family,
                remote_as=external.asn,
                description=external.peer,
                route_map_in=f"RM-{name}-IN",
                route_map_out=f"RM-{name}-OUT",
                maximum_routes=external.max_prefixes,
                restart_minutes=EXTERNAL_RESTART_MINUTES,
                password=secret(external.password) if external.password else None,
            )


def other_end(address: IPv4Address | IPv6Address) -> Address:
    """Return the other address of a /31 or /127."""
    return Ipv4(str(type(address)(int(address) ^ 1)))
