"""Rules across the keys of tenants: servers, imports, networks."""

from collections.abc import Callable, Iterable, Iterator
from ipaddress import IPv4Network, IPv6Network
from typing import NamedTuple

from fabricgen.base.addresses import longest_prefix
from fabricgen.base.text import counted
from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.intent.backend_rules import BACKEND_RULES, WORD, shared_groups
from fabricgen.intent.external_rules import EXTERNAL_RULES, refused_range
from fabricgen.intent.fabric import Frontend, overlay_of
from fabricgen.intent.model import Intent
from fabricgen.intent.range_problems import unknown_group, unplanned_slots
from fabricgen.intent.relay_rules import RELAY_RULES
from fabricgen.intent.scalars import Span, spans_text
from fabricgen.intent.slot_ranges import parse_range

_HOST_BITS = 2
"""Fewest host bits of a subnet: network, gateway, a server and, in IPv4, broadcast."""


class _Range(NamedTuple):
    """An inclusive range of slots, its tenant, and its path in the intent."""

    first: int
    last: int
    tenant: str
    where: IntentPath


def tenants_have_frontend(intent: Intent) -> Iterator[Problem]:
    """Tenants need a frontend or a shared backend, and their networks a frontend."""
    fronts = [fabric for fabric in intent.fabrics.values() if isinstance(fabric, Frontend)]
    if intent.tenants and not any(overlay_of(fabric) for fabric in intent.fabrics.values()):
        yield Problem(
            code="tenants-without-frontend",
            what="the intent has tenants and no frontend",
            where=("tenants",),
            why="VRFs, networks and external sessions are on the leaves of a fabric of kind frontend; on a backend, "
            f"VRFs with {WORD}",
            fix="add a fabric of kind: frontend, or remove `tenants`",
        )
    elif not fronts:
        for name in (name for name, tenant in intent.tenants.items() if tenant.networks):
            yield Problem(
                code="tenants-without-frontend",
                what=f"{name} has networks, and there is no frontend",
                where=("tenants", name, "networks"),
                why="a network is a VLAN on the leaves of a fabric of kind frontend; a backend is routed only",
                fix=f"add a fabric of kind: frontend, or remove networks: of {name}",
            )


def names_are_free(intent: Intent) -> Iterator[Problem]:
    """A tenant's name is the name of its VRF, and two names are in use on every switch."""
    taken = {"default", "global", intent.management.vrf.lower()}
    for name in intent.tenants:
        if name in taken:
            yield Problem(
                code="reserved-name",
                what=f"{name} cannot be a tenant",
                where=("tenants", name),
                why="its VRF would be the default or the management VRF of every switch",
                fix=f"write another name, e.g. tenant-{name}",
            )


def management_vrf_is_its_own(intent: Intent) -> Iterator[Problem]:
    """Management has its own VRF; otherwise its configuration would apply to all routing."""
    if intent.management.vrf.lower() in ("default", "global"):
        yield Problem(
            code="reserved-name",
            what=f"management cannot be in the VRF {intent.management.vrf}",
            where=("management", "vrf"),
            why="that is the VRF of the fabric itself on every switch",
            fix="write another name, e.g. MGMT",
        )


def imports(intent: Intent) -> Iterator[Problem]:
    """A tenant imports other tenants of this intent, each once."""
    for name, tenant in intent.tenants.items():
        seen: set[str] = set()
        for position, other in enumerate(tenant.imports):
            where = ("tenants", name, "imports", position)
            if other == name:
                yield Problem(
                    code="self-import",
                    what=f"{name} imports itself",
                    where=where,
                    why="a tenant always reaches its own networks",
                    fix=f"remove {name} from `imports`",
                )
            elif other not in intent.tenants:
                yield Problem(
                    code="unknown-name",
                    what=f"unknown tenant {other}",
                    where=where,
                    why=f"{name} can import tenants of this intent only",
                    fix=did_you_mean(other, set(intent.tenants) - {name}),
                )
            elif other in seen:
                yield Problem(
                    code="import-twice",
                    what=f"{name} imports {other} twice",
                    where=where,
                    why="listing it once is enough",
                    fix="remove it",
                )
            seen.add(other)


def server_ranges(intent: Intent) -> Iterator[Problem]:
    """A tenant's servers are in groups on a frontend or a shared backend, in planned slots, and have one owner each."""
    connected = {g for f in intent.fabrics.values() if isinstance(f, Frontend) for g in f.connects}
    connected |= shared_groups(intent)
    if not connected <= set(intent.servers):
        connected = set()  # one of them is misspelt (`connected_groups` reports it) and may be any missing group
    owned: dict[str, list[_Range]] = {}
    for name, tenant in intent.tenants.items():
        for position, text in enumerate(tenant.servers):
            where = ("tenants", name, "servers", position)
            problem = (
                unknown_group(intent.servers, text, where)
                or _elsewhere(connected, text, where)
                or unplanned_slots(intent.servers, text, where)
            )
            if problem is not None:
                yield problem
                continue
            group, slots, _ = parse_range(text)
            owned.setdefault(group, []).extend(_Range(*span, name, where) for span in slots)
    for group, ranges in sorted(owned.items()):
        yield from _owned_twice(group, sorted(ranges, key=lambda owner: owner[:3]))


