"""Underlay and overlay sessions of one switch, and the policy on each of them."""

from collections.abc import Iterator

from fabricgen.addresses import Prefix, ipv4, ipv6, prefix_ipv4, prefix_ipv6
from fabricgen.device.routing import Bgp, Neighbor, PeerGroup, Routing, StaticRoute
from fabricgen.intent.fabric import Backend, Frontend
from fabricgen.plan.fabric import FabricPlan, host_space, loopback6, own_blocks, router_id, segment_of, vtep
from fabricgen.plan.place import Tier
from fabricgen.resolve.context import Context
from fabricgen.resolve.evpn import resolve_vrfs
from fabricgen.resolve.links import ABSENT, DRAINED, FabricLink
from fabricgen.resolve.policy import Maps, group_name, maps_of, resolve_policy

OVERLAY_TTL = 3
"""Hops of a session between loopbacks of neighboring tiers, one to spare."""
OVERLAY_PATHS = 64
"""Far above spines x VTEPs of one prefix in a small fabric, and no more than any chip of the library holds."""
OVERLAY_ROUTES = 32768
"""Least limit of an overlay session: reaching it takes the tenants of a leaf down, so it is for runaways only."""
GROUPS_MAPS = Maps("", "")
"""A session that is not drained has no maps but its group's."""


def resolve_routing(context: Context) -> Routing:
    """All routing of a switch."""
    links = tuple(link for link in context.links if link.state != ABSENT)
    return Routing(
        policy=resolve_policy(context, own_prefixes(context), linked=bool(links)),
        static_routes=tuple(_static_routes(context)),
        bgp=_bgp(context, links),
    )


def aggregates(context: Context) -> tuple[Prefix, ...]:
    """The prefix over a leaf's host links, one a family that hosts use; none above leaves and on a frontend."""
    plan, place = context.fabric, context.place
    if not isinstance(plan.fabric, Backend) or place.tier is not Tier.LEAF:
        return ()
    hosts = segment_of(plan, place).hosts
    four, six = own_blocks(plan, place)
    length = host_space(hosts).bit_length() - 1
    if plan.fabric.addressing.hosts == "ipv4" and four:
        return (prefix_ipv4(four.start, 32 - length),)
    if six:
        return (prefix_ipv6(six.start, 128 - length),)
    return ()


def own_prefixes(context: Context) -> tuple[Prefix, ...]:
    """Everything a switch originates in the default VRF: its aggregates and loopbacks."""
    plan, place = context.fabric, context.place
    loopbacks = [prefix_ipv4(router_id(plan, place), 32)]
    if isinstance(plan.fabric, Frontend) and place.tier is not Tier.SPINE:
        loopbacks.append(prefix_ipv4(vtep(plan, place), 32))
    six = loopback6(plan, place)
    if six is not None:
        loopbacks.append(prefix_ipv6(six, 128))
    return (*aggregates(context), *loopbacks)


def _static_routes(context: Context) -> Iterator[StaticRoute]:
    management = context.site.plan.intent.management
    yield StaticRoute(management.vrf, "ipv4", Prefix("0.0.0.0/0"), str(management.gateway))
    for prefix in aggregates(context):
        yield StaticRoute("", "ipv6" if ":" in prefix else "ipv4", prefix, "")


def _bgp(context: Context, links: tuple[FabricLink, ...]) -> Bgp:
    fabric = context.fabric.fabric
    own = own_prefixes(context)
    return Bgp(
        asn=context.asn,
        router_id=ipv4(router_id(context.fabric, context.place)),
        keepalive_seconds=fabric.bgp.keepalive_seconds,
        hold_seconds=fabric.bgp.hold_seconds,
        maximum_paths=maximum_paths(context.fabric),
        overlay_paths=overlay_paths(context),
        wait_install=True,
        families=tuple(sorted(fabric.addressing.links)),
        groups=tuple(_groups(context)) if links else (),
        neighbors=tuple(_neighbors(context, links)),
        networks_ipv4=tuple(prefix for prefix in own if ":" not in prefix),
        networks_ipv6=tuple(prefix for prefix in own if ":" in prefix),
        vrfs=resolve_vrfs(context),
    )


