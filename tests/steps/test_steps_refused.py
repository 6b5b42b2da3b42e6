"""What is no known sequence, what steps can begin with, and what is written: all or nothing, the same every time."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.baseline.conftest import Git, git
from tests.cli.sites import tree
from tests.steps.conftest import Site, refused, rendered, say, steps

__all__ = ["git"]

DRAINED = {"be-spine-01": "drained"}


def test_two_things_at_once(demo: Site) -> None:
    demo.change(("spines: {now: 4,", "spines: {now: 8,"))
    demo.override(**DRAINED)
    problems = refused("--floor", "1/2")
    assert [(one["code"], one["path"]) for one in problems] == [
        ("steps-several", "fabrics.backend.topology.spines.now"),
        ("steps-several", "overrides.be-spine-01"),
    ]
    assert all("drains" in one["why"] and "spine count" in one["why"] for one in problems)


def test_another_key_is_named_with_its_place(demo: Site) -> None:
    demo.change(("lacp_fallback: true", "lacp_fallback: false"), ("ntp: [10.0.0.5, 10.0.0.6]", "ntp: [10.0.0.5]"))
    demo.override(**DRAINED)
    problems = refused()
    assert [(one["code"], one["path"]) for one in problems] == [
        ("steps-unknown", "management.ntp"),
        ("steps-unknown", "fabrics.frontend.server_ports.lacp_fallback"),
    ]
    assert "lacp_fallback: false" in demo.new.read_text().splitlines()[problems[1]["line"] - 1]


def test_a_key_that_went(demo: Site) -> None:
    demo.change(("  eapi: {certificate: fabric}\n", ""))
    (problem,) = refused()
    assert (problem["code"], problem["path"]) == ("steps-unknown", "management.eapi")


def test_overrides_of_settings_have_no_sequence(demo: Site) -> None:
    for given in (
        "be-spine-01: {state: drained, load_balancing: ecmp}",
        "link:be-leaf-000/Ethernet33/1: {state: dead}",
    ):
        text = demo.new.read_text()
        waivers = 'waivers: [{code: links-missing, reason: "it is mended tomorrow"}]' if "dead" in given else ""
        demo.new.write_text(f"{text}\noverrides:\n  {given}\n{waivers}\n")
        (problem,) = refused()
        assert (problem["code"], problem["path"]) == ("steps-settings", "overrides")
        demo.new.write_text(text)


def test_no_secret_is_told(demo: Site) -> None:
    demo.change(("${env:TACACS_KEY}", "${env:OTHER_KEY}"))
    (problem,) = refused()
    assert problem["path"] == "management.aaa.key"
    assert "OTHER_KEY" not in problem["what"] + problem["why"] + problem["fix"]


def test_hardware_that_differs(demo: Site) -> None:
    folder = demo.new.parent / "hardware/servers"
    folder.mkdir(parents=True)
    ours = Path(__file__).parents[2] / "fabricgen/hardware/servers/dgx-h100.yaml"
    (folder / "mine.yaml").write_text(ours.read_text().replace("model: dgx-h100\n", "model: mine\n"))
    demo.override(**DRAINED)
    (problem,) = refused()
    assert (problem["code"], problem["what"]) == ("steps-files", "hardware/servers/mine.yaml differs")


def test_cable_lengths_that_differ(make_cables: Site) -> None:
    make_cables.new.with_name("cables.csv").write_text("device,port,length_m\nbe-leaf-000,Ethernet33/1,14\n")
    make_cables.override(**DRAINED)
    (problem,) = refused()
    assert (problem["code"], problem["what"]) == ("steps-files", "cables.csv differs")


@pytest.fixture
def make_cables(demo: Site) -> Site:
    """A cable file on both sides."""
    for intent in demo:
        intent.with_name("cables.csv").write_text("device,port,length_m\nbe-leaf-000,Ethernet33/1,12\n")
        intent.write_text(intent.read_text().replace("cables: {default", "cables: {file: cables.csv, default"))
    return demo


def test_a_folder_that_is_not_empty(demo: Site) -> None:
    demo.override(**DRAINED)
    Path("steps").mkdir()
    Path("steps/notes").write_text("mine")
    result = say("plan", demo.new, "--steps", "steps", "--against", "old")
    assert result.exit_code == 1
    assert "error[steps-folder]: steps exists and is not an empty folder" in result.stderr
    assert tree(Path("steps")) == {"notes": b"mine"}
    Path("steps/notes").unlink()
    steps()


def test_a_folder_that_can_not_be_written(demo: Site) -> None:
    demo.override(**DRAINED)
    result = say("plan", demo.new, "--steps", "nowhere/steps", "--against", "old")
    assert result.exit_code == 1
    assert "error[steps-write]: nowhere/steps cannot be written" in result.stderr


def test_the_same_every_time(demo: Site) -> None:
    demo.override(**DRAINED, **{"be-spine-02": "drained"})
    steps("--floor", "1/2")
    first = tree(Path("steps"))
    assert sorted(first) == ["1-drained.yaml", "README.md"]
    shutil.rmtree("steps")
    steps("--floor", "1/2")
    assert tree(Path("steps")) == first


def test_an_overlay_says_what_it_is_for(demo: Site) -> None:
    demo.override(**DRAINED, **{"be-spine-02": "drained"})
    steps("--floor", "1/2")
    text = Path("steps/1-drained.yaml").read_text()
    assert text.startswith("# Step 1 of 2: ")
    assert "#   fabricgen render old/intent.yaml --overlay steps/1-drained.yaml -o out\n" in text
    assert "# Minimum capacity of a rail in this state: 3/4 (4 of the 4 rails of backend, e.g. train plane 0" in text
    assert "Risk of this step: hitless on 1 switch.\n" in text


def test_a_rendered_tree_is_where_it_begins_and_where_it_goes_on(demo: Site) -> None:
    assert say("render", demo.old, "-o", "live").exit_code == 0
    lock = demo.old.with_name("fabricgen.lock").read_bytes()
    shutil.rmtree("old")
    demo.override(**DRAINED, **{"be-spine-02": "drained"})
    result = say("plan", demo.new, "--steps", "steps", "--against", "live", "--floor", "1/2")
    assert result.exit_code == 0, result.stderr
    assert sorted(tree(Path("steps/before"))) == ["fabricgen.lock", "intent.yaml"]
    assert Path("steps/before/fabricgen.lock").read_bytes() == lock
    commands = [
        line.strip() for line in Path("steps/README.md").read_text().splitlines() if "    fabricgen ren" in line
    ]
    assert commands == [
        "fabricgen render steps/before/intent.yaml --overlay steps/1-drained.yaml -o live",
        "fabricgen render site/intent.yaml -o live",
    ]
    for command in commands:
        rendered(command, "live")


def test_the_commands_work_where_out_holds_the_trees_of_several_sites(demo: Site) -> None:
    """The README's own layout: `out/demo` is a tree, and `out` is none."""
    assert say("render", demo.old, "-o", "out/demo").exit_code == 0
    demo.override(**DRAINED)
    result = say("plan", demo.new, "--steps", "steps", "--against", "old", "--json")
    assert result.exit_code == 0, result.stdout
    for step in json.loads(result.stdout)["steps"]:
        assert step["command"].endswith(" -o steps/out")
        rendered(step["command"], "steps/out")


