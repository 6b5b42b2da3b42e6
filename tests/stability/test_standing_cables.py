"""Edits that would recable what stands: each is refused, and what its remedy says moves nothing.

The oracle is the list of cables: both ends of every uplink, by the names that are on the labels.
"""

import json
from copy import deepcopy
from dataclasses import replace

import pytest

from fabricgen.checks.catalogue import run_plan_checks
from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import name_of, places, port_text
from fabricgen.plan.lock import Lock, read_lock, write_lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.plan.wiring import uplinks
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate

CATALOG = load_catalog(None)
BOX = {"model": "arista-7060x6-64pe", "os": "eos-4.34"}
H100 = {"model": "dgx-h100", "slots": "0-3", "planned": 16}
B300 = {"model": "dgx-b300", "slots": "0-1", "planned": 4}
BOTH = {"h100": "compute", "b300": "compute"}

Parts = dict[str, dict[str, object]]
Cables = dict[tuple[str, str], tuple[str, str]]


def site(topology: dict[str, object], **more: object) -> Parts:
    """Servers and fabrics of an intent: one backend of DGX H100, four of 16 there. more: keys of the fabric."""
    fabric: dict[str, object] = {
        "kind": "backend",
        "connects": {"h100": "compute"},
        "topology": topology,
        "leaf": BOX,
        "spine": BOX,
        "addressing": {"ipv4": "10.64.0.0/12", "ipv6": "fd5e:8c1f:2a00::/52"},
        "asns": "4201000000-4201999999",
        **more,
    }
    return {"servers": {"h100": H100}, "fabrics": {"backend": fabric}}


def edited(parts: Parts, **changes: object) -> Parts:
    """The site with other servers, fabric keys or, by `topology`, keys of its topology; None removes one."""
    after = deepcopy(parts)
    fabric = after["fabrics"]["backend"]
    assert isinstance(fabric, dict)
    after["servers"].update(changes.pop("servers", {}))  # type: ignore[call-overload]
    topology = {**fabric["topology"], **changes.pop("topology", {})}  # type: ignore[dict-item]
    fabric |= {**changes, "topology": {key: value for key, value in topology.items() if value is not None}}
    return after


def document_of(parts: Parts) -> dict[str, object]:
    """A whole intent of the parts."""
    return {
        "fabricgen": 1,
        "site": "dc1",
        "management": {
            "oob": "10.0.0.0/16",
            "gateway": "10.0.0.1",
            "users": {"admin": {"role": "network-admin", "password": "${env:ADMIN_HASH}"}},
        },
        **parts,
    }


def planned(parts: Parts, lock: str = "") -> Plan:
    intent = validate(Intent, load_document(json.dumps(document_of(parts)), "intent.yaml"))
    recorded = read_lock(load_document(lock, "fabricgen.lock")) if lock else Lock()
    return make_plan(intent, CATALOG, make_shapes(intent, CATALOG, recorded), recorded, Exceptions())


def lock_of(parts: Parts) -> str:
    return write_lock(planned(parts).lock)


def cables(plan: Plan) -> Cables:
    return {
        (name_of(fabric, place), port_text(fabric, place, link.lower_port)): (
            name_of(fabric, link.upper),
            port_text(fabric, link.upper, link.upper_port),
        )
        for fabric in plan.fabrics.values()
        for place in places(fabric)
        for link in uplinks(fabric, place)
    }


def refusals(parts: Parts, lock: str) -> list[Problem]:
    """Problems of a site on a lock; none only where every cable of it may be laid."""
    try:
        return list(run_plan_checks(planned(parts, lock)))
    except FabricError as error:
        return list(error.problems)


def moved(before: Parts, after: Parts, lock: str) -> int:
    """Cables that end elsewhere. Those that come with more switches are none of these."""
    old, new = cables(planned(before)), cables(planned(after, lock))
    return sum(new.get(end) != far for end, far in old.items())


