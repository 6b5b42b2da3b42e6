"""Parts of a Device that no container or virtual machine has: functions that take them off, and their Omissions."""

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet, Interfaces, Switching
from fabricgen.device.telemetry import Telemetry
from fabricgen.platforms.base.containerlab import Omission

UNWATCHED = Telemetry(ecn_counters=False, queue_monitor=None, load_interval_seconds=0)
"""Telemetry of a node that watches neither queues nor rates of a chip."""


def without_chip(device: Device) -> Device:
    """The switch without QoS, and its ports and LAGs without queues, FEC, sFlow, headroom and storm control."""
    return device._replace(interfaces=_bare(device.interfaces), qos=None)


def hashing_alone(device: Device) -> Device:
    """The switch with plain hashed ECMP and without telemetry."""
    balancing = device.load_balancing._replace(mode="ecmp", seed=0, flowlet_gap_us=0, cluster=None)
    return device._replace(load_balancing=balancing, telemetry=UNWATCHED)


def _bare(interfaces: Interfaces) -> Interfaces:
    return interfaces._replace(
        ethernet=tuple(_port(row) for row in interfaces.ethernet),
        lags=tuple(lag._replace(switching=_without_storm_control(lag.switching)) for lag in interfaces.lags),
    )


def _port(row: Ethernet) -> Ethernet:
    profile = row.profile._replace(fec="", qos="", sflow=False)
    switching = _without_storm_control(row.switching) if row.switching is not None else None
    return row._replace(profile=profile, switching=switching, headroom_octets=0)


def _without_storm_control(switching: Switching) -> Switching:
    return switching._replace(broadcast_percent=0, multicast_percent=0, unknown_unicast_percent=0)


def always(device: Device) -> bool:
    """True for every switch."""
    del device
    return True


def has_storm_control(device: Device) -> bool:
    """Whether a port or a LAG limits flooded frames."""
    of_ports = [row.switching for row in device.interfaces.ethernet if row.switching]
    of_lags = [lag.switching for lag in device.interfaces.lags]
    return any(
        one.broadcast_percent or one.multicast_percent or one.unknown_unicast_percent for one in (*of_ports, *of_lags)
    )


def has_servers(device: Device) -> bool:
    """Whether the switch uses TACACS+ servers or answers SNMP."""
    return device.management.tacacs is not None or device.management.snmp is not None


def queues(feature: str, reason: str) -> Omission:
    """The omission of queues, for a switch with QoS. feature: the omitted parts; reason: why the node has none."""
    return Omission(
        feature, lambda device: device.qos is not None, f"{reason}: rendered for the switch, not exercised here"
    )


def hashing(feature: str) -> Omission:
    """The omission of hash seeds and of load-aware balancing."""
    return Omission(
        feature,
        lambda device: device.load_balancing.seed > 0 or device.load_balancing.mode != "ecmp",
        "they need a switch chip",
    )


def storm_control(reason: str) -> Omission:
    """The omission of limits on flooded frames."""
    return Omission("storm control", has_storm_control, reason)


SFLOW = Omission("sFlow", lambda device: device.management.sflow is not None, "the collector is not in the lab")
SOURCES = Omission(
    "sources of management services",
    lambda device: bool(device.management.access),
    "whoever runs the lab comes from another address",
)
LOGIN = Omission(
    "how operators log in",
    lambda device: device.management.login is not None,
    "the account of the lab has a password and no key",
)
SERVERS = Omission(
    "TACACS+, SNMP", has_servers, "their servers are not in the lab, and each login and command would wait for them"
)
