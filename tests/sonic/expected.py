"""What config_db.json of a switch must be, made from its Device by a second hand: plain dicts, no words, no templates.

Shapes of tables are those of SONiC's models and of the files that SONiC itself makes (sonic-buildimage 086b03bd:
files/build_templates/qos_config.j2 and buffers_config.j2, device/*/port_config.ini and buffers_defaults_t0.j2,
src/sonic-frr-mgmt-framework). Numbers of boxes stand here again, copied from those files.
"""

from typing import Any

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.management import Login
from fabricgen.device.routing import Statement
from fabricgen.platforms.base.release import is_at_least
from tests.sonic.expected_overlay import overlay_of
from tests.sonic.expected_qos import BOXES, Document, Table, qos_of

FAMILIES = {"ipv4": "ipv4_unicast", "ipv6": "ipv6_unicast", "evpn": "l2vpn_evpn"}
TIERS = {"border-leaf": "ToRRouter", "leaf": "ToRRouter", "spine": "LeafRouter", "superspine": "SpineRouter"}


def document(device: Device) -> Document:
    """The whole file."""
    parts = [_system(device), _management(device), _access(device), _ports(device)]
    if device.evpn is not None:
        parts.append(overlay_of(device, device.evpn))
    elif is_at_least(device.version, "202605"):
        parts += [_policy(device), _bgp(device)]
    if device.qos is not None:
        parts.append(qos_of(device, device.qos, BOXES[device.hardware.model]))
    found: Document = {}
    for part in parts:
        for table, rows in part.items():
            found.setdefault(table, {}).update(rows)
    return {table: rows for table, rows in found.items() if rows}


def _system(device: Device) -> Document:
    box, management = BOXES[device.hardware.model], device.management
    local = {
        "hostname": device.name,
        "platform": box.platform,
        "hwsku": box.sku,
        "type": TIERS[device.role],
        "bgp_asn": str(device.routing.bgp.asn),
        "buffer_model": "traditional" if box.reserve else "dynamic",
        "frr_mgmt_framework_config": "true",
        "docker_routing_config_mode": "split-unified",
    }
    if is_at_least(device.version, "202605") and not device.evpn:
        local |= {"docker_routing_config_mode": "unified", "use_template_render_for_restore": "false"}
    wanted = {"lldp": management.lldp, "sflow": management.sflow, "gnmi": management.gnmi}
    wanted |= {"radv": None} if device.evpn is not None else {}
    found: Document = {
        "DEVICE_METADATA": {"localhost": local},
        "FEATURE": {name: {"state": "enabled" if on else "disabled"} for name, on in wanted.items()},
    }
    counters = ["QUEUE", "QUEUE_WATERMARK", "PG_WATERMARK"] if device.telemetry.queue_monitor else []
    counters += ["WRED_ECN_QUEUE"] if device.telemetry.ecn_counters else []
    found["FLEX_COUNTER_TABLE"] = {name: {"FLEX_COUNTER_STATUS": "enable"} for name in counters}
    return found


def _login(told: Login | None) -> Document:
    if told is None:
        return {}
    idle = {"POLICIES": {"inactivity_timeout": str(told.idle_minutes)}}
    return {
        "BANNER_MESSAGE": {"global": {"state": "enabled", "login": told.banner}},
        "SSH_SERVER": idle,
        "SERIAL_CONSOLE": idle,
    }


