"""Values of one switch that the rules over all switches need: read once, in one pass over its ports."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple, TypeVar

from fabricgen.base.addresses import Network
from fabricgen.checks.lossless.buffers import NO_SOURCE, less_headroom, room_faults
from fabricgen.checks.lossless.lossless_switches import LosslessSwitch, boxes, room_of
from fabricgen.checks.routing.isolation import Crossing, accepted_prefixes, carried_out, crossings, plane_of, uncabled
from fabricgen.checks.routing.mtu import mtu_source
from fabricgen.checks.routing.shared_backend import TenantLeak, faults
from fabricgen.checks.routing.valleys import Turns, is_down, own_lists, turns_between, upward
from fabricgen.checks.support.limits import Limited
from fabricgen.checks.switches.link_consistency import LinkClassValues, LinkConsistency
from fabricgen.checks.switches.link_ends import FABRIC_ROLES, LinkEnd
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.qos import Qos
from fabricgen.device.routing import PeerGroup, PrefixList
from fabricgen.errors import IntentPath
from fabricgen.intent.fabric import Backend, is_lossless, overlay_of
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import UPPER
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS, supports
from fabricgen.policy.headroom import profile_faults

K = TypeVar("K")
V = TypeVar("V")


class Fit(NamedTuple):
    """Headroom over the cables as built in one kind of switch.

    box       its index in `boxes`
    why, fix  why it does not fit, and the fix; empty where it fits
    """

    box: int
    why: str = ""
    fix: str = ""


class CableDemand(NamedTuple):
    """Headroom needs of a switch's cables. `box`: index in `boxes`; lacking: number of links with unknown headroom."""

    box: int
    qos: Qos
    lacking: int


class Ends(NamedTuple):
    """Ends of links where overrides may make them differ: by class, one by one, and the sources of each MTU."""

    knots: frozenset[LinkClassValues] = frozenset()
    single: tuple[LinkEnd, ...] = ()
    mtu_sources: tuple[tuple[int, IntentPath], ...] = ()


class SwitchObservation(NamedTuple):
    """Values kept of one switch: a few numbers, and the turns that its policy allows.

    upper       whether it has others below it
    seed        as in its files; None if its system has no setting
    classes     marking, DSCP map, queue map and lossless priorities; every switch of a fabric has the same
    kmax        speed → depth at which marking is certain, the largest intended depth of a queue
    lengths     shortest and longest of its uplinks in metres; empty where it has none
    crossings   switches of other planes that it leads to
    ends        link ends that overrides may make differ
    limits      values that its platform does not support
    """

    name: str
    role: str
    upper: bool
    seed: int | None
    gap_us: int
    mtus: frozenset[int]
    gateway_mtu: int
    lossless_bridged: str
    classes: tuple[object, ...]
    kmax: frozenset[tuple[int, int]]
    fits: tuple[Fit, ...]
    lengths: tuple[float, ...]
    openings: tuple[str, ...]
    shared: tuple[TenantLeak, ...]
    turns: Turns
    crossings: tuple[Crossing, ...]
    ends: Ends
    limits: Limited


class PortSurvey(NamedTuple):
    """Result of one pass over the ports. peers: far device → role of the ports towards it."""

    peers: dict[str, str]
    mtus: frozenset[int]
    lengths: tuple[float, ...]


class PolicyShape(NamedTuple):
    """What turns and openings depend on, except the switch's own prefixes: equal on most switches of a role."""

    policy: tuple[object, ...]
    lists: tuple[PrefixList, ...]
    exact: frozenset[str]
    groups: tuple[PeerGroup, ...]
    downward: tuple[bool, ...]
    has_above: bool


KEPT = 64
"""Limit of each cache: more than a fabric has roles, states and settings at once, and at most a few kB."""


