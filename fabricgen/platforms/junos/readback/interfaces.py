"""Interfaces: ports and aggregates. Loopbacks, gateways and the management port are in `units.py`.

Sources: Interfaces User Guide (Media MTU and Protocol MTU: the MTU of an interface counts the header of 14 octets, tags
add 4 or 8, 1514 where nothing is said; disable; 802.3ad; esi), Ethernet Switching User Guide (interface-mode, members),
JVD.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.platforms.junos.readback.config import BRIDGED, Config
from fabricgen.platforms.junos.readback.text import Tree
from fabricgen.platforms.junos.readback.tree import block, blocks, digit, flag, leaves, mac, number, only, value, values
from fabricgen.platforms.junos.readback.units import HEADER, MANAGED, MTU, gateways, loopbacks, management, routed
from fabricgen.readback.intended import octets
from fabricgen.readback.rows import Key

PORT = re.compile(r"[a-z]{2,3}-\d+/\d+/\d+(:\d+)?")
LAG = re.compile(r"ae(\d{1,4})")
TAGS = {"vlan-tagging": 4, "stacked-vlan-tagging": 8, "flexible-vlan-tagging": 8}
RS_FEC = {"fec91": (100,), "fec108": (25, 50)}
"""RS-FEC has a clause of IEEE 802.3 for each speed in Gb/s (manual, fec)."""
OTHER_FEC = {"fec74": "fc-fec", "none": "none"}
ISOLATED = "downstream"
ESI_COLONS = 9


class Ports(NamedTuple):
    """What other parts of the text say of ports, by unit or port → line.

    edges       ports that BPDUs shut
    sampled     units with sFlow
    advertised  units with router advertisements; advertises: where those begin
    isolation   profiles that shut ports with the overlay
    aggregates  number of aggregates that the chassis makes, with its line
    """

    edges: Mapping[str, int]
    sampled: Mapping[str, int]
    advertised: Mapping[str, int]
    advertises: int
    isolation: Mapping[str, int]
    aggregates: tuple[int, int]


class Physical(NamedTuple):
    """A port or an aggregate.

    thing, name  of its rows
    title     as the text calls it
    room      the largest packet without tags, with the line that says so; line 0: nothing says so
    tagged    octets of tags that it may add
    services  each unit may have an encapsulation of its own
    """

    thing: str
    name: str
    title: str
    line: int
    room: tuple[int, int]
    tagged: int
    services: bool


Speed = tuple[int, int]
"""Gb/s and its line."""


def interfaces(config: Config, ports: Ports) -> None:
    """Rows of all interfaces."""
    every = {name: (below, line) for name, below, line in blocks(config.tree, "interfaces")}
    reader = _Interfaces(config, ports, every)
    reader.read_ports()
    reader.read_lags()
    for name, (below, line) in every.items():
        if name == "lo0":
            loopbacks(config, below)
        elif name == "irb":
            gateways(config, below, line)
        elif MANAGED.fullmatch(name):
            management(config, name, below, line)
        elif below and not PORT.fullmatch(name) and not LAG.fullmatch(name):
            below[None] = line


class _Interfaces:
    """Reads ports, then aggregates, whose members the ports name."""

    def __init__(self, config: Config, ports: Ports, every: Mapping[str, tuple[Tree, int]]) -> None:
        self._config = config
        self._ports = ports
        self._every = {name: row for name, row in every.items() if PORT.fullmatch(name)}
        aggregates = {name: row for name, row in every.items() if LAG.fullmatch(name)}
        self._lags = {name: (_physical("lag", name, *row), row[0]) for name, row in aggregates.items()}
        self._members: dict[str, dict[str, int]] = {name: {} for name in aggregates}

    def read_ports(self) -> None:
        cages = dict(self._cages())
        for name, (below, line) in self._every.items():
            if name in cages:
                if below:
                    below[None] = line
            else:
                self._port(below, _physical("port", name, below, line), cages.get(name.partition(":")[0]))

    def _cages(self) -> Iterator[tuple[str, Speed]]:
        """Divided cages: each with the speed of its parts (manual, number-of-sub-ports)."""
        for name, (below, line) in self._every.items():
            if "number-of-sub-ports" in below and (parts := number(below, "number-of-sub-ports")) is not None:
                self._config.need(f"{name} is divided by {parts[0]}", parts[1])
                if (text := value(below, "description")) is not None:
                    self._config.idle(text.line, "text of a divided cage: its parts have their own")
                yield name, _speed(below) or (0, line)

    def _port(self, below: Tree, port: Physical, cage: Speed | None) -> None:
        name, put = port.name, self._config.put
        shut = flag(below, "disable")
        put("port", name, "enabled", not shut, shut or port.line)
        if (text := value(below, "description")) is not None:
            put("port", name, "description", text.text, text.line)
        own = block(below, "ether-options") if "ether-options" in below else {}
        speed = _speed(below) or cage
        if shut and not port.room[1] and "unit" not in below and "802.3ad" not in own:
            return
        if speed is not None:
            put("port", name, "speed", *speed)
        if (word := only(own, "fec", *RS_FEC, *OTHER_FEC)) is not None:
            fits = speed is not None and speed[0] in RS_FEC.get(word.text, ())
            put("port", name, "fec", "rs-fec" if fits else OTHER_FEC.get(word.text, word.text), word.line)
        if (at := self._ports.sampled.get(f"{name}.0")) is not None:
            put("port", name, "sflow", True, at)
        if not self._is_member(own, name):
            self._units(below, port)

    def _is_member(self, own: Tree, name: str) -> bool:
        """A member has the MTU of its aggregate (manual, 802.3ad)."""
        group = value(own, "802.3ad")
        if group is None:
            return False
        match = LAG.fullmatch(group.text)
        self._config.put("port", name, "lag", int(match[1]) if match else group.text, group.line)
        room, line = (MTU, 0)
        if group.text in self._lags:
            self._members[group.text][name] = group.line
            room, line = self._lags[group.text][0].room
        self._config.put("port", name, "mtu", room, line or group.line)
        return True

    def read_lags(self) -> None:
        for title, (lag, below) in self._lags.items():
            made = int(lag.name) < self._ports.aggregates[0]
            shut = flag(below, "disable")
            line = shut or (lag.line if made else self._ports.aggregates[1] or lag.line)
            self._config.put("lag", lag.name, "enabled", made and not shut, line)
            if (text := value(below, "description")) is not None:
                self._config.put("lag", lag.name, "description", text.text, text.line)
            members = self._members[title]
            if members:
                self._config.several(Key("lag", lag.name, "members"), members)
            self._segment(lag.name, block(below, "esi"))
            self._lacp(lag.name, block(below, "aggregated-ether-options", "lacp"))
            self._units(below, lag)

    def _segment(self, name: str, below: Tree) -> None:
        self._config.need(f"ae{name}: all-active", flag(below, "all-active"))
        if (prefer := number(block(below, "df-election-type", "preference"), "value")) is not None:
            self._config.put("lag", name, "df-preference", *prefer)
        for word in leaves(below):
            if word.text.count(":") == ESI_COLONS:
                self._config.put("lag", name, "esi", octets(word.text), word.line)
            else:
                below[word.text] = word.line

    def _lacp(self, name: str, options: Tree) -> None:
        self._config.need(f"ae{name}: lacp active", flag(options, "active"))
        if (word := value(options, "system-id")) is not None:
            self._config.put("lag", name, "system-id", mac(word.text), word.line)
        if at := flag(options, "force-up"):
            self._config.put("lag", name, "fallback", True, at)

    def _units(self, below: Tree, on: Physical) -> None:
        """Units of a port or an aggregate: one that is routed or in a VLAN, or those of several tags."""
        put = self._config.put
        word = value(below, "network-isolation-profile")
        if word is not None and word.text in self._ports.isolation:
            put(on.thing, on.name, "tracking", ISOLATED, word.line)
        if (at := self._ports.edges.get(on.title)) is not None:
            put(on.thing, on.name, "bpdu-guard", True, at)
        bridged: list[str] = []
        trunk: list[tuple[int, int]] = []
        for unit, rest, line in blocks(below, "unit"):
            if "vlan-id" in rest:
                trunk += self._tagged(f"{on.title}.{unit}", rest, line, on, bridged)
            elif unit == "0":
                self._plain(rest, line, on, bridged)
            else:
                rest[None] = line
        if trunk:
            put(on.thing, on.name, "trunk-vlans", tuple(sorted(tag for tag, _ in trunk)), trunk[0][1])
        self._room(on, bridged)

    def _room(self, on: Physical, bridged: list[str]) -> None:
        """The MTU where no routed unit has said it, and the limit that all bridged units have: the highest of them."""
        put = self._config.put
        if (on.thing, on.name, "mtu") not in self._config.reading.rows:
            tags = 0 if bridged else on.tagged
            put(on.thing, on.name, "mtu", on.room[0] - tags, on.room[1] or on.line)
        limits = [self._config.limits[unit] for unit in bridged if unit in self._config.limits]
        if limits and len(limits) == len(bridged):
            put(on.thing, on.name, "mac-limit", *max(limits))

    def _tagged(self, title: str, rest: Tree, line: int, on: Physical, bridged: list[str]) -> list[tuple[int, int]]:
        """A unit of a tag. Returns the tag where the unit takes it into a VLAN."""
        bridge = only(rest, "encapsulation", "vlan-bridge") if "encapsulation" in rest else None
        tag = number(rest, "vlan-id")
        if tag is None:
            rest[None] = line
        elif bridge is not None:
            bridged.append(title)
            return [tag] if on.tagged and on.services and self._is_in_vlan(title, tag[0]) else []
        else:
            self._subinterface(title, rest, line, tag, on)
        return []

    def _is_in_vlan(self, unit: str, tag: int) -> bool:
        """Whether an instance has a VLAN of this tag with this unit."""
        instance = self._config.instances.get(self._config.instance_of.get(unit, ""))
        vlans = instance.vlans.values() if instance is not None else ()
        return any(vlan.number == tag and unit in vlan.units for vlan in vlans)

    def _subinterface(self, name: str, rest: Tree, line: int, tag: tuple[int, int], on: Physical) -> None:
        if (text := value(rest, "description")) is not None:
            self._config.put("subinterface", name, "description", text.text, text.line)
        self._config.put("subinterface", name, "vlan", tag[0] if on.tagged else 0, tag[1])
        if (vrf := self._config.vrf_of(name)) != "":
            self._config.put("subinterface", name, "vrf", vrf, self._config.joined.get(name, line))
        routed(self._config, Key("subinterface", name, "mtu"), rest, (on.room[0] - on.tagged, on.room[1] or on.line))

    def _plain(self, rest: Tree, line: int, on: Physical, bridged: list[str]) -> None:
        """Unit 0 of an interface without tags."""
        title, family = f"{on.title}.0", rest.get("family")
        if type(family) is dict and "ethernet-switching" in family:
            bridged.append(title)
            self._switched(block(rest, "family", "ethernet-switching"), title, on)
            return
        if on.thing != "port":
            rest[None] = line
            return
        routed(self._config, Key("port", on.name, "mtu"), rest, (on.room[0], on.room[1] or on.line))
        if (vrf := self._config.vrf_of(title)) != "":
            self._config.put("port", on.name, "vrf", vrf, self._config.joined.get(title, line))
        rows = self._config.reading.rows
        if type(family) is dict and not any(("port", on.name, family) in rows for family in ("ipv4", "ipv6")):
            at = self._ports.advertised.get(title)
            self._config.put("port", on.name, "unnumbered", at is not None, at or self._ports.advertises or line)

    def _switched(self, below: Tree, title: str, on: Physical) -> None:
        """VLANs of a unit: members are names or numbers of VLANs of its instance (manual, vlan members)."""
        mode = only(below, "interface-mode", "access", "trunk")
        instance = self._config.instances.get(self._config.instance_of.get(title, ""))
        vlans = instance.vlans if instance is not None and instance.kind == BRIDGED else {}
        known = {name: vlan.number for name, vlan in vlans.items()} | {
            str(vlan.number): vlan.number for vlan in vlans.values()
        }
        found = [(known.get(word.text, 0), word.line) for word in values(block(below, "vlan"), "members")]
        if mode is not None and mode.text == "trunk":
            tags = tuple(sorted(tag for tag, _ in found))
            self._config.put(on.thing, on.name, "trunk-vlans", tags, mode.line)
        elif found:
            self._config.put(on.thing, on.name, "access-vlan", *found[-1])


def _speed(below: Tree) -> Speed | None:
    """400g as 400."""
    kept = below.get("speed")
    word = value(below, "speed")
    if word is None:
        return None
    speed = digit(word.text.removesuffix("g"))
    if kept is not None and (speed < 0 or not word.text.endswith("g")):
        below["speed"] = kept
        return None
    return speed, word.line


def _physical(thing: str, title: str, below: Tree, line: int) -> Physical:
    tagged = next((octets for word, octets in TAGS.items() if word in below and flag(below, word)), 0)
    services = "encapsulation" in below and only(below, "encapsulation", "flexible-ethernet-services") is not None
    mtu = number(below, "mtu")
    room = (mtu[0] - HEADER, mtu[1]) if mtu is not None else (MTU + tagged, 0)
    name = title.removeprefix("ae") if thing == "lag" else title
    return Physical(thing, name, title, line, room, tagged, services)
