"""Routing of a Device → the keys of pyavd that describe it."""

from typing import Any

from fabricgen.device.device import Device
from fabricgen.device.routing import (
    Bgp,
    BgpVrf,
    ExternalNeighbor,
    Neighbor,
    PeerGroup,
    PrefixList,
    Statement,
    StaticRoute,
)

Config = dict[str, Any]


def routing(device: Device) -> Config:
    """VRFs, policy, static routes and BGP."""
    policy, bgp = device.routing.policy, device.routing.bgp
    found_six = [row.ipv6 for row in device.interfaces.ethernet] + [row.ipv6 for row in device.interfaces.loopbacks]
    found_six += [row.ipv6 for row in device.interfaces.subinterfaces]
    found_six += [row.ipv6 for row in device.evpn.gateways] if device.evpn else []
    bare = any(row.profile.unnumbered for row in device.interfaces.ethernet)
    six = bare or ":" in "".join(found_six)
    vrfs = [{"name": vrf.name, "ip_routing": True, **({"ipv6_routing": True} if six else {})} for vrf in bgp.vrfs]
    found: Config = {
        # One of the two: PyAVD leaves the shorter form out where the longer stands.
        **({"ip_routing_ipv6_interfaces": True} if bare else {"ip_routing": True}),
        "vrfs": [{"name": device.management.vrf, "ip_routing": False}, *vrfs],
        "prefix_lists": [_prefix_list(row) for row in policy.prefix_lists if row.family == "ipv4"],
        "ipv6_prefix_lists": [_prefix_list(row) for row in policy.prefix_lists if row.family == "ipv6"],
        "ip_community_lists": [
            {
                "name": row.name,
                "entries": [
                    {"action": "permit", "communities": ["GSHUT" if row.community == "65535:0" else row.community]}
                ],
            }
            for row in policy.community_lists
        ],
        "ip_extcommunity_lists": [
            {"name": row.name, "entries": [{"type": "permit", "extcommunities": f"rt {row.route_target}"}]}
            for row in policy.route_target_lists
        ],
        "route_maps": [
            {"name": row.name, "sequence_numbers": [_statement(statement) for statement in row.statements]}
            for row in policy.route_maps
        ],
        "static_routes": [_static(row) for row in device.routing.static_routes if ":" not in row.prefix],
        "ipv6_static_routes": [_static(row) for row in device.routing.static_routes if ":" in row.prefix],
        "router_bgp": _bgp(device),
    }
    if six:
        found["ipv6_unicast_routing"] = True
    cluster = device.load_balancing.cluster
    if cluster is not None:
        hosts = "Ethernet" + ",".join(name.removeprefix("Ethernet") for name in cluster.ports)
        found["load_balance"] = {
            "cluster": {
                "forwarding_type": "routed ipv4",
                "destination_grouping": "prefix length",
                "prefix_length": cluster.destination_length,
                "load_balance_method_flow_round_robin": True,
                "flow": {"source_learning_aging_timeout": cluster.aging_seconds},
                "port_groups": [{"group": "HOSTS", "interface": hosts}],
            }
        }
    if device.load_balancing.mode == "ecmp-queue-pair":
        place = {"eth_type": "ipv4", "ip_protocol": "udp", "header": "outer_l4", "mask": "0xff"}
        found["port_channel"] = {"load_balance_trident_udf": [{**place, "offset": octet} for octet in range(13, 16)]}
    if device.load_balancing.mode == "dlb-flowlet":
        found["ip_hardware"] = {"fib": {"load_balance_distribution": {"dynamic": {"enabled": True}}}}
    return found


def _prefix_list(row: PrefixList) -> Config:
    entries = [
        {"sequence": e.sequence, "action": f"permit {e.prefix}" + (f" le {e.longest}" if e.longest else "")}
        for e in row.entries
    ]
    return {"name": row.name, "sequence_numbers": entries}


def _statement(row: Statement) -> Config:
    matches = (
        ("community", row.match_community_list),
        ("extcommunity", row.match_route_target_list),
        ("ip address prefix-list", row.match_prefix_list_ipv4),
        ("ipv6 address prefix-list", row.match_prefix_list_ipv6),
    )
    found: Config = {"sequence": row.sequence, "type": "permit" if row.permit else "deny"}
    found["match"] = [f"{words} {name}" for words, name in matches if name]
    members = [row.set_community] if row.set_community else []
    members += ["GSHUT"] if row.set_graceful_shutdown else []
    members += ["additive"] if members and not row.replace_communities else []
    sets = [f"community {' '.join(members)}"] if members else []
    sets += [f"local-preference {row.set_local_preference}"] if row.set_local_preference != -1 else []
    return found | {"set": sets}


def _static(row: StaticRoute) -> Config:
    found: Config = {"prefix": row.prefix}
    found |= {"next_hop": row.next_hop} if row.next_hop else {"interface": "Null0"}
    return found | ({"vrf": row.vrf} if row.vrf else {})


