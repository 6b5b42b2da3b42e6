"""Prefixes of the intent compared with each other: disjoint where they meet, private where nothing may leave."""

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, ip_network
from itertools import combinations, pairwise
from typing import NamedTuple

from fabricgen.base.addresses import Network
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.fabric import Backend, router_ids_of
from fabricgen.plan.plan import Plan

PRIVATE = tuple(map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))
"""RFC 1918 and RFC 4193. 100.64.0.0/10 is not among them: it belongs to carriers (RFC 6598)."""


class NamedPrefix(NamedTuple):
    """One prefix of the intent, its purpose, and its path."""

    network: Network
    title: str
    where: IntentPath


def is_private(network: Network) -> bool:
    """Return whether a prefix lies in RFC 1918 or RFC 4193 space."""
    return any(_within(network, wide) for wide in PRIVATE)


def _within(network: Network, wide: Network) -> bool:
    if isinstance(network, IPv4Network) and isinstance(wide, IPv4Network):
        return network.subnet_of(wide)
    if isinstance(network, IPv6Network) and isinstance(wide, IPv6Network):
        return network.subnet_of(wide)
    return False


def backend_private(plan: Plan) -> Iterator[Problem]:
    """Addresses of a backend are private, so that an accidental leak has no effect outside (RFC 1918, RFC 4193)."""
    for pool in _pools(plan):
        fabric = plan.intent.fabrics.get(str(pool.where[1]))
        if isinstance(fabric, Backend) and not is_private(pool.network):
            example = "10.64.0.0/12" if pool.network.version == 4 else "fd5e:8c1f:2a00::/52"
            yield Problem(
                code="public-addresses",
                what=f"{pool.network} ({pool.title}) is not private",
                where=pool.where,
                why="a backend has no external connectivity, so its addresses are private (RFC 1918, RFC 4193)",
                fix=f"write a private prefix, e.g. {example}",
            )


def _pools(plan: Plan) -> Iterator[NamedPrefix]:
    for name, fabric in plan.intent.fabrics.items():
        for key, network in (("ipv4", fabric.addressing.ipv4), ("ipv6", fabric.addressing.ipv6)):
            if network is not None:
                yield NamedPrefix(network, f"the prefix of {name}", ("fabrics", name, "addressing", key))


def _router_ids(plan: Plan) -> Iterator[NamedPrefix]:
    for name, fabric in plan.intent.fabrics.items():
        numbers = router_ids_of(fabric.addressing)
        if numbers is not None:
            path: IntentPath = ("fabrics", name, "addressing", "router_ids")
            yield NamedPrefix(numbers, f"the router ids of {name}", path)


def _tenant_prefixes(plan: Plan) -> Iterator[NamedPrefix]:
    for name, tenant in plan.intent.tenants.items():
        for network, body in tenant.networks.items():
            for index, subnet in enumerate(body.subnets):
                path: IntentPath = ("tenants", name, "networks", network, "subnets", index)
                yield NamedPrefix(subnet, f"the subnet of {network} of {name}", path)
        for index, prefix in enumerate(tenant.relay_sources):
            yield NamedPrefix(prefix, f"the relays of {name}", ("tenants", name, "relay_sources", index))
        for position, external in enumerate(tenant.external):
            for index, end in enumerate(external.addresses):
                link = ip_network(f"{end.address}/{end.length}", strict=False)
                path = ("tenants", name, "external", position, "addresses", index)
                yield NamedPrefix(link, f"the link of {name} to {external.peer}", path)


def prefixes_disjoint(plan: Plan) -> Iterator[Problem]:
    """Prefixes of fabrics, the out-of-band prefix, tenants' subnets, relays and outside links do not overlap.

    Prefixes of different tenants may overlap (each has its VRF), unless they reach each other: another check tests
    that. Outside links of two tenants must not, as one device beyond the border may see both.
    """
    oob = NamedPrefix(plan.intent.management.oob, "the out-of-band prefix", ("management", "oob"))
    pools = (*_pools(plan), oob, *_router_ids(plan))
    tenants = tuple(_tenant_prefixes(plan))
    links = tuple(prefix for prefix in tenants if "external" in prefix.where)
    # Fabrics may take their router ids from one range: they are numbers of the site, and on no interface.
    pairs = [pair for pair in combinations(pools, 2) if not all(prefix.where[-1] == "router_ids" for prefix in pair)]
    pairs += [*((pool, other) for pool in pools for other in tenants), *_close(links)]
    for first, second in pairs:
        if first.network.version == second.network.version and first.network.overlaps(second.network):
            yield Problem(
                code="prefixes-overlap",
                what=f"{second.network} ({second.title}) overlaps {first.network} ({first.title})",
                where=second.where,
                why="the same address would be assigned twice",
                fix=f"write a prefix outside {first.network}",
            )


def _close(links: tuple[NamedPrefix, ...]) -> Iterator[tuple[NamedPrefix, NamedPrefix]]:
    """Yield pairs of links that could overlap: neighbors in order, as all have the length of a point-to-point link."""
    ordered = sorted(links, key=lambda link: (link.network.version, int(link.network.network_address)))
    yield from pairwise(ordered)
