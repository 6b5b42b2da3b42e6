"""Blast radius of a class of changed switches: GPUs, rails and tenants, and the share of bandwidth above the leaves.

On a backend, a port towards a server reaches the GPUs of its NIC, on a frontend all GPUs of the server. A leaf reaches
those of all of its ports. A cable between switches reaches no GPU by itself: it is a share of the bisection, which is
that of all cables between the same two tiers; with several tiers the larger share counts. What exists on one side only
is looked up there; what changes, on both.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.changes.kind import BlastRadius
from fabricgen.changes.kinds.catalogue import KIND
from fabricgen.diff.fabric_view import NameChanges, View, lower_tier, make_view, names_of, servers_with_gpus
from fabricgen.diff.groups import ChangedSwitch
from fabricgen.diff.model import Blast
from fabricgen.plan.exceptions import server_name
from fabricgen.plan.fabric import binding_of, name_of, port_text
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.tenants import owner_of
from fabricgen.plan.wiring import HostPort, Uplink, downlinks, host_ports, uplinks


@dataclass(slots=True)
class _Wanted:
    """What the changes of one switch concern on one side. `vrfs`: of tenants; every_vrf: all of them."""

    whole: bool = False
    ports: set[str] = field(default_factory=set)
    peers: set[str] = field(default_factory=set)
    vrfs: set[str] = field(default_factory=set)
    every_vrf: bool = False

    def add(self, change: DeviceChange) -> None:
        reach = KIND[change.kind].reach
        if reach is BlastRadius.SWITCH and not (change.port or change.peer):
            self.whole = True
        elif reach is BlastRadius.VRF and not change.port:
            if change.vrf:
                self.vrfs.add(change.vrf)
            else:
                self.every_vrf = True
        elif reach is not BlastRadius.NOTHING:
            if change.port:
                self.ports.add(change.port)
            elif change.peer:
                self.peers.add(change.peer)
            else:
                self.whole = True

    @property
    def is_empty(self) -> bool:
        return not (self.whole or self.ports or self.peers or self.vrfs or self.every_vrf)


@dataclass(slots=True)
class _Reached:
    """What a class reaches on one side.

    gpus    server group → slot → its GPUs, one bit each
    gbps    fabric, by its name after the change, and lower tier → bandwidth of the cables to the tier above
    cables  those cables, by their lower end, one bit each: a leaf and a spine of one class share some
    """

    gpus: dict[str, dict[int, int]] = field(default_factory=dict)
    rails: set[int] = field(default_factory=set)
    tenants: set[str] = field(default_factory=set)
    gbps: dict[tuple[str, Tier], int] = field(default_factory=dict)
    gbps_all: dict[tuple[str, Tier], int] = field(default_factory=dict)
    cables: dict[Place, int] = field(default_factory=dict)


class Radius:
    """Blast radius of any class between two plans. Fabrics are looked up once."""

    def __init__(self, before: Plan, after: Plan) -> None:
        names, same = names_of(before, after), NameChanges({}, {})
        self._before = {name: make_view(before, name, names) for name in before.fabrics}
        self._after = {name: make_view(after, name, same) for name in after.fabrics}
        # A slot with a server on both sides is counted once, with its GPUs of after.
        sides = ((before, names.groups), (after, same.groups))
        servers = {(group, slot): gpus for side in sides for group, slot, gpus in servers_with_gpus(*side)}
        self._gpus_all = sum(servers.values())

    def of(self, group: Iterable[ChangedSwitch]) -> Blast:
        """Blast radius of the changes of these switches."""
        before, after = _Reached(), _Reached()
        for switch in group:
            if switch.before is not None:
                wanted = _wanted(switch.changes, ChangeOp.ADDED)
                _reach(self._before[switch.before.fabric], (switch.before, switch.fabric), wanted, before)
            if switch.after is not None:
                wanted = _wanted(switch.changes, ChangeOp.REMOVED)
                _reach(self._after[switch.after.fabric], (switch.after, switch.fabric), wanted, after)
        groups = before.gpus.keys() | after.gpus.keys()
        # The largest share of each fabric's bandwidth, of both sides and all tiers.
        largest_share: dict[str, Fraction] = {}
        for reached in (before, after):
            for (fabric, tier), gbps in reached.gbps.items():
                share = Fraction(gbps, reached.gbps_all[fabric, tier])
                largest_share[fabric] = max(largest_share.get(fabric, Fraction(0)), share)
        return Blast(
            gpus=sum(_together(before.gpus.get(name, {}), after.gpus.get(name, {})) for name in groups),
            gpus_all=self._gpus_all,
            rails=tuple(sorted(before.rails | after.rails)),
            tenants=tuple(sorted(before.tenants | after.tenants)),
            bisection=dict(sorted(largest_share.items())),
        )


def _together(before: Mapping[int, int], after: Mapping[int, int]) -> int:
    """Number of GPUs that either side has."""
    return sum((before.get(slot, 0) | after.get(slot, 0)).bit_count() for slot in before.keys() | after.keys())


def _wanted(changes: Iterable[DeviceChange], other_side: ChangeOp) -> _Wanted:
    """What the changes concern, without those that exist on the other side only."""
    wanted = _Wanted()
    for change in changes:
        if change.change is not other_side:
            wanted.add(change)
    return wanted


def _reach(view: View, at: tuple[Place, str], wanted: _Wanted, reached: _Reached) -> None:
    """Add what the wanted parts of one switch reach. `at`: its place, and its fabric's name after the change."""
    if wanted.is_empty:
        return
    place, fabric = at
    if place.tier is Tier.LEAF:
        for host in _hosts(view, place, wanted):
            _reach_host(view, host, reached)
    _reach_tenants(view, place, wanted, reached)
    for link in _links(view, place, wanted):
        known, bit = reached.cables.get(link.lower, 0), 1 << link.number
        if not known & bit:
            reached.cables[link.lower] = known | bit
            between = (fabric, lower_tier(link.lower))
            reached.gbps[between] = reached.gbps.get(between, 0) + link.lower_port.speed_gbps
            reached.gbps_all[between] = view.gbps[between[1]]


