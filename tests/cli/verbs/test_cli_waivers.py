"""Waivers at the command line: what is told, where, and that nothing is written where one waives nothing."""

import json
from pathlib import Path

import pytest

from fabricgen.cli.common.problems import counted
from tests.cli.conftest import Run
from tests.cli.sites import backend_only, tree
from tests.some import some

OVERRIDES = """
overrides:
  be-leaf-003: {mtu: 9100}
  be-leaf-003/Ethernet1/1: {headroom_octets: 200000}
waivers:
  - {code: headroom-low, where: be-leaf-003, reason: "measured, NET-1"}
"""
SECOND = '  - {code: mtu-differs, reason: "nobody sends these, NET-2"}\n'
NIGHT = 'scenarios:\n  night:\n    serving: {add: ["train[8-15]"]}\n'


@pytest.fixture
def site(intent: Path) -> Path:
    backend_only(intent)
    intent.write_text(intent.read_text() + OVERRIDES + SECOND)
    return intent


def test_validate_and_plan_tell_what_is_waived(run: Run, site: Path) -> None:
    told = run("validate", site)
    assert told.exit_code == 0
    place = f"{site}:{site.read_text().splitlines().index('  be-leaf-003: {mtu: 9100}') + 1}:22"
    assert f"{place}: waived[mtu-differs]: be-leaf-003 Ethernet33/1 and be-spine-00 " in told.stderr
    assert "  reason: nobody sends these, NET-2 (waivers[1])\n" in told.stderr
    assert f"\n{site}: no errors, 2 waived problems (" in told.stderr
    assert "no problems" not in told.stderr
    value = json.loads(run("validate", site, "--json").stdout)
    assert value["problems"] == []
    assert [(one["code"], one["reason"], one["waiver"]) for one in value["waived"]] == [
        ("headroom-low", "measured, NET-1", 0), ("mtu-differs", "nobody sends these, NET-2", 1)
    ]  # fmt: skip
    page = run("plan", site)
    assert page.exit_code == 0
    assert "\nWaived\n  headroom-low: be-leaf-003/Ethernet1/1 has only 200000 octets of headroom\n" in page.stdout
    assert "waived[headroom-low]" in page.stderr
    assert json.loads(run("plan", site, "--json").stdout)["waived"] == value["waived"]


def test_render_tells_them_once_and_writes(run: Run, site: Path, tmp_path: Path) -> None:
    told = run("render", site, "-o", tmp_path / "out")
    assert told.exit_code == 0
    assert [line for line in told.stderr.splitlines() if "  reason: " in line] == [
        "  reason: measured, NET-1 (waivers[0])", "  reason: nobody sends these, NET-2 (waivers[1])"
    ]  # fmt: skip
    assert (tmp_path / "out" / "be-leaf-003").is_dir()


def test_render_tells_them_as_values_too(run: Run, site: Path, tmp_path: Path) -> None:
    told = json.loads(run("render", site, "-o", tmp_path / "out", "--json").stdout)
    value = json.loads(run("validate", site, "--json").stdout)
    assert len(told["waived"]) == 2
    assert (told["waived"], told["notes"]) == (value["waived"], value["notes"])


@pytest.mark.parametrize("scenario", some(["night", "base"]))
def test_with_scenarios_waivers_are_judged_over_all(run: Run, intent: Path, tmp_path: Path, scenario: str) -> None:
    """Which waivers are of use is told once, by the verbs that look at every scenario."""
    out = tmp_path / "out"
    intent.write_text(intent.read_text() + OVERRIDES + SECOND + NIGHT)
    words = (("validate",), ("plan", "--scenario", scenario), ("render", "--scenario", scenario, "-o", out))
    for verb, *more in words:
        told = run(verb, intent, *more)
        assert told.exit_code == 0, told.stderr
        assert told.stderr.count("  reason: ") == 2
    intent.write_text(intent.read_text().replace("  be-leaf-003: {mtu: 9100}\n", ""))
    for verb, *more in words:
        told = run(verb, intent, *more)
        assert told.exit_code == 0
        assert (
            told.stderr.count(
                "warning[waiver-unused]: the waiver of mtu-differs has no effect: there is no such problem"
            )
            == 1
        )
    assert run("diff", intent, "--against", out, "--scenario", scenario).exit_code == 0


def test_a_problem_of_the_switches_that_is_not_waived_leaves_nothing(run: Run, site: Path, tmp_path: Path) -> None:
    site.write_text(site.read_text().replace(SECOND, ""))
    before = tree(site.parent)
    told = run("render", site, "-o", tmp_path / "out")
    assert told.exit_code == 1
    assert "error[mtu-differs]" in told.stderr
    assert not (tmp_path / "out").exists()
    assert tree(site.parent) == before


def test_a_waiver_without_a_problem_is_a_warning(run: Run, site: Path, tmp_path: Path) -> None:
    site.write_text(site.read_text().replace("  be-leaf-003: {mtu: 9100}\n", ""))
    for words in (("validate", site), ("plan", site), ("render", site, "-o", tmp_path / "out")):
        told = run(*words)
        assert told.exit_code == 0, words
        assert (
            "warning[waiver-unused]: the waiver of mtu-differs has no effect: there is no such problem" in told.stderr
        )
    assert (tmp_path / "out").exists()


def test_other_verbs_go_on_too(run: Run, site: Path, tmp_path: Path) -> None:
    assert run("render", site, "-o", tmp_path / "out").exit_code == 0
    assert run("diff", site, "--against", tmp_path / "out").exit_code == 0
    assert run("explain", site, "be-leaf-003").exit_code == 0


def test_explain_and_diff_show_an_override(run: Run, site: Path, tmp_path: Path) -> None:
    assert run("render", site, "-o", tmp_path / "out").exit_code == 0
    lines = run("explain", site, "be-leaf-003").stdout
    assert "mtu: 9100" in lines
    assert "headroom_octets: 200000" in lines
    site.write_text(site.read_text().replace("headroom_octets: 200000", "headroom_octets: 190000"))
    shown = run("diff", site, "--against", tmp_path / "out")
    assert shown.exit_code == 3
    assert "200000 octets → 190000 octets" in shown.stdout


@pytest.mark.parametrize(
    ("notes", "waived", "text"),
    [
        (0, 0, "no problems"),
        (1, 0, "no errors, 1 warning"),
        (12, 0, "no errors, 12 warnings"),
        (0, 1, "no errors, 1 waived problem"),
        (2, 3, "no errors, 2 warnings, 3 waived problems"),
    ],
)
def test_the_last_line_counts_what_was_printed(notes: int, waived: int, text: str) -> None:
    assert counted(notes, waived) == text
