"""The rows of a Device as SONiC's files show them."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.qos import Qos
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.linux.names import LONGEST_NAME
from fabricgen.platforms.linux.readback.bgp import needs_no_link
from fabricgen.platforms.linux.readback.expected import (
    as_frr,
    needed,
    renamed,
    sessions,
    without_evpn_limit,
    without_members,
    without_usual_duplicates,
)
from fabricgen.platforms.sonic.lossless import rendered
from fabricgen.platforms.sonic.releases import frr_release
from fabricgen.readback.intended import in_vrf, peer
from fabricgen.readback.platform import Rows
from fabricgen.readback.rows import Key

NOT_SHOWN: Mapping[str, str] = {
    "subinterface.description": "VLAN_SUB_INTERFACE has no field for it (sonic-vlan-sub-interface)",
    "gateway.description": "VLAN_INTERFACE has no field for it (sonic-vlan)",
    "loopback.description": "LOOPBACK_INTERFACE has no field for it (sonic-loopback-interface)",
    "vlan.name": "VLAN has no name but its number (sonic-vlan)",
}
KINDS = {"leaf": "ToRRouter", "border-leaf": "ToRRouter", "spine": "LeafRouter", "superspine": "SpineRouter"}
SEEDS = {"leaf": 0, "border-leaf": 0, "spine": 10, "superspine": 25}
"""Hash seed by tier (sonic-buildimage, files/build_templates/switch.json.j2)."""
DEFAULT_DSCP = 48
"""CS6, by which FRR marks BGP by itself (docs.frrouting.org, BGP, session-dscp)."""
TABLES = "202605"
"""First release with BGP in tables (frrcfgd.py and sonic-routing-policy-sets of each branch)."""
GNMI = (("user_auth=none", "202511"), ("vrf=mgmt", "master"))
"""Field of the gNMI server → first release that has it (gnmi-native.sh and sonic-gnmi of each branch)."""
LOSSY_GROUP = 0
LOSSLESS_BUFFER = "egress_lossless_profile"
LONGEST_TEXT = 255


def adjusted(device: Device, rows: Rows) -> Rows:
    """Names of SONiC, values as its tables have them, lines that the fabric needs."""
    names = vrf_names(device)
    tables = is_at_least(device.version, TABLES) and device.evpn is None
    frr = frr_release(device.version)
    found = without_members(device, without_evpn_limit(device, as_frr(device, rows, frr), frr))
    found = renamed(without_usual_duplicates(found), names)
    found[Key("bgp", "", "wait-install")] = False  # nothing tells bgpd that a route is in the forwarding table
    found[Key("management", "", "vrf")] = "mgmt"
    _access(device, found)
    found[Key("switch", "", "hash-seed")] = SEEDS[device.role]
    if not device.evpn or not device.evpn.vrfs:
        found.pop(Key("vtep", "", "mtu"), None)
    _values(device, found)
    if device.qos is not None:
        _lossless(device, device.qos, found)
    return found | needed(_lines(device, names, tables=tables))


def _access(device: Device, rows: Rows) -> None:
    """REST and SNMP are closed to everybody where nothing turns them on; there is no NETCONF."""
    management = device.management
    if not management.access:
        return
    rows.pop(Key("management", "", "access-netconf"))
    rows[Key("management", "", "access-api")] = frozenset()
    if management.gnmi is None:
        rows.pop(Key("management", "", "access-gnmi"))
    if management.snmp is None:
        rows[Key("management", "", "access-snmp")] = frozenset()


def vrf_names(device: Device) -> dict[str, str]:
    """Tenant → name of its VRF, which begins with Vrf (sonic-vrf)."""
    found = {"": ""}
    for vrf in device.evpn.vrfs if device.evpn else ():
        name = f"Vrf_{vrf.name}"
        found[vrf.name] = name if len(name) <= LONGEST_NAME else f"Vrf{vrf.vni}"
    return found


def _values(device: Device, rows: Rows) -> None:
    mtus = {port.name: port.profile.mtu for port in device.interfaces.ethernet}
    spellings = device.hardware.spellings
    for key, value in list(rows.items()):
        if key.setting == "description" and isinstance(value, str):
            cleared = " ".join(value.replace("|", "/").split()) or "-" if key.thing == "session" else value
            rows[key] = cleared[:LONGEST_TEXT] if key.thing == "port" else cleared
        elif key.thing == "subinterface" and key.setting == "mtu":
            rows[key] = mtus[key.name.partition(".")[0]]
        elif key.setting == "lanes" and isinstance(value, int):
            _, cage = _place(spellings, key.name)
            rows[key] = max(value * cage.lanes // cage.electrical, 1)


def _lossless(device: Device, qos: Qos, rows: Rows) -> None:
    """Numbers after the rounding of SONiC; a switch with dynamic buffers computes headroom from the cable."""
    dynamic = device.hardware.spellings["buffers"] == "dynamic"
    found = rendered(device.hardware, qos, max((port.profile.mtu for port in device.interfaces.ethernet), default=0))
    dog = tuple(-1 if value is None else value for value in found.watchdog[:3])
    for key in list(rows):
        if key.thing == "port" and key.setting == "watchdog":
            rows[key] = dog
    if dynamic:
        rows.pop(Key("switch", "", "headroom-pool"), None)
        rows.pop(Key("switch", "", "resume"), None)
    for port in _lossless_ports(device):
        rows.pop(Key("port", port.name, "headroom" if dynamic else "cable"), None)
        if dynamic:
            rows[Key("port", port.name, "cable")] = max(ceil(port.length_m), 1)
    if not _lossless_ports(device):
        for setting in ("resume", *(() if dynamic else ("alpha",))):
            rows.pop(Key("switch", "", setting), None)


def _lossless_ports(device: Device) -> list[Ethernet]:
    return [port for port in device.interfaces.ethernet if port.profile.qos]


def _lines(device: Device, names: dict[str, str], *, tables: bool) -> Iterator[str]:
    yield from _routing_lines(device, names, tables=tables)
    yield from _box_lines(device, tables=tables)
    yield from _management_lines(device)
    yield from (_lanes(device, port) for port in _rows_of_ports(device))
    if device.evpn is not None:
        yield "FEATURE radv: disabled"
        for vlan in device.evpn.vlans:
            yield f"VLAN {vlan.vlan_id}: up"
        for vrf in device.evpn.vrfs:
            yield f"VRF {names[vrf.name]} in frr.conf: the same VNI"
            yield from (f"VRF {names[vrf.name]}: lookups end ({family})" for family in ("IPv4", "IPv6"))
            yield f"L3 VNI of VRF {names[vrf.name]}: up, in VRF {names[vrf.name]}"
    for row in device.interfaces.subinterfaces:
        yield f"{row.parent}.{row.vlan_id}: up"
    if device.qos is not None:
        yield from _qos_lines(device, device.qos)


def _routing_lines(device: Device, names: dict[str, str], *, tables: bool) -> Iterator[str]:
    bgp = device.routing.bgp
    yield "bgp bestpath as-path multipath-relax"
    for name, group in sessions(device):
        tenant, _, rest = name.rpartition(" ")
        here = in_vrf(names.get(tenant, tenant), rest) if group is None else name
        yield f"{here}: tries again after 1 s"
        if group is not None and group.ttl_hops and group.multihop:
            yield needs_no_link(here)
    if tables:
        return
    yield "frr defaults traditional"
    yield f"ip router-id {bgp.router_id}"
    yield f"hostname {device.name}"
    dscp = device.qos.control_dscp if device.qos else DEFAULT_DSCP
    if dscp not in (0, DEFAULT_DSCP):
        yield f"bgp session-dscp {dscp}"
    if device.evpn is not None:
        yield "advertise-all-vni"
    for vrf in bgp.vrfs:
        name = names[vrf.name]
        yield f"{name} bgp bestpath as-path multipath-relax"
        yield f"{name}: router bgp {bgp.asn}, router id {bgp.router_id}"
        yield from (f"{name} advertise {family} unicast" for family in ("ipv4", "ipv6"))


def _box_lines(device: Device, *, tables: bool) -> Iterator[str]:
    spellings = device.hardware.spellings
    yield f"bgp_asn {device.routing.bgp.asn}"
    yield f"buffer_model {spellings.get('buffers', 'traditional')}"
    yield f"docker_routing_config_mode {'unified' if tables else 'split-unified'}"
    yield "frr_mgmt_framework_config true"
    yield f"hwsku {spellings['hwsku']}"
    yield f"platform {spellings['platform']}"
    if tables:
        yield "use_template_render_for_restore false"


class _Place(NamedTuple):
    """A cage: the numbers of its ports' names, its lanes of the chip, its lanes, its own number."""

    names: range
    lane: int
    lanes: int
    electrical: int
    number: int


