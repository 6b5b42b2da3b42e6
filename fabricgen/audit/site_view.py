"""All switches of a site by their text, with the cables of the plan: which session and which link leads where."""

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from fabricgen.audit.views import PortView, SessionView, SwitchView, host_of, network_of
from fabricgen.device.device import Device
from fabricgen.readback.rows import new


class End(NamedTuple):
    """A port of a switch."""

    switch: str
    port: str


class Outside(NamedTuple):
    """A session of the plan whose other end is no switch of the site."""

    switch: str
    vrf: str
    peer: str


class NicEnd(NamedTuple):
    """The lossless class of a NIC.

    priorities  of each DSCP; mtu: octets of an IP packet, 0 behind a switched port, which has none
    watched     a PFC watchdog is planned on the port of the leaf
    """

    priority: int
    priorities: tuple[int, ...]
    mtu: int
    watched: bool

    @property
    def code_points(self) -> frozenset[int]:
        """Code points that it sends in the lossless class."""
        return frozenset(dscp for dscp, priority in enumerate(self.priorities) if priority == self.priority)


class Session(NamedTuple):
    """A session from one end. far: the switch that has the peer's address; back: its session to here, None: none.

    over  the own port that leads to the peer; empty for a session between loopbacks
    """

    switch: str
    near: SessionView
    far: str
    back: SessionView | None
    over: str


class Arc(NamedTuple):
    """A session in the direction in which routes go: out of `near` of the sender, into `back` of the receiver.

    over  port of the receiver; empty for a session between loopbacks
    """

    sender: str
    near: SessionView
    receiver: str
    back: SessionView
    over: str


class Owner(NamedTuple):
    """A port that has an address, its switch, and the address with its length."""

    switch: str
    port: PortView
    address: str


def cables_of(device: Device, names: Container[str]) -> dict[End, End]:
    """Cables of a switch to other switches of the site, by its own end."""
    return {
        End(device.name, port.name): End(port.peer, port.peer_port)
        for port in device.interfaces.ethernet
        if port.peer in names
    }


def outside_of(device: Device) -> frozenset[Outside]:
    """Sessions of a switch with peers outside the site, and with servers."""
    servers = {row.name for row in device.interfaces.ethernet if row.profile.role == "host"}
    bgp = device.routing.bgp
    return frozenset(
        chain(
            (Outside(device.name, vrf.name, neighbor.address) for vrf in bgp.vrfs for neighbor in vrf.neighbors),
            (Outside(device.name, "", row.interface) for row in bgp.neighbors if row.interface in servers),
        )
    )


def leaks_of(device: Device) -> dict[tuple[str, str], frozenset[str]]:
    """Fabric and VRF → VRFs whose routes the plan lets into it."""
    return {(device.fabric, vrf.name): frozenset(vrf.imports) for vrf in device.routing.bgp.vrfs}


