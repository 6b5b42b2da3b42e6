"""What the tables of the lossless class of a switch must be, and the boxes that tests know: the second part."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.qos import Qos

Table = dict[str, dict[str, Any]]
Document = dict[str, Table]


class Box(NamedTuple):
    """A box as its folder in sonic-buildimage has it: numbers a cage, pools, and one port to hold the lanes against."""

    platform: str
    sku: str
    step: int
    pool: int
    reserve: Mapping[str, str]
    lanes: Mapping[str, str]


BOXES = {
    "nvidia-sn4700": Box(
        "x86_64-mlnx_msn4700-r0", "ACS-MSN4700", 8, 60817392, {},
        {"Ethernet0": "0,1,2,3,4,5,6,7", "Ethernet248": "248,249,250,251,252,253,254,255"},
    ),
    "nvidia-sn5600": Box(
        "x86_64-nvidia_sn5600-r0", "ACS-SN5600", 8, 158229504, {},
        {"Ethernet504": "504,505,506,507", "Ethernet508": "508,509,510,511", "Ethernet4": "4,5,6,7"},
    ),
    "dell-z9664f-on": Box(
        "x86_64-dell_z9664f-r0", "DellEMC-Z9664f-O64", 4, 113620296, {"size": "9144", "xon": "9144"},
        {"Ethernet0": "5,6,7,8", "Ethernet64": "141,142,143,144", "Ethernet128": "13,14,15,16",
         "Ethernet252": "253,254,255,256"},
    ),
}  # fmt: skip


def qos_of(device: Device, qos: Qos, box: Box) -> Document:
    """All of its tables."""
    return _qos(qos, box) | _port_qos(device, qos) | _buffers(device, qos)


class Lossless(NamedTuple):
    """The lossless traffic of a marking: priority, class, queue (policy/marking.py names the same)."""

    priority: int
    traffic_class: int
    queue: int


LOSSLESS = {"nvidia": Lossless(3, 3, 3), "dell": Lossless(3, 3, 3)}


def _qos(qos: Qos, box: Box) -> Document:
    way = LOSSLESS[qos.marking]
    groups = dict.fromkeys(range(8), 0) | {way.traffic_class: way.priority}
    pauses = {number: number for number in range(8)} | {way.priority: way.queue}
    dynamic = not box.reserve
    maps = {
        "DSCP_TO_TC_MAP": {dscp: row.traffic_class for row in qos.dscp_classes for dscp in row.dscps},
        "TC_TO_QUEUE_MAP": {row.traffic_class: row.queue for row in qos.class_queues},
        "TC_TO_PRIORITY_GROUP_MAP": groups,
        "MAP_PFC_PRIORITY_TO_QUEUE": pauses,
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": {way.priority: way.priority} if dynamic else {},
    }
    found: Document = {
        name: {"FABRIC": {str(key): str(value) for key, value in pairs.items()}} if pairs else {}
        for name, pairs in maps.items()
    }
    found |= {"SCHEDULER": {}, "WRED_PROFILE": {}}
    for profile in qos.profiles:
        for queue in profile.queues:
            share = (
                {"type": "DWRR", "weight": str(queue.weight_percent)} if queue.weight_percent else {"type": "STRICT"}
            )
            rate = str(profile.speed_gbps * 1_250_000 * queue.cap_percent)
            cap = {"meter_type": "bytes", "cir": rate, "pir": rate} if queue.cap_percent else {}
            found["SCHEDULER"][f"{profile.name}-{queue.queue}"] = {**share, **cap}
            if queue.ecn:
                marks: dict[str, str] = {"ecn": "ecn_all"}
                for colour in ("green", "yellow", "red"):
                    marks |= {
                        f"wred_{colour}_enable": "true",
                        f"{colour}_min_threshold": str(queue.ecn.minimum_octets),
                        f"{colour}_max_threshold": str(queue.ecn.maximum_octets),
                        f"{colour}_drop_probability": str(queue.ecn.probability_percent),
                    }
                found["WRED_PROFILE"][profile.name] = marks
    return found


def _port_qos(device: Device, qos: Qos) -> Document:
    way, dynamic = LOSSLESS[qos.marking], not BOXES[device.hardware.model].reserve
    bound = dict.fromkeys(("dscp_to_tc_map", "tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map"), "FABRIC")
    bound |= {"pfc_to_pg_map": "FABRIC"} if dynamic else {}
    bound |= {"pfc_enable": str(way.priority), "pfcwd_sw_enable": str(way.priority)}
    found: Document = {
        "PORT_QOS_MAP": {"global": {"dscp_to_tc_map": "FABRIC"}},
        "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": str(min(1000, max(100, qos.watchdog.polling_ms)))}},
        "QUEUE": {},
    }
    for row in device.interfaces.ethernet:
        found["PORT_QOS_MAP"][row.name] = bound
        found["PFC_WD"][row.name] = {
            "action": {"drop": "drop", "notify": "alert"}[qos.watchdog.action],
            "detection_time": str(max(100, qos.watchdog.detect_ms)),
            "restoration_time": str(max(100, qos.watchdog.restore_ms)),
        }
        (profile,) = [one for one in qos.profiles if one.name == row.profile.qos]
        for queue in profile.queues:
            marks = {"wred_profile": profile.name} if queue.ecn else {}
            found["QUEUE"][f"{row.name}|{queue.queue}"] = {"scheduler": f"{profile.name}-{queue.queue}", **marks}
    return found


ALPHA = {"1/4": "-2", "1": "0"}


def _buffers(device: Device, qos: Qos) -> Document:
    box, way = BOXES[device.hardware.model], LOSSLESS[qos.marking]
    found = _static(device, qos, box) if box.reserve else _dynamic(device, qos, box)
    found |= {"BUFFER_PG": {}, "BUFFER_QUEUE": {}}
    (profile, *_) = qos.profiles
    for row in device.interfaces.ethernet:
        headroom = f"lossless_{row.profile.speed_gbps}g_{row.headroom_octets}" if box.reserve else "NULL"
        found["BUFFER_PG"][f"{row.name}|0"] = {"profile": "ingress_lossy_profile"}
        found["BUFFER_PG"][f"{row.name}|{way.priority}"] = {"profile": headroom}
        lossy = "egress_lossy_profile" if box.reserve else "q_lossy_profile"
        for queue in profile.queues:
            name = "egress_lossless_profile" if queue.queue == way.queue else lossy
            found["BUFFER_QUEUE"][f"{row.name}|{queue.queue}"] = {"profile": name}
    return found


def _static(device: Device, qos: Qos, box: Box) -> Document:
    pool = str(box.pool)
    profiles: Table = {
        "ingress_lossy_profile": {"pool": "ingress_lossless_pool", "size": "0", "static_th": pool},
        "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "static_th": pool},
        "egress_lossy_profile": {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "2"},
    }
    for row in device.interfaces.ethernet:
        profiles[f"lossless_{row.profile.speed_gbps}g_{row.headroom_octets}"] = {
            "pool": "ingress_lossless_pool",
            **box.reserve,
            "xon_offset": str(qos.resume_octets),
            "xoff": str(row.headroom_octets),
            "dynamic_th": ALPHA[qos.alpha],
        }
    ingress = {"type": "ingress", "mode": "dynamic", "size": pool, "xoff": "50653696"}
    egress = {"type": "egress", "mode": "static", "size": pool}
    return {
        "BUFFER_POOL": {"ingress_lossless_pool": ingress, "egress_lossless_pool": egress},
        "BUFFER_PROFILE": profiles,
    }


def _dynamic(device: Device, qos: Qos, box: Box) -> Document:
    ends = {"ingress_lossless": "7", "ingress_lossy": "3", "egress_lossless": "7", "egress_lossy": "7", "q_lossy": "3"}
    profiles: Table = {
        f"{name}_profile": {
            "pool": f"{name.replace('q_', 'egress_')}_pool",
            "size": "9216" if name == "egress_lossy" else "0",
            "dynamic_th": alpha,
        }
        for name, alpha in ends.items()
    }
    pools: Table = {
        f"{name}_pool": {"type": name.split("_")[0], "mode": "dynamic"} for name in ends if name != "q_lossy"
    }
    pools["egress_lossless_pool"]["size"] = str(box.pool)
    rows = device.interfaces.ethernet
    return {
        "BUFFER_POOL": pools,
        "BUFFER_PROFILE": profiles,
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"FABRIC": {"default_dynamic_th": ALPHA[qos.alpha]}},
        "LOSSLESS_TRAFFIC_PATTERN": {
            "FABRIC": {"mtu": str(max(row.profile.mtu for row in rows)), "small_packet_percentage": "100"}
        },
        "CABLE_LENGTH": {"FABRIC": {row.name: f"{-(-row.length_m // 1):.0f}m" for row in rows}},
        "BUFFER_PORT_INGRESS_PROFILE_LIST": {
            row.name: {"profile_list": "ingress_lossless_profile,ingress_lossy_profile"} for row in rows
        },
        "BUFFER_PORT_EGRESS_PROFILE_LIST": {
            row.name: {"profile_list": "egress_lossless_profile,egress_lossy_profile"} for row in rows
        },
    }
