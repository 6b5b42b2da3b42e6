"""Server ports of the frontend: VLANs, link aggregates, Ethernet segments."""

from collections.abc import Iterator

from fabricgen.device.interfaces import Ethernet, Lag, Switching
from fabricgen.intent.fabric import Frontend, ServerPorts
from fabricgen.plan.exceptions import DRAINED, server_name
from fabricgen.plan.fabric import group_of
from fabricgen.plan.numbers import segment_number
from fabricgen.plan.server_ports import home, takes_over
from fabricgen.plan.tenants import PlannedTenant, owner_of
from fabricgen.plan.wiring import HostPort, host_ports
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.context import Context
from fabricgen.resolve.macs import mac_limit

DEFAULT_PREFERENCE = 32767
"""Preference of a leaf that announces the algorithm without a value (RFC 9785, section 3)."""
DRAINED_PREFERENCE = 1
"""Below that of every healthy leaf; FRR accepts no 0 (evpn mh es-df-pref, 1 to 65535)."""


def frontend_of(context: Context) -> Frontend:
    """Return the fabric's settings. Raises TypeError unless it is a frontend, which alone has server ports."""
    fabric = context.settings
    if not isinstance(fabric, Frontend):
        raise TypeError(f"{context.name} is on a {fabric.kind}")
    return fabric


def tenant_of(context: Context, host: HostPort) -> PlannedTenant | None:
    """Return the tenant of the server on a port of a frontend."""
    name = owner_of(context.site.owned[host.group], host.slot)
    return next((tenant for tenant in context.site.tenants if tenant.name == name), None)


def switching_of(context: Context, host: HostPort) -> Switching | None:
    """Return the VLANs of a server port: untagged where its tenant has one network, tagged where it has several."""
    tenant = tenant_of(context, host)
    if tenant is None or not tenant.networks:
        return None
    vlans = tuple(network.vlan_id for network in tenant.networks)
    untagged, tagged = (vlans[0], ()) if len(vlans) == 1 else (0, vlans)
    switching = Switching(untagged, tagged, ra_guard="ra-guard" in tenant.guards)
    return with_settings(context, switching, frontend_of(context).server_ports)


def with_settings(context: Context, switching: Switching, ports: ServerPorts) -> Switching:
    """Return the VLANs of a server port with the settings of `server_ports`."""
    storm = ports.storm_control
    return switching._replace(
        bpdu_guard=ports.bpdu_guard,
        broadcast_percent=(storm.broadcast_percent or 0) if storm else 0,
        multicast_percent=(storm.multicast_percent or 0) if storm else 0,
        unknown_unicast_percent=(storm.unknown_unicast_percent or 0) if storm else 0,
        mac_limit=learned(context, ports),
    )


def learned(context: Context, ports: ServerPorts) -> int:
    """Return the limit of MAC addresses of a leaf's server port, 0 for none, or where its system has no such limit.

    There the default must not be in the Device: comparisons would report a difference that no file has.
    """
    system = context.chassis.system
    limit, bonds = mac_limit(ports), ports.multihoming == "evpn-esi"
    lacks = context.alike(("mac-limit", system, bonds), lambda: lacks_mac_limit(system, bonds=bonds))
    return 0 if lacks else limit


def lacks_mac_limit(system: str, *, bonds: bool) -> str:
    """Return why a system cannot limit MAC addresses of server ports, or of bonds; empty where it can.

    system  as in `os:`
    """
    name, _, version = system.partition("-")
    platform = PLATFORMS.get(name)
    row = platform.can("mac-limit-bonds" if bonds else "mac-limit", version) if platform is not None else None
    return row.refusal if row is not None else ""


def is_bonded(context: Context, host: HostPort) -> bool:
    """Return whether a server's ports form one aggregate over the leaves of its unit."""
    leaf_indexes = {column.index for column in group_of(context.fabric, host.group).columns}
    return len(leaf_indexes) > 1 and frontend_of(context).server_ports.multihoming == "evpn-esi"


def is_drained(context: Context, host: HostPort) -> bool:
    """Return whether a server's port is shut because it, its cable or its leaf is drained and another port takes over.

    Preferences only steer routes: the server would still hash its traffic to this port, and other leaves flood to it.
    If no other port is in service, the port stays up: losing it needs the operator's consent.
    """
    fabric, place = context.fabric, context.place
    ports = fabric.exceptions.ports
    if not context.drained and (not ports or ports.get(home(fabric, place, host).key) != DRAINED):
        return False
    return takes_over(fabric, place, host)


def lag_of(context: Context, host: HostPort) -> int:
    """Return the number of the server's aggregate: its position among the leaf's slots, from 1."""
    return host.slot % group_of(context.fabric, host.group).slots_a_unit + 1


def lags(context: Context, rows: tuple[Ethernet, ...]) -> Iterator[Lag]:
    """Yield the aggregates of a leaf, by number: one per server, one Ethernet segment over the leaves of its unit."""
    members: dict[int, list[Ethernet]] = {}
    for row in rows:
        if row.lag:
            members.setdefault(row.lag, []).append(row)
    if not members:
        return
    ports = frontend_of(context).server_ports
    hosts = {lag_of(context, host): host for host in host_ports(context.fabric, context.place)}
    for number, member_rows in sorted(members.items()):
        host, row = hosts[number], member_rows[0]
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
            members=tuple(member.name for member in member_rows),
            df_preference=df_preference(context, host) if ports.df_election == "preference" else 0,
        )


def df_preference(context: Context, host: HostPort) -> int:
    """Return a leaf's preference in the election of the designated forwarder of a server's segment (RFC 9785).

    Healthy leaves have the default value and the values just below it, in an order that rotates by one leaf from server
    to server, so that each leaf forwards for its share of them. The leaves of a segment have different values.
    """
    if context.drained:
        return DRAINED_PREFERENCE
    group = group_of(context.fabric, host.group)
    leaves = sorted({column.index for column in group.columns})
    rotation = leaves.index(context.place.index) - host.slot % group.slots_a_unit
    return DEFAULT_PREFERENCE - rotation % len(leaves)


def _identifier(segment: int) -> str:
    """Return an ES identifier of type 0, with the segment in its octets 2 to 7.

    Systems that derive the ES-Import target themselves use these octets, as RFC 7432 (7.6) says for types 1 to 3: so
    it is the same on all.
    """
    text = f"00{segment:012x}000000"
    return ":".join(text[start : start + 4] for start in range(0, 20, 4))


def _octets(segment: int) -> str:
    text = f"{segment:012x}"
    return ":".join(text[start : start + 2] for start in range(0, 12, 2))
