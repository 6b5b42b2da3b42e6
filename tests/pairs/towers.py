"""What is above and beside a leaf and its spines: superspines of another platform, and backends that tenants share."""

import copy
from dataclasses import replace
from functools import cache
from typing import Any
from unittest.mock import patch

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import Catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.resolve.device import devices
from fabricgen.topologies.shape import Column
from tests.accounts import without_accounts
from tests.pairs.pairing import Cable
from tests.pairs.sites import BACKEND, BASE, SITES, Site, catalog, files_of
from tests.resolve import tiers

VOUCHED = {"eos": "vxlan_qos"}
"""Who renders RoCE in VXLAN for a model of which somebody says that it can, and the word for it."""
SPINES_WITH_EVPN = {"srlinux": "nokia-7220-ixr-d5"}
"""Models of backends whose spines hand EVPN on, where the usual one cannot."""


def box(name: str, model: str = "") -> dict[str, str]:
    """Words of a switch in an intent."""
    return {"model": model or SITES[name].backend, "os": SITES[name].system}


@cache
def tower(spine: str, core: str, transport: str) -> Plan:
    """A backend of three tiers: two pods of two leaves and two spines, four superspines of another platform."""
    found: dict[str, Any] = copy.deepcopy({**BASE, **BACKEND})
    fabric = found["fabrics"]["backend"]
    fabric.update(leaf=box(spine), spine=box(spine), superspine=box(core), transport=transport)
    fabric["topology"] = {"design": "rail-optimized"}
    rails = (Column(0, 0, 0), Column(1, 0, 0))
    with patch.object(tiers, "MODEL", SITES[spine].backend):
        shape = tiers.folded(SITES[spine].system, columns=rails, kind="backend")
    with patch.object(tiers, "MODEL", SITES[core].backend):
        shape = shape._replace(core=tiers.chassis(SITES[core].system, 8, 0))
    return make_plan(
        Intent.model_validate(without_accounts(found)), catalog(), {"backend": shape}, Lock(), Exceptions()
    )


def top(spine: str, core: str, transport: str) -> Site:
    """The first spine of a tower, rendered, with the superspines that it is joined to."""
    found = {device.name: device for device in devices(tower(spine, core, transport))}
    first = next(device for device in found.values() if device.role == "spine")
    cables = [
        Cable(first.name, port.name, port.peer, port.peer_port)
        for port in first.interfaces.ethernet
        if port.peer in found and found[port.peer].role == "superspine"
    ]
    return _site([first, *(found[name] for name in sorted({cable.far for cable in cables}))], cables)


def _site(wanted: list[Device], cables: list[Cable]) -> Site:
    systems = {device.name: device.system for device in wanted}
    return Site(systems, {device.name: files_of(device) for device in wanted}, tuple(cables))


@cache
def vouched() -> Catalog:
    """Hardware files with the models of leaves vouched for."""
    found = catalog()
    read = dict(found.switches._read)
    for name, word in VOUCHED.items():
        switch = found.switches[SITES[name].backend]
        spellings = {**switch.spellings, name: {**switch.spellings.get(name, {}), word: "yes"}}
        read[SITES[name].backend] = switch.model_copy(update={"spellings": spellings})
    return replace(found, switches=replace(found.switches, _read=read))


@cache
def shared(leaf: str, spine: str) -> Plan:
    """A lossless backend that two tenants share: EVPN type 5, every NIC in a VRF."""
    found: dict[str, Any] = copy.deepcopy({**BASE, **BACKEND})
    fabric = found["fabrics"]["backend"]
    fabric.update(leaf=box(leaf), spine=box(spine, SPINES_WITH_EVPN.get(spine, "")), transport="roce-lossless")
    fabric.update(tenancy="evpn-type5", evpn={"admin": 65000, "vni_base": 10000})
    found["tenants"] = {"red": {"servers": ["train[0-1]"]}, "blue": {"servers": ["train[2-3]"]}}
    intent = Intent.model_validate(without_accounts(found))
    return make_plan(intent, vouched(), make_shapes(intent, vouched()), Lock(), Exceptions())


@cache
def shared_site(leaf: str, spine: str) -> Site:
    """Both leaves and all spines of a shared backend, rendered, with the cables of the first leaf."""
    found = {device.name: device for device in devices(shared(leaf, spine))}
    first = next(device for device in found.values() if device.role == "leaf")
    cables = [
        Cable(first.name, port.name, port.peer, port.peer_port)
        for port in first.interfaces.ethernet
        if port.peer in found
    ]
    return _site(list(found.values()), cables)
