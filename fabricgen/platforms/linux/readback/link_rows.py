"""Rows of interfaces: what the file of ifupdown2 and frr.conf say of them together.

Sources: interfaces(5), ifupdown-addons-interfaces(5) (address, link-down, link-speed in Mbit/s, bond-slaves,
bridge-vids and bridge-access of ports of a VLAN-aware bridge, vlan-id and vlan-raw-device, vxlan-id, vrf, vrf-table);
ip-link(8): the MTU of a link counts no Ethernet header, and is 1500 by itself; nft(8): a set with a size;
docs.frrouting.org, EVPN: `evpn mh es-id`; zebra/zebra_evpn_mh.c: the ES-Import target is octets 2 to 7 of the ESI.
"""

import re
from collections.abc import Mapping

from fabricgen.platforms.linux.frr_releases import LAST_METRIC
from fabricgen.platforms.linux.readback.frr_conf import FrrConf, PortLines
from fabricgen.platforms.linux.readback.frr_rows import put_vni
from fabricgen.platforms.linux.readback.ifupdown import Links, Stanza
from fabricgen.platforms.linux.readback.words import interface, is_ipv6, is_link_local, number, prefix, rare_row, vlans
from fabricgen.readback.intended import octets
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Key, Part, Reading, Row, TextLine, Value

DEFAULT_MTU = 1500
FEC = {"rs": "rs-fec", "baser": "fc-fec", "off": "none", "auto": ""}
NO_PORT = PortLines(0)
ON = frozenset({"yes", "on", "1"})
EDGE = frozenset({"mstpctl-portadminedge", "mstpctl-portbpdufilter"})
"""How a port takes part in a spanning tree."""
_VLAN_OF = re.compile(r"(.+)\.(\d+)")
_BOND = re.compile(r"bond(\d+)")
_LIMIT = re.compile(
    r"nft 'add table (?P<table>netdev macs-(?P<port>\S+)); delete table (?P=table); add table (?P=table); "
    r"(?:add set (?P=table) seen \{ type ether_addr; size (?P<size>\d+); flags dynamic,timeout; timeout \d+s; \}; )?"
    r"add chain (?P=table) in \{ type filter hook ingress device (?P=port) priority \d+; \}"
    r"(?P<guard>; add rule (?P=table) in icmpv6 type nd-router-advert counter drop)?"
    r"(?P<limit>; add rule (?P=table) in update @seen \{ ether saddr \} accept; add rule (?P=table) in counter drop)?'"
)
"""Commands of a port's table: with a set, its size is the limit, and each rule of it is there; a guard stands first."""
_NO_LIMIT = re.compile(r"if nft list table netdev macs-(\S+) >/dev/null 2>&1; then nft delete table netdev macs-\1; fi")
_FILTER = re.compile(
    r"nft ' ?add table (?P<table>inet fabricgen); delete table (?P=table); "
    r"table (?P=table) \{ chain input \{ type filter hook input priority 0; "
    r"(?P<rules>[^{}']*(?:\{[^{}']*\}[^{}']*)*); \}; \}'"
)
_SSH_RULE = re.compile(r"(iifname \{ [^{}]+ \} ip saddr) \{ ([^{}]+) \} (ip daddr \S+ tcp dport 22 accept)")
_LAST_ROUTE = re.compile(rf"ip( -6)? route replace vrf (\S+) unreachable default metric {LAST_METRIC}")
_TOS = re.compile(r"ip link set dev (\S+) type vxlan tos inherit")


