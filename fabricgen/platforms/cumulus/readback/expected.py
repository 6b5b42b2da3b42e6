"""The rows of a Device as NVUE's commands show them."""

import re
from collections.abc import Iterable, Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet, Switching
from fabricgen.device.qos import Qos
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.cumulus.lossless import rendered
from fabricgen.platforms.cumulus.names import TAKEN
from fabricgen.platforms.linux.names import device_name
from fabricgen.platforms.linux.readback.expected import (
    as_frr,
    needed,
    one_loopback,
    renamed,
    sessions,
    without_members,
    without_sessions,
)
from fabricgen.readback.intended import in_vrf, peer
from fabricgen.readback.platform import Rows
from fabricgen.readback.policy import Policy, policy
from fabricgen.readback.rows import Key

NOT_SHOWN: Mapping[str, str] = {
    "vlan.name": "5.11 has no command for it (NVUE reference, Bridge)",
    "port.sflow": "sFlow is of all ports (user guide, sFlow)",
    "switch.ecn-counters": "marked packets are counted without a command (user guide, Quality of Service)",
    "port.headroom": "the switch computes it of the length of the cable (user guide, RoCE)",
}
WORDS: Mapping[bool, Mapping[str, str]] = {
    False: {"enable on": "enable on", "enable off": "enable off", "on": "on", "off": "off"},
    True: {"enable on": "state enabled", "enable off": "state disabled", "on": "enabled", "off": "disabled"},
}
"""Words until 5.14 → those of a release: from 5.15 on others (515 New and Changed NVUE Commands)."""
RENAMED = "5.15"
"""First release with the words of NVIDIA's other systems, and with profiles of BFD (the same)."""
TACACS_BY_ADDRESS = "5.12"
"""First release that knows TACACS+ servers by their address, and has no `enable` for them (512 What's New)."""
SYSLOG_MOVED = "5.13"
"""First release whose syslog servers have their VRF themselves (513 What's New)."""
NEWER_FRR = "5.14"
"""First release with FRR 10.0 (514 What's New), whose `suppress-fib-pending` holds no EVPN routes back."""
NEGOTIATED = "5.14"
"""First release in which a port with a speed negotiates it by default (516 Switch Port Attributes)."""
RELAY_GROUPS = "5.14"
"""First release whose relays have server groups, which do not listen on uplinks (514 DHCP Relays)."""
DEFAULT_DSCP = 48
"""CS6, by which FRR marks BGP by itself."""
LAST = 1
"""Preference of a drained leaf as designated forwarder (RFC 9785: the highest is elected)."""
DOWNWARD = ("uplink", "downlink")
_PART = re.compile(r"(swp(\d+))s\d+")


def adjusted(device: Device, rows: Rows) -> Rows:
    """Names of NVUE, values that it has, settings that the fabric needs."""
    names = vrf_names(device)
    found = renamed(without_sessions(device, without_members(device, as_frr(device, rows))), names)
    found = one_loopback(device, found, names)
    found[Key("management", "", "vrf")] = "mgmt"
    found[Key("management", "", "port")] = "eth0"
    if is_at_least(device.version, NEWER_FRR):
        found[Key("bgp", "", "wait-install")] = device.routing.bgp.wait_install
    _access(device, found)
    _values(device, found)
    _tracking(device, found)
    _relays(device, found, names)
    if device.qos is not None:
        _lossless(device, device.qos, found)
    return found | needed(_lines(device, names))


def vrf_names(device: Device) -> dict[str, str]:
    """Tenant → its VRF, which Linux does not let have every name."""
    found = {"": ""}
    for vrf in device.evpn.vrfs if device.evpn else ():
        found[vrf.name] = device_name(vrf.name, f"vrf{vrf.vni}", TAKEN)
    return found


def _access(device: Device, rows: Rows) -> None:
    """Services that do not run have no sources: NETCONF and SNMP never do."""
    if device.management.access:
        for service in ("netconf", "snmp", *(() if device.management.gnmi else ("gnmi",))):
            rows.pop(Key("management", "", f"access-{service}"))