TOR: dict[str, object] = {
    "design": "tor",
    "planes": 1,
    "servers_per_unit": 4,
    "spines": {"now": 4, "planned": 4},
    "uplink_gbps": 800,
}
RAILS: dict[str, object] = {"design": "rail-optimized", "servers_per_unit": 4, "spines": {"now": 4}}


def test_a_faster_generation_is_refused_with_what_keeps_the_cables() -> None:
    """Four H100 have 32 x 400G on a leaf: 16 uplinks of 800G. Four B300, 32 x 800G, would ask 32 of every leaf."""
    before = site(TOR)
    lock = lock_of(before)
    assert "slots: 4, hosts: 32, uplinks: 16x800G, first: 0" in lock
    after = edited(before, servers={"b300": B300}, connects=BOTH)
    (problem,) = refusals(after, lock)
    assert (problem.code, problem.where) == ("lock-misfit", ("fabrics", "backend", "topology", "servers_per_unit"))
    assert (
        problem.why
        == "the lock has 16 uplinks of 800G, the intent now gives 32 uplinks of 800G: cables would change ports"
    )
    assert problem.fix.startswith(
        "write topology.servers_per_unit: {b300: 2, h100: 4}, or give b300 a fabric of its own, or run fabricgen "
    )
    kept = edited(after, topology={"servers_per_unit": {"h100": 4, "b300": 2}})
    assert refusals(kept, lock) == []
    assert moved(before, kept, lock) == 0


def test_a_third_generation_is_told_what_the_mapping_becomes() -> None:
    before = site({**TOR, "servers_per_unit": {"h100": 4}})
    after = edited(before, servers={"b300": B300}, connects=BOTH)
    (problem,) = refusals(edited(after, topology={"servers_per_unit": {"h100": 4, "b300": 4}}), lock_of(before))
    assert "write topology.servers_per_unit: {h100: 4, b300: 2}, " in problem.fix


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"oversubscription": "2:1"},
            "the lock has 16 uplinks of 800G, the intent now gives 8 uplinks of 800G: cables would change ports",
        ),
        (
            {"uplink_gbps": 400},
            "the lock has 16 uplinks of 800G, the intent now gives 32 uplinks of 400G: cables would change ports",
        ),
    ],
)
def test_other_uplinks_of_what_stands_are_refused(change: dict[str, object], told: str) -> None:
    before = site(TOR)
    (problem,) = refusals(edited(before, topology=change), lock_of(before))
    assert (problem.code, problem.why) == ("lock-misfit", told)
    assert ("write topology.uplink_gbps: 800, or " in problem.fix) == ("uplink_gbps" in change)


def test_a_lock_from_before_is_not_judged_and_keeps_its_lines() -> None:
    before = site(TOR)
    old = lock_of(before).replace("uplinks: 16x800G, ", "")
    assert "uplinks" not in old
    again = planned(before, old)
    assert write_lock(again.lock) == old
    assert list(run_plan_checks(again)) == []
    more = edited(before, servers={"h100": {**H100, "planned": 64}}, topology={"spines": {"now": 4, "planned": 16}})
    grown = write_lock(planned(more, old).lock)
    assert set(old.splitlines()) <= set(grown.splitlines())
    assert grown.count("uplinks: 16x800G") == 1, "what is appended is recorded with them"


def test_mixed_speeds_names_the_recorded_speed_alone() -> None:
    """What the remedy says is typed as it stands: the other speed would move every cable."""
    before = site(RAILS)
    lock = lock_of(before)
    after = edited(before, servers={"b300": B300}, connects=BOTH, topology={"planes": 1})
    (problem,) = refusals(after, lock)
    assert problem.code == "mixed-speeds"
    assert problem.fix.startswith("write topology.uplink_gbps: 400, as recorded, or ")
    (other,) = refusals(edited(after, topology={"uplink_gbps": 800}), lock)
    assert other.code == "lock-misfit"
    assert "write topology.uplink_gbps: 400 and topology.servers_per_unit: {b300: 2, h100: 4}, " in other.fix
    kept = edited(after, topology={"uplink_gbps": 400, "servers_per_unit": {"h100": 4, "b300": 2}})
    assert refusals(kept, lock) == []
    assert moved(before, kept, lock) == 0


