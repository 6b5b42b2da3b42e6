"""What must stay apart: prefixes that a VRF must not reach, the same on every switch of a fabric that has the VRF."""

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
    """Who has what, gathered from all switches.

    subnets  VRF → all that any switch originates in it
    imports  VRF → those it takes over
    outside  VRF → what it may learn outside; a VRF without outside sessions is missing
    blocks   fabric → the prefixes that all its own lie in
    """

    subnets: dict[Vrf, set[Prefix]]
    imports: dict[Vrf, set[str]]
    outside: dict[Vrf, set[Prefix]]
    blocks: dict[str, set[Prefix]]


def tenancies(devices: Iterable[Device]) -> Tenancies:
    """Gather."""
    found = nothing()
    for device in devices:
        block = found.blocks[device.fabric]  # empty for a leaf without spines
        bgp = device.routing.bgp
        for name in {group.route_map_in for group in bgp.groups} | {row.route_map_in for row in bgp.neighbors}:
            block.update(_permitted(device, name))
        for vrf in device.routing.bgp.vrfs:
            key = (device.fabric, vrf.name)
            found.subnets[key].update((*vrf.networks_ipv4, *vrf.networks_ipv6))
            found.imports[key].update(vrf.imports)
            for neighbor in vrf.neighbors:
                found.outside.setdefault(key, set()).update(_permitted(device, neighbor.route_map_in))
    return found


def nothing() -> Tenancies:
    """Of no switch."""
    return Tenancies(defaultdict(set), defaultdict(set), {}, defaultdict(set))


def include(found: Tenancies, more: Tenancies) -> None:
    """Add what others have gathered."""
    for held, added in ((found.subnets, more.subnets), (found.outside, more.outside)):
        for vrf, prefixes in added.items():
            held.setdefault(vrf, set()).update(prefixes)
    for vrf, names in more.imports.items():
        found.imports[vrf].update(names)
    for fabric, prefixes in more.blocks.items():
        found.blocks[fabric].update(prefixes)


def _permitted(device: Device, name: str) -> Iterator[Prefix]:
    """Prefixes of the lists that a route map matches."""
    policy = device.routing.policy
    statements = next((found.statements for found in policy.route_maps if found.name == name), ())
    names = {n for s in statements for n in (s.match_prefix_list_ipv4, s.match_prefix_list_ipv6) if n}
    return (entry.prefix for found in policy.prefix_lists if found.name in names for entry in found.entries)


def forbidden(found: Tenancies) -> dict[Vrf, tuple[ForbiddenRoute, ...]]:
    """By VRF of a fabric: other fabrics and tenants, and ways out that none has planned."""
    every = {(fabric, "") for fabric in found.blocks} | set(found.subnets)
    rows = {key: (*_fabrics(found, key), *_tenants(found, key), *_ways_out(found, key)) for key in sorted(every)}
    accepted = {key: tuple(sorted(prefixes)) for key, prefixes in found.outside.items()}
    return {key: tuple(row._replace(accepted=accepted.get(key, ())) for row in held) for key, held in rows.items()}


def closed(found: Iterable[ForbiddenRoute]) -> tuple[str, ...]:
    """VRFs that have no way out, so that all their routes are planned: what is imported are subnets of others only."""
    return tuple(dict.fromkeys(row.vrf for row in found if row.prefix in DEFAULTS))


def _fabrics(found: Tenancies, key: Vrf) -> Iterator[ForbiddenRoute]:
    """Links and loopbacks of fabrics: only the default VRF of a fabric has its own.

    A VRF of a shared backend has links in the fabric's block too; all else of the block is no route that it plans.
    """
    own = found.blocks.get(key[0], set()) if not key[1] or _is_inside(found, key) else set()
    for fabric, blocks in sorted(found.blocks.items()):
        for prefix in sorted(blocks - own):
            yield ForbiddenRoute(key[1], prefix, f"of fabric {fabric}")


def _tenants(found: Tenancies, key: Vrf) -> Iterator[ForbiddenRoute]:
    """Tenants that a VRF neither is nor imports.

    Tenants that never meet may have the same addresses, and a firewall may announce one to another: such a prefix
    tells nothing and is left out.
    """
    fabric, vrf = key
    reached = {vrf, *found.imports.get(key, ())} if vrf else set()
    mine = [prefix for name in sorted(reached) for prefix in _joined(found, (fabric, name))]
    outside = [_network(prefix) for prefix in found.outside.get(key, ())]
    for other, tenant in sorted(found.subnets):
        if other == fabric and tenant not in reached:
            for it in _joined(found, (other, tenant)):
                if not any(_overlap(it, own) for own in mine) and not any(_within(one, it) for one in outside):
                    yield ForbiddenRoute(vrf, Prefix(str(it)), f"of tenant {tenant}")


def _is_inside(found: Tenancies, key: Vrf) -> bool:
    """Whether a VRF's own networks lie in its fabric's block: links to NICs of a shared backend do."""
    blocks = [_network(prefix) for prefix in found.blocks.get(key[0], ())]
    return any(_within(_network(own), block) for own in found.subnets.get(key, ()) for block in blocks)


def _joined(found: Tenancies, key: Vrf) -> list[Network]:
    """Networks of a VRF in order; neighboring links to NICs as one: a tenant has thousands."""
    networks = sorted((_network(prefix) for prefix in found.subnets.get(key, ())), key=str)
    if not _is_inside(found, key):
        return networks
    four = collapse_addresses(one for one in networks if isinstance(one, IPv4Network))
    six = collapse_addresses(one for one in networks if isinstance(one, IPv6Network))
    return [*four, *six]


def _ways_out(found: Tenancies, key: Vrf) -> Iterator[ForbiddenRoute]:
    if key not in found.outside:
        whose = f"tenant {key[1]}" if key[1] else f"fabric {key[0]}"
        for prefix in DEFAULTS:
            yield ForbiddenRoute(key[1], prefix, f"nothing leads out of {whose} here")


def _network(prefix: Prefix) -> Network:
    return ip_network(prefix)


def _overlap(one: Network, two: Network) -> bool:
    return one.version == two.version and one.overlaps(two)


def _within(one: Network, two: Network) -> bool:
    return (
        one.version == two.version
        and int(one.network_address) >= int(two.network_address)
        and int(one.broadcast_address) <= int(two.broadcast_address)
    )
