"""A session with route maps of its own is judged by them, and not by its group's."""

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.routing import Neighbor, PrefixEntry, PrefixList, RouteMap, Statement
from fabricgen.verify.expect.isolation import tenancies
from fabricgen.verify.expect.speakers import links, loopback_owners
from tests.verify.sites import healthy

LEAF = next(device for device in healthy() if device.name == "fe-leaf-000")
LAST = RouteMap("RM-OWN", (Statement(sequence=10, permit=True, set_local_preference=0),))
SHUT = RouteMap("RM-OWN", (Statement(sequence=10, permit=True, set_graceful_shutdown=True),))


def _with(found: RouteMap, row: Neighbor, *lists: PrefixList) -> Device:
    """The leaf with a first neighbor that uses one more route map."""
    routing = LEAF.routing
    policy = routing.policy._replace(
        route_maps=(*routing.policy.route_maps, found),
        prefix_lists=(*routing.policy.prefix_lists, *lists),
    )
    bgp = routing.bgp._replace(neighbors=(row, *routing.bgp.neighbors[1:]))
    return LEAF._replace(routing=routing._replace(policy=policy, bgp=bgp))


def _halves(device: Device) -> list[tuple[bool, bool]]:
    return [(link.last, link.shut) for link in links(device, loopback_owners(healthy()))]


def test_the_session_alone_is_last_or_shut() -> None:
    first = LEAF.routing.bgp.neighbors[0]
    rest = [(False, False)] * (len(LEAF.routing.bgp.neighbors) - 1)
    assert _halves(LEAF) == [(False, False), *rest]
    assert _halves(_with(LAST, first._replace(route_map_in="RM-OWN"))) == [(True, False), *rest]
    assert _halves(_with(SHUT, first._replace(route_map_out="RM-OWN"))) == [(False, True), *rest]


def test_what_a_single_session_lets_in_is_of_the_fabric() -> None:
    prefix = Prefix("192.0.2.0/24")
    own = PrefixList("PL-OWN-MAP", "ipv4", (PrefixEntry(10, prefix, 0),))
    found = RouteMap("RM-OWN", (Statement(sequence=10, permit=True, match_prefix_list_ipv4=own.name),))
    device = _with(found, LEAF.routing.bgp.neighbors[0]._replace(route_map_in=found.name), own)
    assert tenancies([device]).blocks["frontend"] == tenancies([LEAF]).blocks["frontend"] | {prefix}
