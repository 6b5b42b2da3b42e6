"""What SONiC's models do not look at, read out of the rendered tables alone, and held against a Device's own plan."""

from collections import Counter
from collections.abc import Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_interface, ip_network
from typing import Any

from fabricgen.device.qos import Qos

Document = Mapping[str, Mapping[str, Mapping[str, Any]]]
Network = IPv4Network | IPv6Network
AFI_SAFI = {"ipv4_unicast", "ipv6_unicast", "l2vpn_evpn"}
"""Names that frrcfgd's templates know (bgpd.conf.db.addr_family.j2); the models take any text."""
CODE_POINTS = 64
DISTANT = "disable_ebgp_connected_route_check"
"""The peer of a session between loopbacks, beside a check of the TTL."""


def faults(found: Document) -> list[str]:
    """What is wrong with a file that the models take; empty where nothing is."""
    return [*_ports(found), *_doors(found), *_routing(found), *_lossless(found), *_watchdog(found), *_pools(found)]


def _rows(found: Document, table: str) -> Mapping[str, Mapping[str, Any]]:
    return found.get(table, {})


def _ports(found: Document) -> Iterator[str]:
    ports = _rows(found, "PORT")
    lanes = Counter(lane for row in ports.values() for lane in row["lanes"].split(","))
    yield from (f"lane {lane} is in {count} ports" for lane, count in lanes.items() if count > 1)
    names = Counter(row["alias"] for row in ports.values())
    yield from (f"{count} ports are called {name}" for name, count in names.items() if count > 1)
    parts = Counter((row["index"], row.get("subport", "0")) for row in ports.values())
    yield from (f"{count} ports of cage {cage} are part {part}" for (cage, part), count in parts.items() if count > 1)
    for key in _rows(found, "INTERFACE"):
        if "|" in key and key.split("|")[0] not in _rows(found, "INTERFACE"):
            yield f"{key} has no row of its port"


def _doors(found: Document) -> Iterator[str]:
    """gnmi-native.sh asks no client for a certificate unless told; telemetry.go then checks nobody that writes."""
    for row in _rows(found, "GNMI").values():
        if "port" in row and row.get("client_auth") != "true":
            yield "gNMI takes anybody's settings"


def _routing(found: Document) -> Iterator[str]:
    for table in ("BGP_GLOBALS_AF", "BGP_PEER_GROUP_AF", "BGP_NEIGHBOR_AF", "BGP_GLOBALS_AF_NETWORK"):
        for key in _rows(found, table):
            if not AFI_SAFI & set(key.split("|")):
                yield f"{table}|{key} names no family"
    own = [ip_interface(key.split("|")[1]) for key in _rows(found, "INTERFACE") if "|" in key]
    yield from _unbacked(found, {one.network for one in own})
    yield from _unlinked(found, {str(each) for one in own for each in one.network if each != one.ip})
    for key in _rows(found, "BGP_PEER_GROUP"):
        if not any(each.startswith(f"{key}|") for each in _rows(found, "BGP_PEER_GROUP_AF")):
            yield f"{key} carries no family"


def _unbacked(found: Document, links: set[Network]) -> Iterator[str]:
    loops = {ip_interface(key.split("|")[1]).network for key in _rows(found, "LOOPBACK_INTERFACE") if "|" in key}
    discards = {ip_network(key.split("|")[1]) for key in _rows(found, "STATIC_ROUTE")}
    for key in _rows(found, "BGP_GLOBALS_AF_NETWORK"):
        if ip_network(key.split("|")[2]) not in links | loops | discards:
            yield f"nothing stands behind {key}, so it is never announced"


def _unlinked(found: Document, far: set[str]) -> Iterator[str]:
    for key, row in _rows(found, "BGP_NEIGHBOR").items():
        peer, group = key.split("|")[1], _rows(found, "BGP_PEER_GROUP").get(f"default|{row['peer_group_name']}", {})
        bare = _rows(found, "INTERFACE").get(peer, {}).get("ipv6_use_link_local_only") == "enable"
        if not (bare or peer in far or group.get("ebgp_multihop") == "true" or DISTANT in group):
            yield f"{peer} is on no link of this switch"


