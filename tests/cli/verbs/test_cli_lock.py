"""The lock as `fabricgen render` keeps it: written beside the intent, guarded, and rewritten on request only."""

import errno
import json
import os
import re
import shlex
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.intent.defaults import NEWEST
from fabricgen.output.writer import write_lock_file
from fabricgen.plan.lock import read_lock, write_lock
from fabricgen.plan.place import Tier
from fabricgen.source.document import read_document
from tests.cli.conftest import Run
from tests.cli.sites import backend_only, edit, rendered, stamps, tree
from tests.some import some


@pytest.fixture
def lock(intent: Path) -> Path:
    """Where the lock of the copy is, or will be."""
    return intent.parent / "fabricgen.lock"


def facts(lock: Path) -> list[str]:
    return [line for line in lock.read_text().splitlines() if line.startswith("- ")]


def test_locked_without_a_lock(intent: Path, lock: Path, tmp_path: Path, run: Run) -> None:
    result = run("render", intent, "-o", tmp_path / "out", "--locked")
    assert result.exit_code == 3
    assert [path.name for path in tmp_path.rglob("*")] == ["site", "intent.yaml"]
    assert "fabricgen.lock does not exist. If this site was rendered before, restore it: git " in result.stderr
    assert "Only for a new site, run render without --locked" in result.stderr
    run("render", intent, "-o", tmp_path / "out")
    assert result.stdout.splitlines() == [f"defaults: {NEWEST}", *facts(lock)]


