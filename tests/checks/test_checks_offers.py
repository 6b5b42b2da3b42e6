"""Remedies of dimensions are typed as printed, on sites as `init` writes them, until the intent is accepted.

Every choice is typed, not the first alone. What is not allowed: a circle, a dead end, more than three steps.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.checks.catalogue import run_checks, run_plan_checks
from fabricgen.checks.dimensions.link_loss import pairs_short
from fabricgen.checks.numbers.pools import former_prefix
from fabricgen.checks.remedies.size import smaller_or_larger
from fabricgen.checks.remedies.trial import trial_of
from fabricgen.intent.scalars import Span
from fabricgen.plan.lock import Id, Lock, without_fabric, write_lock
from fabricgen.site.workspace import open_workspace
from tests.checks.edits import EDITS as SEARCHED
from tests.checks.searching import Search, State, changed, problems_in, recorded, written
from tests.some import some
from tests.stability.test_standing_cables import BOX, H100, PODS, document_of, edited, site
from tests.typing_remedies import apply, choices

SITES = (("dgx-b200", "eos-4.34"), ("gb300-nvl72", "frr-8.4"), ("gb200-nvl72", "nxos-10.5"))
"""Of different uplinks: spines of the backend as few as 2, and of the frontend as many as 4."""
BACK, FRONT = "fabrics.backend.topology", "fabrics.frontend.topology"
SERVERS = "servers.train"
EDITS: Mapping[str, Mapping[str, object]] = {
    "border leaves": {f"{FRONT}.border_leaves": 2},
    "a frontend without oversubscription": {f"{FRONT}.oversubscription": "1:1"},
    "a frontend of half the uplinks": {f"{FRONT}.oversubscription": "6:1"},
    "a backend of half the uplinks": {f"{BACK}.oversubscription": "2:1"},
    "more spines than are planned": {f"{FRONT}.spines.now": 5},
    "spines that do not divide": {f"{BACK}.spines.planned": 7},
    "more servers than are planned": {f"{SERVERS}.slots": "0-63"},
    "more servers than the spines take": {f"{SERVERS}.planned": 256},
    "another unit": {f"{BACK}.servers_per_unit": 8},
    "three rails a leaf": {f"{BACK}.rails_per_leaf": 3},
    "slower uplinks": {f"{FRONT}.uplink_gbps": 200},
    "rails alone": {f"{BACK}.design": "rail-only"},
    "planes of rails": {f"{BACK}.rails_per_plane": 1},
    "planes of rails that do not divide": {f"{BACK}.rails_per_plane": 3},
    "pods without superspines": {f"{BACK}.units_per_pod": 2},
}


OTHERS = (
    "S stand, 1024",
    "S are dgx-b300",
    "S are cpu-2x100",
    "S beside dgx-b300",
    "S beside dgx-b300, 400G",
    "B uplinks of 800",
    "B uplinks of 1600",
    "B is tor",
    "B is leaf-spine",
    "B no spine",
    "B superspine, no pods",
    "B pods of 8",
    "B pods of 1, planned 1024",
    "F no spine",
    "F uplinks of 100",
)
"""Edits of the search (`test_checks_search.py`) that were a dead end, a circle or too long a way once."""


@pytest.fixture(name="problems")
def _problems(tmp_path: Any) -> Any:  # noqa: ANN401 - a function that is used as it is
    return problems_in(tmp_path)


def searched(made: tuple[str, str], edit: Mapping[str, object], folder: Any, *, is_locked: bool) -> list[str]:  # noqa: ANN401
    """Ways from an edit that must not be."""
    text = written(*made)
    lock = recorded(text, folder) if is_locked else None
    state = State(changed(yaml.safe_load(text), edit), lock)
    return [str(way) for way in Search(problems_in(folder)).ways(state) if way.is_bad]


@pytest.mark.parametrize(("name", "is_locked", "made"), some(product(EDITS, [False, True], SITES), of=80))
def test_a_common_edit_is_led_to_an_accepted_intent(
    made: tuple[str, str],
    name: str,
    is_locked: bool,
    tmp_path: Any,  # noqa: ANN401
) -> None:
    assert searched(made, EDITS[name], tmp_path, is_locked=is_locked) == []


@pytest.mark.parametrize(("name", "is_locked"), some(product(OTHERS, [False, True]), of=9))
def test_a_larger_edit_is_led_to_an_accepted_intent(name: str, is_locked: bool, tmp_path: Any) -> None:  # noqa: ANN401
    assert searched(SITES[0], SEARCHED[name], tmp_path, is_locked=is_locked) == []


def test_rails_alone_that_outgrow_their_unit_are_led_to_spines(tmp_path: Path) -> None:
    """A rendered site of one unit: spines give each rail a plane, so its numbers change, and the fix says how."""
    made = ("dgx-h200", "cumulus-5.11", "rail-only")
    lock = recorded(written(*made), tmp_path)
    document = changed(yaml.safe_load(written(*made)), {f"{SERVERS}.planned": 64})
    (problem,) = problems_in(tmp_path)(State(document, lock))
    assert problem.code == "needs-spines"
    assert "run fabricgen render INTENT --renumber backend -o out" in problem.fix
    ways = Search(problems_in(tmp_path)).ways(State(document, lock))
    assert [str(way) for way in ways if way.is_bad] == []


@pytest.mark.parametrize(
    ("counts", "fix"),
    some(
        [
            ((1, 4), "write superspines.now: 2 or 4"),
            ((1, 2), "write superspines.now: 2"),
            ((1, 1), "write topology.superspines: {now: 2, planned: 2}, or topology.superspines: {now: 2, planned: 4}"),
            ((3, 4), "write now: 2 or 4"),
            ((2, 5), "write planned: 2 or 4 or 8 or 16 or 32 or 64"),
            ((4, 3), "write planned: 4 or 8 or 16 or 32 or 64"),
        ],
        of=2,
    ),
)
def test_superspines_that_hold_are_offered(
    counts: tuple[int, int],
    fix: str,
    problems: Any,  # noqa: ANN401
) -> None:
    """Four pods of 64 links each under superspines of 128 ports; no more stand than numbers are laid out for."""
    now, planned = counts
    many = {"h100": {**H100, "slots": "0-31", "planned": 32}}
    pods = site({**PODS, "superspines": {"now": now, "planned": planned}, "spine_uplinks": 64})
    document = document_of(edited(pods, superspine=BOX, servers=many))
    (problem,) = problems(State(document, None))
    assert problem.fix == fix
    for remedy in choices(problem.fix).typed:
        assert problems(State(apply(document, problem, remedy), None)) == ()


@pytest.mark.parametrize(
    ("counts", "fix"),
    [
        # 16 leaves of a pod need 16; 2 and 6 share multiples of 6, 5 and 7 those of 35; 11 and 13 none up to 112.
        ((2, 6), "write spine_uplinks: 18 or 24 or 30 or 36, or remove spine_uplinks"),
        ((5, 7), "write spine_uplinks: 35 or 70 or 105, or remove spine_uplinks"),
        ((11, 13), "write topology.spine_uplinks: 16 and topology.superspines: {now: 8, planned: 16}"),
    ],
)
def test_uplinks_that_superspines_share_are_offered(
    counts: tuple[int, int],
    fix: str,
    problems: Any,  # noqa: ANN401
) -> None:
    """10 uplinks of a spine are too few, and others have to be shared by the superspines of now and of later."""
    now, planned = counts
    pods = site({**PODS, "superspines": {"now": now, "planned": planned}, "spine_uplinks": 10})
    document = document_of(edited(pods, superspine=BOX))
    (problem,) = problems(State(document, None))
    assert problem.code == "uplinks-impossible"
    assert problem.fix.startswith(fix)
    for remedy in choices(problem.fix).typed:
        assert problems(State(apply(document, problem, remedy), None)) == ()


EOS = SITES[0]
RENUMBER = (
    "and then run fabricgen render INTENT --renumber backend -o out (assigns the addresses of backend again, also "
    "those of management ports, which inventory files have, and AS numbers: any of them may change)"
)
B300 = "leaf.model: arista-7060x6-32pe and spine.model: arista-7060x6-32pe and topology.spines: {now: 8, planned: 16}"
B_SPINES = "fabrics.backend.topology.spines: {now: 8, planned: 16}"
PRINTED: Mapping[tuple[str, bool], tuple[str, str]] = {
    # 16 servers per unit, and a port of 32 for each pod: 512 servers in pods of one unit, 1,024 in pods of two. The
    # frontend takes 8 leaves, in pairs of 24 servers, and so no more than 96.
    ("B pods of 1, planned 1024", False): (
        "too-many-pods",
        f"write servers.train.planned: 96 and {B_SPINES} (the most that all fabrics have room for), "
        f"or fabrics.backend.topology.units_per_pod: 2 and {B_SPINES}, "
        f"or fabrics.backend.superspine.model: arista-7060dx5-64s and {B_SPINES}, "
        f"or fabrics.backend.superspine.model: arista-7060x6-32pe and {B_SPINES}",
    ),
    ("B is tor", True): (
        "lock-misfit",
        "write topology.design: rail-optimized, or run fabricgen render INTENT --renumber backend -o out (assigns "
        "the addresses of backend again, also those of management ports, which inventory files have, and AS "
        "numbers: any of them may change)",
    ),
    # Cages of 400G at most on the one model, of 800G on the other.
    ("S beside dgx-b300", False): (
        "nic-planes",
        f"write topology.planes: 1 and topology.uplink_gbps: 800 and {B300}, or give train a fabric of its own",
    ),
    ("B uplinks of 1600", False): ("no-port-of-speed", "write topology.uplink_gbps: 400"),
    ("B superspine, no pods", False): (
        "units-per-pod",
        "write topology.units_per_pod: 2 and topology.spines: {now: 8, planned: 16}, or remove superspine",
    ),
    ("F no spine", True): ("no-spine", "write spine: {model: arista-7050cx4-24d8, os: eos-4.34}"),
    ("S stand, 1024", True): (
        "too-many-leaves",
        "write superspine: {model: arista-7060dx5-32, os: eos-4.34} and topology.units_per_pod: 2 "
        f"and topology.spines: {{now: 16, planned: 16}} {RENUMBER}",
    ),
}
"""An edit, and whether it is below a lock → the code that it meets, and the remedy that was tried."""


@pytest.mark.parametrize("case", PRINTED, ids=lambda case: f"{case[0]}-{'rendered' if case[1] else 'new'}")
def test_what_was_tried_is_printed(case: tuple[str, bool], tmp_path: Any, problems: Any) -> None:  # noqa: ANN401
    name, is_locked = case
    text = written(*EOS)
    lock = recorded(text, tmp_path) if is_locked else None
    found = problems(State(changed(yaml.safe_load(text), SEARCHED[name]), lock))
    code, fix = PRINTED[case]
    assert next(problem.fix for problem in found if problem.code == code) == fix


def test_cages_of_a_groups_own_leaves_have_another_model_for_the_group(problems: Any) -> None:  # noqa: ANN401
    """A QSFP56 has four lanes of 50G, a quarter of an 800G cage two of 100G: the other group's leaves are right."""
    box = {"model": "arista-7060dx5-64s", "os": "eos-4.34"}
    servers: dict[str, object] = {
        "train": {"model": "dgx-h100", "slots": "0-3"},
        "store": {"model": "storage-2x200", "slots": "0-3"},
    }
    fabric = {
        "kind": "frontend",
        "connects": {"train": "frontend", "store": "data"},
        "topology": {"design": "leaf-spine", "oversubscription": "3:1"},
        "leaf": box,
        "leaf_models": {"store": BOX["model"]},
        "spine": box,
        "addressing": {"ipv4": "10.64.0.0/12", "ipv6": "fd5e:8c1f:2a00::/52"},
        "asns": "4201000000-4201999999",
    }
    document = document_of({"servers": servers, "fabrics": {"frontend": fabric}})
    (problem,) = problems(State(document, None))
    assert (problem.code, problem.where) == ("no-medium", ("fabrics", "frontend", "leaf_models", "store"))
    first, *_ = choices(problem.fix).typed
    assert problem.fix.startswith("write fabrics.frontend.leaf_models.store: arista-")
    assert problems(State(apply(document, problem, first), None)) == ()