def _reach_host(view: View, host: HostPort, reached: _Reached) -> None:
    tenant = _owner(view, host)
    if tenant:
        reached.tenants.add(view.tenant_names[tenant])
    if host.present:
        nic = view.nics[host.group][host.nic]
        slots = reached.gpus.setdefault(view.names[host.group], {})
        slots[host.slot] = slots.get(host.slot, 0) | sum(1 << gpu for gpu in nic.gpus)
        reached.rails.update(nic.rails)


def _owner(view: View, host: HostPort) -> str:
    """Tenant of the server on a port, on a shared backend of its NIC; empty for none."""
    rails = view.nics[host.group][host.nic].rails
    return owner_of(view.owned[host.group], host.slot, rails[0] if rails else 0)


def _hosts(view: View, leaf: Place, wanted: _Wanted) -> Iterator[HostPort]:
    """The wanted ports of a leaf towards servers."""
    for host in host_ports(view.fabric, leaf):
        if wanted.whole or wanted.every_vrf or _is_wanted_host(view, leaf, host, wanted):
            yield host


def _is_wanted_host(view: View, leaf: Place, host: HostPort, wanted: _Wanted) -> bool:
    return bool(
        (wanted.ports and port_text(view.fabric, leaf, host.port) in wanted.ports)
        or (wanted.peers and server_name(view.fabric.exceptions, host.group, host.slot) in wanted.peers)
        or (wanted.vrfs and _owner(view, host) in wanted.vrfs)
    )


def _reach_tenants(view: View, place: Place, wanted: _Wanted, reached: _Reached) -> None:
    """Add tenants that the changes name, and those that leave the fabric by wanted ports of a border leaf."""
    reached.tenants |= {view.tenant_names[name] for name in wanted.vrfs if name in view.tenant_names}
    if place.tier is not Tier.BORDER:
        return
    down = binding_of(view.fabric, place).down
    for tenant in view.tenants:
        for external in tenant.external:
            is_here = external.border == place.index
            if is_here and (
                wanted.whole
                or wanted.every_vrf
                or external.peer in wanted.peers
                or port_text(view.fabric, place, down[external.port]) in wanted.ports
            ):
                reached.tenants.add(view.tenant_names[tenant.name])


def _links(view: View, place: Place, wanted: _Wanted) -> Iterator[Uplink]:
    """The wanted cables to other switches."""
    if not (wanted.whole or wanted.ports or wanted.peers):
        return
    below = downlinks(view.fabric, place) if place.tier in UPPER else ()
    for link in (*below, *uplinks(view.fabric, place)):
        is_upper = link.upper == place
        near_port = link.upper_port if is_upper else link.lower_port
        far_place = link.lower if is_upper else link.upper
        if (
            wanted.whole
            or (wanted.ports and port_text(view.fabric, place, near_port) in wanted.ports)
            or (wanted.peers and name_of(view.fabric, far_place) in wanted.peers)
        ):
            yield link
