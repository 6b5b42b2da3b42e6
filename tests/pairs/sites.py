"""One small site for every ordered pair of platforms: leaves on one, spines on the other, and what each refuses."""

import copy
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from fabricgen.checks.catalogue import run_checks
from fabricgen.device.device import Device
from fabricgen.errors import Problem
from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from tests.accounts import without_accounts
from tests.pairs.pairing import Cable
from tests.pairs.view import View
from tests.platform_case import SmallSite
from tests.platform_cases import CASES

Files = Mapping[str, Mapping[str, str]]
NONE: Files = {}


SITES: Mapping[str, SmallSite] = {name: site for case in CASES.values() for name, site in case.sites.items()}
"""Every platform, and its releases that render otherwise."""
PAIRS = tuple((leaf, spine) for leaf in SITES for spine in SITES)
"""Every ordered pair: what the leaves run, what the spines run."""

BASE: Mapping[str, Any] = {
    "fabricgen": 1,
    "site": "pair",
    "cables": {"default": {"server_leaf": 3, "leaf_spine": 20}},
    "management": {"vrf": "mgmt", "oob": "10.0.0.0/24", "gateway": "10.0.0.1"},
}
BACKEND: Mapping[str, Any] = {
    "servers": {"train": {"model": "dgx-h100", "slots": "0-3"}},
    "fabrics": {
        "backend": {
            "kind": "backend",
            "prefix": "be",
            "connects": {"train": "compute"},
            "topology": {"design": "rail-optimized", "rails_per_leaf": 4, "spines": {"now": 2, "planned": 2}},
            "addressing": {
                "links": ["ipv4", "ipv6"],
                "hosts": "ipv4",
                "ipv4": "10.64.0.0/16",
                "ipv6": "fd5e:8c1f:2a00::/52",
            },
            "asns": "4201000000-4201999999",
            "mtu": 9100,
            "bgp": {"bfd": True, "keepalive_seconds": 4, "hold_seconds": 12},
        }
    },
}
FRONTEND: Mapping[str, Any] = {
    "servers": {"web": {"model": "dgx-h100", "slots": "0-3"}, "store": {"model": "storage-2x200", "slots": "0-3"}},
    "fabrics": {
        "frontend": {
            "kind": "frontend",
            "prefix": "fe",
            "connects": {"web": "frontend", "store": "data"},
            "topology": {"design": "leaf-spine", "oversubscription": "3:1", "border_leaves": 0},
            "addressing": {"links": ["ipv4", "ipv6"], "ipv4": "10.128.0.0/16", "ipv6": "fd5e:8c1f:2a00:1000::/52"},
            "asns": "4202000000-4202999999",
            "mtu": 9100,
            "evpn": {"admin": 65000, "vni_base": 10000},
            "bgp": {"bfd": True, "keepalive_seconds": 4, "hold_seconds": 12},
            "server_ports": {
                "multihoming": "active-backup",
                "lacp_fallback": False,
                "storm_control": None,
                "bpdu_guard": False,
                "uplink_tracking": False,
            },
        }
    },
    "tenants": {
        "storage": {
            "servers": ["store[0-3]"],
            "networks": {"data": {"vlan": 20, "subnets": ["172.17.0.0/20", "fd5e:8c1f:2a00:2000::/64"]}},
        },
        "research": {
            "servers": ["web[0-3]"],
            "networks": {"hosts": {"vlan": 110, "subnets": ["172.18.0.0/20", "fd5e:8c1f:2a00:2110::/64"]}},
        },
    },
}


@cache
def catalog() -> Catalog:
    """Hardware files, read once."""
    return load_catalog(None)


def mapping(leaf: str, spine: str, kind: str, **edits: object) -> dict[str, Any]:
    """The intent of a pair as YAML has it; `edits` stand in its fabric's block; `links` alone in its addressing.

    `kind` is backend, frontend, imports: a frontend where one tenant takes over routes of another, or bonds: one whose
    servers have a bond over two leaves.
    """
    name = "backend" if kind == "backend" else "frontend"
    found = copy.deepcopy({**BASE, **(BACKEND if kind == "backend" else FRONTEND)})
    if kind == "bonds":
        found["fabrics"]["frontend"]["server_ports"]["multihoming"] = "evpn-esi"
    if kind == "imports":
        found["tenants"]["research"]["imports"] = ["storage"]
    model = getattr(SITES[leaf], name), getattr(SITES[spine], name)
    fabric = found["fabrics"][name]
    fabric["leaf"] = {"model": model[0], "os": SITES[leaf].system}
    fabric["spine"] = {"model": model[1], "os": SITES[spine].system}
    if links := edits.pop("links", None):
        fabric["addressing"]["links"] = links
    fabric.update(edits)
    return without_accounts(found)


def intent(leaf: str, spine: str, kind: str, **edits: object) -> Intent:
    """The same, read."""
    return Intent.model_validate(mapping(leaf, spine, kind, **edits))


@cache
def planned(leaf: str, spine: str, kind: str, transport: str = "", marking: str = "", *, bare: bool = False) -> Plan:
    """The plan of a pair, with no lock behind it; a backend's transport, and its marking where it is another.

    bare  links have no addresses
    """
    edits: dict[str, object] = {"transport": transport} if transport else {}
    edits.update({"roce": {"marking": marking}} if marking else {})
    edits.update({"links": ["unnumbered"]} if bare else {})
    found = intent(leaf, spine, kind, **edits)
    return make_plan(found, catalog(), make_shapes(found, catalog()), Lock(), Exceptions())


@cache
def can_import(leaf: str) -> bool:
    """Whether leaves of a platform let a tenant take over routes of another."""
    return not problems(planned(leaf, leaf, "imports"))


def problems(plan: Plan) -> tuple[Problem, ...]:
    """What the checks say of a plan."""
    return tuple(run_checks(plan))


RENDERER = Renderer()


class Site(NamedTuple):
    """Switches of a pair: who runs what, the files of each by name, and the cables between them."""

    systems: Mapping[str, str]
    files: Files
    cables: tuple[Cable, ...]

    def views(self, names: Iterable[str] = (), instead: Files = NONE) -> dict[str, View]:
        """What the files say; of these switches alone where any are named. `instead`: other files of a switch."""
        wanted = tuple(names) or tuple(self.files)
        return {name: CASES[self.systems[name]].pair_text(instead.get(name, self.files[name])) for name in wanted}


@cache
def site(leaf: str, spine: str, kind: str, transport: str = "", marking: str = "", *, bare: bool = False) -> Site:
    """The site of a pair, rendered. Raises FabricError where a platform refuses what only the switch shows."""
    found = {device.name: device for device in devices(planned(leaf, spine, kind, transport, marking, bare=bare))}
    cables = (
        Cable(device.name, port.name, port.peer, port.peer_port)
        for device in found.values()
        for port in device.interfaces.ethernet
        if device.role == "leaf" and port.peer in found
    )
    files = {name: files_of(device) for name, device in found.items()}
    return Site({name: device.system for name, device in found.items()}, files, tuple(cables))


def files_of(device: Device) -> dict[str, str]:
    """Rendered files of a switch by name."""
    return {Path(file.path).name: file.text for file in RENDERER.render(device)}
