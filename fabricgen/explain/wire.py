"""Both ends of one link with its addresses, for the port of either end and for each of its addresses."""

from collections.abc import Iterator
from itertools import islice

from fabricgen.explain.answer import AnswerLine
from fabricgen.explain.cable import cable_facts
from fabricgen.explain.formula import address
from fabricgen.explain.inverse import seat_of
from fabricgen.explain.known import KnownSite, intent_origin, segment_origin
from fabricgen.explain.states import override_facts
from fabricgen.intent.fabric import Backend, Frontend, is_unnumbered, overlay_of
from fabricgen.plan.exceptions import AWAY, PortKey, SlotKey, server_name
from fabricgen.plan.fabric import (
    FabricPlan,
    group_of,
    host_space,
    name_of,
    own_blocks,
    place_exists,
    port_text,
    row_of,
    state_of,
)
from fabricgen.plan.leaf_pairs import has_leaf_pairs, nic_address, server_asn
from fabricgen.plan.links import fabric_link, host_link, slice_name
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.tenants import PlannedTenant, owner_of, owners
from fabricgen.plan.wires import uplink_ends
from fabricgen.plan.wiring import HostPort, Uplink, host_ports, uplinks
from fabricgen.resolve.links import ABSENT, DEAD, DRAINED, link_state

ENABLED = "enabled in the configuration"


def nth_uplink(fabric: FabricPlan, lower: Place, number: int) -> Uplink | None:
    """Uplink of a switch by its number; None past the last, and for a switch that does not exist.

    The far end of a future uplink depends on how many spines exist by then.
    """
    if not place_exists(fabric, lower):
        return None
    return next(islice(uplinks(fabric, lower), number, None), None)


def nth_host(fabric: FabricPlan, leaf: Place, number: int) -> HostPort | None:
    """Host port of a leaf by its number; None past the last."""
    return next((host for host in host_ports(fabric, leaf) if host.number == number), None)


def host_ends(fabric: FabricPlan, leaf: Place, host: HostPort) -> tuple[PortKey, PortKey]:
    """Device and port of both ends, the leaf first."""
    server = server_name(fabric.exceptions, host.group, host.slot)
    nic = slice_name(group_of(fabric, host.group), host.nic, leaf.plane)
    return PortKey(name_of(fabric, leaf), port_text(fabric, leaf, host.port)), PortKey(server, nic)


def uplink_facts(known: KnownSite, fabric: FabricPlan, uplink: Uplink) -> Iterator[AnswerLine]:
    """All lines about a cable between two switches."""
    lower, upper = uplink_ends(fabric, uplink)
    yield AnswerLine(
        "cable", f"{lower.device} {lower.port} to {upper.device} {upper.port}, {uplink.lower_port.speed_gbps}G"
    )
    yield from _wiring(known, fabric, uplink)
    origin = segment_origin(known, seat_of(fabric, uplink.lower).segment)
    families = fabric.fabric.addressing.links
    for block, family in zip(own_blocks(fabric, uplink.lower), ("ipv4", "ipv6"), strict=True):
        if block is not None and family in families:
            hosts = host_space(seat_of(fabric, uplink.lower).segment.hosts)
            lower_ip, length = block.uplink(uplink.number), block.bits - 1
            formula = "block + host links + 2 × u" if hosts else "block + 2 × u"
            numbers = f"{address(block.start, block.bits)}{f' + {hosts}' if hosts else ''} + 2 × {uplink.number}"
            yield AnswerLine(
                "lower address", f"{address(lower_ip, block.bits)}/{length}", f"{formula} = {numbers}", origin
            )
            yield AnswerLine(
                "upper address", f"{address(lower_ip + 1, block.bits)}/{length}", "the lower one + 1", origin
            )
    if is_unnumbered(fabric.fabric.addressing):
        says = f"fabrics.{fabric.name}.addressing.links: unnumbered"
        written = intent_origin(known, ("fabrics", fabric.name, "addressing", "links"), says)
        yield AnswerLine("addresses", "link-local only; each end identifies the session by its port", "", written)
    yield from cable_facts(known, fabric, fabric_link(fabric, uplink))
    for key in (lower.device, upper.device, lower, upper):
        yield from override_facts(known, key)


