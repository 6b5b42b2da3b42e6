"""What a policy of a configuration makes of a route, as Nokia's models tell it: the first statement that matches acts.

All conditions of a statement hold together; a statement with none matches everything; what none matches is for the
default action. `add` joins communities, `replace` puts others in their place.
"""

import json
from ipaddress import ip_network
from typing import Any, NamedTuple


class Route(NamedTuple):
    """A route on its way through a policy. `protocol` is where the route table has it from."""

    prefix: str
    protocol: str = "bgp"
    communities: frozenset[str] = frozenset()


class Outcome(NamedTuple):
    """A route that was accepted. `preference` None is untouched."""

    communities: frozenset[str]
    preference: int | None


def told(text: str, policy: str, route: Route) -> Outcome | None:
    """What becomes of a route; None where it is rejected."""
    tree = json.loads(text)["srl_nokia-routing-policy:routing-policy"]
    (found,) = [row for row in tree["policy"] if row["name"] == policy]
    for statement in found.get("statement", []):
        if _matches(tree, statement.get("match", {}), route):
            return _done(tree, statement["action"], route)
    return _done(tree, found["default-action"], route)


def _matches(tree: dict[str, Any], match: dict[str, Any], route: Route) -> bool:
    unknown = set(match) - {"prefix", "protocol", "bgp"}
    assert not unknown
    wanted = match.get("protocol", "").rpartition(":")[2]
    prefixes = match.get("prefix", {}).get("prefix-set")
    communities = match.get("bgp", {}).get("community-set")
    return (
        (not wanted or wanted == route.protocol)
        and (prefixes is None or any(_holds(row, route.prefix) for row in _set(tree, "prefix-set", prefixes)["prefix"]))
        and (communities is None or _carries(_set(tree, "community-set", communities), route.communities))
    )


def _holds(row: dict[str, str], prefix: str) -> bool:
    outer, inner = ip_network(row["ip-prefix"]), ip_network(prefix)
    if outer.version != inner.version or not inner.subnet_of(outer):  # type: ignore[arg-type]  # of one family now
        return False
    if row["mask-length-range"] == "exact":
        return inner.prefixlen == outer.prefixlen
    low, _, high = row["mask-length-range"].partition("..")
    return int(low) <= inner.prefixlen <= int(high)


def _carries(found: dict[str, Any], communities: frozenset[str]) -> bool:
    members = frozenset(found["member"])
    return bool(members & communities) if found["match-set-options"] == "any" else members <= communities


def _set(tree: dict[str, Any], kind: str, name: str) -> dict[str, Any]:
    (found,) = [row for row in tree[kind] if row["name"] == name]
    return dict(found)


def _done(tree: dict[str, Any], action: dict[str, Any], route: Route) -> Outcome | None:
    if action["policy-result"] == "reject":
        return None
    changes = action.get("bgp", {}).get("communities", {})
    communities = route.communities
    for change, name in changes.items():
        members = frozenset(_set(tree, "community-set", name)["member"])
        communities = members if change == "replace" else communities | members
    return Outcome(communities, action.get("bgp", {}).get("local-preference", {}).get("set"))
