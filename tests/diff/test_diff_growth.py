"""Growth without movement, through the command line, on the intents of inventories/: what stands keeps its numbers.

Each case renders an inventory, edits its text, and asks `diff` what moved; the rendered files are read once more by a
witness of their own (growth_witness.py). A line of a table is printed for each (pytest -s).
"""

import json
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import pytest
from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.site.workspace import open_workspace
from tests.cli.sites import edit, rendered
from tests.diff.growth_cases import CASES, RESTORED, Change, frontend_spines, group, spines, train
from tests.diff.growth_witness import gone, read_tree, renamed
from tests.plan.recabling import recabling
from tests.some import some

INVENTORIES = Path(__file__).parents[2] / "inventories"
LOCK = "fabricgen.lock"


def told(*words: object, code: int = 0) -> str:
    """What a verb of the command line says, called in this process."""
    result = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout


def diff(intent: Path, out: Path, code: int = 3) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(told("diff", intent, "--against", out, "--json", code=code))
    return found


def change(intent: Path, edits: tuple[Change, ...]) -> None:
    for one in edits:
        if isinstance(one, tuple):
            edit(intent, *one)
        else:
            intent.write_text(one(intent.read_text()))


Seen = dict[tuple[str, tuple[Change, ...], bool], Path]


class Stand(Protocol):
    """How a site comes to stand."""

    def __call__(self, name: str, edits: tuple[Change, ...], *, lock: bool = True) -> tuple[Path, Path]:
        """Intent and tree of a site of this test's own."""


@pytest.fixture(scope="module")
def kept() -> Seen:
    """Sites that were rendered once, by inventory and edits."""
    return {}


@pytest.fixture
def stand(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, kept: Seen) -> Stand:
    """Copy an inventory, edit it and render it: its intent and its tree."""

    def site(name: str, edits: tuple[Change, ...], *, lock: bool = True) -> tuple[Path, Path]:
        if (name, edits, lock) not in kept:
            folder = tmp_path_factory.mktemp(name)
            for file in ("intent.yaml", *([LOCK] if lock else [])):
                shutil.copy(INVENTORIES / name / file, folder)
            change(folder / "intent.yaml", edits)
            told("render", folder / "intent.yaml", "--out", folder / "out")
            kept[name, edits, lock] = folder
        shutil.copytree(kept[name, edits, lock], tmp_path / "site")
        return tmp_path / "site/intent.yaml", tmp_path / "site/out"

    return site


@pytest.fixture(scope="module")
def changed() -> dict[str, Path]:
    """Copies of sites that were rendered again after the edits of a case, by its name."""
    return {}


def show(text: str) -> None:
    """Print a line of the table (pytest -s)."""
    sys.stdout.write(f"{text}\n")


def row(name: str, found: Mapping[str, Any]) -> str:
    """One line of the table."""
    switches = found["switches"]
    changed = max(switches["before"], switches["after"]) - switches["equal"]
    return (
        f"{name:<58} switches {switches['before']:>3} -> {switches['after']:>3}  changed {changed:>3}  "
        f"moved {len(found['moved']):>3}  recabled {len(found['recabled']):>4}"
    )


@pytest.mark.parametrize("name", some(CASES, of=24))
def test_nothing_that_stands_moves(name: str, stand: Stand, changed: dict[str, Path]) -> None:
    case = CASES[name]
    intent, out = stand(case.site, case.first, lock=case.lock)
    before, lock = read_tree(out), (intent.parent / LOCK).read_text().splitlines()
    change(intent, case.edits)
    found = diff(intent, out, code=0 if case.kind == "stays" else 3)
    show(row(name, found))
    for one in found["moved"]:
        show(f"    {one}")
    assert found["moved"] == []
    assert len(found["recabled"]) == case.recabled
    assert (found["whole"], found["text"]) == (True, [])

    told("render", intent, "--out", out)
    if name in RESTORED.values():
        changed[name] = shutil.copytree(intent.parent, intent.parent.with_name("changed"))
    assert diff(intent, out, code=0)["switches"]["before"] == found["switches"]["after"]
    if case.kind != "renames":
        assert set(lock) <= set((intent.parent / LOCK).read_text().splitlines()), "a line of the lock is gone"
    after = renamed(read_tree(out), case.names)
    assert before.keys() & after.keys()
    if case.kind != "shrinks":
        assert gone(before, after, recabled=case.recabled > 0) == []
    if case.kind != "grows":
        assert gone(after, before, recabled=case.recabled > 0) == []