def two_groups(leaf: str, spine: str, topology: dict[str, object]) -> dict[str, object]:
    """A frontend alone: 60 of 120 storage nodes, whose leaves have the first rows on the spines, and 32 servers."""
    servers: dict[str, object] = {
        "store": {"model": "storage-2x200", "slots": "0-59", "planned": 120},
        "train": {"model": "dgx-h100", "slots": "0-31", "planned": 32},
    }
    fabric = {
        "kind": "frontend",
        "connects": {"train": "frontend", "store": "data"},
        "topology": {"design": "leaf-spine", "oversubscription": "1:1", **topology},
        "leaf": {"model": leaf, "os": "eos-4.34"},
        "spine": {"model": spine, "os": "eos-4.34"},
        "addressing": {"ipv4": "10.64.0.0/12", "ipv6": "fd5e:8c1f:2a00::/52"},
        "asns": "4201000000-4201999999",
    }
    cables = {"cables": {"default": {"server_leaf": 2}}}
    return {**document_of({"servers": servers, "fabrics": {"frontend": fabric}}), **cables}


def test_spines_that_have_no_port_for_the_last_row_are_not_offered(problems: Any) -> None:  # noqa: ANN401
    """12 servers per unit: 20 rows of store and 6 of train, 3 links each on two spines of 64 ports; 2 on three."""
    document = two_groups("arista-7060dx5-32", "arista-7060dx5-64s", {"uplinks": 6, "spines": {"now": 2}})
    (problem,) = problems(State(document, None))
    assert problem.code == "illegal-spine-count"
    assert problem.fix == "write topology.spines: {now: 3, planned: 3}, or topology.spines: {now: 3, planned: 6}"
    for remedy in choices(problem.fix).typed:
        assert problems(State(apply(document, problem, remedy), None)) == ()


