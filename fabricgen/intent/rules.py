"""Rules across the keys of an intent that need only its text, before any plan.

Topologies report unknown names (models of switches and servers, NIC groups); checks on the plan report overlaps of
address pools and VNIs, and isolation.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network
from itertools import pairwise

from fabricgen.base.text import flow
from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.intent.fabric import Backend, Fabric, Frontend, is_unnumbered
from fabricgen.intent.model import Intent
from fabricgen.intent.override_rules import overrides_allowed
from fabricgen.intent.scenario_rules import SCENARIO_RULES
from fabricgen.intent.server_rules import server_addresses
from fabricgen.intent.site import Raw
from fabricgen.intent.tenant_rules import TENANT_RULES
from fabricgen.intent.waivers import waiver_rules


def rules(intent: Intent) -> Iterator[Problem]:
    """Yield every problem that the intent's text alone shows, in the order of `RULES`."""
    for rule in RULES:
        yield from rule(intent)


def planned_holds_slots(intent: Intent) -> Iterator[Problem]:
    """`planned` reserves numbers for every used slot: it is at least one more than the highest."""
    for name, group in intent.servers.items():
        least = group.slots[-1].last + 1
        if group.planned is not None and group.planned < least:
            yield Problem(
                code="planned-too-small",
                what=f"{name} uses slot {least - 1}, but only {group.planned} slots are planned",
                where=("servers", name, "planned"),
                why=f"slots count from 0, so slot {least - 1} needs planned: {least} or more",
                fix=f"write planned: {least} or more",
            )


def connected_groups(intent: Intent) -> Iterator[Problem]:
    """A fabric connects server groups of this intent."""
    for name, fabric in intent.fabrics.items():
        unconnected = set(intent.servers) - set(fabric.connects)
        for group in fabric.connects:
            if group not in intent.servers:
                yield Problem(
                    code="unknown-name",
                    what=f"unknown server group {group}",
                    where=("fabrics", name, "connects", group),
                    why="it is not a key of `servers`",
                    fix=did_you_mean(group, unconnected) if unconnected else "remove it",
                )


def former_names(intent: Intent) -> Iterator[Problem]:
    """A former name (`was`) is used once, and nothing else still has it."""
    yield from _former({name: fabric.was for name, fabric in intent.fabrics.items()}, ("fabrics",))
    yield from _former({name: group.was for name, group in intent.servers.items()}, ("servers",))
    yield from _former({name: tenant.was for name, tenant in intent.tenants.items()}, ("tenants",))
    for name, tenant in intent.tenants.items():
        networks = {network: body.was for network, body in tenant.networks.items()}
        yield from _former(networks, ("tenants", name, "networks"))


def _former(former: Mapping[str, str | None], path: IntentPath) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for name, was in former.items():
        if was is None:
            continue
        where = (*path, name, "was")
        if was in former:
            yield Problem(
                code="was-in-use",
                what=f"{name} has was: {was}, but {was} still exists in the intent",
                where=where,
                why="a rename takes over the addresses and AS numbers of the former name, so only one name can have "
                "them",
                fix="remove `was`, or the entry of that name",
            )
        elif was in first:
            yield Problem(
                code="was-twice",
                what=f"{first[was]} and {name} both have was: {was}",
                where=where,
                why="a rename takes over the addresses and AS numbers of the former name, so only one name can have "
                "them",
                fix="keep `was` only on the one that was renamed",
            )
        first.setdefault(was, name)


def device_names_differ(intent: Intent) -> Iterator[Problem]:
    """Device names start with the fabric's prefix, so each fabric has another prefix."""
    first: dict[str, str] = {}
    for name, fabric in intent.fabrics.items():
        prefix = fabric.prefix or name
        if prefix in first:
            yield Problem(
                code="prefix-twice",
                what=f"{first[prefix]} and {name} both use the hostname prefix {prefix}",
                where=("fabrics", name, "prefix"),
                why="two switches would have the same hostname",
                fix=f"write another hostname prefix for {name}",
            )
        first.setdefault(prefix, name)


