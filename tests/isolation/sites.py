"""A site of one system: a backend without tenants, a frontend with three; one has a peer outside the fabric."""

from collections.abc import Mapping
from functools import cache
from ipaddress import ip_interface, ip_network
from typing import Any, NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.errors import Problem
from fabricgen.intent.completion import completed
from fabricgen.intent.defaults import NEWEST, values_at
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import make_plan, make_shapes
from fabricgen.platforms import supports
from fabricgen.resolve.device import devices
from tests.isolation import cumulus, eos, junos, nxos, sonic, srlinux
from tests.isolation.model import Frame, Site
from tests.pairs import sites

READERS = {
    "eos": eos.read,
    "nxos": nxos.read,
    "junos": junos.read,
    "srlinux": srlinux.read,
    "cumulus": cumulus.read,
    "sonic": sonic.read,
}
"""System → reader of its files, by forms of its manuals. FRR is tried live (tests/uml, tests/lab)."""
NAMED, ANYBODY = ("10.0.0.0/28",), ("0.0.0.0/0",)
"""Sources of management: those of a jump network, and what `security: standard` fills in."""
SUBNETS: Mapping[str, tuple[str, ...]] = {
    "storage": ("172.17.0.0/20", "fd5e:8c1f:2a00:2000::/64"),
    "research": ("172.18.0.0/20", "fd5e:8c1f:2a00:2110::/64"),
    "serving": ("172.19.0.0/20", "fd5e:8c1f:2a00:2120::/64"),
}
SERVERS = {"storage": "store-000", "research": "web-000", "serving": "web-002"}
"""Tenant → its first server."""
ROUTED_OUT = "research"
"""The tenant that takes a default route from its firewall."""
FIREWALL, FIREWALL_VLAN = "fw1", 900
GNMI = 50051


def mapping(system: str, sources: tuple[str, ...]) -> dict[str, Any]:
    """The intent, with all services of management that the system renders."""
    found = sites.mapping(system, system, "frontend")
    backend = sites.mapping(system, system, "backend", transport="best-effort")
    found["fabrics"]["backend"] = backend["fabrics"]["backend"]
    found["servers"]["train"] = backend["servers"]["train"]
    found["fabrics"]["frontend"]["topology"]["border_leaves"] = 2
    found["cables"]["default"]["border_external"] = 20
    found["security"] = "standard"
    found["management"] |= {"ntp": ["10.0.0.5", "10.0.0.6"], "access": {"sources": list(sources)}}
    if supports(sites.SITES[system].system, "gnmi"):
        found["management"]["gnmi"] = {"port": GNMI, "certificate": "fabric"}
    if supports(sites.SITES[system].system, "snmp"):
        found["management"]["snmp"] = {"user": "monitor", "auth": "${env:AUTH}", "privacy": "${env:PRIVACY}"}
    if supports(sites.SITES[system].system, "eapi"):
        found["management"]["eapi"] = {"certificate": "fabric"}
    found["tenants"] = {
        name: {"servers": [servers], "networks": {"hosts": {"vlan": vlan, "subnets": list(SUBNETS[name])}}}
        for name, servers, vlan in (
            ("storage", "store[0-3]", 20),
            ("research", "web[0-1]", 110),
            ("serving", "web[2-3]", 120),
        )
    }
    accepted = {"asn": 64601, "accept": ["0.0.0.0/0", "::/0"], "max_prefixes": 100, "port": 0, "vlan": FIREWALL_VLAN}
    found["tenants"][ROUTED_OUT]["external"] = [
        {"peer": FIREWALL, "border": 0, "addresses": ["172.31.0.0/31", "fd5e:8c1f:2a00:2f00::/127"], **accepted},
        {"peer": "fw2", "border": 1, "addresses": ["172.31.0.2/31", "fd5e:8c1f:2a00:2f00::2/127"], **accepted},
    ]
    return found


def shared(system: str) -> dict[str, Any]:
    """A backend whose GPU servers belong to two tenants: research has the first two, serving the others."""
    found = sites.mapping(system, system, "backend", transport="best-effort", tenancy="evpn-type5")
    found["management"]["access"] = {"sources": list(NAMED)}
    found["tenants"] = {"research": {"servers": ["train[0-1]"]}, "serving": {"servers": ["train[2-3]"]}}
    return found


