"""A Device → the structured configuration that pyavd renders: written from pyavd's schema, not from our templates."""

from collections.abc import Iterator
from typing import Any

from fabricgen.device.device import Device
from fabricgen.device.qos import Queue
from tests.eos import structured_ports, structured_routing

KEYS = ("ssh_key", "secondary_ssh_key")
Config = dict[str, Any]
"""What pyavd takes: nested dicts and lists of YAML values."""


def structured(device: Device) -> Config:
    """The whole switch. The flags of eos_config_future choose the spelling of EOS 4.34 where pyavd knows several."""
    return {
        "hostname": device.name,
        "config_end": True,
        "aaa_root": {"disabled": True},
        "service_routing_protocols_model": "multi-agent",
        "spanning_tree": {"mode": "mstp"},
        "interface_defaults": {"ethernet": {"shutdown": True}},
        "system": {"l1": {"unsupported_speed_action": "error", "unsupported_error_correction_action": "error"}},
        "eos_config_future": {
            "new_ip_tacacs_cli_order": True,
            "render_spanning_tree_portfast_edge": True,
            "always_render_ip_routing_separator": True,
            "render_combined_separator_for_ipv6_hardware_and_unicast_routing": True,
        },
        **_management(device),
        **_access(device),
        **_telemetry(device),
        **_sources(device),
        **_counted(device),
        **_quality(device),
        **structured_ports.ports(device),
        **structured_routing.routing(device),
    }


def _management(device: Device) -> Config:
    management = device.management
    vrf, port = management.vrf, management.port
    names = [{"name": vrf, "servers": [{"ip_address": server} for server in management.dns]}]
    servers = [{"name": server, "iburst": True} for server in management.ntp]
    source = "source_interface" if device.version == "4.33" else "local_interface"
    hosts = [{"name": vrf, source: port, "hosts": [{"name": server} for server in management.syslog]}]
    found: Config = {
        "ip_name_server": {"vrfs": names} if management.dns else {},
        "ip_domain_lookup": {"source_interfaces": [{"name": port, "vrf": vrf}]} if management.dns else {},
        "ntp": {"vrf": vrf, "local_interface": {"name": port, "vrf": vrf}, "servers": servers} if servers else {},
        "logging": {"vrfs": hosts} if management.syslog else {},
        "lldp": {"management_address": port, "vrf": vrf} if management.lldp else {"run": False},
        "management_ssh": {
            "enable": False,
            "vrfs": [{"name": vrf, "enable": True} | _group(device, "ssh", "ip_access_group_in")],
            **_ssh(device),
        },
        "management_interfaces": [
            {
                "name": port,
                "description": "out of band",
                "shutdown": False,
                "vrf": vrf,
                "ip_address": management.address,
            }
        ],
    }
    login = management.login
    if login is not None and login.banner:
        found["banners"] = {"login": f"{login.banner}\nEOF"}
    if login is not None and login.idle_minutes:
        found["management_console"] = {"idle_timeout": login.idle_minutes}
    if management.domain:
        found["dns_domain"] = management.domain
    return found


def _ssh(device: Device) -> Config:
    login = device.management.login
    if login is None:
        return {}
    found: Config = {"idle_timeout": login.idle_minutes} if login.idle_minutes else {}
    if login.only_keys:
        found["authentication"] = {"protocols": ["public-key"]}
    if login.strong:
        found["cipher"] = ["aes256-ctr", "aes256-gcm@openssh.com"]
        found["key_exchange"] = ["ecdh-sha2-nistp521"]
        found["mac"] = ["hmac-sha2-512", "hmac-sha2-512-etm@openssh.com"]
    return found


def _access(device: Device) -> Config:
    management = device.management
    privileges = {"network-admin": 15, "network-operator": 1}
    users = [
        {
            "name": user.name,
            "privilege": privileges[user.role],
            "role": user.role,
            "sha512_password": user.password.written,
        }
        | {key: " ".join(filter(None, row)) for key, row in zip(KEYS, user.ssh_keys, strict=False)}
        for user in management.users
    ]
    found: Config = {"local_users": users}
    if management.tacacs is None:
        return found | {"aaa_authorization": {"exec": {"default": "local"}}}
    servers = [{"server": server, "vrf": management.vrf} for server in management.tacacs.servers]
    log = {"type": "start-stop", "methods": [{"method": "group", "group": "TACACS"}]}
    return found | {
        "tacacs_servers": {
            "hosts": [
                {"host": server, "vrf": management.vrf, "key": management.tacacs.key.written, "key_type": "0"}
                for server in management.tacacs.servers
            ]
        },
        "aaa_server_groups": [{"name": "TACACS", "type": "tacacs+", "servers": servers}],
        "aaa_authentication": {"login": {"default": "group TACACS local"}},
        "aaa_authorization": {"exec": {"default": "group TACACS local"}},
        "aaa_accounting": {"exec": {"default": log}, "commands": {"default": [{"commands": "all", **log}]}},
        "ip_tacacs": {"vrfs": [{"name": management.vrf, "source_interface": management.port}]},
    }


