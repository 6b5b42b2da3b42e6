"""What a Device asks for in the words of SR Linux: percentages, limits, and values that are none of a plan.

It is written from the guides as the parser is, and shares nothing with the templates.
"""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.srlinux.lossless import rendered
from fabricgen.readback.intended import in_vrf, peer, prefix
from fabricgen.readback.platform import Rows
from fabricgen.readback.rows import Key, Value

NOT_SHOWN = {
    "switch.resume": "no value says how far a queue drains before its peer may send again (YANG, for other chips)",
    "switch.alpha": "limits are in octets: there is no share of the free buffer",
    "switch.load-balancing": "there is one way to spread packets, which is not said",
    "switch.flowlet-gap": "there are no flowlets",
    "switch.ecn-counters": "marked packets are counted without a word",
    "switch.queue-monitor": "queue depths are state",
    "switch.load-interval": "rates are state",
    "port.cable": "headroom is said in octets",
    "port.tracking": "refused: it needs a script",
    "port.bpdu-guard": "refused: no spanning tree beside EVPN",
    "lag.es-import": "the system makes it of the ESI",
    "lag.tracking": "refused, as on ports: it needs a script",
    "lag.bpdu-guard": "refused, as on ports: no spanning tree beside EVPN",
    "vtep.mtu": "tunnels have no MTU: ports and gateways have",
    "management.eapi-certificate": "the system has no eAPI",
    "management.sflow-polling": "counters are sent at the system's own pace",
}
MACS = 8192
"""Addresses of a subinterface whose port has no limit: SR Linux has one always."""
LEAST_FRAME, HEADER, TAG = 1500, 14, 4
"""Octets of the smallest MTU of a port (YANG), of the Ethernet header, of a tag."""
ONE_FEC = 50
"""Gb/s of a lane from which on there is one FEC, which must not be said (YANG)."""
ALIASES = 8
"""Most paths of a mac-vrf (YANG, a must)."""
NEWER = "25.3"
"""The release from which on the kinds of communities are said, and equal paths by kind of peer; before, all are sent,
and one number is for all."""
RETRY, ADVERTISED = 10, 1
SWITCHED = ("access-vlan", "trunk-vlans", "bpdu-guard", "mac-limit")
"""What the aggregate of a member has."""
ROLES = {
    "network-admin": (15, "write", "true", ("cli", "gnmi", "json-rpc")),
    "network-operator": (1, "read", "false", ("cli", "gnmi")),
}
GONE: Value = "(no row)"
Changes = Iterator[tuple[Key, Value]]


def adjusted(device: Device, rows: Rows) -> Rows:
    """The rows of a Device as SR Linux has them."""
    found = dict(rows)
    for change in (_ports, _lags, _bgp, _kinds, _qos, _access, _needs):
        found.update(change(device, found))
    return {key: value for key, value in found.items() if value is not GONE}


def _access(device: Device, rows: Rows) -> Changes:
    """Services that nobody turned on have no sources; there is no NETCONF."""
    if device.management.access:
        yield Key("management", "", "access-netconf"), GONE
        if device.management.gnmi is None:
            yield Key("management", "", "access-gnmi"), GONE
        if device.management.snmp is None:
            yield Key("management", "", "access-snmp"), GONE


def _ports(device: Device, rows: Rows) -> Changes:
    lags = {lag.number: lag for lag in device.interfaces.lags}
    for port in device.interfaces.ethernet:
        profile = port.profile
        if profile.fec == "rs-fec" and profile.speed_gbps // profile.lanes >= ONE_FEC:
            yield Key("port", port.name, "fec"), ""
        if port.lag:
            yield Key("port", port.name, "mtu"), max(lags[port.lag].mtu, LEAST_FRAME - HEADER - TAG)
            for setting in SWITCHED:
                yield Key("port", port.name, setting), GONE
        elif port.switching is not None:
            yield Key("port", port.name, "mac-limit"), port.switching.mac_limit or MACS
            yield Key("port", port.name, "mtu"), max(profile.mtu, LEAST_FRAME - HEADER - TAG)
    for port in device.interfaces.idle:
        yield Key("port", port.name, "description"), port.description


def _lags(device: Device, rows: Rows) -> Changes:
    for lag in device.interfaces.lags:
        name = str(lag.number)
        yield Key("lag", name, "mac-limit"), lag.switching.mac_limit or MACS
        yield Key("lag", name, "mtu"), max(lag.mtu, LEAST_FRAME - HEADER - TAG)
        if not lag.esi:
            yield Key("lag", name, "system-id"), ""


