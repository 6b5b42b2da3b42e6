"""What the kernel of Cumulus Linux says, where it says it otherwise than that of a plain FRR switch.

VRFs are devices; a tenant's own address stands on its VRF device (511 VRF: `nv set vrf RED loopback ip address`). Next
hops may be objects that a route names by number alone, where net.ipv4.nexthop_compat_mode is 0. Forms: `ip -j -N
nexthop show` and `ip -j -N route show` of iproute2 6.1.0, seen 2026-11-22 with that setting both ways; of bonds
iproute2's source (ip/iplink_bond.c `ad_info`, ip/iplink_bond_slave.c `ad_aggregator_id`): a port that LACP left out is
in another aggregator than the bond's (kernel, bonding.rst).
"""

import re
from collections.abc import Iterable, Mapping

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.linux.live import interfaces as frr_interfaces
from fabricgen.platforms.linux.live import routes as frr_routes
from fabricgen.platforms.linux.live import system
from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread, Row, inner, number, rows, word
from fabricgen.platforms.linux.live.interfaces import ADDRESSES, links
from fabricgen.platforms.linux.live.routes import ROUTES
from fabricgen.state.state import LAG, LOOPBACK, Interface, PolicyRule, Route

NEXTHOPS = "ip -j -N nexthop show"
BLACKHOLE = "6"
"""RTN_BLACKHOLE."""
MANAGEMENT = "mgmt"
"""Name of the management VRF, its device and its table (511 Management VRF)."""
PORT = re.compile(r"swp\d+(?:s\d+)?")
"""Name of a port and of a part of one (511 Switch Port Attributes). A virtual machine's device has no kind of link; one
of the chip's own driver may have (`ip link add NAME type sx_netdev`, kernel_user.h of NVIDIA's sx_kernel)."""
LOOKUP = frozenset({"priority", "src", "dst", "dstlen", "table", "ipproto", "dport", "protocol"})
"""Words of a rule that sends what goes to one address to a table."""

__all__ = ["ADDRESSES", "NEXTHOPS", "ROUTES", "interfaces", "routes", "rules"]


def interfaces(answers: CommandOutputs) -> tuple[Interface, ...]:
    """Interfaces by VRF and name; a VRF device that has addresses is the loopback of its VRF."""
    answers = _saying(answers, ADDRESSES, [_as_port(row) for row in answers.rows(ADDRESSES)])
    held = links(answers)
    bundles = _bundles([link.row for link in held.found])
    found = (_as_loopback(answers, row, held.devices) for row in frr_interfaces.interfaces(answers))
    whole = (row._replace(members=bundles.get(row.name)) if row.kind == LAG else row for row in found)
    return tuple(sorted(whole, key=lambda row: (row.vrf, row.name)))


def _as_port(row: Row) -> Row:
    """A port without the kind of its link, by which it would be taken for something else."""
    if PORT.fullmatch(word(row, "ifname", "")) is None:
        return row
    return {**row, "linkinfo": {key: value for key, value in inner(row, "linkinfo").items() if key != "info_kind"}}


def _bundles(held: Iterable[Row]) -> Mapping[str, tuple[str, ...]]:
    """Bond → ports in its aggregator that have a link; none of a bond that names no aggregator."""
    linked = {word(row, "ifname"): (word(row, "master", ""), inner(row, "linkinfo")) for row in held}
    active = {}
    for name, (_, info) in linked.items():
        found = inner(inner(info, "info_data"), "ad_info")
        if word(info, "info_kind", "") == "bond" and "aggregator" in found:
            active[name] = number(found, "aggregator")
    members: dict[str, list[str]] = {name: [] for name in active}
    for name, (master, info) in linked.items():
        port = inner(info, "info_slave_data")
        if master in active and port.get("ad_aggregator_id") == active[master] and port.get("mii_status") == "UP":
            members[master].append(name)
    return {name: tuple(sorted(ports)) for name, ports in members.items()}


def _as_loopback(answers: CommandOutputs, row: Interface, devices: Mapping[str, int]) -> Interface:
    if row.name not in devices or not row.addresses:
        return row
    return row._replace(kind=LOOPBACK, vrf=answers.vrf(row.name))


def routes(answers: CommandOutputs) -> tuple[Route, ...]:
    """Routes in use, objects among their next hops looked up."""
    held = answers.rows(ROUTES)
    if any(_is_bare(row) for row in held):
        objects = {number(row, "id"): row for row in answers.rows(NEXTHOPS)}
        answers = _saying(answers, ROUTES, [_whole(row, objects) for row in held])
    return frr_routes.routes(answers)


def _is_bare(row: Row) -> bool:
    return "nhid" in row and "nexthops" not in row and "gateway" not in row and "via" not in row and "dev" not in row


def _whole(row: Row, objects: Mapping[int, Row]) -> Row:
    """A route with the next hops that its object stands for; left as it is where the object is not known."""
    found = objects.get(number(row, "nhid")) if _is_bare(row) else None
    if found is None:
        return row
    if "blackhole" in found:
        return {**row, "type": BLACKHOLE}
    if "group" not in found:
        return {**row, **_hop(found)}
    return {**row, "nexthops": [_member(one, objects) for one in rows(found["group"], "group")]}


def _member(one: Row, objects: Mapping[int, Row]) -> Row:
    found = objects.get(number(one, "id"))
    if found is None:
        raise Misread(f"next hop {one['id']} of a group is not among the objects")
    return {**_hop(found), "weight": number(one, "weight", 1)}


def _hop(found: Row) -> dict[str, object]:
    return {key: found[key] for key in ("gateway", "dev", "flags") if key in found}


def rules(answers: CommandOutputs) -> tuple[PolicyRule, ...]:
    """Rules that neither the kernel made nor Cumulus for the DNS servers of the management VRF.

    It directs look-ups to their addresses out of that VRF by rules (511 Management VRF and DNS).
    """
    for command in system.RULES:
        held = answers.rows(command)
        if not held:
            raise Misread(f"`{command}` shows not even the kernel's own")
        answers = _saying(answers, command, [row for row in held if not _is_lookup(row)])
    return system.rules(answers)


def _is_lookup(row: Row) -> bool:
    return LOOKUP.issuperset(row) and "dst" in row and word(row, "table", "") == MANAGEMENT


def _saying(answers: CommandOutputs, command: str, rows_: Iterable[Row]) -> CommandOutputs:
    """The same answers but for one command's."""
    return CommandOutputs({**answers.outputs, command: Output(list(rows_))}, answers.names)
