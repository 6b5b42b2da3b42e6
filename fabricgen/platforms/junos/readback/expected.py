"""What a Device asks for in the words of Junos: percentages, cells and steps, and statements without a value of a plan.

It is written from the manuals as the parser is, and shares nothing with the templates.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from fabricgen.device.device import Device
from fabricgen.device.evpn import Gateway
from fabricgen.device.management import Management
from fabricgen.device.qos import Qos
from fabricgen.device.routing import BgpVrf
from fabricgen.platforms.junos.access import served
from fabricgen.platforms.junos.login import ALGORITHMS
from fabricgen.platforms.junos.lossless import rendered
from fabricgen.platforms.junos.readback.config import MANAGEMENT
from fabricgen.policy.load_balancing import FLOWLETS
from fabricgen.readback.intended import peer, prefix
from fabricgen.readback.platform import Rows
from fabricgen.readback.rows import Key, Value

NOT_SHOWN = {
    "switch.hash-seed": "no source shows that a QFX takes a seed (enhanced-hash-key)",
    "switch.ecn-counters": "no statement counts marked packets",
    "switch.load-interval": "there is no statement for the time that rates are averaged over",
    "port.lanes": "of a divided cage its parts are said; lanes follow from the model",
    "port.class-queues": "a class of traffic is a queue here: dscp-classes has queues",
    "lag.es-import": "the system makes it of the ESI (RFC 7432, 7.6)",
    "bgp.wait-install": "no statement holds a route until it is installed",
    "session.extended-communities": "they are sent without a statement",
    "vtep.mtu": "tunnels have no MTU: interfaces and gateways have",
}
WIDTHS = (16, *range(32, 513, 32))
"""Numbers that `maximum-ecmp` takes (YANG, chassis)."""
ONE_FEC = 25
"""Gb/s of a lane above which IEEE 802.3 has one FEC alone, which is not said."""
DEDICATED, DEDICATED_OUT, LOSSY = 15, 30, 10
"""Percent of the buffer that single ports have each way, and of the pool for lossy traffic (JVD AI backend)."""
HIGHEST_STEP, STEP_OF_ONE = 10, 7
"""Steps of `dynamic-threshold`: 0 to 10, each twice the one before, 10 is 8 (YANG; JVD AI backend)."""
FIRST_VRF_UNIT = 10
"""Unit of lo0 of tenant 0."""
PRECISE_BELOW = 20
"""Seconds of hold time that timers of their own are for (manual, precision-timers)."""
ETHERNET_HEADER = 14
LINK_BFD_MS, OVERLAY_BFD_MS = 1000, 3000
"""Slow, so that pauses take no session down (JVD AI backend)."""


def adjusted(device: Device, rows: Rows) -> Rows:
    """The rows of a Device as Junos has them."""
    found = dict(rows)
    for change in (_switch, _ports, _lags, _loopbacks, _bgp, _tunnels, _qos, _needs):
        found.update({key: value for key, value in change(device, found)})
    return {key: value for key, value in found.items() if value is not GONE}


GONE: Value = "(no row)"
"""In place of a row that is taken away."""
Changes = Iterator[tuple[Key, Value]]


def _switch(device: Device, rows: Rows) -> Changes:
    yield Key("management", "", "vrf"), MANAGEMENT
    if device.load_balancing.mode not in FLOWLETS:
        yield Key("switch", "", "flowlet-gap"), GONE
    answered = {row.service for row in served(device.management)}
    for row in device.management.access:
        if row.service not in answered:
            yield Key("management", "", f"access-{row.service}"), GONE
    login = device.management.login
    if login is not None and login.strong:
        words = (f"{name} {word}" for name, row in ALGORITHMS.items() for word in row)
        yield Key("management", "", "ssh-ciphers"), frozenset(words)


def _ports(device: Device, rows: Rows) -> Changes:
    lags = {lag.number: lag for lag in device.interfaces.lags}
    for port in device.interfaces.ethernet:
        profile = port.profile
        if profile.fec == "rs-fec" and not _is_rs_fec(profile.speed_gbps, profile.lanes):
            yield Key("port", port.name, "fec"), ""
        if profile.tracking == "upstream":
            yield Key("port", port.name, "tracking"), ""
        if port.lag:
            yield Key("port", port.name, "mtu"), lags[port.lag].mtu
            for setting in (*SWITCHED, "tracking"):
                yield Key("port", port.name, setting), GONE
    for port in device.interfaces.idle:
        yield Key("port", port.name, "description"), port.description


SWITCHED = (
    "access-vlan",
    "trunk-vlans",
    "bpdu-guard",
    "broadcast-limit",
    "multicast-limit",
    "unknown-unicast-limit",
    "mac-limit",
)
"""What the aggregate of a member has."""


def _is_rs_fec(speed: int, lanes: int) -> bool:
    return speed // lanes <= ONE_FEC and speed in (25, 50, 100)


def _lags(device: Device, rows: Rows) -> Changes:
    for lag in device.interfaces.lags:
        if not lag.esi:
            yield Key("lag", str(lag.number), "system-id"), ""
        if lag.tracking == "upstream":
            yield Key("lag", str(lag.number), "tracking"), ""


def _loopbacks(device: Device, rows: Rows) -> Changes:
    """Unit 0 has the addresses of all loopbacks of the default table."""
    own = [row for row in device.interfaces.loopbacks if not row.vrf]
    for row in own:
        for setting in ("description", "ipv4", "ipv6", "vrf"):
            yield Key("loopback", str(row.number), setting), GONE
    for setting in ("ipv4", "ipv6"):
        every = [rows[Key("loopback", str(row.number), setting)] for row in own]
        yield (
            Key("loopback", "0", setting),
            frozenset(one for part in every if isinstance(part, frozenset) for one in part),
        )


def _bgp(device: Device, rows: Rows) -> Changes:
    bgp = device.routing.bgp
    wanted = max(bgp.maximum_paths, bgp.overlay_paths if bgp.vrfs else 0)
    width = next((paths for paths in WIDTHS if paths >= wanted), WIDTHS[-1])
    yield Key("bgp", "", "maximum-paths"), width
    yield Key("bgp", "", "overlay-paths"), width
    for network in (*bgp.networks_ipv4, *bgp.networks_ipv6) if not bgp.neighbors else ():
        yield Key("network", prefix(network), "originated"), GONE  # export policies are those of sessions
    groups = {group.name: group for group in bgp.groups}
    for neighbor in bgp.neighbors:
        if groups[neighbor.group].multihop:
            yield Key("session", peer(neighbor.peer), "next-hop-unchanged"), True


def _tunnels(device: Device, rows: Rows) -> Changes:
    """The source of tunnels is a statement of the instances that have a VNI."""
    if device.evpn is not None and not (device.evpn.vlans or device.evpn.vrfs):
        yield Key("vtep", "", "address"), GONE


def _qos(device: Device, rows: Rows) -> Changes:
    qos, spellings = device.qos, device.hardware.spellings
    if qos is None:
        return
    numbers = rendered(device.hardware, qos, 0)
    chip = int(spellings.get("chip_octets", "0")) * (100 - DEDICATED) // 100
    if chip and qos.headroom_pool_octets and qos.profiles:
        percent = -(-qos.headroom_pool_octets * 100 // chip)
        yield Key("switch", "", "headroom-pool"), f"{percent} percent"
        yield Key("switch", "", "alpha"), f"step {_step(qos.alpha)}"
        for way, lossless in (("ingress", 100 - LOSSY - percent), ("egress", 100 - LOSSY - percent)):
            yield _line(f"{way} buffer: lossless {lossless} percent"), True
            yield _line(f"{way} buffer: lossy {LOSSY} percent"), True
        yield _line(f"ingress buffer: dedicated {DEDICATED} percent"), True
        yield _line(f"egress buffer: dedicated {DEDICATED_OUT} percent"), True
    else:
        yield Key("switch", "", "headroom-pool"), GONE
        yield Key("switch", "", "alpha"), GONE
    if numbers.resume_octets:
        yield Key("switch", "", "resume"), f"{qos.resume_octets // int(spellings['cell_octets'])} cells"
    else:
        yield Key("switch", "", "resume"), GONE
    queue = {row.traffic_class: row.queue for row in qos.class_queues}
    limit = _limit(qos, int(spellings.get("buffer_octets", "0")))
    times = numbers.watchdog
    queues_of = cache(lambda classes: tuple(queue.get(int(str(one)), 0) for one in _tuple(classes)))
    for port in device.interfaces.ethernet:
        classes = rows.get(Key("port", port.name, "dscp-classes"))
        if classes is None:
            continue
        yield Key("port", port.name, "dscp-classes"), queues_of(classes)
        yield Key("port", port.name, "ecn"), _ecn(_tuple(rows[Key("port", port.name, "ecn")]), limit)
        yield Key("port", port.name, "headroom"), f"for frames of {port.profile.mtu + ETHERNET_HEADER} octets"
        yield Key("port", port.name, "cable"), max(int(-(-port.length_m // 1)), 1)
        yield Key("port", port.name, "watchdog"), (times.detect_ms or 0, times.restore_ms or 0, times.polling_ms or 0)
    if qos.control is not None and qos.profiles:
        yield _line(f"own packets: queue {qos.control.queue}"), True
        yield _line(f"own packets: dscp {qos.control_dscp}"), True


def _tuple(value: Value) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else ()


def _step(alpha: str) -> int:
    """The step of `dynamic-threshold` at or below a share."""
    step = HIGHEST_STEP
    while step > 0 and Fraction(2) ** (step - STEP_OF_ONE) > Fraction(alpha):
        step -= 1
    return step


def _limit(qos: Qos, buffer: int) -> int:
    """Octets of one congested lossless queue: alpha/(1+alpha) of the buffer without headroom; 0 where unknown."""
    alpha = Fraction(qos.alpha)
    return int(alpha * (buffer - qos.headroom_pool_octets) / (1 + alpha)) if buffer and qos.headroom_pool_octets else 0


def _ecn(row: tuple[int, ...], limit: int) -> Value:
    """Thresholds as the highest percent of the limit that is not above them; two that would be equal are one apart."""
    found: list[int] = []
    for at in range(0, len(row) if limit else 0, 4):
        queue, low, high, chance = row[at : at + 4]
        least = _percent(low, limit)
        found += [queue, least, max(_percent(high, limit), least + 1), chance]
    return tuple(found)


def _percent(octets: int, limit: int) -> int:
    percent = octets * 100 // limit
    return percent + 1 if (percent + 1) * limit // 100 <= octets else percent


def _line(text: str) -> Key:
    return Key("line", text, "present")


def _needs(device: Device, rows: Rows) -> Changes:
    """Statements that have no value of a plan, each with what it is for."""
    for text in (*_system(device), *_control_plane(device), *_routing(device), *_overlay(device), *_aggregates(device)):
        yield _line(text), True


def _system(device: Device) -> Iterator[str]:
    row = device.management
    source = peer(row.address.partition("/")[0])
    yield "root has no password"
    if row.login is not None and row.login.only_keys:
        yield "root is refused by SSH"
    yield "services ssh"
    yield "services netconf ssh"
    if row.lldp:
        yield "lldp port-id-subtype interface-name"
        yield "lldp port-description-type interface-description"
        yield "lldp neighbour-port-info-display port-id"
    if row.gnmi is not None:
        yield "grpc use-pki"
        yield f"grpc in {MANAGEMENT}"
    if row.tacacs is not None:
        yield "authentication-order tacplus password"
        yield from (f"accounting of {event}" for event in ("login", "change-log", "interactive-commands"))
        yield "accounting by tacplus"
        yield from (f"tacplus-server {peer(server)} from {source}" for server in row.tacacs.servers)
    if row.snmp is not None:
        yield "snmp routing-instance-access"
        yield from (f"snmp {right} of {row.snmp.user}: all" for right in ("read-view", "notify-view"))
        yield from (f"snmp traps by {row.snmp.user}" for _ in row.snmp.traps[:1])
    if row.sflow is not None:
        yield f"sflow from {source}"


def _control_plane(device: Device) -> Iterator[str]:
    """On each unit of lo0: an instance whose unit has no filter is not filtered (VPNs guide, logical units of lo0)."""
    gateways = device.evpn.gateways if device.evpn else ()
    relays = {"inet": any(row.relays_ipv4 for row in gateways), "inet6": any(row.relays_ipv6 for row in gateways)}
    for family, word, icmp, ports in (
        ("inet", "protocol", "icmp", "67 68"),
        ("inet6", "next-header", "icmp6", "546 547"),
    ):
        terms = [
            *(_management_terms(device.management) if family == "inet" else ()),
            ("BGP", f"destination-port bgp, {word} tcp"),
            ("BGP-REPLIES", f"destination-port 1024-65535, {word} tcp, source-port bgp"),
            ("BFD", f"destination-port 3784 4784, {word} udp"),
            ("ICMP", f"{word} {icmp}"),
            ("TRACEROUTE", f"destination-port 33434-33523, {word} udp"),
        ]
        if relays[family]:
            terms.append(("DHCP", f"destination-port {ports}, {word} udp"))
        for place, (term, match) in enumerate(terms, 1):
            then = "count DENIED, discard" if term == REFUSED else "accept"
            yield f"filter {family} PROTECT-RE {place} {term}: {match}: {then}"
        yield f"filter {family} PROTECT-RE {len(terms) + 1} OTHERS: all: count DENIED, discard"
    units = (0, *(FIRST_VRF_UNIT + vrf.id for vrf in (device.evpn.vrfs if device.evpn else ())))
    for unit in units:
        yield from (f"lo0.{unit} {family} filter input PROTECT-RE" for family in ("ipv4", "ipv6"))


REFUSED = "MANAGEMENT-REFUSED"


def _management_terms(management: Management) -> Iterator[tuple[str, str]]:
    """What is let in at the address of the management port: all, or sources of services and what servers answer."""
    to = f"destination-address {management.address.partition('/')[0]}/32"
    if not management.access:
        yield "MANAGEMENT", to
        return
    ports = {"ssh": "ssh", "netconf": "830", "gnmi": str(management.gnmi.port) if management.gnmi else ""}
    rows = [row.service for row in served(management)]
    for service in rows:
        name = f"MANAGEMENT-{service.upper()}"
        protocol, port = ("udp", "snmp") if service == "snmp" else ("tcp", ports[service])
        yield name, f"{to}, destination-port {port}, protocol {protocol}, source-prefix-list {name}"
    closed = " ".join(sorted(ports[service] for service in rows if service != "snmp"))
    yield REFUSED, f"{to}, destination-port {closed}, protocol tcp"
    yield "MANAGEMENT-REPLIES", f"{to}, destination-port 1024-65535, protocol tcp, tcp-established"
    yield "MANAGEMENT-SERVERS", f"{to}, destination-port 1024-65535 123, protocol udp, source-port 123 53"


def _routing(device: Device) -> Iterator[str]:
    bgp = device.routing.bgp
    yield "forwarding-table ecmp-fast-reroute"
    if device.evpn is not None:
        yield "forwarding-table chained-composite-next-hop ingress evpn"
    yield "bgp log-updown"
    if bgp.hold_seconds < PRECISE_BELOW:
        yield "bgp precision-timers"
    groups = {group.name: group for group in bgp.groups}
    for group in bgp.groups:
        if group.bfd:
            yield f"bfd {OVERLAY_BFD_MS if group.multihop else LINK_BFD_MS} ms by 3"
    for neighbor in bgp.neighbors:
        if groups[neighbor.group].multihop:
            yield f"session {peer(neighbor.peer)}: vpn-apply-export"
    yield from _dynamic(device)


def _dynamic(device: Device) -> Iterator[str]:
    mode = device.load_balancing.mode
    if mode.startswith("dlb"):
        yield from (f"hash-key family inet {layer}" for layer in ("layer-3", "layer-4"))
        yield from (f"ecmp-dlb ether-type {family}" for family in ("ipv4", "ipv6"))
        yield "ecmp-dlb sampling-rate 1000000"
        if mode == "dlb-global":
            part = "helper-only" if device.role == "spine" else "load-balancer-only"
            yield f"bgp global-load-balancing {part}"
        if mode in FLOWLETS:
            yield "flowlet flowset-table-size 2048"
            if "rebalancing" in device.hardware.spellings:
                yield "flowlet prob-threshold 3"
                yield "flowlet quality-delta 6"


def _overlay(device: Device) -> Iterator[str]:
    evpn = device.evpn
    if evpn is None:
        return
    for vlan in evpn.vlans:
        yield f"VLAN {vlan.vlan_id}: default-gateway do-not-advertise"
        yield f"VLAN {vlan.vlan_id}: service-type vlan-based"
    for vrf in device.routing.bgp.vrfs:
        yield from (f"VRF {vrf.name}: {text}" for text in _vrf(device, vrf))
    for row in evpn.gateways:
        yield from _relays(row)


def _vrf(device: Device, vrf: BgpVrf) -> Iterator[str]:
    """A unit of lo0 is the anchor of a VRF's router id."""
    yield f"router-id {device.routing.bgp.router_id}"
    yield "multipath of inet"
    yield "a unit of lo0"
    yield "a policy chooses prefix routes"
    learned = {row.family for row in vrf.neighbors}
    if "ipv6" in (*device.routing.bgp.families, *learned) or vrf.networks_ipv6:
        yield "multipath of inet6"
    if any(row.import_map for row in device.routing.bgp.vrfs):
        yield "auto-export"
    if vrf.neighbors:
        yield "bgp log-updown"
        yield "prefix routes of bgp"


def _relays(row: Gateway) -> Iterator[str]:
    if row.relays_ipv4:
        yield f"VRF {row.vrf}: dhcp forward-only"
        yield f"VLAN {row.vlan_id}: no-dhcp-flood"
        yield f"VLAN {row.vlan_id}: server-id-override"
    if row.relays_ipv6:
        yield f"VRF {row.vrf}: dhcpv6 forward-only"
        yield f"VLAN {row.vlan_id}: managed-configuration"


def _aggregates(device: Device) -> Iterator[str]:
    for lag in device.interfaces.lags:
        yield f"ae{lag.number}: lacp active"
        if lag.esi:
            yield f"ae{lag.number}: all-active"
    if any(port.profile.tracking == "downstream" for port in device.interfaces.ethernet) or any(
        lag.tracking for lag in device.interfaces.lags
    ):
        yield "network-isolation: ports come back after 120000 ms"
    for port in (*device.interfaces.ethernet, *device.interfaces.idle):
        cage, _, part = port.name.partition(":")
        if part:
            yield f"{cage} is divided by {port.profile.parts}"
