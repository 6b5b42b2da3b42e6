"""Underlay and overlay sessions of one switch, with their policies."""

from collections import Counter
from collections.abc import Iterator

from fabricgen.base.addresses import Ipv4, Prefix, ipv4, prefix_ipv4, prefix_ipv6
from fabricgen.base.secret import Secret, secret
from fabricgen.device.routing import Bgp, Neighbor, PeerGroup, Routing, StaticRoute
from fabricgen.intent.fabric import Backend, families_of, overlay_of
from fabricgen.plan.fabric import FabricPlan, host_space, loopback4, loopback6, own_blocks, router_id, segment_of, vtep
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.plan.place import UPPER, Tier
from fabricgen.resolve.context import Context
from fabricgen.resolve.control import can
from fabricgen.resolve.evpn import resolve_vrfs
from fabricgen.resolve.host_sessions import host_groups, host_neighbors, host_side
from fabricgen.resolve.links import DRAINED, Direction, LinkBundle, plugged
from fabricgen.resolve.nics import is_shared
from fabricgen.resolve.policy import Maps, group_name, maps_of, resolve_policy
from fabricgen.topologies.shape import GroupShape

OVERLAY_TTL = 3
"""Hops of a session between loopbacks of neighboring tiers, plus one."""
OVERLAY_PATHS = 64
"""Far above spines x VTEPs of one prefix in a small fabric, and at most the width of any chip of the library."""
OVERLAY_ROUTES = 32768
"""Smallest limit of an overlay session: the limit only stops runaways."""
RESTART_MINUTES = 5
"""How long a session stays closed whose peer alone has caused too many routes."""
ROUTES_A_MAC = 3
"""EVPN routes of one MAC address: one for the MAC, one with an address of each family (RFC 7432 section 7.2)."""
GROUPS_MAPS = Maps("", "")
"""A session that is not drained uses the maps of its group."""


def resolve_routing(context: Context) -> Routing:
    """Return all routing of a switch."""
    originated = own_prefixes(context)
    bundles = tuple(present for bundle in context.bundles if (present := plugged(bundle)).ports)
    return Routing(
        policy=resolve_policy(context, originated, tuple(bundle.way for bundle in bundles)),
        static_routes=tuple(_static_routes(context)),
        bgp=_bgp(context, originated, bundles),
    )


def aggregates(context: Context) -> tuple[Prefix, ...]:
    """Return the prefix over a leaf's host links, in the hosts' family.

    There is none on other tiers, on shared backends, and where a NIC has two leaves: either may lose it alone.
    """
    plan, place = context.fabric, context.place
    has_none = is_shared(context) or has_leaf_pairs(plan)
    if not isinstance(plan.fabric, Backend) or place.tier is not Tier.LEAF or has_none:
        return ()
    hosts = segment_of(plan, place).hosts
    ipv4, ipv6 = own_blocks(plan, place)
    length = host_space(hosts).bit_length() - 1
    if plan.fabric.addressing.hosts == "ipv4" and ipv4:
        return (prefix_ipv4(ipv4.start, 32 - length),)
    if ipv6:
        return (prefix_ipv6(ipv6.start, 128 - length),)
    return ()


def own_prefixes(context: Context) -> tuple[Prefix, ...]:
    """Return everything that a switch originates in the default VRF: its aggregates and loopbacks."""
    plan, place = context.fabric, context.place
    ipv4, ipv6 = loopback4(plan, place), loopback6(plan, place)
    loopbacks = [prefix_ipv4(ipv4, 32)] if ipv4 is not None else []
    if overlay_of(plan.fabric) is not None and place.tier not in UPPER:
        loopbacks.append(prefix_ipv4(vtep(plan, place), 32))
    if ipv6 is not None:
        loopbacks.append(prefix_ipv6(ipv6, 128))
    return (*aggregates(context), *loopbacks)


def _static_routes(context: Context) -> Iterator[StaticRoute]:
    management = context.site.plan.intent.management
    yield StaticRoute(management.vrf, "ipv4", Prefix("0.0.0.0/0"), str(management.gateway))
    for prefix in aggregates(context):
        yield StaticRoute("", "ipv6" if ":" in prefix else "ipv4", prefix, "")


