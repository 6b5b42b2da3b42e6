"""A lab as a value: what stands in it, how it is joined, and what it cannot show."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.base.addresses import InterfaceAddress
from fabricgen.device.device import Device
from fabricgen.lab.model.subset import Subset

if TYPE_CHECKING:  # a lab's switch starts this module for each change of its interfaces, and reads no plan
    from fabricgen.plan.plan import Plan

PLAIN, FULL = "plain", "full"
"""Kinds of kernel: FULL has all that an interfaces file asks for, PLAIN makes do with namespaces and bridges."""


LONGEST_NAME = 15
"""Octets of an interface name (Linux IFNAMSIZ 16 with its end)."""
STEMS = ("Ethernet", "Eth")
"""Of a port's name, and how it is shortened: as SONiC does for a VLAN of a port."""


def tagged_name(port: str, vlan_id: int) -> str:
    """Name of what stands for one tagged VLAN of a leaf's port."""
    name = f"{port}.{vlan_id}"
    return name if len(name) <= LONGEST_NAME else name.replace(*STEMS)


class LabNic(NamedTuple):
    """One interface of a server that a leaf's port serves.

    name      in the namespace, at most 15 octets; label: the port as the plan calls it, which LLDP sends
    parent    the port that carries the VLAN, where it is tagged; else empty
    vlan_id   the VLAN on the leaf; 0 on a routed port, and where the server has no tenant
    tenant    whose VRF a routed port is in; empty elsewhere
    ipv4      empty where it has none in the family: a standby port, or a fabric that hosts do not use it on
    gateway4  address of the leaf, without a length
    """

    name: str
    label: str
    fabric: str
    switch: str
    port: str
    mtu: int
    ipv4: InterfaceAddress
    ipv6: InterfaceAddress
    gateway4: str
    gateway6: str
    vlan_id: int
    parent: str = ""
    tenant: str = ""


class LabServer(NamedTuple):
    """One server: a namespace with its NICs on all fabrics. `tenant` is empty where no NIC is in a tenant's network."""

    name: str
    group: str
    slot: int
    tenant: str
    nics: tuple[LabNic, ...]


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

    plan     the plan with that operating system; all of it, its names and numbers those of the original
    devices  switches that stand in the lab; ports and sessions whose far end does not are gone
    systems  switch → its own operating system, of those that run its routing text
    """

    name: str
    subset: Subset
    plan: "Plan"
    devices: tuple[Device, ...]
    servers: tuple[LabServer, ...]
    links: tuple[LabLink, ...]
    skipped: tuple[Skipped, ...]
    systems: Mapping[str, str] = field(default_factory=dict)
