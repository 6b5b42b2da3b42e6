"""Arista EOS in containerlab: cEOS-lab, with the switch's configuration without what cEOS lacks.

Sources, read on 2026-11-21; nothing here was deployed:
C  containerlab 39ff2b7, nodes/ceos/ceos.go and docs/manual/kinds/ceos.md: eth0 and data ports are named by
   EosIntfMapping.json (cEOS from 4.28.0F), which containerlab reads too, to put the management address of the node on
   the port that it names; ports of the topology must match eth[1-9]; node.crt and node.key are mounted into
   /persist/secure/ssl, signed for the node's names and addresses by an authority of the lab.
A  PyAVD 6.4.0, platform settings of cEOS: no `update wait-install`, no storm control.
R  a recorded cEOS 4.36.0.1F (batfish/lab-validation): it has `system l1` by default, and then a speed that a port does
   not have is an error.
N  github.com/ipspace/netlab discussion 3844: 1.6 to 2.0 GB per cEOS, 1.7 on average, in a lab of 28.
Unsure, and therefore left out: `speed` and FEC of ports (R), everything of a chip's memory and queues.
"""

import json
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
from fabricgen.platforms.base.containerlab import Bind, Container, Estimate, NodeKind, Nodes, Omission

STARTUP = "startup-config"
MAPPING = "EosIntfMapping.json"
CERTIFICATE = "node"
"""Name of the certificate and key that containerlab gives every cEOS (C)."""
AUTHORITY = "../clab-{lab}/.tls/ca/ca.pem"
"""Path from the inventory's folder: the authority that containerlab makes for the lab (types/topo_paths.go)."""
LEFT_OUT = re.compile(r"^   speed \S+\n", re.MULTILINE)
"""Lines of the rendered file that cannot be removed through a Device field."""


def _fit(device: Device) -> Device:
    bgp = device.routing.bgp._replace(wait_install=False)
    bare = hashing_alone(without_chip(device))
    return bare._replace(management=_management(device.management), routing=device.routing._replace(bgp=bgp))


def _management(management: Management) -> Management:
    """Management without servers and sources that no lab has, and with the certificate of the node."""
    return management._replace(
        tacacs=None,
        snmp=None,
        sflow=None,
        gnmi=management.gnmi._replace(certificate=CERTIFICATE) if management.gnmi else None,
        eapi_certificate=CERTIFICATE,
        access=(),
        login=None,
    )


def artifact(text: str) -> str:
    """The startup configuration without the lines that are left out."""
    return LEFT_OUT.sub("", text)


def _make(device: Device, files: Mapping[str, str]) -> Container:
    ports = {row.name: f"eth{number}" for number, row in enumerate(device.interfaces.ethernet, start=1)}
    mapping = {
        "ManagementIntf": {"eth0": device.management.port},
        "EthernetIntf": {inside: name for name, inside in ports.items()},
    }
    return Container(
        ports=ports,
        files={STARTUP: artifact(files[STARTUP]), MAPPING: json.dumps(mapping, indent=1) + "\n"},
        startup=STARTUP,
        binds=(Bind(MAPPING, f"/mnt/flash/{MAPPING}", read_only=True),),
    )


OMISSIONS = (
    queues("priority flow control, queues, buffers, ECN, watchdog", "links are veth pairs and cEOS has no chip"),
    hashing("hash seed, dynamic load balancing, flow placement"),
    Omission(
        "queue monitoring, load-interval",
        lambda device: device.telemetry.queue_monitor is not None or device.telemetry.load_interval_seconds > 0,
        "cEOS has no queues, and nothing in the lab polls rates",
    ),
    Omission("update wait-install", lambda device: device.routing.bgp.wait_install, "cEOS refuses it"),
    storm_control("cEOS refuses it"),
    Omission(
        "speed and FEC of ports",
        always,
        "a veth pair has neither; no source says whether cEOS accepts these lines",
    ),
    SFLOW,
    SERVERS,
    LOGIN,
    SOURCES,
    Omission(
        "TLS profile of eAPI and gNMI",
        always,
        f"it is called {CERTIFICATE} here, and its certificate is from containerlab's own CA",
    ),
    Omission(
        "LACP towards servers",
        lambda device: bool(device.interfaces.lags),
        "servers of the lab have single ports; those come up only where lacp_fallback lets them",
    ),
)

KINDS = (
    NodeKind(
        name="arista_ceos",
        image="ceos:4.34.2F",
        memory=Estimate(1700, "1.7 GB on average, 1.6 to 2.0: netlab discussion 3844"),
        fit=_fit,
        make=_make,
        artifact=artifact,
        omissions=OMISSIONS,
        options={"ca_file": AUTHORITY},
        per_host=(50, "sysctl fs.inotify.max_user_instances={limit}, as its page of containerlab's manual says"),
    ),
)

EOS = Nodes(KINDS)