def test_cages_of_800g_may_be_split_for_spines_of_400g(problems: Any) -> None:  # noqa: ANN401
    """Whole cages of the leaf have 800G, which the spine has not; halves have 400G, as the spine."""
    document = two_groups("arista-7060x6-64pe", "arista-7060dx5-64s", {})
    del document["servers"]["store"], document["fabrics"]["frontend"]["connects"]["store"]  # type: ignore[index]
    (problem,) = problems(State(document, None))
    assert problem.code == "no-common-speed"
    first, *_ = choices(problem.fix).typed
    assert problem.fix.startswith("write topology.uplink_gbps: 400")
    assert problems(State(apply(document, problem, first), None)) == ()


@pytest.mark.parametrize("planned", [1024, 4096])
def test_two_fabrics_offer_one_number_of_servers(planned: int, tmp_path: Any, problems: Any) -> None:  # noqa: ANN401
    """The servers of one group are in both fabrics: what both fixes say is typed, and the intent is accepted.

    The backend takes 32 leaves, 8 for each 16 servers: 64 servers. The frontend takes 8, 2 for each 24: 96.
    """
    document = changed(yaml.safe_load(written(*EOS)), {f"{SERVERS}.planned": planned})
    found = problems(State(document, None))
    assert [problem.where[1] for problem in found] == ["backend", "frontend"]
    first = [choices(problem.fix).typed[0] for problem in found]
    assert {remedy.value for remedy in first} == {64}
    for problem, remedy in zip(found, first, strict=True):
        document = apply(document, problem, remedy)
    assert problems(State(document, None)) == ()