def _numbers(text: str, cages: int) -> list[int]:
    """One number for all cages, or one for each."""
    numbers = [int(word) for word in text.split()]
    return numbers * cages if len(numbers) == 1 else numbers


def _place(spellings: Mapping[str, str], name: str) -> tuple[int, _Place]:
    """Number in a port's name, and its cage."""
    per_cage = spellings["lanes_a_cage"]
    words = (per_cage, spellings.get("names_a_cage", per_cage), spellings.get("cage_lanes", "8"))
    starts = (int(spellings.get("first_port", 0)), int(spellings.get("first_index", 1)))
    port = int(name.removeprefix("Ethernet"))
    return port, _places(spellings["lanes"], words, starts)[port]


@lru_cache(maxsize=8)
def _places(lanes: str, words: tuple[str, str, str], starts: tuple[int, int]) -> dict[int, _Place]:
    """Cage of each number: names count from the first cage on, each with as many as its file says."""
    firsts = [int(word) for word in lanes.split()]
    widths, names, electrical = (_numbers(word, len(firsts)) for word in words)
    found: dict[int, _Place] = {}
    start = starts[0]
    for cage, lane in enumerate(firsts):
        numbers = range(start, start + names[cage])
        found |= dict.fromkeys(numbers, _Place(numbers, lane, widths[cage], electrical[cage], cage + starts[1]))
        start = numbers.stop
    return found