def _group(device: Device, service: str, key: str) -> Config:
    return {key: f"MANAGEMENT-{service.upper()}"} if device.management.access else {}


def _sources(device: Device) -> Config:
    """A list for each service that is turned on: SSH always."""
    management = device.management
    on = {"ssh"} | ({"api"} if management.eapi_certificate else set())
    on |= ({"gnmi"} if management.gnmi else set()) | ({"snmp"} if management.snmp else set())
    rows = [row for row in management.access if row.service in on]
    if not rows:
        return {}
    return {
        "standard_access_lists": [
            {
                "name": f"MANAGEMENT-{row.service.upper()}",
                "entries": [
                    {"sequence": 10 * number, "action": "permit", "source": _as_shown(prefix)}
                    for number, prefix in enumerate(row.prefixes, 1)
                ],
            }
            for row in rows
        ]
    }


def _as_shown(prefix: str) -> str:
    if prefix == "0.0.0.0/0":
        return "any"
    return prefix.removesuffix("/32")


def _telemetry(device: Device) -> Config:
    management = device.management
    vrf, port = management.vrf, management.port
    found: Config = {}
    certificates = {management.eapi_certificate, management.gnmi.certificate if management.gnmi else ""} - {""}
    if management.eapi_certificate:
        found["management_api_http"] = {
            "enable_https": True,
            "https_ssl_profile": management.eapi_certificate,
            "enable_vrfs": [{"name": vrf} | _group(device, "api", "access_group")],
        }
    if management.gnmi:
        grpc = {
            "name": vrf,
            "vrf": vrf,
            "port": management.gnmi.port,
            "ssl_profile": management.gnmi.certificate,
        } | _group(device, "gnmi", "ip_access_group")
        found["management_api_gnmi"] = {"provider": "eos-native", "transport": {"grpc": [grpc]}}
    if certificates:
        profiles = [{"name": n, "certificate": {"file": f"{n}.crt", "key": f"{n}.key"}} for n in sorted(certificates)]
        found["management_security"] = {"ssl_profiles": profiles}
    if management.sflow:
        found["sflow"] = {
            "sample": management.sflow.sample,
            "polling_interval": management.sflow.polling_seconds,
            "vrfs": [
                {
                    "name": vrf,
                    "destinations": [{"destination": collector} for collector in management.sflow.collectors],
                    "source_interface": port,
                }
            ],
            "interface": {"disable": {"default": True}},
            "run": True,
        }
    return found | _snmp(device)


def _snmp(device: Device) -> Config:
    management = device.management
    snmp = management.snmp
    if snmp is None:
        return {}
    found: Config = {
        "local_interfaces": [{"name": management.port, "vrf": management.vrf}],
        "views": [{"name": "ALL", "mib_family_name": "iso", "included": True}],
        "groups": [{"name": "MONITORING", "version": "v3", "authentication": "priv", "read": "ALL"}],
        "users": [
            {
                "name": snmp.user,
                "group": "MONITORING",
                "version": "v3",
                "auth": snmp.auth_algorithm,
                "auth_passphrase": snmp.auth.written,
                "priv": {"aes128": "aes"}.get(snmp.privacy_algorithm, snmp.privacy_algorithm),
                "priv_passphrase": snmp.privacy.written,
            }
        ],
        "hosts": [
            {
                "host": host,
                "vrf": management.vrf,
                "version": "3",
                "users": [{"username": snmp.user, "authentication_level": "priv"}],
            }
            for host in snmp.traps
        ],
        "vrfs": [{"name": "default", "enable": False}, {"name": management.vrf, "enable": True}],
    }
    if management.access:
        found["ipv4_acls"] = [{"name": "MANAGEMENT-SNMP", "vrf": management.vrf}]
    found |= {"contact": snmp.contact} if snmp.contact else {}
    found |= {"location": snmp.location} if snmp.location else {}
    return {"snmp_server": found}


