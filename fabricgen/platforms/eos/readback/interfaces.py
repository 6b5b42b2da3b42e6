"""Ports, aggregates, subinterfaces, loopbacks and gateways of EOS.

Sources: manual, Ethernet ports: an Ethernet port is bridged until it says `no switchport`, and up until it says
`shutdown` or `interface defaults` say so for all (PyAVD 6.4.0, interface_defaults); layer 3 MTU: 1500 octets of IP
packet where nothing is said; a subinterface has that of its port. Data transfer: a bridged port is in VLAN 1. Storm
control in percent. Port security: `violation protect` drops frames of further addresses, the plain line shuts the port.
Router advertisements are sent where IPv6 is on (manual, IPv6: ipv6 nd ra disabled). sFlow samples every port where it
runs, until `sflow interface disable default` or `no sflow enable` (manual, sFlow).
"""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.platforms.eos.readback import qos
from fabricgen.platforms.eos.readback.names import loopback
from fabricgen.readback import addresses
from fabricgen.readback.forms import Forms, Reader, State, add, drop, idle, opens, put
from fabricgen.readback.intended import octets
from fabricgen.readback.rows import Value
from fabricgen.readback.words import numbers, odd_one

DEFAULT_MTU = 1500
DEFAULT_VLAN = 1
OWN = "the system's default"


def _address(text: str) -> str | None:
    return addresses.interface(text)


def _masked(text: str, mask: str) -> str | None:
    whole = addresses.slashed(text, mask)
    return None if whole is None else addresses.interface(whole)


def _relay(server: str, source: str | None) -> tuple[str, int] | None:
    """The server and the number of the loopback that packets to it come from."""
    found, number = addresses.address(server), -1 if source is None else loopback(source)
    return None if found is None or number is None else (found, number)


def _vlans(text: str) -> tuple[int, ...] | None:
    if text == "none":
        return ()
    found = numbers(text)
    return None if found is None else tuple(sorted(set(found)))


def _speed(gbps: str, lanes: str | None) -> tuple[int, int]:
    return int(gbps), int(lanes or 0)


def _octets(text: str) -> str | None:
    found = octets(text)
    return found if len(found) == 17 else None


def _esi(text: str) -> str | None:
    found = octets(text)
    return found if len(found) == 29 else None


SEGMENT = Forms(
    {
        r"identifier ([0-9a-fA-F:]+)": put("esi", by=_esi),
        "designated-forwarder election algorithm preference <n>": put("preference"),
        "route-target import ([0-9a-fA-F:.]+)": put("es-import", by=_octets),
        "redundancy all-active": idle(OWN),
    }
)
INTERFACE = Forms(
    qos.PORT,
    {
        "description <l>": put("description"),
        "shutdown": put("enabled", False),
        "no shutdown": put("enabled", True),
        "mtu <n>": put("mtu"),
        r"speed (?:forced )?(\d{1,4})g-(\d)": put("speed", by=_speed),
        r"speed (?:forced )?(\d{1,4})g(full)?": put("speed", by=lambda gbps, _: _speed(gbps, None)),
        "speed auto": drop("speed"),
        "error-correction encoding reed-solomon": put("fec", "rs-fec"),
        "error-correction encoding fire-code": put("fec", "fc-fec"),
        "no error-correction encoding": put("fec", "none"),
        "switchport": put("routed", False),
        "no switchport": put("routed", True),
        "vrf (?:forwarding )?<w>": put("vrf"),
        "no vrf": drop("vrf"),
        "ip address <p>": put("ipv4", by=_address),
        "ip address <p> secondary": add("more", by=_address),
        "ip address <m>": put("ipv4", by=_masked),
        "ip address <m> secondary": add("more", by=_masked),
        "no ip address": drop("ipv4"),
        "ip address virtual <p>(?: secondary)?": add("virtual", by=_address),
        "ipv6 address <p>": add("ipv6", by=_address),
        "ipv6 address virtual <p>": add("virtual", by=_address),
        "ipv6 enable": put("link-local", True),
        "ipv6 nd ra disabled(?: all)?": put("quiet", True),
        "ipv6 nd managed-config-flag": put("managed", True),
        "switchport access vlan <n>": put("access"),
        "switchport mode (access|trunk)": put("mode"),
        r"switchport trunk allowed vlan ([\d,-]+|none)": put("tagged", by=_vlans),
        "switchport port-security violation protect(?: log)?": put("protect", True),
        "switchport port-security(?: mac-address)? maximum <n>": put("macs"),
        "spanning-tree portfast(?: edge)?": put("edge", True),
        "spanning-tree bpduguard enable": put("guard", True),
        "spanning-tree bpduguard disable": put("guard", False),
        r"storm-control broadcast level <n>(?:\.0+)?": put("broadcast"),
        r"storm-control multicast level <n>(?:\.0+)?": put("multicast"),
        r"storm-control unknown-unicast level <n>(?:\.0+)?": put("unknown-unicast"),
        "channel-group <n> mode active": put("lag"),
        "port-channel lacp fallback individual": put("fallback", True),
        "port-channel lacp fallback timeout <n>": put("fallback-seconds"),
        r"lacp system-id ([0-9a-fA-F.:]+)": put("system", by=_octets),
        "evpn ethernet-segment": opens("segment", SEGMENT),
        "service-profile <w>": put("service-profile"),
        "sflow enable": put("sflow", True),
        "no sflow enable": put("sflow", False),
        "link tracking group <w> (upstream|downstream)": put("tracking"),
        "encapsulation dot1q vlan <n>": put("vlan"),
        "ip helper-address <a>(?: source-interface <w>)?": add("relay", by=_relay),
        "ipv6 dhcp relay destination <a>(?: local-interface <w>)?": add("relay", by=_relay),
        "lldp (?:transmit|receive)": idle(OWN),
    },
    keep=True,
)
DEFAULTS = Forms(
    {"ethernet": opens("ethernet", Forms({"shutdown": put("dark", True), "no shutdown": put("dark", False)}))}
)