def _management(device: Device) -> Document:
    own = device.management
    found: Document = {
        "MGMT_PORT": {"eth0": {"admin_status": "up", "description": "out of band"}},
        "MGMT_INTERFACE": {f"eth0|{own.address}": {"gwaddr": own.gateway}},
        "MGMT_VRF_CONFIG": {"vrf_global": {"mgmtVrfEnabled": "true"}},
        "DNS_NAMESERVER": {server: {} for server in own.dns},
        "NTP_SERVER": {server: {"iburst": "on"} for server in own.ntp},
        "NTP": {"global": {"vrf": "mgmt", "src_intf": "eth0"}} if own.ntp else {},
        **_login(own.login),
        "SYSLOG_SERVER": {server: {"vrf": "mgmt"} for server in own.syslog},
    }
    if own.domain:
        found["DNS_OPTIONS"] = {"GLOBAL": {"search": [own.domain]}}
    if own.tacacs:
        found["AAA"] = {kind: {"login": "tacacs+,local"} for kind in ("authentication", "authorization", "accounting")}
        found["TACPLUS"] = {"global": {"passkey": own.tacacs.key.written}}
        found["TACPLUS_SERVER"] = {
            server: {"vrf": "mgmt", "priority": str(len(own.tacacs.servers) - at)}
            for at, server in enumerate(own.tacacs.servers)
        }
    if own.snmp:
        found["SNMP"] = {"LOCATION": {"Location": own.snmp.location}, "CONTACT": {"Contact": own.snmp.contact}}
        found["SNMP_AGENT_ADDRESS_CONFIG"] = {f"{own.address.split('/')[0]}|161|mgmt": {}}
        found["SNMP_USER"] = {
            own.snmp.user: {
                "SNMP_USER_TYPE": "Priv", "SNMP_USER_PERMISSION": "RO",
                "SNMP_USER_AUTH_TYPE": "SHA", "SNMP_USER_AUTH_PASSWORD": own.snmp.auth.written,
                "SNMP_USER_ENCRYPTION_TYPE": "AES", "SNMP_USER_ENCRYPTION_PASSWORD": own.snmp.privacy.written,
            }
        }  # fmt: skip
    if own.gnmi:
        stem = f"/etc/sonic/telemetry/{own.gnmi.certificate}"
        found["GNMI"] = {
            "gnmi": {"port": str(own.gnmi.port), "client_auth": "true"},
            "certs": {"ca_crt": f"{stem}-ca.cer", "server_crt": f"{stem}.cer", "server_key": f"{stem}.key"},
        }
        if is_at_least(device.version, "202511"):
            found["GNMI"]["gnmi"]["user_auth"] = "none"
        if device.version == "master":
            found["GNMI"]["gnmi"]["vrf"] = "mgmt"
    if own.sflow:
        polling = str(own.sflow.polling_seconds)
        found["SFLOW"] = {"global": {"admin_state": "up", "polling_interval": polling, "agent_id": "eth0"}}
        found["SFLOW_COLLECTOR"] = {one: {"collector_ip": one, "collector_vrf": "mgmt"} for one in own.sflow.collectors}
        sampled = {"admin_state": "up", "sample_rate": str(own.sflow.sample)}
        rows = {row.name: sampled for row in device.interfaces.ethernet if row.profile.sflow}
        found["SFLOW_SESSION"] = {"all": {"admin_state": "down"}, **rows}
    return found


def _access(device: Device) -> Document:
    """Tables of caclmgrd: per service its sources and a drop, a drop of IPv6, and the neighbors of BFD."""
    own = device.management
    asked = {row.service: row.prefixes for row in own.access}
    here = f"{own.address.split('/')[0]}/32"
    rows: dict[str, tuple[str, list[dict[str, str]]]] = {}
    services: list[tuple[str, str, dict[str, str], bool]] = [("SSH", "SSH", {}, True)]
    services += [("SNMP", "SNMP", {}, own.snmp is not None)]
    services += [("API", "EXTERNAL_CLIENT", {"L4_DST_PORT": "443"}, False)]
    if own.gnmi:
        services += [("GNMI", "EXTERNAL_CLIENT", {"L4_DST_PORT": str(own.gnmi.port)}, True)]
    for name, service, port, on in services if own.access else ():
        sources = [{"SRC_IP": prefix, "DST_IP": here} | port for prefix in asked[name.lower()]] if on else []
        rows[f"MANAGEMENT-{name}"] = service, [*sources, {"SRC_IP": "0.0.0.0/0"} | port]
        rows[f"MANAGEMENT-{name}-IPV6"] = service, [{"SRC_IPV6": "::/0"} | port]
    watched = {group.name for group in device.routing.bgp.groups if group.bfd and own.access}
    for far in (row for row in device.routing.bgp.neighbors if row.group in watched):
        if far.interface:
            match = {"SRC_IPV6": "fe80::/10", "IN_PORTS": far.interface}
        else:
            match = {"SRC_IPV6": f"{far.address}/128"} if ":" in far.address else {"SRC_IP": f"{far.address}/32"}
        table = "NEIGHBORS-BFD-IPV6" if "SRC_IPV6" in match else "NEIGHBORS-BFD"
        rows.setdefault(table, ("ANY", []))[1].append(match)
    found: Document = {"ACL_TABLE": {}, "ACL_RULE": {}}
    for name, (service, matches) in rows.items():
        found["ACL_TABLE"][name] = {
            "type": "CTRLPLANE", "stage": "ingress", "policy_desc": name, "services": [service],
        }  # fmt: skip
        for at, match in enumerate(matches):
            last = service != "ANY" and at == len(matches) - 1
            decided = {"PACKET_ACTION": "DROP" if last else "ACCEPT", "PRIORITY": "1" if last else str(9999 - at)}
            found["ACL_RULE"][f"{name}|RULE_{at + 1}"] = match | decided
    return found


