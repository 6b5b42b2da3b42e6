"""Tables of few rows of the SONiC yardstick (bench/fstring_sonic.py): what is said once a switch."""

import re
from collections.abc import Iterable, Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.device.management import Management
from fabricgen.device.qos import Qos, Queue
from fabricgen.device.routing import Bgp, RoutingPolicy, Statement

TYPES = {"leaf": "ToRRouter", "spine": "LeafRouter", "superspine": "SpineRouter"}
SAFI = {"ipv4": "ipv4_unicast", "ipv6": "ipv6_unicast"}
COMMA = ",\n"
LOSSLESS = 3
"""Priority, priority group and queue of the lossless class."""
DIGITS = re.compile(r"(\d+)")
PARTS = 3


def table(name: str, rows: Iterable[str]) -> str:
    """A table of rows that are text."""
    return f'    "{name}": {{\n{COMMA.join(rows)}\n    }}'


def small(name: str, rows: Mapping[str, Mapping[str, str]]) -> str:
    """A table of few rows, whose keys and fields are given in their order."""
    return table(name, (_row(key, fields) for key, fields in rows.items()))


def _row(key: str, fields: Mapping[str, str]) -> str:
    told = COMMA.join(f'            "{field}": {_value(value)}' for field, value in fields.items())
    return f'        "{key}": {{\n{told}\n        }}' if fields else f'        "{key}": {{}}'


def _value(value: str) -> str:
    """Text, or a list of texts that was spelled before."""
    return value if value.startswith("[") else f'"{value}"'


def _list(*values: str) -> str:
    told = COMMA.join(f'                "{value}"' for value in values)
    return f"[\n{told}\n            ]"


def natural(text: str) -> list[tuple[bool, int | str]]:
    """Numbers by their value, before words."""
    return [(False, int(part)) if part.isdecimal() else (True, part) for part in DIGITS.split(text) if part]


def speaker(bgp: Bgp) -> Iterator[str]:
    """AAA and the speaker itself."""
    login = {"login": "tacacs+,local"}
    yield small("AAA", {"accounting": login, "authentication": login, "authorization": login})
    own = {"default_ipv4_unicast": "false", "load_balance_mp_relax": "true"}
    yield small("BGP_GLOBALS", {"default": own | {"local_asn": str(bgp.asn), "router_id": bgp.router_id}})
    paths = {"max_ebgp_paths": str(bgp.maximum_paths)}
    yield small("BGP_GLOBALS_AF", {f"default|{safi}": paths for safi in SAFI.values()})
    networks = [f"ipv4_unicast|{row}" for row in bgp.networks_ipv4]
    networks += [f"ipv6_unicast|{row}" for row in bgp.networks_ipv6]
    yield small("BGP_GLOBALS_AF_NETWORK", {f"default|{row}": {} for row in sorted(networks, key=natural)})


def groups(bgp: Bgp) -> Iterator[str]:
    """Peer groups, each of one family."""
    timers = {"conn_retry": "1", "holdtime": str(bgp.hold_seconds), "keepalive": str(bgp.keepalive_seconds)}
    found = sorted(bgp.groups, key=lambda group: natural(group.name))
    yield small("BGP_PEER_GROUP", {f"default|{row.name}": timers | {"name": row.description} for row in found})
    yield small(
        "BGP_PEER_GROUP_AF",
        {
            f"default|{row.name}|{SAFI[row.families[0]]}": {
                "admin_status": "up",
                "max_prefix_limit": str(row.maximum_routes),
                **(
                    {"max_prefix_restart_interval": str(row.restart_minutes)}
                    if row.restart_minutes
                    else {"max_prefix_warning_only": "true"}
                ),
                "route_map_in": _list(row.route_map_in),
                "route_map_out": _list(row.route_map_out),
            }
            for row in found
        },
    )


def pools(device: Device) -> str:
    """Buffer pools."""
    size = device.hardware.spellings["pool"]
    egress, ingress = ({"mode": "dynamic", "type": way} for way in ("egress", "ingress"))
    rows = {"egress_lossless_pool": {"mode": "dynamic", "size": size, "type": "egress"}, "egress_lossy_pool": egress}
    return small("BUFFER_POOL", rows | {"ingress_lossless_pool": ingress, "ingress_lossy_pool": ingress})


def buffer_profiles() -> str:
    """Buffer profiles."""
    return small(
        "BUFFER_PROFILE",
        {
            "egress_lossless_profile": {"dynamic_th": "7", "pool": "egress_lossless_pool", "size": "0"},
            "egress_lossy_profile": {"dynamic_th": "7", "pool": "egress_lossy_pool", "size": "9216"},
            "ingress_lossless_profile": {"dynamic_th": "7", "pool": "ingress_lossless_pool", "size": "0"},
            "ingress_lossy_profile": {"dynamic_th": "3", "pool": "ingress_lossy_pool", "size": "0"},
            "q_lossy_profile": {"dynamic_th": "3", "pool": "egress_lossy_pool", "size": "0"},
        },
    )


