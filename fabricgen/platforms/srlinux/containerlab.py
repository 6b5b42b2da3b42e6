"""Nokia SR Linux in containerlab: a container that emulates the same model and starts with the whole configuration.

Sources, read on 2026-11-22; nothing here was deployed:
S  containerlab's manual, kind nokia_srlinux, and nodes/srl/srl.go (39ff2b7): a type for each model; a startup
   configuration that begins with a brace is the whole configuration; ethernet-1/N/M is e1-N-M; 2 GB and two processors
   per node; the password of `admin` is NokiaSrl1! if the file has no other.
X  github.com/nokia/SReXperts cb89705, clab/configs/srl: mgmt0 of a container gets its address by DHCP.
Y  Nokia's YANG of 25.3.1.
Unsure, and therefore left out: queues, marks and the hash of a chip, storm control, FEC.
"""

import json
from collections.abc import Mapping

from fabricgen.device.device import Device
from fabricgen.device.management import Management
from fabricgen.platforms.base.container_trims import SFLOW, always, has_servers, queues, storm_control, without_chip
from fabricgen.platforms.base.containerlab import Container, Estimate, NodeKind, Nodes, Omission
from fabricgen.platforms.base.limits import cannot, refuse

STARTUP = "config.json"
PROFILE = "clab-profile"
"""Name of the TLS profile that containerlab gives every SR Linux (S, nodes/srl/version_configs/tls_pre26_3.cfg)."""
PORT = "ethernet-"
MODELS = (
    "ixr-d2l", "ixr-d3l", "ixr-d4", "ixr-d5",
    "ixr-h3", "ixr-h4", "ixr-h4-32d", "ixr-h5-32d", "ixr-h5-64d", "ixr-h5-64o",
)  # fmt: skip
"""Types of S for which the library has a model."""


def _fit(device: Device) -> Device:
    """Return the Device that the container runs. Raises FabricError if the container has no type of its model."""
    if _type(device) not in MODELS:
        problem = f"containerlab has no SR Linux type for {device.name} ({device.hardware.model})"
        reason = (
            f"its types are {', '.join(MODELS)} and others that fabricgen does not support (containerlab 39ff2b7, "
            "nodes/srl)"
        )
        fix = "use one of these models in the intent that you export"
        refuse([cannot(problem, reason, fix, ("fabrics", device.fabric))])
    return without_chip(device)._replace(management=_management(device.management))


def _type(device: Device) -> str:
    return device.hardware.model.removeprefix("nokia-7220-")


def _management(management: Management) -> Management:
    """Return management without servers that no lab has; logs would use an address that the container does not have."""
    gnmi = management.gnmi._replace(certificate=PROFILE) if management.gnmi else None
    return management._replace(syslog=(), tacacs=None, snmp=None, sflow=None, gnmi=gnmi)


def artifact(text: str) -> str:
    """Return the configuration with the container's own address on mgmt0, and without the seed of a chip's hash."""
    config = json.loads(text)
    config["srl_nokia-system:system"].pop("srl_nokia-load-balancing:load-balancing", None)
    (port,) = [row for row in config["srl_nokia-interfaces:interface"] if row["name"].startswith("mgmt")]
    ipv4 = {"admin-state": "enable", "srl_nokia-interfaces-ip-dhcp:dhcp-client": {}}
    (subinterface,) = port["subinterface"]
    subinterface["ipv4"] = ipv4
    for instance in config["srl_nokia-network-instance:network-instance"]:
        if {"name": f"{port['name']}.0"} in instance.get("interface", []):
            instance.pop("srl_nokia-static-routes:static-routes", None)
            instance.pop("srl_nokia-next-hop-groups:next-hop-groups", None)
    return json.dumps(config, indent=2, ensure_ascii=False) + "\n"


def _make(device: Device, files: Mapping[str, str]) -> Container:
    ports = {row.name: "e" + row.name.removeprefix(PORT).replace("/", "-") for row in device.interfaces.ethernet}
    return Container(
        ports=ports, files={STARTUP: artifact(files[STARTUP])}, startup=STARTUP, keys={"type": _type(device)}
    )


OMISSIONS = (
    queues("priority flow control, queues, ECN, watchdog", "a container has no chip"),
    Omission("hash seed", always, "a container has no chip"),
    storm_control("no source says whether the container accepts it"),
    Omission("FEC of ports", always, "a virtual port has none"),
    SFLOW,
    Omission(
        "syslog, TACACS+, SNMP",
        lambda device: bool(device.management.syslog) or has_servers(device),
        "their servers are not in the lab, and their packets would leave from the address out of band",
    ),
    Omission(
        "TLS profile of gNMI",
        lambda device: device.management.gnmi is not None,
        f"it is called {PROFILE} here, and its certificate is from containerlab's own CA",
    ),
    Omission("address and gateway out of band", always, "mgmt0 asks for the container's own"),
)

KINDS = (
    NodeKind(
        name="nokia_srlinux",
        image="ghcr.io/nokia/srlinux:25.3.1",
        memory=Estimate(2048, "containerlab 39ff2b7, nodes/srl/srl.go: the least that it asks of a host"),
        fit=_fit,
        make=_make,
        artifact=artifact,
        omissions=OMISSIONS,
    ),
)

SRLINUX = Nodes(KINDS)
