"""Versions of the defaults from the command line: which one a site has, who moves it, and what `diff` says of it."""

import json
import shutil
from pathlib import Path

import pytest

from fabricgen.cli.diff.defaults import defaults_step
from fabricgen.cli.diff.run import costs_of
from fabricgen.diff.difference import Options
from fabricgen.diff.model import DefaultsStep
from fabricgen.intent.defaults import NEWEST, Default, Table, values_at
from fabricgen.platforms.base.cost import Risk
from fabricgen.site.checked import LoadRequest
from fabricgen.site.workspace import open_workspace
from tests.cli.conftest import Run
from tests.cli.sites import DEMO, edit, rendered
from tests.some import some

DETECT = ("fabrics", "*", "roce", "watchdog", "detect_ms")
KEEPALIVE, HOLD = ("fabrics", "*", "bgp", "keepalive_seconds"), ("fabrics", "*", "bgp", "hold_seconds")
TABLE: Table = {
    1: (Default(DETECT, 200, ""), Default(KEEPALIVE, 3, ""), Default(HOLD, 9, "")),
    2: (Default(DETECT, 300, "a source"), Default(KEEPALIVE, 4, "another"), Default(HOLD, 12, "a third")),
}
"""Of the second version, the second row alone breaks a rule: 9 s hold fewer than three keepalives of 4 s."""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The demo with its lock, which was written before versions were recorded."""
    shutil.copytree(DEMO.parent, tmp_path / "site")
    lock = tmp_path / "site/fabricgen.lock"
    assert "defaults" not in lock.read_text()
    return tmp_path / "site/intent.yaml"


def version(intent: Path) -> int:
    return open_workspace(intent).plan.lock.defaults


def test_a_new_site_gets_the_newest_and_keeps_it(intent: Path, tmp_path: Path, run: Run) -> None:
    assert run("render", intent, "-o", tmp_path / "out").exit_code == 0
    lock = intent.parent / "fabricgen.lock"
    assert f"lock: 2\ndefaults: {NEWEST}\nsegments:\n" in lock.read_text()
    assert run("render", intent, "-o", tmp_path / "out", "--locked").exit_code == 0
    assert run("render", intent, "-o", tmp_path / "out", "--renumber", "backend").exit_code == 0
    assert f"lock: 2\ndefaults: {NEWEST}\n" in lock.read_text()


def test_a_site_of_before_stays_as_it_is(site: Path, tmp_path: Path, run: Run) -> None:
    lock = (site.parent / "fabricgen.lock").read_bytes()
    assert run("render", site, "-o", tmp_path / "out", "--locked").exit_code == 0
    assert (site.parent / "fabricgen.lock").read_bytes() == lock
    assert version(site) == 1
    page = " ".join(run("plan", site).stdout.split())
    assert f"version {NEWEST} is newer: to use it, write `defaults: {NEWEST}` in the intent" in page
    page = json.loads(run("plan", site, "--json").stdout)
    assert (page["defaults"], page["defaults_newest"]) == (1, NEWEST)


def test_the_intent_raises_the_version_and_may_take_it_back(site: Path, tmp_path: Path, run: Run) -> None:
    lock, out = site.parent / "fabricgen.lock", tmp_path / "out"
    was = lock.read_bytes()
    run("render", site, "-o", out)
    files = rendered(out)
    edit(site, "fabricgen: 1\n", f"fabricgen: 1\ndefaults: {NEWEST}\n")
    result = run("render", site, "-o", out, "--locked")
    assert (result.exit_code, result.stdout) == (3, f"defaults: {NEWEST}\n")
    assert run("render", site, "-o", out).exit_code == 0
    assert lock.read_bytes() == was.replace(b"lock: 1\n", f"lock: 2\ndefaults: {NEWEST}\n".encode())
    edit(site, f"defaults: {NEWEST}\n", "")
    assert version(site) == NEWEST, "the lock keeps what the intent took"
    edit(site, "fabricgen: 1\n", "fabricgen: 1\ndefaults: 1\n")
    assert run("render", site, "-o", out).exit_code == 0
    assert (lock.read_bytes(), rendered(out)) == (was, files)


@pytest.mark.parametrize("locked", some([(), ("--locked",)], of=2), ids=["", "locked"])
@pytest.mark.parametrize("left", ["lock: 1\n", "older"], ids=["alone", "line"])
def test_a_lost_version_is_refused_and_the_remedy_works(
    intent: Path, tmp_path: Path, run: Run, left: str, locked: tuple[str, ...]
) -> None:
    """A merge lost the line: without it the site would be of version 1 again, and the files other ones.

    A lock of before says `lock: 1` with the line, too: there only the rendered folder knows of it.
    """
    lock, out = intent.parent / "fabricgen.lock", tmp_path / "out"
    run("render", intent, "-o", out)
    files, line = rendered(out), f"defaults: {NEWEST}\n"
    older = lock.read_text().replace("lock: 2\n", "lock: 1\n")
    lock.write_text(older)
    assert run("render", intent, "-o", out).exit_code == 0
    assert lock.read_text() == older, "a lock of before stays as it is"
    lock.write_text(older.replace(line, "") if left == "older" else left)
    lost = lock.read_bytes()
    result = run("render", intent, "-o", out, "--json", *locked)
    (problem,) = json.loads(result.stdout)["problems"]
    assert (result.exit_code, problem["code"], problem["file"]) == (1, "lock-defaults", str(lock))
    assert (lock.read_bytes(), rendered(out)) == (lost, files)
    assert problem["fix"].startswith(f"write `defaults: {NEWEST}` in {lock}, below `lock: 1`; ")
    edit(lock, "lock: 1\n", f"lock: 1\n{line}")
    assert run("render", intent, "-o", out).exit_code == 0
    assert rendered(out) == files
    lock.write_bytes(lost)
    assert f"write `defaults: 1` in {intent}; " in problem["fix"]
    edit(intent, "fabricgen: 1\n", "fabricgen: 1\ndefaults: 1\n")
    assert run("render", intent, "-o", out).exit_code == 0
    assert rendered(out) != files


@pytest.mark.parametrize("verb", ["validate", "plan", "render"])
def test_a_lost_version_is_seen_in_the_lock_alone(intent: Path, tmp_path: Path, run: Run, verb: str) -> None:
    """`lock: 2` says that there was a line; a folder that was rendered with it is not needed to see that it is gone."""
    lock = intent.parent / "fabricgen.lock"
    run("render", intent, "-o", tmp_path / "out")
    whole = lock.read_text()
    edit(lock, f"defaults: {NEWEST}\n", "")
    result = run(verb, intent, "--json", *(("-o", tmp_path / "new") if verb == "render" else ()))
    (problem,) = json.loads(result.stdout)["problems"]
    assert (result.exit_code, problem["code"], problem["file"], problem["line"]) == (1, "lock-defaults", str(lock), 2)
    assert problem["fix"].startswith(f"write `defaults: {NEWEST}` below `lock: 2`, or restore ")
    edit(lock, "lock: 2\n", f"lock: 2\ndefaults: {NEWEST}\n")
    assert (lock.read_text(), run(verb, intent, "--json").exit_code if verb != "render" else 0) == (whole, 0)


def test_a_version_that_the_lock_alone_raises_is_refused(site: Path, tmp_path: Path, run: Run) -> None:
    lock, out = site.parent / "fabricgen.lock", tmp_path / "out"
    run("render", site, "-o", out)
    edit(lock, "lock: 1\n", f"lock: 1\ndefaults: {NEWEST}\n")
    (problem,) = json.loads(run("render", site, "-o", out, "--json").stdout)["problems"]
    assert (problem["code"], problem["line"]) == ("lock-defaults", 3)
    assert problem["fix"].startswith(f"write `defaults: 1` in {lock}; ")
    edit(site, "fabricgen: 1\n", f"fabricgen: 1\ndefaults: {NEWEST}\n")
    assert run("render", site, "-o", out).exit_code == 0
    edit(site, f"defaults: {NEWEST}\n", "")
    edit(lock, f"defaults: {NEWEST}\n", "defaults: 1\n")
    assert run("render", site, "-o", out, "--json").exit_code == 1


@pytest.mark.parametrize("written", [str(NEWEST + 1), "0", "1.5", "true", '"1"', "[1]"])
def test_an_unknown_version_is_refused_in_both_files(site: Path, run: Run, written: str) -> None:
    lock = site.parent / "fabricgen.lock"
    whole = lock.read_text()
    lock.write_text(whole.replace("lock: 1\n", f"lock: 1\ndefaults: {written}\n"))
    (problem,) = json.loads(run("validate", site, "--json").stdout)["problems"]
    assert (problem["file"], problem["line"]) == (str(lock), 3)
    lock.write_text(whole)
    edit(site, "fabricgen: 1\n", f"fabricgen: 1\ndefaults: {written}\n")
    (problem,) = json.loads(run("validate", site, "--json").stdout)["problems"]
    assert (problem["file"], problem["where"]) == (str(site), ["defaults"])


def test_another_version_is_said_by_diff(site: Path, tmp_path: Path, run: Run) -> None:
    run("render", site, "-o", tmp_path / "out")
    before = run("diff", site, "--against", tmp_path / "out")
    assert "Defaults:" not in before.stdout
    edit(site, "fabricgen: 1\n", f"fabricgen: 1\ndefaults: {NEWEST}\n")
    told = run("diff", site, "--against", tmp_path / "out")
    assert f"Defaults: version 1 → {NEWEST}" in told.stdout
    found = json.loads(run("diff", site, "--against", tmp_path / "out", "--json").stdout)
    assert (found["defaults"]["before"], found["defaults"]["after"]) == (1, NEWEST)
    comment = run("diff", site, "--against", tmp_path / "out", "--markdown").stdout
    assert f"**Defaults: version 1 → {NEWEST}**" in comment


def step(site: Path, text: str = "") -> DefaultsStep:
    """The demo raised from version 1 to 2 of the table above; and what else the intent says."""
    edit(site, "fabricgen: 1\n", "fabricgen: 1\ndefaults: 2\n")
    if text:
        edit(site, "    roce: {marking: nvidia, ecn: published}\n", text)
    new = open_workspace(site, defaults=values_at(2, TABLE)).plan
    old = open_workspace(site, defaults=values_at(1, TABLE)).plan
    old = old._replace(intent=old.intent.model_copy(update={"defaults": 1}))
    found = defaults_step(old, new, LoadRequest(site), "base", Options(costs=costs_of), TABLE)
    assert found is not None
    return found


def test_each_default_is_compared_by_itself(site: Path) -> None:
    found = step(site)
    assert (found.before, found.after) == (1, 2)
    detect, keepalive, hold = found.changes
    assert detect.places == ("fabrics.backend.roce.watchdog.detect_ms",)
    assert (detect.before, detect.after, detect.why) == ("200", "300", "a source")
    assert all(name.startswith("be-") for name in detect.devices)
    assert (len(detect.devices), detect.risk) == (8, Risk.HITLESS)
    assert keepalive.places == ("fabrics.backend.bgp.keepalive_seconds", "fabrics.frontend.bgp.keepalive_seconds")
    assert (keepalive.risk, keepalive.devices) == (Risk.UNKNOWN, ()), "a state that breaks a rule has no price"
    assert (hold.before, hold.after, hold.risk) == ("9", "12", Risk.UNKNOWN)


def test_what_the_intent_says_itself_is_no_step(site: Path) -> None:
    found = step(site, "    bgp: {keepalive_seconds: 3, hold_seconds: 30}\n    roce: {watchdog: {detect_ms: 150}}\n")
    assert {place for row in found.changes for place in row.places} == {
        "fabrics.frontend.bgp.keepalive_seconds",
        "fabrics.frontend.bgp.hold_seconds",
    }


def test_a_step_reaches_the_switches_that_are_left_to_the_default(site: Path) -> None:
    found = step(site, "    bgp: {hold_seconds: 30}\n")
    keepalive, hold = found.changes[1:]
    assert (keepalive.risk, hold.places) == (Risk.UNKNOWN, ("fabrics.frontend.bgp.hold_seconds",))
    edit(site, "  frontend:\n    kind: frontend\n", "  frontend:\n    kind: frontend\n    bgp: {hold_seconds: 30}\n")
    new = open_workspace(site, defaults=values_at(2, TABLE)).plan
    old = new._replace(intent=new.intent.model_copy(update={"defaults": 1}))
    alone = defaults_step(old, new, LoadRequest(site), "base", Options(costs=costs_of), TABLE)
    assert alone is not None
    _, row = alone.changes
    assert (row.places[0], row.risk) == ("fabrics.backend.bgp.keepalive_seconds", Risk.SESSION_RESET)
    assert len(row.devices) == 20
