"""Remedies of dimensions are typed as printed, on sites as `init` writes them, until the intent is accepted.

Every choice is typed, not the first alone. What is not allowed: a circle, a dead end, more than three steps.
"""

import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple

import pytest
import yaml

from fabricgen.checks.catalogue import run_checks, run_plan_checks
from fabricgen.checks.link_loss import pairs_short
from fabricgen.checks.pools import former_prefix
from fabricgen.cli.init_choose import choose
from fabricgen.cli.init_model import Answers
from fabricgen.documents import load_document
from fabricgen.errors import Problem
from fabricgen.plan.lock import Id, Lock, read_lock, without_fabric, write_lock
from fabricgen.workspace import WorkspaceError, open_workspace
from tests.stability.test_standing_cables import BOX, H100, PODS, document_of, edited, site
from tests.typing_remedies import apply, choices

Document = dict[str, Any]
STEPS = 3
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
    "slower uplinks": {f"{FRONT}.uplink_gbps": 200},
    "rails alone": {f"{BACK}.design": "rail-only"},
    "pods without superspines": {f"{BACK}.units_per_pod": 2},
}


class State(NamedTuple):
    """An intent and the lock beside it; no lock where it was never rendered."""

    document: Document
    lock: Lock | None


@cache
def written(model: str, system: str) -> str:
    """What `init` writes with Enter at every other prompt."""
    answers = Answers(
        site="dc1", design="rail-optimized", model=model, servers=8, planned=0, system=system, frontend=True
    )
    return choose(answers).text


def changed(document: Document, edits: Mapping[str, object]) -> Document:
    new = deepcopy(document)
    for path, value in edits.items():
        *ahead, last = path.split(".")
        inside: Any = new
        for key in ahead:
            inside = inside[key]
        inside[last] = value
    return new


@pytest.fixture(name="problems")
def _problems(tmp_path: Any) -> Any:  # noqa: ANN401 - a function that is used as it is
    def problems(state: State) -> tuple[Problem, ...]:
        (tmp_path / "intent.yaml").write_text(json.dumps(state.document))  # no part is a name of another there
        lock = tmp_path / "fabricgen.lock"
        lock.unlink(missing_ok=True)
        if state.lock is not None:
            lock.write_text(write_lock(state.lock))
        try:
            return run_plan_checks(open_workspace(tmp_path / "intent.yaml").plan)
        except WorkspaceError as error:
            return error.problems

    return problems


def ways(state: State, problem: Problem) -> Iterator[State]:
    """The intent and lock behind each choice of a fix: keys written, and the fabric renumbered where that is said."""
    for piece in re.split(r", or (?=run |write |topology\.|spine|servers)| or (?=planned:)", problem.fix):
        command = re.search(r"run render --renumber ([a-z]+)", piece)
        lock = without_fabric(state.lock, command[1]) if command is not None and state.lock is not None else state.lock
        found = choices(piece.partition(" and run ")[0] if command is not None else piece).typed
        for typed in found:
            yield State(apply(state.document, problem, typed), lock)
        if command is not None and not found:
            yield State(state.document, lock)


def chains(state: State, problems: Any, codes: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:  # noqa: ANN401
    """Codes that are met on each way until nothing is refused; `dead end` where a fix has nothing to type."""
    found = problems(state)
    if not found:
        yield codes
        return
    if len(codes) == STEPS:
        yield (*codes, found[0].code, "too long")
        return
    following = list(ways(state, found[0]))
    if not following:
        yield (*codes, found[0].code, f"dead end: {found[0].fix}")
    for each in following:
        yield from chains(each, problems, (*codes, found[0].code))


@pytest.mark.parametrize("is_locked", [False, True], ids=["new", "rendered"])
@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("made", SITES, ids=lambda made: made[0])
def test_a_common_edit_is_led_to_an_accepted_intent(
    made: tuple[str, str],
    name: str,
    is_locked: bool,
    tmp_path: Any,  # noqa: ANN401
    problems: Any,  # noqa: ANN401
) -> None:
    text = written(*made)
    file = tmp_path / "first.yaml"
    file.write_text(text)
    lock = None
    if is_locked:
        recorded = write_lock(open_workspace(file).plan.lock)
        lock = read_lock(load_document(recorded, "fabricgen.lock"))
    state = State(changed(yaml.safe_load(text), EDITS[name]), lock)
    bad = [codes for codes in chains(state, problems) if codes and codes[-1].startswith(("too long", "dead end"))]
    assert bad == []


@pytest.mark.parametrize(
    ("counts", "fix"),
    [
        ((1, 4), "write superspines.now: 2 or 4"),
        ((1, 2), "write superspines.now: 2"),
        ((1, 1), "write topology.superspines: {now: 2, planned: 2}, or topology.superspines: {now: 2, planned: 4}"),
        ((3, 4), "write 2 or 4"),
        ((2, 5), "write 4 or 8"),
        ((4, 3), "write 4 or 8"),
    ],
)
def test_superspines_that_hold_are_offered(
    counts: tuple[int, int],
    fix: str,
    problems: Any,  # noqa: ANN401
) -> None:
    """Four pods of 64 links each under superspines of 128 ports; no more stand than numbers are laid out for."""
    now, planned = counts
    many = {"h100": {**H100, "slots": "0-31", "planned": 32}}
    pods = site({**PODS, "superspines": {"now": now, "planned": planned}})
    document = document_of(edited(pods, superspine=BOX, servers=many))
    (problem,) = problems(State(document, None))
    assert problem.fix == fix
    for remedy in choices(problem.fix).typed:
        assert problems(State(apply(document, problem, remedy), None)) == ()


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
        'write topology.oversubscription: "3:1", or write topology.spines: {now: 2, planned: 8} and run render '
        "--renumber frontend, which moves every number of frontend"
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
        ({"now": 4, "planned": 16}, "topology.spines.now: 16"),
        ({"now": 4, "planned": 4}, "topology.spines: {now: 16, planned: 16}"),
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
    assert note.fix.endswith(fix)
    (tmp_path / "intent.yaml").write_text(yaml.safe_dump(apply(state, note, typed[-1]), sort_keys=False))
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


def test_the_former_prefix_is_named(tmp_path: Any, problems: Any) -> None:  # noqa: ANN401
    text = written("dgx-b200", "eos-4.34")
    file = tmp_path / "first.yaml"
    file.write_text(text)
    lock = open_workspace(file).plan.lock
    edits = {"fabrics.backend.addressing.ipv4": "10.208.0.0/12"}
    (problem,) = problems(State(changed(yaml.safe_load(text), edits), lock))
    assert problem.fix.startswith("write 10.64.0.0/12, or run render --renumber backend, ")
    # A line that is gone from the middle of the prefix: nobody knows how long it was.
    lines = tuple(line for line in lock.segments if line.fabric != "backend" or line.group)
    assert former_prefix((lines[0]._replace(loopback4=lines[0].loopback4._replace(start=7)),), 32) == ""


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
    assert problem.fix.startswith("leave out relay_sources: of research and dhcp_relay: of its networks")
    del document["tenants"]["research"]["relay_sources"]
    del document["tenants"]["research"]["networks"]["hosts"]["dhcp_relay"]
    assert problems(State(document, lock)) == ()
