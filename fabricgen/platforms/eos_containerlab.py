"""Arista EOS in containerlab: cEOS-lab, with the configuration of the switch less what cEOS does not have.

Sources, read on 2026-11-21; nothing here was deployed:
C  containerlab 39ff2b7, nodes/ceos/ceos.go and docs/manual/kinds/ceos.md: eth0 and data ports are named by
   EosIntfMapping.json (cEOS from 4.28.0F), which containerlab reads too, to put the management address of the node on
   the port that it names; ports of the topology must match eth[1-9]; node.crt and node.key are mounted into
   /persist/secure/ssl, signed for the node's names and addresses by an authority of the lab.
A  PyAVD 6.4.0, platform settings of cEOS: no `update wait-install`, no storm control.
R  a recorded cEOS 4.36.0.1F (batfish/lab-validation): `system l1` is there by itself, and makes an error of a speed
   that a port does not have.
N  github.com/ipspace/netlab discussion 3844: 1.6 to 2.0 GB a cEOS, 1.7 on average, in a lab of 28.
Unsure, and therefore left out: `speed` and FEC of ports (R), everything of a chip's memory and queues.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet, Lag, Switching
from fabricgen.device.management import Management
from fabricgen.device.telemetry import Telemetry
from fabricgen.platforms.containerlab import Bind, Container, Estimate, Kind, Omission

STARTUP = "startup-config"
MAPPING = "EosIntfMapping.json"
CERTIFICATE = "node"
"""Name of the certificate and key that containerlab gives every cEOS (C)."""
AUTHORITY = "../clab-{lab}/.tls/ca/ca.pem"
"""From the inventory's folder: the authority that containerlab makes for the lab (types/topo_paths.go)."""
LEFT_OUT = re.compile(r"^   speed \S+\n", re.MULTILINE)
"""Lines of the rendered file that no Device field can take off."""


def _fit(device: Device) -> Device:
    bgp = replace(device.routing.bgp, wait_install=False)
    interfaces = device.interfaces
    return replace(
        device,
        management=_management(device.management),
        interfaces=replace(
            interfaces,
            ethernet=tuple(_port(row) for row in interfaces.ethernet),
            lags=tuple(_lag(lag) for lag in interfaces.lags),
        ),
        routing=replace(device.routing, bgp=bgp),
        qos=None,
        load_balancing=replace(device.load_balancing, mode="ecmp", seed=0, cluster=None),
        telemetry=Telemetry(ecn_counters=False, queue_monitor=None, load_interval_seconds=0),
    )


def _management(given: Management) -> Management:
    """Without servers that no lab has, and with the certificate that is there."""
    return replace(
        given,
        tacacs=None,
        snmp=None,
        sflow=None,
        gnmi=given.gnmi._replace(certificate=CERTIFICATE) if given.gnmi else None,
        eapi_certificate=CERTIFICATE,
    )


def _port(row: Ethernet) -> Ethernet:
    profile = replace(row.profile, fec="", qos="", sflow=False)
    return row._replace(profile=profile, switching=_calm(row.switching), headroom_octets=0)


def _lag(lag: Lag) -> Lag:
    return lag._replace(switching=replace(lag.switching, broadcast_percent=0, multicast_percent=0))


def _calm(switching: Switching | None) -> Switching | None:
    return replace(switching, broadcast_percent=0, multicast_percent=0) if switching is not None else None


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


def _options(device: Device) -> Mapping[str, object]:
    del device
    return {"ca_file": AUTHORITY}


def _has_storm_control(device: Device) -> bool:
    alone = [row.switching for row in device.interfaces.ethernet if row.switching]
    together = [lag.switching for lag in device.interfaces.lags]
    return any(found.broadcast_percent or found.multicast_percent for found in (*alone, *together))


def _always(device: Device) -> bool:
    del device
    return True


OMISSIONS = (
    Omission(
        "priority flow control, queues, buffers, ECN, watchdog",
        lambda device: device.qos is not None,
        "links are veth pairs and cEOS has no chip: rendered for the switch, not exercised here",
    ),
    Omission(
        "hash seed, dynamic load balancing, placing of flows",
        lambda device: device.load_balancing.seed > 0 or device.load_balancing.mode != "ecmp",
        "commands of a chip",
    ),
    Omission(
        "watched queues, interval of rates",
        lambda device: device.telemetry.queue_monitor is not None or device.telemetry.load_interval_seconds > 0,
        "cEOS has no queues to watch, and nothing in the lab asks for rates",
    ),
    Omission("update wait-install", lambda device: device.routing.bgp.wait_install, "cEOS refuses it"),
    Omission("storm control", _has_storm_control, "cEOS refuses it"),
    Omission(
        "speed and FEC of ports",
        _always,
        "a veth pair has neither; whether cEOS takes the lines was not found",
    ),
    Omission("sFlow", lambda device: device.management.sflow is not None, "the collector is not in the lab"),
    Omission(
        "TACACS+, SNMP",
        lambda device: device.management.tacacs is not None or device.management.snmp is not None,
        "their servers are not in the lab, and each login and command would wait for them",
    ),
    Omission(
        "TLS profile of eAPI and gNMI",
        _always,
        f"it is named {CERTIFICATE} here: containerlab makes that certificate, with an authority of the lab",
    ),
    Omission(
        "LACP towards servers",
        lambda device: bool(device.interfaces.lags),
        "servers of the lab have single ports; those come up only where lacp_fallback lets them",
    ),
)

KINDS = (
    Kind(
        name="arista_ceos",
        since=(0, 79),
        until=None,
        image="ceos:4.34.2F",
        memory=Estimate(1700, "netlab discussion 3844: 1.6 to 2.0 GB"),
        fit=_fit,
        make=_make,
        artifact=artifact,
        omissions=OMISSIONS,
        user="",
        options=_options,
        per_host=(50, "sysctl fs.inotify.max_user_instances={limit}, as its page of containerlab's manual says"),
    ),
)
