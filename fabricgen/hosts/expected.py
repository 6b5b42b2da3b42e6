"""The state that a host agent must see on one server, as JSON. schema/host-state.schema.json defines the form.

All values come from the plan; nothing was observed. `SCHEMA` changes when a reader would have to change.
"""

from ipaddress import IPv4Address, ip_address
from typing import Any

from fabricgen.hosts.model import Host, Nic, NicSettings, PairedNic

SCHEMA = "fabricgen/host-state/1"
State = dict[str, Any]


def expected_state(host: Host) -> State:
    """Expected state of one server; NICs in the order of the Host."""
    by_fabric = {settings.fabric: settings for settings in host.settings}
    return {
        "schema": SCHEMA,
        "host": host.name,
        "site": host.site,
        "slot": f"{host.group}[{host.slot}]",
        "model": host.model,
        "bonds": [
            {"interface": bond.name, "fabric": bond.fabric, "mode": bond.mode, "members": list(bond.members)}
            for bond in host.bonds
        ],
        "nics": [_nic(nic, by_fabric.get(nic.fabric), host.pairs) for nic in host.nics],
    }


def _nic(nic: Nic, settings: NicSettings | None, pairs: tuple[PairedNic, ...]) -> State:
    state: State = {
        "interface": nic.name,
        "label": nic.label,
        "fabric": nic.fabric,
        "kind": nic.kind,
        "rail": nic.rail,
        "plane": nic.plane,
        "planes": nic.planes,
        "used": nic.used,
        "lldp": {"switch": nic.switch, "port": nic.port},
        "speed_gbps": nic.speed_gbps,
        "fec": nic.fec,
        "mtu": nic.mtu,
    }
    state |= {"pci": nic.pci} if nic.pci else {}
    state |= {"rdma_device": nic.device} if nic.device else {}
    state |= {"bond": nic.bond} if nic.bond else {}
    if nic.address:
        state |= {"address": nic.address, "gateway": nic.gateway, "table": nic.table}
    for pair in pairs:
        for port in pair.ports:
            if port.interface == nic.name:
                state["pair"] = {"interface": pair.name, "address": pair.address, "leaf_asn": port.asn}
    if settings is not None and nic.used:
        state["roce"] = _roce(nic, settings)
    return state


def _roce(nic: Nic, settings: NicSettings) -> State:
    state: State = {
        "marking": settings.marking,
        "trust": "dscp",
        "global_pause": False,
        "pfc": list(settings.pfc),
        "data": {"dscp": settings.data_dscp, "priority": settings.priority},
        "lossless_dscps": [d for d, priority in enumerate(settings.priorities) if priority == settings.priority],
        "cnp": {"dscp": settings.cnp_dscp, "priority": settings.cnp_priority},
        "ecn": {"reaction_point": True, "notification_point": True, "priority": settings.priority},
        "traffic_class": settings.traffic_class,
    }
    state |= {"packet_gap_octets": settings.packet_gap} if settings.packet_gap else {}
    state |= {"cable_length_m": nic.cable_m} if settings.takes_cable else {}
    if settings.reordering:
        state["adaptive_routing"] = {field.name: field.value for field in settings.reordering}
    state |= {"gid": {"index": settings.gid_index, "value": gid_of(nic.address)}} if nic.address else {}
    return state


def gid_of(address: str) -> str:
    """GID of an address as sysfs prints it: eight groups of four digits, IPv4 mapped (RFC 4291 section 2.5.5.2).

    Python 3.13 prints the last two groups of a mapped address as IPv4 (python/cpython 135080).
    """
    ip = ip_address(address.partition("/")[0])
    digits = f"{0xFFFF << 32 | int(ip) if isinstance(ip, IPv4Address) else int(ip):032x}"
    return ":".join(digits[start : start + 4] for start in range(0, 32, 4))
