"""`fabricgen prove-platform` as it is typed: against a double of EOS, whose way of working is all that is looked at."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.cli.prove_platform.command import STEPS
from fabricgen.prove.killing import Killing
from fabricgen.prove.steps import steps_of
from fabricgen.push.switch.switch import Candidate
from tests.doubles.eapi_sessions import switch
from tests.doubles.eos_sessions import NEW, Session, Switch
from tests.doubles.eos_tree import copied, grown
from tests.push.boxed import CANARY, LOGIN, at, committing, fleet, inventory
from tests.push.switch import test_box_eos as eos

RUNS = eos.BEFORE.replace("interface Loopback0", "interface Management1\n   description way in\n!\ninterface Loopback0")
WAYS = ("--skip", "kill", "--skip", "kill-committing", "--hold", 5)


@pytest.fixture
def box() -> Iterator[Switch]:
    with switch(RUNS, login=LOGIN, release=NEW) as found:
        found.startup = copied(found.running)
        yield found


@pytest.fixture
def site(box: Switch, tmp_path: Path) -> Path:
    return inventory(tmp_path / "site", {"leaf": box.port}, "eos", transport="http")


def typed(*words: object) -> Result:
    result = CliRunner().invoke(main, ["prove-platform", *map(str, words)], catch_exceptions=False)
    assert CANARY not in result.output + result.stderr
    assert eos.HASH not in result.output + result.stderr
    return result


def test_without_commit_the_plan_is_shown_and_nothing_is_committed(box: Switch, site: Path) -> None:
    shown = typed("-i", site, "--port", "Ethernet1")
    assert shown.exit_code == 3, shown.stderr
    assert "leaf: eos" in shown.stdout
    assert "    + ip prefix-list FABRICGEN-PROVE" in shown.stdout
    assert "+ interface Ethernet1" in shown.stdout
    assert "session          no --session was given" in shown.stdout
    assert "Dry run, nothing was changed. Add --commit to run the test." in shown.stdout
    assert not [line for line in box.asked if line.startswith(("commit", "write", "copy"))]
    assert (box.running, box.startup, box.sessions) == (grown(RUNS), grown(RUNS), {})


def test_the_plan_as_json_has_every_step(box: Switch, site: Path) -> None:
    shown = typed("-i", site, "--json", "--skip", "revert")
    plan = json.loads(shown.stdout)
    assert (shown.exit_code, plan["platform"], plan["hold"]) == (3, "eos", 60)
    assert [row["name"] for row in plan["steps"]] == ["read", *STEPS]
    assert next(row["left_out"] for row in plan["steps"] if row["name"] == "revert") == "skipped by --skip"
    assert box.running == grown(RUNS)


def test_names_of_steps_are_those_that_can_be_left_out() -> None:
    assert ("read", *STEPS) == tuple(step.name for step in steps_of(Killing(Path())))


def test_what_was_found_is_kept_told_and_shown_again(box: Switch, site: Path, tmp_path: Path) -> None:
    out = tmp_path / "bundle"
    done = typed("-i", site, "--commit", "-o", out, *WAYS)
    assert done.exit_code == 4, done.stderr  # the double shows little of its state
    assert "running configuration identical,\n  startup configuration identical" in done.stdout
    assert "eos.timer: The switch itself reverts an unconfirmed commit when its timer expires." in done.stdout
    assert "leaf" not in (out / "manifest.json").read_text()
    shown = typed("--show", out)
    assert shown.exit_code == 4
    assert shown.stdout.splitlines()[0] == next(
        line for line in done.stdout.splitlines() if "(" in line and "held" in line
    )
    assert json.loads(typed("--show", out, "--json").stdout) == json.loads((out / "manifest.json").read_text())
    again = typed("-i", site, "--commit", "-o", out, *WAYS)
    assert (again.exit_code, f"error[prove-bundle]: {out} already exists" in again.stderr) == (1, True)
    assert box.running == grown(RUNS)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "use either -i INVENTORY or --show BUNDLE"),
        (("-i", "site", "--show", "x"), "use either -i INVENTORY or --show BUNDLE"),
        (("--show", "x", "--commit"), "--show only prints"),
        (("-i", "site", "--overlay", "x"), "--overlay requires INTENT"),
        (("-i", "site", "--skip", "read"), "'read' is not one of"),
    ],
)
def test_words_that_do_not_go_together(words: tuple[str, ...], said: str) -> None:
    refused = typed(*words)
    assert (refused.exit_code, said in refused.stderr) == (2, True), refused.stderr


@pytest.mark.parametrize("port", ["Management1", "management1", "Loopback0"])
def test_a_port_of_management_is_refused(site: Path, port: str) -> None:
    refused = typed("-i", site, "--port", port)
    assert (
        refused.exit_code,
        f"error[prove-access]: {port} is a management port" in refused.stderr,
    ) == (1, True)


def test_of_several_switches_one_has_to_be_named(box: Switch, tmp_path: Path) -> None:
    site = inventory(tmp_path / "two", {"leaf": box.port, "leaf2": box.port}, "eos", transport="http")
    refused = typed("-i", site)
    assert "error[prove-which]: the inventory has 2 switches, and the test needs one" in refused.stderr
    assert (refused.exit_code, "choose one switch: --device NAME" in refused.stderr) == (1, True)
    unknown = typed("-i", site, "--device", "leaf3")
    assert (unknown.exit_code, "leaf3 is not in the inventory" in unknown.stderr) == (1, True)
    assert typed("-i", site, "--device", "leaf2").exit_code == 3


def test_a_platform_of_which_nothing_is_claimed_is_refused(tmp_path: Path) -> None:
    refused = typed("-i", inventory(tmp_path / "ios", {"leaf": 22}, "ios"))
    assert (
        refused.exit_code,
        "error[prove-platform]: there is nothing to test for the platform of leaf: ios" in refused.stderr,
    ) == (1, True)


def test_a_switch_that_does_not_answer_is_left(tmp_path: Path) -> None:
    gone = typed("-i", inventory(tmp_path / "gone", {"leaf": 1}, "eos", transport="http"), "--commit")
    assert (gone.exit_code, "nothing was changed" in gone.stderr) == (5, True)


def test_what_an_earlier_run_left_is_named_with_what_takes_it_away(box: Switch, site: Path) -> None:
    box.running = grown(f"{RUNS}\nip prefix-list FABRICGEN-PROVE\n   seq 5 permit 192.0.2.1/32\n")
    refused = typed("-i", site)
    assert refused.exit_code == 1
    assert "error[prove-leftover]: leaf already has the test lines" in refused.stderr
    assert "remove them there: configure; no ip prefix-list FABRICGEN-PROVE; end" in refused.stderr


def test_where_a_commit_waits_nothing_is_begun(box: Switch, site: Path) -> None:
    with fleet(site, "eos") as other:
        at(other, committing(Candidate(eos.AFTER, {}), "fabricgen 0123456789ab of another", 600))
    refused = typed("-i", site, "--commit")
    assert (refused.exit_code, "error[prove-busy]: another push or test is running on leaf" in refused.stderr) == (
        1,
        True,
    )
    assert box.timer is not None


def test_a_session_of_a_person_is_left_alone(box: Switch, site: Path, tmp_path: Path) -> None:
    """EOS makes every commit wait for it: nothing is tried, and what is in the way is named."""
    box.sessions["by-hand"] = Session(copied(box.running))
    refused = typed("-i", site, "--commit", "-o", tmp_path / "bundle", *WAYS)
    assert (refused.exit_code, "by-hand" in refused.stderr) == (5, True), refused.stderr
    assert "by-hand" in box.sessions