def _values(device: Device, rows: Rows) -> None:
    for key, value in list(rows.items()):
        if key.setting == "description" and isinstance(value, str):
            rows[key] = " ".join(value.split()) or "-"
        elif key.setting == "df-preference" and not value and device.state == "drained":
            rows[key] = LAST if rows[key._replace(setting="esi")] else 0
        elif key.setting == "import-policy" and isinstance(value, Policy):
            # lists of route targets are FRR's, not NVUE's: own routes come by route targets
            rows[key] = policy((term, 0) for term in value.terms if not term.route_targets)
    for lag in device.interfaces.lags:
        if not lag.esi:  # a MAC address of LACP is needed with a segment
            rows.pop(Key("lag", str(lag.number), "system-id"), None)


def _tracking(device: Device, rows: Rows) -> None:
    """With multihoming, bonds that are segments go down with the last uplink (user guide, EVPN Multihoming)."""
    multihomed = device.evpn is not None and device.evpn.multihomed
    for port in device.interfaces.ethernet:
        up = multihomed and port.profile.role == "uplink"
        rows[Key("port", port.name, "tracking")] = "upstream" if up else ""
    for lag in device.interfaces.lags:
        rows[Key("lag", str(lag.number), "tracking")] = "downstream" if lag.esi else ""


def _relays(device: Device, rows: Rows, names: dict[str, str]) -> None:
    """Relays are of a VRF: every server of it hears every network that asks for one of its family."""
    gateways = device.evpn.gateways if device.evpn else ()
    tenants = {row.number: names[row.vrf] for row in device.interfaces.loopbacks}
    for row in gateways:
        servers: set[str] = set()
        for family in ("relays_ipv4", "relays_ipv6"):
            if getattr(row, family):
                others = (other for other in gateways if other.vrf == row.vrf)
                servers |= {peer(server) for other in others for server in getattr(other, family)}
        rows[Key("gateway", str(row.vlan_id), "relays")] = frozenset(servers)
        if row.relay_source >= 0:
            rows[Key("gateway", str(row.vlan_id), "relay-source")] = tenants[row.relay_source]


def _lossless(device: Device, qos: Qos, rows: Rows) -> None:
    """Numbers after the rounding of NVUE; the length of a cable is that of its class."""
    dog = rendered(device.hardware, qos, 0).watchdog
    times = tuple(-1 if value is None else value for value in (dog.detect_ms, dog.restore_ms, dog.polling_ms))
    for setting in ("headroom-pool", "resume"):
        rows.pop(Key("switch", "", setting), None)
    for port in device.interfaces.ethernet:
        if not port.profile.qos:
            continue
        if Key("port", port.name, "watchdog") in rows:
            rows[Key("port", port.name, "watchdog")] = times
        if port.headroom_octets:
            rows[Key("port", port.name, "cable")] = _metres(qos, port)
        else:
            for setting in ("pfc", "watchdog", "watchdog-action", "cable"):
                rows.pop(Key("port", port.name, setting), None)


