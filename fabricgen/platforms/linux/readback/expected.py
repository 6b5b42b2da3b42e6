"""The rows of a Device as FRR and Linux have them: their names, what FRR does by itself, and lines that they need."""

from collections.abc import Iterable, Iterator

from fabricgen.device.device import Device
from fabricgen.device.routing import BgpVrf, PeerGroup
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.linux.frr_releases import EVPN_LIMIT, OLDEST, WAITS_BESIDE_EVPN
from fabricgen.platforms.linux.readback.words import host
from fabricgen.readback.intended import in_vrf, octets, peer
from fabricgen.readback.platform import Rows
from fabricgen.readback.rows import Key


def sessions(device: Device) -> Iterator[tuple[str, PeerGroup | None]]:
    """Names of all sessions with their groups; none outside the fabric."""
    bgp = device.routing.bgp
    groups = {group.name: group for group in bgp.groups}
    for neighbor in bgp.neighbors:
        yield peer(neighbor.peer), groups[neighbor.group]
    for vrf in bgp.vrfs:
        for outside in vrf.neighbors:
            yield in_vrf(vrf.name, peer(outside.address)), None


def as_frr(device: Device, rows: Rows, release: str = OLDEST) -> Rows:
    """What FRR does by itself.

    It sends all kinds of communities, keeps the next hop of EVPN routes and announces extended next hops over a port
    (bgpd/bgpd.c, flags of a new peer); with an EVPN session it does not wait for the forwarding table before 9.1, which
    would hold EVPN routes back. The source of a session is an address, not a number.
    """
    found = dict(rows)
    sources = {row.number: host(row.ipv4.partition("/")[0]) for row in device.interfaces.loopbacks if row.ipv4}
    overlay = any("evpn" in group.families for group in device.routing.bgp.groups)
    for name, group in sessions(device):
        found[Key("session", name, "extended-communities")] = True
        if group is None:
            continue
        if "evpn" in group.families:
            found[Key("session", name, "next-hop-unchanged")] = True
        if group.update_source >= 0:
            found[Key("session", name, "source")] = sources.get(group.update_source, "")
    if overlay and not is_at_least(release, WAITS_BESIDE_EVPN):
        found[Key("bgp", "", "wait-install")] = False
    for vrf in device.routing.bgp.vrfs:
        found[Key("vrf", vrf.name, "imports")] = leaked(device, vrf)
    if not device.routing.bgp.vrfs:
        found.pop(Key("bgp", "", "overlay-paths"), None)
    return found


def without_usual_duplicates(rows: Rows) -> Rows:
    """FRR does not print its own numbers of duplicate address detection, 5 moves in 180 s (bgpd, bgp_evpn.h)."""
    return {key: value for key, value in rows.items() if (key.setting, value) != ("duplicate-mac", (5, 180, 0))}


def leaked(device: Device, vrf: BgpVrf) -> frozenset[str]:
    """Route targets of a VRF: its own, and those of the VRFs of this switch that it takes routes from.

    FRR 8.4 leaks between VRFs of a switch (docs.frrouting.org, VRF route leaking); one that is not here has no routes.
    """
    here = {row.name: row.export_target for row in device.routing.bgp.vrfs}
    return frozenset((vrf.export_target, *(here[name] for name in vrf.imports if name in here)))


def without_evpn_limit(device: Device, rows: Rows, release: str) -> Rows:
    """FRR before 10.1 limits no EVPN routes (NOTES): neither how many, nor for how long."""
    if is_at_least(release, EVPN_LIMIT) or not any("evpn" in group.families for group in device.routing.bgp.groups):
        return rows
    none = {name for name, group in sessions(device) if group is not None and set(group.families) == {"evpn"}}
    evpn = "maximum-routes.evpn"
    return {
        key: value
        for key, value in rows.items()
        if key.setting != evpn and not (key.thing == "session" and key.setting == "restart" and key.name in none)
    }


def renamed(rows: Rows, names: dict[str, str]) -> Rows:
    """Rows with the VRFs' names of the switch in place of the tenants'."""
    moved = {before: after for before, after in names.items() if before != after}
    if not moved:
        return rows
    found: Rows = {}
    for key, value in rows.items():
        here, after = key, value
        if key.thing == "vrf":
            here = key._replace(name=moved.get(key.name, key.name))
        elif " " in key.name and key.thing in ("session", "network", "static-route"):
            vrf, _, rest = key.name.partition(" ")
            here = key._replace(name=f"{moved.get(vrf, vrf)} {rest}")
        elif key.setting == "vrf" and isinstance(value, str):
            after = moved.get(value, value)
        found[here] = after
    return found


def without_sessions(device: Device, rows: Rows) -> Rows:
    """A port is unnumbered by the session over it: that one needs no address, and its daemon advertises the router."""
    over = {neighbor.interface for neighbor in device.routing.bgp.neighbors}
    return {
        key: value
        for key, value in rows.items()
        if key.setting != "unnumbered" or key.thing != "port" or key.name in over
    }


SWITCHING = (
    "access-vlan",
    "trunk-vlans",
    "bpdu-guard",
    "ra-guard",
    "broadcast-limit",
    "multicast-limit",
    "unknown-unicast-limit",
    "mac-limit",
)


def without_members(device: Device, rows: Rows) -> Rows:
    """A port of a bond switches nothing by itself: the bond does."""
    members = {port.name for port in device.interfaces.ethernet if port.lag}
    if not members:
        return rows
    return {
        key: value
        for key, value in rows.items()
        if not (key.thing == "port" and key.name in members and key.setting in SWITCHING)
    }


def needed(texts: Iterable[str]) -> Rows:
    """Lines that a switch needs."""
    return {Key("line", text, "present"): True for text in texts}


def one_loopback(device: Device, rows: Rows, names: dict[str, str]) -> Rows:
    """`lo` has all addresses of the default VRF; one in a tenant's VRF is called by it. None has a description."""
    found = {key: value for key, value in rows.items() if key.thing != "loopback"}
    of_default = [row for row in device.interfaces.loopbacks if not row.vrf]
    for setting in ("ipv4", "ipv6"):
        values = (rows[Key("loopback", str(row.number), setting)] for row in of_default)
        found[Key("loopback", "0", setting)] = frozenset(
            text for value in values if isinstance(value, frozenset) for text in value
        )
    for row in device.interfaces.loopbacks:
        if row.vrf:
            name = names[row.vrf]
            found[Key("loopback", name, "vrf")] = name
            for setting in ("ipv4", "ipv6"):
                found[Key("loopback", name, setting)] = rows[Key("loopback", str(row.number), setting)]
    return found


def router_mac(vtep: str) -> str:
    """MAC of a VTEP's routed packets: locally administered (IEEE 802), with the octets of its address."""
    return octets("0200" + "".join(f"{int(part):02x}" for part in vtep.split(".")))