def _bgp(device: Device) -> Config:
    bgp = device.routing.bgp
    width = {"paths": bgp.maximum_paths, "ecmp": bgp.maximum_paths}
    found: Config = {
        "as": str(bgp.asn),
        "router_id": bgp.router_id,
        "updates": {"wait_install": bgp.wait_install},
        "bgp": {"default": {"ipv4_unicast": False}},
        "distance": {"external_routes": 20, "internal_routes": 200, "local_routes": 200},
        "maximum_paths": width,
        "peer_groups": [found for group in bgp.groups for found in _groups(bgp, group)],
        "neighbor_interfaces": [
            {"name": row.interface, "peer_group": _own_group(row), "remote_as": str(row.remote_as)}
            for row in bgp.neighbors
            if row.interface
        ],
        "neighbors": [
            {
                "ip_address": row.address,
                "peer_group": row.group,
                "remote_as": str(row.remote_as),
                "description": row.description,
                **({"route_map_in": row.route_map_in} if row.route_map_in else {}),
                **({"route_map_out": row.route_map_out} if row.route_map_out else {}),
            }
            for row in bgp.neighbors
            if not row.interface
        ],
        "vlans": [
            {
                "id": vlan.vlan_id,
                "rd": vlan.rd,
                "route_targets": {"both": [vlan.route_target]},
                "redistribute_routes": ["learned"],
            }
            for vlan in (device.evpn.vlans if device.evpn else ())
        ],
        "vrfs": [_vrf(bgp, vrf) for vrf in bgp.vrfs],
    }
    networks = {"ipv4": bgp.networks_ipv4, "ipv6": bgp.networks_ipv6, "evpn": ()}
    for family, originated in networks.items():
        groups = [
            {"name": found["name"], "activate": True, **_next_hop(group, family)}
            for group in bgp.groups
            if family in group.families
            for found in _groups(bgp, group)
        ]
        if groups or originated:
            prefixes = {"networks": [{"prefix": prefix} for prefix in originated]} if originated else {}
            found[f"address_family_{family}"] = {"peer_groups": groups, **prefixes}
    duplicates = device.evpn.duplicate_mac if device.evpn else None
    if duplicates is not None:
        found["address_family_evpn"]["evpn_hostflap_detection"] = {
            "enabled": True,
            "window": duplicates.window_seconds,
            "threshold": duplicates.moves,
            **({"expiry_timeout": duplicates.recovery_seconds} if duplicates.recovery_seconds else {}),
        }
    return found


def _next_hop(group: PeerGroup, family: str) -> Config:
    if not group.extended_next_hop or family != "ipv4":
        return {}
    return {"next_hop": {"address_family_ipv6": {"enabled": True, "originate": True}}}


def _own_group(row: Neighbor) -> str:
    return f"{row.group}-{row.interface}".replace("/", "-")


def _groups(bgp: Bgp, group: PeerGroup) -> list[Config]:
    """A peer group; of one whose sessions run over unnumbered links, one for each of them."""
    if not group.extended_next_hop:
        return [_group(bgp, group)]
    return [
        _group(bgp, group)
        | {"name": _own_group(row), "description": row.description}
        | ({"route_map_in": row.route_map_in} if row.route_map_in else {})
        | ({"route_map_out": row.route_map_out} if row.route_map_out else {})
        for row in bgp.neighbors
        if row.group == group.name
    ]


def _group(bgp: Bgp, group: PeerGroup) -> Config:
    found: Config = {
        "name": group.name,
        "description": group.description,
        "timers": f"{bgp.keepalive_seconds} {bgp.hold_seconds}",
        "route_map_in": group.route_map_in,
        "route_map_out": group.route_map_out,
        "send_community": "standard extended" if group.extended_communities else "standard",
        "maximum_routes": group.maximum_routes,
    }
    found |= {} if group.restart_minutes else {"maximum_routes_warning_only": True}
    found |= {"update_source": f"Loopback{group.update_source}"} if group.update_source >= 0 else {}
    if group.ttl_security == "check":
        found["ttl_maximum_hops"] = 2 if group.update_source >= 0 else 1
    elif group.ttl_security or group.multihop:
        found["ebgp_multihop"] = 255 if group.ttl_security else group.multihop
    found |= {"password": group.password.written, "password_type": "7"} if group.password is not None else {}
    found |= {"next_hop_unchanged": True} if group.next_hop_unchanged else {}
    return found | ({"bfd": True} if group.bfd else {})


def _vrf(bgp: Bgp, vrf: BgpVrf) -> Config:
    targets: Config = {"address_family": "evpn", "route_targets": list(vrf.import_targets)}
    targets |= {"route_map": vrf.import_map} if vrf.import_map else {}
    found: Config = {
        "name": vrf.name,
        "rd": vrf.rd,
        "router_id": bgp.router_id,
        "maximum_paths": {"paths": bgp.overlay_paths, "ecmp": bgp.overlay_paths},
        "route_targets": {
            "import": [targets],
            "export": [{"address_family": "evpn", "route_targets": [vrf.export_target]}],
        },
        "neighbors": [_external(bgp, row) for row in vrf.neighbors],
    }
    for family, originated in (("ipv4", vrf.networks_ipv4), ("ipv6", vrf.networks_ipv6)):
        peers = [{"ip_address": row.address, "activate": True} for row in vrf.neighbors if row.family == family]
        if peers or originated:
            prefixes = [{"prefix": prefix} for prefix in originated]
            found[f"address_family_{family}"] = {"neighbors": peers, "networks": prefixes}
    return found


def _external(bgp: Bgp, row: ExternalNeighbor) -> Config:
    return {
        "ip_address": row.address,
        "remote_as": str(row.remote_as),
        "description": row.description,
        "timers": f"{bgp.keepalive_seconds} {bgp.hold_seconds}",
        "route_map_in": row.route_map_in,
        "route_map_out": row.route_map_out,
        "send_community": "standard",
        "maximum_routes": row.maximum_routes,
        # pyavd knows encoded passwords only; ours is clear, so this line is in the table of differences.
        **({"password": row.password.written, "password_type": "7"} if row.password else {}),
    }