def _wiring(known: KnownSite, fabric: FabricPlan, uplink: Uplink) -> Iterator[AnswerLine]:
    """The upper switch and its port: u mod S, (u div S) × (R / m) + row."""
    shape, number = fabric.shape, uplink.number
    if uplink.lower.tier is Tier.SPINE:
        count, links, chassis = shape.cores, shape.core_links, shape.core
        row, origin = uplink.lower.pod, None
    else:
        count, links, chassis = shape.spines, shape.links, shape.spine
        row, origin = row_of(fabric, uplink.lower), segment_origin(known, seat_of(fabric, uplink.lower).segment)
    if chassis is None:
        return
    stride = len(chassis.down) // links
    turn, index = divmod(number, count)
    uppers = f"{uplink.upper.tier.value}s"
    yield AnswerLine("state", _uplink_state(fabric, uplink))
    yield AnswerLine("uplink", f"u = {number} of {count * links}")
    yield AnswerLine(
        "upper switch", f"{uplink.upper.tier.value} {index} of {count}", f"u mod {uppers} = {number} mod {count}"
    )
    yield AnswerLine(
        "upper port",
        f"downlink {turn * stride + row} of {len(chassis.down)}",
        f"(u div {uppers}) × (downlinks / links per pair) + row = {turn} × ({len(chassis.down)} / {links}) + {row}",
        origin,
    )


def host_facts(known: KnownSite, fabric: FabricPlan, leaf: Place, host: HostPort) -> Iterator[AnswerLine]:
    """All lines about a leaf's port towards a server."""
    leaf_end, server_end = host_ends(fabric, leaf, host)
    slot = SlotKey(host.group, host.slot)
    yield AnswerLine(
        "cable", f"{leaf_end.device} {leaf_end.port} to {server_end.device} {server_end.port}, {host.port.speed_gbps}G"
    )
    yield from _server_end(known, fabric, leaf, host)
    if isinstance(fabric.fabric, Backend):
        origin = segment_origin(known, seat_of(fabric, leaf).segment)
        yield from _paired(known, fabric, leaf, host)
        for block, family in zip(own_blocks(fabric, leaf), ("ipv4", "ipv6"), strict=True):
            is_single = not has_leaf_pairs(fabric)
            if block is not None and family == fabric.fabric.addressing.hosts and is_single:
                leaf_ip, length = block.host(host.number), block.bits - 1
                formula = f"block + 2 × host port = {address(block.start, block.bits)} + 2 × {host.number}"
                yield AnswerLine("leaf address", f"{address(leaf_ip, block.bits)}/{length}", formula, origin)
                yield AnswerLine(
                    "server address", f"{address(leaf_ip + 1, block.bits)}/{length}", "the leaf's + 1", origin
                )
        if overlay_of(fabric.fabric) is not None:
            tenant = _tenant(known, fabric, host)
            owner = tenant.name if tenant else "no tenant owns the NIC"
            yield AnswerLine("tenant", owner, "its VRF; the address is the same in each")
    elif isinstance(fabric.fabric, Frontend):
        yield from _switching(known, fabric, fabric.fabric, host)
    group = group_of(fabric, host.group)
    yield from cable_facts(known, fabric, host_link(fabric, group, (leaf, host.port), host.slot, host.nic))
    for key in (leaf_end.device, leaf_end, slot):
        yield from override_facts(known, key)


def _paired(known: KnownSite, fabric: FabricPlan, leaf: Place, host: HostPort) -> Iterator[AnswerLine]:
    """The address of a NIC behind two leaves, and its session; nothing where a NIC has one."""
    group = group_of(fabric, host.group)
    address_of_nic = nic_address(fabric, leaf, group, host.slot, host.nic) if has_leaf_pairs(fabric) else None
    if address_of_nic is None:
        return
    first = leaf._replace(index=0)
    origin = segment_origin(known, seat_of(fabric, first).segment)
    formula = f"in the block of {name_of(fabric, first)}: {address_of_nic.block}, the server's end of its link"
    yield AnswerLine("server address", f"{address_of_nic.prefix}, over both leaves", formula, origin)
    asn = server_asn(fabric, group, host.slot)
    text = f"with the server, AS {asn}: this leaf takes {address_of_nic.prefix} over this port, and nothing else"
    yield AnswerLine("session", text)


def _host_state(known: KnownSite, fabric: FabricPlan, leaf: Place, host: HostPort) -> str:
    """Whether a port towards a server is up, and why not."""
    leaf_end, _ = host_ends(fabric, leaf, host)
    state = fabric.exceptions.ports.get(leaf_end)
    if not host.present:
        return "shut down: reserved for a planned server"
    if state in AWAY:
        return f"shut down: the port is {state}"
    absent_text = _away(fabric, leaf, leaf_end)
    if absent_text:
        return absent_text
    if overlay_of(fabric.fabric) is not None:
        if _tenant(known, fabric, host) is None:
            return f"shut down: no tenant owns the {'NIC' if isinstance(fabric.fabric, Backend) else 'slot'}"
        if _is_moved(fabric, leaf):
            return "shut down: the leaf is drained, and the server has another leaf"
    return f"{ENABLED}: slot {host.group}[{host.slot}] has a server"