def _bgp(context: Context, originated: tuple[Prefix, ...], bundles: tuple[LinkBundle, ...]) -> Bgp:
    fabric = context.settings
    ways = tuple(bundle.way for bundle in bundles)
    hosts = host_side(context)
    groups = context.alike(("groups", ways), lambda: tuple(group for way in ways for group in _groups(context, way)))
    neighbors = tuple(_neighbors(context, bundles))
    if hosts is not None:
        groups += tuple(host_groups(hosts, RESTART_MINUTES))
        neighbors += tuple(host_neighbors(hosts, drained=context.drained))
    return Bgp(
        asn=context.asn,
        router_id=ipv4(router_id(context.fabric, context.place)),
        keepalive_seconds=fabric.bgp.keepalive_seconds,
        hold_seconds=fabric.bgp.hold_seconds,
        maximum_paths=maximum_paths(context.fabric, context.place.tier),
        overlay_paths=overlay_paths(context),
        wait_install=True,
        families=families_of(fabric.addressing),
        groups=groups,
        neighbors=neighbors,
        networks_ipv4=tuple(prefix for prefix in originated if ":" not in prefix),
        networks_ipv6=tuple(prefix for prefix in originated if ":" in prefix),
        vrfs=resolve_vrfs(context),
    )


def maximum_paths(plan: FabricPlan, tier: Tier) -> int:
    """Return the ECMP width of a tier: all planned uplinks of its switches, or of one below; at least 1.

    It does not depend on the number of switches above, so that this may change: parallel links to a switch below are
    never more than its uplinks.
    """
    leaf = plan.shape.uplinks_laid
    spine = len(plan.shape.spine.uplinks) if plan.shape.spine is not None else 0
    # Above a pair each leaf has paths of its own to a NIC.
    pair = 2 * plan.shape.links if has_leaf_pairs(plan) and tier is Tier.SPINE else 0
    return max({Tier.SPINE: max(leaf, spine, pair), Tier.SUPERSPINE: spine}.get(tier, leaf), 1)


def overlay_paths(context: Context) -> int:
    """Return the paths that a VRF may use: up to the chip's width and OVERLAY_PATHS; one VTEP counts once per spine."""
    chip = min(context.chassis.asic.ecmp_width or OVERLAY_PATHS, OVERLAY_PATHS)
    return max(chip, maximum_paths(context.fabric, context.place.tier))


def maximum_underlay_routes(plan: FabricPlan) -> int:
    """Return the limit of prefixes of one session: twice those of the planned fabric, rounded up to a power of two."""
    planned = sum(segment.box.size() for segments in plan.segments.values() for segment in segments)
    # A switch originates at most three prefixes, see `own_prefixes`; NICs behind two leaves have a route each.
    return 1 << (2 * (3 * planned + _planned_nics(plan)) - 1).bit_length()


def _planned_nics(plan: FabricPlan) -> int:
    """Return the NICs of every planned slot that have a host route; 0 where NICs have one leaf."""
    if not has_leaf_pairs(plan):
        return 0
    return sum(
        group.planned * group.slots_a_unit * len({port.rail for port in group.nics.ports})
        for group in plan.shape.groups
    )


def maximum_overlay_routes(context: Context) -> int:
    """Return the limit of EVPN routes of one session: twice those of the planned site, a power of two, never small."""
    shape = context.fabric.shape
    ports = sum(group.planned * group.slots_a_unit * len(group.columns) for group in shape.groups)
    leaves = sum(group.planned * group.leaves_a_unit for group in shape.groups) + shape.borders
    return _twice(context, ports, leaves)


def maximum_leaf_routes(context: Context) -> int:
    """Return the limit of EVPN routes of a session with one leaf: as for the site, for the largest leaf."""
    shape = context.fabric.shape
    ports = (sum(map(_ports_a_leaf, shape.sharing(leaves.name))) for leaves in shape.leaf_groups)
    return _twice(context, max(ports, default=0), 1)


def _ports_a_leaf(group: GroupShape) -> int:
    """Return the most server ports that a leaf of a group has."""
    ports_by_leaf = Counter((column.plane, column.rail, column.index) for column in group.columns)
    return group.slots_a_unit * max(ports_by_leaf.values(), default=0)


def _twice(context: Context, ports: int, leaves: int) -> int:
    """Return twice the EVPN routes of so many server ports and leaves, as a power of two, at least OVERLAY_ROUTES.

    On a backend each port has one prefix route. On a frontend each MAC of a server port has ROUTES_A_MAC, each port
    five of its segment; each leaf flooding, segment and prefix routes of each network; a border what its peers may
    send.
    """
    tenants, fabric = context.site.tenants, context.settings
    if isinstance(fabric, Backend):
        planned = ports
    else:
        networks = sum(len(tenant.networks) for tenant in tenants)
        outside = sum(external.max_prefixes for tenant in tenants for external in tenant.external)
        macs = 1 + fabric.server_ports.guests_per_server
        planned = (ROUTES_A_MAC * macs + 5) * ports + 8 * leaves * networks + outside
    return max(OVERLAY_ROUTES, 1 << max(2 * planned - 1, 1).bit_length())