def link_families(intent: Intent) -> Iterator[Problem]:
    """Each address family is listed once, and has a prefix to take addresses from."""
    for name, fabric in intent.fabrics.items():
        path: IntentPath = ("fabrics", name, "addressing")
        links = fabric.addressing.links
        if len(set(links)) < len(links):
            yield Problem(
                code="family-twice",
                what=f"the links of {name} list {links[0]} twice",
                where=(*path, "links", 1),
                why="a link has one address per family",
                fix=f"write links: [{links[0]}] or links: [ipv4, ipv6]",
            )
        elif is_unnumbered(fabric.addressing) and len(links) > 1:
            other = next(family for family in links if family != "unnumbered")
            yield Problem(
                code="unnumbered-alone",
                what=f"the links of {name} are unnumbered and have {other} addresses",
                where=(*path, "links"),
                why="an unnumbered link has link-local addresses alone (RFC 7404), and one session that carries every "
                "family (RFC 8950)",
                fix="write links: [unnumbered], or links: [ipv4, ipv6]",
            )
        yield from _prefixes(intent, name, fabric)


def _prefixes(intent: Intent, name: str, fabric: Fabric) -> Iterator[Problem]:
    addressing, path = fabric.addressing, ("fabrics", name, "addressing")
    if addressing.ipv4 is None and addressing.ipv6 is None:
        yield Problem(
            code="prefix-missing",
            what=f"{name} has no prefix for its addresses",
            where=path,
            why="links, loopbacks and servers have addresses of addressing.ipv4, of addressing.ipv6, or of both",
            fix=f'write addressing: {{ipv4: {free_ipv4(intent)}, ipv6: "{free_ipv6(intent)}"}}',
        )
        return
    prefixes = {"ipv4": addressing.ipv4, "ipv6": addressing.ipv6}
    for family, other, example in (("ipv6", "ipv4", f'"{free_ipv6(intent)}"'), ("ipv4", "ipv6", free_ipv4(intent))):
        if prefixes[family] is None and family in _families(fabric):
            key = "links" if family in addressing.links else "hosts"
            yield Problem(
                code="prefix-missing",
                what=f"{name} has no IP{family.removeprefix('ip')} prefix, and its {key} need one",
                where=(*path, key),
                why="a fabric has one prefix per address family, and all its addresses are in it",
                fix=f"write addressing.{family}: {example}, or write "
                + (f"links: [{other}]" if key == "links" else f"hosts: {other}"),
            )
    if addressing.ipv4 is not None and addressing.router_ids is not None:
        yield Problem(
            code="router-ids-unused",
            what=f"{name} has a range of router ids, and an IPv4 prefix",
            where=(*path, "router_ids"),
            why="with IPv4, the router id of a switch is its IPv4 loopback; router_ids is for a fabric of IPv6 alone",
            fix="remove router_ids",
        )


def free_ipv4(intent: Intent, former: Iterable[IPv4Network | IPv6Network] = ()) -> IPv4Network:
    """Return an example prefix for a fabric, which overlaps no fabric, no subnet and no management address.

    former  prefixes that the lock still has numbers of
    """
    taken = [prefix for prefix in former if isinstance(prefix, IPv4Network)]
    taken += [fabric.addressing.ipv4 for fabric in intent.fabrics.values() if fabric.addressing.ipv4 is not None]
    taken.append(intent.management.oob)
    for tenant in intent.tenants.values():
        for network in tenant.networks.values():
            taken += [subnet for subnet in network.subnets if isinstance(subnet, IPv4Network)]
    private = IPv4Network("10.0.0.0/8")
    blocks = (block for block in private.subnets(new_prefix=12) if not any(map(block.overlaps, taken)))
    return next(blocks, private)


