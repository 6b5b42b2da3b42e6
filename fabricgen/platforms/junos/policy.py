"""Routing policy in Junos' terms: route maps as policy statements, lists as route filters, and originated routes.

Junos has no `network` line: a route is advertised because a policy accepts it from the table. So each export has two
policies: the first passes what BGP learned and what the switch originates on to the second, which is the Device's route
map, term by term.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.device.device import Device
from fabricgen.device.routing import BgpVrf, PrefixEntry, Statement

ORIGINATED = "ORIGINATED"
GRACEFUL_SHUTDOWN = "65535:0"
"""RFC 8326, section 3."""
OWN = "direct static"
"""Protocols of what a switch originates: its own addresses, and discarding aggregates."""


class Filter(NamedTuple):
    """A prefix of a route filter list and its match type: exact, or upto /N."""

    prefix: Prefix
    match: str


class FilterList(NamedTuple):
    """A route filter list; every entry matches."""

    name: str
    filters: tuple[Filter, ...]


class Community(NamedTuple):
    """A named community of one member, e.g. 65000:1 or target:65000:10010."""

    name: str
    member: str


class Term(NamedTuple):
    """One term. Empty fields match or set nothing; `action` is accept, reject or next policy.

    A route matches if it has one of several protocols or communities.
    set_community  replaces the route's communities; added communities are appended to them
    """

    name: str
    action: str
    protocols: str = ""
    communities: str = ""
    filter_list: str = ""
    local_preference: str = ""
    set_community: str = ""
    add_communities: tuple[str, ...] = ()


class JunosPolicy(NamedTuple):
    """A policy statement. Routes that match no term are rejected."""

    name: str
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyContext:
    """All policy objects of one switch."""

    filter_lists: tuple[FilterList, ...]
    policies: tuple[JunosPolicy, ...]
    communities: tuple[Community, ...]


def policy_words(device: Device) -> PolicyContext:
    """The policy of one switch in Junos' terms, sorted by name: its own maps and the originated routes."""
    names = _community_names(device)
    imports = {vrf.import_map: vrf for vrf in device.routing.bgp.vrfs if vrf.import_map}
    policies = [
        JunosPolicy(entry.name, tuple(_term(row, names, imports.get(entry.name)) for row in entry.statements))
        for entry in device.routing.policy.route_maps
    ]
    return PolicyContext(
        filter_lists=tuple(sorted([*_lists(device), *_network_lists(device)])),
        policies=tuple(sorted([*policies, *_originated(device)])),
        communities=tuple(sorted(Community(name, member) for member, name in names.items())),
    )


def _lists(device: Device) -> Iterator[FilterList]:
    for prefix_list in device.routing.policy.prefix_lists:
        yield FilterList(prefix_list.name, tuple(_filter(entry) for entry in prefix_list.entries))


def _filter(entry: PrefixEntry) -> Filter:
    return Filter(entry.prefix, f"upto /{entry.longest}" if entry.longest else "exact")


def vrf_target(route_target: str) -> str:
    """65000:10010 as target:65000:10010."""
    return f"target:{route_target}"


def _community_names(device: Device) -> dict[str, str]:
    """Member → name of each community that a map matches or sets; named after a list of the Device if possible."""
    policy = device.routing.policy
    names = {row.community: row.name for row in policy.community_lists}
    names |= {vrf_target(row.route_target): row.name for row in policy.route_target_lists}
    rows = [row for route_map in policy.route_maps for row in route_map.statements]
    members = [row.set_community for row in rows]
    members += [GRACEFUL_SHUTDOWN for row in rows if row.set_graceful_shutdown]
    members += [vrf_target(t) for vrf in device.routing.bgp.vrfs if vrf.import_map for t in vrf.import_targets]
    for member in members:
        if member:
            names.setdefault(member, f"COMMUNITY-{member.replace(':', '-').upper()}")
    return names


def _term(row: Statement, names: dict[str, str], vrf: BgpVrf | None) -> Term:
    added = [names[row.set_community]] if row.set_community and not row.replace_communities else []
    added += [names[GRACEFUL_SHUTDOWN]] if row.set_graceful_shutdown else []
    return Term(
        name=str(row.sequence),
        action="accept" if row.permit else "reject",
        communities=_matched(row, names, vrf),
        filter_list=row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6,
        local_preference=str(row.set_local_preference) if row.set_local_preference >= 0 else "",
        set_community=names[row.set_community] if row.set_community and row.replace_communities else "",
        add_communities=tuple(added),
    )


def _matched(row: Statement, names: dict[str, str], vrf: BgpVrf | None) -> str:
    """The communities of which a route must have one; for a VRF's import map, those of its import targets."""
    list_name = row.match_community_list or row.match_route_target_list
    if list_name:
        return list_name
    return " ".join(names[vrf_target(target)] for target in vrf.import_targets) if vrf else ""


def network_list(vrf: str, family: str) -> str:
    """The name of the list of networks that are originated in a family: NETWORKS-IPV4, NETWORKS-<VRF>-IPV4."""
    return "-".join(filter(None, ("NETWORKS", vrf, family))).upper()


def originated(vrf: str) -> str:
    """The name of the policy of what may leave a table: ORIGINATED, ORIGINATED-<VRF>."""
    return f"{ORIGINATED}-{vrf}".upper() if vrf else ORIGINATED


def prefix_routes(vrf: str) -> str:
    """The name of the policy of a VRF's prefix routes (type 5)."""
    return f"PREFIX-ROUTES-{vrf}".upper()


def _network_lists(device: Device) -> Iterator[FilterList]:
    bgp = device.routing.bgp
    tables = [("", bgp.networks_ipv4, bgp.networks_ipv6)]
    tables += [(vrf.name, vrf.networks_ipv4, vrf.networks_ipv6) for vrf in bgp.vrfs]
    for name, ipv4, ipv6 in tables:
        for family, networks in (("ipv4", ipv4), ("ipv6", ipv6)):
            if networks:
                yield FilterList(network_list(name, family), tuple(Filter(prefix, "exact") for prefix in networks))


def _originated(device: Device) -> Iterator[JunosPolicy]:
    """Yield first halves of exports, and policies of prefix routes: what a VRF originates or has learned outside."""
    bgp = device.routing.bgp
    families = _families(bgp.networks_ipv4, bgp.networks_ipv6)
    yield JunosPolicy(ORIGINATED, (*_own("", families, "next policy"), Term("learned", "next policy", "bgp")))
    for vrf in bgp.vrfs:
        families = _families(vrf.networks_ipv4, vrf.networks_ipv6)
        learned = (Term("learned", "accept", "bgp"),) if vrf.neighbors else ()
        yield JunosPolicy(prefix_routes(vrf.name), (*_own(vrf.name, families, "accept"), *learned))
        if vrf.neighbors:
            passed = Term("learned", "next policy", "bgp evpn")
            yield JunosPolicy(originated(vrf.name), (*_own(vrf.name, families, "next policy"), passed))


def _families(ipv4: tuple[Prefix, ...], ipv6: tuple[Prefix, ...]) -> tuple[str, ...]:
    return tuple(family for family, networks in (("ipv4", ipv4), ("ipv6", ipv6)) if networks)


def _own(vrf: str, families: tuple[str, ...], action: str) -> Iterator[Term]:
    for family in families:
        yield Term(f"own-{family}", action, OWN, filter_list=network_list(vrf, family))
