"""Rules for tenants of a shared backend, and for the frontends of a network."""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import NamedTuple

from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.intent.fabric import Backend, Frontend
from fabricgen.intent.model import Intent
from fabricgen.intent.range_problems import unknown_group, unplanned_slots
from fabricgen.intent.scalars import Span
from fabricgen.intent.slot_ranges import Range, common, parse_range
from fabricgen.intent.tenants import Network, Tenant

WORD = "tenancy: evpn-type5"


class Claim(NamedTuple):
    """NICs of a run of slots and of rails that a tenant lists."""

    group: str
    slots: Span
    rails: Span


def claims(text: str) -> tuple[Claim, ...]:
    """Read "train[8-9]/0-3". Raises ValueError with the valid form."""
    group, slots, rails = parse_range(text)
    return tuple(Claim(group, slot_span, rail_span) for slot_span, rail_span in product(slots, rails))


def shared_groups(intent: Intent) -> set[str]:
    """Return the server groups on a backend with `tenancy`."""
    return {
        group
        for fabric in intent.fabrics.values()
        if isinstance(fabric, Backend) and fabric.tenancy is not None
        for group in fabric.connects
    }


def carries(fabric: str, network: Network) -> bool:
    """Return whether a frontend carries a network."""
    return not network.fabrics or fabric in network.fabrics


def groups_of(tenant: Tenant) -> set[str]:
    """Return the server groups that a tenant lists."""
    return {text.partition("[")[0] for text in (*tenant.servers, *tenant.nics)}


def nic_ranges(intent: Intent) -> Iterator[Problem]:
    """Single NICs are in a group on a shared backend, in planned slots, and each is claimed once, by one tenant."""
    shared = shared_groups(intent)
    all_nics: list[tuple[Range, str, IntentPath]] = []
    for name, tenant in intent.tenants.items():
        for position, text in enumerate(tenant.nics):
            where: IntentPath = ("tenants", name, "nics", position)
            problem = (
                unknown_group(intent.servers, text, where)
                or _not_shared(intent, shared, text, where)
                or unplanned_slots(intent.servers, text, where)
            )
            if problem is not None:
                yield problem
            else:
                all_nics.append((parse_range(text), name, where))
    yield from _claimed_twice(all_nics)


def _not_shared(intent: Intent, shared: set[str], text: str, where: IntentPath) -> Problem | None:
    group = text.partition("[")[0]
    # If a backend connects an unknown group, one of them is misspelt: `connected_groups` reports it.
    if group in shared or not shared <= set(intent.servers):
        return None
    return Problem(
        code="nics-without-tenancy",
        what=f"no backend with tenancy connects {group}",
        where=where,
        why="single NICs belong to tenants on a shared backend only; on a frontend a whole server belongs "
        "to one tenant",
        fix=f"write {WORD} for the backend that connects {group}, or name whole servers: {text.partition('/')[0]}",
    )


def _claimed_twice(all_nics: list[tuple[Range, str, IntentPath]]) -> Iterator[Problem]:
    """Yield a problem for each pair of ranges that share NICs; a site has few of them."""
    for (nics_a, first, at), (nics_b, second, where) in combinations(all_nics, 2):
        shared = common(nics_a, nics_b)
        if shared is None:
            continue
        owners = f"to {first} and to {second}" if first != second else f"to {first} twice"
        yield Problem(
            code="nic-two-tenants",
            what=f"{shared.text} belongs {owners}",
            where=where,
            why=f"tenants.{first}.nics[{at[-1]}] and tenants.{second}.nics[{where[-1]}] both name it; a port is in "
            "one VRF",
            fix="keep each NIC in one range",
        )


def tenants_have_something(intent: Intent) -> Iterator[Problem]:
    """A tenant without networks is on a shared backend, and has no keys that only networks use."""
    shared = shared_groups(intent)
    for name, tenant in intent.tenants.items():
        if tenant.networks:
            continue
        path: IntentPath = ("tenants", name)
        if not groups_of(tenant) & shared:
            yield Problem(
                code="tenant-empty",
                what=f"{name} has neither a network on a frontend nor servers or NICs on a shared backend",
                where=path,
                why="no switch would get any configuration from it: a tenant needs a network on a frontend, or NICs "
                "on a shared backend",
                fix=f"write `networks` for it, or give it servers or NICs of a backend with {WORD}",
            )
        for key in ("external", "relay_sources"):
            if getattr(tenant, key):
                yield Problem(
                    code="tenant-empty",
                    what=f"{name} has `{key}` but no network",
                    where=(*path, key),
                    why="without a network there is no prefix of this tenant to advertise",
                    fix=f"write `networks` for {name}, or remove `{key}`",
                )