COMMON = frozenset({"description", "enabled"})
STORMS = ("broadcast", "multicast", "unknown-unicast")
"""Flooded frames that storm control limits."""
BRIDGED = frozenset({"access", "mode", "tagged", "protect", "macs", "edge", "guard", *STORMS})
IP = frozenset({"mtu", "vrf", "ipv4", "more", "ipv6", "link-local", "quiet"})
OF_PORT = COMMON | qos.OF_PORT | {"speed", "fec", "routed", "lag", "service-profile", "sflow", "tracking"}
ROUTED_PORT, BRIDGED_PORT = OF_PORT | IP, OF_PORT | BRIDGED
AGGREGATE = (
    COMMON
    | BRIDGED
    | {"routed", "fallback", "fallback-seconds", "system", "segment", "service-profile", "tracking", "mtu"}
)
SUBINTERFACE = COMMON | IP | {"vlan"}
LOOPBACK = COMMON | {"vrf", "ipv4", "more", "ipv6"}
GATEWAY = COMMON | {"mtu", "vrf", "virtual", "link-local", "quiet", "managed", "relay"}
MANAGEMENT = COMMON | {"vrf", "ipv4"}


class Shared(NamedTuple):
    """What all ports of the switch need: defaults, QoS, sFlow, members of aggregates, the MAC address of gateways."""

    dark: bool
    qos: qos.SwitchQos
    samples_all: bool
    mac: tuple[str, int]


