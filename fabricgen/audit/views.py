"""One switch as its neighbors meet it: ports, sessions, networks, VRFs. Made of rows, read or planned."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_interface, ip_network
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.routing import MOST_HOPS
from fabricgen.readback.addresses import family_of, prefix
from fabricgen.readback.policy import Policy
from fabricgen.readback.rows import FAMILIES, Key, Row, Value, new
from fabricgen.readback.runs import OwnPort, OwnSession, Run


class At(NamedTuple):
    """A place in the files of a switch; line 0: none."""

    file: str = ""
    line: int = 0


Lossless = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""PFC priorities, class of each DSCP, queue of each class."""


class PortView(NamedTuple):
    """A routed or switched port, a subinterface or a loopback.

    name      as the system calls it; `loopback N`
    mtu       of IP packets; 0: it has none, as it is not routed
    addresses with their lengths, both families
    lossless  what both ends of a link must share: PFC priorities, class of each DSCP, queue of each class
    watchdog  a PFC watchdog runs
    """

    name: str
    vrf: str
    enabled: bool
    mtu: int
    addresses: frozenset[str]
    unnumbered: bool
    lossless: Lossless
    watchdog: bool
    at: At


class SessionView(NamedTuple):
    """A BGP session. peer: an address, or the own port of an unnumbered link. policies: family → terms; none: all pass.

    source  the loopback that it speaks from, by its name or by its address; empty: the port that the peer is on
    limits  family → most routes that it expects; none: no limit
    ttl_hops  most hops that a packet may have come, by its TTL; 0: not checked
    own_as  family → times that a received AS path may have the own AS number; none: never
    overrides, removes  families in which the peer's AS number becomes the own one in paths that go out, and in which
            private ones leave them
    loops_at  where the first of these three is said
    """

    vrf: str
    peer: str
    remote_as: int
    enabled: bool
    families: frozenset[str]
    policies_in: Mapping[str, Policy]
    policies_out: Mapping[str, Policy]
    limits: Mapping[str, int]
    multihop: int
    ttl_hops: int
    source: str
    unchanged: bool
    extended: bool
    password: str
    timers: tuple[int, int]
    bfd: bool
    own_as: tuple[tuple[str, int], ...]
    overrides: frozenset[str]
    removes: frozenset[str]
    loops_at: At
    at: At

    @property
    def reach(self) -> int:
        """Hops that the peer may be away; 0: it must be on the link."""
        return self.multihop or self.ttl_hops

    def takes(self, back: "SessionView") -> bool:
        """Whether packets of the session back come with a TTL that this end takes (RFC 5082)."""
        return not self.ttl_hops or back.ttl_hops > 0 or back.multihop == MOST_HOPS

    @property
    def undoes_loop_check(self) -> bool:
        """Whether the check of AS loops (RFC 4271, 9.1.2) is weaker than it should be, here or at the peer."""
        return bool(self.own_as or self.overrides or self.removes)


class InstanceView(NamedTuple):
    """A tenant's VRF or a bridged network, with its VNI and route targets.

    kind           VRF or VLAN
    import_policy  of a VRF; None: everything that the targets let in
    lines          where imports, exports and import-policy are said
    filters_own    the policy also decides on routes of the VRF's own tenant
    """

    kind: str
    name: str
    vni: int
    rd: str
    imports: frozenset[str]
    exports: frozenset[str]
    import_policy: Policy | None
    lines: Mapping[str, At]
    at: At
    filters_own: bool = True


class GatewayView(NamedTuple):
    """The gateway of a VLAN, the same on every leaf that has it."""

    vlan: str
    vrf: str
    mac: str
    addresses: frozenset[str]
    at: At


class LagView(NamedTuple):
    """A bond of a server that two leaves share."""

    number: str
    description: str
    esi: str
    system_id: str
    df_preference: int
    at: At


class SwitchView(NamedTuple):
    """A switch.

    networks  VRF and prefix that BGP announces, and where
    statics   VRF and prefix → next hop, and where
    """

    name: str
    fabric: str
    role: str
    state: str
    asn: int
    maximum_paths: int
    ports: Mapping[str, PortView]
    sessions: tuple[SessionView, ...]
    networks: Mapping[tuple[str, str], At]
    statics: Mapping[tuple[str, str], tuple[str, At]]
    gateways: tuple[GatewayView, ...]
    segments: tuple[LagView, ...]
    vrfs: tuple[InstanceView, ...]
    vlans: tuple[InstanceView, ...]
    vtep: str
    at: At
    router_id: str
    router_id_at: At

    @property
    def tier(self) -> int:
        """How far it is above the servers: 0 for leaves."""
        return TIERS[self.role]

    @property
    def tunnel_prefix(self) -> str:
        """The prefix of the address that its tunnels start at; empty without a VTEP."""
        return f"{self.vtep}/{128 if ':' in self.vtep else 32}" if self.vtep else ""

    def announced(self, family: str) -> Iterator[str]:
        """Prefixes of a family, ipv4 or ipv6, that it announces in the default VRF."""
        return (prefix for vrf, prefix in self.networks if not vrf and family_of(prefix) == family)