def shared_by_somebody(intent: Intent) -> Iterator[Problem]:
    """A shared backend has a tenant: ports without a tenant stay shut, so without tenants all of them would."""
    for name, fabric in intent.fabrics.items():
        if not isinstance(fabric, Backend) or fabric.tenancy is None:
            continue
        connected = set(fabric.connects)
        if not connected <= set(intent.servers):
            continue  # a group is misspelt: `connected_groups` reports it
        if not any(groups_of(tenant) & connected for tenant in intent.tenants.values()):
            yield Problem(
                code="tenancy-without-tenants",
                what=f"{name} is shared, and no tenant has a NIC on it",
                where=("fabrics", name, "tenancy"),
                why="a port without a tenant stays shut down, so all server ports would be down",
                fix=f"give a tenant servers of {' or '.join(sorted(fabric.connects))}, or remove {WORD}",
            )


def imports_have_networks(intent: Intent) -> Iterator[Problem]:
    """An import joins networks of two tenants on frontends that carry both; on a backend tenants stay apart."""
    for name, tenant in intent.tenants.items():
        for position, other in enumerate(tenant.imports):
            body = intent.tenants.get(other)
            if body is None or other == name:
                continue
            empty = next(
                (tenant_name for tenant_name, owner in ((name, tenant), (other, body)) if not owner.networks), None
            )
            if empty is not None or not _meet(intent, tenant, body):
                yield Problem(
                    code="import-nothing",
                    what=f"the import of {other} by {name} has no effect: no frontend has a network of both",
                    where=("tenants", name, "imports", position),
                    why=(f"{empty} has no network; " if empty else "")
                    + "an import joins networks of two tenants on a frontend",
                    fix=f"give both tenants a network on one frontend, or remove {other} from `imports`",
                )


def _meet(intent: Intent, one: Tenant, two: Tenant) -> bool:
    names = [name for name, fabric in intent.fabrics.items() if isinstance(fabric, Frontend)]
    return not names or any(
        all(any(carries(name, network) for network in tenant.networks.values()) for tenant in (one, two))
        for name in names
    )


def network_fabrics(intent: Intent) -> Iterator[Problem]:
    """A network names frontends of this intent; a network that two frontends would carry names them explicitly."""
    fronts = {name: fabric for name, fabric in intent.fabrics.items() if isinstance(fabric, Frontend)}
    for name, tenant in intent.tenants.items():
        for network, body in tenant.networks.items():
            path: IntentPath = ("tenants", name, "networks", network)
            for position, fabric in enumerate(body.fabrics):
                yield from _fabric_problem(intent, fabric, body.fabrics[:position], (*path, "fabrics", position))
            servers = {text.partition("[")[0] for text in tenant.servers}
            mine = sorted(front for front, fabric in fronts.items() if servers & set(fabric.connects))
            if not body.fabrics and len(mine) > 1:
                yield Problem(
                    code="network-on-two-fabrics",
                    what=f"{network} of {name} would be on {' and on '.join(mine)}",
                    where=path,
                    why=f"servers of {name} have ports on each; nothing joins two frontends, and one subnet cannot be "
                    "two networks that do not reach each other",
                    fix=f"write fabrics: [{mine[0]}], or list all of them if you want one separate network on each",
                )


def _fabric_problem(intent: Intent, fabric: str, before: tuple[str, ...], where: IntentPath) -> Iterator[Problem]:
    names = [name for name, candidate in intent.fabrics.items() if isinstance(candidate, Frontend)]
    if fabric not in names:
        yield Problem(
            code="unknown-name",
            what=f"unknown frontend {fabric}",
            where=where,
            why="frontends carry networks" + (": a backend has no VLANs" if fabric in intent.fabrics else ""),
            fix=did_you_mean(fabric, names),
        )
    elif fabric in before:
        yield Problem(
            code="listed-twice",
            what=f"{fabric} is listed twice",
            where=where,
            why="naming it once is enough",
            fix="remove it",
        )


def outside_has_networks(intent: Intent) -> Iterator[Problem]:
    """A tenant with external sessions has a network on a frontend with border leaves."""
    borders = [
        name
        for name, fabric in intent.fabrics.items()
        if isinstance(fabric, Frontend) and fabric.topology.border_leaves
    ]
    for name, tenant in intent.tenants.items():
        carried = [fabric for fabric in borders if any(carries(fabric, body) for body in tenant.networks.values())]
        if tenant.external and tenant.networks and borders and not carried:
            yield Problem(
                code="external-elsewhere",
                what=f"external sessions of {name} are on {borders[0]}, which carries none of its networks",
                where=("tenants", name, "external", 0),
                why=f"the border leaves of {borders[0]} would have no prefix of {name} to advertise",
                fix=f"add {borders[0]} to `fabrics` of one of its networks, or remove `external`",
            )


BACKEND_RULES: tuple[Callable[[Intent], Iterator[Problem]], ...] = (
    nic_ranges,
    tenants_have_something,
    shared_by_somebody,
    imports_have_networks,
    network_fabrics,
    outside_has_networks,
)
