"""A lab as a value: its switches, servers and links, and what it does not exercise."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.base.addresses import NO_ADDRESS, InterfaceAddress
from fabricgen.device.device import Device
from fabricgen.hosts.names import LONGEST
from fabricgen.lab.model.subset import Subset

if TYPE_CHECKING:  # a lab's switch imports this module for each change of its interfaces, and needs no plan
    from fabricgen.plan.plan import Plan

PLAIN, FULL = "plain", "full"
"""Kinds of kernel: FULL supports all of an interfaces file, PLAIN only namespaces and bridges."""
STEMS = ("Ethernet", "Eth")
"""Prefix of a port's name and its short form, as SONiC uses for a VLAN of a port."""


def tagged_name(port: str, vlan_id: int) -> str:
    """Name of the interface for one tagged VLAN of a leaf's port."""
    name = f"{port}.{vlan_id}"
    return name if len(name) <= LONGEST else name.replace(*STEMS)


class LabNic(NamedTuple):
    """One interface of a server that a leaf's port serves.

    name      in the namespace, at most 15 octets; label: the port's name in the plan, which LLDP sends
    parent    the port that carries the VLAN, if it is tagged; otherwise empty
    vlan_id   the VLAN on the leaf; 0 on a routed port, and where the server has no tenant
    tenant    VRF of a routed port; otherwise empty
    ipv4      empty without an address in the family: a standby port, or a fabric without this family on hosts
    gateway4  address of the leaf, without a prefix length
    """

    name: str
    label: str
    fabric: str
    switch: str
    port: str
    mtu: int
    ipv4: InterfaceAddress = NO_ADDRESS
    ipv6: InterfaceAddress = NO_ADDRESS
    gateway4: str = ""
    gateway6: str = ""
    vlan_id: int = 0
    parent: str = ""
    tenant: str = ""


class LabServer(NamedTuple):
    """One server: a namespace with its NICs on all fabrics. `tenant` is empty where no NIC is in a tenant's network.

    routing  FRR's configuration, where NICs have one address behind two leaves; else empty
    """

    name: str
    group: str
    slot: int
    tenant: str
    nics: tuple[LabNic, ...]
    routing: str = ""


class LabEnd(NamedTuple):
    """One end of a cable: a switch or server, and its interface."""

    owner: str
    interface: str


class LabLink(NamedTuple):
    """One cable: the server, or the lower switch, first."""

    near: LabEnd
    far: LabEnd


class Skipped(NamedTuple):
    """Something of the plan that this lab does not exercise: a feature or a platform's text, where, and why."""

    feature: str
    where: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """The fabrics of a plan, or a part of them, with the lab's operating system on every switch.

    plan     the complete plan with that operating system; names and numbers are those of the original
    devices  switches of the lab, without ports and sessions whose far end is not in the lab
    systems  switch → its own operating system, for those that run its routing text
    """

    name: str
    subset: Subset
    plan: "Plan"
    devices: tuple[Device, ...]
    servers: tuple[LabServer, ...]
    links: tuple[LabLink, ...]
    skipped: tuple[Skipped, ...]
    systems: Mapping[str, str] = field(default_factory=dict)
