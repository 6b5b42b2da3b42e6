"""Community SONiC: config_db.json, and frr.conf where the tables leave BGP to it.

Sources: sonic-net/sonic-buildimage, src/sonic-yang-models (Configuration.md and the models sonic-interface,
sonic-port, sonic-vxlan, sonic-dscp-tc-map, sonic-port-qos-map, sonic-bgp-neighbor, sonic-bgp-peergroup);
sonic-net/SONiC, doc/mgmt/SONiC_Design_Doc_Unified_FRR_Mgmt_Interface.md: neighbors inherit from peer groups;
docker_routing_config_mode.
MTU: PORT has the size of the largest IP packet; sonic-swss, orchagent/portsorch.cpp adds the header, a tag and the
check sequence before it tells the chip (setPortMtu; sonic-swss pull request 2398: packets of 9100 octets pass).
9100 where it is not said (Configuration.md, PORT).
PFC: pfc_enable names priorities. A class fills the priority group that tc_to_pg_map says, and the priority group of a
priority has its number unless a map says otherwise; pfc_to_queue_map names the queue that a priority stops (QoS
tables of Configuration.md).
Unnumbered: a neighbor that is named by its port, whose INTERFACE has ipv6_use_link_local_only (sonic-interface).
Gateways: SAG has the one MAC address, a VLAN_INTERFACE has `static_anycast_gateway` (sonic-static-anycast-gateway,
sonic-vlan). A next hop is FRR's business: kept for EVPN unless `nhself` is forced (sonic-bgp-common).
"""

import json
from collections.abc import Mapping
from typing import Any

from tests.frr.pair_text import speaker
from tests.pairs.lines import tree
from tests.pairs.view import DSCPS, EVPN, IPV4, IPV6, Gateway, Port, Session, Targets, View, address, first, gateway

Tables = Mapping[str, Mapping[str, Any]]
FAMILIES = {"ipv4_unicast": IPV4, "ipv6_unicast": IPV6, "l2vpn_evpn": EVPN}
FRR_TIMERS = ("60", "180")


def read(files: Mapping[str, str]) -> View:
    """Read both files."""
    db: Tables = json.loads(files["config_db.json"])
    found = _tables(db) if "default" in db.get("BGP_GLOBALS", {}) else speaker(tree(files["frr.conf"]))
    tunnels = db.get("VXLAN_TUNNEL", {})
    source = "".join(row["source_vtep"] for row in db.get("VXLAN_EVPN_NVO", {}).values())
    mapped = {int(row["vni"]) for key, row in db.get("VXLAN_TUNNEL_MAP", {}).items()}
    vrfs = {int(row["vni"]) for row in db.get("VRF", {}).values() if "vni" in row}
    return View(
        asn=found.asn,
        ports=_ports(db),
        loopbacks=frozenset(address(one) for one in _split(db.get("LOOPBACK_INTERFACE", {}))),
        sessions=found.sessions,
        vtep=tunnels.get(source, {}).get("src_ip", ""),
        bridged={vni: targets for vni, targets in found.bridged.items() if vni in mapped},
        routed={vni: targets for vni, targets in found.routed.items() if vni in mapped & vrfs},
        gateways=_gateways(db),
    )


def _gateways(db: Tables) -> dict[int, Gateway]:
    mac = db.get("SAG", {}).get("GLOBAL", {}).get("gateway_mac", "")
    rows = db.get("VLAN_INTERFACE", {})
    shared = {name for name, row in rows.items() if row.get("static_anycast_gateway") == "true"}
    vnis = {row["vlan"]: int(row["vni"]) for row in db.get("VXLAN_TUNNEL_MAP", {}).values() if row["vlan"] in shared}
    return {
        vni: gateway(mac, [key.partition("|")[2] for key in rows if key.startswith(f"{vlan}|")])
        for vlan, vni in vnis.items()
    }


def _split(table: Mapping[str, Any]) -> list[str]:
    return [key.partition("|")[2] for key in table if "|" in key]


def _ports(db: Tables) -> dict[str, Port]:
    addresses: dict[str, list[str]] = {}
    for key in db.get("INTERFACE", {}):
        name, _, found = key.partition("|")
        addresses.setdefault(name, []).extend([found] if found else [])
    return {name: _port(db, name, addresses[name]) for name in db["PORT"] if name in addresses}