TIERS: Mapping[str, int] = {"leaf": 0, "border-leaf": 0, "spine": 1, "superspine": 2}
Network = IPv4Network | IPv6Network
Things = Mapping[str, Mapping[str, dict[str, Row]]]
"""Thing → name → setting → row."""
LOOPBACK = "loopback "
"""Begin of the names of loopbacks among the ports of a view."""
OF_FAMILIES: Mapping[str, tuple[tuple[str, str], ...]] = {
    words: tuple((family, f"{words}.{family}") for family in FAMILIES) for words in ("policy-in", "policy-out")
}
"""Settings that each family has, by their first word: family and setting."""
UNDOING: Mapping[str, str] = {
    f"{word}.{family}": family for word in ("own-as", "as-override", "remove-private-as") for family in FAMILIES
}
"""Settings that weaken the check of AS loops, with their families."""
LIMITS = tuple((family, f"maximum-routes.{family}") for family in FAMILIES)
NO_CLASSES: tuple[int, ...] = ()


NONE: Mapping[Key, Value] = {}


def view_of(device: Device, rows: Mapping[Key, Row], not_shown: Mapping[Key, Value] = NONE) -> SwitchView:
    """The view of a switch. Of the Device only what no text says: fabric, role, state, and what the text does not show.

    not_shown  planned rows that the system has without a line: they are so for each thing that was read
    """
    things = _by_thing(rows)
    for (thing, name, setting), value in not_shown.items():
        here = things.get(thing, {}).get(name)
        if here is not None:
            here.setdefault(setting, Row(value, "", 0))
    bgp = _Settings(things.get("bgp", {}).get("", {}))
    return SwitchView(
        name=device.name,
        fabric=device.fabric,
        role=device.role,
        state=device.state,
        asn=bgp.number("asn"),
        maximum_paths=bgp.number("maximum-paths"),
        ports={port.name: port for port in _ports(things)},
        sessions=tuple(_sessions(things.get("session", {}))),
        networks={_in_vrf(name): _Settings(rows).at for name, rows in things.get("network", {}).items()},
        statics={
            _in_vrf(name): (_Settings(rows).text("next-hop"), _Settings(rows).at)
            for name, rows in things.get("static-route", {}).items()
        },
        gateways=tuple(_gateway(name, _Settings(rows)) for name, rows in things.get("gateway", {}).items()),
        segments=tuple(
            segment for name, rows in things.get("lag", {}).items() if (segment := _segment(name, _Settings(rows))).esi
        ),
        vrfs=tuple(_instance("VRF", name, _Settings(rows)) for name, rows in things.get("vrf", {}).items()),
        vlans=tuple(_instance("VLAN", name, _Settings(rows)) for name, rows in things.get("vlan", {}).items()),
        vtep=_Settings(things.get("vtep", {}).get("", {})).text("address"),
        at=bgp.at,
        router_id=bgp.text("router-id"),
        router_id_at=bgp.at_of("router-id"),
    )


def by_tenant(view: SwitchView, tenants: Mapping[str, str]) -> SwitchView:
    """The view with tenants' names in place of those that its system gives their VRFs. tenants: name there → tenant."""
    if all(name == tenant for name, tenant in tenants.items()):
        return view

    def tenant(vrf: str) -> str:
        return tenants.get(vrf, vrf)

    return view._replace(
        ports={name: port._replace(vrf=tenant(port.vrf)) for name, port in view.ports.items()},
        sessions=tuple(session._replace(vrf=tenant(session.vrf)) for session in view.sessions),
        networks={(tenant(vrf), prefix): at for (vrf, prefix), at in view.networks.items()},
        statics={(tenant(vrf), prefix): route for (vrf, prefix), route in view.statics.items()},
        gateways=tuple(gateway._replace(vrf=tenant(gateway.vrf)) for gateway in view.gateways),
        vrfs=tuple(row._replace(name=tenant(row.name)) for row in view.vrfs),
    )


