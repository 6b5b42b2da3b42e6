"""The rows that a Device asks for, as NX-OS has them: after its rounding, and with the lines that it needs."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.qos import Qos, QosProfile
from fabricgen.platforms.nxos.access import served
from fabricgen.platforms.nxos.lossless import rendered
from fabricgen.platforms.nxos.readback import access
from fabricgen.readback.intended import in_vrf, peer
from fabricgen.readback.platform import Rows
from fabricgen.readback.rows import Key, Value

VRF = "management"
NOT_SHOWN = {
    "switch.ecn-counters": "NX-OS counts marked packets by itself (quality of service guide, show queuing)",
    "switch.queue-monitor": "no words for it were found",
    "switch.headroom-pool": "NX-OS shares what it sets aside by itself (quality of service guide, PFC)",
    "switch.resume": "NX-OS has a resume point of its own (quality of service guide, PFC)",
    "switch.alpha": "NX-OS shares its buffer by itself (quality of service guide, PFC)",
    "port.lanes": "the speed says them",
    "port.headroom": "NX-OS sets aside what 100 m of cable hold by itself (quality of service guide, PFC)",
    "port.cable": "NX-OS takes no length up to 100 m (quality of service guide, PFC)",
    "vtep.mtu": "tunnels have no MTU of their own",
}
OWN_FEC_GBPS = 200
"""From this speed on there is one FEC, which NX-OS takes by itself (IEEE 802.3)."""
DLB = {"dlb-flowlet", "dlb-per-packet"}
FAMILIES = ("ipv4", "ipv6")
USUAL_DUPLICATES = (5, 180, 0)
"""Moves and seconds by default, for which there is no line (Cisco's node-utils, overlay_global.yaml)."""


def adjusted(device: Device, rows: Rows) -> Rows:
    """Round, name as NX-OS does, and add the lines."""
    rows[Key("management", "", "vrf")] = VRF
    for port in device.interfaces.ethernet:
        _port(port, rows)
    for port in device.interfaces.idle:
        _idle(port, rows)
    if device.qos is not None:
        _qos(device, device.qos, rows)
    _drop_defaults(device, rows)
    answered = {row.service for row in served(device.management)}
    for row in device.management.access:
        if row.service not in answered:
            rows.pop(Key("management", "", f"access-{row.service}"))
    for text in _needed(device):
        rows[Key("line", text, "present")] = True
    return rows


def _drop_defaults(device: Device, rows: Rows) -> None:
    """Rows without a line."""
    if rows.get(Key("vtep", "", "duplicate-mac")) == USUAL_DUPLICATES:
        rows.pop(Key("vtep", "", "duplicate-mac"))
    if not device.routing.bgp.vrfs:
        rows.pop(Key("bgp", "", "overlay-paths"), None)


def _fec(port: Ethernet) -> str:
    own = port.profile.fec == "rs-fec" and port.profile.speed_gbps >= OWN_FEC_GBPS
    return "" if own else port.profile.fec


def _port(port: Ethernet, rows: Rows) -> None:
    rows[Key("port", port.name, "fec")] = _fec(port)
    if not port.profile.routed:
        rows.pop(Key("port", port.name, "mtu"), None)


def _idle(port: Ethernet, rows: Rows) -> None:
    """A shut part of a cage has its speed all the same: the cage stays split."""
    settings: dict[str, Value] = {
        "description": port.description,
        "speed": port.profile.speed_gbps,
        "fec": _fec(port),
    }
    if port.profile.routed:
        settings["mtu"] = port.profile.mtu
    for setting, value in settings.items():
        rows[Key("port", port.name, setting)] = value


def _qos(device: Device, qos: Qos, rows: Rows) -> None:
    """Groups take the place of classes: a group has the number of its queue."""
    groups = {row.traffic_class: row.queue for row in qos.class_queues}
    mapped: dict[tuple[int, ...], tuple[int, ...]] = {}
    ecn = {
        row.speed_gbps: (row.minimum_octets, row.maximum_octets, row.probability_percent)
        for row in rendered(device.hardware, qos, 0).ecn
    }
    for port in device.interfaces.ethernet:
        classes = rows.get(Key("port", port.name, "dscp-classes"))
        if isinstance(classes, tuple) and classes:
            if classes not in mapped:
                mapped[classes] = tuple(groups.get(number, 0) for number in classes)
            own = mapped[classes]
            rows[Key("port", port.name, "dscp-classes")] = own
            rows[Key("port", port.name, "class-queues")] = tuple(
                one for group in sorted(set(own)) for one in (group, group)
            )
        marked = rows.get(Key("port", port.name, "ecn"))
        if isinstance(marked, tuple) and marked and port.profile.speed_gbps in ecn:
            rows[Key("port", port.name, "ecn")] = (marked[0], *ecn[port.profile.speed_gbps])
        if Key("port", port.name, "watchdog") in rows:
            rows[Key("port", port.name, "watchdog")] = (-1, -1, -1)


def _needed(device: Device) -> Iterator[str]:
    yield "ports that nothing is said of are shut"
    yield "copp profile strict"
    yield from _features(device)
    yield from _sessions(device)
    yield from _vrfs(device)
    yield from _overlay(device)
    yield from _gateways(device)
    yield from _ports_need(device)
    yield from _management(device)
    if device.qos is not None:
        yield from _classes(device.qos)
    if device.load_balancing.mode in DLB:
        for port in device.interfaces.ethernet:
            if port.profile.role in ("uplink", "downlink") and port.enabled:
                yield f"dynamic load balancing of {port.name}"


def _features(device: Device) -> Iterator[str]:
    management, evpn, bgp = device.management, device.evpn, device.routing.bgp
    speaks_evpn = any("evpn" in group.families for group in bgp.groups)
    asked = {
        "nxapi": bool(management.eapi_certificate),
        "grpc": management.gnmi is not None,
        "tacacs+": management.tacacs is not None,
        "bgp": True,
        "fabric forwarding": evpn is not None,
        "interface-vlan": evpn is not None and bool(evpn.gateways),
        "vn-segment-vlan-based": evpn is not None,
        "lldp": management.lldp,
        "dhcp": evpn is not None and any(row.relay_source >= 0 for row in evpn.gateways),
        "bfd": any(group.bfd for group in bgp.groups),
        "sflow": management.sflow is not None,
        "nv overlay": speaks_evpn,
    }
    yield from (f"feature {name}" for name, on in asked.items() if on)
    if speaks_evpn:
        yield "nv overlay evpn"


def _sessions(device: Device) -> Iterator[str]:
    bgp = device.routing.bgp
    families = {group.name: group.families for group in bgp.groups}
    apart = {group.name for group in bgp.groups if group.ttl_hops and group.multihop}
    for neighbor in bgp.neighbors:
        if neighbor.group in apart:
            yield f"{peer(neighbor.peer)}: the peer need not be on a link"
        for family in families[neighbor.group]:
            yield f"{peer(neighbor.peer)}: sends standard communities of {family}"
    for vrf in bgp.vrfs:
        for outside in vrf.neighbors:
            yield f"{in_vrf(vrf.name, peer(outside.address))}: sends standard communities of {outside.family}"
    yield "paths through different AS numbers are equal"
    if device.evpn is None and any("evpn" in group for group in families.values()):
        yield "routes of all VRFs are kept"


def _vrfs(device: Device) -> Iterator[str]:
    yield f"vrf context {VRF}"
    for vrf in device.routing.bgp.vrfs:
        yield f"vrf context {vrf.name}"
        yield f"{vrf.name}: paths through different AS numbers are equal"
        for family in FAMILIES:
            yield f"{vrf.name}: {family} routes go into EVPN"
            yield from (f"vrf {vrf.name}: imports {target} of {family}" for target in vrf.import_targets)
            yield f"vrf {vrf.name}: exports {vrf.export_target} of {family}"


def _overlay(device: Device) -> Iterator[str]:
    evpn = device.evpn
    if evpn is None:
        return
    yield "tunnels: far ends are learned by BGP"
    routed = {row.vlan_id for row in evpn.gateways}
    for vlan in evpn.vlans:
        yield f"vlan {vlan.vlan_id}"
        yield f"VNI {vlan.vni}: flooded to far ends that BGP names"
        if vlan.vlan_id in routed:
            yield f"VNI {vlan.vni}: ARP is answered"
    if any(len(vlan.name) > 32 for vlan in evpn.vlans):
        yield "names of VLANs may be long"


def _gateways(device: Device) -> Iterator[str]:
    gateways = device.evpn.gateways if device.evpn is not None else ()
    relays = [row for row in gateways if row.relay_source >= 0]
    if relays:
        yield "service dhcp"
        yield "ip dhcp relay"
        yield "ip dhcp relay information option"
        yield "ip dhcp relay information option vpn"
    if any(row.relays_ipv6 for row in relays):
        yield "ipv6 dhcp relay"
    for row in gateways:
        name = f"Vlan{row.vlan_id}"
        yield f"{name}: no IPv4 redirects"
        yield f"{name}: no IPv6 redirects"
        if row.ipv6 and row.relays_ipv6:
            yield f"{name}: hosts ask for addresses by DHCPv6"
            yield f"{name}: router advertisements"
        elif row.ipv6:
            yield f"{name}: no router advertisements"


def _ports_need(device: Device) -> Iterator[str]:
    rows = device.interfaces
    for port in rows.ethernet:
        if port.switching is not None:
            yield f"{port.name}: frames of 9216"
            yield f"{port.name}: an edge port"
    named = [(port.name, bool(port.ipv4), bool(port.ipv6)) for port in rows.ethernet]
    named += [(f"{sub.parent}.{sub.vlan_id}", bool(sub.ipv4), bool(sub.ipv6)) for sub in rows.subinterfaces]
    for name, ipv4, ipv6 in named:
        if ipv4:
            yield f"{name}: no IPv4 redirects"
        if ipv6:
            yield f"{name}: no IPv6 redirects"
            yield f"{name}: no router advertisements"


def _management(device: Device) -> Iterator[str]:
    row = device.management
    if row.tacacs is not None:
        for server in row.tacacs.servers:
            yield f"aaa group TACACS: {peer(server)} in VRF {VRF} from {row.port}"
        yield "aaa authentication login default group TACACS local"
        yield "aaa accounting default group TACACS"
    if row.snmp is not None:
        for host in row.snmp.traps:
            yield f"snmp traps to {peer(host)} by {row.snmp.user}"
    sources = ((one.service, one.prefixes) for one in served(row))
    yield from access.needed(sources, row.snmp.user if row.snmp is not None else "")
    if row.sflow is not None:
        yield f"sFlow from {row.address.partition('/')[0]}"
    if row.eapi_certificate:
        yield "NX-API speaks no HTTP"
        yield "NX-API on port 443"


def _classes(qos: Qos) -> Iterator[str]:
    groups = {row.traffic_class: row.queue for row in qos.class_queues}
    for number in groups.values():
        yield f"group {number}: jumbo frames"
    for priority in sorted({one for profile in qos.profiles for one in profile.lossless_priorities}):
        yield f"group {groups[priority]}: paused by priority {priority}"
    for profile in qos.profiles:
        yield from _levels(profile)


def _levels(profile: QosProfile) -> Iterator[str]:
    """Strict queues are served from the highest number down."""
    strict = sorted((queue.queue for queue in profile.queues if not queue.weight_percent), reverse=True)
    for level, number in enumerate(strict, 1):
        yield f"OUT-{profile.name}: queue {number} at priority level {level}"