def _port(db: Tables, name: str, addresses: list[str]) -> Port:
    row = db["PORT"][name]
    maps = db.get("PORT_QOS_MAP", {}).get(name, {})
    classes = _map(db, "DSCP_TO_TC_MAP", maps.get("dscp_to_tc_map"))
    enabled = {int(one) for one in maps.get("pfc_enable", "").split(",") if one}
    return Port(
        ipv4=first(addresses, 4),
        ipv6=first(addresses, 6),
        mtu=int(row.get("mtu", "9100")),
        enabled=row.get("admin_status") == "up",
        classes=tuple(classes.get(dscp, 0) for dscp in DSCPS) if classes else (),
        sends=_sends(db, maps, classes, enabled),
        obeys=_obeys(db, maps, classes, enabled),
        advertises=db["INTERFACE"].get(name, {}).get("ipv6_use_link_local_only") == "enable",
    )


def _map(db: Tables, table: str, name: str | None) -> dict[int, int]:
    return {int(key): int(value) for key, value in db.get(table, {}).get(name or "", {}).items()}


def _sends(db: Tables, maps: Mapping[str, str], classes: Mapping[int, int], enabled: set[int]) -> tuple[Any, ...]:
    """A priority group of a lossless profile pauses the priority of its number."""
    groups = _map(db, "TC_TO_PRIORITY_GROUP_MAP", maps.get("tc_to_pg_map"))
    own = _map(db, "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", maps.get("pfc_to_pg_map"))
    of_group = {own.get(priority, priority): priority for priority in enabled}
    rows = ((dscp, of_group.get(groups.get(tc, tc))) for dscp, tc in sorted(classes.items()))
    return tuple(row for row in rows if row[1] is not None)


def _obeys(db: Tables, maps: Mapping[str, str], classes: Mapping[int, int], enabled: set[int]) -> tuple[Any, ...]:
    queues = _map(db, "TC_TO_QUEUE_MAP", maps.get("tc_to_queue_map"))
    stopped = _map(db, "MAP_PFC_PRIORITY_TO_QUEUE", maps.get("pfc_to_queue_map"))
    of_queue = {stopped.get(priority, priority): priority for priority in enabled}
    rows = ((dscp, of_queue.get(queues.get(tc, tc))) for dscp, tc in sorted(classes.items()))
    return tuple(row for row in rows if row[1] is not None)


def _tables(db: Tables) -> View:
    """The speaker of the default VRF, by the tables of the management framework."""
    own = db["BGP_GLOBALS"]["default"]
    vrf = "default|"
    keys = (key for key in db.get("BGP_NEIGHBOR", {}) if key.startswith(vrf))
    found = [_session(db, key.removeprefix(vrf), own) for key in keys]
    return View(
        asn=int(own["local_asn"]),
        ports={},
        loopbacks=frozenset(),
        sessions={session.peer: session for session in found},
        routed=dict[int, Targets](),
    )


def _session(db: Tables, peer: str, own: Mapping[str, str]) -> Session:
    row = db["BGP_NEIGHBOR"][f"default|{peer}"]
    group = row.get("peer_group_name", "")
    said = {**db.get("BGP_PEER_GROUP", {}).get(f"default|{group}", {}), **row}
    hops = int(said.get("ebgp_multihop_ttl", "255")) if said.get("ebgp_multihop") == "true" else 1
    return Session(
        peer=peer if peer in db["PORT"] else address(peer),
        remote_as=int(said.get("asn", "0")),
        families=frozenset(FAMILIES[name] for name in FAMILIES if _is_active(db, name, peer, group, own)),
        keepalive=int(said.get("keepalive", own.get("keepalive", FRR_TIMERS[0]))),
        hold=int(said.get("holdtime", own.get("holdtime", FRR_TIMERS[1]))),
        bfd=said.get("bfd") == "true",
        multihop=hops,
        source=said.get("local_addr", ""),
        extended=_family(db, "l2vpn_evpn", peer, group).get("send_community", "both") in ("both", "extended", "all"),
        ipv6_hops=said.get("capability_ext_nexthop") == "true",
        kept=_family(db, "l2vpn_evpn", peer, group).get("nhself") != "true",
    )


def _is_active(db: Tables, name: str, peer: str, group: str, own: Mapping[str, str]) -> bool:
    row = _family(db, name, peer, group)
    always = name == "ipv4_unicast" and own.get("default_ipv4_unicast") != "false"
    return str(row.get("admin_status", "up" if always else "down")) in ("up", "true")


def _family(db: Tables, name: str, peer: str, group: str) -> dict[str, Any]:
    return {
        **db.get("BGP_PEER_GROUP_AF", {}).get(f"default|{group}|{name}", {}),
        **db.get("BGP_NEIGHBOR_AF", {}).get(f"default|{peer}|{name}", {}),
    }