def with_copies(view: SwitchView, runs: Iterable[Run]) -> SwitchView:
    """The view of a text without copies, with them: each behind the first of its run, and like it."""
    known = {run.first.name: run for run in runs}
    ports, sessions = dict[str, PortView](), list[SessionView]()
    for port in view.ports.values():
        ports[port.name] = port
        if port.name in known:
            ports.update(_copied_ports(port, known[port.name]))
    for session in view.sessions:
        sessions.append(session)
        if session.peer in known and not session.vrf:
            sessions += _copied_sessions(session, known[session.peer])
    return view._replace(ports=ports, sessions=tuple(sessions))


def _copied_ports(first: PortView, run: Run) -> Iterator[tuple[str, PortView]]:
    """Name and view of each."""
    (file, line), shared, others = first.at, first[1:4], first[5:8]
    for name, _, *addresses in run.copies if isinstance(run.first, OwnPort) else ():
        line += run.height
        found = frozenset(filter(None, addresses))
        yield name, new(PortView, (name, *shared, found, *others, new(At, (file, line))))


def _copied_sessions(first: SessionView, run: Run) -> Iterator[SessionView]:
    (file, line), shared = first.at, first[3:-1]
    for peer, _, remote_as in run.copies if isinstance(run.first, OwnSession) else ():
        line += run.height
        yield new(SessionView, ("", peer, int(remote_as), *shared, new(At, (file, line))))


def _by_thing(rows: Mapping[Key, Row]) -> Things:
    """Rows of each thing. Those of a thing follow each other, mostly."""
    things: dict[str, dict[str, dict[str, Row]]] = {}
    here: dict[str, Row] = {}
    last_thing, last_name = None, None
    for (thing, name, setting), row in rows.items():
        if name is not last_name or thing is not last_thing:
            here = things.setdefault(thing, {}).setdefault(name, {})
            last_thing, last_name = thing, name
        here[setting] = row
    return things


def planned_rows(expected: Mapping[Key, Value]) -> dict[Key, Row]:
    """Rows of a Device in the form of those that were read."""
    return {key: Row(value, "", 0) for key, value in expected.items()}


class _Settings:
    """Settings of one thing, with what a row means that is not there."""

    def __init__(self, rows: Mapping[str, Row]) -> None:
        self._rows = rows

    @property
    def at(self) -> At:
        """Where the first of them was read."""
        row = next(iter(self._rows.values()), None)
        return At(row.file, row.line) if row is not None else At()

    def at_of(self, setting: str) -> At:
        """Where one was read; where the first was, if there is none."""
        row = self._rows.get(setting)
        return At(row.file, row.line) if row is not None else self.at

    def first_of(self, settings: Iterable[str]) -> At:
        """Where the first of some settings was read that is there and says something."""
        found = (self._rows[setting] for setting in settings if setting in self._rows)
        return next((At(row.file, row.line) for row in found if row.value), At())

    def text(self, setting: str) -> str:
        row = self._rows.get(setting)
        return row.value if row is not None and isinstance(row.value, str) else ""

    def number(self, setting: str, default: int = 0) -> int:
        row = self._rows.get(setting)
        return row.value if row is not None and isinstance(row.value, int) else default

    def is_on(self, setting: str, *, default: bool = False) -> bool:
        row = self._rows.get(setting)
        return bool(row.value) if row is not None else default

    def words(self, setting: str) -> frozenset[str]:
        row = self._rows.get(setting)
        return row.value if row is not None and isinstance(row.value, frozenset) else frozenset()

    def numbers(self, setting: str) -> tuple[int, ...]:
        row = self._rows.get(setting)
        return row.value if row is not None and isinstance(row.value, tuple) else NO_CLASSES

    def policies(self, way: str) -> dict[str, Policy]:
        """Family → terms."""
        found = ((family, self._rows.get(name)) for family, name in OF_FAMILIES[way])
        return {family: row.value for family, row in found if row is not None and isinstance(row.value, Policy)}

    def policy(self, setting: str) -> Policy | None:
        row = self._rows.get(setting)
        return row.value if row is not None and isinstance(row.value, Policy) else None


def _in_vrf(name: str) -> tuple[str, str]:
    vrf, _, rest = name.rpartition(" ")
    return vrf, rest


def _ports(things: Things) -> Iterable[PortView]:
    for name, rows in things.get("port", {}).items():
        yield _port(name, _Settings(rows))
    for name, rows in things.get("subinterface", {}).items():
        yield _port(name, _Settings(rows))
    for name, rows in things.get("loopback", {}).items():
        yield _port(loopback_name(name), _Settings(rows))


def loopback_name(number: str | int) -> str:
    """The name of a loopback among the ports of a view."""
    return f"{LOOPBACK}{number}"


