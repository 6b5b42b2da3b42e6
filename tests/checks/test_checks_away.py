"""What is lost where parts are drained, dead or absent: rails of servers, ways between leaves, and what does it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fabricgen.checks.capacity.capacity import leaves_joined, missing_links
from fabricgen.checks.catalogue import run_plan_checks
from fabricgen.checks.settings.overrides import drained_ports, ports_left_up, rails_left, spines_left
from fabricgen.errors import Problem
from fabricgen.intent.rules import rules
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import name_of, places
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.site.workspace import open_workspace
from tests.checks.intents import plan

INVENTORIES = Path(__file__).parents[2] / "inventories"
ABSENT, DEAD, DRAINED = ({"state": state} for state in ("absent", "dead", "drained"))
FE, MATE, NIC = "fe-leaf-000/Ethernet1/1", "fe-leaf-001/Ethernet1/1", "be-leaf-000/Ethernet1/1"


def made(overrides: dict[str, Any], **keys: object) -> Plan:
    bare = plan({"overrides": overrides} | keys)
    return with_exceptions(bare, resolve_inputs(bare.intent, bare.fabrics))


def lost(overrides: dict[str, Any]) -> list[Problem]:
    return list(rails_left(made(overrides)))


@pytest.mark.parametrize(
    "overrides",
    [
        {FE: ABSENT, MATE: ABSENT},
        {"fe-leaf-00[01]/Ethernet1/1": ABSENT},
        {"fe-leaf-000": ABSENT, MATE: ABSENT},
        {"fe-leaf-000": DEAD, f"link:{MATE}": DEAD},
        {f"link:{FE}": DEAD, f"link:{MATE}": ABSENT},
        {NIC: ABSENT},
        {f"link:{NIC}": DEAD},
    ],
)
def test_a_server_that_stands_has_lost_its_last_port(overrides: dict[str, Any]) -> None:
    (problem,) = lost(overrides)
    assert problem.code == "rail-lost"
    assert problem.where[1] in overrides
    assert lost(overrides | {"train[0]": ABSENT, "store[0]": ABSENT}) == []


@pytest.mark.parametrize(
    "overrides",
    [
        {FE: ABSENT},
        {f"link:{FE}": DEAD},
        {FE: ABSENT, MATE: DRAINED},  # it stays up: nothing else can take over
        {FE: ABSENT, "fe-leaf-001": DRAINED},
        {FE: ABSENT, "fe-leaf-001/Ethernet2/1": ABSENT},  # two servers, each with one port left
        {"be-leaf-000": DRAINED},
        {"be-leaf-000/Ethernet33/1": ABSENT},  # an uplink
    ],
)
def test_a_server_with_a_port_left_has_lost_nothing(overrides: dict[str, Any]) -> None:
    assert lost(overrides) == []


def test_all_nics_of_one_server_are_told_by_leaf() -> None:
    """Two rails of a server land on each of the four leaves of a unit, in the rows of its first slot."""
    rows = made({}).fabrics["backend"].shape.groups[0].slots_a_unit
    assert rows == 32
    away = {f"be-leaf-00{leaf}/Ethernet{port}/1": ABSENT for leaf in range(4) for port in (1, 17)}
    found = lost(away)
    assert sorted({problem.where[1] for problem in found}) == sorted(away)


def test_each_override_is_told_by_itself() -> None:
    """So that a waiver of one hides no other."""
    found = lost({NIC: ABSENT, "be-leaf-001/Ethernet2/1": ABSENT, "be-leaf-002": DEAD})
    assert [(problem.where, problem.about) for problem in found] == [
        (("overrides", NIC), ("be-leaf-000",)),
        (("overrides", "be-leaf-001/Ethernet2/1"), ("be-leaf-001",)),
        (("overrides", "be-leaf-002"), ("be-leaf-002",)),
    ]


def test_places_past_fifty_are_counted() -> None:
    found = lost({f"be-leaf-00{leaf}/Ethernet{port}/1": ABSENT for leaf in range(4) for port in range(1, 16)})
    assert len(found) == 50
    assert "10 more are like this" in found[-1].what
    assert (found[-1].where, found[-1].about) == (("overrides",), ())


@pytest.mark.parametrize("selector", [NIC, f"link:{NIC}"])
def test_a_nic_that_is_alone_can_not_be_drained(selector: str) -> None:
    (problem,) = drained_ports(made({selector: DRAINED}))
    assert (problem.code, problem.where) == ("drain-alone", ("overrides", selector))
    assert '"train[0]": {state: drained}' in problem.fix
    assert list(drained_ports(made({FE: DRAINED, "be-leaf-000/Ethernet33/1": DRAINED, "train[0]": DRAINED}))) == []


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({MATE: DRAINED}, f"{MATE} is drained"),
        ({MATE: ABSENT}, f"{MATE} is absent"),
        ({"fe-leaf-001": DRAINED}, "fe-leaf-001 is drained"),
        ({"fe-leaf-001": DEAD}, "fe-leaf-001 is dead"),
        ({f"link:{MATE}": DEAD}, f"{MATE} is dead"),
    ],
)
def test_a_port_whose_mate_is_out_of_service_can_not_be_drained(other: dict[str, Any], why: str) -> None:
    """The renderer keeps it up, so it is not in the state that was asked for."""
    found = list(drained_ports(made({FE: DRAINED} | other)))
    assert (found[0].code, found[0].where) == ("drain-alone", ("overrides", FE))
    assert found[0].why.endswith(f"has no other port in service: {why}")
    assert len(found) == (2 if other == {MATE: DRAINED} else 1)
    assert list(drained_ports(made(other if other != {MATE: DRAINED} else {}))) == []


@pytest.mark.parametrize(
    "other", [{MATE: ABSENT}, {f"link:{MATE}": DEAD}, {MATE: ABSENT, "fe-leaf-001/Ethernet2/1": DRAINED}]
)
def test_server_ports_that_a_drained_leaf_keeps_up_are_counted(other: dict[str, Any]) -> None:
    (note,) = ports_left_up(made({"fe-leaf-000": DRAINED} | other))
    stay = "2 of its server ports stay up" if len(other) == 2 else "1 of its server ports stays up"
    assert (note.code, note.where) == ("ports-left-up", ("overrides", "fe-leaf-000"))
    assert note.what == f"fe-leaf-000 of frontend is drained, and {stay}"
    assert list(ports_left_up(made({"fe-leaf-000": DRAINED}))) == list(ports_left_up(made(other))) == []
    assert list(ports_left_up(made({"be-leaf-000": DRAINED}))) == []  # a NIC of a backend has no other port


@pytest.mark.parametrize("state", [DEAD, ABSENT])
def test_without_any_spine_leaves_are_cut_off(state: dict[str, str]) -> None:
    gone = made({"be-spine-*": state})
    assert [(one.code, one.where) for one in leaves_joined(gone)] == [("leaf-cut-off", ("overrides", "be-spine-*"))]
    assert list(spines_left(gone)) == list(missing_links(gone)) == []
    # A drained one still forwards: less than promised, and for the operator to accept.
    one_left = made({"be-spine-*": state, "be-spine-02": DRAINED})
    assert list(leaves_joined(one_left)) == []
    assert [one.code for one in spines_left(one_left)] == ["spines-drained"]
    assert list(leaves_joined(made({"be-spine-*": state, "train[0-191]": ABSENT}))) == []


def test_leaves_without_a_spine_in_common_are_cut_off() -> None:
    """A leaf of the storage pair has its uplinks 0 to 3 at spines 0 to 3."""
    ports = made({}).fabrics["frontend"].shape.groups[0].leaf.up
    assert len(ports) == 4
    away = [f"link:fe-leaf-00{leaf}/Ethernet{29 + up}/1" for leaf, up in ((0, 0), (0, 1), (1, 2), (1, 3))]
    found = list(leaves_joined(made(dict.fromkeys(away, DEAD))))
    assert {one.code for one in found} <= {"leaf-cut-off"}
    assert [one.what for one in found][:1] == ["fe-leaf-000 of frontend has no path to fe-leaf-001"]


def test_a_cut_off_leaf_can_not_be_waived() -> None:
    bare = plan({"waivers": [{"code": "leaf-cut-off", "reason": "it is mended tomorrow"}]})
    (problem,) = rules(bare.intent)
    assert problem.code == "waiver-refused"
    waivers = [{"code": code, "reason": "it is mended tomorrow"} for code in ("links-missing", "spines-drained")]
    assert "leaf-cut-off" in [one.code for one in run_plan_checks(made({"be-spine-*": DEAD}, waivers=waivers))]


@pytest.mark.parametrize(
    ("overrides", "where"),
    [
        ({"be-spine-01": DEAD}, ("overrides", "be-spine-01")),
        ({"be-spine-0[1]": ABSENT}, ("overrides", "be-spine-0[1]")),
        ({"be-leaf-000/Ethernet33/1": ABSENT}, ("overrides", "be-leaf-000/Ethernet33/1")),
        ({"link:be-spine-00/Ethernet1/1": DEAD}, ("overrides", "link:be-spine-00/Ethernet1/1")),
        ({"link:be-leaf-*/Ethernet33/1": ABSENT}, ("overrides", "link:be-leaf-*/Ethernet33/1")),
        ({"be-spine-0*": DEAD, "be-spine-00": {"state": "active"}}, ("overrides", "be-spine-0*")),
        ({"be-spine-01": DEAD, "be-leaf-000/Ethernet33/1": ABSENT}, ("overrides",)),
    ],
)
def test_missing_links_point_at_what_takes_them(overrides: dict[str, Any], where: tuple[str, ...]) -> None:
    found = list(missing_links(made(overrides)))
    assert found
    assert {one.where for one in found if one.what.startswith("be-leaf-000 ")} == {where}


def test_drained_spines_point_at_their_glob() -> None:
    (problem,) = spines_left(made({"be-spine-*": DRAINED}))
    assert problem.where == ("overrides", "be-spine-*")
    assert problem.about == tuple(f"be-spine-0{number}" for number in range(4))


@pytest.mark.parametrize(
    ("site", "title"),
    [
        ("superpod-b300", "all 4 spines of plane 0 of backend are drained"),
        ("three-tier-16k", "of pod 0 of backend are"),
    ],
)
def test_the_plane_or_pod_without_a_spine_is_named(site: str, title: str) -> None:
    """A fabric of two planes has other spines, which are in service."""
    whole = open_workspace(INVENTORIES / site / "intent.yaml").plan
    fabric = whole.fabrics["backend"]
    spines = [one for one in places(fabric) if one.tier is Tier.SPINE and (one.plane, one.pod) == (0, 0)]
    states = Exceptions(devices={name_of(fabric, one): "drained" for one in spines})
    drained = whole._replace(fabrics={**whole.fabrics, "backend": replace(fabric, exceptions=states)})
    (problem,) = spines_left(drained)
    assert title in problem.what