def system(device: Device, qos: Qos) -> Iterator[str]:
    """What stands between the buffers and the interfaces."""
    words, site = device.hardware.spellings, device.management
    told = {"action": "permit", "match_action": "ANY", "set_type": "STANDARD"}
    yield small(
        "COMMUNITY_SET",
        {
            row.name: {
                "action": told["action"],
                "community_member": _list("graceful-shutdown" if row.graceful_shutdown else row.community),
                "match_action": told["match_action"],
                "set_type": told["set_type"],
            }
            for row in sorted(device.routing.policy.community_lists)
        },
    )
    metadata = {
        "bgp_asn": str(device.routing.bgp.asn),
        "buffer_model": "dynamic",
        "docker_routing_config_mode": "unified",
        "frr_mgmt_framework_config": "true",
        "hostname": device.name,
        "hwsku": words["hwsku"],
        "platform": words["platform"],
        "type": TYPES[device.role],
        "use_template_render_for_restore": "false",
    }
    yield small("DEFAULT_LOSSLESS_BUFFER_PARAMETER", {"FABRIC": {"default_dynamic_th": "0"}})
    yield small("DEVICE_METADATA", {"localhost": metadata})
    yield small("DNS_NAMESERVER", {site.dns[0]: {}})
    yield small("DNS_OPTIONS", {"GLOBAL": {"search": _list(site.domain)}})
    dscps = sorted((dscp, row.traffic_class) for row in qos.dscp_classes for dscp in row.dscps)
    yield small("DSCP_TO_TC_MAP", {"FABRIC": {str(dscp): str(number) for dscp, number in dscps}})
    on, sflow = {"state": "enabled"}, {"state": "enabled" if site.sflow else "disabled"}
    yield small("FEATURE", {"gnmi": on, "lldp": on, "sflow": sflow})
    counters = ("PG_WATERMARK", "QUEUE", "QUEUE_WATERMARK", "WRED_ECN_QUEUE")
    yield small("FLEX_COUNTER_TABLE", {name: {"FLEX_COUNTER_STATUS": "enable"} for name in counters})
    yield _gnmi(site)


def _gnmi(site: Management) -> str:
    if site.gnmi is None:
        raise ValueError("the benchmark has gNMI")
    start = f"/etc/sonic/telemetry/{site.gnmi.certificate}"
    files = {"ca_crt": f"{start}-ca.cer", "server_crt": f"{start}.cer", "server_key": f"{start}.key"}
    served = {"client_auth": "true", "port": str(site.gnmi.port), "user_auth": "none", "vrf": "mgmt"}
    return small("GNMI", {"certs": files, "gnmi": served})


def services(device: Device) -> Iterator[str]:
    """What stands between the interfaces and the watchdog."""
    site, mtu = device.management, max(row.profile.mtu for row in device.interfaces.ethernet)
    rows: dict[str, dict[str, str]] = {}
    for loopback in device.interfaces.loopbacks:
        name = f"Loopback{loopback.number}"
        rows |= {name: {}, f"{name}|{loopback.ipv4}": {}, f"{name}|{loopback.ipv6}": {}}
    yield small("LOOPBACK_INTERFACE", rows)
    yield small("LOSSLESS_TRAFFIC_PATTERN", {"FABRIC": {"mtu": str(mtu), "small_packet_percentage": "100"}})
    yield small("MAP_PFC_PRIORITY_TO_QUEUE", {"FABRIC": {str(number): str(number) for number in range(8)}})
    yield small("MGMT_INTERFACE", {f"{site.port}|{site.address}": {"gwaddr": site.gateway}})
    yield small("MGMT_PORT", {site.port: {"admin_status": "up", "description": "out of band"}})
    yield small("MGMT_VRF_CONFIG", {"vrf_global": {"mgmtVrfEnabled": "true"}})
    yield small("NTP", {"global": {"src_intf": site.port, "vrf": "mgmt"}})
    yield small("NTP_SERVER", {server: {"iburst": "on"} for server in site.ntp})
    yield small("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", {"FABRIC": {str(LOSSLESS): str(LOSSLESS)}})


def prefixes(policy: RoutingPolicy) -> Iterator[str]:
    """Prefix sets and what is in them."""
    rows = []
    for found in policy.prefix_lists:
        for prefix, longest in ((row.prefix, row.longest) for row in found.entries):
            lengths = f"{prefix.partition('/')[2]}..{longest}" if longest else "exact"
            rows.append(f"{found.name}|{prefix}|{lengths}")
    yield small("PREFIX", {row: {"action": "permit"} for row in sorted(rows, key=natural)})
    modes = {row.name: "IPv4" if row.family == "ipv4" else "IPv6" for row in policy.prefix_lists}
    yield small("PREFIX_SET", {name: {"mode": modes[name]} for name in sorted(modes, key=natural)})