def test_a_faster_generation_of_a_frontend_is_refused() -> None:
    """Every leaf has the uplinks of the group that asks the most: the last ports of its panel, so all would shift."""
    servers = {"cpu": {"model": "cpu-2x100", "slots": "0-3", "planned": 8}}
    fast = {"hgx": {"model": "hgx-h200", "slots": "0-1", "planned": 8}}
    before = edited(
        {**site({"design": "leaf-spine", "oversubscription": "3:1", "border_leaves": 2}), "servers": {}},
        kind="frontend",
        leaf={"model": "arista-7050cx4-24d8", "os": "eos-4.34"},
        spine={"model": "arista-7060dx5-32", "os": "eos-4.34"},
        connects={"cpu": "frontend"},
        servers=servers,
    )
    lock = lock_of(before)
    assert refusals(before, lock) == []
    found = refusals(edited(before, servers=fast, connects={"cpu": "frontend", "hgx": "frontend"}), lock)
    told = [problem for problem in found if problem.code == "lock-misfit"]
    assert [problem.where[-1] for problem in told] == ["topology", "leaf"]
    assert all(
        problem.fix.startswith("give hgx a fabric of its own, or run fabricgen render INTENT --renumber backend ")
        for problem in told
    )


def test_planned_raised_with_spines_left_out() -> None:
    """64 DGX H100 stand on the fewest spines; 512 planned would ask more, and 448 cables of these would move."""
    many = {"model": "dgx-h100", "slots": "0-63", "planned": 64}
    before = edited(site({"design": "rail-optimized"}), servers={"h100": many})
    lock = lock_of(before)
    stood = planned(before).fabrics["backend"].shape.spines
    after = edited(before, servers={"h100": {**many, "planned": 512}})
    (problem,) = refusals(after, lock)
    assert (problem.code, problem.where) == ("illegal-spine-count", ("fabrics", "backend", "topology"))
    assert problem.what == f"{stood} spines cannot serve 64 planned leaves"
    assert problem.fix == (
        f"write spines: {{now: {stood}, planned: 32}} (no recabling), "
        "or spines: {now: 32, planned: 32} (recables existing switches)"
    )
    kept = edited(after, topology={"spines": {"now": stood, "planned": 32}})
    assert refusals(kept, lock) == []
    assert moved(before, kept, lock) == 0
    other = edited(after, topology={"spines": {"now": 32, "planned": 32}})
    assert refusals(other, lock) == []
    assert moved(before, other, lock) > 0


def test_spines_left_out_stay_as_recorded_where_they_are_legal() -> None:
    """Fewer servers planned would do with fewer spines: what stands keeps those that it has, under a new name too."""
    many = {"model": "dgx-h100", "slots": "0-63", "planned": 512}
    before = edited(site({"design": "rail-optimized"}), servers={"h100": many})
    lock = lock_of(before)
    assert planned(before).fabrics["backend"].shape.spines == 32
    after = edited(before, servers={"h100": {**many, "planned": 64}})
    assert planned(after).fabrics["backend"].shape.spines < 32
    assert planned(after, lock).fabrics["backend"].shape.spines == 32
    assert moved(before, after, lock) == 0
    renamed = deepcopy(after)
    renamed["fabrics"] = {"gpu": {**after["fabrics"]["backend"], "was": "backend"}}  # type: ignore[dict-item]
    assert planned(renamed, lock).fabrics["gpu"].shape.spines == 32


PODS: dict[str, object] = {**RAILS, "units_per_pod": 2, "spines": {"now": 4, "planned": 4}}


