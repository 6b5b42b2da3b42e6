"""SR Linux's state of routing: BGP sessions, BFD, and the forwarding table.

A route names a group of next hops, and each of these an object of its own: one on a link (`direct`), one that another
route or a tunnel leads to (`indirect`), or none that leaves the switch. Source: recorded answers and the models.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fabricgen.platforms.base.live.values import NotUnderstoodError, prefix
from fabricgen.platforms.srlinux.bgp import DEFAULT, FAMILIES
from fabricgen.platforms.srlinux.live.values import (
    address,
    flag,
    interface_name,
    number,
    peer_name,
    rows,
    table,
    vrf_name,
    word,
)
from fabricgen.state.state import BfdSession, BgpState, FamilyState, Hop, Route, Session

STATES = {
    "idle": "Idle",
    "connect": "Connect",
    "active": "Active",
    "opensent": "OpenSent",
    "openconfirm": "OpenConfirm",
    "established": "Established",
}
"""SR Linux's words of the FSM's states → those of RFC 4271."""
LOCAL = "local"
"""Type of a route that is a network of an interface."""
INSIDE = ("extract", "broadcast")
"""Next hops that deliver to the switch itself: its own addresses, and those of a subnet's broadcast."""
DROPS = ("discard", "reject")
DEEPEST = 4
"""Routes that may lead to one another; a link between switches needs one."""
_FAMILIES = {shown: name for name, shown in FAMILIES.items()}


def bgp(shown: object) -> BgpState:
    """Sessions of `/network-instance[name=*]/protocols/bgp`."""
    found: list[Session] = []
    speaker = (0, "")
    for instance in rows(shown, "network-instance"):
        name, said = word(instance, "name"), table(instance, "protocols", "bgp")
        found += (_session(vrf_name(name), row) for row in rows(said, "neighbor"))
        if name == DEFAULT:
            speaker = (number(said, "autonomous-system", 0), word(said, "router-id", ""))
    return BgpState(*speaker, tuple(sorted(found)))


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
    """Sessions of `/bfd`. One over a link without addresses is known by the port."""
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
    """Forwarding table of `/network-instance[name=*]/route-table`: active routes, and of these what is programmed.

    Left out is what only delivers to the switch itself.
    """
    instances = {word(row, "name"): table(row, "route-table") for row in rows(shown, "network-instance")}
    forwarding = {name: _Next.of(found) for name, found in instances.items()}
    found = (
        route
        for name, said in instances.items()
        for family in ("ipv4", "ipv6")
        for row in rows(table(said, f"{family}-unicast"), "route")
        if _forwards(row)
        for route in _route(name, family, row, forwarding)
    )
    return tuple(sorted(found))


def _forwards(row: object) -> bool:
    said = table(row, "fib-programming")
    return (
        flag(row, "active", False) and not flag(said, "suppressed", False) and not rows(said, "last-failed-locations")
    )


def _route(name: str, family: str, row: object, forwarding: Mapping[str, "_Next"]) -> Iterator[Route]:
    kind = word(row, "route-type", "")
    home = word(row, "next-hop-group-network-instance", name)
    objects = forwarding.get(home, _Next({}, {}))
    group = str(number(row, "next-hop-group", 0))
    if objects.stays(group):
        return
    # A network of an interface: the next hop that is shown is the switch's own address.
    hops = {hop._replace(address="") if kind == LOCAL else hop for hop in objects.hops(group)}
    yield Route(vrf_name(name), prefix(word(row, f"{family}-prefix")), kind, tuple(sorted(hops)))


@dataclass(frozen=True, slots=True)
class _Next:
    """Groups of next hops, and next hops, of one network instance by their numbers."""

    groups: Mapping[str, Sequence[object]]
    ends: Mapping[str, object]

    @classmethod
    def of(cls, said: object) -> "_Next":
        """Those of a route table."""
        groups = {str(number(row, "index")): rows(row, "next-hop") for row in rows(said, "next-hop-group")}
        return cls(groups, {str(number(row, "index")): row for row in rows(said, "next-hop")})

    def stays(self, group: str) -> bool:
        """Whether it only delivers to the switch itself."""
        ends = (self.ends.get(str(number(row, "next-hop"))) for row in self.groups.get(group, ()))
        kinds = {word(end, "type", "") for end in ends if end is not None}
        return bool(kinds) and kinds <= set(INSIDE)

    def hops(self, group: str, deep: int = 0) -> Iterator[Hop]:
        """Where its packets leave. What leads nowhere known is a next hop without address and interface."""
        if group not in self.groups or deep > DEEPEST:
            yield Hop("", "")
            return
        for row in self.groups[group]:
            weight = number(row, "weight", 1)
            end = self.ends.get(str(number(row, "next-hop")))
            found = self._ends(end, deep) if end is not None else iter((Hop("", ""),))
            yield from (hop._replace(weight=weight) for hop in found)

    def _ends(self, end: object, deep: int) -> Iterator[Hop]:
        kind = word(end, "type", "")
        if kind in (*DROPS, *INSIDE):
            return
        text = word(end, "ip-address", "")
        far = address(text) if text else ""
        port = word(end, "subinterface", "")
        tunnel = table(end, "indirect", "resolving-tunnel")
        under = table(end, "indirect", "resolving-route")
        if port:
            yield Hop(far, interface_name(port))
        elif tunnel:
            yield Hop(far or _host(word(tunnel, "ip-prefix", "")), "")
        elif "next-hop-group" in under:
            yield from (Hop(far, hop.interface) for hop in self.hops(str(number(under, "next-hop-group")), deep + 1))
        else:
            yield Hop(far, "")


def _host(text: str) -> str:
    """Far end of a tunnel."""
    return address(text.partition("/")[0]) if text else ""