class Interfaces:
    """Interfaces by name; writes the rows of each."""

    def __init__(self, named: dict[str, State], shared: Shared, reader: Reader) -> None:
        self._named, self._shared, self._reader = named, shared, reader
        self._members: dict[str, set[str]] = {}

    def rows(self) -> None:
        """Rows of all but the port of management."""
        for name, state in self._named.items():
            if name.startswith("Ethernet"):
                self._ethernet(name, state)
            elif name.startswith("Loopback"):
                self._loopback(name, state)
            elif name.startswith("Vlan"):
                self._gateway(name.removeprefix("Vlan"), state)
        for name, state in self._named.items():
            if name.startswith("Port-Channel"):
                self._aggregate(name.removeprefix("Port-Channel"), state)

    def _ethernet(self, name: str, state: State) -> None:
        if "." in name:
            self._reader.out_of_place(state, SUBINTERFACE)
            self._reader.put_all("subinterface", self._subinterface_name(name, state), self._subinterface(name, state))
            return
        routed = state.get("routed", False)
        self._reader.out_of_place(state, ROUTED_PORT if routed else BRIDGED_PORT)
        if "lag" in state.one:
            self._members.setdefault(str(state.get("lag")), set()).add(name)
        self._reader.put_all("port", name, self._port(name, state, routed=routed))
        self._reader.reading.add_all("port", name, self._shared.qos.port(self._bundle(state)))

    def _bundle(self, state: State) -> State:
        """Where the QoS of a port is: at its aggregate, if it is a member. Its own profile is for LACP fallback."""
        if "lag" not in state.one:
            return state
        return self._named.get(f"Port-Channel{state.get('lag')}", State(number=state.line("lag")))

    def _port(self, name: str, state: State, *, routed: bool) -> Iterator[tuple[str, Value, int]]:
        one = state.one
        enabled = state.get("enabled", not self._shared.dark)
        yield "enabled", enabled, state.line("enabled")
        if "description" in one:
            yield "description", *one["description"]
        if "speed" in one:
            (speed, lanes), line = one["speed"]
            yield "speed", speed, line
            yield "lanes", lanes, line
        if "fec" in one:
            yield "fec", *one["fec"]
        if "lag" in one:
            yield "lag", *one["lag"]
        if "tracking" in one:
            (_, way), line = one["tracking"]
            yield "tracking", way, line
        if state.get("sflow", self._shared.samples_all):
            yield "sflow", True, state.line("sflow")
        yield from self._routed_port(name, state) if routed else self._bridged(state, enabled=enabled)

    def _routed_port(self, name: str, state: State) -> Iterator[tuple[str, Value, int]]:
        yield "mtu", state.get("mtu", DEFAULT_MTU), state.line("mtu")
        yield from _ip(state)
        if state.get("link-local") and not state.all("ipv6") and not state.get("quiet"):
            yield "unnumbered", True, state.line("link-local")
        if state.get("quiet"):
            self._reader.needed(f"{name}: no router advertisements", state.line("quiet"))

    def _bridged(self, state: State, *, enabled: bool) -> Iterator[tuple[str, Value, int]]:
        """Settings of a bridged port; one that is shut, or a member of an aggregate, is in no VLAN by itself."""
        one = state.one
        if state.get("mode", "access") == "trunk":
            yield "trunk-vlans", state.get("tagged", tuple(range(1, 4095))), state.line("tagged")
        elif "access" in one or (enabled and "lag" not in one):
            yield "access-vlan", state.get("access", DEFAULT_VLAN), state.line("access")
        if state.get("guard"):
            yield "bpdu-guard", *one["guard"]
        for kind in STORMS:
            if kind in one:
                yield f"{kind}-limit", *one[kind]
        if "macs" in one and state.get("protect"):
            yield "mac-limit", *one["macs"]
        elif "macs" in one:
            self._reader.unread_line(state.line("macs"))

    def _aggregate(self, number: str, state: State) -> None:
        self._reader.out_of_place(state, AGGREGATE)
        if state.get("routed"):
            self._reader.unread_line(state.line("routed"))
        self._reader.put_all("lag", number, self._lag(number, state))

    def _lag(self, number: str, state: State) -> Iterator[tuple[str, Value, int]]:
        one = state.one
        enabled = state.get("enabled", True)
        yield "enabled", enabled, state.line("enabled")
        yield "members", frozenset(self._members.get(number, ())), state.number
        if "description" in one:
            yield "description", *one["description"]
        yield from self._bridged(state, enabled=enabled)
        if state.get("fallback"):
            yield "fallback", *one["fallback"]
        if "tracking" in one:
            (_, way), line = one["tracking"]
            yield "tracking", way, line
        if "system" in one:
            yield "system-id", *one["system"]
        for segment in state.states("segment"):
            for key, setting in (("esi", "esi"), ("es-import", "es-import"), ("preference", "df-preference")):
                if key in segment.one:
                    yield setting, *segment.one[key]

    def _subinterface_name(self, name: str, state: State) -> str:
        return f"{name.partition('.')[0]}.{state.get('vlan', name.partition('.')[2])}"

    def _subinterface(self, name: str, state: State) -> Iterator[tuple[str, Value, int]]:
        if not state.get("enabled", True):
            return
        parent = self._named.get(name.partition(".")[0], State(number=state.number))
        if "description" in state.one:
            yield "description", *state.one["description"]
        if "vlan" in state.one:
            yield "vlan", *state.one["vlan"]
        own = state if "mtu" in state.one else parent
        yield "mtu", own.get("mtu", DEFAULT_MTU), own.line("mtu")
        yield from _ip(state)
        if state.get("quiet"):
            self._reader.needed(f"{name}: no router advertisements", state.line("quiet"))

    def _loopback(self, name: str, state: State) -> None:
        self._reader.out_of_place(state, LOOPBACK)
        if state.get("enabled", True):
            self._reader.put_all("loopback", name.removeprefix("Loopback"), _described(state))

    def _gateway(self, vlan: str, state: State) -> None:
        self._reader.out_of_place(state, GATEWAY)
        if not state.get("enabled", True) or not (state.all("virtual") or "vrf" in state.one):
            return
        self._reader.put_all("gateway", vlan, self._gateway_rows(vlan, state))

    def _gateway_rows(self, vlan: str, state: State) -> Iterator[tuple[str, Value, int]]:
        if "description" in state.one:
            yield "description", *state.one["description"]
        yield "mtu", state.get("mtu", DEFAULT_MTU), state.line("mtu")
        if "vrf" in state.one:
            yield "vrf", *state.one["vrf"]
        for family in ("ipv4", "ipv6"):
            rows = [row for row in state.all("virtual") if addresses.family_of(row[0]) == family]
            if rows:
                yield family, frozenset(text for text, _ in rows), rows[0][1]
        if state.all("virtual"):
            yield "mac", self._shared.mac[0], self._shared.mac[1] or state.number
        relays = state.all("relay")
        if relays:
            yield "relays", frozenset(server for (server, _), _ in relays), relays[0][1]
            yield "relay-source", *odd_one([(source, line) for (_, source), line in relays])
        self._announced(vlan, state)

    def _announced(self, vlan: str, state: State) -> None:
        if state.get("quiet"):
            self._reader.needed(f"Vlan{vlan}: no router advertisements", state.line("quiet"))
        if state.get("managed"):
            self._reader.needed(f"Vlan{vlan}: hosts ask for addresses by DHCPv6", state.line("managed"))


def _described(state: State) -> Iterator[tuple[str, Value, int]]:
    if "description" in state.one:
        yield "description", *state.one["description"]
    yield from _ip(state)


def _ip(state: State) -> Iterator[tuple[str, Value, int]]:
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