def test_locked_prints_the_missing_lines_and_writes_nothing(intent: Path, lock: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    assert run("render", intent, "-o", out, "--locked").exit_code == 0
    whole = lock.read_text()
    # The lowest id above all others: a render gives the same again to the name that has lost the highest.
    cut = max((line for line in facts(lock) if "kind: " in line), key=lambda line: int(line.split("id: ")[1][:-1]))
    lock.write_text(whole.replace(f"{cut}\n", ""))
    before = stamps(tmp_path)
    result = run("render", intent, "-o", out, "--locked")
    assert (result.exit_code, result.stdout) == (3, f"{cut}\n")
    result = run("render", intent, "-o", out, "--locked", "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (3, {"missing": [cut], "moved": []})
    assert stamps(tmp_path) == before
    assert run("render", intent, "-o", out).exit_code == 0
    assert lock.read_text() == whole


def test_comments_and_line_ends_of_the_lock_are_the_users(intent: Path, lock: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    files = rendered(out)
    lock.write_bytes(lock.read_bytes().replace(b"\n", b"\r\n").replace(b"ids:", b"# agreed with finance\r\nids:"))
    mine = lock.read_bytes()
    assert run("render", intent, "-o", out, "--locked").exit_code == 0
    assert run("render", intent, "-o", out).exit_code == 0
    assert (rendered(out), lock.read_bytes()) == (files, mine)
    assert (out / ".fabricgen/inputs/fabricgen.lock").read_bytes() == mine


@pytest.mark.parametrize("words", ["fabric: backend, tier: leaf, ", "kind: network, name: research/hosts"])
def test_a_lost_line_is_refused_and_the_remedy_works(
    intent: Path, lock: Path, tmp_path: Path, run: Run, words: str
) -> None:
    """Other lines stand behind it, so what it numbers would get other numbers without a word."""
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    whole, files = lock.read_text(), tree(out)
    cut = next(line for line in facts(lock) if words in line)
    lock.write_text(whole.replace(f"{cut}\n", ""))
    result = run("render", intent, "-o", out, "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (result.exit_code, problem["code"]) == (1, "lock-lost")
    assert tree(out) == files
    assert problem["fix"].endswith(f": {cut}")
    lock.write_text(whole)
    assert run("render", intent, "-o", out).exit_code == 0
    assert tree(out) == files


def test_a_lost_lock_is_refused_and_the_remedy_works(intent: Path, lock: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out put"
    run("render", intent, "-o", out)
    text, files = lock.read_bytes(), tree(out)
    lock.unlink()
    result = run("render", intent, "-o", out, "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (result.exit_code, problem["code"]) == (1, "lock-lost")
    assert not lock.exists()
    assert tree(out) == files
    assert run("render", intent, "-o", tmp_path / "new").exit_code == 0  # an out without a history has lost nothing
    lock.unlink()
    subprocess.run(shlex.split(problem["fix"]), check=True)
    assert lock.read_bytes() == text
    assert run("render", intent, "-o", out, "--locked").exit_code == 0
    assert tree(out) == files


LEAVES = "fabric: backend, tier: leaf, "


CHANGES = (
    (LEAVES, "row: 0", "row: 1"),
    (LEAVES, "first: 0", "first: 5"),
    (LEAVES, "asn: 4201000000", "asn: 4201500000"),
    (LEAVES, "ipv4: 10.64.0.0/24", "ipv4: 10.64.64.0/24"),
    (LEAVES, "loopback4: 10.76.0.0/31", "loopback4: 10.78.0.0/31"),
    (LEAVES, "oob: 10.0.0.16", "oob: 10.0.0.160"),
    ("kind: network, name: research/hosts", "id: ", "id: 10"),
)
WAYS = ((), ("--locked",), ("--renumber", "frontend"))


@pytest.mark.parametrize(("more", "change"), some(product(WAYS, CHANGES), of=6))
def test_a_changed_line_is_refused_and_both_remedies_work(
    intent: Path, lock: Path, tmp_path: Path, run: Run, change: tuple[str, str, str], more: tuple[str, ...]
) -> None:
    """A merge that went wrong, or a hand: numbers of switches that run would be others, and nobody asked for it."""
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    files, (words, was, now) = tree(out), change
    (whole,) = (each for each in facts(lock) if words in each)
    wrong = whole.replace(was, now)
    edit(lock, whole, wrong)
    changed = lock.read_bytes()
    result = run("render", intent, "-o", out, "--json", *more)
    (problem,) = json.loads(result.stdout)["problems"]
    assert (result.exit_code, problem["code"], problem["file"]) == (1, "lock-moved", str(lock))
    assert lock.read_text().splitlines()[problem["line"] - 1] == wrong
    assert now in problem["what"].partition(", and ")[0]
    assert (tree(out), lock.read_bytes()) == (files, changed)
    assert run("render", intent, "-o", tmp_path / "new").exit_code == 0
    edit(lock, wrong, problem["fix"].partition("restore the earlier line: ")[2])
    assert run("render", intent, "-o", out, "--locked").exit_code == 0
    assert tree(out) == files


def test_a_changed_line_of_a_fabric_that_is_renumbered_is_no_fault(
    intent: Path, lock: Path, tmp_path: Path, run: Run
) -> None:
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    edit(lock, "asn: 4201000000,", "asn: 4201500000,")
    assert run("render", intent, "-o", out, "--renumber", "backend").exit_code == 0
    assert "asn: 4201000000," in lock.read_text()


@pytest.mark.parametrize("moved", [0, 1])
def test_a_line_cut_in_two_is_as_good_as_whole(intent: Path, lock: Path, tmp_path: Path, run: Run, moved: int) -> None:
    """Places are compared, not lines: the second half keeps its numbers, or has its AS numbers one further on."""
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    files, whole = rendered(out), read_lock(read_document(lock))
    leaves = next(one for one in whole.segments if (one.fabric, one.tier) == ("backend", Tier.LEAF))
    low = leaves.box.cut(2, leaves.box.su._replace(last=0))
    (high,) = leaves.box.without(low)
    size = low.size()
    assert leaves.ipv4 is not None
    second = leaves._replace(
        box=high,
        first=leaves.first + size,
        row=(leaves.row or 0) + size,
        asn=leaves.asn + size + moved * 1000,
        ipv4=leaves.ipv4._replace(start=leaves.ipv4.block(size)),
        ipv6=leaves.ipv6 and leaves.ipv6._replace(start=leaves.ipv6.block(size)),
        loopback4=leaves.identifiers._replace(start=leaves.identifiers.block(size)),
        loopback6=leaves.loopback6 and leaves.loopback6._replace(start=leaves.loopback6.block(size)),
        oob=leaves.oob + size,
    )
    others = tuple(one for one in whole.segments if one != leaves)
    lock.write_text(write_lock(whole._replace(segments=(leaves._replace(box=low), second, *others))))
    result = run("render", intent, "-o", out, "--json")
    codes = [problem["code"] for problem in json.loads(result.stdout).get("problems", [])]
    assert (result.exit_code, codes) == ((1, ["lock-moved"]) if moved else (0, []))
    assert rendered(out) == files


@pytest.mark.parametrize("followed", [False, True])
def test_a_rename_moves_no_number(intent: Path, lock: Path, tmp_path: Path, run: Run, *, followed: bool) -> None:
    """The tree before has the former name; the lock still has it too, or has followed in another folder."""
    backend_only(intent)
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    edit(intent, "\n  backend:\n", "\n  compute:\n    was: backend\n")
    if followed:
        assert run("render", intent, "-o", tmp_path / "elsewhere").exit_code == 0
        assert "backend" not in lock.read_text()
    whole = lock.read_bytes()
    edit(lock, "asn: 4201000000,", "asn: 4201500000,")
    result = run("render", intent, "-o", out, "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert problem["code"] == "lock-moved"
    line = problem["fix"].partition("restore the earlier line: ")[2]
    assert line in whole.decode().splitlines(), "under the name that the lock has"
    lock.write_bytes(whole)
    assert run("render", intent, "-o", out).exit_code == 0


@pytest.mark.parametrize("content", ["", "lock: 2\n", "lock: 1\nsegments:\n- {fabric: backend}\n", "<<<<<<< ours\n"])
def test_a_broken_lock_is_no_missing_lock(intent: Path, lock: Path, tmp_path: Path, run: Run, content: str) -> None:
    lock.write_text(content)
    result = run("render", intent, "-o", tmp_path / "out", "--json")
    assert result.exit_code == 1
    assert {problem["file"] for problem in json.loads(result.stdout)["problems"]} == {str(lock)}
    assert lock.read_text() == content


def grown(intent: Path, out: Path, run: Run) -> None:
    """Plan 64 servers first and 192 then: the backend's numbers lie in two runs, which one would do for."""
    backend_only(intent)
    edit(intent, "planned: 192", "planned: 64")
    assert run("render", intent, "-o", out).exit_code == 0
    edit(intent, "planned: 64", "planned: 192")
    assert run("render", intent, "-o", out).exit_code == 0


def test_a_box_made_wider_moves_what_is_not_in_its_corner(intent: Path, lock: Path, tmp_path: Path, run: Run) -> None:
    """With eight rails a unit instead of four, unit 3 begins four numbers further on, and unit 2 where it began."""
    out = tmp_path / "out"
    grown(intent, out, run)
    line = facts(lock)[-1]
    assert line.startswith(f"- {{{LEAVES}")
    assert "su: 2-5, rail: 0-3," in line
    edit(lock, line, line.replace("rail: 0-3,", "rail: 0-7,"))
    problems = json.loads(run("render", intent, "-o", out, "--json").stdout)["problems"]
    (problem,) = (problem for problem in problems if problem["code"] == "lock-moved")
    assert problem["fix"].endswith(f": {line}")


def test_renumbering_tells_each_value_that_moves(intent: Path, lock: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    grown(intent, out, run)
    before, files = lock.read_text(), rendered(out)
    dry = run("render", intent, "-o", out, "--renumber", "backend", "--locked")
    assert dry.exit_code == 3
    assert "would change. Run render --renumber backend without --locked, and commit the lock. New lines:" in dry.stderr
    assert (lock.read_text(), rendered(out)) == (before, files)
    result = run("render", intent, "-o", out, "--renumber", "backend", "--json")
    told = json.loads(result.stdout)
    assert result.exit_code == 0
    assert lock.read_text() != before
    assert len(facts(lock)) < before.count("\n- ")
    moved = [f"{move['device']}: {move['what']} {move['before']} -> {move['after']}" for move in told["moved"]]
    assert dry.stdout.splitlines()[: len(moved)] == moved
    # A switch of which a value moves has another file, and its old value is not what it says any more.
    assert {move["device"] for move in told["moved"]} <= {path.partition("/")[0] for path in told["written"]}
    again = json.loads(run("render", intent, "-o", out, "--renumber", "backend", "--json").stdout)
    assert (again["moved"], again["written"]) == ([], [])


def test_a_fabric_that_is_named_twice_is_renumbered_once(intent: Path, lock: Path, tmp_path: Path, run: Run) -> None:
    out, twice = tmp_path / "out", ("--renumber", "backend", "--renumber", "backend")
    assert run("render", intent, "-o", out).exit_code == 0
    lock.write_text(lock.read_text(encoding="utf-8").replace("asns: 4200000000", "asns: 4200000100"), encoding="utf-8")
    once = json.loads(run("render", intent, "-o", out, "--renumber", "backend", "--locked", "--json").stdout)
    assert once["moved"]
    assert json.loads(run("render", intent, "-o", out, *twice, "--locked", "--json").stdout) == once
    dry = run("render", intent, "-o", out, *twice, "--locked")
    assert "Run render --renumber backend without --locked" in dry.stderr


def test_of_two_unknown_fabrics_the_first_is_named(intent: Path, tmp_path: Path, run: Run) -> None:
    for first, second in (("one", "two"), ("two", "one")):
        result = run("render", intent, "-o", tmp_path / "out", "--renumber", first, "--renumber", second)
        assert f"unknown fabric {first}" in result.stderr


def test_renumbering_one_fabric_keeps_the_other(intent: Path, lock: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    # Numbers that a formula would not give: the backend's AS numbers begin further on.
    moved = lock.read_text().replace("asn: 4201000000,", "asn: 4201500000,")
    assert moved != lock.read_text()
    lock.write_text(moved)
    out = tmp_path / "moved"  # a new folder: the one before has the numbers of before, and would refuse these
    assert run("render", intent, "-o", out).exit_code == 0
    frontend = {path: content for path, content in rendered(out).items() if path.startswith("fe-")}
    result = run("render", intent, "-o", out, "--renumber", "backend")
    assert result.exit_code == 0
    assert "be-leaf-000: asn 4201500000 -> 4201000000" in result.stdout.splitlines()
    assert all(line.startswith("be-") for line in result.stdout.splitlines())
    kept = [line for line in facts(lock) if "fabric: frontend" in line]
    assert kept == [line for line in moved.splitlines() if "fabric: frontend" in line]
    assert frontend.items() <= rendered(out).items()


def test_renumbering_compares_switches_by_name(intent: Path, tmp_path: Path, run: Run) -> None:
    """With four rails per leaf be-leaf-002 serves other rails, and the name, AS number and router id are as before."""
    out = tmp_path / "out"
    assert run("render", intent, "-o", out).exit_code == 0
    before = rendered(out)
    shutil.copytree(out, tmp_path / "before")
    edit(intent, "rails_per_leaf: 2", "rails_per_leaf: 4")
    moved = json.loads(run("render", intent, "-o", out, "--renumber", "backend", "--json").stdout)["moved"]
    after = rendered(out)
    assert {move["device"] for move in moved} >= {"be-leaf-002", "be-leaf-003"}
    for move in moved:
        file = f"{move['device']}/startup-config"
        assert re.search(rf"\b{re.escape(move['before'])}\b", before[file].decode()), move
        assert re.search(rf"\b{re.escape(move['after'])}\b", after[file].decode()), move
    assert not [move for move in moved if move["device"] == "be-leaf-002" and move["what"] in ("name", "asn")]
    told = run("diff", intent, "--against", tmp_path / "before").stdout
    assert "Both removed and new, at another position with the same name: be-leaf-002…003\n" in told


def test_renumbering_where_the_lock_does_not_fit_the_intent(intent: Path, lock: Path, tmp_path: Path, run: Run) -> None:
    """What `validate` prints as the fix: 1:2 needs more uplinks than the leaves of the lock have.

    The folder tells the numbers of before; without one, no plan has them.
    """
    run("render", intent, "-o", tmp_path / "out")
    edit(intent, 'oversubscription: "3:1"', 'oversubscription: "1:2"')
    edit(intent, "planned: 192", "planned: 96")
    assert run("render", intent, "-o", tmp_path / "out").exit_code == 1
    before = lock.read_text()
    unlisted = "the lock does not fit the intent, so the values of frontend that change are not listed"
    dry = run("render", intent, "-o", tmp_path / "new", "--renumber", "frontend", "--locked")
    assert (dry.exit_code, unlisted in dry.stderr, lock.read_text() == before) == (3, True, True)
    result = run("render", intent, "-o", tmp_path / "out", "--renumber", "frontend")
    assert (result.exit_code, lock.read_text() != before) == (0, True)
    assert unlisted not in result.stderr
    assert "fe-border-01: block 10.128.0.8 -> 10.128.0.16" in result.stdout
    assert run("validate", intent).exit_code == 0


def test_renumbering_what_is_no_fabric(intent: Path, tmp_path: Path, run: Run) -> None:
    result = run("render", intent, "-o", tmp_path / "out", "--renumber", "bakcend")
    assert result.exit_code == 1
    assert "error[unknown-name]: unknown fabric bakcend" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_lock_that_is_a_link_stays_one(intent: Path, lock: Path, tmp_path: Path, run: Run) -> None:
    shared = tmp_path / "shared.lock"
    run("render", intent, "-o", tmp_path / "out")
    text = lock.read_text()
    shared.write_text(f"lock: 2\ndefaults: {NEWEST}\n")
    lock.unlink()
    lock.symlink_to("../shared.lock")
    assert run("render", intent, "-o", tmp_path / "new").exit_code == 0
    assert lock.is_symlink()
    assert shared.read_text() == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "out", "shared.lock", "site"]


def test_a_lock_that_can_not_be_written_is_told_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(_old: Path, _new: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(FabricError) as raised:
        write_lock_file(tmp_path / "fabricgen.lock", "lock: 1\n", None)
    assert [problem.code for problem in raised.value.problems] == ["lock-write"]
    assert raised.value.problems[0].fix.startswith(f"free space on the file system of {tmp_path}")
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_is_a_link_to_itself_is_refused(intent: Path, lock: Path, tmp_path: Path, run: Run) -> None:
    lock.symlink_to(lock)
    result = run("render", intent, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert str(lock) in result.stderr
    assert not (tmp_path / "out").exists()