def _metres(qos: Qos, port: Ethernet) -> int:
    """The configured length: the shortest class of cables of this speed that covers it and its headroom."""
    lengths = [
        row.length_m
        for row in qos.headroom
        if row.speed_gbps == port.profile.speed_gbps
        and row.length_m >= port.length_m
        and row.octets >= port.headroom_octets
    ]
    return min(lengths, default=-(-int(port.length_m * 10) // 10))


FACTORY = (
    "class nvapply: allow / all",
    "class nvshow: allow / ro",
    "class sudo: allow / all",
    "role nvue-admin: class nvapply",
    "role nvue-monitor: class nvshow",
    "role system-admin: class nvapply",
    "role system-admin: class sudo",
    "system api enabled",
    "system config auto-save enabled",
    "system ssh-server enabled",
    "control-plane acl acl-default-dos inbound",
    "control-plane acl acl-default-whitelist inbound",
)
"""What a switch comes with, and a whole configuration would remove (NVUE CLI, Default Startup File; Default Firewall
Rules; User Accounts)."""


def _words(device: Device) -> Mapping[str, str]:
    return WORDS[is_at_least(device.version, RENAMED)]


def _lines(device: Device, names: dict[str, str]) -> Iterator[str]:
    yield from FACTORY
    yield from _routing_lines(device, names)
    yield from _port_lines(device)
    yield from _access_lines(device)
    yield from _management_lines(device)
    if device.evpn is not None:
        yield from _overlay_lines(device, names)
        yield from _relay_lines(device, names)
    if device.qos is not None:
        yield f"qos roce {_words(device)['enable on']}"
        yield from QOS
        if device.qos.control_dscp not in (0, DEFAULT_DSCP):
            yield f"bgp session-dscp {device.qos.control_dscp}"


QOS = (
    "qos roce mode lossless",
    "qos traffic-pool default-lossy memory-percent 50",
    "qos traffic-pool roce-lossless memory-percent 50",
)
"""RoCE's lossless mode with its own halves of the buffer (user guide, RoCE)."""


def _routing_lines(device: Device, names: dict[str, str]) -> Iterator[str]:
    bgp = device.routing.bgp
    yield f"router bgp {_words(device)['enable on']}"
    if is_at_least(device.version, RENAMED) and any(group.bfd for group in bgp.groups):
        yield "router bfd state enabled"
        hops = max(group.multihop for group in bgp.groups if group.bfd)
        if hops:
            yield f"router bfd profile FABRIC minimum-ttl {256 - hops}"
    yield "bgp bestpath as-path multipath-relax"
    yield "multipath bandwidth all-paths"
    for vrf in bgp.vrfs:
        name = names[vrf.name]
        yield f"{name} bgp bestpath as-path multipath-relax"
        yield f"{name}: router bgp {bgp.asn}, router id {bgp.router_id}"
        yield from (f"{name} advertise {family} unicast" for family in ("ipv4", "ipv6"))
    for name, group in sessions(device):
        tenant, _, rest = name.rpartition(" ")
        here = in_vrf(names.get(tenant, tenant), rest) if group is None else name
        yield f"{here}: tries again after 1 s"
    if device.load_balancing.mode == "dlb-per-packet":
        yield from _global_hops(device)


def _global_hops(device: Device) -> Iterator[str]:
    """With adaptive routing IPv6 routes take the global next hop (user guide, ECMP): in maps for what comes in."""
    bgp = device.routing.bgp
    groups = {group.name: group for group in bgp.groups if "ipv6" in group.families}
    rows = [row for row in bgp.neighbors if row.group in groups and not row.interface]
    inbound = {row.route_map_in or groups[row.group].route_map_in for row in rows}
    for row in device.routing.policy.route_maps:
        if row.name in inbound:
            for statement in row.statements:
                if statement.permit:
                    yield f"{row.name} {statement.sequence}: ipv6-nexthop-prefer-global"


def _port_lines(device: Device) -> Iterator[str]:
    interfaces, adaptive = device.interfaces, device.load_balancing.mode == "dlb-per-packet"
    if is_at_least(device.version, NEGOTIATED):
        yield from (f"{row.name}: auto-negotiate {_words(device)['off']}" for row in _all_ports(device))
    for port in interfaces.ethernet:
        if adaptive and port.profile.role in DOWNWARD and not port.vrf:
            yield f"{port.name}: adaptive routing"
        yield from _depth_lines(device, port)
        if port.switching is not None and not port.lag:
            yield from _switching_lines(device, port.name, port.switching)
            if port.switching.mac_limit:
                yield f"{port.name}: port-security violation-mode restrict"
    for lag in interfaces.lags:
        yield f"bond{lag.number}: lacp"
        yield from _switching_lines(device, f"bond{lag.number}", lag.switching)
    yield from _cages(device)


def _all_ports(device: Device) -> tuple[Ethernet, ...]:
    return (*device.interfaces.ethernet, *device.interfaces.idle)


def _depth_lines(device: Device, port: Ethernet) -> Iterator[str]:
    monitor = device.telemetry.queue_monitor
    if monitor is not None and port.enabled:
        found = [row for row in device.qos.profiles if row.name == port.profile.qos] if device.qos else []
        limit = f", log above {monitor.high}" if monitor.high else ""
        for queue in found[0].lossless_priorities if found else (0,):
            yield f"{port.name}: depth of queue {queue} is counted{limit}"


def _switching_lines(device: Device, name: str, row: Switching) -> Iterator[str]:
    if not row.access_vlan:
        yield f"{name}: untagged none"
    if row.bpdu_guard:
        yield f"{name}: stp admin-edge {_words(device)['on']}"


def _cages(device: Device) -> Iterator[str]:
    """Divided cages; one in eight parts takes the lanes of its neighbor, which is turned off."""
    for port in _all_ports(device):
        match = _PART.fullmatch(port.name)
        if match is not None and port.profile.parts > 1:
            yield f"{match[1]}: breakout {port.profile.parts}x, {port.profile.lanes} lanes a port"
            if port.profile.parts == 8:
                yield f"swp{int(match[2]) + 1}: breakout disabled"


def _access_lines(device: Device) -> Iterator[str]:
    """The lists in front of the default firewall, and what each of them denies."""
    row = device.management
    if row.access:
        for name in ("MANAGEMENT", "MANAGEMENT-IPV6"):
            yield f"control-plane acl {name} inbound"
        for port in (22, 443, 8765, *((row.gnmi.port,) if row.gnmi else ())):
            yield from (f"TCP port {port} is denied to others over {family}" for family in ("ipv4", "ipv6"))
        yield from (f"TCP port {port} is open to the switch itself" for port in (443, 8765))


def _management_lines(device: Device) -> Iterator[str]:
    row, in_system = device.management, is_at_least(device.version, RENAMED)
    if row.ntp:
        yield "ntp vrf mgmt" if in_system else "ntp mgmt listen eth0"
    if in_system:
        yield from (f"DNS server {peer(server)} vrf mgmt" for server in row.dns)
    if is_at_least(device.version, SYSLOG_MOVED):
        yield from (f"syslog server {peer(server)} vrf mgmt" for server in row.syslog)
    if row.gnmi is not None:
        yield f"gNMI listens on {row.address.partition('/')[0]}"
    if row.tacacs is not None:
        yield from _tacacs_lines(device.version, row.tacacs.servers)
    if row.sflow is not None:
        yield "sFlow agent interface eth0"
        yield from (f"sFlow collector {peer(server)} by eth0" for server in row.sflow.collectors)
        yield from (f"sFlow of speed-{port.profile.speed_gbps}g" for port in device.interfaces.ethernet)


def _tacacs_lines(version: str, servers: Iterable[str]) -> Iterator[str]:
    yield "authentication 1: tacacs"
    yield "authentication 2: local"
    yield "tacacs vrf mgmt"
    by_address = is_at_least(version, TACACS_BY_ADDRESS)
    if not by_address:
        yield "tacacs enable"
    for place, server in enumerate(servers, 1):
        yield f"TACACS+ server {peer(server)}: {'priority' if by_address else 'number'} {place}"


def _overlay_lines(device: Device, names: dict[str, str]) -> Iterator[str]:
    evpn = device.evpn
    if evpn is None:
        return
    words = _words(device)
    yield from (f"{part} {words['enable on']}" for part in ("evpn", "nve vxlan", "nve vxlan flooding"))
    yield f"nve vxlan arp-nd-suppress {words['on']}"
    yield f"nve vxlan mac-learning {words['off']}"
    yield "nve vxlan flooding by EVPN"
    if evpn.multihomed:
        yield f"evpn dad {words['enable off']}"
        yield f"evpn multihoming {words['enable on']}"
    if evpn.duplicate_mac and not evpn.multihomed:
        yield f"evpn dad {words['enable on']}"
    if evpn.marks:
        yield "nve vxlan encapsulation dscp action copy"
        yield "nve vxlan decapsulation dscp action preserve"
    yield from (f"VRF {names[vrf.name]} has a VLAN for its L3 VNI" for vrf in evpn.vrfs)


def _relay_lines(device: Device, names: dict[str, str]) -> Iterator[str]:
    """Answers come in by the L3 VNI, and IPv4's by uplinks as well (user guide, DHCP Relays)."""
    for row in device.evpn.gateways if device.evpn else ():
        for kind, servers in (("IPv4", row.relays_ipv4), ("IPv6", row.relays_ipv6)):
            if servers:
                yield f"{kind} relay of VRF {names[row.vrf]} hears VRF {names[row.vrf]}"
        if row.relays_ipv4 and not is_at_least(device.version, RELAY_GROUPS):
            for port in device.interfaces.ethernet:
                if port.profile.role == "uplink":
                    yield f"IPv4 relay of VRF {names[row.vrf]} hears {port.name}"
