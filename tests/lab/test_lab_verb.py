"""What `fabricgen lab` says to people and programs, where nothing is built."""

import json
import sys
from contextlib import ExitStack
from pathlib import Path

import click
import pytest
import yaml
from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.cli.lab import run as lab
from fabricgen.errors import FabricError
from fabricgen.lab.build.down import find
from fabricgen.lab.build.kernel import Kernel
from fabricgen.lab.build.preflight import estimate
from fabricgen.lab.build.up import Job
from fabricgen.lab.host import place
from fabricgen.lab.host.place import DEFAULT, LabPlace, place_of
from fabricgen.lab.host.record import UP, Record, claimed, read_record, write_record
from fabricgen.lab.model.brief import brief, in_full
from fabricgen.lab.model.lab import Skipped
from tests.lab.sites import DEMO, SMALL, remains


def _verb(*words: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, ["lab", *(str(word) for word in words)])
    return done.exit_code, done.stdout, done.stderr


def test_the_verbs_are_listed() -> None:
    code, told, _ = _verb("--help")
    assert code == 0
    assert [line.split()[0] for line in told.partition("Commands:")[2].splitlines() if line.strip()] == [
        "down",
        "exec",
        "impair",
        "status",
        "up",
    ]


def test_a_bad_subset_is_told_before_anything_else(tmp_path: Path) -> None:
    code, _, said = _verb("up", tmp_path / "absent.yaml", "--subset", "leafs=2")
    assert code == 1
    assert "error[bad-subset]" in said
    assert "leaves" in said


def test_problems_are_json_where_it_is_asked_for(tmp_path: Path) -> None:
    code, told, _ = _verb("up", tmp_path / "absent.yaml", "--subset", "leafs=2", "--json")
    assert code == 1
    assert [row["code"] for row in json.loads(told)["problems"]] == ["bad-subset"]


def test_an_intent_that_can_not_be_rendered_gets_no_lab(tmp_path: Path) -> None:
    """Two tenants that import the same third share a subnet: a mistake of the plan, on whatever system."""
    value = yaml.safe_load(SMALL.read_text())
    value["tenants"]["serving"]["networks"]["public"]["subnets"] = ["172.18.0.0/20"]
    (tmp_path / "intent.yaml").write_text(yaml.safe_dump(value))
    code, _, said = _verb("up", tmp_path / "intent.yaml", "--dir", tmp_path / "lab")
    assert code == 1
    assert "172.18.0.0/20" in said
    assert remains(place_of(tmp_path / "lab")) == {}


def test_what_a_system_can_not_do_stops_no_lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same site refused by its own platform: the lab goes on to ask for root."""
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    value = yaml.safe_load(DEMO.read_text())
    for fabric in value["fabrics"].values():
        fabric["leaf"]["os"] = fabric["spine"]["os"] = "frr-8.4"
    (tmp_path / "intent.yaml").write_text(yaml.safe_dump(value))
    code, _, said = _verb("up", tmp_path / "intent.yaml", "--dir", tmp_path / "lab")
    assert code == 1
    assert "error[lab-root]" in said
    assert said.endswith("\n1 problem\n")


def test_queues_that_the_kernel_can_not_make_are_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "require_host", lambda: None)
    monkeypatch.setattr(place, "RUN", tmp_path / "run")  # where any user may write
    monkeypatch.setattr(lab, "probe", lambda _: Kernel("6.18", frozenset(("vrf", "red")), ifupdown=False))
    words = ("up", DEMO, "--subset", "leaves=1,spines=1,servers=1", "--queues", "100", "--dir", tmp_path / "lab")
    code, _, said = _verb(*words)
    assert code == 1
    assert "error[lab-queues]" in said
    assert "lacks red" in said
    assert remains(place_of(tmp_path / "lab")) == {}
    assert _verb("up", DEMO, "--queues", "0")[0] == 2


@pytest.mark.parametrize(
    "words",
    [
        ("up", SMALL),
        ("status",),
        ("exec", "be-leaf-000", "true"),
        ("impair", "be-leaf-000/swp1", "--clear"),
        ("down",),
    ],
)
def test_root_is_needed(words: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    code, _, said = _verb(*words, "--dir", tmp_path / "lab")
    assert code == 1
    assert "error[lab-root]" in said


def test_missing_programs_are_named_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda name: None if name == "lldpd" else name)
    monkeypatch.setattr("fabricgen.lab.build.preflight.PROGRAMS", tmp_path)
    code, _, said = _verb("up", SMALL, "--dir", tmp_path / "lab")
    assert code == 1
    assert "lldpd, zebra, staticd, bgpd" in said
    assert "apt-get install" in said


def test_a_step_is_a_line_and_on_a_terminal_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for step in (lab._progress("daemons", 2), lab._progress("settling", 1)):
        step()
    assert capsys.readouterr() == ("", "daemons: 2\nsettling\n")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    step = lab._progress("daemons", 2)
    assert "daemons         0 of 2" in click.unstyle(capsys.readouterr().err)
    step()
    step()
    told = click.unstyle(capsys.readouterr().err)
    assert "daemons         1 of 2" in told
    assert told.endswith("2 of 2\n")


def test_of_many_things_some_are_named_and_all_are_in_the_file() -> None:
    rows = [Skipped(f"feature-{number:03}", "all switches", "because") for number in range(90)]
    lines = list(brief(rows, Path("lab")))
    assert len(lines) == 5
    assert all(len(line) <= 118 for line in lines)
    assert lines[3].endswith("; and more")
    assert in_full(rows).count("\n") == 90
    assert "feature-089 (all switches): because\n" in in_full(rows)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A host without labs; the working folder is the test's."""
    for module in ("host.place", "host.record", "host.neighbors"):
        monkeypatch.setattr(f"fabricgen.lab.{module}.RUN", tmp_path / "run", raising=False)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path / "mine")
    return tmp_path