def _ports(device: Device) -> Document:
    box = BOXES[device.hardware.model]
    ports: Table = {}
    interfaces: Table = {}
    for row in (*device.interfaces.ethernet, *device.interfaces.idle):
        ports[row.name] = {
            "admin_status": "up" if row.enabled else "down",
            "alias": row.name,
            "description": row.description,
            "index": str(int(row.name[8:]) // box.step + 1),
            "lanes": ",".join(box.lanes.get(row.name, "?").split(",")[: row.profile.lanes * box.step // 8]),
            "mtu": str(row.profile.mtu),
            "speed": f"{row.profile.speed_gbps}000",
            **({"fec": "rs"} if row.profile.fec == "rs-fec" else {}),
            **_part(row, box.step),
        }
        if row.profile.unnumbered:
            interfaces[row.name] = {"ipv6_use_link_local_only": "enable"}
        for address in filter(None, (row.ipv4, row.ipv6)):
            interfaces |= {row.name: {}, f"{row.name}|{address}": {}}
    loopbacks: Table = {}
    for loopback in device.interfaces.loopbacks:
        for address in filter(None, (loopback.ipv4, loopback.ipv6)):
            name = f"Loopback{loopback.number}"
            loopbacks |= {name: {}, f"{name}|{address}": {}}
    return {"PORT": ports, "INTERFACE": interfaces, "LOOPBACK_INTERFACE": loopbacks}


def _part(row: Ethernet, step: int) -> dict[str, str]:
    """Which part of its cage a split port is, from 1 (sonic-config-engine/portconfig.py); xcvrd takes lanes by it."""
    if row.profile.parts == 1:
        return {}
    return {"subport": str(int(row.name[8:]) % step // (step // row.profile.parts) + 1)}


def _policy(device: Device) -> Document:
    policy = device.routing.policy
    found: Document = {name: {} for name in ("PREFIX_SET", "PREFIX", "COMMUNITY_SET", "ROUTE_MAP_SET", "ROUTE_MAP")}
    for one in policy.prefix_lists:
        found["PREFIX_SET"][one.name] = {"mode": {"ipv4": "IPv4", "ipv6": "IPv6"}[one.family]}
        for entry in one.entries:
            lengths = f"{entry.prefix.split('/')[1]}..{entry.longest}" if entry.longest else "exact"
            found["PREFIX"][f"{one.name}|{entry.prefix}|{lengths}"] = {"action": "permit"}
    for each in policy.community_lists:
        member = "graceful-shutdown" if each.graceful_shutdown else each.community
        found["COMMUNITY_SET"][each.name] = {
            "set_type": "STANDARD", "match_action": "ANY", "action": "permit", "community_member": [member],
        }  # fmt: skip
    for route_map in policy.route_maps:
        found["ROUTE_MAP_SET"][route_map.name] = {}
        for row in route_map.statements:
            found["ROUTE_MAP"][f"{route_map.name}|{row.sequence}"] = _statement(row)
    return found


def _statement(row: Statement) -> dict[str, Any]:
    said: dict[str, Any] = {"route_operation": "permit" if row.permit else "deny"}
    if row.match_community_list:
        said["match_community"] = row.match_community_list
    if row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6:
        said["match_prefix_set"] = row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6
    words = [row.set_community] if row.set_community else []
    words += ["graceful-shutdown"] if row.set_graceful_shutdown else []
    if words:
        said["set_community_inline"] = [*words, "additive"]
    if row.set_local_preference >= 0:
        said["set_local_pref"] = str(row.set_local_preference)
    return said


def _bgp(device: Device) -> Document:
    bgp = device.routing.bgp
    own = {"local_asn": str(bgp.asn), "router_id": bgp.router_id, "load_balance_mp_relax": "true"}
    networks = {"ipv4": bgp.networks_ipv4, "ipv6": bgp.networks_ipv6}
    discards = [route for route in device.routing.static_routes if not route.vrf]
    found: Document = {
        "STATIC_ROUTE": {f"default|{route.prefix}": {"blackhole": "true"} for route in discards},
        "BGP_GLOBALS": {"default": {**own, "default_ipv4_unicast": "false"}},
        "BGP_GLOBALS_AF": {
            f"default|{FAMILIES[one]}": {"max_ebgp_paths": str(bgp.maximum_paths)}
            for one, each in networks.items()
            if each or one in bgp.families
        },
        "BGP_GLOBALS_AF_NETWORK": {
            f"default|{FAMILIES[family]}|{prefix}": {} for family, each in networks.items() for prefix in each
        },
    }
    groups: Table = {}
    families: Table = {}
    for group in bgp.groups:
        said = {"name": group.description, "keepalive": str(bgp.keepalive_seconds), "holdtime": str(bgp.hold_seconds)}
        said["conn_retry"] = "1"
        said |= {"bfd": "true"} if group.bfd else {}
        if group.ttl_security == "check":
            said |= {"ttl_security_hops": "1"}
            if group.update_source == 0:
                said |= {"ttl_security_hops": "2", "disable_ebgp_connected_route_check": "true"}
        elif group.ttl_security or group.multihop:
            said |= {"ebgp_multihop": "true", "ebgp_multihop_ttl": "255" if group.ttl_security else str(group.multihop)}
        said |= {"local_addr": bgp.router_id} if group.update_source == 0 else {}
        said |= {"capability_ext_nexthop": "true"} if group.extended_next_hop else {}
        groups[f"default|{group.name}"] = said
        for family in group.families:
            maps = {"route_map_in": [group.route_map_in], "route_map_out": [group.route_map_out]}
            most = {"max_prefix_limit": str(group.maximum_routes)}
            beyond = {"max_prefix_restart_interval": str(group.restart_minutes)}
            most |= beyond if group.restart_minutes else {"max_prefix_warning_only": "true"}
            kept = {"unchanged_nexthop": "true"} if group.next_hop_unchanged else {}
            families[f"default|{group.name}|{FAMILIES[family]}"] = {"admin_status": "up", **maps, **most, **kept}
    neighbors: Table = {}
    maps_of: Table = {}
    of_group = {group.name: group for group in bgp.groups}
    for one in bgp.neighbors:
        key = f"default|{one.interface or one.address}"
        neighbors[key] = {"asn": str(one.remote_as), "peer_group_name": one.group, "name": one.description}
        own_maps = {"route_map_in": [one.route_map_in], "route_map_out": [one.route_map_out]}
        if one.route_map_in:
            maps_of |= {f"{key}|{FAMILIES[family]}": own_maps for family in of_group[one.group].families}
    return found | {
        "BGP_PEER_GROUP": groups, "BGP_PEER_GROUP_AF": families, "BGP_NEIGHBOR": neighbors, "BGP_NEIGHBOR_AF": maps_of,
    }  # fmt: skip
