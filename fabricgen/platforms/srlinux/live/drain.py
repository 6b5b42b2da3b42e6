"""Draining on SR Linux: the merge that drains, and where a peer sees its effect.

Drain policies are configured on every switch; a drain names them at the sessions. Merging a list of policies would add
to it, so the entry of each session is replaced as a whole: the running entry with the other policies. A session over an
unnumbered link has its own peer group, whose entry is replaced then.

A peer sees the drain in its RIB after its own policies, which leave the community on the route: attribute sets of
routes that carry `65535:0` (RFC 8326 section 7). Forms: see reader.py. It was not verified on a switch that the models
never write `graceful-shutdown`, so both forms are accepted.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from fabricgen.device.device import Device
from fabricgen.device.routing import Neighbor
from fabricgen.platforms.base.live.drain import names_maps, ways_of
from fabricgen.platforms.base.live.marks import ByHop, by_hop
from fabricgen.platforms.base.live.reader import JSON, Outputs, ReadCommand
from fabricgen.platforms.base.live.values import NotUnderstoodError
from fabricgen.platforms.srlinux.bgp import DEFAULT, link_group
from fabricgen.platforms.srlinux.live.overlay import arrived
from fabricgen.platforms.srlinux.live.reader import ATTRIBUTES, EVPN_ROUTES
from fabricgen.platforms.srlinux.live.secrets import HIDDEN
from fabricgen.platforms.srlinux.live.values import field, number, peer_name, rows, table, word
from fabricgen.platforms.srlinux.policy import GRACEFUL_SHUTDOWN, statements

FAMILIES = ("ipv4", "ipv6")
SHUTDOWN = frozenset({GRACEFUL_SHUTDOWN, "graceful-shutdown"})
LAST = 0
"""Local preference that the rendered policies give a route with the graceful-shutdown community."""
SPEAKER = f"/network-instance[name={DEFAULT}]/protocols/bgp"
ARRIVED = {
    family: f"/network-instance[name=*]/bgp-rib/afi-safi[afi-safi-name=*]/{family}-unicast/rib-in-out/rib-in-post"
    for family in FAMILIES
}
OVERLAY = (ReadCommand("bgp", EVPN_ROUTES, JSON), ReadCommand("bgp", ATTRIBUTES, JSON))
SIGNS = (*(ReadCommand("bgp", path, JSON) for path in ARRIVED.values()), ReadCommand("bgp", ATTRIBUTES, JSON))


def drain(device: Device, running: str) -> str:
    """Return the merge by which the running sessions of a drained Device use its drain policies.

    "" if no such session is configured, or a needed policy is missing or incomplete.
    """
    try:
        tree = json.loads(running)
        replaces = tuple(_replaces(device, tree))
        whole = all(
            _policy_is_complete(device, tree, name, inbound=inbound) for name, inbound in ways_of(_rows(device))
        )
    except (ValueError, RecursionError):  # of json and NotUnderstoodError
        return ""
    if not replaces or not whole or HIDDEN in json.dumps(replaces):
        return ""
    return json.dumps({"replaces": replaces}, indent=2) + "\n"


def _rows(device: Device) -> Iterator[Neighbor]:
    """Return the sessions that name their own policies."""
    return (row for row in device.routing.bgp.neighbors if names_maps(row))


def _replaces(device: Device, tree: object) -> Iterator[Mapping[str, object]]:
    instances = {word(row, "name"): row for row in rows(tree, "network-instance")}
    speaker = table(instances.get(DEFAULT, {}), "protocols", "bgp")
    sessions = {word(row, "peer-address"): row for row in rows(speaker, "neighbor")}
    groups = {word(row, "group-name"): row for row in rows(speaker, "group")}
    for row in _rows(device):
        name = link_group(row) if row.interface else row.address
        entry = (groups if row.interface else sessions).get(name)
        if isinstance(entry, Mapping):
            path = f"group[group-name={name}]" if row.interface else f"neighbor[peer-address={name}]"
            policies = {"import-policy": row.route_map_in, "export-policy": row.route_map_out}
            policy_lists = {key: [name] for key, name in policies.items() if name}
            yield {"path": f"{SPEAKER}/{path}", "value": {**entry, **policy_lists}}


def _policy_is_complete(device: Device, tree: object, name: str, *, inbound: bool) -> bool:
    """Return whether a policy has every statement, accepts only what it drains, and names existing sets."""
    policy = table(tree, "routing-policy")
    running_policy = next((row for row in rows(policy, "policy") if word(row, "name") == name), None)
    if running_policy is None or word(table(running_policy, "default-action"), "policy-result", "") != "reject":
        return False
    running_statements = {word(row, "name"): row for row in rows(running_policy, "statement")}
    statement_names = {statement.name for statement in statements(device) if statement.policy == name}
    return (
        bool(statement_names)
        and statement_names <= running_statements.keys()
        and all(_drains(row, policy, inbound) for row in running_statements.values())
    )


def _drains(row: object, policy: object, inbound: bool) -> bool:
    action, match = table(row, "action"), table(row, "match")
    members = {word(set_row, "name"): set(rows(set_row, "member")) for set_row in rows(policy, "community-set")}
    prefixes = {word(set_row, "name") for set_row in rows(policy, "prefix-set")}
    # before release 25.3 the prefix set is in `match` itself
    prefix_set = word(table(match, "prefix"), "prefix-set", "") or word(match, "prefix-set", "")
    set_names = (prefix_set, word(table(match, "bgp"), "community-set", ""))
    if (set_names[0] and set_names[0] not in prefixes) or (set_names[1] and set_names[1] not in members):
        return False
    if word(action, "policy-result", "") != "accept":
        return True
    if inbound:
        return number(table(action, "bgp", "local-preference"), "set", -1) == LAST
    community_actions = table(action, "bgp", "communities")
    sets = [*_names(field(community_actions, "add")), *_names(field(community_actions, "replace"))]
    return any(SHUTDOWN & members.get(name, set()) for name in sets)


def _names(value: object) -> Sequence[str]:
    """Return one name, or a list of them, as a list."""
    names = value if isinstance(value, list) else [value]
    return [name for name in names if isinstance(name, str)]


def draining_peers(outputs: Outputs) -> frozenset[str]:
    """Return the peers that sent routes with the community; none if the output cannot be read."""
    try:
        marked = frozenset(_marked(_shown(outputs, ATTRIBUTES)))
        senders_by_family = [_senders(family, _shown(outputs, path), marked) for family, path in ARRIVED.items()]
        return frozenset(peer for senders in senders_by_family for peer in senders)
    except NotUnderstoodError:
        return frozenset()


def marks(outputs: Outputs) -> ByHop | None:
    """Return EVPN routes by next hop; None if they cannot be read."""
    routes, sets = (outputs.get(read.command) for read in OVERLAY)
    if routes is None or routes.value is None or sets is None or sets.value is None:
        return None
    try:
        marked = frozenset(_marked(sets.value))
        return by_hop((hop, attributes in marked) for hop, attributes in arrived(routes.value, sets.value))
    except NotUnderstoodError:
        return None


def _shown(outputs: Outputs, path: str) -> object:
    """Return the output of a path; {} if it was refused."""
    output = outputs.get(path)
    return {} if output is None or output.value is None else output.value


def _marked(shown: object) -> Iterator[tuple[str, int]]:
    """Yield network instance and number of attribute sets with the community."""
    for instance in rows(shown, "network-instance"):
        for row in rows(table(instance, "bgp-rib", "attr-sets"), "attr-set"):
            if not SHUTDOWN.isdisjoint(map(str, rows(table(row, "communities"), "community"))):
                yield word(instance, "name"), number(row, "index")


def _senders(family: str, shown: object, marked: frozenset[tuple[str, int]]) -> Iterator[str]:
    for instance in rows(shown, "network-instance"):
        for family_rib in rows(table(instance, "bgp-rib"), "afi-safi"):
            for row in rows(table(family_rib, f"{family}-unicast", "rib-in-out", "rib-in-post"), "route"):
                if (word(instance, "name"), number(row, "attr-id", -1)) in marked:
                    yield peer_name(word(row, "neighbor"))
