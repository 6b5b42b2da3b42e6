"""Interfaces: ports, aggregates, loopbacks, gateways, the management port.

Sources: interfaces guide (MTU: that of a port counts the Ethernet header and a tag, `ip-mtu` of a subinterface is the
largest IP packet; 9232 and 1500 where nothing is said), YANG srl_nokia-interfaces (admin-state is enable where nothing
is said, and disable for `ipv4` and `ipv6`; num-physical-channels), EVPN guide (anycast-gw), VXLAN guide (source-ip).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fabricgen.platforms.srlinux.readback.config import BRIDGED, NOWHERE, ROUTED, Config
from fabricgen.platforms.srlinux.readback.document import Tree
from fabricgen.platforms.srlinux.readback.tree import block, digit, flag, flat, number, only, rows, state, text
from fabricgen.readback.addresses import interface
from fabricgen.readback.intended import octets

HEADER, TAG = 14, 4
PORT_MTU, IP_MTU = 9232, 1500
CHANNELS = {10: 1, 25: 1, 50: 2, 40: 4, 100: 4, 200: 8, 400: 8, 800: 8}
"""Gb/s of a port → lanes where nothing is said (YANG, num-physical-channels)."""
SPLIT_CHANNELS = {(2, 50): 4, (4, 10): 4, (4, 25): 4}
"""Parts and Gb/s of a divided cage → its lanes where nothing is said; 8 for all others."""
FEC = {"base-r": "fc-fec", "rs-528": "rs-fec", "disabled": "none"}
FEC_25G = {**FEC, "rs-108": "rs-fec", "rs-528": "rs-528"}
"""Words of a 25G port before release 25.3, where rs-528 is that of 100G (YANG)."""
MACS = 250
"""MAC addresses of a bridged subinterface where nothing is said (YANG, mac-limit)."""
STORMS = ("broadcast", "multicast", "unknown-unicast")
"""Flooded frames that storm control limits, each at its own rate (YANG)."""
SYSTEM, LOOPBACKS, GATEWAYS = "system0", "lo0", "irb0"
VTEP = 1


class Cage(NamedTuple):
    """A divided cage: parts, Gb/s and lanes of each, and its line."""

    parts: int
    speed: int
    lanes: int
    line: int


@dataclass(slots=True)
class Above:
    """A port or an aggregate whose subinterfaces are read.

    thing, name  of its rows
    title    as the text calls it
    frame    largest frame and its line
    room     largest packet and its line
    trunk    tags of bridged subinterfaces; bridged: the limit of MAC addresses of each
    shut     the line that shuts the subinterface of a routed port
    """

    thing: str
    name: str
    title: str
    frame: tuple[int, int]
    tagged: bool
    room: tuple[int, int]
    trunk: list[tuple[int, int]] = field(default_factory=list)
    bridged: list[tuple[int, int]] = field(default_factory=list)
    shut: int = 0


def interfaces(config: Config) -> None:
    """Rows of all interfaces. Network instances have been read before."""
    every: dict[str, tuple[Tree, int]] = {}
    for row, line in rows(config.tree, "interface"):
        if (name := text(row, "name")) is not None:
            every[name[0]] = row, name[1] or line
        else:
            row[None] = line
    cages = {name: cage for name, (row, line) in every.items() if (cage := _cage(config, name, row, line)) is not None}
    reader = _Interfaces(config, cages)
    for title, (row, line) in every.items():
        reader.read(title, row, line)
    reader.finish()


def _cage(config: Config, name: str, row: Tree, line: int) -> Cage | None:
    mode = block(row, "breakout-mode")
    parts, speed = number(mode, "num-breakout-ports"), _speed(mode, "breakout-port-speed")
    if parts is None or speed is None or not parts[0]:
        return None
    config.need(f"{name} is divided by {parts[0]}", parts[1])
    lanes = number(row, "num-physical-channels")
    every = lanes[0] if lanes is not None else SPLIT_CHANNELS.get((parts[0], speed[0]), 8)
    return Cage(parts[0], speed[0], every // parts[0], speed[1] or line)


def _speed(row: Tree, key: str) -> tuple[int, int] | None:
    """400G as 400."""
    found = text(row, key)
    if found is None:
        return None
    return max(digit(found[0].removesuffix("G")), 0), found[1]


class _Interfaces:
    """Reads interfaces; aggregates are finished when all members are known."""

    def __init__(self, config: Config, cages: Mapping[str, Cage]) -> None:
        self._config = config
        self._cages = cages
        self._members: dict[str, dict[str, int]] = {}
        self._rates: dict[str, dict[str, tuple[int, int]]] = {}
        self._rooms: dict[str, tuple[int, int]] = {}

    def read(self, name: str, row: Tree, line: int) -> None:
        """One interface."""
        if name in self._cages:
            state(row)
            if (title := text(row, "description")) is not None:
                self._config.idle(title[1], "text of a divided cage: its parts have their own")
        elif name.startswith("ethernet-"):
            self._port(name, row, line)
        elif name.startswith("lag") and digit(name[3:]) >= 0:
            self._lag(name, row, line)
        elif name in (SYSTEM, LOOPBACKS):
            self._loopbacks(name, row)
        elif name == GATEWAYS:
            self._gateways(row)
        elif name.startswith("mgmt"):
            self._management(name, row)
        else:
            row[None] = line

    def _port(self, name: str, row: Tree, line: int) -> None:
        put = self._config.put
        on, begins = state(row)
        if (title := text(row, "description")) is not None:
            put("port", name, "description", *title)
        ethernet = block(row, "ethernet")
        group = text(ethernet, "aggregate-id")
        room, tagged = self._frame(row), flag(row, "vlan-tagging")
        speed = _speed(ethernet, "port-speed")
        lanes = number(row, "num-physical-channels")
        if not on and "subinterface" not in row and group is None:
            put("port", name, "enabled", on, begins or line)
            return
        self._lanes(name, speed, lanes, line)
        if (fec := text(block(ethernet, "forward-error-correction"), "fec-option")) is not None:
            put("port", name, "fec", FEC.get(fec[0], fec[0]), fec[1])
        elif (fec := text(block(row, "transceiver"), "forward-error-correction")) is not None:
            cage = self._cages.get(name.rpartition("/")[0])
            gbps = speed[0] if speed is not None else cage.speed if cage is not None else 0
            put("port", name, "fec", (FEC_25G if gbps == 25 else FEC).get(fec[0], fec[0]), fec[1])
        receives, at = flag(block(ethernet, "flow-control"), "receive")
        if at and not receives:
            self._config.need(f"{name}: flow-control receive false", at)
        self._storms(name, block(ethernet, "storm-control"))
        sampled, at = state(block(row, "sflow"), default=False)
        put("port", name, "sflow", sampled, at or line)
        if group is not None:
            put("port", name, "lag", max(digit(group[0].removeprefix("lag")), 0), group[1])
            self._members.setdefault(group[0], {})[name] = group[1]
            put("port", name, "enabled", on, begins or line)
        else:
            above = _above("port", name, name, room, tagged[0], begins or line)
            self._units(above, row)
            put("port", name, "enabled", on and not above.shut, (on and above.shut) or begins or line)

    def _frame(self, row: Tree) -> tuple[int, int]:
        return number(row, "mtu") or (PORT_MTU, 0)

    def _lanes(self, name: str, speed: tuple[int, int] | None, lanes: tuple[int, int] | None, line: int) -> None:
        cage = self._cages.get(name.rpartition("/")[0])
        if cage is not None and speed is None:
            self._config.put("port", name, "speed", cage.speed, cage.line)
            self._config.put("port", name, "lanes", cage.lanes, cage.line)
        elif speed is not None:
            self._config.put("port", name, "speed", *speed)
            self._config.put("port", name, "lanes", *(lanes or (CHANNELS.get(speed[0], 0), speed[1] or line)))

    def _storms(self, name: str, storms: Tree) -> None:
        """Limits in percent (YANG, storm-control units)."""
        units = text(storms, "units")
        for kind in STORMS:
            rate = number(storms, f"{kind}-rate")
            if rate is not None:
                percent = units is None or units[0] == "percentage"
                shown = rate[0] if percent else f"{rate[0]} {units[0] if units else ''}"
                self._config.put("port", name, f"{kind}-limit", shown, rate[1])
                self._rates.setdefault(name, {})[kind] = rate

    def _units(self, above: Above, row: Tree) -> None:
        """Subinterfaces of a port or an aggregate."""
        for sub, begins in rows(row, "subinterface"):
            index = number(sub, "index")
            if index is None:
                sub[None] = begins
            else:
                self._unit(above, sub, index)
        put = self._config.put
        put(above.thing, above.name, "mtu", *above.room)
        if above.trunk:
            put(above.thing, above.name, "trunk-vlans", tuple(sorted(tag for tag, _ in above.trunk)), above.trunk[0][1])
        if above.bridged:
            put(above.thing, above.name, "mac-limit", *max(above.bridged))
        self._rooms[above.title] = above.room

    def _unit(self, above: Above, sub: Tree, index: tuple[int, int]) -> None:
        full = f"{above.title}.{index[0]}"
        kind, up = only(sub, "type", "bridged", "routed"), state(sub)
        encapsulated = block(sub, "vlan", "encap")
        tag = number(block(encapsulated, "single-tagged"), "vlan-id")
        block(encapsulated, "untagged")
        if kind is not None and kind[0] == "bridged":
            self._bridged(above, full, sub, tag, up, index[1])
        elif tag is not None:
            self._tagged(above, full, sub, tag, up)
        elif above.thing == "port" and index[0] == 0:
            above.room = self._routed("port", above.name, full, sub, above.room, index[1])
            above.shut = 0 if up[0] else up[1]
            if (title := text(sub, "description")) is not None:
                self._config.idle(title[1], "text of the subinterface of a routed port, which has it")
        else:
            sub[None] = index[1]

    def _bridged(
        self, above: Above, full: str, sub: Tree, tag: tuple[int, int] | None, up: tuple[bool, int], line: int
    ) -> None:
        """A subinterface of a VLAN: that of the mac-vrf that has it, and of its tag, if it has one."""
        if (title := text(sub, "description")) is not None:
            self._config.idle(title[1], "text of a bridged subinterface: its port has it")
        limit = number(block(sub, "bridge-table", "mac-limit"), "maximum-entries")
        above.bridged.append(limit or (MACS, line))
        instance = self._config.of_kind(full, BRIDGED)
        vlan = self._config.instances[instance].vlan if instance and up[0] else 0
        if tag is None:
            self._config.put(above.thing, above.name, "access-vlan", vlan, line)
        elif above.tagged and tag[0] == vlan:
            above.trunk.append(tag)
        largest = number(sub, "l2-mtu") or above.frame
        least = largest if largest[0] <= above.frame[0] else above.frame
        above.room = least[0] - HEADER - TAG, least[1]

    def _tagged(self, above: Above, full: str, sub: Tree, tag: tuple[int, int], up: tuple[bool, int]) -> None:
        if (title := text(sub, "description")) is not None:
            self._config.put("subinterface", full, "description", *title)
        self._config.put("subinterface", full, "vlan", tag[0] if above.tagged and up[0] else 0, tag[1])
        room = self._routed("subinterface", full, full, sub, above.room, tag[1])
        self._config.put("subinterface", full, "mtu", *room)

    def _routed(self, thing: str, name: str, full: str, sub: Tree, room: tuple[int, int], line: int) -> tuple[int, int]:
        """Addresses and VRF of a subinterface. Returns the largest packet."""
        largest = number(sub, "ip-mtu") or (IP_MTU, line)
        if (vrf := self._config.vrf_of(full)) != "":
            self._config.put(thing, name, "vrf", vrf, self._config.joined.get((full, vrf), line))
        for family in ("ipv4", "ipv6"):
            own = block(sub, family)
            on = state(own, default=False)
            found = _addresses(own)
            if found:
                put = frozenset(found) if on[0] else frozenset[str]()
                self._config.put(thing, name, family, put, on[1] if not on[0] and on[1] else next(iter(found.values())))
                if not self._config.vrf_of(full):
                    self._config.subnets.setdefault(full, []).extend(found)
            elif family == "ipv6" and on[0]:
                self._bare(name, own, line)
        return largest if largest[0] <= room[0] else room

    def _bare(self, name: str, own: Tree, line: int) -> None:
        """IPv6 link-local alone, which router advertisements announce (routing guide, BGP unnumbered)."""
        role = block(own, "router-advertisement", "router-role")
        on = state(role, default=False)
        for key in ("min-advertisement-interval", "max-advertisement-interval"):
            if (every := number(role, key)) is not None:
                self._config.idle(every[1], "how often a router is advertised")
        self._config.put("port", name, "unnumbered", on[0], on[1] or line)

    def _lag(self, title: str, row: Tree, line: int) -> None:
        name, put = title.removeprefix("lag"), self._config.put
        on = state(row)
        put("lag", name, "enabled", on[0], on[1] or line)
        if (text_ := text(row, "description")) is not None:
            put("lag", name, "description", *text_)
        lag = block(row, "lag")
        lacp = block(lag, "lacp")
        if (mode := text(lag, "lacp-fallback-mode")) is not None:
            put("lag", name, "fallback", mode[0] == "static", mode[1])
            if (wait := number(lag, "lacp-fallback-timeout")) is not None:
                self._config.idle(wait[1], "how long LACP is waited for")
        if (own := text(lacp, "system-id-mac")) is not None:
            put("lag", name, "system-id", octets(own[0]), own[1])
        for said, at in [*flat(lag)]:
            self._config.need(f"{title}: {said}", at)
        frame, tagged = self._frame(row), flag(row, "vlan-tagging")
        self._units(_above("lag", name, title, frame, tagged[0], on[1] or line), row)

    def finish(self) -> None:
        """What aggregates and their members have of each other."""
        for title, members in self._members.items():
            name = title.removeprefix("lag")
            self._config.put("lag", name, "members", frozenset(members), next(iter(members.values())))
            for member, line in members.items():
                self._config.put("port", member, "mtu", *self._rooms.get(title, (IP_MTU, line)))
            for kind in STORMS:
                rates = [self._rates.get(member, {}).get(kind) for member in members]
                if all(rates) and rates[0] is not None:
                    self._config.put("lag", name, f"{kind}-limit", *rates[0])

    def _loopbacks(self, title: str, row: Tree) -> None:
        state(row)
        for sub, begins in rows(row, "subinterface"):
            index = number(sub, "index")
            if index is None:
                sub[None] = begins
                continue
            name = str(VTEP if title == SYSTEM else index[0])
            state(sub)
            if (text_ := text(sub, "description")) is not None:
                self._config.put("loopback", name, "description", *text_)
            self._routed("loopback", name, f"{title}.{index[0]}", sub, (0, 0), index[1])

    def _gateways(self, row: Tree) -> None:
        state(row)
        for sub, begins in rows(row, "subinterface"):
            index = number(sub, "index")
            if index is None:
                sub[None] = begins
                continue
            full = f"{GATEWAYS}.{index[0]}"
            instance = self._config.of_kind(full, BRIDGED)
            name = str(self._config.instances[instance].vlan) if instance else full
            self._gateway(name, full, sub, index[1])

    def _gateway(self, name: str, full: str, sub: Tree, line: int) -> None:
        put = self._config.put
        on = state(sub)
        if not on[0]:
            self._config.need(f"VLAN {name}: its gateway is shut", on[1])
        if (text_ := text(sub, "description")) is not None:
            put("gateway", name, "description", *text_)
        vrf = self._config.of_kind(full, ROUTED)
        put("gateway", name, "vrf", vrf or NOWHERE, self._config.joined.get((full, vrf), line))
        put("gateway", name, "mtu", *(number(sub, "ip-mtu") or (IP_MTU, line)))
        if (mac := text(block(sub, "anycast-gw"), "anycast-gw-mac")) is not None:
            put("gateway", name, "mac", octets(mac[0]), mac[1])
        for family in ("ipv4", "ipv6"):
            own = block(sub, family)
            up = state(own, default=False)
            found = _addresses(own, shared=True)
            if found:
                put(
                    "gateway", name, family, frozenset(found) if up[0] else frozenset[str](), next(iter(found.values()))
                )
            for kind in ("arp", "neighbor-discovery"):
                for said, at in flat(block(own, kind)):
                    self._config.need(f"VLAN {name}: {kind} {said}", at)

    def _management(self, title: str, row: Tree) -> None:
        of_port = state(row)
        if (text_ := text(row, "description")) is not None:
            self._config.idle(text_[1], "text of the management port")
        for sub, begins in rows(row, "subinterface"):
            index = number(sub, "index")
            of_sub = state(sub)
            if index is None:
                sub[None] = begins
                continue
            for family in ("ipv4", "ipv6"):
                own = block(sub, family)
                levels = of_port, of_sub, state(own, default=False)
                shut = next((at or begins for is_on, at in levels if not is_on), 0)
                for address, at in _addresses(own).items():
                    self._config.put("management", "", "port", title, begins)
                    self._config.put("management", "", "address", "" if shut else address, shut or at)
                    vrf = next((one for one in self._config.members.get(f"{title}.{index[0]}", ())), NOWHERE)
                    self._config.put("management", "", "vrf", vrf, at)


def _above(thing: str, name: str, title: str, frame: tuple[int, int], tagged: bool, line: int) -> Above:
    frame = frame[0], frame[1] or line
    room = frame[0] - HEADER - (TAG if tagged else 0), frame[1]
    return Above(thing, name, title, frame, tagged, room)


def _addresses(own: Tree, shared: bool = False) -> dict[str, int]:
    """Addresses with their lengths and lines. `shared`: those that are an anycast gateway's alone."""
    found: dict[str, int] = {}
    for row, line in rows(own, "address"):
        written = text(row, "ip-prefix")
        address = interface(written[0]) if written is not None else None
        if address is None or written is None:
            row[None] = line
        elif not shared or flag(row, "anycast-gw")[0]:
            found[address] = written[1]
    return found