def maps(policy: RoutingPolicy) -> Iterator[str]:
    """Route maps."""
    found = sorted(policy.route_maps, key=lambda row: natural(row.name))
    yield small("ROUTE_MAP", {f"{row.name}|{one.sequence}": _statement(one) for row in found for one in row.statements})
    yield small("ROUTE_MAP_SET", {row.name: {} for row in found})


def _statement(row: Statement) -> dict[str, str]:
    told = {}
    if row.match_community_list:
        told["match_community"] = row.match_community_list
    if row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6:
        told["match_prefix_set"] = row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6
    told["route_operation"] = "permit" if row.permit else "deny"
    members = [row.set_community, "graceful-shutdown" if row.set_graceful_shutdown else ""]
    if any(members):
        told["set_community_inline"] = _list(*(member for member in members if member), "additive")
    if row.set_local_preference >= 0:
        told["set_local_pref"] = str(row.set_local_preference)
    return told


def schedulers(qos: Qos) -> str:
    """Schedulers of all profiles."""
    rows = {
        f"{profile.name}-{row.queue}": _scheduler(profile.speed_gbps, row)
        for profile in qos.profiles
        for row in profile.queues
    }
    return small("SCHEDULER", {name: rows[name] for name in sorted(rows, key=natural)})


def _scheduler(speed_gbps: int, row: Queue) -> dict[str, str]:
    if row.weight_percent:
        return {"type": "DWRR", "weight": str(row.weight_percent)}
    if row.cap_percent:
        rate = str(speed_gbps * 10**9 // 8 * row.cap_percent // 100)
        return {"cir": rate, "meter_type": "bytes", "pir": rate, "type": "STRICT"}
    return {"type": "STRICT"}


def sampled(site: Management) -> Iterator[str]:
    """Who gets samples."""
    if site.sflow is None:
        return
    polled, collector = str(site.sflow.polling_seconds), site.sflow.collectors[0]
    yield small("SFLOW", {"global": {"admin_state": "up", "agent_id": site.port, "polling_interval": polled}})
    yield small("SFLOW_COLLECTOR", {collector: {"collector_ip": collector, "collector_vrf": "mgmt"}})


def last(device: Device, qos: Qos) -> Iterator[str]:
    """What stands behind the samples."""
    site = device.management
    snmp, tacacs = site.snmp, site.tacacs
    if snmp is None or tacacs is None:
        raise ValueError(f"{device.name} lacks a service")
    yield small("SNMP", {"LOCATION": {"Location": snmp.location}})
    yield small("SNMP_AGENT_ADDRESS_CONFIG", {f"{site.address.partition('/')[0]}|161|mgmt": {}})
    user = {
        "SNMP_USER_AUTH_PASSWORD": snmp.auth.written,
        "SNMP_USER_AUTH_TYPE": "SHA",
        "SNMP_USER_ENCRYPTION_PASSWORD": snmp.privacy.written,
        "SNMP_USER_ENCRYPTION_TYPE": "AES",
        "SNMP_USER_PERMISSION": "RO",
        "SNMP_USER_TYPE": "Priv",
    }
    yield small("SNMP_USER", {snmp.user: user})
    routes = [row.prefix for row in device.routing.static_routes if not row.vrf and not row.next_hop]
    if routes:
        yield small("STATIC_ROUTE", {f"default|{prefix}": {"blackhole": "true"} for prefix in routes})
    yield small("SYSLOG_SERVER", {site.syslog[0]: {"vrf": "mgmt"}})
    yield small("TACPLUS", {"global": {"passkey": tacacs.key.written}})
    yield small("TACPLUS_SERVER", {tacacs.servers[0]: {"priority": "1", "vrf": "mgmt"}})
    yield from _classes(qos)


def _classes(qos: Qos) -> Iterator[str]:
    group = {LOSSLESS: str(LOSSLESS)}
    numbers = [row.traffic_class for row in qos.class_queues]
    yield small("TC_TO_PRIORITY_GROUP_MAP", {"FABRIC": {str(number): group.get(number, "0") for number in numbers}})
    yield small("TC_TO_QUEUE_MAP", {"FABRIC": {str(row.traffic_class): str(row.queue) for row in qos.class_queues}})
    yield small(
        "WRED_PROFILE", {profile.name: _marked(row) for profile in qos.profiles for row in profile.queues if row.ecn}
    )


def _marked(row: Queue) -> dict[str, str]:
    if row.ecn is None:
        raise ValueError("a queue that does not mark")
    low, high, percent = (str(value) for value in row.ecn)
    told = {"ecn": "ecn_all"}
    for colour in ("green", "red"):
        told |= {f"{colour}_drop_probability": percent, f"{colour}_max_threshold": high, f"{colour}_min_threshold": low}
    told |= {f"wred_{colour}_enable": "true" for colour in ("green", "red", "yellow")}
    colour = "yellow"
    return told | {
        f"{colour}_drop_probability": percent,
        f"{colour}_max_threshold": high,
        f"{colour}_min_threshold": low,
    }