def _stands(folder: Path, intent: Path) -> LabPlace:
    place = place_of(folder)
    write_record(place, Record(folder=str(folder), intent=str(intent), subset="", state=UP))
    return place


def test_the_lab_of_the_working_folder_is_meant(runs: Path) -> None:
    with pytest.raises(FabricError) as caught:
        find(None)
    assert caught.value.problems[0].code == "no-lab"
    assert find(runs / "any") == place_of(runs / "any")
    elsewhere = _stands(runs / "out" / "lab", runs / "mine" / "intent.yaml")
    _stands(runs / "theirs" / DEFAULT, runs / "theirs" / "intent.yaml")
    assert find(None) == elsewhere
    _stands(runs / "out" / "lab2", runs / "mine" / "intent.yaml")
    with pytest.raises(FabricError) as caught:
        find(None)
    assert caught.value.problems[0].fix == f"add one of --dir {runs}/out/lab, --dir {runs}/out/lab2"
    here = _stands(runs / "mine" / DEFAULT, runs / "mine" / "intent.yaml")
    assert find(None) == here


def test_what_a_host_that_went_down_left_here_is_meant(runs: Path) -> None:
    (runs / "mine" / DEFAULT).mkdir()
    _stands(runs / "theirs" / DEFAULT, runs / "theirs" / "intent.yaml")
    assert find(None) == place_of(runs / "mine" / DEFAULT)


@pytest.mark.parametrize("words", [("down",), ("status",), ("exec", "be-leaf-000", "true")])
def test_a_lab_of_another_folder_is_nobody_s_to_remove(runs: Path, words: tuple[str, ...]) -> None:
    """The only one of the host, and that of another person."""
    place = _stands(runs / "their lab", runs / "theirs" / "intent.yaml")
    code, _, said = _verb(*words)
    assert code == 1
    assert "error[which-lab]" in said
    assert f"a lab is running on this host: {runs}/their lab" in said
    assert f"--dir '{runs}/their lab'" in said
    assert read_record(place) is not None


def test_seconds_below_none_are_refused() -> None:
    code, _, said = _verb("up", SMALL, "--wait", "-5")
    assert code == 2
    assert "--wait" in said


def _ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "require_host", lambda: None)
    monkeypatch.setattr(lab, "probe", lambda _: Kernel("6.18", frozenset(("vrf",)), ifupdown=False))


@pytest.mark.parametrize("why", ["lab-running", "lab-folder", "lab-busy"])
def test_what_stands_in_the_way_is_told_before_needs(runs: Path, monkeypatch: pytest.MonkeyPatch, why: str) -> None:
    _ready(monkeypatch)
    folder = runs / "lab"
    with ExitStack() as stack:
        if why == "lab-running":
            _stands(folder, SMALL)
        elif why == "lab-folder":
            folder.mkdir()
            (folder / "mine").write_text("mine")
        else:
            stack.enter_context(claimed(place_of(folder)))
        code, _, said = _verb("up", SMALL, "--dir", folder)
    assert code == 1
    assert f"error[{why}]" in said
    assert "not as on the real switches" not in said
    assert "MiB" not in said


def test_needs_are_told_beforehand(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _ready(monkeypatch)
    asked: list[Job] = []

    def refuse(job: Job) -> None:
        asked.append(job)
        raise FabricError([])

    monkeypatch.setattr(lab, "up", refuse)
    code, _, said = _verb("up", SMALL, "--dir", runs / "lab")
    assert code == 1
    assert asked
    assert said.startswith("14 switches, 12 servers, ")
    _is_told_in_five_lines(said, asked[0])
    assert "made of network namespaces and devices of kinds veth, bridge, vxlan" in said
    assert "two CPUs" not in said
    assert "root" not in said.replace(str(runs), "")
    monkeypatch.setattr(lab, "estimate", lambda switches: switches * 3)
    assert "on two CPUs this takes about 42 s" in _verb("up", SMALL, "--dir", runs / "lab")[2]


def _is_told_in_five_lines(said: str, job: Job) -> None:
    """What is not exercised: names in the order of the rows, and where the reasons are."""
    first, *names, last = [line for line in said.splitlines() if line.startswith(("not as on", "  "))]
    assert first == f"not as on the real switches ({len(job.lab.skipped)}):"
    assert 1 <= len(names) <= 3
    told = " ".join(line.strip() for line in names).removesuffix(" and more")
    assert "; ".join(row.feature for row in job.lab.skipped).startswith(told)
    assert last == f"  each with its reason: {job.place.folder}/not-exercised.txt; docs/lab.md#{_anchor()}"


def _anchor() -> str:
    """Of the section on the page, as GitHub makes it of a heading."""
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text()
    (heading,) = (line for line in page.splitlines() if line.startswith("## What it shows"))
    return heading.removeprefix("## ").lower().replace(",", "").replace(" ", "-")


def test_the_time_of_a_large_lab_is_that_measured() -> None:
    """100 switches took 43 s on two processors, 200 took 162."""
    assert estimate(100) == 0
    assert estimate(101) == 44
    assert 155 <= estimate(200) <= 165
