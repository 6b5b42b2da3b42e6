"""SR Linux's state of routing: BGP sessions, BFD, and the forwarding table.

A route refers to a group of next hops, and each of these to an object: one on a link (`direct`), one resolved by
another route or a tunnel (`indirect`), or one that stays on the switch. Source: recorded answers and the models.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fabricgen.platforms.base.live.values import NotUnderstoodError, address, prefix
from fabricgen.platforms.srlinux.bgp import DEFAULT, FAMILIES
from fabricgen.platforms.srlinux.live.values import flag, interface_name, number, peer_name, rows, table, vrf_name, word
from fabricgen.state.state import BfdSession, BgpState, FamilyState, Hop, Route, Session

STATES = {
    "idle": "Idle",
    "connect": "Connect",
    "active": "Active",
    "opensent": "OpenSent",
    "openconfirm": "OpenConfirm",
    "established": "Established",
}
"""SR Linux's names of the FSM's states → those of RFC 4271."""
LOCAL = "local"
"""Type of a route that is a network of an interface."""
INSIDE = ("extract", "broadcast")
"""Next hops that deliver to the switch itself: its own addresses and the broadcast addresses of its subnets."""
DROPS = ("discard", "reject")
DEEPEST = 4
"""Longest chain of routes that resolve one another; a link between switches needs one."""
_FAMILIES = {shown: name for name, shown in FAMILIES.items()}


def bgp(shown: object) -> BgpState:
    """Return sessions of `/network-instance[name=*]/protocols/bgp`."""
    sessions: list[Session] = []
    speaker = (0, "")
    for instance in rows(shown, "network-instance"):
        name, bgp_state = word(instance, "name"), table(instance, "protocols", "bgp")
        sessions += (_session(vrf_name(name), row) for row in rows(bgp_state, "neighbor"))
        if name == DEFAULT:
            speaker = (number(bgp_state, "autonomous-system", 0), word(bgp_state, "router-id", ""))
    return BgpState(*speaker, tuple(sorted(sessions)))


def _session(vrf: str, row: object) -> Session:
    shown = word(row, "session-state", "idle")
    state = STATES.get(shown)
    if state is None:
        raise NotUnderstoodError(f"session state {shown!r}")
    families = tuple(_negotiated(row)) if shown == "established" else ()
    ends = number(row, "established-transitions") if "established-transitions" in table(row) else -1
    peer, asn = peer_name(word(row, "peer-address")), number(row, "peer-as", 0)
    return Session(vrf, peer, asn, state, families, ends=ends)


def _negotiated(row: object) -> Iterator[FamilyState]:
    for family in rows(row, "afi-safi"):
        name = _FAMILIES.get(word(family, "afi-safi-name"))
        if name and word(family, "oper-state", "") == "up":
            yield FamilyState(name, number(family, "received-routes", -1))


def bfd(shown: object) -> tuple[BfdSession, ...]:
    """Return sessions of `/bfd`. A session over an unnumbered link is known by its port."""
    return tuple(
        sorted(
            BfdSession(vrf_name(word(instance, "name")), _bfd_peer(row), word(row, "session-state", "") == "UP")
            for instance in rows(shown, "network-instance")
            for row in rows(instance, "peer")
        )
    )


def _bfd_peer(row: object) -> str:
    port = word(row, "ipv6-link-local-interface", "")
    return interface_name(port) if port else peer_name(word(row, "remote-address"))


def routes(shown: object) -> tuple[Route, ...]:
    """Return active, programmed routes of `/network-instance[name=*]/route-table`.

    Routes that only deliver to the switch itself are left out.
    """
    instances = {word(row, "name"): table(row, "route-table") for row in rows(shown, "network-instance")}
    forwarding = {name: _Next.of(tables) for name, tables in instances.items()}
    tables = (
        route
        for name, route_table in instances.items()
        for family in ("ipv4", "ipv6")
        for row in rows(table(route_table, f"{family}-unicast"), "route")
        if _forwards(row)
        for route in _route(name, family, row, forwarding)
    )
    return tuple(sorted(tables))


def _forwards(row: object) -> bool:
    programming = table(row, "fib-programming")
    return (
        flag(row, "active", False)
        and not flag(programming, "suppressed", False)
        and not rows(programming, "last-failed-locations")
    )


def _route(name: str, family: str, row: object, forwarding: Mapping[str, "_Next"]) -> Iterator[Route]:
    kind = word(row, "route-type", "")
    instance = word(row, "next-hop-group-network-instance", name)
    next_hops = forwarding.get(instance, _Next({}, {}))
    group = str(number(row, "next-hop-group", 0))
    if next_hops.stays(group):
        return
    # The next hop of a connected network is printed as the switch's own address.
    hops = {hop._replace(address="") if kind == LOCAL else hop for hop in next_hops.hops(group)}
    yield Route(vrf_name(name), prefix(word(row, f"{family}-prefix")), kind, tuple(sorted(hops)))


@dataclass(frozen=True, slots=True)
class _Next:
    """Groups of next hops, and next hops, of one network instance by number."""

    groups: Mapping[str, Sequence[object]]
    ends: Mapping[str, object]

    @classmethod
    def of(cls, route_table: object) -> "_Next":
        """Return those of a route table."""
        groups = {str(number(row, "index")): rows(row, "next-hop") for row in rows(route_table, "next-hop-group")}
        return cls(groups, {str(number(row, "index")): row for row in rows(route_table, "next-hop")})

    def stays(self, group: str) -> bool:
        """Return whether a group only delivers to the switch itself."""
        ends = (self.ends.get(str(number(row, "next-hop"))) for row in self.groups.get(group, ()))
        kinds = {word(end, "type", "") for end in ends if end is not None}
        return bool(kinds) and kinds <= set(INSIDE)

    def hops(self, group: str, depth: int = 0) -> Iterator[Hop]:
        """Yield the next hops of a group. An unknown one has neither address nor interface."""
        if group not in self.groups or depth > DEEPEST:
            yield Hop("", "")
            return
        for row in self.groups[group]:
            weight = number(row, "weight", 1)
            next_hop = self.ends.get(str(number(row, "next-hop")))
            resolved = self._ends(next_hop, depth) if next_hop is not None else iter((Hop("", ""),))
            yield from (hop._replace(weight=weight) for hop in resolved)

    def _ends(self, end: object, depth: int) -> Iterator[Hop]:
        kind = word(end, "type", "")
        if kind in (*DROPS, *INSIDE):
            return
        text = word(end, "ip-address", "")
        remote = address(text) if text else ""
        port = word(end, "subinterface", "")
        # Before 25.3 both are in the next hop itself (Nokia's YANG of 24.10.3, srl_nokia-ip-route-tables).
        indirect = table(end, "indirect") or end
        tunnel, resolving_route = table(indirect, "resolving-tunnel"), table(indirect, "resolving-route")
        if port:
            yield Hop(remote, interface_name(port))
        elif tunnel:
            yield Hop(remote or _host(word(tunnel, "ip-prefix", "")), "")
        elif "next-hop-group" in resolving_route:
            yield from (
                Hop(remote, hop.interface)
                for hop in self.hops(str(number(resolving_route, "next-hop-group")), depth + 1)
            )
        else:
            yield Hop(remote, "")


def _host(text: str) -> str:
    """Return the remote end of a tunnel."""
    return address(text.partition("/")[0]) if text else ""