def _map(found: Document, table: str, name: str) -> dict[int, int]:
    return {int(key): int(value) for key, value in _rows(found, table).get(name, {}).items()}


def _lossless(found: Document) -> Iterator[str]:
    for port, row in _rows(found, "PORT_QOS_MAP").items():
        if port != "global":
            yield from (f"{port}: {fault}" for fault in _port(found, port, row))
    if _rows(found, "PORT_QOS_MAP"):
        bare = [port for port in _rows(found, "PORT") if port not in found["PORT_QOS_MAP"]]
        yield from (f"{port} has no maps though others have" for port in bare if _in_use(found, port))


def _in_use(found: Document, port: str) -> bool:
    return port in _rows(found, "INTERFACE")


def _port(found: Document, port: str, row: Mapping[str, Any]) -> Iterator[str]:
    dscps = _map(found, "DSCP_TO_TC_MAP", row["dscp_to_tc_map"])
    groups = _map(found, "TC_TO_PRIORITY_GROUP_MAP", row["tc_to_pg_map"])
    queues = _map(found, "TC_TO_QUEUE_MAP", row["tc_to_queue_map"])
    pauses = _map(found, "MAP_PFC_PRIORITY_TO_QUEUE", row["pfc_to_queue_map"])
    if set(dscps) != set(range(CODE_POINTS)):
        yield f"{CODE_POINTS - len(dscps)} code points are left to SONiC's own map"
    paused = {int(priority) for priority in row["pfc_enable"].split(",") if priority}
    for priority in sorted(paused):
        classes = {number for number, group in groups.items() if group == priority}
        if not classes or not classes <= set(dscps.values()):
            yield f"no traffic reaches the priority group that pauses {priority}"
        if {queues[number] for number in classes} != {pauses[priority]}:
            yield f"a pause of {priority} stops another queue than its class has"
        yield from _group(found, port, priority)
        yield from _queue(found, port, pauses[priority])
        if pauses[priority] != priority:
            yield f"the watchdog of priority {priority} watches queue {priority}, not {pauses[priority]}"
    if row.get("pfcwd_sw_enable") != row["pfc_enable"]:
        yield "the watchdog does not watch what is paused"
    weights = [
        int(_rows(found, "SCHEDULER")[queue["scheduler"]].get("weight", "0"))
        for key, queue in _rows(found, "QUEUE").items()
        if key.startswith(f"{port}|")
    ]
    if sum(weights) != 100:
        yield f"weights of its queues add up to {sum(weights)}"


def _group(found: Document, port: str, priority: int) -> Iterator[str]:
    name = _rows(found, "BUFFER_PG").get(f"{port}|{priority}", {}).get("profile")
    if name == "NULL":
        lengths = _rows(found, "CABLE_LENGTH").get("FABRIC", {})
        if lengths.get(port, "0m") == "0m":
            yield f"PFC of {priority} without headroom: no length of its cable"
    elif name is None:
        yield f"PFC of {priority} without a priority group that has headroom"
    elif int(_rows(found, "BUFFER_PROFILE")[name].get("xoff", "0")) <= 0:
        yield f"PFC of {priority} without headroom: {name} has none"
    elif "lossless" not in _rows(found, "BUFFER_PROFILE")[name]["pool"]:
        yield f"headroom of {priority} is in no lossless pool"


def _queue(found: Document, port: str, queue: int) -> Iterator[str]:
    buffer = _rows(found, "BUFFER_QUEUE").get(f"{port}|{queue}", {}).get("profile")
    if buffer != "egress_lossless_profile":
        yield f"queue {queue} is lossless and its buffer is {buffer}"
    row = _rows(found, "QUEUE").get(f"{port}|{queue}", {})
    if "wred_profile" not in row:
        yield f"queue {queue} is paused and never marked"
    if _rows(found, "SCHEDULER").get(row.get("scheduler", ""), {}).get("type") == "STRICT":
        yield f"queue {queue} is lossless and strict"


