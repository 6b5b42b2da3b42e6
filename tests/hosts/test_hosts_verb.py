"""`fabricgen export hosts` as it is typed."""

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from fabricgen.cli import main
from tests.hosts.making import backend


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    """An intent of four servers."""
    path = tmp_path / "intent.yaml"
    path.write_text(yaml.safe_dump(backend("hgx-h200")))
    return path


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".fabricgen" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_one_folder_a_server_and_the_same_bytes_again(intent: Path, tmp_path: Path) -> None:
    first = run("export", "hosts", intent, "-o", tmp_path / "a", "--json")
    assert first.exit_code == 0, first.output
    said = json.loads(first.stdout)
    assert (said["servers"], said["unchanged"], said["removed"]) == (4, [], [])
    assert [row["code"] for row in said["left_out"]] == ["no-nic-names", "no-rail-list"]
    assert {path.partition("/")[0] for path in tree(tmp_path / "a")} == {f"train-00{slot}" for slot in range(4)}
    assert run("export", "hosts", intent, "-o", tmp_path / "b").exit_code == 0
    assert tree(tmp_path / "a") == tree(tmp_path / "b")


def test_fewer_servers_are_the_same_servers(intent: Path, tmp_path: Path) -> None:
    run("export", "hosts", intent, "-o", tmp_path / "all")
    some = run("export", "hosts", intent, "-o", tmp_path / "some", "--servers", "train[1-2]")
    assert some.exit_code == 0, some.output
    whole = tree(tmp_path / "all")
    found = tree(tmp_path / "some")
    assert {path.partition("/")[0] for path in found} == {"train-001", "train-002"}
    assert found.items() <= whole.items()


@pytest.mark.parametrize("words", ["train[0],train[2-3]", "train[0,2],train[3]", "train[0,2-3]"])
def test_several_groups_are_named_at_once(intent: Path, tmp_path: Path, words: str) -> None:
    """A comma between brackets divides slots, any other one groups."""
    some = run("export", "hosts", intent, "-o", tmp_path / "some", "--servers", words)
    assert some.exit_code == 0, some.output
    assert {path.partition("/")[0] for path in tree(tmp_path / "some")} == {"train-000", "train-002", "train-003"}


def test_a_folder_of_something_else_is_left_alone(intent: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "mine").write_text("mine")
    refused = run("export", "hosts", intent, "-o", foreign)
    assert (refused.exit_code, "output-not-ours" in refused.output) == (1, True)
    assert tree(foreign) == {"mine": b"mine"}
    assert run("export", "nornir", intent, "-o", tmp_path / "nornir").exit_code == 0
    other = run("export", "hosts", intent, "-o", tmp_path / "nornir")
    assert (other.exit_code, "export-folder" in other.output) == (1, True)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--servers", "nobody[0]"), "bad-servers"),
        (("--operator",), "no-rail-list"),
        (("--servers", "train[9]"), "bad-servers"),
    ],
)
def test_what_can_not_be_is_a_problem_and_writes_nothing(
    intent: Path, tmp_path: Path, words: tuple[str, ...], code: str
) -> None:
    done = run("export", "hosts", intent, "-o", tmp_path / "out", *words)
    assert (done.exit_code, code in done.output) == (1, True)
    assert not (tmp_path / "out").exists()


def test_servers_that_are_all_absent_are_a_problem(tmp_path: Path) -> None:
    site = backend() | {"overrides": {"train[2]": {"state": "absent"}}}
    (tmp_path / "intent.yaml").write_text(yaml.safe_dump(site))
    done = run("export", "hosts", tmp_path / "intent.yaml", "-o", tmp_path / "out", "--servers", "train[2]")
    assert (done.exit_code, "bad-servers" in done.output) == (1, True)


def test_networkd_is_asked_for(intent: Path, tmp_path: Path) -> None:
    assert run("export", "hosts", intent, "-o", tmp_path / "out", "--format", "networkd").exit_code == 0
    paths = {path.partition("/")[2] for path in tree(tmp_path / "out")}
    assert "etc/systemd/network/60-fabricgen-rail0.network" in paths
    assert not [path for path in paths if "netplan" in path]


def test_what_is_left_out_is_told_once(tmp_path: Path) -> None:
    site = backend("dgx-b300")
    site["fabrics"]["backend"]["topology"] = {"design": "rail-optimized", "rails_per_leaf": 1, "planes": 2}
    (tmp_path / "intent.yaml").write_text(yaml.safe_dump(site))
    done = run("export", "hosts", tmp_path / "intent.yaml", "-o", tmp_path / "out", "--json")
    assert [row["code"] for row in json.loads(done.stdout)["left_out"]] == [
        "no-nic-names",
        "no-plane-script",
        "no-rail-list",
    ]
    told = run("export", "hosts", tmp_path / "intent.yaml", "-o", tmp_path / "out")
    assert told.stderr.count("not written: ") == 3


def test_nothing_is_left_out_where_everything_is_known(tmp_path: Path) -> None:
    (tmp_path / "intent.yaml").write_text(yaml.safe_dump(backend("dgx-h200")))
    done = run("export", "hosts", tmp_path / "intent.yaml", "-o", tmp_path / "out", "--json", "--operator")
    assert json.loads(done.stdout)["left_out"] == []
