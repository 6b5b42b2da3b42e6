"""What a VRF originates as a route map, for systems that take it over from what is connected.

Such a system would announce every address that someone gives an interface of the VRF. The map permits the networks of
the Device and nothing else: the same closed list that other systems have as network statements.
"""

from fabricgen.base.addresses import Prefix
from fabricgen.device.routing import BgpVrf, PrefixEntry, PrefixList, RouteMap, RoutingPolicy, Statement


def originated_map(vrf: BgpVrf) -> str:
    """Name of the map on what a VRF originates; empty where that is nothing."""
    return f"RM-{vrf.name}-ORIGINATED".upper() if vrf.networks_ipv4 or vrf.networks_ipv6 else ""


def with_originated(policy: RoutingPolicy, vrfs: tuple[BgpVrf, ...]) -> RoutingPolicy:
    """A switch's policy with the maps and lists of what its VRFs originate, all by name."""
    found = [(vrf, _lists(vrf)) for vrf in vrfs]
    lists = [one for _, own in found for one in own]
    maps = [RouteMap(originated_map(vrf), _statements(own)) for vrf, own in found if own]
    return policy._replace(
        prefix_lists=tuple(sorted((*policy.prefix_lists, *lists))),
        route_maps=tuple(sorted((*policy.route_maps, *maps))),
    )


def _lists(vrf: BgpVrf) -> tuple[PrefixList, ...]:
    """Networks of a VRF, each with its exact length, a list a family."""
    networks: dict[str, tuple[Prefix, ...]] = {"ipv4": vrf.networks_ipv4, "ipv6": vrf.networks_ipv6}
    return tuple(
        PrefixList(
            f"PL-{vrf.name}-ORIGINATED-{family}".upper(),
            family,
            tuple(PrefixEntry(10 * at, prefix, 0) for at, prefix in enumerate(own, start=1)),
        )
        for family, own in networks.items()
        if own
    )


def _statements(lists: tuple[PrefixList, ...]) -> tuple[Statement, ...]:
    """A statement a family: a list of one family never matches a route of the other."""
    return tuple(
        Statement(
            sequence=10 * at,
            permit=True,
            match_prefix_list_ipv4=found.name if found.family == "ipv4" else "",
            match_prefix_list_ipv6=found.name if found.family == "ipv6" else "",
        )
        for at, found in enumerate(lists, start=1)
    )
