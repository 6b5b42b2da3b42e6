"""The yardstick of a platform whose files are JSON: the benchmark's tree on SONiC, written by f-strings alone.

Like bench/fstring.py it knows one intent, checks nothing and commits nothing. Tables stand in the order of their names,
keys as people count; those of few rows are in bench/fstring_sonic_small.py.
"""

from collections.abc import Iterator
from math import ceil
from pathlib import Path

from bench.fstring import cabling
from bench.fstring_sonic_small import (
    COMMA,
    LOSSLESS,
    buffer_profiles,
    groups,
    last,
    maps,
    natural,
    pools,
    prefixes,
    sampled,
    schedulers,
    services,
    speaker,
    system,
    table,
)
from fabricgen.device.device import Device
from fabricgen.device.qos import Qos
from fabricgen.device.routing import Bgp
from fabricgen.plan.plan import Plan
from fabricgen.resolve.device import devices


def write_tree(plan: Plan, out: Path) -> None:
    """Write every file of the tree below `out`, which must exist."""
    for device in devices(plan):
        folder = f"{out}/{device.name}"
        Path(folder).mkdir()
        with open(f"{folder}/config_db.json", "wb") as file:  # noqa: PTH123 - plain on purpose
            file.write(configuration(device).encode())
        with open(f"{folder}/frr.conf", "wb") as file:  # noqa: PTH123
            file.write(_routing_file(device).encode())
    with open(f"{out}/cabling.csv", "wb") as file:  # noqa: PTH123
        file.write("".join(cabling(plan)).encode())


def configuration(device: Device) -> str:
    """config_db.json of one switch of the benchmark's backend."""
    return f"{{\n{COMMA.join(_tables(device))}\n}}\n"


def _routing_file(device: Device) -> str:
    return (
        f"! {device.name}: {device.role} of {device.fabric} at {device.site}\n"
        "! Made on the switch, from the tables of config_db.json.\n"
    )


def _tables(device: Device) -> Iterator[str]:
    """All of them, in the order of their names."""
    qos, bgp, site = device.qos, device.routing.bgp, device.management
    if qos is None:
        raise ValueError(f"{device.name} has no QoS")
    names = [row.name for row in device.interfaces.ethernet]
    yield from speaker(bgp)
    yield _neighbors(bgp)
    yield from groups(bgp)
    yield _priority_groups(names)
    yield pools(device)
    yield _profile_lists("egress", names)
    yield _profile_lists("ingress", names)
    yield buffer_profiles()
    yield _buffer_queues(qos, names)
    yield _lengths(device)
    yield from system(device, qos)
    yield _interfaces(device)
    yield from services(device)
    yield _watchdog(qos, names)
    yield _ports(device)
    yield _port_maps(names)
    yield from prefixes(device.routing.policy)
    yield _queues(device, qos)
    yield from maps(device.routing.policy)
    yield schedulers(qos)
    yield from sampled(site)
    if site.sflow is not None:
        yield _sessions(device, site.sflow.sample)
    yield from last(device, qos)


def _neighbors(bgp: Bgp) -> str:
    rows = (
        f'        "default|{row.address}": {{\n            "asn": "{row.remote_as}",\n            "name": '
        f'"{row.description}",\n            "peer_group_name": "{row.group}"\n        }}'
        for row in sorted(bgp.neighbors, key=lambda row: natural(row.address))
    )
    return table("BGP_NEIGHBOR", rows)


def _priority_groups(names: list[str]) -> str:
    rows = (
        f'        "{name}|0": {{\n            "profile": "ingress_lossy_profile"\n        }},\n'
        f'        "{name}|{LOSSLESS}": {{\n            "profile": "NULL"\n        }}'
        for name in names
    )
    return table("BUFFER_PG", rows)


def _profile_lists(way: str, names: list[str]) -> str:
    told = f'{{\n            "profile_list": "{way}_lossless_profile,{way}_lossy_profile"\n        }}'
    return table(f"BUFFER_PORT_{way.upper()}_PROFILE_LIST", (f'        "{name}": {told}' for name in names))


