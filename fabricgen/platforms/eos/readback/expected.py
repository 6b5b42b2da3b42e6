"""The rows that a Device asks for, as EOS has them: after its rounding, and with the lines that it needs."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.platforms.eos.context import ALGORITHMS, served
from fabricgen.platforms.eos.lossless import rendered
from fabricgen.readback.intended import in_vrf, peer
from fabricgen.readback.platform import Rows
from fabricgen.readback.rows import Key, Value

STORMS = ("broadcast-limit", "multicast-limit", "unknown-unicast-limit")
NOT_SHOWN = {
    "switch.flowlet-gap": "the command has no unit in any source (manual, IPv4: ip hardware fib load-balance)",
    "switch.resume": "whether EOS counts octets of the limit or below it is not said: EOS's own value stays",
    "port.cable": "EOS reserves octets, not metres",
    "lag.mtu": "a bridged port takes the largest frame; `mtu` is of routed ports",
    "vtep.mtu": "tunnels have no MTU of their own",
}


def adjusted(device: Device, rows: Rows) -> Rows:
    """Round, take out what EOS says elsewhere, and add the lines."""
    _ports(device, rows)
    _qos(device, rows)
    answered = {row.service for row in served(device.management)}
    for row in device.management.access:
        if row.service not in answered:
            rows.pop(Key("management", "", f"access-{row.service}"))
    login = device.management.login
    if login is not None and login.strong:
        rows[Key("management", "", "ssh-ciphers")] = frozenset(
            f"{kind} {word}" for kind, *words in ALGORITHMS for word in words
        )
    if not device.routing.bgp.vrfs:
        rows.pop(Key("bgp", "", "overlay-paths"), None)
    for text in _needed(device):
        rows[Key("line", text, "present")] = True
    return rows


def _ports(device: Device, rows: Rows) -> None:
    for port in device.interfaces.ethernet:
        if not port.profile.routed:
            rows.pop(Key("port", port.name, "mtu"), None)
        if port.lag:
            # Said of the port-channel.
            for setting in (*STORMS, "mac-limit", "tracking"):
                rows.pop(Key("port", port.name, setting), None)
    for port in device.interfaces.idle:
        _idle(port, rows)


def _idle(port: Ethernet, rows: Rows) -> None:
    """A shut part of a cage has its speed all the same: the cage stays split."""
    settings: dict[str, Value] = {
        "description": port.description,
        "speed": port.profile.speed_gbps,
        "lanes": port.profile.lanes,
        "fec": port.profile.fec,
    }
    if port.profile.routed:
        settings["mtu"] = port.profile.mtu
    for setting, value in settings.items():
        rows[Key("port", port.name, setting)] = value


def _qos(device: Device, rows: Rows) -> None:
    qos, spellings = device.qos, device.hardware.spellings
    if "ecn_counter_feature" not in spellings and (qos is None or spellings.get("ecn_count", "profile") != "profile"):
        rows[Key("switch", "", "ecn-counters")] = False
    if qos is None:
        return
    numbers = rendered(device.hardware, qos, 0)
    thresholds = {
        row.speed_gbps: (row.minimum_octets, row.maximum_octets, row.probability_percent) for row in numbers.ecn
    }
    times = numbers.watchdog
    for port in device.interfaces.ethernet:
        ecn = rows.get(Key("port", port.name, "ecn"))
        if isinstance(ecn, tuple) and ecn and port.profile.speed_gbps in thresholds:
            rows[Key("port", port.name, "ecn")] = (ecn[0], *thresholds[port.profile.speed_gbps])
        if Key("port", port.name, "pfc") in rows:
            rows[Key("port", port.name, "headroom")] = qos.headroom_octets
            rows[Key("port", port.name, "watchdog")] = (
                times.detect_ms or 0,
                times.restore_ms or 0,
                times.polling_ms or 0,
            )


def _needed(device: Device) -> Iterator[str]:
    yield "service routing protocols model multi-agent"
    yield "ports that nothing is said of are shut"
    yield "internal VLANs are apart from the others"
    yield "distance bgp 20 200 200"
    yield from _routing(device)
    yield from _sessions(device)
    yield from _overlay(device)
    yield from _gateways(device)
    yield from _ports_need(device)
    yield from _management(device)
    yield from _queues(device)


def _routing(device: Device) -> Iterator[str]:
    unnumbered = any(port.profile.unnumbered for port in device.interfaces.ethernet)
    yield "ip routing ipv6 interfaces" if unnumbered else "ip routing"
    ipv6 = unnumbered or _routes_ipv6(device)
    if ipv6:
        yield "ipv6 unicast-routing"
    for vrf in device.routing.bgp.vrfs:
        yield f"vrf instance {vrf.name}"
        yield f"ip routing vrf {vrf.name}"
        if ipv6:
            yield f"ipv6 unicast-routing vrf {vrf.name}"
    yield f"vrf instance {device.management.vrf}"


def _routes_ipv6(device: Device) -> bool:
    rows = device.interfaces
    gateways = device.evpn.gateways if device.evpn is not None else ()
    ipv6 = (
        [row.ipv6 for row in rows.ethernet] + [row.ipv6 for row in rows.subinterfaces] + [row.ipv6 for row in gateways]
    )
    return bool(device.routing.bgp.networks_ipv6) or any(ipv6)


def _sessions(device: Device) -> Iterator[str]:
    for neighbor in device.routing.bgp.neighbors:
        yield f"{peer(neighbor.peer)}: sends standard communities"
    for vrf in device.routing.bgp.vrfs:
        for outside in vrf.neighbors:
            yield f"{in_vrf(vrf.name, peer(outside.address))}: sends standard communities"


def _overlay(device: Device) -> Iterator[str]:
    evpn = device.evpn
    if evpn is None:
        return
    for vlan in evpn.vlans:
        yield f"vlan {vlan.vlan_id}"
        yield f"vlan {vlan.vlan_id}: announces learned MAC addresses"
    if evpn.marks and "vxlan_qos" in device.hardware.spellings:
        yield "tunnels: ECN into and out of tunnels"
        yield "tunnels: DSCP into tunnels"
        yield "tunnels: traffic class by DSCP out of tunnels"


def _gateways(device: Device) -> Iterator[str]:
    gateways = device.evpn.gateways if device.evpn is not None else ()
    relays = [row for row in gateways if row.relay_source >= 0]
    if relays:
        yield "no relay of DHCP requests from tunnels"
    if any(row.relays_ipv4 for row in relays):
        yield "ip dhcp relay information option"
    for row in gateways:
        if row.ipv6 and row.relays_ipv6:
            yield f"Vlan{row.vlan_id}: hosts ask for addresses by DHCPv6"
        elif row.ipv6:
            yield f"Vlan{row.vlan_id}: no router advertisements"


def _ports_need(device: Device) -> Iterator[str]:
    rows = device.interfaces
    for port in rows.ethernet:
        if port.ipv6:
            yield f"{port.name}: no router advertisements"
    for sub in rows.subinterfaces:
        if sub.ipv6:
            yield f"{sub.parent}.{sub.vlan_id}: no router advertisements"
    if any(port.profile.tracking for port in rows.ethernet):
        yield "link tracking group UPLINKS: minimum 1"
        yield "link tracking group UPLINKS: delay 120"
    if any(port.switching is not None and port.switching.mac_limit for port in rows.ethernet):
        for words in ("mac-address aging", "mac-address moveable", "persistence disabled"):
            yield f"switchport port-security {words}"


def _management(device: Device) -> Iterator[str]:
    row = device.management
    yield f"SSH in VRF {row.vrf}"
    if row.tacacs is not None:
        for server in row.tacacs.servers:
            yield f"aaa group TACACS: {peer(server)}"
        yield "aaa authentication login default group TACACS local"
        yield "aaa authorization exec default group TACACS local"
        yield "aaa accounting exec default start-stop group TACACS"
        yield "aaa accounting commands all default start-stop group TACACS"
    else:
        yield "aaa authorization exec default local"
    if row.snmp is not None:
        for host in row.snmp.traps:
            yield f"snmp traps to {peer(host)} by {row.snmp.user}"
    if row.sflow is not None:
        yield "sFlow runs"
    if row.gnmi is not None:
        yield "gNMI has EOS's own paths"
    for name in {row.eapi_certificate, row.gnmi.certificate if row.gnmi else ""} - {""}:
        yield f"ssl profile {name}: {name}.crt {name}.key"


def _queues(device: Device) -> Iterator[str]:
    yield from _monitor(device)
    cluster, qos = device.load_balancing.cluster, device.qos
    if cluster is not None:
        yield "load-balance cluster: flows in turn"
        yield f"load-balance cluster: destinations by /{cluster.destination_length}"
        yield f"load-balance cluster: flows age in {cluster.aging_seconds} s"
        for name in cluster.ports:
            yield f"load-balance cluster: {name}"
    if qos is not None:
        times = rendered(device.hardware, qos, 0).watchdog
        yield f"PFC watchdog of the switch: timeout {times.detect_ms} ms"
        yield f"PFC watchdog of the switch: recovery-time {times.restore_ms} ms"
        yield f"PFC watchdog of the switch: polling-interval {times.polling_ms} ms"
        yield f"PFC watchdog of the switch: action {times.action}"


def _monitor(device: Device) -> Iterator[str]:
    monitor = device.telemetry.queue_monitor
    if monitor is None:
        return
    if monitor.latency and "queue_latency" in device.hardware.spellings:
        yield "queue-monitor length tx-latency"
    if monitor.high:
        low = f"s {monitor.high} {monitor.low}" if monitor.low else f" {monitor.high}"
        yield f"queue-monitor length default threshold{low}"
    if monitor.captures:
        yield "queue-monitor length mirror"
        yield "queue-monitor length mirror destination Cpu"
    if monitor.streaming:
        yield f"queue-monitor streaming: {monitor.streaming} clients in VRF {device.management.vrf}"