def _elsewhere(connected: set[str], text: str, where: IntentPath) -> Problem | None:
    group = text.partition("[")[0]
    if not connected or group in connected:
        return None
    return Problem(
        code="group-not-on-frontend",
        what=f"no frontend connects {group}",
        where=where,
        why=f"a tenant has networks on a frontend, or on a backend with {WORD}, and {group} is connected to neither",
        fix=f"add {group} to `connects` of a frontend, or remove its servers from the tenant",
    )


def _owned_twice(group: str, ranges: list[_Range]) -> Iterator[Problem]:
    """Yield a problem for each range that begins inside an earlier one; the ranges are sorted."""
    widest: _Range | None = None
    for each in ranges:
        if widest is not None and each.first <= widest.last:
            shared = each._replace(last=min(widest.last, each.last))
            slots, tenants = _slots(group, shared), sorted({widest.tenant, each.tenant})
            keys = f", or remove {'it' if shared.first == shared.last else 'them'} from ".join(
                f"tenants.{name}.servers" for name in tenants
            )
            yield Problem(
                code="slot-twice",
                what=f"{slots} {'is' if shared.first == shared.last else 'are'} assigned to {' and to '.join(tenants)}"
                + ("" if len(tenants) > 1 else " twice"),
                where=each.where,
                why=f"{widest.tenant} has {_slots(group, widest)}, and {each.tenant} has {_slots(group, each)}; a "
                "server belongs to one tenant, and its ports carry the networks of that tenant",
                fix=f"remove {slots} from {keys if len(tenants) > 1 else 'one of the two ranges'}",
            )
        if widest is None or each.last > widest.last:
            widest = each


def _slots(group: str, slots: _Range) -> str:
    return f"{group}[{spans_text((Span(slots.first, slots.last),))}]"


def network_vlans(intent: Intent) -> Iterator[Problem]:
    """The networks of a tenant share its servers' ports, so each has another VLAN."""
    for name, tenant in intent.tenants.items():
        first: dict[int, str] = {}
        for network, body in tenant.networks.items():
            if body.vlan in first:
                yield Problem(
                    code="vlan-twice",
                    what=f"networks {first[body.vlan]} and {network} of {name} both use VLAN {body.vlan}",
                    where=("tenants", name, "networks", network, "vlan"),
                    why="both are on the same server ports",
                    fix=f"write another VLAN for {network}",
                )
            first.setdefault(body.vlan, network)


def network_subnets(intent: Intent) -> Iterator[Problem]:
    """A network has one unicast subnet per address family, large enough for its gateway and a server."""
    for name, tenant in intent.tenants.items():
        for network, body in tenant.networks.items():
            path: IntentPath = ("tenants", name, "networks", network)
            versions = [subnet.version for subnet in body.subnets]
            if len(set(versions)) < len(versions):
                yield Problem(
                    code="family-twice",
                    what=f"{network} of {name} has two IPv{versions[0]} subnets",
                    where=(*path, "subnets", 1),
                    why="a network has one subnet and one gateway per family",
                    fix="keep one, or move the other to a network of its own",
                )
            for position, subnet in enumerate(body.subnets):
                where = (*path, "subnets", position)
                yield from _subnet(f"{network} of {name}", subnet, _servers(tenant.servers), where)


def _servers(ranges: Iterable[str]) -> int:
    """Return the number of servers in these ranges; 1 where one is not valid, which is a problem of its own."""
    try:
        return max(1, sum(span.size for text in ranges for span in parse_range(text).slots))
    except ValueError:
        return 1


def _subnet(name: str, subnet: IPv4Network | IPv6Network, servers: int, where: IntentPath) -> Iterator[Problem]:
    kind = refused_range(subnet)
    if kind:
        yield Problem(
            code="bad-range",
            what=f"{name}: {subnet} is {kind}",
            where=where,
            why="servers and their gateway have unicast addresses",
            fix="write a unicast prefix, e.g. 172.18.0.0/20",
        )
    elif subnet.max_prefixlen - subnet.prefixlen < _HOST_BITS:
        longest = subnet.max_prefixlen - _HOST_BITS
        yield Problem(
            code="subnet-too-small",
            what=f"{name}: {subnet} has no room for a gateway and a server",
            where=where,
            why=f"the gateway takes its first address; the smallest subnet with room for a server is a /{longest}",
            fix=f"write a prefix of /{longest_prefix(subnet, servers)} (a shorter prefix is a larger subnet), for "
            f"{counted(servers, 'server')} and the gateway",
        )


TENANT_RULES: tuple[Callable[[Intent], Iterator[Problem]], ...] = (
    tenants_have_frontend,
    names_are_free,
    management_vrf_is_its_own,
    imports,
    server_ranges,
    network_vlans,
    network_subnets,
    *BACKEND_RULES,
    *RELAY_RULES,
    *EXTERNAL_RULES,
)
