"""What no container or virtual machine of any system has, taken off a Device; and what is said of it."""

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet, Interfaces, Switching
from fabricgen.device.telemetry import Telemetry
from fabricgen.platforms.base.containerlab import Omission

UNWATCHED = Telemetry(ecn_counters=False, queue_monitor=None, load_interval_seconds=0)
"""Nothing of a chip's queues or rates is looked at."""


def without_chip(device: Device) -> Device:
    """The switch without queues, FEC, marks, samples and storm control of its ports; aggregates as well."""
    return device._replace(interfaces=_bare(device.interfaces), qos=None)


def hashing_alone(device: Device) -> Device:
    """The switch as one that chooses paths by a hash of its own, and watches nothing."""
    balancing = device.load_balancing._replace(mode="ecmp", seed=0, flowlet_gap_us=0, cluster=None)
    return device._replace(load_balancing=balancing, telemetry=UNWATCHED)


def _bare(interfaces: Interfaces) -> Interfaces:
    return interfaces._replace(
        ethernet=tuple(_port(row) for row in interfaces.ethernet),
        lags=tuple(lag._replace(switching=_calm(lag.switching)) for lag in interfaces.lags),
    )


def _port(row: Ethernet) -> Ethernet:
    profile = row.profile._replace(fec="", qos="", sflow=False)
    switching = _calm(row.switching) if row.switching is not None else None
    return row._replace(profile=profile, switching=switching, headroom_octets=0)


def _calm(switching: Switching) -> Switching:
    return switching._replace(broadcast_percent=0, multicast_percent=0)


def always(device: Device) -> bool:
    """Every switch is concerned."""
    del device
    return True


def has_storm_control(device: Device) -> bool:
    """Whether a port or an aggregate limits what is flooded."""
    alone = [row.switching for row in device.interfaces.ethernet if row.switching]
    together = [lag.switching for lag in device.interfaces.lags]
    return any(found.broadcast_percent or found.multicast_percent for found in (*alone, *together))


def has_servers(device: Device) -> bool:
    """Whether it asks TACACS+ servers, or answers SNMP."""
    return device.management.tacacs is not None or device.management.snmp is not None


def queues(what: str, reason: str) -> Omission:
    """Of a lossless or marked fabric. `what`: its parts; `reason`: why they are not there."""
    return Omission(
        what, lambda device: device.qos is not None, f"{reason}: rendered for the switch, not exercised here"
    )


def hashing(what: str) -> Omission:
    """Of seeds and of paths that follow the load."""
    return Omission(
        what,
        lambda device: device.load_balancing.seed > 0 or device.load_balancing.mode != "ecmp",
        "commands of a chip",
    )


def storm_control(reason: str) -> Omission:
    """Of limits of what is flooded."""
    return Omission("storm control", has_storm_control, reason)


SFLOW = Omission("sFlow", lambda device: device.management.sflow is not None, "the collector is not in the lab")
SERVERS = Omission(
    "TACACS+, SNMP", has_servers, "their servers are not in the lab, and each login and command would wait for them"
)