def _watchdog(found: Document) -> Iterator[str]:
    rows = _rows(found, "PFC_WD")
    for port, row in _rows(found, "PORT_QOS_MAP").items():
        if port != "global" and row.get("pfc_enable") and port not in rows:
            yield f"{port}: PFC without a watchdog"


def _pools(found: Document) -> Iterator[str]:
    """Where the sizes are in the file: headroom inside the pool, and marks before the queue is full."""
    pool = _rows(found, "BUFFER_POOL").get("ingress_lossless_pool", {})
    if "xoff" not in pool:
        return
    shared = int(pool["size"]) - int(pool["xoff"])
    if shared <= 0:
        yield "headroom takes the whole pool"
    for name, row in _rows(found, "BUFFER_PROFILE").items():
        if int(row.get("xoff", "0")) > int(pool["xoff"]):
            yield f"{name} wants more than the whole headroom pool"
        if "xoff" in row:
            alpha = 2.0 ** int(row["dynamic_th"])
            limit = shared * alpha / (1 + alpha)
            for wred, marks in _rows(found, "WRED_PROFILE").items():
                if int(marks["green_max_threshold"]) >= limit:
                    yield f"{wred} marks when {name} pauses already"


def checkable(found: Document) -> bool:
    """Whether the file itself says how large the lossless pool is; boxes that compute it do not."""
    return "xoff" in _rows(found, "BUFFER_POOL").get("ingress_lossless_pool", {})


def against(found: Document, qos: Qos) -> list[str]:
    """What the file says of the lossless plan, and the plan says otherwise."""
    return [*_against_queues(found, qos), *_against_maps(found, qos), *_against_watchdog(found, qos)]


def _against_queues(found: Document, qos: Qos) -> Iterator[str]:
    for profile in qos.profiles:
        for queue in profile.queues:
            row = _rows(found, "SCHEDULER").get(f"{profile.name}-{queue.queue}", {})
            if (row.get("type") == "STRICT") != (queue.weight_percent == 0):
                yield f"queue {queue.queue} is {row.get('type')}"
            cap = profile.speed_gbps * 10**9 // 8 * queue.cap_percent // 100
            if int(row.get("pir", "0")) != cap:
                yield f"queue {queue.queue} may take {row.get('pir')} octets a second, not {cap}"
            if queue.ecn:
                marks = _rows(found, "WRED_PROFILE").get(profile.name, {})
                if marks.get("green_min_threshold") != str(queue.ecn.minimum_octets):
                    yield f"queue {queue.queue} marks from {marks.get('green_min_threshold')}"
                if marks.get("ecn") != "ecn_all":
                    yield f"queue {queue.queue} drops where it should mark"


def _against_maps(found: Document, qos: Qos) -> Iterator[str]:
    told = _map(found, "DSCP_TO_TC_MAP", "FABRIC")
    wanted = {dscp: row.traffic_class for row in qos.dscp_classes for dscp in row.dscps}
    yield from (f"DSCP {dscp} is in class {told.get(dscp)}" for dscp in wanted if told.get(dscp) != wanted[dscp])
    priorities = {str(priority) for profile in qos.profiles for priority in profile.lossless_priorities}
    for port, row in _rows(found, "PORT_QOS_MAP").items():
        if port != "global" and set(row["pfc_enable"].split(",")) != priorities:
            yield f"{port} is paused by {row['pfc_enable']}"


def _against_watchdog(found: Document, qos: Qos) -> Iterator[str]:
    for port, row in _rows(found, "PFC_WD").items():
        if port == "GLOBAL":
            continue
        times = (int(row["detection_time"]), int(row["restoration_time"]))
        if times != (max(qos.watchdog.detect_ms, 100), max(qos.watchdog.restore_ms, 100)):
            yield f"{port}: {times} ms"
        if row["action"] != {"drop": "drop", "notify": "alert"}[qos.watchdog.action]:
            yield f"{port}: {row['action']}"