def _bgp(device: Device, rows: Rows) -> Changes:
    bgp = device.routing.bgp
    groups = {group.name: group for group in bgp.groups}
    if not bgp.vrfs and not any("evpn" in group.families for group in bgp.groups):
        yield Key("bgp", "", "overlay-paths"), GONE
    if not bgp.neighbors:
        yield Key("bgp", "", "maximum-paths"), GONE  # no session has a family
    carried = {family for group in bgp.groups for family in group.families}
    for network in (*bgp.networks_ipv4, *bgp.networks_ipv6):
        if ("ipv6" if ":" in network else "ipv4") not in carried:
            yield Key("network", prefix(network), "originated"), GONE  # no session has its family
    for neighbor in bgp.neighbors:
        group = groups[neighbor.group]
        if "evpn" in group.families:
            yield Key("session", peer(neighbor.peer), "next-hop-unchanged"), True
            if not group.restart_minutes:
                yield Key("session", peer(neighbor.peer), "maximum-routes.evpn"), 0


def _kinds(device: Device, rows: Rows) -> Changes:
    bgp = device.routing.bgp
    outside = [in_vrf(vrf.name, peer(neighbor.address)) for vrf in bgp.vrfs for neighbor in vrf.neighbors]
    for name in () if is_at_least(device.version, NEWER) else (*(peer(one.peer) for one in bgp.neighbors), *outside):
        yield Key("session", name, "extended-communities"), True


def _qos(device: Device, rows: Rows) -> Changes:
    qos = device.qos
    yield Key("switch", "", "headroom-pool"), GONE
    if qos is None or not qos.profiles:
        return
    buffer = int(device.hardware.spellings.get("buffer_octets", "0"))
    if buffer:
        yield Key("switch", "", "headroom-pool"), f"{min(-(-qos.headroom_pool_octets * 100 // buffer), 100)} percent"
    yield _line("explicit-congestion-notification"), True
    numbers = rendered(device.hardware, qos, 0)
    lossless = [queue.queue for queue in qos.profiles[0].queues if queue.ecn is not None]
    ports = [port for port in device.interfaces.ethernet if port.profile.qos]
    limit = numbers.queue_limit_octets or 0
    for queue in lossless:
        yield _line(f"limit of unicast-{queue}: {limit} octets"), True
    for priority in qos.profiles[0].lossless_priorities:
        yield _line(f"limit of pfc{priority}: {limit // max(len(ports), 1)} octets"), True
    watches = qos.watchdog.action == "drop"
    for port in ports:
        yield _line(f"{port.name}: flow-control receive false"), True
        yield _line(f"{port.name}: its queues have limits"), True
        times = (qos.watchdog.detect_ms, qos.watchdog.restore_ms, -1)
        yield Key("port", port.name, "watchdog"), times if watches else ()
        yield Key("port", port.name, "watchdog-action"), "drop" if watches else ""


def _line(text: str) -> Key:
    return Key("line", text, "present")


def _needs(device: Device, rows: Rows) -> Changes:
    """Values that are none of a plan, each with what it is for."""
    for text in (
        *_control_plane(device),
        *_system(device),
        *_management(device),
        *_routing(device),
        *_overlay(device),
        *_ports_of(device),
    ):
        yield _line(text), True


def _control_plane(device: Device) -> Iterator[str]:
    newer = is_at_least(device.version, NEWER)
    for word in ("peak-rate-pps", "maximum-burst-packet") if newer else ("peak-packet-rate", "max-packet-burst"):
        yield f"control-plane policer icmp: {word} 1000"
    gnmi = device.management.gnmi.port if device.management.gnmi else 57400
    shift = FIRST_BEHIND if device.management.access else 0
    services = [*SERVICES, ("tcp", "destination", gnmi, (260, 300))]
    if device.management.access:
        services = [row for row in services if row[1] == "source" or row[2] not in (22, 80, 161, 443, gnmi)]
        yield from _closed(device, gnmi)
    for family, word in (("ipv4", "protocol"), ("ipv6", "next-header")):
        yield f"acl cpm {family} filters the control plane"
        own = "icmp" if family == "ipv4" else "icmp6"
        for number, kind in ICMP[family]:
            match = f"{family} {own} type {kind}, {family} {word} {own}"
            yield f"acl cpm {family} {number + shift}: {match}: accept at policer icmp"
        for protocol, end, port, numbers in services:
            if number := numbers[family == "ipv6"]:
                ports = f"transport {end}-port operator eq, transport {end}-port value {port}"
                yield f"acl cpm {family} {number + shift}: {family} {word} {protocol}, {ports}: accept"
        probes = "transport destination-port range end 33464, transport destination-port range start 33434"
        yield f"acl cpm {family} {TRACEROUTE[family] + shift}: {family} {word} udp, {probes}: accept"
        yield f"acl cpm {family} {LAST[family] + shift}: all: drop, logged"
    yield f"acl cpm ipv4 {310 + shift}: ipv4 fragment true, ipv4 protocol icmp: accept at policer icmp"
    yield f"acl cpm ipv6 {320 + shift}: ipv6 next-header 0: accept"
    yield f"acl cpm ipv6 {330 + shift}: ipv6 next-header 44: accept"


