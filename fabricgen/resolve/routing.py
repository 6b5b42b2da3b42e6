"""Underlay and overlay sessions of one switch, and the policy on each of them."""

from collections.abc import Iterator
from typing import NamedTuple

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
from fabricgen.resolve.links import ABSENT, DRAINED, link_state
from fabricgen.resolve.policy import group_name, maps_of, resolve_policy

OVERLAY_TTL = 3
"""Hops of a session between loopbacks of neighboring tiers, one to spare."""


def resolve_routing(context: Context) -> Routing:
    """All routing of a switch."""
    links = _links(context)
    states = frozenset(link.state for link in links)
    return Routing(
        policy=resolve_policy(context, own_prefixes(context), states),
        static_routes=tuple(_static_routes(context)),
        bgp=_bgp(context, links, states),
    )


class _Link(NamedTuple):
    """A cable that carries sessions, and its state: active or drained."""

    cable: Uplink
    state: str


def _links(context: Context) -> tuple[_Link, ...]:
    plan = context.fabric
    cables = downlinks(plan, context.place) if _is_spine(context) else uplinks(plan, context.place)
    found = (_Link(cable, link_state(plan, cable)) for cable in cables)
    return tuple(link for link in found if link.state != ABSENT)


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


def _bgp(context: Context, links: tuple[_Link, ...], states: frozenset[str]) -> Bgp:
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
        groups=tuple(_groups(context, states)),
        neighbors=tuple(_neighbors(context, links)),
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


def _groups(context: Context, states: frozenset[str]) -> Iterator[PeerGroup]:
    for family in sorted(context.fabric.fabric.addressing.links):
        for state in sorted(states):
            yield _underlay_group(context, family, drained=state == DRAINED)
    if isinstance(context.fabric.fabric, Frontend) and states:
        yield _overlay_group(context)


def _underlay_group(context: Context, family: str, *, drained: bool) -> PeerGroup:
    name = group_name(context, family, drained=drained)
    return PeerGroup(
        name=name,
        description=f"underlay {family}{' drained' if drained else ''}",
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
        maximum_routes=maximum_overlay_routes(context.fabric),
        bfd=context.fabric.fabric.bgp.bfd,
        extended_communities=True,
        update_source=0,
        multihop=OVERLAY_TTL,
        next_hop_unchanged=_is_spine(context),
    )


def _neighbors(context: Context, links: tuple[_Link, ...]) -> Iterator[Neighbor]:
    blocks = {link.cable.lower: own_blocks(context.fabric, link.cable.lower) for link in links}
    for at, family in enumerate(("ipv4", "ipv6")):
        if family not in context.fabric.fabric.addressing.links:
            continue
        for cable, state in links:
            block = blocks[cable.lower][at]
            if block is not None:
                yield _session(context, cable, block, group_name(context, family, drained=state == DRAINED))
    if isinstance(context.fabric.fabric, Frontend):
        yield from _overlay(context, links)


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


def _overlay(context: Context, links: tuple[_Link, ...]) -> Iterator[Neighbor]:
    plan, group = context.fabric, group_name(context, "evpn")
    seen: dict[Place, None] = {}
    for link in links:
        seen.setdefault(link.cable.lower if _is_spine(context) else link.cable.upper)
    for far in seen:
        yield Neighbor(
            address=ipv4(router_id(plan, far)), group=group, remote_as=asn_of(plan, far), description=name_of(plan, far)
        )
