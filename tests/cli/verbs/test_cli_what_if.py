"""`fabricgen what-if`: text, JSON, floors, groups, a change; what it does not know; it writes nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import Result

from bench.sites import SIZES
from bench.sites import intent as intent_of
from tests.cli.conftest import Run


def document(result: Result) -> Any:  # noqa: ANN401 - JSON
    return json.loads(result.stdout)


def classes(found: Any, fabric: str) -> dict[str, Any]:  # noqa: ANN401 - JSON
    rows = next(each for each in found["fabrics"] if each["fabric"] == fabric)["classes"]
    return {" + ".join(row["parts"]): row for row in reversed(rows)}


def test_every_kind_of_failure_has_a_row(run: Run, intent: Path) -> None:
    found = document(run("what-if", intent, "--json"))
    rows = classes(found, "backend")
    assert rows["spine"]["count"] == 4
    assert rows["spine"]["outcome"] | {"hottest": 0} == {
        "gpus": 0,
        "servers": 0,
        "rails": 0,
        "narrowed": 0,
        "leaf": "3/4",
        "unit": "3/4",
        "fabric": "3/4",
        "hottest": 0,
        "apart": 0,
        "vteps": 0,
    }
    assert rows["spine"]["outcome"]["hottest"] == pytest.approx(4 / 3, abs=1e-6)
    assert (rows["leaf"]["count"], rows["leaf"]["outcome"]["gpus"]) == (4, 64)
    assert [each["name"] for each in found["fabrics"][0]["findings"]] == ["shared-cage"]
    assert (found["floor"], found["below"], found["worse"]) == (None, 0, None)


def test_the_table_fits_the_terminal(run: Run, intent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    told = run("what-if", intent).stdout
    table = told[told.index("failure") : told.index("What to do")]
    assert max(map(len, table.splitlines()[:10])) <= 120
    assert "backend: 256 GPUs, 1,321 parts that can fail, 1,321 failures" in told
    assert "narrowed: GPUs whose rail lost some of its ports, not all; no route: pairs of leaves; VTEPs: " in told
    assert "note[shared-cage]: one failed optic takes down several links" in told


def test_what_is_to_be_typed_is_valid(run: Run, intent: Path) -> None:
    told = run("what-if", intent).stdout
    line = next(line for line in told.splitlines() if line.startswith("  fix: type fabricgen what-if"))
    words = line.removeprefix("  fix: type fabricgen ").partition(" to see")[0].split()
    found = run(*words)
    assert found.exit_code == 0
    assert f"named parts ({words[-1].removeprefix('cage:')}, " in found.stdout.partition("What to do")[0]


def test_named_parts_fail_together(run: Run, intent: Path) -> None:
    words = ("--fail", "be-spine-00", "--fail", "be-spine-01", "--json")
    found = document(run("what-if", intent, *words))
    (fabric,) = found["fabrics"]
    (row,) = fabric["classes"]
    assert (row["parts"], row["count"], row["outcome"]["leaf"]) == (["named parts"], 1, "1/2")
    assert row["example"] == ["be-spine-00", "be-spine-01"]


def test_pairs_sum_to_all_of_them(run: Run, intent: Path) -> None:
    found = document(run("what-if", intent, "--pairs", "--json"))
    for fabric in found["fabrics"]:
        parts = fabric["parts"]
        assert fabric["failures"] == parts + parts * (parts - 1) // 2
    told = run("what-if", intent, "--pairs").stdout
    assert "Pairs that cost more than their two failures one by one (" in told


def test_a_floor_that_a_failure_falls_below_is_exit_code_3(run: Run, intent: Path) -> None:
    low, high = run("what-if", intent, "--floor", "1/2"), run("what-if", intent, "--floor", "0.6")
    assert (low.exit_code, high.exit_code) == (0, 3)
    # The leaves of a frontend are half of their unit.
    assert "Failures that leave less than 3/5 of some capacity: 6" in high.stdout
    assert "leaf (below the floor)" in " ".join(high.stdout.split())
    assert document(run("what-if", intent, "--floor", "0.6", "--json"))["below"] == 6


@pytest.mark.parametrize(
    ("lost", "exit_code", "least", "gpus"),
    [
        ("be-spine-*", 3, "0", 256),
        ("fe-spine-*", 3, "0", 256),
        # Servers whose leaf is dead want nothing any more: they are GPUs off, and no capacity is missing.
        ("be-leaf-*", 0, "1", 256),
    ],
)
def test_a_floor_is_broken_where_leaves_have_no_uplink_left(
    run: Run, intent: Path, lost: str, exit_code: int, least: str, gpus: int
) -> None:
    found = run("what-if", intent, "--fail", lost, "--floor", "3/4", "--json")
    (fabric,) = document(found)["fabrics"]
    outcome = fabric["classes"][0]["outcome"]
    shares = [outcome[name] for name in ("leaf", "unit", "fabric")]
    assert (found.exit_code, shares, outcome["gpus"]) == (exit_code, [least] * 3, gpus)


def test_groups_fail_together(run: Run, intent: Path, tmp_path: Path) -> None:
    groups = tmp_path / "groups.yaml"
    groups.write_text("groups:\n  feed-a: [be-spine-00, be-spine-01, fe-leaf-000]\n  rack-7: ['train[0-3]']\n")
    found = document(run("what-if", intent, "--groups", groups, "--json"))
    backend, frontend = classes(found, "backend"), classes(found, "frontend")
    assert backend["group feed-a"]["outcome"]["leaf"] == "1/2"
    assert frontend["group feed-a"]["outcome"]["vteps"] == 1
    assert backend["group rack-7"]["outcome"]["gpus"] == 32


def test_a_wrong_group_has_its_line(run: Run, intent: Path, tmp_path: Path) -> None:
    groups = tmp_path / "groups.yaml"
    groups.write_text("groups:\n  feed-a:\n  - be-spine-00\n  - be-spine-0x\n")
    found = run("what-if", intent, "--groups", groups)
    assert found.exit_code == 1
    assert f"{groups}:4:5: error[unknown-name]: unknown switch be-spine-0x" in found.stderr
    assert "fix: did you mean be-spine-0" in found.stderr
    groups.write_text("group:\n  feed-a: [be-spine-00]\n")
    found = run("what-if", intent, "--groups", groups)
    assert found.exit_code == 1
    assert f"{groups}:1:1: error[unknown-key]" in found.stderr


def test_racks_of_the_placement_file_are_groups(run: Run, intent: Path) -> None:
    intent.write_text(intent.read_text() + "placement: placement.csv\n")
    (intent.parent / "placement.csv").write_text("slot,rack\ntrain[0],A1\ntrain[1],A1\ntrain[2],A2\n")
    rows = classes(document(run("what-if", intent, "--json")), "backend")
    assert (rows["rack A1"]["outcome"]["gpus"], rows["rack A2"]["outcome"]["gpus"]) == (16, 8)


def test_a_change_says_what_is_worse(run: Run, intent: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.yaml"
    old.write_text(intent.read_text())
    same = run("what-if", intent, "--against", old)
    assert (
        same.exit_code,
        "No kind of failure is worse than before." in same.stdout,
    ) == (0, True)
    intent.write_text(intent.read_text().replace("spines: {now: 4, planned: 16}", "spines: {now: 2, planned: 16}"))
    found = run("what-if", intent, "--against", old)
    assert found.exit_code == 3
    assert "  backend: spine: 50.0 % left (75.0 % before), hottest link 2.000 (1.333 before)\n" in found.stdout
    worse = document(run("what-if", intent, "--against", old, "--json"))["worse"]
    assert ["spine"] in [each["parts"] for each in worse]


def test_groups_are_compared_with_themselves(run: Run, intent: Path, tmp_path: Path) -> None:
    old, groups = tmp_path / "old.yaml", tmp_path / "groups.yaml"
    old.write_text(intent.read_text().replace("slots: 0-31, planned: 192", "slots: 0-15, planned: 192"))
    groups.write_text("groups:\n  feed-a: [be-spine-00]\n  late: ['train[20]']\n")
    found = run("what-if", intent, "--against", old, "--groups", groups)
    lines = {line.split(":")[1].strip(): line for line in found.stdout.splitlines() if line.startswith("  backend: ")}
    # With half of the servers a lost spine costs nothing, and a slot without a server even less.
    assert lines["group feed-a"].endswith(": 75.0 % left (100 % before), hottest link 1.333 (0.667 before)")
    assert lines["group late"].endswith(": 8 GPUs off (0 before), hottest link 0.969 (0.500 before)")


@pytest.mark.long
def test_fabrics_of_one_side_are_named_and_not_compared(run: Run, intent: Path) -> None:
    """The demo without its frontend, and tenants with it."""
    one = intent.with_name("one.yaml")
    text = intent.read_text()
    one.write_text(text[: text.index("  frontend:\n")])
    assert yaml.safe_load(one.read_text())["fabrics"].keys() == {"backend"}
    for new, old, uncompared in (
        (one, intent, {"new": [], "gone": ["frontend"]}),
        (intent, one, {"new": ["frontend"], "gone": []}),
    ):
        found = document(run("what-if", new, "--against", old, "--json"))
        assert (found["worse"], found["uncompared"]) == ([], uncompared)
    told = run("what-if", one, "--against", intent).stdout
    assert told.endswith("No kind of failure is worse than before.\nnot compared: frontend is gone\n")
    one.write_text(one.read_text().replace("  backend:\n", "  other:\n"))
    told = run("what-if", one, "--against", intent).stdout
    assert "is worse than before" not in told
    assert told.endswith("not compared: other is new\nnot compared: backend is gone\nnot compared: frontend is gone\n")
    notes = json.loads(run("diff", intent, "--against", one, "--prove", "--json").stdout)["notes"]
    assert "failures not compared: backend is new" in notes
    assert not any("is worse than before" in note for note in notes)


def test_a_link_above_a_spine_may_be_worse_than_the_superspine(run: Run, tmp_path: Path) -> None:
    """Four links of 16 superspines: 4/3 of the share that leaves a pod, against 16/15; what the note types helps."""
    path = tmp_path / "intent.yaml"
    text = intent_of(next(size for size in SIZES if size.gpus == 102_400))
    path.write_text(text)
    found = document(run("what-if", path, "--json"))
    note = next(each for each in found["fabrics"][0]["findings"] if each["name"] == "one-link-worse")
    rows = classes(found, "backend0")
    one, whole = (rows[kind]["outcome"]["hottest"] for kind in ("spine-superspine link", "superspine"))
    assert one / whole == pytest.approx((4 / 3) / (16 / 15), abs=1e-3)
    assert f"loads the hottest link to {one:.3f}, the whole superspine lost to {whole:.3f}" in note["what"]
    overrides = yaml.safe_load(note["fix"].partition("write overrides: ")[2])
    lower = next(iter(overrides)).partition("/")[0]
    (lost,) = rows["spine-superspine link"]["example"]
    assert (len(overrides), lower) == (4, lost.partition("/")[0])
    away = {lost: {"state": "absent"}}
    # The last: the lost link comes back.
    for given, hottest in ((away, one), (overrides | away, whole), (overrides, whole)):
        path.write_text(text + yaml.safe_dump({"overrides": given}))
        base = document(run("what-if", path, "--json"))["fabrics"][0]["base"]
        assert base["hottest"] == pytest.approx(hottest, abs=1e-3)


def test_link_loss_may_come_from_an_override_of_the_fabric(run: Run, intent: Path) -> None:
    """4 spines and 16 links to each: keep 16/15, withdraw 4/3."""
    text = intent.read_text()
    for override, hottest in (("", 16 / 15), ("overrides: {backend: {link_loss: withdraw}}\n", 4 / 3)):
        intent.write_text(text.replace("load_balancing: dlb-flowlet", "load_balancing: ecmp") + override)
        rows = classes(document(run("what-if", intent, "--json")), "backend")
        assert rows["leaf-spine link"]["outcome"]["hottest"] == pytest.approx(hottest, abs=1e-6)


DEAD_STORE = """overrides:
  "link:fe-leaf-000/Ethernet1/1": {state: dead}
  "link:fe-leaf-001/Ethernet1/1": {state: dead}