def test_counts_that_the_lock_refuses_are_not_offered(tmp_path: Any, problems: Any) -> None:  # noqa: ANN401
    """The demo with half the ratio: 8 uplinks per leaf ask for more than 4 spines, but the lock has blocks for 4."""
    folder = Path(__file__).parents[2] / "inventories/demo"
    lock = open_workspace(folder / "intent.yaml").plan.lock
    document = changed(yaml.safe_load((folder / "intent.yaml").read_text()), {f"{FRONT}.oversubscription": "2:1"})
    (problem,) = problems(State(document, lock))
    assert (problem.code, problem.fix) == (
        "illegal-spine-count",
        'write topology.oversubscription: "3:1", or write topology.spines: {now: 6, planned: 6} and then run fabricgen '
        "render INTENT --renumber frontend -o out (assigns the addresses of frontend again, also those of management "
        "ports, which inventory files have, and AS numbers: any of them may change)",
    )


def test_cages_that_nothing_joins_have_another_speed(tmp_path: Any, problems: Any) -> None:  # noqa: ANN401
    """A cage of 400G in four parts and one of 200G in two: the parts of the library join whole cages."""
    document = yaml.safe_load(written(*EOS))
    edit = {**SEARCHED["F uplinks of 100"], f"{FRONT}.spines": {"now": 2, "planned": 4}}
    document = changed(document, edit)
    (problem,) = problems(State(document, None))
    assert problem.code == "no-medium"
    assert problem.fix.startswith("write fabrics.frontend.topology.uplink_gbps: 400, or fabrics.frontend.leaf.model: ")
    assert problem.fix.endswith(", or add a part to hardware/media.yaml beside the intent")
    typed = choices(problem.fix).typed
    assert len(typed) == 2
    for remedy in typed:
        assert problems(State(apply(document, problem, remedy), None)) == ()