class Observer:
    """Observes switches of one fabric one by one, with caches for what equal switches share."""

    def __init__(self, plan: Plan, name: str) -> None:
        self._fabric = fabric = plan.fabrics[name]
        self._settings = settings = plan.intent.fabrics[name]
        pools = (settings.addressing.ipv4, settings.addressing.ipv6)
        self._prefixes: tuple[Network, ...] = tuple(pool for pool in pools if pool is not None)
        has_headroom = has_own_headroom(fabric)
        self._boxes = tuple(box for box in boxes(plan) if box.name == name) if has_headroom else ()
        self._weave = LinkConsistency(fabric)
        self._manners: list[tuple[PolicyShape, Turns]] = []
        self._planes: dict[tuple[str, ...], frozenset[int | None]] = {}
        self._rooms: list[tuple[CableDemand, Fit]] = []
        self._classes: list[tuple[Qos | None, tuple[tuple[object, ...], frozenset[tuple[int, int]]]]] = []

    def observe(self, device: Device) -> SwitchObservation:
        """Return the observation of one switch."""
        panel = panel_of(device.interfaces.ethernet)
        turns, accepted = self._policy(device, panel.peers)
        classes, kmax = self._qos(device.qos)
        shared = overlay_of(self._settings) is not None
        is_backend = isinstance(self._settings, Backend)
        return SwitchObservation(
            name=device.name,
            role=device.role,
            upper=bool(turns.below) or device.role in UPPER,
            seed=device.load_balancing.seed if supports(device.system, "hash-seed") else None,
            gap_us=device.load_balancing.flowlet_gap_us,
            mtus=panel.mtus,
            gateway_mtu=max((gateway.mtu for gateway in device.evpn.gateways), default=0) if device.evpn else 0,
            lossless_bridged=_bridged(device, is_frontend=is_lossless(self._settings) and not is_backend),
            classes=classes,
            kmax=kmax,
            fits=tuple(self._fit(device)) if self._boxes else (),
            lengths=panel.lengths,
            openings=(*carried_out(device, self._prefixes, shared=shared), *accepted) if is_backend else (),
            shared=tuple(faults(device)) if is_backend and shared else (),
            turns=turns,
            crossings=self._crossed(device, turns.above, panel.peers),
            ends=self._ends(device),
            limits=tuple(PLATFORMS[device.system].limits(device)),
        )

    def _policy(self, device: Device, peers: Mapping[str, str]) -> tuple[Turns, tuple[str, ...]]:
        """Return the turns of a switch, and what it would accept from outside.

        Computed again if a session has maps of its own, or if something is accepted, as the texts then name this
        switch. Else the result of a switch with an equal policy is returned, with this name.
        """
        # `manner` is the cache key: switches with equal ones differ in names only.
        above = upward(peers)
        if any(row.route_map_in or row.route_map_out for row in device.routing.bgp.neighbors):
            return turns_between(device, peers), tuple(accepted_prefixes(device, self._prefixes))
        policy, groups = device.routing.policy, device.routing.bgp.groups
        exact = own_lists(device)
        lists = tuple([item for item in policy.prefix_lists if item.name not in exact])
        downward = tuple([is_down(device, group, peers) for group in groups])
        manner = PolicyShape((policy.route_maps, policy.community_lists), lists, exact, groups, downward, bool(above))
        known = next((item for same, item in self._manners if same == manner), None)
        if known is not None:
            return known._replace(name=device.name, above=above), ()
        item, accepted = turns_between(device, peers), tuple(accepted_prefixes(device, self._prefixes))
        if not accepted:
            self._manners = [(manner, item), *self._manners[: KEPT - 1]]
        return item, accepted

    def _qos(self, qos: Qos | None) -> tuple[tuple[object, ...], frozenset[tuple[int, int]]]:
        # Equal switches share the object: the test of identity is much cheaper.
        return _recalled(self._classes, qos, lambda: (_classes(qos), _kmax(qos)))

    def _crossed(self, device: Device, above: tuple[str, ...], peers: Mapping[str, str]) -> tuple[Crossing, ...]:
        """Return switches of other planes that one leads to; those above are looked up once for each set of them."""
        if self._fabric.shape.planes == 1:
            return ()
        planes = self._planes.get(above)
        if planes is None:
            planes = self._planes[above] = frozenset(plane_of(self._fabric, name) for name in above)
        uncabled_peers = uncabled(device, peers)
        if not uncabled_peers and planes <= {plane_of(self._fabric, device.name)}:
            return ()
        return crossings(self._fabric, device.name, (*above, *uncabled_peers))

    def _fit(self, device: Device) -> Iterator[Fit]:
        """Yield the fit of headroom for cables of the cable file; the default lengths are checked without switches."""
        if device.qos is None:
            return
        lacking = sum(not row.headroom_octets for row in device.interfaces.ethernet if row.profile.qos)
        for index, box in enumerate(self._boxes):
            if device.role == box.role and device.hardware.model == box.chassis.switch.model:
                cables = CableDemand(index, device.qos, lacking)
                yield _recalled(self._rooms, cables, partial(_fit, box, cables))

    def _ends(self, device: Device) -> Ends:
        """Return the ends of its links, with or without overrides: all are needed to compare."""
        weave = self._weave
        sources: dict[int, IntentPath] = {}
        for end in weave.owned(device):
            source = mtu_source(self._fabric, (end.near,))
            if source[:1] == ("overrides",):
                sources.setdefault(end.mtu, source)
        return Ends(weave.knots(device), weave.single(device), tuple(sources.items()))