"""
"""Both ports of store[0], a server without GPUs."""
DEAD_RAILS = """overrides:
  "link:be-leaf-000/Ethernet1/1": {state: dead}
  "link:be-leaf-001/Ethernet1/1": {state: dead}
"""


@pytest.mark.parametrize(
    ("overrides", "fabric", "lost", "text"),
    [
        (DEAD_RAILS, "backend", (2, 2, 0), "2 GPUs, 2 rails, 0 servers"),
        (DEAD_STORE, "frontend", (0, 1, 1), "0 GPUs, 1 rail, 1 server"),
    ],
)
def test_what_a_change_cuts_off_by_itself_is_worse(
    run: Run, intent: Path, overrides: str, fabric: str, lost: tuple[int, int, int], text: str
) -> None:
    """Failures count what they take in addition, so no single failure shows it."""
    gpus, rails, _ = lost
    old = intent.with_name("old.yaml")
    old.write_text(intent.read_text())
    intent.write_text(f"{intent.read_text()}{overrides}")
    told = run("what-if", intent, "--against", old)
    assert told.exit_code == 3
    assert f"Already cut off: {text}; narrowed: 0 GPUs." in told.stdout
    line = next(line for line in told.stdout.splitlines() if line.startswith(f"  {fabric}: no failure: "))
    wanted = f"{gpus} GPUs off (0 before)" if gpus else f"{rails} rail lost (0 before)"
    assert wanted in line
    found = document(run("what-if", intent, "--against", old, "--json"))
    base = next(row["base"] for row in found["fabrics"] if row["fabric"] == fabric)
    assert (base["gpus"], base["rails"], base["servers"]) == lost
    assert next(row for row in found["worse"] if row["parts"] == ["no failure"])["before"]["rails"] == 0


def test_a_drained_spine_is_the_base(run: Run, intent: Path) -> None:
    intent.write_text(intent.read_text() + "overrides:\n  be-spine-00: {state: drained}\n")
    found = document(run("what-if", intent, "--json"))
    backend = next(each for each in found["fabrics"] if each["fabric"] == "backend")
    assert backend["base"]["leaf"] == "3/4"
    spines = [row for row in backend["classes"] if row["parts"] == ["spine"]]
    assert sorted((row["outcome"]["leaf"], row["count"]) for row in spines) == [("1/2", 3), ("3/4", 1)]


AWAY = """overrides:
  "train[0]": {state: drained}
  "train[3-5]": {state: dead}
  be-spine-00: {state: drained}
  "link:be-leaf-000/Ethernet35/1": {state: dead}