class LinkRows:
    """Writes the rows of all interfaces of one switch."""

    def __init__(self, found: Links, conf: FrrConf, reading: Reading) -> None:
        self._links, self._conf, self._reading = found, conf, reading
        self._stanzas = {name: row for name, row in found.stanzas.items() if found.up(name)}
        self._bonds = self._members()
        self._bridged = self._bridge_ports()
        self._unnumbered = {
            name for speaker in conf.speakers.values() for name, peer in speaker.peers.items() if peer.port
        }
        self.tenants = self._tenant_vlans()

    def put(self) -> None:
        """All rows."""
        for name, stanza in self._links.stanzas.items():
            if name not in self._stanzas and self._kind(name, stanza) != "port":
                self._idle(stanza)
                continue
            getattr(self, f"_put_{self._kind(name, stanza)}")(name, stanza)
        for name, port in self._conf.ports.items():
            if name not in self._links.stanzas:
                self._put_port(name, Stanza(name, port.line))
        self._put_tunnels()

    # --- what an interface is ---------------------------------------------------------------------------------------

    @staticmethod
    def _kind(name: str, stanza: Stanza) -> str:  # noqa: PLR0911
        has = stanza.attributes
        if name == "lo":
            return "loopback"
        if "vrf-table" in has:
            return "vrf"
        if "vxlan-id" in has:
            return "vxlan"
        if "bond-slaves" in has:
            return "bond"
        if "vlan-raw-device" in has and "vlan-id" in has:
            return "gateway"
        if "bridge-vlan-aware" in has or "bridge-ports" in has:
            return "bridge"
        if "gateway" in has or name.startswith("eth0"):
            return "management"
        return "subinterface" if _VLAN_OF.fullmatch(name) else "port"

    def _members(self) -> dict[str, str]:
        """Port → its bond."""
        rows = ((name, row) for name, row in self._stanzas.items() if "bond-slaves" in row.attributes)
        return {member: name for name, row in rows for member in row.value("bond-slaves").split()}

    def _bridge_ports(self) -> dict[str, str]:
        """Port of a bridge → the bridge."""
        rows = ((name, row) for name, row in self._stanzas.items() if "bridge-ports" in row.attributes)
        return {member: name for name, row in rows for member in row.value("bridge-ports").split()}

    def _tenant_vlans(self) -> dict[int, str]:
        """VLAN of an L3 VNI → its VRF: a VXLAN device with the VNI of a VRF says the VLAN."""
        vrfs = {vni: name for name, (vni, _) in self._conf.vrfs.items() if vni}
        found: dict[int, str] = {}
        for row in self._stanzas.values():
            vni = number(row.value("vxlan-id")) if "vxlan-id" in row.attributes else None
            vlan = number(row.value("bridge-access"))
            if vni in vrfs and vlan is not None and vni is not None:
                found[vlan] = vrfs[vni]
        return found

    # --- helpers ----------------------------------------------------------------------------------------------------

    def _row(self, thing: str, name: str, setting: str, value: Value, line: int, file: str = "") -> None:
        """A row. What says as much as no row, on the line of the interface itself, is none."""
        self._reading.put(thing, name, setting, value, file or self._links.file, line)

    def _say(self, text: str, line: int) -> None:
        self._reading.put("line", text, "present", True, self._links.file, line)

    def _idle(self, stanza: Stanza) -> None:
        """An interface that does not come up."""
        rows = [(name, value, line) for name, lines in stanza.attributes.items() for value, line in lines]
        stanza.used |= stanza.attributes.keys()
        self._reading.idle += [
            TextLine(self._links.file, line, f"{name} {value}", f"no `auto {stanza.name}`")
            for name, value, line in rows
        ]

    def _unread(self, stanza: Stanza, name: str) -> None:
        """An attribute with a value that is not understood."""
        stanza.used.discard(name)

    def _number(self, stanza: Stanza, name: str, default: int) -> int:
        text = stanza.value(name)
        count = number(text) if text else default
        if count is None:
            self._unread(stanza, name)
            return default
        return count

    def _put_addresses(self, thing: str, name: str, stanza: Stanza, port: PortLines) -> None:
        rows = [(text, line, self._links.file) for text, line in self._addresses(stanza)]
        rows += [(text, line, self._conf.file) for text, line in port.addresses]
        for setting, of_ipv6 in (("ipv4", False), ("ipv6", True)):
            own = [row for row in rows if is_ipv6(row[0]) is of_ipv6]
            line, file = (own[-1][1], own[-1][2]) if own else (stanza.line, self._file(stanza))
            self._row(thing, name, setting, frozenset(row[0] for row in own), line, file)

    def _file(self, stanza: Stanza) -> str:
        return self._links.file if stanza.name in self._links.stanzas else self._conf.file

    def _addresses(self, stanza: Stanza) -> list[tuple[str, int]]:
        mask = stanza.value("netmask")
        found = []
        for text, line in stanza.values("address"):
            whole = interface(text if "/" in text or not mask else f"{text}/{mask}")
            if not whole:
                self._unread(stanza, "address")
            elif not is_link_local(whole):
                found.append((whole, line))
        return found

    def _put_common(self, thing: str, name: str, stanza: Stanza, port: PortLines) -> None:
        """Description, MTU, addresses, VRF."""
        file = self._file(stanza)
        alias, line = (stanza.value("alias"), stanza.at("alias"))
        if not alias and port.description[0]:
            alias, line, file = *port.description, self._conf.file
        self._row(thing, name, "description", " ".join(alias.split()), line, file)
        self._row(thing, name, "mtu", self._number(stanza, "mtu", DEFAULT_MTU), stanza.at("mtu"), self._file(stanza))

    # --- kinds ------------------------------------------------------------------------------------------------------

    def _put_port(self, name: str, stanza: Stanza) -> None:
        port = self._conf.ports.get(name, NO_PORT)
        file = self._file(stanza)
        down = stanza.value("link-down") == "yes"
        waits = name in self._links.stanzas and not self._links.up(name)
        line = stanza.at("link-down") if down else port.shut or stanza.line
        enabled = not down and not port.shut and not waits
        self._row("port", name, "enabled", enabled, line, self._conf.file if port.shut and not down else file)
        self._put_common("port", name, stanza, port)
        self._put_addresses("port", name, stanza, port)
        self._row("port", name, "vrf", stanza.value("vrf") or port.vrf, stanza.at("vrf"), file)
        speed = self._number(stanza, "link-speed", 0)
        if speed % 1000:
            self._unread(stanza, "link-speed")
        self._row("port", name, "speed", speed // 1000, stanza.at("link-speed"), file)
        fec = stanza.value("link-fec", "auto")
        if fec not in FEC:
            self._unread(stanza, "link-fec")
        self._row("port", name, "fec", FEC.get(fec, fec), stanza.at("link-fec"), file)
        self._row("port", name, "lag", self._lag(name), self._line_of_lag(name) or stanza.line, file)
        bare = name in self._unnumbered and not port.suppresses
        self._row("port", name, "unnumbered", bare, port.suppresses or stanza.line, self._conf.file)
        if name not in self._bonds:
            self._put_switching("port", name, name, stanza)

    def _lag(self, name: str) -> int:
        match = _BOND.fullmatch(self._bonds.get(name, ""))
        return int(match[1]) if match else 0

    def _line_of_lag(self, name: str) -> int:
        bond = self._bonds.get(name)
        return self._stanzas[bond].at("bond-slaves") if bond else 0

    def _put_switching(self, thing: str, name: str, device: str, stanza: Stanza) -> None:
        """VLANs of a port count if it is one of a bridge."""
        bridged = device in self._bridged
        access = self._number(stanza, "bridge-access", 0)
        trunk = vlans(stanza.value("bridge-vids").split())
        if trunk is None:
            self._unread(stanza, "bridge-vids")
        access, trunk = (access, () if access else trunk or ()) if bridged else (0, ())
        self._row(thing, name, "access-vlan", access, stanza.at("bridge-access"))
        self._row(thing, name, "trunk-vlans", trunk, stanza.at("bridge-vids"))
        if stanza.value("bridge-allow-untagged") == "no" and bridged:
            self._say(f"{device}: bridge-allow-untagged no", stanza.at("bridge-allow-untagged"))
        guard = stanza.value("mstpctl-bpduguard") in ON
        self._row(thing, name, "bpdu-guard", guard, stanza.at("mstpctl-bpduguard"))
        stanza.used |= EDGE
        self._put_limit(thing, name, device, stanza)

    def _put_limit(self, thing: str, name: str, device: str, stanza: Stanza) -> None:
        rows = stanza.values("post-up")
        for text, line in rows:
            match, nothing = _LIMIT.fullmatch(text), _NO_LIMIT.fullmatch(text)
            whole = match if match is not None and (match["size"] is None) is (match["limit"] is None) else None
            ours = whole is not None and whole["port"] == device and bool(whole["limit"] or whole["guard"])
            if not ours and (nothing is None or nothing[1] != device):
                self._unread(stanza, "post-up")
                continue
            size = number(whole["size"]) if ours and whole is not None and whole["size"] else 0
            self._row(thing, name, "mac-limit", size or 0, line)
            self._row(thing, name, "ra-guard", ours and whole is not None and bool(whole["guard"]), line)

    def _put_bond(self, name: str, stanza: Stanza) -> None:
        match = _BOND.fullmatch(name)
        number_of = match[1] if match else name
        port = self._conf.ports.get(name, NO_PORT)
        down = stanza.value("link-down") == "yes"
        self._row("lag", number_of, "enabled", not down and not port.shut, stanza.at("link-down"))
        self._put_common("lag", number_of, stanza, port)
        bypass = stanza.value("bond-lacp-bypass-allow") in ON
        self._row("lag", number_of, "fallback", bypass, stanza.at("bond-lacp-bypass-allow"))
        members = frozenset(stanza.value("bond-slaves").split())
        self._row("lag", number_of, "members", members, stanza.at("bond-slaves"))
        segment, line = port.segment
        system = stanza.value("bond-ad-actor-system") or port.system[0] or stanza.value("es-sys-mac")
        self._row("lag", number_of, "system-id", octets(system), stanza.at("bond-ad-actor-system"))
        if segment:
            self._row("lag", number_of, "esi", octets(segment), line, self._conf.file)
            self._row("lag", number_of, "es-import", octets(segment)[3:20], line, self._conf.file)
            preference, at = port.preference
            self._row("lag", number_of, "df-preference", preference, at or line, self._conf.file)
        for word in ("bond-mode", "bond-miimon", "bond-lacp-rate", "bond-xmit-hash-policy", "bond-min-links"):
            if word in stanza.attributes:
                self._say(f"{name}: {word} {stanza.value(word)}", stanza.at(word))
        self._put_switching("lag", number_of, name, stanza)

    def _put_subinterface(self, name: str, stanza: Stanza) -> None:
        port = self._conf.ports.get(name, NO_PORT)
        match = _VLAN_OF.fullmatch(name)
        vlan = number(match[2]) if match else None
        self._put_common("subinterface", name, stanza, port)
        self._put_addresses("subinterface", name, stanza, port)
        self._row("subinterface", name, "vlan", self._number(stanza, "vlan-id", vlan or 0), stanza.line)
        self._row("subinterface", name, "vrf", stanza.value("vrf") or port.vrf, stanza.at("vrf"))

    def _put_loopback(self, name: str, stanza: Stanza) -> None:
        """All addresses are those of one loopback, whatever number they have elsewhere."""
        self._put_addresses("loopback", "0", stanza, self._conf.ports.get(name, NO_PORT))
        for text, line in stanza.values("pre-up"):
            if not self._put_filter(text, line):
                self._unread(stanza, "pre-up")
        tunnels = stanza.value("vxlan-local-tunnelip")
        if tunnels:
            self._row("vtep", "", "address", tunnels, stanza.at("vxlan-local-tunnelip"))

    def _put_filter(self, text: str, line: int) -> bool:
        """Rules of what the switch itself takes, each with its place; False where they are not understood."""
        found = _FILTER.fullmatch(" ".join(text.split()))
        if found is None:
            return False
        begin, end = line, 0
        for place, rule in enumerate(found["rules"].split("; "), 1):
            if (at := text.find(rule, end)) >= 0:
                line, end = begin + text.count("\n", 0, at), at + len(rule)
            ssh = _SSH_RULE.fullmatch(rule)
            if ssh is None:
                self._say(f"filter {place}: {rule}", line)
                continue
            self._say(f"filter {place}: {ssh[1]} SOURCES {ssh[3]}", line)
            sources = frozenset(prefix(word) for word in ssh[2].split(", "))
            self._row("management", "", "access-ssh", sources, line)
        return True

    def _put_vrf(self, name: str, stanza: Stanza) -> None:
        """A VRF of Linux, which has the loopback's addresses for services that run in it."""
        table = stanza.value("vrf-table")
        own = sorted(text for text, _ in self._addresses(stanza))
        for text, line in stanza.values("post-up"):
            last = _LAST_ROUTE.fullmatch(" ".join(text.split()))
            if last is not None and last[2] == name:
                self._say(f"VRF {name}: lookups end ({'IPv6' if last[1] else 'IPv4'})", line)
            else:
                self._unread(stanza, "post-up")
        self._say(" ".join((f"VRF {name}, table {table}", *own)), stanza.at("vrf-table"))

    def _put_management(self, name: str, stanza: Stanza) -> None:
        if any(key.thing == "management" and key.setting == "port" for key in self._reading.rows):
            self._put_port(name, stanza)
            return
        rows = self._addresses(stanza)
        line = rows[0][1] if rows else stanza.line
        self._row("management", "", "port", name, stanza.line)
        self._row("management", "", "address", rows[0][0] if rows else "", line)
        self._row("management", "", "gateway", stanza.value("gateway"), stanza.at("gateway"))
        self._row("management", "", "vrf", stanza.value("vrf"), stanza.at("vrf"))
        if len(rows) > 1:
            self._unread(stanza, "address")
        port = self._conf.ports.get(name, NO_PORT)
        for text, at in port.addresses:
            self._row("management", "", "address", text, at, self._conf.file)
        if port.shut:
            self._row("management", "", "address", "", port.shut, self._conf.file)

    def _put_bridge(self, name: str, stanza: Stanza) -> None:
        for word in ("mtu", "bridge-vlan-aware", "bridge-stp", "bridge-mcsnoop"):
            if word in stanza.attributes:
                self._say(f"{name}: {word} {stanza.value(word)}", stanza.at(word))
        if "bridge-vlan-aware" not in stanza.attributes:
            self._unread(stanza, "bridge-ports")
        own = vlans(stanza.value("bridge-vids").split())
        if own is None:
            self._unread(stanza, "bridge-vids")
        for vlan in own or ():
            self._say(f"{name}: VLAN {self._vlan(vlan)}", stanza.at("bridge-vids"))

    def _vlan(self, vlan: int) -> str:
        """A VLAN by its number; that of an L3 VNI, whose number is the switch's own, by its VRF."""
        vrf = self.tenants.get(vlan)
        return f"of VRF {vrf}" if vrf else str(vlan)

    def _put_gateway(self, name: str, stanza: Stanza) -> None:
        vlan, bridge = self._number(stanza, "vlan-id", 0), stanza.value("vlan-raw-device")
        if bridge not in self._stanzas or "bridge-ports" not in self._stanzas[bridge].attributes:
            self._unread(stanza, "vlan-raw-device")
        mac, tenant = octets(stanza.value("hwaddress").removeprefix("ether ")), self.tenants.get(vlan)
        if tenant is not None:
            self._put_tenant_vlan(tenant, mac, stanza)
            return
        port = self._conf.ports.get(name, NO_PORT)
        self._put_common("gateway", str(vlan), stanza, port)
        self._put_addresses("gateway", str(vlan), stanza, port)
        self._row("gateway", str(vlan), "vrf", stanza.value("vrf"), stanza.at("vrf"))
        self._row("gateway", str(vlan), "mac", mac, stanza.at("hwaddress"))

    def _put_tenant_vlan(self, tenant: str, mac: str, stanza: Stanza) -> None:
        """The VLAN of an L3 VNI; it may have the address that relays of its VRF ask from."""
        vrf = stanza.value("vrf")
        stanza.used.add("alias")
        mtu = self._number(stanza, "mtu", DEFAULT_MTU)
        self._say(f"L3 VNI of VRF {tenant}: in VRF {vrf}, MAC {mac}, MTU {mtu}", stanza.line)
        if stanza.values("address"):
            self._put_addresses("loopback", tenant, stanza, NO_PORT)
            self._row("loopback", tenant, "vrf", tenant, stanza.at("vrf"))

    def _put_vxlan(self, name: str, stanza: Stanza) -> None:
        vni, vlan = self._number(stanza, "vxlan-id", 0), self._number(stanza, "bridge-access", 0)
        if name not in self._bridged:
            self._unread(stanza, "bridge-access")
            return
        tenant = self.tenants.get(vlan)
        own = f"VNI {vni}"
        if tenant is None:
            line = self._conf.vnis[vni].line if vni in self._conf.vnis else 0
            at: dict[Part, Lines] = {word: stanza.at(word) for word in ("vxlan-id", "bridge-access")}
            self._reading.add(Key("vlan", str(vlan), "vni"), Row(vni, self._links.file, stanza.at("vxlan-id"), at))
            put_vni(self._conf, str(vlan), vni, line, self._reading)
        for word in ("bridge-learning", "bridge-arp-nd-suppress"):
            if word in stanza.attributes:
                self._say(f"{own}: {word} {stanza.value(word)}", stanza.at(word))
        for text, line in stanza.values("post-up"):
            match = _TOS.fullmatch(text)
            if match is None or match[1] != name:
                self._unread(stanza, "post-up")
            else:
                self._say(f"{own}: tos inherit", line)

    def _put_tunnels(self) -> None:
        """The MTU of tunnels: if one has another, that one."""
        rows = [row for row in self._stanzas.values() if "vxlan-id" in row.attributes]
        mtus = ((self._number(row, "mtu", DEFAULT_MTU), row.at("mtu")) for row in rows)
        found = rare_row(mtus, self._links.file)
        if found is not None:
            self._reading.add(Key("vtep", "", "mtu"), found)


def put_links(found: Links, conf: FrrConf, reading: Reading) -> Mapping[int, str]:
    """Write all rows; returns the VLANs of L3 VNIs with their VRFs."""
    rows = LinkRows(found, conf, reading)
    rows.put()
    return rows.tenants
