"""What a VRF originates, as a route map, for systems that redistribute connected routes.

Such a system would announce every address of any interface in the VRF. The map permits the networks of the Device and
nothing else: the same closed list that other systems have as network statements.
"""

from fabricgen.base.addresses import Prefix
from fabricgen.device.routing import BgpVrf, PrefixEntry, PrefixList, RouteMap, RoutingPolicy, Statement


def originated_map(vrf: BgpVrf) -> str:
    """Name of the route map for what a VRF originates; empty if it originates nothing."""
    return f"RM-{vrf.name}-ORIGINATED".upper() if vrf.networks_ipv4 or vrf.networks_ipv6 else ""


def with_originated(policy: RoutingPolicy, vrfs: tuple[BgpVrf, ...]) -> RoutingPolicy:
    """A switch's policy with the maps and lists of what its VRFs originate, sorted by name."""
    lists_by_vrf = [(vrf, _lists(vrf)) for vrf in vrfs]
    lists = [prefix_list for _, vrf_lists in lists_by_vrf for prefix_list in vrf_lists]
    maps = [RouteMap(originated_map(vrf), _statements(vrf_lists)) for vrf, vrf_lists in lists_by_vrf if vrf_lists]
    return policy._replace(
        prefix_lists=tuple(sorted((*policy.prefix_lists, *lists))),
        route_maps=tuple(sorted((*policy.route_maps, *maps))),
    )


def _lists(vrf: BgpVrf) -> tuple[PrefixList, ...]:
    """Prefix lists of a VRF's networks, each prefix with its exact length, one list per family."""
    networks: dict[str, tuple[Prefix, ...]] = {"ipv4": vrf.networks_ipv4, "ipv6": vrf.networks_ipv6}
    return tuple(
        PrefixList(
            f"PL-{vrf.name}-ORIGINATED-{family}".upper(),
            family,
            tuple(PrefixEntry(10 * position, prefix, 0) for position, prefix in enumerate(prefixes, start=1)),
        )
        for family, prefixes in networks.items()
        if prefixes
    )


def _statements(lists: tuple[PrefixList, ...]) -> tuple[Statement, ...]:
    """One statement per family: a list of one family never matches a route of the other."""
    return tuple(
        Statement(
            sequence=10 * position,
            permit=True,
            match_prefix_list_ipv4=prefix_list.name if prefix_list.family == "ipv4" else "",
            match_prefix_list_ipv6=prefix_list.name if prefix_list.family == "ipv6" else "",
        )
        for position, prefix_list in enumerate(lists, start=1)
    )
