"""Draining on SR Linux: what is merged to do it, and where a peer sees that it was done.

Drained policies stand on every switch; what drains is naming them at the sessions. A list of policies that is merged
would be added to, so the entry of each session is replaced as a whole: what stands there, with the other policies. The
session over an unnumbered link has a peer group of its own, whose entry it is then.

A peer sees it in its RIB after its own policies, which leave the community on the route: attribute sets of routes that
carry `65535:0` (RFC 8326 section 7). Forms: see reader.py; that the models write it `graceful-shutdown`
nowhere was not seen on a switch, so both are taken.
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
"""Preference of a route that is being shut down, by the policies of ours."""
SPEAKER = f"/network-instance[name={DEFAULT}]/protocols/bgp"
ARRIVED = {
    family: f"/network-instance[name=*]/bgp-rib/afi-safi[afi-safi-name=*]/{family}-unicast/rib-in-out/rib-in-post"
    for family in FAMILIES
}
OVERLAY = (ReadCommand("bgp", EVPN_ROUTES, JSON), ReadCommand("bgp", ATTRIBUTES, JSON))
SIGNS = (*(ReadCommand("bgp", path, JSON) for path in ARRIVED.values()), ReadCommand("bgp", ATTRIBUTES, JSON))


def drain(device: Device, running: str) -> str:
    """What makes those sessions of a drained Device that stand in what runs name its drained policies.

    Empty where no session stands, or a policy that one would name is not there whole.
    """
    try:
        tree = json.loads(running)
        replaces = tuple(_replaces(device, tree))
        whole = all(_stands(device, tree, name, inbound=inbound) for name, inbound in ways_of(_rows(device)))
    except (ValueError, RecursionError):  # of json and NotUnderstoodError
        return ""
    if not replaces or not whole or HIDDEN in json.dumps(replaces):
        return ""
    return json.dumps({"replaces": replaces}, indent=2) + "\n"


def _rows(device: Device) -> Iterator[Neighbor]:
    """Sessions that name policies of their own."""
    return (row for row in device.routing.bgp.neighbors if names_maps(row))


def _replaces(device: Device, tree: object) -> Iterator[Mapping[str, object]]:
    instances = {word(row, "name"): row for row in rows(tree, "network-instance")}
    speaker = table(instances.get(DEFAULT, {}), "protocols", "bgp")
    stand = {word(row, "peer-address"): row for row in rows(speaker, "neighbor")}
    groups = {word(row, "group-name"): row for row in rows(speaker, "group")}
    for row in _rows(device):
        name = link_group(row) if row.interface else row.address
        entry = (groups if row.interface else stand).get(name)
        if isinstance(entry, Mapping):
            path = f"group[group-name={name}]" if row.interface else f"neighbor[peer-address={name}]"
            policies = {"import-policy": row.route_map_in, "export-policy": row.route_map_out}
            told = {key: [name] for key, name in policies.items() if name}
            yield {"path": f"{SPEAKER}/{path}", "value": {**entry, **told}}


def _stands(device: Device, tree: object, name: str, *, inbound: bool) -> bool:
    """Whether a policy is there with every statement, what accepts drains, and each set that one names is there."""
    policy = table(tree, "routing-policy")
    found = next((row for row in rows(policy, "policy") if word(row, "name") == name), None)
    if found is None or word(table(found, "default-action"), "policy-result", "") != "reject":
        return False
    said = {word(row, "name"): row for row in rows(found, "statement")}
    wanted = {one.name for one in statements(device) if one.policy == name}
    return bool(wanted) and wanted <= said.keys() and all(_drains(row, policy, inbound) for row in said.values())


def _drains(row: object, policy: object, inbound: bool) -> bool:
    action, match = table(row, "action"), table(row, "match")
    members = {word(one, "name"): set(rows(one, "member")) for one in rows(policy, "community-set")}
    prefixes = {word(one, "name") for one in rows(policy, "prefix-set")}
    named = (word(table(match, "prefix"), "prefix-set", ""), word(table(match, "bgp"), "community-set", ""))
    if (named[0] and named[0] not in prefixes) or (named[1] and named[1] not in members):
        return False
    if word(action, "policy-result", "") != "accept":
        return True
    if inbound:
        return number(table(action, "bgp", "local-preference"), "set", -1) == LAST
    given = table(action, "bgp", "communities")
    sets = [*_names(field(given, "add")), *_names(field(given, "replace"))]
    return any(SHUTDOWN & members.get(name, set()) for name in sets)


def _names(value: object) -> Sequence[str]:
    """One name, or a list of them."""
    listed = value if isinstance(value, list) else [value]
    return [name for name in listed if isinstance(name, str)]


def seen(outputs: Outputs) -> frozenset[str]:
    """Peers from which routes with the community came. What cannot be read has shown nothing."""
    try:
        marked = frozenset(_marked(_shown(outputs, ATTRIBUTES)))
        found = [_senders(family, _shown(outputs, path), marked) for family, path in ARRIVED.items()]
        return frozenset(peer for senders in found for peer in senders)
    except NotUnderstoodError:
        return frozenset()


def marks(outputs: Outputs) -> ByHop | None:
    """EVPN routes by next hop; None where they cannot be read."""
    held, sets = (outputs.get(read.command) for read in OVERLAY)
    if held is None or held.value is None or sets is None or sets.value is None:
        return None
    try:
        marked = frozenset(_marked(sets.value))
        return by_hop((hop, found in marked) for hop, found in arrived(held.value, sets.value))
    except NotUnderstoodError:
        return None


def _shown(outputs: Outputs, path: str) -> object:
    """The answer to a path; nothing where it was refused."""
    output = outputs.get(path)
    return {} if output is None or output.value is None else output.value


def _marked(shown: object) -> Iterator[tuple[str, int]]:
    """Network instance and number of attribute sets with the community."""
    for instance in rows(shown, "network-instance"):
        for row in rows(table(instance, "bgp-rib", "attr-sets"), "attr-set"):
            if not SHUTDOWN.isdisjoint(map(str, rows(table(row, "communities"), "community"))):
                yield word(instance, "name"), number(row, "index")


def _senders(family: str, shown: object, marked: frozenset[tuple[str, int]]) -> Iterator[str]:
    for instance in rows(shown, "network-instance"):
        for listed in rows(table(instance, "bgp-rib"), "afi-safi"):
            for row in rows(table(listed, f"{family}-unicast", "rib-in-out", "rib-in-post"), "route"):
                if (word(instance, "name"), number(row, "attr-id", -1)) in marked:
                    yield peer_name(word(row, "neighbor"))
