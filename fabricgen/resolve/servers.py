"""Server ports of the frontend: VLANs, link aggregates, Ethernet segments."""

from collections.abc import Iterator

from fabricgen.device.interfaces import Ethernet, Lag, Switching
from fabricgen.intent.fabric import Frontend, ServerPorts
from fabricgen.plan.exceptions import DRAINED, server_name
from fabricgen.plan.fabric import group_of
from fabricgen.plan.homes import home, is_in_service, mates
from fabricgen.plan.numbers import segment_number
from fabricgen.plan.tenants import PlannedTenant, owner_of
from fabricgen.plan.wiring import HostPort, host_ports
from fabricgen.resolve.context import Context


def frontend_of(context: Context) -> Frontend:
    """The fabric's intent; only a frontend has server ports."""
    fabric = context.settings
    if not isinstance(fabric, Frontend):
        raise TypeError(f"{context.name} is on a {fabric.kind}")
    return fabric


def tenant_of(context: Context, host: HostPort) -> PlannedTenant | None:
    """Tenant of the server on a port of a frontend."""
    name = owner_of(context.site.owned[host.group], host.slot)
    return next((tenant for tenant in context.site.tenants if tenant.name == name), None)


def switching_of(context: Context, host: HostPort) -> Switching | None:
    """VLANs of a server port: untagged where its tenant has one network, tagged where it has several."""
    tenant = tenant_of(context, host)
    if tenant is None or not tenant.networks:
        return None
    ports = frontend_of(context).server_ports
    vlans = tuple(network.vlan_id for network in tenant.networks)
    storm = ports.storm_control
    return Switching(
        access_vlan=vlans[0] if len(vlans) == 1 else 0,
        trunk_vlans=vlans if len(vlans) > 1 else (),
        bpdu_guard=ports.bpdu_guard,
        broadcast_percent=storm.broadcast_percent if storm else 0,
        multicast_percent=storm.multicast_percent if storm else 0,
        mac_limit=mac_limit(ports),
    )


def mac_limit(ports: ServerPorts) -> int:
    """MAC addresses of one server port, 0 for any number.

    Twice those that are there: a guest that is made anew comes before the address of the former one is forgotten.
    """
    if ports.mac_limit == "auto":
        return 2 * (1 + ports.guests_per_server)
    return 0 if ports.mac_limit == "none" else ports.mac_limit


def is_bonded(context: Context, host: HostPort) -> bool:
    """Whether a server's ports form one aggregate over the leaves of its unit."""
    homes = {column.index for column in group_of(context.fabric, host.group).columns}
    return len(homes) > 1 and frontend_of(context).server_ports.multihoming == "evpn-esi"


def is_drained(context: Context, host: HostPort) -> bool:
    """Whether a server's port is taken down because it, its cable or its leaf is drained; another port serves it.

    Preferences steer routes only: a server would go on hashing its own traffic here, and other leaves flooding to it.
    A server that has no other port in service keeps this one: losing it is for the operator to accept.
    """
    fabric, place = context.fabric, context.place
    if context.drained:
        return any(one.leaf != place and is_in_service(fabric, one) for one in mates(fabric, place, host))
    if not fabric.exceptions.ports or fabric.exceptions.ports.get(home(fabric, place, host).key) != DRAINED:
        return False
    return any(is_in_service(fabric, one) for one in mates(fabric, place, host))


def lag_of(context: Context, host: HostPort) -> int:
    """Number of the server's aggregate: its position among the leaf's slots, from 1."""
    return host.slot % group_of(context.fabric, host.group).slots_a_unit + 1


def lags(context: Context, rows: tuple[Ethernet, ...]) -> Iterator[Lag]:
    """Aggregates of a leaf, by number: one a server, one Ethernet segment over the leaves of its unit."""
    members: dict[int, list[Ethernet]] = {}
    for row in rows:
        if row.lag:
            members.setdefault(row.lag, []).append(row)
    if not members:
        return
    ports = frontend_of(context).server_ports
    hosts = {lag_of(context, host): host for host in host_ports(context.fabric, context.place)}
    for number, found in sorted(members.items()):
        host, row = hosts[number], found[0]
        if row.switching is None:
            raise ValueError(f"{row.name} of {context.name} has a lag and no VLAN")
        segment = segment_number(context.fabric, context.place, host.slot)
        yield Lag(
            number=number,
            description=server_name(context.fabric.exceptions, host.group, host.slot),
            switching=row.switching,
            mtu=row.profile.mtu,
            esi=_identifier(segment),
            es_import=_octets(segment),
            system_id=f"02:fa:{_octets(segment)[6:]}",
            fallback=ports.lacp_fallback,
            tracking=row.profile.tracking,
            members=tuple(member.name for member in found),
        )


def _identifier(segment: int) -> str:
    """An ES identifier of type 0, the segment in its octets 2 to 7.

    Systems that make the ES-Import target by themselves take these, as RFC 7432 (7.6) has it for types 1 to 3: so it is
    the same on all.
    """
    text = f"00{segment:012x}000000"
    return ":".join(text[at : at + 4] for at in range(0, 20, 4))


def _octets(segment: int) -> str:
    text = f"{segment:012x}"
    return ":".join(text[at : at + 2] for at in range(0, 12, 2))