def test_what_does_not_help_is_not_offered(problems: Any) -> None:  # noqa: ANN401
    """48 servers do not fit one unit of 32: without spines there is nothing to be."""
    document = yaml.safe_load(written(*EOS))
    spine = document["fabrics"]["backend"].pop("spine")
    document["fabrics"]["backend"]["topology"] = {"design": "rail-only", "spines": {"now": 2}}
    (problem,) = problems(State(document, None))
    add = f"write fabrics.backend.spine: {{model: {spine['model']}, os: {spine['os']}}}"
    assert (problem.code, problem.fix) == ("no-spine", add)
    document["servers"]["train"]["planned"] = 16
    (problem,) = problems(State(document, None))
    assert problem.fix == f"{add}, or remove topology.spines"


def test_the_most_servers_are_said_where_no_model_takes_all(tmp_path: Any) -> None:  # noqa: ANN401
    """Three tiers of R = 32 ports take R**3 / 4 = 8192 NICs, the eight of 1024 servers; two take 64 servers."""
    file = tmp_path / "intent.yaml"
    file.write_text(written(*EOS))
    made = open_workspace(file).plan
    box = made.catalog.switches["arista-7060dx5-32"]
    files = {box.model: made.catalog.switches.files[box.model]}
    shelf = replace(made.catalog, switches=replace(made.catalog.switches, files=files))
    trial = trial_of(made._replace(catalog=shelf), "backend")
    trial = trial.on_group("train", slots=(Span(0, 8191),), planned=8192)
    assert smaller_or_larger(trial) == (
        'write servers.train.slots: "0-63" and servers.train.planned: 64 and topology.spines: {now: 16, planned: 16} '
        "(no model of the library for eos has room for all of them: the largest, "
        "arista-7060dx5-32, has 32 ports of 400G)"
    )
    fitting = trial.on_group("train", slots=(Span(0, 1023),), planned=1024)
    assert "superspine: {model: arista-7060dx5-32" in smaller_or_larger(fitting)


