"""Interfaces: ports, cages, bonds, VLANs of ports, gateways, loopbacks, the way to the management.

Sources: Cumulus Linux 5.11 user guide and NVUE reference: Switch Port Attributes (MTU 9216 by itself; link state,
speed, lanes, fec), Bonding, VLAN-aware Bridge Mode, EVPN Multihoming, Inter-subnet Routing, Port Security, BGP
Unnumbered (router advertisements are sent unless they are turned off). bonding.rst of Linux: ports of a bond have its
MTU. FRR: the ES-Import target is octets 2 to 7 of the ESI.
"""

import re

from fabricgen.platforms.cumulus.readback.nvue import Nvue
from fabricgen.platforms.cumulus.readback.tree import NOTHING, Tree, by_name
from fabricgen.platforms.linux.readback.words import number, vlans
from fabricgen.readback.intended import octets

DEFAULT_MTU = 9216
FEC = {"rs": "rs-fec", "baser": "fc-fec", "off": "none", "auto": "", "": ""}
BRIDGE = "br_default"
_SPEED = re.compile(r"(\d+)G")
_PART = re.compile(r"(swp\d+)s\d+")
_BOND = re.compile(r"bond(\d+)")
_VLAN_OF = re.compile(r"(.+)\.(\d+)")


class InterfaceRows:
    """Writes the rows of all interfaces."""

    def __init__(self, nvue: Nvue) -> None:
        self._nvue = nvue
        self.rows = by_name(nvue.root.take("interface"))
        self._cages = {name: row for name, row in self.rows.items() if row.take("link", "breakout")}
        self._bonds = self._members()
        self.adaptive = nvue.on(nvue.root, "router", "adaptive-routing").is_on

    def _members(self) -> dict[str, tuple[str, int]]:
        """Port → its bond, and the line that says so."""
        found: dict[str, tuple[str, int]] = {}
        for name, row in self.rows.items():
            for member, said in by_name(row.take("bond", "member")).items():
                found[member] = (name, said.line)
        return found

    def put(self) -> None:
        """All rows."""
        for name, row in self.rows.items():
            if name in self._cages:
                self._put_cage(name, row)
                continue
            getattr(self, f"_put_{_kind(name, row)}")(name, row)

    # --- ports ------------------------------------------------------------------------------------------------------

    def _put_cage(self, name: str, row: Tree) -> None:
        row.take("type")
        for mode, said in row.take("link", "breakout").each():
            lanes = said.text("lanes-per-port")
            text = f"{name}: breakout {mode}{f', {lanes} lanes a port' if lanes else ''}"
            self._nvue.say(text, said.line)

    def _put_port(self, name: str, row: Tree) -> None:
        nvue, link, line = self._nvue, row.take("link"), row.line
        state = link.take("state")
        down = state.value == "down" or bool(state.take("down"))
        state.take("up")
        text = row.take("description")
        rows = (
            ("enabled", not down, state.line if down else line),
            ("description", text.value, text.line or line),
        )
        nvue.put_all("port", name, rows)
        self._put_mtu("port", name, row)
        speed = link.take("speed")
        match = _SPEED.fullmatch(speed.value)
        if match is None and speed.value not in ("", "auto"):
            speed.refuse()
        gbps = int(match[1]) if match and len(match[1]) < 6 else 0
        fec = link.take("fec")
        if fec.value not in FEC:
            fec.refuse()
        of_link = (
            ("speed", gbps, speed.line or line),
            ("fec", FEC.get(fec.value, fec.value), fec.line or line),
        )
        nvue.put_all("port", name, of_link)
        self._put_lanes(name, link, line)
        nvue.leaf(link, f"{name}:", "auto-negotiate")
        nvue.put_addresses("port", name, nvue.of_interface(row, "address"), line)
        vrf = nvue.vrf_of(row)
        bond, at = self._bonds.get(name, ("", line))
        uplink = row.take("evpn", "multihoming", "uplink")
        roles = (
            ("vrf", vrf.value if vrf.value != "default" else "", vrf.line or line),
            ("lag", _number_of(bond), at),
            ("tracking", "upstream" if uplink.is_on else "", uplink.line or line),
        )
        nvue.put_all("port", name, roles)
        if not bond:
            self._put_switching("port", name, row)
        self._put_more(name, row)

    def _put_lanes(self, name: str, link: Tree, line: int) -> None:
        lanes = link.take("lanes")
        match = _PART.fullmatch(name)
        if not lanes and match and match[1] in self._cages:
            modes = [said for _, said in self._cages[match[1]].take("link", "breakout").each()]
            lanes = modes[-1].take("lanes-per-port") if modes else lanes
        if lanes:
            self._nvue.put("port", name, "lanes", self._nvue.number(lanes), lanes.line)
        else:
            self._nvue.put("port", name, "lanes", 0, line)

    def _put_mtu(self, thing: str, name: str, row: Tree) -> None:
        """The MTU; that of its bond where a port is in one."""
        bond = self._bonds.get(name, ("", 0))[0]
        whose = self.rows[bond] if thing == "port" and bond else row
        mtu = whose.take("link", "mtu")
        self._nvue.put(thing, _name(thing, name), "mtu", self._nvue.number(mtu, DEFAULT_MTU), mtu.line or row.line)
        if whose is not row and row.take("link", "mtu"):
            row.take("link", "mtu").refuse()

    def _put_switching(self, thing: str, name: str, row: Tree) -> None:
        """VLANs of a port of the bridge: one untagged, or tagged ones alone."""
        nvue, domain = self._nvue, row.take("bridge", "domain", BRIDGE)
        name_of, line = _name(thing, name), domain.line or row.line
        access = domain.take("access")
        nvue.put(thing, name_of, "access-vlan", nvue.number(access), access.line or line)
        tagged = domain.take("vlan")
        lines: dict[int, int] = {}
        for key, said in tagged.each():
            found = vlans((key,))
            if found is None:
                said.refuse()
            lines.update(dict.fromkeys(found or (), said.line))
        trunk = tuple(sorted(lines))
        nvue.put_parts(thing, name_of, "trunk-vlans", trunk, [lines[one] for one in trunk], tagged.line or line)
        nvue.leaf(domain, f"{name}:", "untagged")
        guard = domain.take("stp", "bpdu-guard")
        nvue.put(thing, name_of, "bpdu-guard", guard.is_on, guard.line or line)
        nvue.leaf(domain, f"{name}:", "stp", "admin-edge")
        self._put_guard(thing, name_of, row, line)
        security = row.take("port-security")
        limit = security.take("mac-limit")
        on = nvue.on(security).is_on
        nvue.put(thing, name_of, "mac-limit", nvue.number(limit) if on else 0, limit.line or line)
        nvue.leaf(security, f"{name}: port-security", "violation-mode")

    def _put_guard(self, thing: str, name: str, row: Tree, line: int) -> None:
        """Whether one of the lists of a port is a guard; another list of it is not understood."""
        found = 0
        for key, said in row.take("acl").each():
            if key in self._nvue.guards and said.take("inbound"):
                found = said.line
            else:
                said.refuse()
        self._nvue.put(thing, name, "ra-guard", bool(found), found or line)

    def _put_more(self, name: str, row: Tree) -> None:
        """Adaptive routing, and queues whose depth is counted."""
        nvue = self._nvue
        adaptive = nvue.on(row, "router", "adaptive-routing")
        if adaptive.is_on:
            nvue.say(f"{name}: adaptive routing", adaptive.line)
        for queue, said in row.take("telemetry", "histogram", "egress-buffer", "traffic-class").each():
            limit, action = said.text("threshold", "value"), said.text("threshold", "action")
            more = f", {action} above {limit}" if limit else ""
            nvue.say(f"{name}: depth of queue {queue} is counted{more}", said.line)

    def put_unnumbered(self) -> None:
        """Ports that sessions run over, once these are known."""
        nvue = self._nvue
        for speaker in nvue.conf.speakers.values():
            for name, peer in speaker.peers.items():
                said = (
                    nvue.on(nvue.of_interface(self.rows[name], "neighbor-discovery"), "router-advertisement")
                    if (name in self.rows)
                    else NOTHING
                )
                if peer.port:
                    nvue.put("port", name, "unnumbered", not said or said.is_on, said.line or peer.line)

    # --- others -----------------------------------------------------------------------------------------------------

    def _put_bond(self, name: str, row: Tree) -> None:
        nvue, number_of, line = self._nvue, _name("lag", name), row.line
        text = row.take("description")
        nvue.put("lag", number_of, "description", text.value, text.line or line)
        down = row.take("link", "state")
        is_down = down.value == "down" or bool(down.take("down"))
        nvue.put("lag", number_of, "enabled", not is_down, down.line or line)
        self._put_mtu("lag", name, row)
        members = row.take("bond", "member")
        ports = {port: said.line for port, said in by_name(members).items()}
        nvue.put_members("lag", number_of, "members", ports, members.line or line)
        bypass = row.take("bond", "lacp-bypass")
        nvue.put("lag", number_of, "fallback", bypass.is_on, bypass.line or line)
        mode = row.take("bond", "mode")
        nvue.say(f"{name}: {mode.value or 'lacp'}", mode.line or line)  # lacp by itself (Bonding)
        self._put_switching("lag", name, row)
        self._put_segment(number_of, row)

    def _put_segment(self, number_of: str, row: Tree) -> None:
        segment, nvue = row.take("evpn", "multihoming", "segment"), self._nvue
        identifier, mac, preference = (segment.take(key) for key in ("identifier", "mac-address", "df-preference"))
        if not nvue.on(segment).is_on:
            return
        esi = octets(identifier.value)
        nvue.put("lag", number_of, "esi", esi, identifier.line or segment.line)
        nvue.put("lag", number_of, "es-import", esi[3:20], identifier.line or segment.line)
        nvue.put("lag", number_of, "system-id", octets(mac.value), mac.line or segment.line)
        nvue.put("lag", number_of, "df-preference", nvue.number(preference), preference.line or segment.line)
        nvue.put("lag", number_of, "tracking", "downstream", segment.line)

    def _put_subinterface(self, name: str, row: Tree) -> None:
        nvue, line = self._nvue, row.line
        text, vlan, vrf = row.take("description"), row.take("vlan"), nvue.vrf_of(row)
        match = _VLAN_OF.fullmatch(name)
        parent = row.take("base-interface")
        place = f"{parent.value or (match[1] if match else '')}.{vlan.value or (match[2] if match else '')}"
        nvue.put("subinterface", place, "description", text.value, text.line or line)
        nvue.put(
            "subinterface", place, "vlan", nvue.number(vlan, number(match[2]) or 0 if match else 0), vlan.line or line
        )
        nvue.put("subinterface", place, "vrf", vrf.value if vrf.value != "default" else "", vrf.line or line)
        mtu = row.take("link", "mtu")
        nvue.put("subinterface", place, "mtu", nvue.number(mtu, DEFAULT_MTU), mtu.line or line)
        nvue.put_addresses("subinterface", place, nvue.of_interface(row, "address"), line)

    def _put_gateway(self, name: str, row: Tree) -> None:
        nvue, line = self._nvue, row.line
        vlan = row.text("vlan") or name.removeprefix("vlan")
        text, mac, mtu = (row.take(*path) for path in SVI)
        vrf = nvue.vrf_of(row)
        nvue.put("gateway", vlan, "description", text.value, text.line or line)
        nvue.put("gateway", vlan, "vrf", vrf.value if vrf.value != "default" else "", vrf.line or line)
        nvue.put("gateway", vlan, "mac", octets(mac.value), mac.line or line)
        nvue.put("gateway", vlan, "mtu", nvue.number(mtu, DEFAULT_MTU), mtu.line or line)
        nvue.put_addresses("gateway", vlan, nvue.of_interface(row, "address"), line)

    def _put_loopback(self, name: str, row: Tree) -> None:
        """All addresses are those of one loopback, whatever number they have elsewhere."""
        self._nvue.put_addresses("loopback", "0", self._nvue.of_interface(row, "address"), row.line)

    def _put_management(self, name: str, row: Tree) -> None:
        nvue, addresses = self._nvue, self._nvue.of_interface(row, "address")
        rows = []
        for text, said in addresses.each():
            if text == "dhcp":  # beside it no other address counts (ifupdown2, addons/address.py, addr_method)
                said.refuse()
            else:
                rows.append((text, said.line))
        nvue.put("management", "", "port", name, row.line)
        nvue.put("management", "", "address", rows[0][0] if rows else "", rows[0][1] if rows else row.line)
        nvue.put("management", "", "gateway", "", row.line)
        for text, said in nvue.of_interface(row, "gateway").each():
            nvue.put("management", "", "gateway", text, said.line)
        vrf = nvue.vrf_of(row)
        nvue.put("management", "", "vrf", vrf.value, vrf.line or row.line)
        if len(rows) > 1:
            addresses.refuse()


SVI = (("description",), ("link", "mac-address"), ("link", "mtu"))
KINDS = {
    "swp": "port",
    "bond": "bond",
    "sub": "subinterface",
    "svi": "gateway",
    "loopback": "loopback",
    "eth": "management",
}


def _kind(name: str, row: Tree) -> str:
    """What an interface is: by its type, or by its name where none is said."""
    said = row.take("type")
    kind = KINDS.get(said.value)
    if said and (kind is None or (kind == "loopback" and name != "lo")):
        said.refuse()
    if kind:
        return kind
    if name == "lo":
        return "loopback"
    if _VLAN_OF.fullmatch(name):
        return "subinterface"
    stems = (("eth", "management"), ("bond", "bond"), ("vlan", "gateway"))
    return next((kind for stem, kind in stems if name.startswith(stem)), "port")


def _number_of(bond: str) -> int:
    match = _BOND.fullmatch(bond)
    return (number(match[1]) or 0) if match else 0


def _name(thing: str, name: str) -> str:
    match = _BOND.fullmatch(name)
    return match[1] if thing == "lag" and match else name