@pytest.mark.parametrize("name", some(RESTORED, of=12))
def test_what_was_removed_comes_back_the_same(name: str, stand: Stand, changed: dict[str, Path]) -> None:
    """Byte for byte, with what was removed in between rendered away; and nothing is called moved on the way back."""
    case = CASES[RESTORED[name]]
    intent, out = stand(case.site, case.first, lock=case.lock)
    text, before = intent.read_text(), rendered(out)
    if RESTORED[name] in changed:
        shutil.rmtree(intent.parent)
        shutil.copytree(changed[RESTORED[name]], intent.parent)
    else:
        change(intent, case.edits)
        told("render", intent, "--out", out)
    assert rendered(out) != before or case.kind == "renames"
    if case.kind == "renames":
        # A name is taken back as it was given: by `was`.
        (new, old), *_ = case.names.items()
        intent.write_text(text.replace(f"  {old}:\n", f"  {old}:\n    was: {new}\n"))
    else:
        intent.write_text(text)
    found = diff(intent, out)
    show(row(name, found))
    assert found["moved"] == []
    assert len(found["recabled"]) == case.recabled
    told("render", intent, "--out", out)
    assert rendered(out) == before


@pytest.mark.parametrize(("now", "then"), some([(4, 8), (8, 16), (4, 16), (8, 4)]))
def test_spines_recable_what_the_plan_listed_and_no_more(now: int, then: int, stand: Stand) -> None:
    intent, out = stand("demo", (spines(now),) if now != 4 else ())
    listed = {
        f"{move.leaf} {move.leaf_port}: {move.from_spine} {move.from_port} -> {move.to_spine} {move.to_port}"
        for move in recabling(open_workspace(intent).plan, "backend", then)
    }
    page = json.loads(told("plan", intent, "--json"))
    growth = next(one["growth"] for one in page["fabrics"] if one["name"] == "backend")
    edit(intent, f"spines: {{now: {now},", f"spines: {{now: {then},")
    found = diff(intent, out)
    show(row(f"backend spines {now} to {then}, as listed", found))
    assert set(found["recabled"]) == listed
    assert len(found["recabled"]) == len(listed) > 0
    if growth["next_spines"] == then:
        assert growth["moved"] == len(listed)
    assert found["moved"] == []


def test_a_spine_that_was_never_planned_for_is_refused(stand: Stand) -> None:
    """Four uplinks fill the recorded blocks of the demo's frontend: no fifth has an address, and nothing moves."""
    intent, out = stand("demo", ())
    before = rendered(out)
    edit(intent, *frontend_spines(5))
    problems = json.loads(told("diff", intent, "--against", out, "--json", code=1))["problems"]
    assert {problem["code"] for problem in problems} == {"lock-misfit"}
    kept = (
        "write topology.spines: {now: 4, planned: 4}, or run fabricgen render INTENT --renumber frontend -o "
        "out (assigns the addresses of frontend again, also those of management ports, which inventory files have, and "
        "AS numbers: any of them may change)"
    )
    assert {problem["fix"] for problem in problems} == {kept}
    told("render", intent, "--out", out, code=1)
    assert rendered(out) == before


CSV = {
    "cables.csv": ["device,port,length_m,kind", "be-leaf-000,Ethernet33/1,12,", "be-leaf-001,Ethernet33/1,15,",
                   "fe-leaf-000,Ethernet29/1,9,"],
    "placement.csv": ["slot,hostname,rack,ru,serial,mac,state", "train[0],gpu-a,r1,1,,,",
                      "train[1],gpu-b,r1,9,,,absent", "store[0],disk-a,r2,1,,,"],
}  # fmt: skip