def free_ipv6(intent: Intent, former: Iterable[IPv4Network | IPv6Network] = ()) -> IPv6Network:
    """Return an example prefix for a fabric, which overlaps no fabric and no subnet.

    former  prefixes that the lock still has numbers of
    """
    taken = [prefix for prefix in former if isinstance(prefix, IPv6Network)]
    taken += [fabric.addressing.ipv6 for fabric in intent.fabrics.values() if fabric.addressing.ipv6 is not None]
    for tenant in intent.tenants.values():
        for network in tenant.networks.values():
            taken += [subnet for subnet in network.subnets if isinstance(subnet, IPv6Network)]
    candidate = IPv6Network("fd5e:8c1f:2a00::/52")
    while any(candidate.overlaps(used) for used in taken):
        candidate = IPv6Network((int(candidate.network_address) + (1 << 80), 52))
    return candidate


def _families(fabric: Fabric) -> set[str]:
    """Return the families of which the fabric takes addresses. Only a backend numbers its hosts."""
    families: set[str] = {family for family in fabric.addressing.links if family != "unnumbered"}
    return families | {fabric.addressing.hosts} if isinstance(fabric, Backend) else families


LAST_ASN = 4294967294
"""The last private AS number (RFC 6996)."""


def asn_ranges_apart(intent: Intent) -> Iterator[Problem]:
    """The AS ranges of fabrics do not overlap, whether or not the shared numbers are in use."""
    ordered = sorted(intent.fabrics.items(), key=lambda item: item[1].asns[:2])
    highest = max((fabric.asns.last for fabric in intent.fabrics.values()), default=0)
    for (first_name, first), (second_name, second) in pairwise(ordered):
        if second.asns.first <= first.asns.last:
            count = second.asns.last - second.asns.first
            free, end = highest + 1, min(first.asns.last, second.asns.last)
            write = f"write asns: {free}-{free + count}" if free + count <= LAST_ASN else "write a smaller range"
            yield Problem(
                code="asns-overlap",
                what=f"the AS ranges of {first_name} and {second_name} overlap: {second.asns.first}-{end}",
                where=("fabrics", second_name, "asns"),
                why="a switch drops routes that carry its own AS number (RFC 4271 section 9.1.2)",
                fix=f"{write} for {second_name}, or another range that no fabric uses",
            )


def hold_time(intent: Intent) -> Iterator[Problem]:
    """Three keepalives fit into the hold time (RFC 4271 section 4.4)."""
    for name, fabric in intent.fabrics.items():
        least = 3 * fabric.bgp.keepalive_seconds
        if fabric.bgp.hold_seconds < least:
            yield Problem(
                code="hold-time",
                what=f"hold_seconds: {fabric.bgp.hold_seconds} of {name} is too short",
                where=("fabrics", name, "bgp", "hold_seconds"),
                why=f"it must be at least three keepalives of {fabric.bgp.keepalive_seconds} s, {least} s (RFC 4271 "
                f"section 4.4)",
                fix=f"write hold_seconds: {least}, or write keepalive_seconds: {fabric.bgp.hold_seconds // 3}",
            )


def recovery_time(intent: Intent) -> Iterator[Problem]:
    """A duplicate MAC address is held for longer than the window in which its moves are counted.

    Otherwise advertisements of the moves are still under way when it is learned again (Junos manual,
    duplicate-mac-detection).
    """
    for name, fabric in intent.fabrics.items():
        found = fabric.duplicate_mac if isinstance(fabric, Frontend) else None
        if found is not None and found.recovery_minutes and found.recovery_minutes <= found.window_minutes:
            yield Problem(
                code="duplicate-mac-recovery",
                what=f"recovery_minutes: {found.recovery_minutes} of {name} is too short",
                where=("fabrics", name, "duplicate_mac", "recovery_minutes"),
                why=f"it must be longer than the window of {found.window_minutes} min, so that advertisements of the "
                "moves are over",
                fix=f"write recovery_minutes: {found.window_minutes + 1}",
            )