def _recalled(cache: list[tuple[K, V]], key: K, make: Callable[[], V]) -> V:
    """Return the value of an equal key, or a new one; the cache keeps the last KEPT values."""
    for known, value in cache:
        if known is key or known == key:
            return value
    value = make()
    cache[:] = [(key, value), *cache[: KEPT - 1]]
    return value


def has_own_headroom(fabric: FabricPlan) -> bool:
    """Return whether ports have other headroom than by the default lengths, from a cable file or overrides."""
    exceptions = fabric.exceptions
    return bool(exceptions.cables) or any(port.headroom_octets for port in exceptions.port_settings.values())


def panel_of(rows: tuple[Ethernet, ...]) -> PortSurvey:
    """Return the survey of all ports, in one pass."""
    peers: dict[str, str] = {}
    mtus: set[int] = set()
    lengths: set[float] = set()
    last: tuple[object, float] = (None, 0.0)
    for row in rows:
        profile = row.profile
        role = profile.role
        peers[row.peer] = role
        # Ports come in runs of one profile and length: read each run once.
        if profile is not last[0] or row.length_m != last[1]:
            last = (profile, row.length_m)
            if role in FABRIC_ROLES:
                mtus.add(profile.mtu)
            if role == "uplink":
                lengths.add(row.length_m)
    return PortSurvey(peers, frozenset(mtus), (min(lengths), max(lengths)) if lengths else ())


def _bridged(device: Device, *, is_frontend: bool) -> str:
    """Return the first port with a lossless class on a bridged VLAN; empty where there is none.

    On a lossless frontend only ports between switches count: what a server floods leaves by tunnels, which lead to
    other servers alone.
    """
    rows = device.interfaces.ethernet
    if is_frontend:
        rows = tuple(row for row in rows if row.profile.role in FABRIC_ROLES)
    has_vlans = not is_frontend and device.evpn is not None and bool(device.evpn.vlans)
    bridged_ports = (row.name for row in rows if (has_vlans or row.switching is not None) and row.profile.qos)
    return next(bridged_ports, "")


def _classes(qos: Qos | None) -> tuple[object, ...]:
    if qos is None:
        return ()
    priorities = tuple(sorted({profile.lossless_priorities for profile in qos.profiles}))
    return (qos.marking, qos.dscp_classes, qos.class_queues, priorities)


def _kmax(qos: Qos | None) -> frozenset[tuple[int, int]]:
    profiles = qos.profiles if qos else ()
    return frozenset(
        (profile.speed_gbps, max((queue.ecn.maximum_octets for queue in profile.queues if queue.ecn), default=0))
        for profile in profiles
    )


def _fit(box: LosslessSwitch, cables: CableDemand) -> Fit:
    """Return whether the headroom of these ports fits, as rendered."""
    if cables.lacking:
        return Fit(cables.box, f"no source gives the PFC headroom of {cables.lacking} of its links", NO_SOURCE)
    room = room_of(box, cables.qos)
    if room is not None and (reasons := room_faults(room)):
        return Fit(cables.box, reasons[0], less_headroom(room, box.name))
    octets = (row.octets for row in cables.qos.headroom)
    for reason in profile_faults(octets, box.chassis.asic.headroom_profiles):
        return Fit(cables.box, reason, "round the lengths of the cables to fewer values")
    return Fit(cables.box)
