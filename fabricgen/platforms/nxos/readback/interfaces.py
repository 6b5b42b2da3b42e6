"""Interfaces of NX-OS.

Sources: interfaces guide: a port is bridged until `no switchport`, unless `no system default switchport`; a bridged
port is up, unless `system default switchport shutdown`, a routed port, a subinterface and a VLAN interface are shut
until `no shutdown`; the MTU of a routed port is 1500 octets of IP packet, a bridged port takes 1500 or the jumbo size;
the parts of a cage have the speed of its breakout map. VXLAN guide: the anycast gateway. Batfish: `ipv6 nd
suppress-ra`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.platforms.nxos.readback import access, qos
from fabricgen.platforms.nxos.readback.names import loopback
from fabricgen.readback import addresses
from fabricgen.readback.forms import Forms, Reader, State, add, drop, idle, put
from fabricgen.readback.intended import octets
from fabricgen.readback.rows import Key, Value
from fabricgen.readback.words import numbers, odd_one

DEFAULT_MTU = 1500
DEFAULT_VLAN = 1
Rows = Iterator[tuple[str, Value, int]]


def _vlans(text: str) -> tuple[int, ...] | None:
    if text == "none":
        return ()
    found = numbers(text)
    return None if found is None else tuple(sorted(set(found)))


def _address(text: str) -> str | None:
    return addresses.interface(text)


def _masked(text: str, mask: str) -> str | None:
    whole = addresses.slashed(text, mask)
    return None if whole is None else addresses.interface(whole)


def _server(text: str) -> str | None:
    return addresses.address(text)


FEC = {"rs-fec": "rs-fec", "fc-fec": "fc-fec", "off": "none"}
INTERFACE = Forms(
    qos.PORT,
    access.INTERFACE,
    {
        "description <l>": put("description"),
        "shutdown": put("enabled", False),
        "no shutdown": put("enabled", True),
        "switchport": put("routed", False),
        "no switchport": put("routed", True),
        "mtu <n>": put("mtu"),
        "speed <n>": put("speed", by=lambda megabits: megabits // 1000),
        "speed auto": drop("speed"),
        "fec (rs-fec|fc-fec|off)": put("fec", by=lambda word: FEC[word]),
        "fec auto": drop("fec"),
        "vrf member <w>": put("vrf"),
        "ip address <p>": put("ipv4", by=_address),
        "ip address <p> secondary": add("more", by=_address),
        "ip address <m>": put("ipv4", by=_masked),
        "ip address <m> secondary": add("more", by=_masked),
        "no ip address": drop("ipv4"),
        "ipv6 address <p>": add("ipv6", by=_address),
        "no ip redirects": put("redirects4", False),
        "no ipv6 redirects": put("redirects6", False),
        "ipv6 nd suppress-ra": put("quiet", True),
        "no ipv6 nd suppress-ra": put("quiet", False),
        "ipv6 nd managed-config-flag": put("managed", True),
        "switchport mode (access|trunk)": put("mode"),
        "switchport access vlan <n>": put("access"),
        r"switchport trunk allowed vlan ([\d,-]+|none)": put("tagged", by=_vlans),
        "spanning-tree port type edge(?: trunk)?": put("edge", True),
        "spanning-tree bpduguard enable": put("guard", True),
        "spanning-tree bpduguard disable": put("guard", False),
        r"storm-control broadcast level <n>(?:\.0+)?": put("broadcast"),
        r"storm-control multicast level <n>(?:\.0+)?": put("multicast"),
        "load-interval counter 1 <n>": put("interval"),
        "channel-group <n>(?: force)?(?: mode active)": put("lag"),
        "encapsulation dot1q <n>": put("vlan"),
        "fabric forwarding mode anycast-gateway": put("anycast", True),
        "ip dhcp relay address <a>": add("relay", by=_server),
        "ip dhcp relay source-interface <w>": put("source4", by=loopback),
        "ipv6 dhcp relay address <a>": add("relay", by=_server),
        "ipv6 dhcp relay source-interface <w>": put("source6", by=loopback),
        "no lldp (?:transmit|receive)": idle("LLDP of one port"),
    },
    keep=True,
)


def _breakout(module: int, cage: int, gbps: str, parts: str) -> tuple[str, int]:
    return f"Ethernet{module}/{cage}/", int(gbps)


ROOT = {
    r"interface breakout module <n> port <n> map (\d{1,3})g-(\d{1,2})x": add("breakout", by=_breakout),
    "system default switchport shutdown": put("dark", True),
    "no system default switchport shutdown": put("dark", False),
    "system default switchport": put("default-routed", False),
    "no system default switchport": put("default-routed", True),
    "fabric forwarding anycast-gateway-mac ([0-9a-fA-F.:]+)": put("gateway-mac"),
}
"""Forms of the top level."""
COMMON = frozenset({"description", "enabled"})
BRIDGED = frozenset({"access", "mode", "tagged", "edge", "guard", "broadcast", "multicast", "mtu"})
IP = frozenset({"mtu", "vrf", "ipv4", "more", "ipv6", "quiet", "redirects4", "redirects6"})
OF_PORT = COMMON | qos.OF_PORT | {"speed", "fec", "routed", "lag", "interval"}
ROUTED_PORT, BRIDGED_PORT = OF_PORT | IP, OF_PORT | BRIDGED
AGGREGATE = COMMON | BRIDGED | {"routed"}
SUBINTERFACE = COMMON | IP | {"vlan"}
LOOPBACK = COMMON | {"vrf", "ipv4", "more", "ipv6"}
GATEWAY = COMMON | IP | {"anycast", "managed", "relay", "source4", "source6"}
MANAGEMENT = COMMON | {"vrf", "ipv4", "sources", "sources6"}


class Shared(NamedTuple):
    """What all ports of the switch need."""

    dark: bool
    routed: bool
    parts: dict[str, tuple[int, int]]
    qos: qos.SwitchQos
    sampled: dict[str, int]
    mac: tuple[str, int]


def shared(root: State, of_ports: qos.SwitchQos) -> Shared:
    """Settings of the top level that ports have."""
    text, line = root.one.get("gateway-mac", ("", 0))
    return Shared(
        dark=bool(root.get("dark")),
        routed=bool(root.get("default-routed")),
        parts={stem: (gbps, number) for (stem, gbps), number in root.all("breakout")},
        qos=of_ports,
        sampled={name: number for name, number in root.all("sampled")},
        mac=(octets(text), line),
    )


_CAGE = re.compile(r"Ethernet\d+/\d+/(?=\d+$)")


class Interfaces:
    """Interfaces by name; writes the rows of each."""

    def __init__(self, named: dict[str, State], of_switch: Shared, reader: Reader) -> None:
        self._named, self._shared, self._reader = named, of_switch, reader
        self._members: dict[str, set[str]] = {}
        self._sampled = next(iter(of_switch.sampled.values()), 0)
        """The line that samples the port before: where one is missing."""

    def rows(self) -> None:
        """Rows of all but the port of management."""
        for name, state in self._named.items():
            if name.startswith("Ethernet"):
                self._ethernet(name, state)
            elif name.startswith("loopback"):
                self._loopback(name, state)
            elif name.startswith("Vlan"):
                self._gateway(name, state)
        for name, state in self._named.items():
            if name.startswith("port-channel"):
                self._reader.out_of_place(state, AGGREGATE)
                self._put("lag", name.removeprefix("port-channel"), self._lag(name.removeprefix("port-channel"), state))

    def _put(self, thing: str, name: str, rows: Rows) -> None:
        for setting, value, line in rows:
            self._reader.put(thing, name, setting, value, line)

    def _ethernet(self, name: str, state: State) -> None:
        if "." in name:
            self._reader.out_of_place(state, SUBINTERFACE)
            named = f"{name.partition('.')[0]}.{state.get('vlan', name.partition('.')[2])}"
            self._put("subinterface", named, self._subinterface(name, state))
            return
        routed = state.get("routed", self._shared.routed)
        self._reader.out_of_place(state, ROUTED_PORT if routed else BRIDGED_PORT)
        if "lag" in state.one:
            self._members.setdefault(str(state.get("lag")), set()).add(name)
        self._put("port", name, self._port(name, state, routed=routed))
        for setting, row in self._shared.qos.port(state, self._speed(name, state)[0]):
            self._reader.reading.add(Key("port", name, setting), row)

    def _speed(self, name: str, state: State) -> tuple[int, int]:
        match = _CAGE.match(name)
        part = self._shared.parts.get(match[0]) if match is not None else None
        return part or state.one.get("speed", (0, state.number))

    def _port(self, name: str, state: State, *, routed: bool) -> Rows:
        one = state.one
        enabled = state.get("enabled", not routed and not self._shared.dark)
        yield "enabled", enabled, state.line("enabled")
        for key in ("description", "fec", "lag"):
            if key in one:
                yield key, *one[key]
        gbps, line = self._speed(name, state)
        if gbps:
            yield "speed", gbps, line
        sampled = self._shared.sampled
        self._sampled = sampled.get(name, self._sampled)
        if sampled:
            yield "sflow", name in sampled, self._sampled
        yield from self._routed_port(name, state) if routed else self._bridged(name, state, enabled=enabled)

    def _routed_port(self, name: str, state: State) -> Rows:
        yield "mtu", state.get("mtu", DEFAULT_MTU), state.line("mtu")
        yield from _ip(state)
        self._lines(name, state)

    def _lines(self, name: str, state: State) -> None:
        """What the neighbors of a routed interface need."""
        for key, text in (("redirects4", "no IPv4 redirects"), ("redirects6", "no IPv6 redirects")):
            if key in state.one:
                self._reader.needed(f"{name}: {text}", state.line(key))
        if "quiet" in state.one:
            text = "no router advertisements" if state.get("quiet") else "router advertisements"
            self._reader.needed(f"{name}: {text}", state.line("quiet"))

    def _bridged(self, name: str, state: State, *, enabled: bool) -> Rows:
        one = state.one
        if state.get("mode", "access") == "trunk":
            yield "trunk-vlans", state.get("tagged", tuple(range(1, 4095))), state.line("tagged")
        elif "access" in one or (enabled and "lag" not in one):
            yield "access-vlan", state.get("access", DEFAULT_VLAN), state.line("access")
        if state.get("guard"):
            yield "bpdu-guard", *one["guard"]
        for key, setting in (("broadcast", "broadcast-limit"), ("multicast", "multicast-limit")):
            if key in one:
                yield setting, *one[key]
        if "mtu" in one:
            self._reader.needed(f"{name}: frames of {state.get('mtu')}", state.line("mtu"))
        if state.get("edge"):
            self._reader.needed(f"{name}: an edge port", state.line("edge"))

    def _lag(self, number: str, state: State) -> Rows:
        yield "enabled", state.get("enabled", True), state.line("enabled")
        yield "members", frozenset(self._members.get(number, ())), state.number
        if "description" in state.one:
            yield "description", *state.one["description"]
        if state.get("routed"):
            self._reader.unread_line(state.line("routed"))
        yield from self._bridged(f"port-channel{number}", state, enabled=state.get("enabled", True))

    def _subinterface(self, name: str, state: State) -> Rows:
        if not state.get("enabled", False):
            return
        for key in ("description", "vlan"):
            if key in state.one:
                yield key, *state.one[key]
        yield "mtu", state.get("mtu", DEFAULT_MTU), state.line("mtu")
        yield from _ip(state)
        self._lines(name, state)

    def _loopback(self, name: str, state: State) -> None:
        self._reader.out_of_place(state, LOOPBACK)
        if state.get("enabled", True):
            self._put("loopback", name.removeprefix("loopback"), _described(state))

    def _gateway(self, name: str, state: State) -> None:
        self._reader.out_of_place(state, GATEWAY)
        if state.get("enabled", False):
            self._put("gateway", name.removeprefix("Vlan"), self._gateway_rows(name, state))

    def _gateway_rows(self, name: str, state: State) -> Rows:
        if "description" in state.one:
            yield "description", *state.one["description"]
        yield "mtu", state.get("mtu", DEFAULT_MTU), state.line("mtu")
        for setting, value, line in _ip(state):
            if setting == "vrf" or state.get("anycast"):
                yield setting, value, line
        if state.get("anycast"):
            yield "mac", self._shared.mac[0], self._shared.mac[1] or state.number
        relays = state.all("relay")
        if relays:
            yield "relays", frozenset(server for server, _ in relays), relays[0][1]
        sources = [state.one[key] for key in ("source4", "source6") if key in state.one]
        if sources:
            yield "relay-source", *odd_one(sources)
        self._lines(name, state)
        if state.get("managed"):
            self._reader.needed(f"{name}: hosts ask for addresses by DHCPv6", state.line("managed"))


def _described(state: State) -> Rows:
    if "description" in state.one:
        yield "description", *state.one["description"]
    yield from _ip(state)


def _ip(state: State) -> Rows:
    one = state.one
    if "vrf" in one:
        yield "vrf", *one["vrf"]
    more, first = state.all("more"), one.get("ipv4")
    if first is not None or more:
        rows = [first, *more] if first is not None else more
        yield "ipv4", frozenset(text for text, _ in rows), rows[0][1]
    ipv6 = [row for row in state.all("ipv6") if not row[0].startswith("fe80:")]
    if ipv6:
        yield "ipv6", frozenset(text for text, _ in ipv6), ipv6[0][1]