class SiteView:
    """Views of all switches, and what no text says: cables, sessions with the outside, planned leaks, NICs.

    absent  fabric → its switches without a configuration → their roles
    """

    def __init__(
        self,
        switches: Iterable[SwitchView],
        cables: Mapping[End, End],
        outside: frozenset[Outside],
        leaks: Mapping[tuple[str, str], frozenset[str]],
        nics: Mapping[End, NicEnd],
        absent: Mapping[str, Mapping[str, str]],
    ) -> None:
        self.switches = {switch.name: switch for switch in switches}
        self.cables = cables
        self.outside = outside
        self.leaks = leaks
        self.nics = nics
        self.absent = absent

    @cached_property
    def fabrics(self) -> dict[str, list[SwitchView]]:
        """Switches by fabric."""
        fabrics: dict[str, list[SwitchView]] = {}
        for switch in self.switches.values():
            fabrics.setdefault(switch.fabric, []).append(switch)
        return fabrics

    @cached_property
    def tiers(self) -> dict[str, int]:
        """How far each switch is above the servers."""
        return {switch.name: switch.tier for switch in self.switches.values()}

    @cached_property
    def owners(self) -> dict[tuple[str, str, str], Owner]:
        """Fabric, VRF and address → the first port that has it. Gateways, which every leaf has, are not among them."""
        return self._owners[0]

    @cached_property
    def other_owners(self) -> dict[tuple[str, str, str], list[Owner]]:
        """The same → all other ports that have it, where there are some, in the order of `owners`."""
        others = self._owners[1]
        return {key: others[key] for key in self.owners if key in others} if others else {}

    @cached_property
    def _owners(self) -> tuple[dict[tuple[str, str, str], Owner], dict[tuple[str, str, str], list[Owner]]]:
        owners: dict[tuple[str, str, str], Owner] = {}
        others: dict[tuple[str, str, str], list[Owner]] = {}
        for switch in self.switches.values():
            for port in switch.ports.values():
                for address in port.addresses:
                    key, owner = (switch.fabric, port.vrf, host_of(address)), new(Owner, (switch.name, port, address))
                    if owners.setdefault(key, owner) is not owner:
                        others.setdefault(key, []).append(owner)
        return owners, others

    @cached_property
    def sessions(self) -> tuple[Session, ...]:
        """Every session with a switch of the site; those whose peer no switch has are not among them."""
        return tuple(chain.from_iterable(self._by_switch.values()))

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        """Sessions of default VRFs that come up by what the two ends say of each other."""
        inward = {(session.switch, session.near.peer): session.over for session in self.sessions}
        return tuple(
            Arc(session.switch, session.near, session.far, back, inward.get((session.far, back.peer), ""))
            for session in self.sessions
            if (back := session.back) is not None and not session.near.vrf and self.is_up(session)
        )

    def is_up(self, session: Session) -> bool:
        """Whether a session comes up by what the two ends say of each other."""
        near, back = session.near, session.back
        if back is None or not (near.enabled and back.enabled and near.password == back.password):
            return False
        if not (near.takes(back) and back.takes(near)):
            return False
        if self._shut:
            here = End(session.switch, session.over)
            if not self._shut.isdisjoint((here, self.cables.get(here, here))):
                return False
        return near.remote_as == self.switches[session.far].asn and back.remote_as == self.switches[session.switch].asn

    @cached_property
    def _shut(self) -> frozenset[End]:
        """Ports that are shut."""
        switches = self.switches.values()
        return frozenset(
            End(switch.name, port.name) for switch in switches for port in switch.ports.values() if not port.enabled
        )

    @cached_property
    def _by_switch(self) -> dict[str, list[Session]]:
        return {switch.name: list(self._sessions(switch)) for switch in self.switches.values()}

    def sessions_of(self, switch: str) -> list[Session]:
        """Sessions of one switch with others of the site."""
        return self._by_switch.get(switch, [])

    def _sessions(self, switch: SwitchView) -> Iterator[Session]:
        subnets = {
            (port.vrf, network_of(address)): port for port in switch.ports.values() for address in port.addresses
        }
        for near in switch.sessions:
            session = self._over_port(switch, near) if near.peer in switch.ports else self._to(switch, near, subnets)
            if session is not None:
                yield session

    def _over_port(self, switch: SwitchView, near: SessionView) -> Session | None:
        end = self.cables.get(End(switch.name, near.peer))
        if end is None or end.switch not in self.switches:
            return None
        back = self._by_peer[end.switch].get((near.vrf, end.port))
        return Session(switch.name, near, end.switch, back, near.peer)

    def _to(self, switch: SwitchView, near: SessionView, subnets: Mapping[tuple[str, str], PortView]) -> Session | None:
        """A session with an address. subnets: VRF and subnet → the port in it."""
        owner = self.owners.get((switch.fabric, near.vrf, near.peer))
        if owner is None:
            return None
        far, _, address = owner
        port = switch.ports.get(near.source) if near.source else subnets.get((near.vrf, network_of(address)))
        over = port.name if port is not None and not near.source else ""
        back = self._back(far, near, port.addresses if port is not None else (near.source,))
        return new(Session, (switch.name, near, far, back, over))

    def _back(self, far: str, near: SessionView, addresses: Iterable[str]) -> SessionView | None:
        """The session of the far switch with one of these addresses, in the family of the near session."""
        rows, vrf, is_ipv6 = self._by_peer[far], near.vrf, ":" in near.peer
        found: list[SessionView] = []
        for address in addresses:
            if (":" in address) is is_ipv6 and (row := rows.get((vrf, host_of(address)))) is not None:
                found.append(row)
        return found[0] if len(found) == 1 else min(found, key=self.switches[far].sessions.index, default=None)

    @cached_property
    def _by_peer(self) -> dict[str, dict[tuple[str, str], SessionView]]:
        """Switch → VRF and peer → its first session with it."""
        return {
            switch.name: {(row.vrf, row.peer): row for row in reversed(switch.sessions)}
            for switch in self.switches.values()
        }