def _closed(device: Device, gnmi: int) -> Iterator[str]:
    """What drops a service from others, behind the sources of it in IPv4."""
    row = device.management
    sources = {access.service: len(access.prefixes) for access in row.access}
    ports = [("ssh", "tcp", 22), ("api", "tcp", 80), ("snmp", "udp", 161), ("api", "tcp", 443), ("gnmi", "tcp", gnmi)]
    number = {"ipv4": 0, "ipv6": 0}
    for service, protocol, port in ports:
        if (service == "gnmi" and row.gnmi is None) or (service == "snmp" and row.snmp is None):
            continue
        number["ipv4"] += sources[service]
        for family, word in (("ipv4", "protocol"), ("ipv6", "next-header")):
            number[family] += 1
            match = f"{family} {word} {protocol}, transport destination-port operator eq"
            match += f", transport destination-port value {port}"
            match += ", transport tcp-flags syn&!ack" if protocol == "tcp" else ""
            yield f"acl cpm {family} {number[family]}: {match}: drop, logged"


FIRST_BEHIND = 30000
"""Added to numbers of the factory's entries where sources of management stand in front."""
ICMP = {
    "ipv4": (
        *((10, "dest-unreachable"), (20, "time-exceeded"), (30, "param-problem")),
        *((40, "echo"), (50, "echo-reply"), (280, "timestamp")),
    ),
    "ipv6": (
        *((10, "dest-unreachable"), (20, "packet-too-big"), (30, "time-exceeded"), (40, "param-problem")),
        *((50, "echo-request"), (60, "echo-reply"), (65, "router-solicit"), (70, "router-advertise")),
        *((80, "neighbor-solicit"), (90, "neighbor-advertise")),
    ),
}
SERVICES = (
    *(("tcp", "destination", 22, (60, 100)), ("tcp", "source", 22, (70, 110))),
    *(("tcp", "destination", 49, (100, 140)), ("tcp", "source", 49, (110, 150))),
    *(("tcp", "destination", 80, (150, 180)), ("tcp", "source", 80, (160, 190))),
    *(("tcp", "destination", 443, (210, 240)), ("tcp", "source", 443, (220, 250))),
    *(("tcp", "destination", 179, (190, 220)), ("tcp", "source", 179, (200, 230))),
    *(("udp", "source", 53, (120, 160)), ("udp", "source", 123, (170, 200)), ("udp", "destination", 161, (180, 210))),
    *(("udp", "destination", 67, (300, 0)), ("udp", "destination", 68, (130, 0))),
    *(("udp", "destination", 546, (0, 260)), ("udp", "destination", 547, (0, 350))),
    *(("udp", "destination", 3784, (230, 270)), ("udp", "destination", 4784, (240, 280))),
    ("udp", "destination", 6784, (250, 290)),
)
"""Protocol, end, port, and the numbers of the factory's entries for IPv4 and IPv6, 0 for none."""
TRACEROUTE, LAST = {"ipv4": 270, "ipv6": 310}, {"ipv4": 350, "ipv6": 360}


def _system(device: Device) -> Iterator[str]:
    row = device.management
    yield f"ssh-server in {row.vrf}"
    yield "server-group local: type local"
    yield f"authentication by {'tacacs local' if row.tacacs is not None else 'local'}"
    for name in ROLES if row.tacacs is not None else sorted({user.role for user in row.users}):
        privilege, action, superuser, services = ROLES[name]
        yield f"authorization role {name} superuser {superuser}"
        yield from (f"authorization role {name} services {service}" for service in services)
        yield f"role {name}: rule / action {action}"
        if row.tacacs is not None:
            yield f"authorization role {name} tacacs priv-lvl {privilege}"
    if row.tacacs is not None:
        yield "server-group tacacs: type tacacs"
        yield "server-group tacacs: priv-lvl-authorization true"
        yield "accounting accounting-method tacacs"
        yield "accounting event command record start-stop"
    for user in row.users:
        if user.name == "admin":
            yield f"user admin: superuser {ROLES[user.role][2]}"