def test_superspines_left_out_stay_as_recorded() -> None:
    before = edited(site({**PODS, "superspines": {"now": 2, "planned": 2}}), superspine=BOX)
    lock = lock_of(before)
    after = edited(before, topology={"superspines": None})
    assert planned(after).fabrics["backend"].shape.cores == 1
    assert planned(after, lock).fabrics["backend"].shape.cores == 2
    assert moved(before, after, lock) == 0


def test_another_split_of_the_spines_is_refused() -> None:
    fewest = edited(site({**PODS, "superspines": {"now": 2, "planned": 2}}), superspine=BOX)
    assert lock_of(fewest).count("uplinks: 16x400G") == 1, "as many as the 16 leaves of a pod need"
    less = edited(fewest, topology={"spine_oversubscription": "3:1"})
    assert refusals(less, lock_of(fewest)) == [], (
        "recorded uplinks stay where the new ratio leaves so many on the panel"
    )
    older = lock_of(fewest).replace("uplinks: 16x400G, ", "")
    spine = planned(fewest, older).fabrics["backend"].shape.spine
    assert spine is not None
    assert len(spine.up) == 64, "a lock that has none is of a time when the ratio alone gave them"
    before = edited(fewest, topology={"spine_uplinks": 64})
    lock = lock_of(before)
    assert lock.count("uplinks: 64x400G") == 1
    found = refusals(edited(before, topology={"spine_oversubscription": "3:1", "spine_uplinks": None}), lock)
    told = [problem for problem in found if problem.code == "lock-misfit"]
    assert [problem.where for problem in told] == [("fabrics", "backend", "topology", "spine_uplinks")]
    assert (
        told[0].why
        == "the lock has 64 uplinks of 400G, the intent now gives 32 uplinks of 400G: cables would change ports"
    )
    assert "write topology.spine_uplinks: 64" in told[0].fix


@pytest.mark.parametrize("links", [["ipv4"], ["unnumbered"]])
@pytest.mark.parametrize("has_uplinks", [True, False])
def test_a_third_tier_over_a_standing_one_is_refused(links: list[str], has_uplinks: bool) -> None:
    """All units in one pod, so that only the spines change; a lock from before says as much."""
    addressing = {"ipv4": "10.64.0.0/12", "ipv6": "fd5e:8c1f:2a00::/52", "links": links}
    before = edited(site({**RAILS, "spines": {"now": 4, "planned": 4}}), addressing=addressing)
    lock = lock_of(before)
    if not has_uplinks:
        lock = lock.replace("uplinks: 4x400G, ", "")
    found = refusals(edited(before, superspine=BOX, topology={"units_per_pod": 4}), lock)
    told = [problem for problem in found if problem.code == "lock-misfit"]
    assert [problem.where for problem in told] == [("fabrics", "backend", "spine")]
    assert told[0].why.startswith("the lock has the spines as the top tier; a spine now has 32 uplinks of 400G")
    three = edited(before, superspine=BOX, topology={"units_per_pod": 4})
    assert refusals(three, lock_of(three)) == [], "a third tier from the start"


def test_another_size_of_the_pods_is_one_problem() -> None:
    """The lock is right: nobody is told to delete lines of it, or to mend it."""
    before = edited(site(PODS), superspine=BOX)
    found = refusals(edited(before, topology={"units_per_pod": 1}), lock_of(before))
    assert {problem.code for problem in found} == {"lock-misfit"}


def test_rows_and_as_numbers_of_a_fitting_fabric_are_still_judged() -> None:
    before = edited(site(TOR), servers={"b300": B300}, connects=BOTH)
    plan = planned(before)
    fabric = plan.fabrics["backend"]
    rows = {key: tuple(s._replace(row=0) if s.row else s for s in found) for key, found in fabric.segments.items()}
    broken = plan._replace(fabrics={"backend": replace(fabric, segments=rows)})
    assert "rows-overlap" in {problem.code for problem in run_plan_checks(broken)}
