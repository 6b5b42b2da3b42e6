"""Cisco NX-OS in containerlab: Nexus 9000v in a virtual machine, without the configuration that it does not support.

Sources, read on 2026-11-22; nothing here was deployed:
C  containerlab's manual, kind cisco_n9kv: Ethernet1/N is ethN, the startup configuration is added to the image's own,
   login admin and admin, 10 GB of memory and four processors per node.
R  github.com/batfish/lab-validation dbe21f0, nxos_n9kv_ebgp: a lab of two with image vrnetlab/cisco_n9kv:10.3.9.M, and
   its running configurations: the image has `feature nxapi` and `feature grpc` on, and 10.0.0.15/24 on mgmt0 with a
   default route.
Unsure, and therefore left out: speeds and FEC of ports, marks, queues and the hash of a chip, storm control, ARP
suppression (which uses space in a chip's tables).
"""

import re
from collections.abc import Mapping

from fabricgen.device.device import Device
from fabricgen.device.management import Management
from fabricgen.platforms.base.container_trims import (
    LOGIN,
    SERVERS,
    SFLOW,
    SOURCES,
    always,
    hashing,
    hashing_alone,
    queues,
    storm_control,
    without_chip,
)
from fabricgen.platforms.base.containerlab import Container, Estimate, NodeKind, Nodes, Omission
from fabricgen.platforms.base.limits import cannot, refuse

STARTUP = "running-config"
PORT = "Ethernet1/"
LEFT_OUT = re.compile(
    r"^(  speed \d+|    suppress-arp|!\ninterface mgmt0\n(  .*\n)*  ip address .*|"
    r"!\nvrf context management\n(  .*\n)*  ip route .*)\n",
    re.MULTILINE,
)
"""Lines of the rendered file that no Device field can remove; the image has its own settings of mgmt0 (R)."""


def _fit(device: Device) -> Device:
    """Return the Device that the image runs. Raises FabricError for a divided cage: the image has whole ports only."""
    rows = [row for row in device.interfaces.ethernet if row.profile.parts > 1]
    if rows:
        problem = f"{device.name} {rows[0].name} is not a port name of Nexus 9000v"
        reason = (
            "its ports are Ethernet1/1, Ethernet1/2 and so on, and they cannot be split (containerlab's manual, kind "
            "cisco_n9kv)"
        )
        fix = "export a fabric without split cages, or one with another operating system"
        refuse([cannot(problem, reason, fix, ("fabrics", device.fabric))])
    bare = hashing_alone(without_chip(device))
    return bare._replace(management=_management(device.management))


def _management(management: Management) -> Management:
    """Return management without servers and sources that no lab has, and with the APIs as the image has them."""
    return management._replace(
        tacacs=None, snmp=None, sflow=None, gnmi=None, eapi_certificate="", access=(), login=None
    )


def artifact(text: str) -> str:
    """Return the configuration without the lines that are left out."""
    return LEFT_OUT.sub("", text)


def _make(device: Device, files: Mapping[str, str]) -> Container:
    ports = {row.name: f"eth{row.name.removeprefix(PORT)}" for row in device.interfaces.ethernet}
    return Container(ports=ports, files={STARTUP: artifact(files[STARTUP])}, startup=STARTUP)


OMISSIONS = (
    queues("priority flow control, queues, ECN, watchdog", "a virtual machine has no chip"),
    hashing("hash seed, dynamic load balancing"),
    Omission(
        "load-interval",
        lambda device: device.telemetry.load_interval_seconds > 0,
        "nothing in the lab polls rates",
    ),
    storm_control("no source says whether the image accepts it"),
    Omission(
        "ARP suppression",
        lambda device: device.evpn is not None and bool(device.evpn.gateways),
        "it takes room in a chip's tables",
    ),
    Omission("speed and FEC of ports", always, "a virtual port has neither"),
    SFLOW,
    SERVERS,
    LOGIN,
    SOURCES,
    Omission(
        "NX-API and gNMI with a certificate of their own",
        always,
        "both are as the image has them on: its certificate stands in no trustpoint",
    ),
    Omission("address and gateway of mgmt0", always, "the image has its own, behind the node's"),
)

KINDS = (
    NodeKind(
        name="cisco_n9kv",
        image="vrnetlab/cisco_n9kv:10.5.3.F",
        memory=Estimate(10240, "containerlab's manual, kind cisco_n9kv"),
        fit=_fit,
        make=_make,
        artifact=artifact,
        omissions=OMISSIONS,
        user="admin",
    ),
)

NXOS = Nodes(KINDS)
