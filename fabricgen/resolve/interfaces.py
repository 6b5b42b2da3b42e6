"""Interface rows of one switch, built once, by port role."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from fabricgen.addresses import NO_ADDRESS, InterfaceAddress, interface_ipv4, interface_ipv6
from fabricgen.device.interfaces import Ethernet, Interfaces, Loopback, PortProfile, Subinterface
from fabricgen.hardware.model import NicGroup
from fabricgen.hardware.ports import Port
from fabricgen.intent.fabric import Backend, overlay_of
from fabricgen.intent.tenants import External
from fabricgen.plan.exceptions import DEAD, PortKey, server_name
from fabricgen.plan.fabric import FabricPlan, binding_of, group_of, loopback6, port_text, router_id, vtep
from fabricgen.plan.place import UPPER, Tier
from fabricgen.plan.slices import slice_name
from fabricgen.plan.wiring import HostPort, host_ports
from fabricgen.resolve.context import Context
from fabricgen.resolve.evpn import attached
from fabricgen.resolve.links import ABSENT
from fabricgen.resolve.nics import host_addresses, is_shared, is_shut, owned_ports
from fabricgen.resolve.own import Own
from fabricgen.resolve.profiles import port_profile
from fabricgen.resolve.relays import relay_loopbacks
from fabricgen.resolve.servers import is_bonded, is_drained, lag_of, lags, switching_of


def resolve_interfaces(context: Context) -> Interfaces:
    """All interfaces of a switch, each kind in natural order."""
    ethernet = tuple(sorted(_ethernet(context), key=lambda found: found[0]))
    own = Own(context)
    rows = tuple(own.row(row) for _, row in ethernet)
    return Interfaces(
        ethernet=rows,
        lags=tuple(lags(context, rows)),
        subinterfaces=tuple(_subinterfaces(context)),
        loopbacks=tuple(_loopbacks(context)),
        idle=tuple(_idle(context, ethernet)),
    )


Keyed = tuple[tuple[int, int], Ethernet]
"""Panel position (cage, part) and the row."""


def _ethernet(context: Context) -> Iterator[Keyed]:
    yield from _fabric_rows(context)
    if context.place.tier is Tier.BORDER:
        yield from _external_rows(context)
    elif context.place.tier is Tier.LEAF:
        yield from _host_rows(context)


def _idle(context: Context, rows: tuple[Keyed, ...]) -> Iterator[Ethernet]:
    """Dead ports whose cable a spare one took, where their cage has other parts in use.

    A cage's first interface may own all of its lanes until its speed says otherwise.
    """
    plan, chassis = context.fabric, context.chassis
    dead = {key.port for key, state in plan.exceptions.ports.items() if (key.device, state) == (context.name, DEAD)}
    if not dead:
        return
    used, cages = {row.name for _, row in rows}, {cage for (cage, _), _ in rows}
    ports = (*chassis.down, *chassis.up, *chassis.spare)
    for port in sorted(ports, key=lambda port: (port.cage, port.part)):
        name = port_text(plan, context.place, port)
        if name in dead - used and port.cage in cages:
            profile = port_profile(context, "unused", port)
            yield Ethernet(
                name=name,
                description="dead",
                profile=replace(profile, routed=False, fec=""),
                ipv4=NO_ADDRESS,
                ipv6=NO_ADDRESS,
                enabled=False,
                peer="",
                peer_port="",
                lag=0,
                switching=None,
                headroom_octets=0,
                length_m=0,
            )


class _Kind(NamedTuple):
    """What ports of one role, speed and cable length of a switch share."""

    profile: PortProfile
    headroom_octets: int


class _Kinds:
    """Kinds of ports of one role of one switch, each made once."""

    def __init__(self, context: Context, role: str) -> None:
        self._context, self._role = context, role
        self._made: dict[tuple[int, int, float], _Kind] = {}

    def of(self, port: Port, length_m: float) -> _Kind:
        key = (port.speed_gbps, port.lanes, length_m)
        found = self._made.get(key)
        if found is None:
            profile = self._profile(port)
            found = self._made[key] = _Kind(profile, port_headroom(self._context, profile, length_m))
        return found

    def _profile(self, port: Port) -> PortProfile:
        """The one of another length, where there is one: rows of a speed share it."""
        same = (kind.profile for key, kind in self._made.items() if key[:2] == (port.speed_gbps, port.lanes))
        return next(same, None) or port_profile(self._context, self._role, port)


def _fabric_rows(context: Context) -> Iterator[Keyed]:
    plan = context.fabric
    up, down = _Kinds(context, "uplink"), _Kinds(context, "downlink")
    for link in context.links:
        is_core = Tier.SUPERSPINE in (context.place.tier, link.far.tier)
        usual = plan.lengths.spine_superspine if is_core else plan.lengths.leaf_spine
        length = cable_length(plan, context.name, link.name, (link.far_name, link.far_port), usual)
        kind = (up if link.upward else down).of(link.port, length)
        yield (
            (link.port.cage, link.port.part),
            Ethernet(
                link.name,
                link.far_text,
                kind.profile,
                interface_ipv4(link.ipv4.own, 31) if link.ipv4 else NO_ADDRESS,
                interface_ipv6(link.ipv6.own, 127) if link.ipv6 else NO_ADDRESS,
                link.state != ABSENT,
                link.far_name,
                link.far_port,
                0,
                None,
                kind.headroom_octets,
                length,
            ),
        )


def port_headroom(context: Context, profile: PortProfile, length_m: float) -> int:
    """Octets of headroom of a lossless port; 0 elsewhere, and where no source gives any (a check reports it)."""
    if context.lossless is None or not profile.qos:
        return 0
    found = context.lossless.headroom(profile.speed_gbps, length_m)
    return found.octets if found else 0


def cable_length(plan: FabricPlan, device: str, port: str, far: tuple[str, str], default: float) -> float:
    """Metres of a cable: what the cable file says of either end, else the default of its kind."""
    built = plan.exceptions.cables
    if not built:
        return default
    found = built.get(PortKey(device, port)) or built.get(PortKey(*far))
    return found.length_m if found else default


def _host_rows(context: Context) -> Iterator[Keyed]:
    plan = context.fabric
    if isinstance(plan.fabric, Backend):
        kinds = _Kinds(context, "host")
        owned = {host.number: tenant.name for tenant, host in owned_ports(context)} if is_shared(context) else {}
        for host in host_ports(plan, context.place):
            yield _routed_host(context, kinds, host, owned.get(host.number, ""))
        return
    kinds = _Kinds(context, "server")
    for host in host_ports(plan, context.place):
        row = _server_row(context, kinds, host)
        if row is not None:
            yield row


def _routed_host(context: Context, kinds: _Kinds, host: HostPort, tenant: str) -> Keyed:
    """Row of a port towards a NIC. On a shared backend one of nobody is shut, and has no address to be reached by."""
    plan = context.fabric
    is_anybodys = bool(tenant) or not is_shared(context)
    four, six = host_addresses(context, host) if is_anybodys else (NO_ADDRESS, NO_ADDRESS)
    nics = group_of(plan, host.group).nics
    nic = slice_name(nics, host.nic, context.place.plane)
    server = server_name(plan.exceptions, host.group, host.slot)
    name = port_text(plan, context.place, host.port)
    length = cable_length(plan, context.name, name, (server, nic), plan.lengths.server_leaf)
    kind = kinds.of(host.port, length)
    return (host.port.cage, host.port.part), Ethernet(
        name=name,
        description=f"{server} {nic} {_rail(nics, host, context)}" if host.present else f"reserved {server} {nic}",
        profile=kind.profile,
        ipv4=four,
        ipv6=six,
        enabled=host.present and is_anybodys and not is_shut(context, name),
        peer=server,
        peer_port=nic,
        lag=0,
        switching=None,
        headroom_octets=kind.headroom_octets,
        length_m=length,
        vrf=tenant,
    )


def _rail(nics: NicGroup, host: HostPort, context: Context) -> str:
    """Rail of a host port, and its plane where there are several."""
    plane = f" plane {context.place.plane}" if context.fabric.shape.planes > 1 else ""
    return f"rail {nics.ports[host.nic].rail}{plane}"


def _server_row(context: Context, kinds: _Kinds, host: HostPort) -> Keyed | None:
    plan = context.fabric
    switching = switching_of(context, host)
    if switching is None and not host.present:
        return None
    nic = group_of(plan, host.group).nics.ports[host.nic]
    server = server_name(plan.exceptions, host.group, host.slot)
    name = port_text(plan, context.place, host.port)
    length = cable_length(plan, context.name, name, (server, nic.name), plan.lengths.server_leaf)
    return (host.port.cage, host.port.part), Ethernet(
        name=name,
        description=f"{server} {nic.name}" if host.present else f"reserved {server} {nic.name}",
        profile=kinds.of(host.port, length).profile,
        ipv4=NO_ADDRESS,
        ipv6=NO_ADDRESS,
        enabled=host.present and switching is not None and not (is_shut(context, name) or is_drained(context, host)),
        peer=server,
        peer_port=nic.name,
        lag=lag_of(context, host) if switching is not None and is_bonded(context, host) else 0,
        switching=switching,
        headroom_octets=0,
        length_m=length,
    )


def _external_rows(context: Context) -> Iterator[Keyed]:
    plan = context.fabric
    kinds = _Kinds(context, "external")
    down = binding_of(plan, context.place).down
    peers: dict[int, External] = {}
    for tenant in context.site.tenants:
        for external in tenant.external:
            if external.border == context.place.index:
                peers[external.port] = external
    for number, external in sorted(peers.items()):
        port, peer = down[number], external.peer
        name = port_text(plan, context.place, port)
        length = cable_length(plan, context.name, name, (peer, ""), plan.lengths.border_external)
        yield (
            (port.cage, port.part),
            Ethernet(
                name=name,
                description=peer,
                profile=replace(kinds.of(port, length).profile, mtu=external.mtu),
                ipv4=NO_ADDRESS,
                ipv6=NO_ADDRESS,
                enabled=True,
                peer=peer,
                peer_port="",
                lag=0,
                switching=None,
                headroom_octets=0,
                length_m=length,
            ),
        )


def _subinterfaces(context: Context) -> Iterator[Subinterface]:
    if context.place.tier is not Tier.BORDER:
        return
    plan = context.fabric
    down = binding_of(plan, context.place).down
    found = [
        (external.port, external.vlan, tenant.name, external)
        for tenant in context.site.tenants
        for external in tenant.external
        if external.border == context.place.index
    ]
    for number, vlan, tenant_name, external in sorted(found, key=lambda row: row[:2]):
        texts = {a.address.version: InterfaceAddress(f"{a.address}/{a.length}") for a in external.addresses}
        yield Subinterface(
            parent=port_text(plan, context.place, down[number]),
            vlan_id=vlan,
            description=f"{external.peer} {tenant_name}",
            vrf=tenant_name,
            ipv4=texts.get(4, NO_ADDRESS),
            ipv6=texts.get(6, NO_ADDRESS),
            mtu=external.mtu,
        )


def _loopbacks(context: Context) -> Iterator[Loopback]:
    plan, place = context.fabric, context.place
    six = loopback6(plan, place)
    yield Loopback(
        number=0,
        description="router id",
        ipv4=interface_ipv4(router_id(plan, place), 32),
        ipv6=interface_ipv6(six, 128) if six is not None else NO_ADDRESS,
    )
    if overlay_of(plan.fabric) is not None and place.tier not in UPPER:
        yield Loopback(number=1, description="VTEP", ipv4=interface_ipv4(vtep(plan, place), 32), ipv6=NO_ADDRESS)
    yield from relay_loopbacks(context, attached(context))