@cache
def shared_fleet(system: str) -> tuple[tuple[Problem, ...], Mapping[str, Device]]:
    """What the checks say of a shared backend, and its switches where they say nothing."""
    intent = Intent.model_validate(shared(system))
    plan = make_plan(intent, sites.catalog(), make_shapes(intent, sites.catalog()), Lock(), Exceptions())
    problems = sites.problems(plan)
    return problems, {} if problems else {device.name: device for device in devices(plan)}


@cache
def shared_files(system: str) -> Mapping[str, Mapping[str, str]]:
    """Files of every switch of a shared backend."""
    return {name: sites.files_of(device) for name, device in shared_fleet(system)[1].items()}


@cache
def fleet(system: str, sources: tuple[str, ...] = NAMED) -> Mapping[str, Device]:
    """Every switch by name."""
    intent = completed(Intent.model_validate(mapping(system, sources)), NEWEST, values_at(NEWEST))
    plan = make_plan(intent, sites.catalog(), make_shapes(intent, sites.catalog()), Lock(), Exceptions())
    assert sources != NAMED or sites.problems(plan) == ()
    return {device.name: device for device in devices(plan)}


@cache
def files(system: str, sources: tuple[str, ...] = NAMED) -> Mapping[str, Mapping[str, str]]:
    """Files of every switch."""
    return {name: sites.files_of(device) for name, device in fleet(system, sources).items()}


def read(system: str, kind: str, files_of: Mapping[str, Mapping[str, str]], sources: tuple[str, ...] = NAMED) -> Site:
    """Switches of a fabric, as their files say."""
    wanted = (name for name, device in fleet(system, sources).items() if device.kind == kind)
    return {name: READERS[system](dict(files_of[name])) for name in wanted}


@cache
def site(system: str, kind: str, sources: tuple[str, ...] = NAMED) -> Site:
    return read(system, kind, files(system, sources), sources)


class Place(NamedTuple):
    """Where a host is: its leaf and frame."""

    leaf: str
    frame: Frame


def place(system: str, peer: str, kind: str = "frontend", tag: int = 0) -> Place:
    """The first port of a host on a fabric."""
    rows = ((name, row) for name, device in fleet(system).items() if device.kind == kind for row in _ports(device))
    return next(Place(name, (row.name, tag)) for name, row in rows if row.peer == peer)


def _ports(device: Device) -> tuple[Ethernet, ...]:
    return device.interfaces.ethernet


def hosts(subnet: str, number: int) -> str:
    """An address of a subnet: 1 is its gateway."""
    return str(ip_network(subnet)[number])


def gpu_address(system: str) -> str:
    """The address of the first GPU server on the backend: the other one of its link."""
    at = place(system, "train-000", "backend")
    row = next(row for row in _ports(fleet(system)[at.leaf]) if row.name == at.frame[0])
    return far_end(row.ipv4)


def far_end(address: str) -> str:
    """The other address of a link of two."""
    own = ip_interface(address)
    return str(next(one for one in own.network if one != own.ip))


def switch_addresses(system: str, name: str) -> dict[str, tuple[str, ...]]:
    """Addresses of a switch by class."""
    return addresses_of(fleet(system)[name], fleet(system))


def addresses_of(device: Device, of: Mapping[str, Device]) -> dict[str, tuple[str, ...]]:
    """What a switch has in the default VRF and out of band, by the plan: class → addresses."""
    loopbacks = [row for row in device.interfaces.loopbacks if not row.vrf]
    uplink = next(row for row in _ports(device) if row.ipv4 and row.peer in of)
    found = {
        "router id": (loopbacks[0].ipv4, loopbacks[0].ipv6),
        "VTEP": tuple(row.ipv4 for row in loopbacks[1:]),
        "link of the fabric": (uplink.ipv4, uplink.ipv6),
        "management": (device.management.address,),
    }
    return {what: tuple(at.partition("/")[0] for at in rows if at) for what, rows in found.items()}