def _port(name: str, rows: _Settings) -> PortView:
    return PortView(
        name=name,
        vrf=rows.text("vrf"),
        enabled=rows.is_on("enabled", default=True),
        mtu=rows.number("mtu"),
        addresses=rows.words("ipv4") | rows.words("ipv6"),
        unnumbered=rows.is_on("unnumbered"),
        lossless=(rows.numbers("pfc"), rows.numbers("dscp-classes"), rows.numbers("class-queues")),
        watchdog=bool(rows.numbers("watchdog")),
        at=rows.at,
    )


OWN = frozenset({"description", "remote-as", "extended-next-hop", "restart"})
"""Settings that sessions of one group have of their own, and those that no view has."""


def _sessions(things: Mapping[str, dict[str, Row]]) -> Iterator[SessionView]:
    """All sessions. Those whose other values are the same objects, as parsers give them to a group, are made of one."""
    alike: dict[tuple[object, ...], SessionView] = {}
    for name, rows in things.items():
        key = (
            *rows,
            *(
                (id(row.value), row.file, row.line) if setting in UNDOING else id(row.value)
                for setting, row in rows.items()
                if setting not in OWN
            ),
        )
        first = alike.get(key)
        if first is None:
            alike[key] = first = _session(_Settings(rows))
        vrf, peer = _in_vrf(name)
        settings = _Settings(rows)
        yield new(SessionView, (vrf, peer, settings.number("remote-as"), *first[3:-1], settings.at_of("remote-as")))


def _session(rows: _Settings) -> SessionView:
    source = rows.text("source") or rows.number("source", -1)
    return SessionView(
        vrf="",
        peer="",
        remote_as=0,
        enabled=rows.is_on("enabled", default=True),
        families=rows.words("families"),
        policies_in=rows.policies("policy-in"),
        policies_out=rows.policies("policy-out"),
        limits={family: most for family, name in LIMITS if (most := rows.number(name))},
        multihop=rows.number("multihop"),
        ttl_hops=rows.number("ttl-hops"),
        source=source if isinstance(source, str) else loopback_name(source) if source >= 0 else "",
        unchanged=rows.is_on("next-hop-unchanged"),
        extended=rows.is_on("extended-communities"),
        password=rows.text("password"),
        timers=(rows.number("keepalive"), rows.number("hold")),
        bfd=rows.is_on("bfd"),
        own_as=tuple((family, most) for family in FAMILIES if (most := rows.number(f"own-as.{family}"))),
        overrides=frozenset(family for family in FAMILIES if rows.is_on(f"as-override.{family}")),
        removes=frozenset(family for family in FAMILIES if rows.is_on(f"remove-private-as.{family}")),
        loops_at=rows.first_of(UNDOING),
        at=At(),
    )


def _gateway(name: str, rows: _Settings) -> GatewayView:
    return GatewayView(name, rows.text("vrf"), rows.text("mac"), rows.words("ipv4") | rows.words("ipv6"), rows.at)


def _segment(name: str, rows: _Settings) -> LagView:
    return LagView(
        number=name,
        description=rows.text("description"),
        esi=rows.text("esi"),
        system_id=rows.text("system-id"),
        df_preference=rows.number("df-preference"),
        at=rows.at_of("esi"),
    )


def _instance(kind: str, name: str, rows: _Settings) -> InstanceView:
    return InstanceView(
        kind=kind,
        name=name,
        vni=rows.number("vni"),
        rd=rows.text("rd"),
        imports=rows.words("imports"),
        exports=rows.words("exports"),
        import_policy=rows.policy("import-policy"),
        lines={setting: rows.at_of(setting) for setting in ("imports", "exports", "import-policy")},
        at=rows.at,
    )


@cache
def network_of(address: str) -> str:
    """The prefix that an address with its length is in."""
    return prefix(address) or str(ip_interface(address).network)


def covers(wide: str, prefix: str) -> bool:
    """Whether a prefix is in another one, or the same."""
    same = family_of(wide) == family_of(prefix)
    return same and ip_network(prefix).subnet_of(ip_network(wide))  # type: ignore[arg-type]


def nested(networks: Collection[Network]) -> Iterator[tuple[Network, Network]]:
    """Each network with each that it is in, itself among them."""
    lengths = {(network.version, network.prefixlen) for network in networks}
    for network in networks:
        for version, length in lengths:
            if version == network.version and length <= network.prefixlen:
                wide = network.supernet(new_prefix=length)
                if wide in networks:
                    yield network, wide


def host_of(address: str) -> str:
    """An address without its length."""
    return address.partition("/")[0]
