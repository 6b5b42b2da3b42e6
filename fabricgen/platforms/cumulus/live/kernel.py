"""Outputs of Cumulus Linux's kernel that differ from those of a plain FRR switch.

VRFs are devices; a tenant's own address is on its VRF device (511 VRF: `nv set vrf RED loopback ip address`). Next hops
may be objects that a route names by number only, if net.ipv4.nexthop_compat_mode is 0. Forms: `ip -j -N nexthop show`
and `ip -j -N route show` of iproute2 6.1.0, seen 2026-11-22 with that setting both ways; of bonds iproute2's source
(ip/iplink_bond.c `ad_info`, ip/iplink_bond_slave.c `ad_aggregator_id`): a port that LACP left out is in another
aggregator than the bond's (kernel, bonding.rst).
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
"""Name of a port and of a part of one (511 Switch Port Attributes). A virtual machine's device has no kind of link;
one of the chip's own driver may have (`ip link add NAME type sx_netdev`, kernel_user.h of NVIDIA's sx_kernel)."""
LOOKUP = frozenset({"priority", "src", "dst", "dstlen", "table", "ipproto", "dport", "protocol"})
"""Keys of a rule that sends packets to one address to a table."""

__all__ = ["ADDRESSES", "NEXTHOPS", "ROUTES", "interfaces", "routes", "rules"]


def interfaces(answers: CommandOutputs) -> tuple[Interface, ...]:
    """Interfaces by VRF and name; a VRF device that has addresses is the loopback of its VRF."""
    answers = _saying(answers, ADDRESSES, [_as_port(row) for row in answers.rows(ADDRESSES)])
    devices = links(answers)
    bundles = _bundles([link.row for link in devices.found])
    converted = (_as_loopback(answers, row, devices.devices) for row in frr_interfaces.interfaces(answers))
    with_members = (row._replace(members=bundles.get(row.name)) if row.kind == LAG else row for row in converted)
    return tuple(sorted(with_members, key=lambda row: (row.vrf, row.name)))


def _as_port(row: Row) -> Row:
    """A port without the kind of its link, which would make it another kind of interface."""
    if PORT.fullmatch(word(row, "ifname", "")) is None:
        return row
    return {**row, "linkinfo": {key: value for key, value in inner(row, "linkinfo").items() if key != "info_kind"}}


def _bundles(devices: Iterable[Row]) -> Mapping[str, tuple[str, ...]]:
    """Bond → ports in its aggregator that have a link; bonds without an aggregator are left out."""
    linked = {word(row, "ifname"): (word(row, "master", ""), inner(row, "linkinfo")) for row in devices}
    active = {}
    for name, (_, info) in linked.items():
        aggregator = inner(inner(info, "info_data"), "ad_info")
        if word(info, "info_kind", "") == "bond" and "aggregator" in aggregator:
            active[name] = number(aggregator, "aggregator")
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
    """Routes in use, with objects among their next hops resolved."""
    kernel_rows = answers.rows(ROUTES)
    if any(_is_bare(row) for row in kernel_rows):
        objects = {number(row, "id"): row for row in answers.rows(NEXTHOPS)}
        answers = _saying(answers, ROUTES, [_whole(row, objects) for row in kernel_rows])
    return frr_routes.routes(answers)


def _is_bare(row: Row) -> bool:
    return "nhid" in row and "nexthops" not in row and "gateway" not in row and "via" not in row and "dev" not in row


def _whole(row: Row, objects: Mapping[int, Row]) -> Row:
    """A route with the next hops of its object; unchanged if the object is not known."""
    target = objects.get(number(row, "nhid")) if _is_bare(row) else None
    if target is None:
        return row
    if "blackhole" in target:
        return {**row, "type": BLACKHOLE}
    if "group" not in target:
        return {**row, **_hop(target)}
    return {**row, "nexthops": [_member(member, objects) for member in rows(target["group"], "group")]}


def _member(member: Row, objects: Mapping[int, Row]) -> Row:
    target = objects.get(number(member, "id"))
    if target is None:
        raise Misread(f"next hop {member['id']} of a group is not among the objects")
    return {**_hop(target), "weight": number(member, "weight", 1)}


def _hop(target: Row) -> dict[str, object]:
    return {key: target[key] for key in ("gateway", "dev", "flags") if key in target}


def rules(answers: CommandOutputs) -> tuple[PolicyRule, ...]:
    """Rules, without those of the kernel and those that Cumulus adds for the DNS servers of the management VRF.

    The latter send DNS queries out of that VRF (511 Management VRF and DNS).
    """
    for command in system.RULES:
        kernel_rows = answers.rows(command)
        # Every kernel has rules of its own, so an empty output is no answer.
        if not kernel_rows:
            raise Misread(f"`{command}` shows not even the kernel's own")
        answers = _saying(answers, command, [row for row in kernel_rows if not _is_lookup(row)])
    return system.rules(answers)


def _is_lookup(row: Row) -> bool:
    return LOOKUP.issuperset(row) and "dst" in row and word(row, "table", "") == MANAGEMENT


def _saying(answers: CommandOutputs, command: str, kernel_rows: Iterable[Row]) -> CommandOutputs:
    """The same answers, with another output of one command."""
    return CommandOutputs({**answers.outputs, command: Output(list(kernel_rows))}, answers.names)