def test_a_tree_of_a_step_is_no_beginning(demo: Site) -> None:
    Path("step.yaml").write_text("overlay: 1\noverrides: {be-spine-00: {state: drained}}\n")
    assert say("render", demo.old, "--overlay", "step.yaml", "-o", "live").exit_code == 0
    demo.override(**DRAINED)
    result = say("plan", demo.new, "--steps", "steps", "--against", "live")
    assert result.exit_code == 1
    assert "error[steps-before]: steps cannot start from live" in result.stderr
    assert "rendered with an overlay" in result.stderr
    assert not Path("steps").exists()


def test_a_revision(demo: Site, git: Git, here: Path) -> None:
    git(here, "init", "--quiet", "--initial-branch=main")
    git(here, "add", "site")
    git(here, "commit", "--quiet", "--message=first")
    demo.change(("spines: {now: 4,", "spines: {now: 8,"))
    result = say("plan", demo.new, "--steps", "steps", "--against", "HEAD", "--floor", "1/2")
    assert result.exit_code == 0, result.stderr
    assert Path("steps/before/intent.yaml").read_bytes() == demo.old.read_bytes()
    commands = [
        line.strip() for line in Path("steps/README.md").read_text().splitlines() if "    fabricgen ren" in line
    ]
    assert len(commands) == 5
    assert str(here) not in Path("steps/README.md").read_text()
    for command in commands:
        rendered(command)


@pytest.mark.parametrize(
    "options",
    [
        ["--steps", "steps"],
        ["--against", "old"],
        ["--floor", "1/2"],
        ["--steps", "steps", "--against", "old", "--floor", "2"],
        ["--steps", "steps", "--against", "old", "--cables"],
        ["--steps", "steps", "--against", "old", "--overlay", "x.yaml"],
    ],
)
def test_options_that_do_not_go_together(demo: Site, options: list[str]) -> None:
    assert say("plan", demo.new, *options).exit_code == 2
    assert not Path("steps").exists()


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_ended_in_the_middle(demo: Site, here: Path, number: signal.Signals) -> None:
    """Nothing stays, neither the folder nor what was made of it until then."""
    demo.override(**DRAINED)
    words = ["plan", str(demo.new), "--steps", "steps", "--against", "old"]
    process = subprocess.Popen([sys.executable, "-m", "fabricgen", *words], stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not [*here.glob(".steps*")] and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode in (128 + number, -number)
    assert sorted(path.name for path in here.iterdir()) == ["old", "site"]