"""


def test_what_is_out_of_service_is_named_and_has_nothing_to_lose(run: Run, intent: Path) -> None:
    """Four of 32 servers of eight GPUs; a drained server has no jobs to move."""
    old = intent.with_name("old.yaml")
    old.write_text(intent.read_text())
    intent.write_text(intent.read_text() + AWAY)
    told = run("what-if", intent, "--against", old).stdout
    assert "backend: 224 GPUs, " in told
    assert (
        "Out of service already: drained be-spine-00, train[0]; dead train[3-5]; links be-leaf-000/Ethernet35/1\n"
        in told
    )
    wanted = "fewer servers in service: backend has 28 servers with 224 GPUs; 32 with 256 GPUs before\n"
    assert wanted in told
    found = document(run("what-if", intent, "--against", old, "--json"))
    backend = found["fabrics"][0]
    assert (backend["gpus"], backend["servers"]) == (224, 28)
    assert backend["out_of_service"] == {
        "drained": ["be-spine-00", "train[0]"],
        "dead": ["train[3-5]"],
        "absent": [],
        "links": ["be-leaf-000/Ethernet35/1"],
    }
    assert found["smaller"][0] == {
        "fabric": "backend", "servers_before": 32, "servers": 28, "gpus_before": 256, "gpus": 224,
    }  # fmt: skip
    assert "This failure costs nothing: train[0]\n" in run("what-if", intent, "--fail", "train[0]").stdout


def test_a_base_below_the_floor_is_named(run: Run, intent: Path) -> None:
    """One of four spines is drained."""
    intent.write_text(intent.read_text() + "overrides:\n  be-spine-00: {state: drained}\n")
    told = {floor: run("what-if", intent, "--floor", floor).stdout for floor in ("4/5", "3/4")}
    line = "Without a failure backend has less than that already: 75.0 %\n"
    assert [line in told[floor] for floor in ("4/5", "3/4")] == [True, False]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--fail", "be-spine-00", "--pairs"), "--fail cannot be combined with --pairs, --groups or --against"),
        (("--against-scenario", "night"), "--against-scenario requires --against"),
        (("--against", "live"), "--against live is not possible"),
        (("--floor", "2"), "write a share of more than 0 and at most 1"),
    ],
)
def test_what_cannot_be_asked_together(run: Run, intent: Path, words: tuple[str, ...], told: str) -> None:
    found = run("what-if", intent, *words)
    assert (found.exit_code, told in found.stderr) == (2, True)


def test_an_unknown_name_says_what_to_type(run: Run, intent: Path) -> None:
    found = run("what-if", intent, "--fail", "be-spine-0x", "--json")
    (problem,) = json.loads(found.stdout)["problems"]
    assert (found.exit_code, problem["code"]) == (1, "unknown-name")
    assert problem["fix"].startswith("did you mean be-spine-0")


def test_nothing_is_written(run: Run, intent: Path) -> None:
    run("what-if", intent, "--pairs")
    assert [path.name for path in intent.parent.iterdir()] == ["intent.yaml"]


def test_what_a_change_narrows_is_worse(run: Run, intent: Path) -> None:
    """A server of eight GPUs has one of its two frontend ports left."""
    old = intent.with_name("old.yaml")
    old.write_text(intent.read_text())
    intent.write_text(f'{intent.read_text()}overrides: {{"link:fe-leaf-002/Ethernet1/1": {{state: dead}}}}\n')
    told = run("what-if", intent, "--against", old)
    assert told.exit_code == 3
    line = next(line for line in told.stdout.splitlines() if line.startswith("  frontend: no failure: "))
    assert line == "  frontend: no failure: 8 GPUs narrowed (0 before)"


def test_one_is_singular_and_no_table_is_empty(run: Run, intent: Path) -> None:
    intent.write_text(intent.read_text() + 'overrides: {"link:be-leaf-000/Ethernet1/1": {state: dead}}\n')
    told = run("what-if", intent, "--fail", "be-leaf-000/Ethernet2/1").stdout
    # Its link and its NIC fail no more: 1,321 less two. Their cages have another link.
    assert "backend: 256 GPUs, 1,319 parts that can fail, 1 failure computed\n" in told
    assert "Already cut off: 1 GPU, 1 rail, 0 servers; narrowed: 0 GPUs." in told
    nothing = run("what-if", intent, "--fail", "train[40]").stdout
    assert nothing == "train[40]: nothing is installed and in service there, so its failure costs nothing\n"
    assert "GPUs off" not in nothing
