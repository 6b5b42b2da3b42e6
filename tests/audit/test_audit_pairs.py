"""No false alarm on small sites of every pair of platforms: each text is as planned, and every property holds."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.audit.gathered import GatheredSite
from fabricgen.audit.properties import violations
from fabricgen.audit.switch import audited
from fabricgen.errors import FabricError
from fabricgen.plan.plan import Plan
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.checked import LoadRequest, load_checked
from tests.pairs.sites import PAIRS, SITES, mapping
from tests.some import LONG, some

REFUSED = frozenset({"platform-cannot", "platform-limit", "platform-part"})
CASES = [
    *((kind, leaf, spine) for kind in ("backend", "frontend") for leaf, spine in PAIRS),
    *((kind, system, system) for kind in ("bonds", "imports") for system in SITES),
]
LEAVES_ALONE = {"rail-only": {"design": "rail-only"}, "one leaf": {"design": "rail-optimized", "rails_per_leaf": 8}}
"""Backends without spines: no switch has a session."""
RAIL_PLANES: dict[str, dict[str, Any]] = {
    "one rail": {"design": "rail-optimized", "rails_per_plane": 1},
    "four rails": {"design": "rail-optimized", "rails_per_plane": 4, "rails_per_leaf": 2},
    "rail-only": {"design": "rail-only"},
}
"""Backends whose rails have planes of their own: two units of two servers, two spines per plane."""
QUICK = ("cumulus", "eos")
"""Systems of these that are read in every run."""


def accepted(intent: Path) -> Plan | None:
    """The plan; None where a platform lacks what the site needs."""
    try:
        return load_checked(LoadRequest(intent, None), "base").plan
    except FabricError as error:
        if {problem.code for problem in error.problems} <= REFUSED:
            return None
        raise


@pytest.mark.parametrize(("kind", "leaf", "spine"), some(CASES, of=5))
def test_a_pair_of_platforms_is_as_planned(kind: str, leaf: str, spine: str, tmp_path: Path) -> None:
    more = {"transport": "best-effort"} if kind == "backend" else {}
    plan = written(mapping(leaf, spine, kind, **more), tmp_path)
    if plan is not None:
        judge(plan)


@pytest.mark.parametrize("transport", ["best-effort", "roce-lossless"])
@pytest.mark.parametrize("system", some(SITES, of=2))
@pytest.mark.parametrize("design", LEAVES_ALONE)
def test_a_backend_without_sessions_is_as_planned(design: str, system: str, transport: str, tmp_path: Path) -> None:
    site = mapping(system, system, "backend", transport=transport, topology=LEAVES_ALONE[design])
    site["servers"]["train"]["slots"] = "0-1"
    del site["fabrics"]["backend"]["spine"], site["fabrics"]["backend"]["bgp"]
    plan = written(site, tmp_path)
    assert (plan is None) == ((system, transport) == ("frr", "roce-lossless"))
    if plan is not None:
        assert not any(device.routing.bgp.neighbors for device in devices(plan))
        judge(plan)


@pytest.mark.parametrize("system", some(SITES, of=3))
def test_a_storage_fabric_is_as_planned(system: str, tmp_path: Path) -> None:
    """Servers and storage nodes below leaves of their own, lossless, 2:1, with a port on each leaf of a pair."""
    transport = "best-effort" if system.startswith("frr") else "roce-lossless"
    site = mapping(system, system, "backend", transport=transport)
    site["servers"] = {
        "train": {"model": "dgx-h100", "slots": "0-3"},
        "store": {"model": "dgx-h100", "slots": "0-3"},
    }
    fabric = site["fabrics"]["backend"]
    fabric["kind"] = "storage"
    fabric["connects"] = {"train": "compute", "store": "compute"}
    fabric["topology"] = {"design": "tor", "oversubscription": "2:1"}
    plan = written(site, tmp_path)
    assert plan is not None
    assert plan.fabrics["backend"].shape.kind == "storage"
    judge(plan)


@pytest.mark.parametrize(
    "system",
    [pytest.param(name, marks=[] if name in ("frr", "junos") else LONG) for name in SITES if name != "srlinux"],
)
def test_leaves_that_no_tenant_is_on_are_as_planned(system: str, tmp_path: Path) -> None:
    """Their server ports are shut, and no VNI is there: a border leaf, and leaves before the first tenant."""
    site = mapping(system, system, "frontend")
    del site["tenants"]
    site["fabrics"]["frontend"]["topology"]["border_leaves"] = 1
    plan = written(site, tmp_path)
    assert plan is not None
    judge(plan)


def test_a_cage_of_which_only_the_second_part_is_in_use_is_as_planned(tmp_path: Path) -> None:
    """One 400G uplink from a cage of 800G. Without a row of the first part the sku's own one has all lanes."""
    topology = {"design": "rail-only", "servers_per_unit": 1, "spines": {"now": 1}}
    switch = {"model": "dell-z9864f-on", "os": "sonic-202605"}
    site = mapping("sonic", "sonic", "backend", transport="best-effort", topology=topology)
    site["fabrics"]["backend"] |= {"leaf": dict(switch), "spine": dict(switch)}
    plan = written(site, tmp_path)
    assert plan is not None
    files = next(Renderer().render(device) for device in devices(plan))
    assert '"Ethernet504"' in next(file.text for file in files if file.name == "config_db.json")
    judge(plan)


@pytest.mark.parametrize("system", [pytest.param(name, marks=[] if name in QUICK else LONG) for name in SITES])
@pytest.mark.parametrize("design", RAIL_PLANES)
def test_planes_of_rails_are_as_planned(design: str, system: str, tmp_path: Path) -> None:
    """No session, link or route leads from a plane to another, and each leaf reaches those of its plane."""
    topology = {**RAIL_PLANES[design], "servers_per_unit": 2, "spines": {"now": 2}}
    transport = "best-effort" if system == "frr" else "roce-lossless"
    plan = written(mapping(system, system, "backend", transport=transport, topology=topology), tmp_path)
    assert plan is not None
    assert plan.fabrics["backend"].shape.planes == 8 // topology.get("rails_per_plane", 1)
    judge(plan)


def written(site: dict[str, Any], folder: Path) -> Plan | None:
    """The plan of a site, read from its text."""
    intent = folder / "intent.yaml"
    intent.write_text(yaml.safe_dump(site, sort_keys=False))
    return accepted(intent)


def judge(plan: Plan) -> None:
    """Every text is as planned, and every property holds."""
    renderer, site, switches = Renderer(), GatheredSite(), [*devices(plan)]
    names = frozenset(device.name for device in switches)
    for device in switches:
        audit = audited(device, {file.name: file.text for file in renderer.render(device)}, filled=False)
        assert audit.is_exact, (device.name, audit.findings[:3], audit.unread[:3])
        site.add(plan.fabrics[device.fabric], device, audit, names)
    assert [*violations(site.sides()[0])] == []