def test_an_overcommitment_holds_for_all_switches(problems: Any) -> None:  # noqa: ANN401
    """Leaves of 800G promise more than those of 400G, by the maker's leave: a lower number would take it away."""
    document = changed(yaml.safe_load(written(*EOS)), SEARCHED["S beside dgx-b300, 400G"])
    topology = {"planes": 1, "spines": {"now": 8, "planned": 16}}
    models = {f"fabrics.backend.{role}.model": "arista-7060x6-64pe" for role in ("leaf", "spine")}
    document = changed(document, {**{f"{BACK}.{key}": value for key, value in topology.items()}, **models})
    (problem,) = problems(State(document, None))
    (remedy,) = choices(problem.fix).typed
    assert problem.code == "headroom-pool"
    assert "of another switch of it" in problem.fix
    assert problems(State(apply(document, problem, remedy), None)) == ()


def test_8192_servers_that_stand_have_another_model(tmp_path: Any) -> None:  # noqa: ANN401
    """More than three tiers of the 32 ports that the site begins with: three of 64 take them."""
    many = {"servers.train.slots": "0-8191", "servers.train.planned": 8192}
    edit = {**many, "management.oob": "100.64.0.0/10", "management.gateway": "100.64.0.1"}
    assert searched(EOS, edit, tmp_path, is_locked=False) == []


def test_a_recorded_ratio_is_named(tmp_path: Any, problems: Any) -> None:  # noqa: ANN401
    """Below a lock no count of spines makes 1:1 of 3:1: the ratio has to stay, or every number moves.

    At 1:1 a leaf has 8 uplinks, and 6 leaves of two links each do not fit the 8 ports of one of 4 spines.
    """
    text = written("dgx-b200", "eos-4.34")
    file = tmp_path / "first.yaml"
    file.write_text(text)
    lock = open_workspace(file).plan.lock
    edits = EDITS["a frontend without oversubscription"]
    (problem,) = problems(State(changed(yaml.safe_load(text), edits), lock))
    assert problem.fix == (
        'write topology.oversubscription: "3:1", or write topology.spines: {now: 2, planned: 8} and then run fabricgen '
        "render INTENT --renumber frontend -o out (assigns the addresses of frontend again, also those of management "
        "ports, which inventory files have, and AS numbers: any of them may change)"
    )


def test_a_row_that_no_spine_has_is_told_with_both_counts(tmp_path: Any, problems: Any) -> None:  # noqa: ANN401
    """Two border leaves behind four recorded leaves: with 4 planned spines 2 of today have no port for row 5."""
    text = written("dgx-b200", "eos-4.34")
    file = tmp_path / "first.yaml"
    file.write_text(text)
    lock = open_workspace(file).plan.lock
    (problem,) = problems(State(changed(yaml.safe_load(text), EDITS["border leaves"]), lock))
    assert problem.code == "illegal-spine-count"
    (first, *_) = choices(problem.fix).typed
    assert first.value == {"now": 4, "planned": 4}