def _away(fabric: FabricPlan, leaf: Place, near: PortKey) -> str:
    """State of a port towards a server whose leaf or cable is absent or dead; empty if neither is."""
    if state_of(fabric, leaf) == ABSENT:
        return "none: the leaf is absent, its addresses stay reserved"
    if near in fabric.exceptions.broken or state_of(fabric, leaf) == DEAD:
        return "configured, and not expected to be up: the cable or the leaf is dead"
    return ""


def _is_moved(fabric: FabricPlan, leaf: Place) -> bool:
    """Whether the servers of a drained leaf use another leaf of the unit meanwhile."""
    group, states = group_of(fabric, leaf.group), fabric.exceptions.devices
    if states.get(name_of(fabric, leaf)) != DRAINED or len({column.index for column in group.columns}) == 1:
        return False
    other_leaves = (leaf._replace(index=index) for index in range(group.indexes))
    return any(name_of(fabric, other_leaf) not in states for other_leaf in other_leaves)


def _uplink_state(fabric: FabricPlan, uplink: Uplink) -> str:
    state = link_state(fabric, uplink)
    devices = fabric.exceptions.devices
    if state == ABSENT:
        return "shut down: one of the ends is absent"
    if state == DEAD:
        return "configured, and not expected to be up: the cable or a switch is dead"
    if state == DRAINED or any(devices.get(end.device) == DRAINED for end in uplink_ends(fabric, uplink)):
        return f"{ENABLED}, drained: routes over it have the lowest preference"
    return ENABLED


def _server_end(known: KnownSite, fabric: FabricPlan, leaf: Place, host: HostPort) -> Iterator[AnswerLine]:
    group = group_of(fabric, host.group)
    row, position = divmod(host.number - group.first_port, group.slots_a_unit)
    nic, first = group.nics.ports[host.nic], host.slot - position
    origin = segment_origin(known, seat_of(fabric, leaf).segment)
    rail = f"NIC rail {nic.rail}, " if isinstance(fabric.fabric, Backend) else ""
    plane = f"plane {leaf.plane}, " if fabric.shape.planes > 1 else ""
    yield AnswerLine("server", f"slot {host.group}[{host.slot}], {rail}{plane}NIC port {host.nic} ({nic.name})")
    yield AnswerLine("state", _host_state(known, fabric, leaf, host))
    unit = leaf.pod * group.units_a_pod + leaf.su
    yield AnswerLine(
        "slot", str(host.slot), f"unit × slots + position = {unit} × {group.slots_a_unit} + {host.slot - first}", origin
    )
    before = ("ports of groups before it + ", f"{group.first_port} + ") if group.first_port else ("", "")
    yield AnswerLine(
        "host port",
        str(host.number),
        f"{before[0]}rail within the leaf × slots + position = {before[1]}{row} × {group.slots_a_unit} + {position}",
        origin,
    )


def _tenant(known: KnownSite, fabric: FabricPlan, host: HostPort) -> PlannedTenant | None:
    """Tenant of the server on a port."""
    tenants = known.plan.tenants.get(fabric.name, ())
    rail = group_of(fabric, host.group).nics.ports[host.nic].rail
    name = owner_of(owners(tenants, host.group), host.slot, rail)
    return next((tenant for tenant in tenants if tenant.name == name), None)


def _switching(known: KnownSite, fabric: FabricPlan, frontend: Frontend, host: HostPort) -> Iterator[AnswerLine]:
    """VLANs and LAG of a server port."""
    tenant = _tenant(known, fabric, host)
    if tenant is None:
        yield AnswerLine("tenant", "no tenant owns the slot")
        return
    vlans = ", ".join(f"{network.vlan_id} ({network.name})" for network in tenant.networks)
    yield AnswerLine("tenant", tenant.name)
    yield AnswerLine("VLANs", f"{vlans} {'untagged' if len(tenant.networks) == 1 else 'tagged'}")
    group = group_of(fabric, host.group)
    if len({column.index for column in group.columns}) > 1 and frontend.server_ports.multihoming == "evpn-esi":
        number = host.slot % group.slots_a_unit + 1
        yield AnswerLine("aggregate", str(number), f"slot mod slots + 1 = {host.slot} mod {group.slots_a_unit} + 1")