def gateway_in_prefix(intent: Intent) -> Iterator[Problem]:
    """The management gateway is a host address of the out-of-band prefix."""
    oob, gateway = intent.management.oob, intent.management.gateway
    ends = (oob.network_address, oob.broadcast_address)
    if len(set(ends)) == oob.num_addresses:
        yield Problem(
            code="management-gateway",
            what=f"{oob} has no address for a management gateway",
            where=("management", "oob"),
            why="its first and last address cannot be the gateway, and each switch needs one more address",
            fix=f"write oob: {oob.supernet(new_prefix=oob.max_prefixlen - 8)} or a larger prefix",
        )
    elif gateway not in oob or gateway in ends:
        why = "it is the first or the last address" if gateway in ends else f"it is outside {oob}"
        yield Problem(
            code="management-gateway",
            what=f"the management gateway {gateway} is not a host address of {oob}",
            where=("management", "gateway"),
            why=f"{why}; switches reach it without a router, so it must be on-link (switches get none of the first 16 "
            "addresses: these are for the gateway and for services such as NTP)",
            fix=f"write an address of {oob}, e.g. {oob.network_address + 1}",
        )


def _unused_references(raw: Raw, position: int) -> Iterator[Problem]:
    for index, reference in enumerate(raw.references):
        if not any(reference in line for line in raw.lines):
            yield Problem(
                code="raw-reference",
                what=f"{reference} is not used in these raw lines",
                where=("raw", position, "references", index),
                why="references: lists the secrets that are filled in, and they must be in the lines of the same entry",
                fix=f"write {reference} into a line, or remove it",
            )


def raw_places(intent: Intent) -> Iterator[Problem]:
    """Raw lines are for a platform that a switch runs, and for an existing fabric."""
    for position, raw in enumerate(intent.raw):
        if raw.fabric is not None and raw.fabric not in intent.fabrics:
            yield Problem(
                code="unknown-name",
                what=f"unknown fabric {raw.fabric}",
                where=("raw", position, "fabric"),
                why="`fabric` of raw lines is a fabric of this intent; without it they are for all",
                fix=did_you_mean(raw.fabric, intent.fabrics),
            )
            continue
        yield from _unused_references(raw, position)
        fabrics = [body for name, body in intent.fabrics.items() if raw.fabric in (None, name)]
        switches = [getattr(body, role, None) for body in fabrics for role in ("leaf", "spine", "superspine", "border")]
        written = [switch.os for switch in switches if switch is not None]
        written += [override.os for override in intent.overrides.values() if override.os]
        systems = tuple(sorted({system.partition("-")[0] for system in written}))
        if raw.system not in systems:
            yield Problem(
                code="raw-system",
                what=f"raw lines for {raw.system}, and no switch{f' of {raw.fabric}' if raw.fabric else ''} runs it",
                where=("raw", position, "system"),
                why=f"in use: {', '.join(systems)}",
                fix=did_you_mean(raw.system, systems),
            )


def waivers_allowed(intent: Intent) -> Iterator[Problem]:
    """Only problems that cost capacity or convenience can be waived, and each place once."""
    yield from waiver_rules(intent.waivers)


def listed_once(intent: Intent) -> Iterator[Problem]:
    """A server listed twice would be configured twice."""
    management = intent.management
    lists = {
        ("dns",): management.dns,
        ("ntp",): management.ntp,
        ("syslog",): management.syslog,
        ("aaa", "tacacs"): management.aaa.tacacs if management.aaa else (),
        ("snmp", "traps"): management.snmp.traps if management.snmp else (),
        ("sflow", "collectors"): management.sflow.collectors if management.sflow else (),
    }
    for path, addresses in lists.items():
        for address, count in Counter(addresses).items():
            if count > 1:
                yield Problem(
                    code="listed-twice",
                    what=f"{address} is listed {count} times",
                    where=("management", *path),
                    why="each address is configured once",
                    fix=f"write {path[-1]}: [{', '.join(map(flow, dict.fromkeys(addresses)))}]",
                )


RULES: tuple[Callable[[Intent], Iterator[Problem]], ...] = (
    planned_holds_slots,
    connected_groups,
    former_names,
    device_names_differ,
    link_families,
    asn_ranges_apart,
    hold_time,
    recovery_time,
    gateway_in_prefix,
    server_addresses,
    raw_places,
    listed_once,
    overrides_allowed,
    waivers_allowed,
    *TENANT_RULES,
    *SCENARIO_RULES,
)
"""Every rule; for each a test has a case that breaks it."""