def _restart(context: Context, way: Direction) -> int:
    """Return the minutes for which a session closes when its peer sends too many routes; 0 where it stays open.

    Only a leaf has caused its own routes. A switch above sends the routes of many: closing that session would cut off
    uninvolved switches, and every leaf at once.
    """
    return RESTART_MINUTES if context.place.tier is Tier.SPINE and not way.upward else 0


def _groups(context: Context, way: Direction) -> Iterator[PeerGroup]:
    for family in sorted(context.settings.addressing.links):
        name = group_name(way.peers, family)
        is_unnumbered = family == "unnumbered"
        yield PeerGroup(
            name=name,
            description=f"underlay {family}",
            families=families_of(context.settings.addressing) if is_unnumbered else (family,),
            route_map_in=maps_of(name).inbound,
            route_map_out=maps_of(name).outbound,
            maximum_routes=maximum_underlay_routes(context.fabric),
            restart_minutes=_restart(context, way),
            bfd=context.settings.bgp.bfd,
            extended_communities=False,
            extended_next_hop=is_unnumbered and "ipv4" in families_of(context.settings.addressing),
            ttl_security=_ttl_security(context),
            password=_password(context),
        )
    if overlay_of(context.settings) is not None:
        yield _overlay_group(context, way)


def _overlay_group(context: Context, way: Direction) -> PeerGroup:
    name, restart_minutes = group_name(way.peers, "evpn"), _restart(context, way)
    return PeerGroup(
        name=name,
        description="overlay",
        families=("evpn",),
        route_map_in=maps_of(name).inbound,
        route_map_out=maps_of(name).outbound,
        maximum_routes=maximum_leaf_routes(context) if restart_minutes else maximum_overlay_routes(context),
        restart_minutes=restart_minutes,
        bfd=context.settings.bgp.bfd,
        extended_communities=True,
        update_source=0,
        multihop=OVERLAY_TTL,
        next_hop_unchanged=context.place.tier in UPPER,
        ttl_security=_ttl_security(context),
        password=_password(context),
    )


def _ttl_security(context: Context) -> str:
    """Return what sessions between switches do with the TTL: a system that cannot check it sends 255 for the others."""
    way = context.settings.bgp.ttl_security
    if way == "check" and not can(context.chassis.system, "ttl-check"):
        return "send"
    return "" if way == "none" else way


def _password(context: Context) -> Secret | None:
    reference = context.settings.bgp.password
    return secret(reference) if reference else None


def _neighbors(context: Context, bundles: tuple[LinkBundle, ...]) -> Iterator[Neighbor]:
    for family in sorted(context.settings.addressing.links):
        for bundle in bundles:
            yield from _sessions(context, bundle, family)
    if overlay_of(context.settings) is not None:
        for bundle in bundles:
            # A drained leaf marks what it announces in the overlay. Its inbound map stays: no path of the overlay is
            # worse.
            group = group_name(bundle.way.peers, "evpn")
            marks = context.drained and context.place.tier not in UPPER
            out = maps_of(group, drained=True).outbound if marks else ""
            far = zip(bundle.fars, bundle.far_names, bundle.far_asns, strict=True)
            for place, name, asn in dict.fromkeys(far):
                yield Neighbor(
                    address=ipv4(router_id(context.fabric, place)),
                    group=group,
                    remote_as=asn,
                    description=name,
                    route_map_out=out,
                )


def _sessions(context: Context, bundle: LinkBundle, family: str) -> list[Neighbor]:
    """Return the underlay sessions of one family over the cables in one direction."""
    group = group_name(bundle.way.peers, family)
    drained = maps_of(group, drained=True)
    inbound, outbound = drained if context.drained else GROUPS_MAPS
    no_texts = [Ipv4("")] * len(bundle.ports)
    addresses = {"ipv4": bundle.far_ipv4, "ipv6": bundle.far_ipv6}.get(family, no_texts)
    ports = bundle.names if family == "unnumbered" else no_texts
    columns = zip(addresses, bundle.far_asns, bundle.far_texts, bundle.states, ports, strict=True)
    return [
        Neighbor(
            address,
            group,
            asn,
            text,
            drained.inbound if state == DRAINED else inbound,
            drained.outbound if state == DRAINED else outbound,
            port,
        )
        for address, asn, text, state, port in columns
    ]
