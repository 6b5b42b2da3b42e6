"""VLANs, VNIs, tunnels, VRFs, DHCP relays.

Sources: NVUE reference, Bridge, EVPN, VXLAN, VRF, DHCP Relay; 5.11 user guide, EVPN Basic Configuration, Inter-subnet
Routing (`vrf X evpn vlan` is the VLAN of the L3 VNI, its interface is vlanN_l3), DHCP Relays.
"""

from fabricgen.platforms.cumulus.readback.nvue import Nvue
from fabricgen.platforms.cumulus.readback.tree import Tree, by_name
from fabricgen.platforms.linux.readback.bgp import AUTOMATIC
from fabricgen.platforms.linux.readback.words import host, interface, number
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Key, Part, Row

BRIDGE = "br_default"
SWITCHES = (("evpn",), ("evpn", "dad"), ("evpn", "multihoming"), ("nve", "vxlan"), ("nve", "vxlan", "flooding"))
"""Parts of tunnels that are turned on or off."""
MOVES, WINDOW = 5, 180
"""Moves and seconds that make an address a duplicate (NVUE reference, EVPN)."""
LINES = (
    ("nve", "vxlan", "arp-nd-suppress"),
    ("nve", "vxlan", "mac-learning"),
    ("nve", "vxlan", "encapsulation", "dscp", "action"),
    ("nve", "vxlan", "decapsulation", "dscp", "action"),
)
"""Settings of tunnels that count as they are."""


def put_overlay(nvue: Nvue) -> None:
    """Rows of all parts of the overlay."""
    for path in (*((*path, nvue.switch) for path in SWITCHES), *LINES):
        nvue.leaf(nvue.root.take(path[0]), path[0], *path[1:])
    vxlan = nvue.root.take("nve", "vxlan")
    if vxlan.take("flooding", "head-end-replication", "evpn"):
        nvue.say("nve vxlan flooding by EVPN", vxlan.line)
    source, mtu = vxlan.take("source", "address"), vxlan.take("mtu")
    if source:
        nvue.put("vtep", "", "address", host(source.value), source.line)
    if mtu:
        nvue.put("vtep", "", "mtu", nvue.number(mtu), mtu.line)
    _put_duplicates(nvue)
    _put_vlans(nvue)
    for name, row in nvue.root.take("vrf").each():
        if name != "default":
            _put_vrf(nvue, name, row)
    _put_relays(nvue)


def _put_duplicates(nvue: Nvue) -> None:
    """Detection of duplicate addresses, where more is said of it than that it is on."""
    dad = nvue.root.take("evpn", "dad")
    moves, window = dad.take("mac-move-threshold"), dad.take("move-window")
    frozen = dad.take("duplicate-action", "freeze", "duration")
    if moves or window or frozen:
        said = (nvue.number(moves, MOVES), nvue.number(window, WINDOW), nvue.number(frozen))
        nvue.put("vtep", "", "duplicate-mac", said, moves.line or window.line or frozen.line)


def _put_vlans(nvue: Nvue) -> None:
    blocks = dict(nvue.root.take("evpn", "vni").each())
    for key, row in by_name(nvue.root.take("bridge", "domain", BRIDGE, "vlan")).items():
        for vlan in (by_name(Tree(row.fields)) and (key,)) or (key,):
            for vni, said in row.take("vni").each():
                nvue.put("vlan", vlan, "vni", number(vni) or 0, said.line)
                _put_vni(nvue, vlan, vni, blocks.get(vni, Tree()), said.line)


def _put_vni(nvue: Nvue, vlan: str, vni: str, block: Tree, line: int) -> None:
    """Distinguisher and targets; what is not said FRR makes by itself: its AS number and the VNI."""
    asn = nvue.conf.speakers[""].asn if "" in nvue.conf.speakers else 0
    rd = block.take("rd")
    nvue.put("vlan", vlan, "rd", rd.value if rd.value not in ("", "auto") else AUTOMATIC, rd.line or line)
    for setting, key in (("imports", "import"), ("exports", "export")):
        rows = {text: said.line for text, said in block.take("route-target", key).each()}
        nvue.put_members("vlan", vlan, setting, rows or {f"{asn & 0xFFFF}:{vni}": line}, line)


