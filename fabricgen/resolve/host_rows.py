"""Interface rows of a leaf's server ports: routed ports of a backend, switched ports of a frontend."""

from collections.abc import Iterator

from fabricgen.base.addresses import NO_ADDRESS
from fabricgen.device.interfaces import Ethernet
from fabricgen.hardware.model import NicGroup
from fabricgen.intent.fabric import Backend
from fabricgen.plan.exceptions import server_name
from fabricgen.plan.fabric import group_of, port_text
from fabricgen.plan.links import slice_name
from fabricgen.plan.wiring import HostPort, groups_on, host_ports
from fabricgen.resolve.context import Context
from fabricgen.resolve.kinds import Kinds, cable_length, cable_lengths
from fabricgen.resolve.nics import host_addresses, is_shared, is_shut, owned_ports
from fabricgen.resolve.servers import is_bonded, is_drained, lag_of, switching_of

Keyed = tuple[tuple[int, int], Ethernet]
"""Panel position (cage, part) and the row."""


def host_rows(context: Context) -> Iterator[Keyed]:
    """Yield the rows of a leaf's server ports, including reserved ones."""
    plan = context.fabric
    if isinstance(plan.fabric, Backend):
        yield from _routed_hosts(context)
        return
    kinds = Kinds(context, "server")
    for host in host_ports(plan, context.place):
        row = _server_row(context, kinds, host)
        if row is not None:
            yield row


def _routed_hosts(context: Context) -> Iterator[Keyed]:
    """Yield the rows of NIC ports. On a shared backend a port without a tenant is shut and has no address."""
    plan, place, shared = context.fabric, context.place, is_shared(context)
    hosts = list(host_ports(plan, place))
    owned = {host.number: tenant.name for tenant, host in owned_ports(context)} if shared else {}
    nic_texts = {
        (group.name, nic): (slice_name(group, nic, place.plane), _rail(group.nics, nic, context))
        for group in groups_on(plan, place)
        for nic in group.nics_at(place.plane, place.rail, place.index).values()
    }
    down_names = context.site.adjacent.panel(place).down_names
    names = [down_names[host.number] for host in hosts]
    servers = [server_name(plan.exceptions, host.group, host.slot) for host in hosts]
    far = ((server, nic_texts[host.group, host.nic][0]) for server, host in zip(servers, hosts, strict=True))
    lengths = cable_lengths(plan, context.name, names, far, plan.lengths.server_leaf)
    kinds = Kinds(context, "host").of_all([host.port for host in hosts], lengths)
    columns = (hosts, names, servers, *host_addresses(context, hosts), kinds, lengths)
    for host, name, server, ipv4, ipv6, (profile, headroom), length in zip(*columns, strict=True):
        number, port, group_name, _, nic_index, present = host
        (nic, rail), tenant = nic_texts[group_name, nic_index], owned.get(number, "")
        is_usable = bool(tenant) or not shared
        yield (
            port[1:3],
            Ethernet(
                name,
                f"{server} {nic} {rail}" if present else f"reserved {server} {nic}",
                profile,
                ipv4 if is_usable else NO_ADDRESS,
                ipv6 if is_usable else NO_ADDRESS,
                present and is_usable and not is_shut(context, name),
                server,
                nic,
                0,
                None,
                headroom,
                length,
                tenant,
            ),
        )


def _rail(nics: NicGroup, nic: int, context: Context) -> str:
    """Return the rail of a NIC port as text, with its plane where there are several."""
    plane = f" plane {context.place.plane}" if context.fabric.shape.planes > 1 else ""
    return f"rail {nics.ports[nic].rail}{plane}"


def _server_row(context: Context, kinds: Kinds, host: HostPort) -> Keyed | None:
    plan = context.fabric
    switching = switching_of(context, host)
    if switching is None and not host.present:
        return None
    nic = group_of(plan, host.group).nics.ports[host.nic]
    server = server_name(plan.exceptions, host.group, host.slot)
    name = port_text(plan, context.place, host.port)
    length = cable_length(plan, context.name, name, (server, nic.name), plan.lengths.server_leaf)
    kind = kinds.of(host.port, length)
    return (host.port.cage, host.port.part), Ethernet(
        name=name,
        description=f"{server} {nic.name}" if host.present else f"reserved {server} {nic.name}",
        profile=kind.profile,
        enabled=host.present and switching is not None and not (is_shut(context, name) or is_drained(context, host)),
        peer=server,
        peer_port=nic.name,
        lag=lag_of(context, host) if switching is not None and is_bonded(context, host) else 0,
        switching=switching,
        headroom_octets=kind.headroom_octets,
        length_m=length,
    )
