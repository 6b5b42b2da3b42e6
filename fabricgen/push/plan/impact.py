"""Which servers are attached to a switch, and which of them have no other path while it is down."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from fabricgen.base.text import listed, natural
from fabricgen.diff.fabric_view import NameChanges, View, make_view
from fabricgen.hardware.ports import PanelPort
from fabricgen.intent.fabric import overlay_of
from fabricgen.plan.exceptions import PortKey, SlotKey
from fabricgen.plan.fabric import FabricPlan, binding_of, group_of, name_of, places, port_text, state_of
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.tenants import PlannedTenant, owner_of
from fabricgen.plan.wiring import HostPort, host_ports, leaf_of
from fabricgen.push.plan.capacity_floor import UplinkCapacity
from fabricgen.resolve.links import ABSENT, ACTIVE, DRAINED

SHUT = (ABSENT, DRAINED, "dead")
"""States of a port towards a server, or outside, that is shut down."""

Cut = Mapping[SlotKey, frozenset[int]]
"""Servers → numbers of their GPUs."""


class AffectedServers(NamedTuple):
    """What a switch serves.

    used    whether it has a server in use behind it
    cut     servers in use, and their GPUs, that lose a connection for which there is no other path
    why     why there is none, in words; empty where no server is cut
    others  names of the switches that carry the rest of the traffic
    """

    used: bool
    cut: Cut
    why: str
    others: tuple[str, ...]


class FabricImpact:
    """Affected servers of each switch of one fabric.

    A server is in use if it is present, is not drained, has a tenant on a frontend, and its port is not shut down.
    """

    def __init__(self, plan: Plan, fabric: FabricPlan) -> None:
        self.capacity = UplinkCapacity(fabric)
        self._plan, self._fabric = plan, fabric
        self._tenants = plan.tenants.get(fabric.name, ())
        self._is_used: dict[Place, bool] = {}

    @cached_property
    def _view(self) -> View:
        return make_view(self._plan, self._fabric.name, NameChanges({}, {}))

    def affected_by(self, place: Place) -> AffectedServers:
        """The servers that the switch at a place serves."""
        if place.tier is Tier.LEAF:
            return self._of_leaf(place)
        if place.tier is Tier.BORDER:
            return self._of_border(place)
        return self._of_upper(place)

    def _of_leaf(self, leaf: Place) -> AffectedServers:
        """A leaf cuts no server where each server has a port of the same rail at another leaf of the unit."""
        indexes = range(group_of(self._fabric, leaf.group).indexes)
        mates = [leaf._replace(index=index) for index in indexes if index != leaf.index]
        hosts = tuple(self._hosts(leaf))
        cut = [host for host in hosts if not any(self._reaches(host, mate) for mate in mates)]
        carrying = (mate for mate in mates if any(self._reaches(host, mate) for host in hosts))
        only = f"their other leaf, {self._names(mates)}, is drained, cut off, or shut towards them"
        of_plane = " of this plane" if self._fabric.shape.planes > 1 else ""
        reason = only if mates else f"their NICs have no other leaf{of_plane}"
        return AffectedServers(bool(hosts), self._gpus(cut), reason if cut else "", tuple(map(self._name, carrying)))

    def _of_border(self, border: Place) -> AffectedServers:
        """A border leaf cuts no server where each tenant that leaves the fabric by it also leaves by another one."""
        others = [border._replace(index=index) for index in range(self._fabric.shape.borders) if index != border.index]
        others = [other for other in others if self.capacity.in_service(other)]
        using_border = [tenant for tenant in self._tenants if self._leaves_by(tenant, border)]
        lost = {
            leaving.name for leaving in using_border if not any(self._leaves_by(leaving, other) for other in others)
        }
        hosts = tuple(self._hosts_of({tenant.name for tenant in using_border}))
        cut = [host for host in hosts if self._owner(host) in lost]
        reason = f"their tenants {', '.join(sorted(lost))} have no other border leaf"
        carrying = (other for other in others if any(self._leaves_by(leaving, other) for leaving in using_border))
        return AffectedServers(bool(hosts), self._gpus(cut), reason if cut else "", tuple(map(self._name, carrying)))

    def _of_upper(self, upper: Place) -> AffectedServers:
        """A spine cuts no server if each leaf keeps working uplinks; a superspine, if each leaf keeps a path up."""
        capacity, fabric = self.capacity, self._fabric
        lowers = capacity.lowers(upper)
        cut_off = [place for place in lowers if capacity.loses(place, upper) and not capacity.share(place, (upper,))]
        cut = [host for lower in cut_off for host in self._stranded(lower, upper)]
        count = fabric.shape.spines if upper.tier is Tier.SPINE else fabric.shape.cores
        peers = (upper._replace(index=index) for index in range(count) if index != upper.index)
        others = tuple(self._name(place) for place in peers if state_of(self._fabric, place) == ACTIVE)
        reason = f"{self._names(cut_off)} would have no uplink left that carries traffic" if cut else ""
        return AffectedServers(any(map(self._used, lowers)), self._gpus(cut), reason, others)

    def _stranded(self, lower: Place, upper: Place) -> Iterator[HostPort]:
        """Server ports below a switch without uplinks that have no other path up, such as another spine."""
        if lower.tier is not Tier.SPINE:
            yield from self._below(lower)
            return
        capacity, count = self.capacity, self._fabric.shape.spines
        peers = [lower._replace(index=index) for index in range(count) if index != lower.index]
        working = [spine for spine in peers if capacity.share(spine, (upper,))]
        for leaf in capacity.lowers(lower):
            if not any(capacity.loses(leaf, spine) for spine in working):
                yield from self._below(leaf)

    def _used(self, place: Place) -> bool:
        """Whether a server in use is below a switch."""
        is_used = self._is_used.get(place)
        if is_used is None:
            is_used = self._is_used[place] = any(True for _ in self._below(place))
        return is_used

    def _below(self, place: Place) -> Iterator[HostPort]:
        """Server ports in use below a switch; for a border leaf, those of the tenants that leave by it."""
        if place.tier is Tier.LEAF:
            yield from self._hosts(place)
        elif place.tier is Tier.BORDER:
            yield from self._hosts_of({tenant.name for tenant in self._tenants if self._leaves_by(tenant, place)})
        else:
            for lower in self.capacity.lowers(place):
                yield from self._below(lower)

    def _hosts(self, leaf: Place) -> Iterator[HostPort]:
        """Ports of a leaf with a server in use."""
        slots = self._fabric.exceptions.slots
        for host in host_ports(self._fabric, leaf):
            if not host.present or slots.get(SlotKey(host.group, host.slot)) == DRAINED:
                continue
            # On a fabric with tenants, the port of a server without one is shut down.
            has_owner = overlay_of(self._fabric.fabric) is None or bool(self._owner(host))
            if has_owner and not self._is_shut(leaf, host.port):
                yield host

    def _hosts_of(self, tenants: Collection[str]) -> Iterator[HostPort]:
        """Ports of the servers in use of these tenants."""
        for leaf in places(self._fabric) if tenants else ():
            if leaf.tier is Tier.LEAF:
                yield from (host for host in self._hosts(leaf) if self._owner(host) in tenants)

    def _reaches(self, host: HostPort, mate: Place) -> bool:
        """Whether the server of a port also has one of the same rail at that leaf, and the leaf is in service."""
        if not self.capacity.in_service(mate):
            return False
        group = group_of(self._fabric, host.group)
        for nic in group.nics_at(mate.plane, mate.rail, mate.index).values():
            leaf, number = leaf_of(self._fabric, group, host.slot, nic, mate.plane)
            if not self._is_shut(leaf, binding_of(self._fabric, leaf).down[number]):
                return True
        return False

    def _leaves_by(self, tenant: PlannedTenant, border: Place) -> bool:
        """Whether a tenant has an external peer at this border leaf."""
        down = binding_of(self._fabric, border).down
        peers = (peer for peer in tenant.external if peer.border == border.index)
        return any(not self._is_shut(border, down[peer.port]) for peer in peers)

    def _owner(self, host: HostPort) -> str:
        rail = group_of(self._fabric, host.group).nics.ports[host.nic].rail
        return owner_of(self._view.owned[host.group], host.slot, rail)

    def _is_shut(self, place: Place, port: PanelPort) -> bool:
        exceptions = self._fabric.exceptions
        if not (exceptions.ports or exceptions.broken):
            return False
        key = PortKey(self._name(place), port_text(self._fabric, place, port))
        return exceptions.ports.get(key) in SHUT or key in exceptions.broken

    def _gpus(self, hosts: Iterable[HostPort]) -> Cut:
        gpus: dict[SlotKey, frozenset[int]] = {}
        for host in hosts:
            key = SlotKey(host.group, host.slot)
            gpus[key] = gpus.get(key, frozenset()).union(self._view.nics[host.group][host.nic].gpus)
        return dict(sorted(gpus.items()))

    def _name(self, place: Place) -> str:
        return name_of(self._fabric, place)

    def _names(self, switches: Iterable[Place]) -> str:
        return listed(sorted(map(self._name, switches), key=natural))
