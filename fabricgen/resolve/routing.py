"""Underlay and overlay sessions of one switch, and the policy on each of them."""

from collections.abc import Iterator

from fabricgen.addresses import Prefix, ipv4, ipv6, prefix_ipv4, prefix_ipv6
from fabricgen.device.routing import Bgp, Neighbor, PeerGroup, Routing, StaticRoute
from fabricgen.intent.fabric import Backend, Frontend
from fabricgen.plan.fabric import (
    FabricPlan,
    OwnBlock,
    Uplink,
    asn_of,
    downlinks,
    host_space,
    loopback6,
    name_of,
    own_blocks,
    port_text,
    router_id,
    segment_of,
    uplinks,
    vtep,
)
from fabricgen.plan.place import Place, Tier
from fabricgen.resolve.context import Context
from fabricgen.resolve.evpn import resolve_vrfs
from fabricgen.resolve.policy import resolve_policy, underlay_maps

OVERLAY_TTL = 3
"""Hops of a session between loopbacks of neighboring tiers, one to spare."""


def resolve_routing(context: Context) -> Routing:
    """All routing of a switch."""
    return Routing(
        policy=resolve_policy(context, aggregates(context), own_prefixes(context)),
        static_routes=tuple(_static_routes(context)),
        bgp=_bgp(context),
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


def _bgp(context: Context) -> Bgp:
    fabric = context.fabric.fabric
    own = own_prefixes(context)
    return Bgp(
        asn=context.asn,
        router_id=ipv4(router_id(context.fabric, context.place)),
        keepalive_seconds=fabric.bgp.keepalive_seconds,
        hold_seconds=fabric.bgp.hold_seconds,
        maximum_paths=maximum_paths(context.fabric),
        wait_install=True,
        families=tuple(sorted(fabric.addressing.links)),
        groups=tuple(_groups(context)),
        neighbors=tuple(_neighbors(context)),
        networks_ipv4=tuple(prefix for prefix in own if ":" not in prefix),
        networks_ipv6=tuple(prefix for prefix in own if ":" in prefix),
        vrfs=resolve_vrfs(context),
    )


def maximum_paths(plan: FabricPlan) -> int:
    """ECMP width: all uplinks of a leaf, whatever the number of spines; at least 1."""
    return max(len(plan.shape.groups[0].leaf.up), 1)


def maximum_underlay_routes(plan: FabricPlan) -> int:
    """Prefixes one session may bring: twice what the planned fabric can have, rounded up to a power of two."""
    planned = sum(segment.box.size() for found in plan.segments.values() for segment in found)
    return 1 << (2 * 3 * planned - 1).bit_length()


def maximum_overlay_routes(plan: FabricPlan) -> int:
    """EVPN routes one session may bring: per server port MAC, MAC/IP in both families and segment routes; doubled."""
    planned = sum(group.planned * group.slots_a_unit * len(group.columns) for group in plan.shape.groups)
    return 1 << (2 * 8 * planned - 1).bit_length()


def _groups(context: Context) -> Iterator[PeerGroup]:
    plan = context.fabric
    if not plan.shape.spines:
        return
    far = "leaves" if context.place.tier is Tier.SPINE else "spines"
    for family in sorted(plan.fabric.addressing.links):
        maps = underlay_maps(context, family)
        yield PeerGroup(
            name=f"{far}-{family}".upper(),
            description=f"underlay {family}",
            families=(family,),
            route_map_in=maps.inbound,
            route_map_out=maps.outbound,
            maximum_routes=maximum_underlay_routes(plan),
            bfd=plan.fabric.bgp.bfd,
            extended_communities=False,
        )
    if isinstance(plan.fabric, Frontend):
        maps = underlay_maps(context, "evpn")
        yield PeerGroup(
            name=f"{far}-evpn".upper(),
            description="overlay",
            families=("evpn",),
            route_map_in=maps.inbound,
            route_map_out=maps.outbound,
            maximum_routes=maximum_overlay_routes(plan),
            bfd=plan.fabric.bgp.bfd,
            extended_communities=True,
            update_source=0,
            multihop=OVERLAY_TTL,
            next_hop_unchanged=context.place.tier is Tier.SPINE,
        )


def _neighbors(context: Context) -> Iterator[Neighbor]:
    links = tuple(
        downlinks(context.fabric, context.place) if _is_spine(context) else uplinks(context.fabric, context.place)
    )
    far = "LEAVES" if _is_spine(context) else "SPINES"
    blocks = {link.lower: own_blocks(context.fabric, link.lower) for link in links}
    for at, family in enumerate(("ipv4", "ipv6")):
        if family in context.fabric.fabric.addressing.links:
            for link in links:
                block = blocks[link.lower][at]
                if block is not None:
                    yield _session(context, link, block, f"{far}-{family.upper()}")
    if isinstance(context.fabric.fabric, Frontend):
        yield from _overlay(context, links, f"{far}-EVPN")


def _is_spine(context: Context) -> bool:
    return context.place.tier is Tier.SPINE


def _session(context: Context, link: Uplink, block: OwnBlock, group: str) -> Neighbor:
    plan = context.fabric
    lower = block.uplink(link.number)
    if _is_spine(context):
        far, port, value = link.lower, link.lower_port, lower
    else:
        far, port, value = link.upper, link.upper_port, lower + 1
    return Neighbor(
        address=ipv4(value) if block.bits == 32 else ipv6(value),
        group=group,
        remote_as=asn_of(plan, far),
        description=f"{name_of(plan, far)} {port_text(plan, far, port)}",
    )


def _overlay(context: Context, links: tuple[Uplink, ...], group: str) -> Iterator[Neighbor]:
    plan = context.fabric
    seen: dict[Place, None] = {}
    for link in links:
        seen.setdefault(link.lower if _is_spine(context) else link.upper)
    for far in seen:
        yield Neighbor(
            address=ipv4(router_id(plan, far)), group=group, remote_as=asn_of(plan, far), description=name_of(plan, far)
        )
