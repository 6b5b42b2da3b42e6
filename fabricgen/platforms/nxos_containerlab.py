"""Cisco NX-OS in containerlab: Nexus 9000v in a virtual machine, with the configuration less what it does not have.

Sources, read on 2026-11-22; nothing here was deployed:
C  containerlab's manual, kind cisco_n9kv: Ethernet1/N is ethN, the startup configuration is added to the image's own,
   login admin and admin, 10 GB of memory and four processors a node.
R  github.com/batfish/lab-validation dbe21f0, nxos_n9kv_ebgp: a lab of two with image vrnetlab/cisco_n9kv:10.3.9.M, and
   what it ran: the image has `feature nxapi` and `feature grpc` on, and 10.0.0.15/24 on mgmt0 with a default route.
Unsure, and therefore left out: speeds and FEC of ports, marks, queues and the hash of a chip, storm control, ARP
suppression (which takes room in a chip's tables).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet, Switching
from fabricgen.device.management import Management
from fabricgen.device.telemetry import Telemetry
from fabricgen.errors import FabricError, Problem
from fabricgen.platforms.containerlab import Container, Estimate, Kind, Omission

STARTUP = "running-config"
PORT = "Ethernet1/"
LEFT_OUT = re.compile(
    r"^(  speed \d+|    suppress-arp|!\ninterface mgmt0\n(  .*\n)*  ip address .*|"
    r"!\nvrf context management\n(  .*\n)*  ip route .*)\n",
    re.MULTILINE,
)
"""Lines of the rendered file that no Device field can take off; the image has its own of mgmt0 (R)."""


def _fit(device: Device) -> Device:
    """Raises FabricError where a cage is divided: the ports of the image are whole."""
    interfaces = device.interfaces
    problems = list(_divided(device))
    if problems:
        raise FabricError(problems)
    return replace(
        device,
        management=_management(device.management),
        interfaces=replace(interfaces, ethernet=tuple(_port(row) for row in interfaces.ethernet)),
        qos=None,
        load_balancing=replace(device.load_balancing, mode="ecmp", seed=0, flowlet_gap_us=0, cluster=None),
        telemetry=Telemetry(ecn_counters=False, queue_monitor=None, load_interval_seconds=0),
    )


def _divided(device: Device) -> Iterator[Problem]:
    rows = [row for row in device.interfaces.ethernet if row.profile.parts > 1]
    if rows:
        yield Problem(
            code="platform-cannot",
            what=f"{device.name} {rows[0].name} can not be a port of a Nexus 9000v",
            where=("fabrics", device.fabric),
            why="its ports are Ethernet1/1, Ethernet1/2 and so on, and none of them can be divided (containerlab's "
            "manual, kind cisco_n9kv)",
            fix="export a fabric whose cages are whole, or one of another operating system",
        )


def _management(given: Management) -> Management:
    """Without servers that no lab has, and with the APIs as the image has them."""
    return replace(given, tacacs=None, snmp=None, sflow=None, gnmi=None, eapi_certificate="")


def _port(row: Ethernet) -> Ethernet:
    profile = replace(row.profile, fec="", qos="", sflow=False)
    return row._replace(profile=profile, switching=_calm(row.switching), headroom_octets=0)


def _calm(switching: Switching | None) -> Switching | None:
    return replace(switching, broadcast_percent=0, multicast_percent=0) if switching is not None else None


def artifact(text: str) -> str:
    """The configuration without the lines that are left out."""
    return LEFT_OUT.sub("", text)


def _make(device: Device, files: Mapping[str, str]) -> Container:
    ports = {row.name: f"eth{row.name.removeprefix(PORT)}" for row in device.interfaces.ethernet}
    return Container(ports=ports, files={STARTUP: artifact(files[STARTUP])}, startup=STARTUP)


def _options(device: Device) -> Mapping[str, object]:
    del device
    return {}


def _has_storm_control(device: Device) -> bool:
    found = [row.switching for row in device.interfaces.ethernet if row.switching]
    return any(row.broadcast_percent or row.multicast_percent for row in found)


def _always(device: Device) -> bool:
    del device
    return True


OMISSIONS = (
    Omission(
        "priority flow control, queues, ECN, watchdog",
        lambda device: device.qos is not None,
        "a virtual machine has no chip: rendered for the switch, not exercised here",
    ),
    Omission(
        "hash seed, dynamic load balancing",
        lambda device: device.load_balancing.seed > 0 or device.load_balancing.mode != "ecmp",
        "commands of a chip",
    ),
    Omission(
        "interval of rates",
        lambda device: device.telemetry.load_interval_seconds > 0,
        "nothing in the lab asks for rates",
    ),
    Omission("storm control", _has_storm_control, "whether the image takes it was not found"),
    Omission(
        "ARP suppression",
        lambda device: device.evpn is not None and bool(device.evpn.gateways),
        "it takes room in a chip's tables",
    ),
    Omission("speed and FEC of ports", _always, "a virtual port has neither"),
    Omission("sFlow", lambda device: device.management.sflow is not None, "the collector is not in the lab"),
    Omission(
        "TACACS+, SNMP",
        lambda device: device.management.tacacs is not None or device.management.snmp is not None,
        "their servers are not in the lab, and each login and command would wait for them",
    ),
    Omission(
        "NX-API and gNMI with a certificate of their own",
        _always,
        "both are as the image has them on: its certificate stands in no trustpoint",
    ),
    Omission("address and gateway of mgmt0", _always, "the image has its own, behind the node's"),
)

KINDS = (
    Kind(
        name="cisco_n9kv",
        since=(0, 79),
        until=None,
        image="vrnetlab/cisco_n9kv:10.5.3.F",
        memory=Estimate(10240, "containerlab's manual, kind cisco_n9kv"),
        fit=_fit,
        make=_make,
        artifact=artifact,
        omissions=OMISSIONS,
        user="admin",
        options=_options,
    ),
)