def _management(device: Device) -> Iterator[str]:
    row = device.management
    source = peer(row.address.partition("/")[0])
    yield "logging subsystem-facility local6"
    for server in row.syslog:
        yield f"logging to {peer(server)} from {source}"
        yield f"logging to {peer(server)}: facility local6 priority match-above informational"
    for said in ("import-routes", "export-routes", "export-neighbors"):
        yield f"{row.vrf}: linux {said} true"
    if row.gnmi is not None:
        yield f"grpc-server in {row.vrf}"
    if row.snmp is not None:
        yield f"snmp in {row.vrf}"
        yield "snmp access by auth-priv"
        for use in ("access", "traps") if row.snmp.traps else ("access",):
            yield f"snmp {use} by {row.snmp.user}"
        if row.snmp.traps:
            yield f"snmp traps from {source}"
    if row.sflow is not None and any(port.profile.sflow for port in device.interfaces.ethernet):
        yield from (f"sflow to {peer(server)} from {source}" for server in row.sflow.collectors)


def _routing(device: Device) -> Iterator[str]:
    bgp = device.routing.bgp
    yield f"router-id {peer(bgp.router_id)}"
    yield from _speaker("", sessions=bool(bgp.neighbors))
    if any(port.profile.unnumbered for port in device.interfaces.ethernet):
        yield "ip-forwarding receive-ipv4-check false"
    if any("evpn" in group.families for group in bgp.groups):
        yield "evpn rapid-update"
    if not is_at_least(device.version, NEWER) and any(group.families for group in bgp.groups):
        yield "equal paths: one number for all peers"


def _speaker(where: str, *, sessions: bool) -> Iterator[str]:
    """What the BGP of an instance has; timers are those of sessions."""
    yield from (f"{where}bgp {way}-reject-all true" for way in ("import", "export"))
    yield f"{where}bgp rapid-withdrawal"
    if sessions:
        yield f"{where}bgp connect-retry {RETRY}"
        yield f"{where}bgp minimum-advertisement-interval {ADVERTISED}"


def _overlay(device: Device) -> Iterator[str]:
    bgp, evpn = device.routing.bgp, device.evpn
    for vrf in bgp.vrfs:
        if vrf.neighbors:
            where = f"VRF {vrf.name}: "
            yield from _speaker(where, sessions=True)
            yield f"{where}bgp autonomous-system {bgp.asn}"
            yield f"{where}bgp router-id {peer(bgp.router_id)}"
            yield f"{where}routes of bgp become EVPN routes"
    for vlan in evpn.vlans if evpn is not None else ():
        yield f"VLAN {vlan.vlan_id}: ecmp {min(bgp.overlay_paths, ALIASES)}"
    for row in evpn.gateways if evpn is not None else ():
        if row.ipv4:
            yield f"VLAN {row.vlan_id}: arp learn-unsolicited true"
            yield f"VLAN {row.vlan_id}: arp evpn advertise route-type dynamic"
        if row.ipv6:
            yield f"VLAN {row.vlan_id}: neighbor-discovery learn-unsolicited global"
            yield f"VLAN {row.vlan_id}: neighbor-discovery evpn advertise route-type dynamic"


def _ports_of(device: Device) -> Iterator[str]:
    for lag in device.interfaces.lags:
        yield f"lag{lag.number}: lag-type lacp"
        yield f"lag{lag.number}: lacp interval FAST"
        yield f"lag{lag.number}: lacp lacp-mode ACTIVE"
        if lag.esi:
            yield f"lag{lag.number}: lacp admin-key {lag.number}"
            yield f"lag{lag.number}: lacp system-priority 32768"
            yield f"lag{lag.number}: all-active"
    if any(lag.esi for lag in device.interfaces.lags):
        yield "bgp-vpn of segments: instance 1"
    for port in (*device.interfaces.ethernet, *device.interfaces.idle):
        if port.profile.parts > 1:
            yield f"{port.name.rpartition('/')[0]} is divided by {port.profile.parts}"