def _put_vrf(nvue: Nvue, name: str, row: Tree) -> None:
    evpn = row.take("evpn")
    for vni, said in evpn.take("vni").each():
        on = nvue.on(evpn).is_on
        nvue.put("vrf", name, "vni", (number(vni) or 0) if on else 0, said.line)
    vlan = evpn.take("vlan")
    if vlan:
        if Key("vlan", vlan.value, "vni") in nvue.reading.rows or vlan.value in nvue.tenants:
            vlan.refuse()
        nvue.tenants[vlan.value] = name
        nvue.say(f"VRF {name} has a VLAN for its L3 VNI", vlan.line)
    addresses = row.take("loopback", "ip", "address")
    own = [text for text, _ in addresses.each()]
    if own:
        nvue.put_addresses("loopback", name, addresses, addresses.line)
        nvue.put("loopback", name, "vrf", name, addresses.line)


def _put_relays(nvue: Nvue) -> None:
    for vrf, row in nvue.root.take("service", "dhcp-relay").each():
        gateway = row.take("gateway-interface", vrf, "address")
        source, line = _source(nvue, vrf, gateway), gateway.line or row.line
        clients = _interfaces(nvue, f"IPv4 relay of VRF {vrf}", row.take("interface"))
        _put_clients(nvue, clients, _servers(row), source, line)
        _put_groups(nvue, vrf, row, source, line)
    for vrf, row in nvue.root.take("service", "dhcp-relay6").each():
        clients = _interfaces(nvue, f"IPv6 relay of VRF {vrf}", row.take("interface", "downstream"))
        servers, source = list[tuple[str, int]](), ""
        for name, said in row.take("interface", "upstream").each():
            address = said.take("server-address")
            if address:
                servers.append((host(address.value), address.line))
                source = name
            else:
                _hears(nvue, f"IPv6 relay of VRF {vrf}", name, said)
        _put_clients(nvue, clients, servers, source, row.line)


def _servers(row: Tree) -> list[tuple[str, int]]:
    return [(host(text) or text, said.line) for text, said in row.take("server").each()]


def _put_groups(nvue: Nvue, vrf: str, row: Tree, source: str, line: int) -> None:
    """Server groups, from 5.14 on: a client's network names its group (514 DHCP Relays)."""
    clients: dict[str, list[tuple[str, int]]] = {}
    for name, said in by_name(row.take("downstream-interface")).items():
        group = said.take("server-group-name")
        clients.setdefault(group.value, []).append((name.removeprefix("vlan"), group.line or said.line))
    for name, group in row.take("server-group").each():
        _interfaces(nvue, f"IPv4 relay of VRF {vrf}", group.take("upstream-interface"))
        _put_clients(nvue, clients.pop(name, []), _servers(group), source, line)
    if clients:
        row.take("downstream-interface").refuse()


def _source(nvue: Nvue, vrf: str, gateway: Tree) -> str:
    """Whose address requests come from: the VRF's loopback, by the VRF's name; else the address itself."""
    row = nvue.reading.rows.get(Key("loopback", vrf, "ipv4"))
    own = row.value if row is not None and isinstance(row.value, frozenset) else frozenset()
    is_own = any(interface(text).partition("/")[0] == host(gateway.value) for text in own)
    return vrf if is_own else gateway.value


def _interfaces(nvue: Nvue, relay: str, tree: Tree) -> list[tuple[str, int]]:
    """VLANs of clients; other interfaces are where answers come in."""
    clients = []
    for name, said in by_name(tree).items():
        vlan = name.removeprefix("vlan")
        if vlan.isdigit() and name != vlan:
            clients.append((vlan, said.line))
        else:
            _hears(nvue, relay, name, said)
    return clients


def _hears(nvue: Nvue, relay: str, name: str, said: Tree) -> None:
    vlan = name.removeprefix("vlan").removesuffix("_l3")
    place = f"VRF {nvue.tenants[vlan]}" if name.endswith("_l3") and vlan in nvue.tenants else name
    nvue.say(f"{relay} hears {place}", said.line)


def _put_clients(
    nvue: Nvue, clients: list[tuple[str, int]], servers: list[tuple[str, int]], source: str, line: int
) -> None:
    for vlan, at in clients:
        key = Key("gateway", vlan, "relays")
        before = nvue.reading.rows.get(key)
        parts: dict[Part, Lines] = dict(before.parts or {}) if before is not None else {}
        parts.update(servers)
        line_of = servers[-1][1] if servers else at
        nvue.reading.add(key, Row(frozenset(map(str, parts)), nvue.file, line_of, parts))
        nvue.put("gateway", vlan, "relay-source", source, line)