def test_the_order_of_rows_and_overrides_never_matters(stand: Stand) -> None:
    """CSV rows and overrides written in reverse: not one byte of the tree differs."""
    states = ["fe-leaf-000/Ethernet29/1: {state: drained}", "be-leaf-001/Ethernet34/1: {state: drained}"]

    def ordered(intent: Path, step: int, text: str) -> None:
        for file, (head, *rows) in CSV.items():
            (intent.parent / file).write_text("\n".join([head, *rows[::step]]) + "\n")
        overrides = "".join(f"  {state}\n" for state in states[::step])
        intent.write_text(
            text.replace("cables: {", "placement: placement.csv\ncables: {file: cables.csv, ", 1)
            + f"overrides:\n{overrides}"
        )

    intent, out = stand("demo", ())
    text, bare = intent.read_text(), rendered(out)
    ordered(intent, 1, text)
    told("render", intent, "--out", out)
    first = rendered(out)
    assert first != bare
    ordered(intent, -1, text)
    found = diff(intent, out, code=0)
    show(row("rows of CSV files and overrides in reverse", found))
    told("render", intent, "--out", out)
    assert rendered(out) == first


def test_numbers_given_anew_are_seen_by_both_witnesses(stand: Stand) -> None:
    """The printed set is looked at: a fabric that is renumbered after a removal shows every number that moves."""
    first = (train("0-31,64-95"), spines(8))
    intent, out = stand("demo", first)
    before = read_tree(out)
    shutil.copytree(out, out.parent / "before")
    edit(intent, train("0-31,64-95")[1], train("0-31,64-95", 96)[1])
    # The group now sorts behind another one, and the plan is smaller: a new lock lays it out otherwise.
    for one in group(train("0-31,64-95", 96)[1], "archive", "0-3"):
        edit(intent, *one)
    told("render", intent, "--out", out, "--renumber", "frontend")
    found = diff(intent, out.parent / "before")
    show(row("(render --renumber: moved on purpose)", found))
    owners = {one["owner"].split()[0] for one in found["moved"]}
    # The new group's leaves take the names of the first pair, which was the store's.
    assert {"owner": "fe-leaf-002", "what": "name", "before": "fe-leaf-000", "after": "fe-leaf-002"} in found["moved"]
    assert "fe-spine-00" in owners
    assert not {name for name in owners if name.startswith("be-")}
    lost = gone(before, read_tree(out))
    assert any(line.startswith("fe-leaf-000: ") for line in lost)
    assert not [line for line in lost if line.startswith("be-")]


def test_another_lock_is_seen_by_both_witnesses(stand: Stand) -> None:
    """A lock edited by hand: one leaf segment begins elsewhere, and every switch of it has other addresses."""
    intent, out = stand("demo", ())
    before, lock = read_tree(out), intent.parent / LOCK
    (line,) = (one for one in lock.read_text().splitlines() if "tier: leaf" in one and "fabric: backend" in one)
    (asn,) = re.findall(r"asn: (\d+)", line)
    edit(lock, line, line.replace(f"asn: {asn}", f"asn: {int(asn) + 5000}"))
    found = diff(intent, out)
    show(row("(another lock: moved on purpose)", found))
    moved = {(one["owner"], one["what"], int(one["after"]) - int(one["before"])) for one in found["moved"]}
    assert moved == {(f"be-leaf-{number:03}", "asn", 5000) for number in range(4)}
    told("render", intent, "--out", out.with_name("moved"))
    assert any("router bgp" in text for text in gone(before, read_tree(out.with_name("moved"))))


def test_the_witness_reads_both_platforms(stand: Stand) -> None:
    """It would say nothing of files it cannot read: so many numbers of each switch, counted in the intent."""
    _, out = stand("demo", ())
    found = read_tree(out)
    assert len(found) == 20
    # A backend leaf: 64 uplinks of two families and 64 host ports, each an address; 2 x 64 neighbors and more.
    addresses = [line for line in found["be-leaf-000"].lines if "address" in line[-1]]
    assert len([line for line in addresses if "Ethernet" in line[0]]) == 64 * 2 + 64
    assert ("interface Loopback0", "ip address 10.76.0.0/32") in addresses
    assert len([line for line in found["be-leaf-000"].lines if "remote-as" in line[-1]]) == 2 * 64


def test_the_witness_reads_frr(stand: Stand) -> None:
    _, out = stand("frr", ())
    found = read_tree(out)
    lines = found["fe-leaf-000"].lines
    assert ("iface eth0", "address 10.0.0.26/24") in lines
    assert ("router bgp 4202000002", "neighbor 10.128.0.17 remote-as 4202000006") in lines
    assert {line[-1] for line in lines if line[0] == "iface vni10007"} == {"vxlan-id 10007"}
