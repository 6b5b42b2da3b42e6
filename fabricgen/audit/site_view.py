"""All switches of a site by their text, with the cables of the plan: which session and which link leads where."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from fabricgen.audit.views import PortView, SessionView, SwitchView, host_of, network_of
from fabricgen.device.device import Device


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

    priorities  of each DSCP; mtu: octets of an IP packet
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
    """A port that has an address, and the subnet of the address."""

    end: End
    network: str


def cables_of(device: Device, names: Iterable[str]) -> dict[End, End]:
    """Cables of a switch to other switches of the site, by its own end."""
    known = frozenset(names)
    return {
        End(device.name, port.name): End(port.peer, port.peer_port)
        for port in device.interfaces.ethernet
        if port.peer in known
    }


def outside_of(device: Device) -> frozenset[Outside]:
    """Sessions of a switch with peers outside the site."""
    return frozenset(
        Outside(device.name, vrf.name, neighbor.address)
        for vrf in device.routing.bgp.vrfs
        for neighbor in vrf.neighbors
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
    def owners(self) -> dict[tuple[str, str, str], list[Owner]]:
        """Fabric, VRF and address → ports that have it. Gateways, which every leaf has, are not among them."""
        owners: dict[tuple[str, str, str], list[Owner]] = {}
        for switch in self.switches.values():
            for port in switch.ports.values():
                end = End(switch.name, port.name)
                for address in port.addresses:
                    key = (switch.fabric, port.vrf, host_of(address))
                    owners.setdefault(key, []).append(Owner(end, network_of(address)))
        return owners

    @cached_property
    def sessions(self) -> tuple[Session, ...]:
        """Every session with a switch of the site; those whose peer no switch has are not among them."""
        return tuple(session for switch in self.switches.values() for session in self._sessions(switch))

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
        here = End(session.switch, session.over)
        if self._is_shut(here) or self._is_shut(self.cables.get(here, here)):
            return False
        return near.remote_as == self.switches[session.far].asn and back.remote_as == self.switches[session.switch].asn

    def _is_shut(self, end: End) -> bool:
        """Whether a port is shut; one that is not here is not."""
        port = self.switches[end.switch].ports.get(end.port) if end.switch in self.switches else None
        return port is not None and not port.enabled

    @cached_property
    def _by_switch(self) -> dict[str, list[Session]]:
        rows: dict[str, list[Session]] = {}
        for session in self.sessions:
            rows.setdefault(session.switch, []).append(session)
        return rows

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
        return Session(switch.name, near, end.switch, self._back(end.switch, near.vrf, (end.port,)), near.peer)

    def _to(self, switch: SwitchView, near: SessionView, subnets: Mapping[tuple[str, str], PortView]) -> Session | None:
        """A session with an address. subnets: VRF and subnet → the port in it."""
        owners = self.owners.get((switch.fabric, near.vrf, near.peer))
        if not owners:
            return None
        (far, _), network = owners[0]
        port = switch.ports.get(near.source) if near.source else subnets.get((near.vrf, network))
        addresses, is_ipv6 = port.addresses if port is not None else (near.source,), ":" in near.peer
        spoken = [host_of(address) for address in addresses if (":" in address) is is_ipv6]
        over = port.name if port is not None and not near.source else ""
        return Session(switch.name, near, far, self._back(far, near.vrf, spoken), over)

    def _back(self, far: str, vrf: str, peers: Iterable[str]) -> SessionView | None:
        """The session of the far switch with one of these peers."""
        found = [row for peer in peers if (row := self._by_peer.get((far, vrf, peer))) is not None]
        return min(found, key=itemgetter(0))[1] if found else None

    @cached_property
    def _by_peer(self) -> dict[tuple[str, str, str], tuple[int, SessionView]]:
        """Switch, VRF and peer → the first session with it, and its number."""
        found: dict[tuple[str, str, str], tuple[int, SessionView]] = {}
        for switch in self.switches.values():
            for number, row in enumerate(switch.sessions):
                found.setdefault((switch.name, row.vrf, row.peer), (number, row))
        return found