def _rows_of_ports(device: Device) -> Iterator[Ethernet]:
    """All ports that PORT has: with the first part of each cage of which later ones alone are in use.

    Without a row the sku's own one of that name would stay, with all lanes (sonic-utilities, load_sysinfo_if_missing).
    """
    ports = (*device.interfaces.ethernet, *device.interfaces.idle)
    names = {port.name for port in ports}
    for port in ports:
        yield port
        first = f"Ethernet{_place(device.hardware.spellings, port.name)[1].names.start}"
        if first not in names:
            names.add(first)
            yield port._replace(name=first)


def _lanes(device: Device, port: Ethernet) -> str:
    """Lanes of the chip of a port: its number counts lanes from its cage's first one (platform.json of the sku)."""
    number, cage = _place(device.hardware.spellings, port.name)
    offset = (number - cage.names.start) * cage.lanes // len(cage.names)
    width = max(port.profile.lanes * cage.lanes // cage.electrical, 1)
    lanes = ",".join(str(cage.lane + offset + lane) for lane in range(width))
    part = offset // width + 1 if port.profile.parts > 1 else 0
    return f"{port.name}: lanes {lanes}, cage {cage.number}, part {part}"


def _access_lines(device: Device) -> Iterator[str]:
    """What ends in a drop, and neighbors whose BFD would meet the last drop of all."""
    if not device.management.access:
        return
    for service in ("api", "snmp", "ssh", *(("gnmi",) if device.management.gnmi else ())):
        yield from (f"{service} is closed to others in {family}" for family in ("IPv4", "IPv6"))
    groups = {group.name: group for group in device.routing.bgp.groups}
    for neighbor in device.routing.bgp.neighbors:
        if groups[neighbor.group].bfd:
            address, length = peer(neighbor.address), 128 if ":" in neighbor.address else 32
            source = f"SRC_IP{'V6' if length == 128 else ''} {address}/{length}"
            bare = f"IN_PORTS {neighbor.interface}, PACKET_ACTION ACCEPT, SRC_IPV6 fe80::/10"
            yield f"control plane, any service: {bare if neighbor.interface else f'PACKET_ACTION ACCEPT, {source}'}"


def _management_lines(device: Device) -> Iterator[str]:
    row = device.management
    yield from _access_lines(device)
    yield f"{row.port}: up"
    yield from (f"SYSLOG_SERVER {peer(server)}: VRF mgmt" for server in row.syslog)
    if row.ntp:
        yield from _row("NTP global", f"src_intf={row.port}", "vrf=mgmt")
    if row.tacacs is not None:
        for kind in ("authentication", "authorization", "accounting"):
            yield from _row(f"AAA {kind}", "login=tacacs+,local")
        for priority, server in zip(range(len(row.tacacs.servers), 0, -1), row.tacacs.servers, strict=True):
            yield f"TACPLUS_SERVER {peer(server)}: priority {priority}, VRF mgmt"
    if row.snmp is not None:
        yield f"SNMP_AGENT_ADDRESS_CONFIG {row.address.partition('/')[0]}|161|mgmt"
        words = ("TYPE Priv", "PERMISSION RO")
        yield from (f"SNMP_USER {row.snmp.user}: {said}" for said in words)
    if row.gnmi is not None:
        fields = (field for field, since in GNMI if is_at_least(device.version, since))
        yield from _row("GNMI gnmi", "client_auth=true", *fields)
        base = f"/etc/sonic/telemetry/{row.gnmi.certificate}"
        yield from _row("GNMI certs", f"ca_crt={base}-ca.cer", f"server_crt={base}.cer", f"server_key={base}.key")
    yield f"FEATURE sflow: {'enabled' if row.sflow else 'disabled'}"
    if row.sflow is not None:
        yield f"sFlow agent {row.port}"
        yield "sFlow of all ports: down"
        yield from (f"sFlow collector {peer(server)}: 6343, mgmt" for server in row.sflow.collectors)


def _row(name: str, *fields: str) -> Iterator[str]:
    """A row of a table with its fields."""
    yield name
    yield from (f"{name}: {field}" for field in fields)


def _map(table: str, rows: Iterable[tuple[int, int]]) -> Iterator[str]:
    """A map with its entries."""
    entries = sorted(rows)
    yield f"{table}: entries of {' '.join(str(first) for first, _ in entries)}"
    yield from (f"{table}: {first}>{second}" for first, second in entries)


def _pairs(rows: Iterable[tuple[object, object]]) -> str:
    return " ".join(f"{first}>{second}" for first, second in rows)


def _qos_lines(device: Device, qos: Qos) -> Iterator[str]:
    """Maps and buffers: every priority group but the lossless one is 0, every lossy queue has the lossy profile."""
    spellings, ports = device.hardware.spellings, _lossless_ports(device)
    dynamic = spellings["buffers"] == "dynamic"
    priority = qos.profiles[0].lossless_priorities[0]
    queue = next(row.queue for row in qos.profiles[0].queues if row.name == "roce")
    own = next(row.traffic_class for row in qos.class_queues if row.queue == queue)
    yield from _row("PORT_QOS_MAP global", "dscp_to_tc_map=FABRIC")
    yield from _pool_lines(spellings, spellings["pool"], max((port.profile.mtu for port in ports), default=0))
    if not ports:
        return
    groups = sorted(
        (row.traffic_class, priority if row.traffic_class == own else LOSSY_GROUP) for row in qos.class_queues
    )
    yield from _map("TC_TO_PRIORITY_GROUP_MAP", groups)
    yield from _map("MAP_PFC_PRIORITY_TO_QUEUE", ((one, queue if one == priority else one) for one in range(8)))
    lossy = "q_lossy_profile" if dynamic else "egress_lossy_profile"
    for profile in {port.profile.qos for port in ports}:
        queues = sorted(row.queue for found in qos.profiles if found.name == profile for row in found.queues)
        yield f"BUFFER_QUEUE: {_pairs((one, LOSSLESS_BUFFER if one == queue else lossy) for one in queues)}"
    if dynamic:
        yield from _map("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", [(priority, priority)])
        yield f"BUFFER_PG: 0>ingress_lossy_profile {priority}>NULL"
        yield "BUFFER_PORT_EGRESS_PROFILE_LIST: egress_lossless_profile,egress_lossy_profile"
        yield "BUFFER_PORT_INGRESS_PROFILE_LIST: ingress_lossless_profile,ingress_lossy_profile"
    else:
        size, xon = spellings.get("pg_size", ""), spellings.get("pg_xon", "")
        rest = f"pool=ingress_lossless_pool,size={size},xon={xon}"
        yield f"BUFFER_PG: 0>ingress_lossy_profile {priority}>headroom of {rest}"
        yield from (f"{port.name}: no PFC_PRIORITY_TO_PRIORITY_GROUP_MAP" for port in ports)


def _pool_lines(spellings: Mapping[str, str], pool: str, mtu: int) -> Iterator[str]:
    """Pools and lossy profiles, as the maker of the switch ships them (hardware files)."""
    if spellings["buffers"] == "dynamic":
        yield from _row("BUFFER_POOL ingress_lossless_pool", "mode=dynamic", "type=ingress")
        yield from _row("BUFFER_POOL ingress_lossy_pool", "mode=dynamic", "type=ingress")
        yield from _row("BUFFER_POOL egress_lossless_pool", "mode=dynamic", f"size={pool}", "type=egress")
        yield from _row("BUFFER_POOL egress_lossy_pool", "mode=dynamic", "type=egress")
        yield from _row(
            "BUFFER_PROFILE ingress_lossless_profile", "dynamic_th=7", "pool=ingress_lossless_pool", "size=0"
        )
        yield from _row("BUFFER_PROFILE ingress_lossy_profile", "dynamic_th=3", "pool=ingress_lossy_pool", "size=0")
        yield from _row("BUFFER_PROFILE egress_lossless_profile", "dynamic_th=7", "pool=egress_lossless_pool", "size=0")
        yield from _row("BUFFER_PROFILE egress_lossy_profile", "dynamic_th=7", "pool=egress_lossy_pool", "size=9216")
        yield from _row("BUFFER_PROFILE q_lossy_profile", "dynamic_th=3", "pool=egress_lossy_pool", "size=0")
        yield from _row("DEFAULT_LOSSLESS_BUFFER_PARAMETER FABRIC")
        yield from _row("LOSSLESS_TRAFFIC_PATTERN FABRIC", f"mtu={mtu}", "small_packet_percentage=100")
        return
    size, share = spellings.get("lossy_size", ""), spellings.get("lossy_alpha", "")
    yield from _row("BUFFER_POOL ingress_lossless_pool", "mode=dynamic", f"size={pool}", "type=ingress")
    yield from _row("BUFFER_POOL egress_lossless_pool", "mode=static", f"size={pool}", "type=egress")
    yield from _row("BUFFER_PROFILE ingress_lossy_profile", "pool=ingress_lossless_pool", "size=0", f"static_th={pool}")
    yield from _row(
        "BUFFER_PROFILE egress_lossless_profile", "pool=egress_lossless_pool", "size=0", f"static_th={pool}"
    )
    yield from _row(
        "BUFFER_PROFILE egress_lossy_profile", f"dynamic_th={share}", "pool=egress_lossless_pool", f"size={size}"
    )
