"""Isolation: prefixes that a VRF must not reach, the same on every switch of a fabric that has the VRF."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_network
from typing import NamedTuple

from fabricgen.base.addresses import Network, Prefix
from fabricgen.device.device import Device
from fabricgen.verify.expect.model import ForbiddenRoute

DEFAULTS = (Prefix("0.0.0.0/0"), Prefix("::/0"))

Vrf = tuple[str, str]
"""Fabric, and name of the VRF; empty for the default one."""


class Tenancies(NamedTuple):
    """Prefixes by VRF, collected from all switches.

    subnets  VRF → all prefixes that any switch originates in it
    imports  VRF → VRFs that it imports
    outside  VRF → what it may learn outside; a VRF without outside sessions is missing
    blocks   fabric → the prefixes that contain all its own
    """

    subnets: dict[Vrf, set[Prefix]]
    imports: dict[Vrf, set[str]]
    outside: dict[Vrf, set[Prefix]]
    blocks: dict[str, set[Prefix]]


def tenancies(devices: Iterable[Device]) -> Tenancies:
    """Collect the tenancies of these switches."""
    result = nothing()
    for device in devices:
        block = result.blocks[device.fabric]  # empty for a leaf without spines
        bgp = device.routing.bgp
        for name in {group.route_map_in for group in bgp.groups} | {row.route_map_in for row in bgp.neighbors}:
            block.update(_permitted(device, name))
        for vrf in device.routing.bgp.vrfs:
            key = (device.fabric, vrf.name)
            result.subnets[key].update((*vrf.networks_ipv4, *vrf.networks_ipv6))
            result.imports[key].update(vrf.imports)
            for neighbor in vrf.neighbors:
                result.outside.setdefault(key, set()).update(_permitted(device, neighbor.route_map_in))
    return result


def nothing() -> Tenancies:
    """Empty tenancies."""
    return Tenancies(defaultdict(set), defaultdict(set), {}, defaultdict(set))


def include(all_tenancies: Tenancies, others: Tenancies) -> None:
    """Add the tenancies that others collected."""
    for known, added in ((all_tenancies.subnets, others.subnets), (all_tenancies.outside, others.outside)):
        for vrf, prefixes in added.items():
            known.setdefault(vrf, set()).update(prefixes)
    for vrf, names in others.imports.items():
        all_tenancies.imports[vrf].update(names)
    for fabric, prefixes in others.blocks.items():
        all_tenancies.blocks[fabric].update(prefixes)


def _permitted(device: Device, name: str) -> Iterator[Prefix]:
    """Prefixes of the prefix lists that a route map matches."""
    policy = device.routing.policy
    statements = next((named.statements for named in policy.route_maps if named.name == name), ())
    names = {
        ref
        for statement in statements
        for ref in (statement.match_prefix_list_ipv4, statement.match_prefix_list_ipv6)
        if ref
    }
    return (entry.prefix for named in policy.prefix_lists if named.name in names for entry in named.entries)


def forbidden(collected: Tenancies) -> dict[Vrf, tuple[ForbiddenRoute, ...]]:
    """By VRF of a fabric: prefixes of other fabrics and tenants, and default routes where none is planned."""
    vrfs = {(fabric, "") for fabric in collected.blocks} | set(collected.subnets)
    rows = {
        key: (*_fabrics(collected, key), *_tenants(collected, key), *_ways_out(collected, key)) for key in sorted(vrfs)
    }
    accepted = {key: tuple(sorted(prefixes)) for key, prefixes in collected.outside.items()}
    return {key: tuple(row._replace(accepted=accepted.get(key, ())) for row in routes) for key, routes in rows.items()}


def closed(routes: Iterable[ForbiddenRoute]) -> tuple[str, ...]:
    """VRFs without an outside connection: all their routes are planned, as they import only subnets of others."""
    return tuple(dict.fromkeys(row.vrf for row in routes if row.prefix in DEFAULTS))


def _fabrics(collected: Tenancies, key: Vrf) -> Iterator[ForbiddenRoute]:
    """Links and loopbacks of fabrics: only the default VRF of a fabric has its own.

    A VRF of a shared backend also has links in the fabric's block; the plan has no other route of the block in it.
    """
    own_blocks = collected.blocks.get(key[0], set()) if not key[1] or _is_inside(collected, key) else set()
    for fabric, blocks in sorted(collected.blocks.items()):
        for prefix in sorted(blocks - own_blocks):
            yield ForbiddenRoute(key[1], prefix, f"of fabric {fabric}")


def _tenants(collected: Tenancies, key: Vrf) -> Iterator[ForbiddenRoute]:
    """Prefixes of tenants that a VRF neither is nor imports.

    Tenants that never meet may have the same addresses, and a firewall may announce one to another: such a prefix
    proves nothing and is left out.
    """
    fabric, vrf = key
    reached = {vrf, *collected.imports.get(key, ())} if vrf else set()
    mine = [prefix for name in sorted(reached) for prefix in _joined(collected, (fabric, name))]
    outside = [ip_network(prefix) for prefix in collected.outside.get(key, ())]
    for other, tenant in sorted(collected.subnets):
        if other == fabric and tenant not in reached:
            for theirs in _joined(collected, (other, tenant)):
                if not any(_overlap(theirs, own_network) for own_network in mine) and not any(
                    _within(learned, theirs) for learned in outside
                ):
                    yield ForbiddenRoute(vrf, Prefix(str(theirs)), f"of tenant {tenant}")


def _is_inside(collected: Tenancies, key: Vrf) -> bool:
    """Whether a VRF's own networks are in its fabric's block, as links to NICs of a shared backend are."""
    blocks = [ip_network(prefix) for prefix in collected.blocks.get(key[0], ())]
    return any(
        _within(ip_network(own_prefix), block) for own_prefix in collected.subnets.get(key, ()) for block in blocks
    )


def _joined(collected: Tenancies, key: Vrf) -> list[Network]:
    """Networks of a VRF in order; adjacent links to NICs are merged, as a tenant has thousands."""
    networks = sorted((ip_network(prefix) for prefix in collected.subnets.get(key, ())), key=str)
    if not _is_inside(collected, key):
        return networks
    ipv4 = collapse_addresses(subnet for subnet in networks if isinstance(subnet, IPv4Network))
    ipv6 = collapse_addresses(subnet for subnet in networks if isinstance(subnet, IPv6Network))
    return [*ipv4, *ipv6]


def _ways_out(collected: Tenancies, key: Vrf) -> Iterator[ForbiddenRoute]:
    if key not in collected.outside:
        owner_name = f"tenant {key[1]}" if key[1] else f"fabric {key[0]}"
        for prefix in DEFAULTS:
            yield ForbiddenRoute(key[1], prefix, f"there is no route out of {owner_name} here")


def _overlap(first: Network, second: Network) -> bool:
    return first.version == second.version and first.overlaps(second)


def _within(inner: Network, outer: Network) -> bool:
    return (
        inner.version == outer.version
        and int(inner.network_address) >= int(outer.network_address)
        and int(inner.broadcast_address) <= int(outer.broadcast_address)
    )