@pytest.mark.parametrize(
    ("spines", "fix"),
    [
        ({"now": 4, "planned": 16}, "fabrics.backend.topology.spines.now: 16 (12 more switches"),
        ({"now": 4, "planned": 4}, "fabrics.backend.topology.spines: {now: 16, planned: 16} (12 more switches"),
    ],
)
def test_one_link_a_pair_is_told_with_the_planned_count(
    spines: dict[str, int],
    fix: str,
    tmp_path: Any,  # noqa: ANN401
) -> None:
    """Sixteen uplinks on four spines: sixteen spines have one each, which have to be planned, too."""
    text = yaml.safe_load(written("dgx-b200", "eos-4.34"))
    state = changed(text, {f"{BACK}.spines": spines, f"{SERVERS}.planned": 16})
    (tmp_path / "intent.yaml").write_text(yaml.safe_dump(state, sort_keys=False))
    made = open_workspace(tmp_path / "intent.yaml").plan
    (note,) = pairs_short(made)
    typed = choices(note.fix).typed
    assert fix in note.fix
    assert note.fix.endswith(
        ', or waivers: [{code: pair-short, reason: "why it is acceptable"}] (at the top level of the intent)'
    )
    for choice in typed[:-1]:  # one link per pair, or more than are reported
        (tmp_path / "intent.yaml").write_text(yaml.safe_dump(apply(state, note, choice), sort_keys=False))
        changed_plan = open_workspace(tmp_path / "intent.yaml").plan
        assert (run_plan_checks(changed_plan), list(pairs_short(changed_plan))) == ((), [])


@pytest.mark.parametrize("links", ["addressing.ipv6", "links: [ipv4]"])
def test_a_prefix_that_was_taken_out_is_named_again(links: str, tmp_path: Any, problems: Any) -> None:  # noqa: ANN401
    """Below a lock only the former prefix holds its numbers; without IPv6 what the lock has of it is not rendered."""
    text = written("dgx-b200", "eos-4.34")
    file = tmp_path / "first.yaml"
    file.write_text(text)
    lock = open_workspace(file).plan.lock
    document = yaml.safe_load(text)
    former = document["fabrics"]["backend"]["addressing"].pop("ipv6")
    (problem,) = problems(State(document, lock))
    assert problem.fix == f'write addressing.ipv6: "{former}", or write links: [ipv4]'
    typed = next(one for one in choices(problem.fix).typed if one.key[-1] in links)
    fixed = apply(document, problem, typed)
    assert problems(State(fixed, lock)) == ()
    file.write_text(yaml.safe_dump(fixed, sort_keys=False))
    (tmp_path / "fabricgen.lock").write_text(write_lock(lock))
    made = open_workspace(file).plan
    assert run_checks(made) == ()
    assert write_lock(made.lock) == write_lock(lock)


@pytest.mark.parametrize(
    ("edits", "lines", "fix"),
    [
        # The frontend was changed: its numbers in the lock are no longer in its range.
        ({"frontend": "4201000000-4201000999"}, ("backend", "frontend"), "asns: 4202000000-4202000999 for frontend ("),
        ({"backend": "4202000000-4202000999"}, ("backend", "frontend"), "asns: 4201000000-4201000999 for backend ("),
        # The fabric that the lock has keeps its range; the other one is new.
        ({"backend": "4202000000-4202000999"}, ("frontend",), "asns: 4203000000-4203999999 for backend,"),
        ({"frontend": "4201000000-4201000999"}, ("backend",), "asns: 4202000000-4202999999 for frontend,"),
        ({"frontend": "4201000000-4201000999"}, (), "asns: 4202000000-4202999999 for backend,"),
    ],
)
def test_a_range_of_as_numbers_is_changed_where_the_lock_has_none_in_it(
    edits: dict[str, str],
    lines: tuple[str, ...],
    fix: str,
    tmp_path: Path,
    problems: Any,  # noqa: ANN401
) -> None:
    text = written("dgx-b200", "eos-4.34")
    file = tmp_path / "first.yaml"
    file.write_text(text)
    lock = open_workspace(file).plan.lock
    for name in {"backend", "frontend"} - {*lines}:
        lock = without_fabric(lock, name)
    document = changed(yaml.safe_load(text), {f"fabrics.{name}.asns": asns for name, asns in edits.items()})
    (problem,) = problems(State(document, lock))
    assert (problem.code, problem.fix.startswith(f"write {fix}")) == ("asns-overlap", True), problem.fix
    assert problem.where == ("fabrics", fix.rstrip(" (,").rpartition(" ")[2], "asns")
    typed = choices(problem.fix).typed[0]
    assert problems(State(apply(document, problem, typed), lock)) == ()