def _counted(device: Device) -> Config:
    told = device.telemetry
    found: Config = {}
    if told.ecn_counters and "ecn_counter_feature" in device.hardware.spellings:
        found["hardware_counters"] = {"features": [{"name": "ecn", "direction": "out"}]}
    if told.load_interval_seconds:
        found["load_interval"] = {"default": told.load_interval_seconds}
    monitor = told.queue_monitor
    if monitor is None:
        return found
    length: Config = {"enabled": True}
    if monitor.latency and "queue_latency" in device.hardware.spellings:
        length["tx_latency"] = True
    if monitor.high:
        length["default_thresholds"] = {"high": monitor.high} | ({"low": monitor.low} if monitor.low else {})
    if monitor.captures:
        length["mirror"] = {"enabled": True, "destination": {"cpu": True}}
    if monitor.streaming:
        clients = {"enable": True, "max_connections": monitor.streaming, "vrf": device.management.vrf}
        found["queue_monitor_streaming"] = clients
    return found | {"queue_monitor_length": length}


def _quality(device: Device) -> Config:
    qos = device.qos
    if qos is None:
        return {}
    watchdog = qos.watchdog
    action = "drop" if watchdog.action == "drop" else "notify-only"
    # 210 and 405 ms become 0.21 and 0.41 s: the schema allows two digits, three for polling.
    timeout, recovery = (f"{(ms + 9) // 10 / 100:.2f}" for ms in (watchdog.detect_ms, watchdog.restore_ms))
    polling = f"{watchdog.polling_ms / 1000:.3f}"
    polling = polling.removesuffix("0")
    times = {"timeout": timeout, "polling_interval": polling, "recovery_time": recovery}
    trident: Config = {
        "active_profile": "LOSSLESS",
        "headroom_pool": {"unit": "bytes", "limit": qos.headroom_pool_octets},
        "queue_profiles": [
            {"name": "LOSSLESS", "ingress": {"threshold": qos.alpha, "headroom": {"memory": qos.headroom_octets}}}
        ],
    }
    dscp = [
        f"{' '.join(map(str, points))} to traffic-class {row.traffic_class}"
        for row in qos.dscp_classes
        for points in batched(row.dscps)
    ]
    classes = [
        f"{row.traffic_class} to tx-queue {row.queue}" for row in qos.class_queues if row.traffic_class in range(7)
    ]
    profiles = [
        {
            "name": profile.name,
            "trust": "dscp",
            "priority_flow_control": {
                "enabled": True,
                "priorities": [{"priority": number, "no_drop": True} for number in profile.lossless_priorities],
                "watchdog": {"enabled": True, "action": action, "timer": times},
            },
            "uc_tx_queues": [
                found for queue in profile.queues if (found := _queue(queue, counted=device.telemetry.ecn_counters))
            ],
        }
        for profile in qos.profiles
    ]
    return {
        "platform": {"trident": {"mmu": trident}},
        "qos": {"map": {"dscp": dscp, "traffic_class": classes}},
        "qos_profiles": profiles,
        "priority_flow_control": {"watchdog": {"action": action, **times}},
    }


def batched(points: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Code points by eights, in their order."""
    rest = points
    while rest:
        yield rest[:8]
        rest = rest[8:]


def _queue(queue: Queue, *, counted: bool) -> Config:
    """One queue; empty for strict priority without a cap, which EOS gives every queue."""
    found: Config = {"id": queue.queue}
    if queue.weight_percent:
        found |= {"priority": "no priority", "bandwidth_percent": queue.weight_percent}
    else:
        found["priority"] = "priority strict"
    if queue.cap_percent:
        found["shape"] = {"rate": f"{queue.cap_percent} percent"}
    if queue.ecn:
        threshold = {
            "units": "kbytes",
            "min": queue.ecn.minimum_octets // 1000,
            "max": queue.ecn.maximum_octets // 1000,
            "max_probability": queue.ecn.probability_percent,
            "weight": 0,
        }
        ecn: Config = {"count": True} if counted else {}
        found["random_detect"] = {"ecn": ecn | {"threshold": threshold}}
    return {} if found == {"id": queue.queue, "priority": "priority strict"} else found