def _buffer_queues(qos: Qos, names: list[str]) -> str:
    numbers = sorted(row.queue for row in qos.profiles[0].queues)
    buffers = [(number, "egress_lossless_profile" if number == LOSSLESS else "q_lossy_profile") for number in numbers]
    rows = (
        f'        "{name}|{number}": {{\n            "profile": "{profile}"\n        }}'
        for name in names
        for number, profile in buffers
    )
    return table("BUFFER_QUEUE", rows)


def _lengths(device: Device) -> str:
    rows = (f'            "{row.name}": "{ceil(row.length_m)}m"' for row in device.interfaces.ethernet)
    return f'    "CABLE_LENGTH": {{\n        "FABRIC": {{\n{COMMA.join(rows)}\n        }}\n    }}'


def _interfaces(device: Device) -> str:
    rows = (
        f'        "{row.name}": {{}},\n        "{row.name}|{row.ipv4}": {{}}'
        + (f',\n        "{row.name}|{row.ipv6}": {{}}' if row.ipv6 else "")
        for row in device.interfaces.ethernet
    )
    return table("INTERFACE", rows)


def _watchdog(qos: Qos, names: list[str]) -> str:
    found = qos.watchdog
    told = f"""{{
            "action": "{found.action}",
            "detection_time": "{max(found.detect_ms, 100)}",
            "restoration_time": "{max(found.restore_ms, 100)}"
        }}"""
    rows = [f'        "{name}": {told}' for name in names]
    polling = min(max(found.polling_ms, 100), 1000)
    return table("PFC_WD", [*rows, f'        "GLOBAL": {{\n            "POLL_INTERVAL": "{polling}"\n        }}'])


def _ports(device: Device) -> str:
    rows = []
    for row in device.interfaces.ethernet:
        number, profile = int(row.name[8:]), row.profile
        # Eight lanes a cage, of which a port of half the cage has four; the chip counts them as the names do.
        lanes = f"{number},{number + 1},{number + 2},{number + 3}"
        rows.append(f"""        "{row.name}": {{
            "admin_status": "{"up" if row.enabled else "down"}",
            "alias": "{row.name}",
            "description": "{row.description}",
            "fec": "rs",
            "index": "{number // 8 + 1}",
            "lanes": "{lanes}",
            "mtu": "{profile.mtu}",
            "speed": "{profile.speed_gbps}000",
            "subport": "{number % 8 // 4 + 1}"
        }}""")
    return table("PORT", rows)


def _port_maps(names: list[str]) -> str:
    told = f"""{{
            "dscp_to_tc_map": "FABRIC",
            "pfc_enable": "{LOSSLESS}",
            "pfc_to_pg_map": "FABRIC",
            "pfc_to_queue_map": "FABRIC",
            "pfcwd_sw_enable": "{LOSSLESS}",
            "tc_to_pg_map": "FABRIC",
            "tc_to_queue_map": "FABRIC"
        }}"""
    rows = [f'        "{name}": {told}' for name in names]
    return table("PORT_QOS_MAP", [*rows, '        "global": {\n            "dscp_to_tc_map": "FABRIC"\n        }'])


def _queues(device: Device, qos: Qos) -> str:
    queues = {
        profile.name: [(row.queue, bool(row.ecn)) for row in reversed(profile.queues)] for profile in qos.profiles
    }
    rows = []
    for row in device.interfaces.ethernet:
        profile = row.profile.qos
        for number, marks in queues[profile]:
            marked = f',\n            "wred_profile": "{profile}"' if marks else ""
            rows.append(
                f'        "{row.name}|{number}": {{\n            "scheduler": "{profile}-{number}"{marked}\n        }}'
            )
    return table("QUEUE", rows)


def _sessions(device: Device, sample: int) -> str:
    rows = [
        f'        "{row.name}": {{\n            "admin_state": "up",\n            "sample_rate": "{sample}"\n        }}'
        for row in device.interfaces.ethernet
        if row.profile.sflow
    ]
    return table("SFLOW_SESSION", [*rows, '        "all": {\n            "admin_state": "down"\n        }'])