def maximum_paths(plan: FabricPlan) -> int:
    """ECMP width: all uplinks that are laid out for a leaf, whatever the number of spines; at least 1."""
    return max(len(plan.shape.groups[0].leaf.uplinks), 1)


def overlay_paths(context: Context) -> int:
    """Paths a VRF may use: what the chip holds, OVERLAY_PATHS at most; a switch can count one VTEP once a spine."""
    return max(min(context.chassis.asic.ecmp_width or OVERLAY_PATHS, OVERLAY_PATHS), maximum_paths(context.fabric))


def maximum_underlay_routes(plan: FabricPlan) -> int:
    """Prefixes one session may bring: twice what the planned fabric can have, rounded up to a power of two."""
    planned = sum(segment.box.size() for found in plan.segments.values() for segment in found)
    return 1 << (2 * 3 * planned - 1).bit_length()


def maximum_overlay_routes(context: Context) -> int:
    """EVPN routes one session may bring: twice what the planned site can have, a power of two, and never few.

    A server port brings MAC, MAC/IP of both families and segment routes; a leaf flooding, segment and prefix routes
    of each network; a border what its peers may send. A server may hold many more MACs than ports, so the least is
    OVERLAY_ROUTES.
    """
    plan, tenants = context.fabric, context.site.tenants
    ports = sum(group.planned * group.slots_a_unit * len(group.columns) for group in plan.shape.groups)
    leaves = sum(group.planned * group.rails * group.indexes for group in plan.shape.groups) + plan.shape.borders
    networks = sum(len(tenant.networks) for tenant in tenants)
    outside = sum(external.max_prefixes for tenant in tenants for external in tenant.external)
    planned = 8 * ports + 8 * leaves * networks + outside
    return max(OVERLAY_ROUTES, 1 << (2 * planned - 1).bit_length())


def _groups(context: Context) -> Iterator[PeerGroup]:
    for family in sorted(context.fabric.fabric.addressing.links):
        yield _underlay_group(context, family)
    if isinstance(context.fabric.fabric, Frontend):
        yield _overlay_group(context)


def _underlay_group(context: Context, family: str) -> PeerGroup:
    name = group_name(context, family)
    return PeerGroup(
        name=name,
        description=f"underlay {family}",
        families=(family,),
        route_map_in=maps_of(name).inbound,
        route_map_out=maps_of(name).outbound,
        maximum_routes=maximum_underlay_routes(context.fabric),
        bfd=context.fabric.fabric.bgp.bfd,
        extended_communities=False,
    )


def _overlay_group(context: Context) -> PeerGroup:
    name = group_name(context, "evpn")
    return PeerGroup(
        name=name,
        description="overlay",
        families=("evpn",),
        route_map_in=maps_of(name).inbound,
        route_map_out=maps_of(name).outbound,
        maximum_routes=maximum_overlay_routes(context),
        bfd=context.fabric.fabric.bgp.bfd,
        extended_communities=True,
        update_source=0,
        multihop=OVERLAY_TTL,
        next_hop_unchanged=_is_spine(context),
    )


def _neighbors(context: Context, links: tuple[FabricLink, ...]) -> Iterator[Neighbor]:
    for family in ("ipv4", "ipv6"):
        group = group_name(context, family)
        drained = maps_of(group, drained=True)
        for link in links:
            ends = link.ipv4 if family == "ipv4" else link.ipv6
            own = drained if context.drained or link.state == DRAINED else GROUPS_MAPS
            if ends is not None:
                yield Neighbor(
                    address=ipv4(ends.far) if family == "ipv4" else ipv6(ends.far),
                    group=group,
                    remote_as=link.far_asn,
                    description=f"{link.far_name} {link.far_port}",
                    route_map_in=own.inbound,
                    route_map_out=own.outbound,
                )
    if isinstance(context.fabric.fabric, Frontend):
        yield from _overlay(context, links)


def _is_spine(context: Context) -> bool:
    return context.place.tier is Tier.SPINE


def _overlay(context: Context, links: tuple[FabricLink, ...]) -> Iterator[Neighbor]:
    plan, group = context.fabric, group_name(context, "evpn")
    for link in {link.far: link for link in links}.values():
        yield Neighbor(
            address=ipv4(router_id(plan, link.far)), group=group, remote_as=link.far_asn, description=link.far_name
        )