@pytest.mark.parametrize("asns", [None, "x", "1-2", "64512-65535"])
def test_an_example_of_as_numbers_is_free_in_the_intent(asns: str | None, problems: Any) -> None:  # noqa: ANN401
    document = yaml.safe_load(written("dgx-b200", "eos-4.34"))
    document["fabrics"]["frontend"]["asns"] = asns
    if asns is None:
        del document["fabrics"]["frontend"]["asns"]
    (problem,) = problems(State(document, None))
    example = "64512-65534" if asns == "64512-65535" else "4202000000-4202999999"
    assert example in problem.fix
    document["fabrics"]["frontend"]["asns"] = example
    assert problems(State(document, None)) == ()


def test_the_former_prefix_is_named(tmp_path: Any, problems: Any) -> None:  # noqa: ANN401
    text = written("dgx-b200", "eos-4.34")
    file = tmp_path / "first.yaml"
    file.write_text(text)
    lock = open_workspace(file).plan.lock
    edits = {"fabrics.backend.addressing.ipv4": "10.208.0.0/12"}
    (problem,) = problems(State(changed(yaml.safe_load(text), edits), lock))
    assert problem.fix.startswith("write 10.64.0.0/12, or run fabricgen render INTENT --renumber backend -o out (")
    # A line that is gone from the middle of the prefix: nobody knows how long it was.
    lines = tuple(line for line in lock.segments if line.fabric != "backend" or line.group)
    assert former_prefix((lines[0]._replace(loopback4=lines[0].identifiers._replace(start=7)),), 32) == ""


@pytest.mark.parametrize("last", ["ids", "loopback"])
def test_a_line_that_nothing_has_is_deleted(last: str, tmp_path: Any, problems: Any) -> None:  # noqa: ANN401
    """`--renumber` keeps ids; what helps is to take the line of a removed tenant out of the lock."""
    text = written("dgx-b200", "eos-4.34")
    document = yaml.safe_load(text)
    document["tenants"]["research"]["relay_sources"] = ["172.30.0.0/24"]
    document["tenants"]["research"]["networks"]["hosts"]["dhcp_relay"] = ["172.30.1.10"]
    old = Id("frontend", "vrf", "old", 65535 if last == "ids" else 2090)
    code = "ids-exhausted" if last == "ids" else "relay-loopback"
    found = problems(State(document, Lock(ids=(old,))))
    problem = next(each for each in found if each.code == code)
    assert f"delete the line of old (id {old.id}) under ids: in fabricgen.lock" in problem.fix
    assert problems(State(document, without_fabric(Lock(ids=(old,)), "frontend"))) != (), "--renumber frees none"
    assert problems(State(document, Lock())) == ()


def test_an_id_in_use_is_not_to_be_deleted(tmp_path: Any, problems: Any) -> None:  # noqa: ANN401
    text = written("dgx-b200", "eos-4.34")
    document = yaml.safe_load(text)
    document["tenants"]["research"]["relay_sources"] = ["172.30.0.0/24"]
    document["tenants"]["research"]["networks"]["hosts"]["dhcp_relay"] = ["172.30.1.10"]
    lock = Lock(ids=(Id("frontend", "vrf", "research", 2500), Id("frontend", "network", "research/hosts", 1)))
    (problem,) = problems(State(document, lock))
    assert problem.code == "relay-loopback"
    assert problem.fix.startswith("remove relay_sources: of research and dhcp_relay: of its networks")
    del document["tenants"]["research"]["relay_sources"]
    del document["tenants"]["research"]["networks"]["hosts"]["dhcp_relay"]
    assert problems(State(document, lock)) == ()
