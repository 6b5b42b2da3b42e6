"""What a value is refused for: units are named, and what to type works."""

from pathlib import Path

import pytest

from fabricgen.platforms import PLATFORMS
from fabricgen.workspace import WorkspaceError, open_workspace
from tests.fuzz.sites import TINY


def refused(folder: Path, old: str, new: str) -> tuple[str, str]:
    """Why and fix of the one problem."""
    assert TINY.count(old) == 1
    path = folder / "intent.yaml"
    path.write_text(TINY.replace(old, new))
    with pytest.raises(WorkspaceError) as caught:
        open_workspace(path)
    (problem,) = caught.value.problems
    return problem.why, problem.fix


@pytest.mark.parametrize(
    ("given", "fix"), [("5m", "5"), ("5 m", "5"), ("2.5m", "2.5"), ("12 metres", "12"), ("far", "5"), ('"7"', "5")]
)
def test_a_length_is_a_number_of_metres(tmp_path: Path, given: str, fix: str) -> None:
    _, told = refused(tmp_path, "server_leaf: 3", f"server_leaf: {given}")
    assert told == f"write a number of metres, such as {fix}"


@pytest.mark.parametrize("given", ["2.5", "0.5", "12.25", "40"])
def test_a_length_may_be_a_part_of_a_metre(tmp_path: Path, given: str) -> None:
    path = tmp_path / "intent.yaml"
    path.write_text(TINY.replace("server_leaf: 3", f"server_leaf: {given}"))
    assert open_workspace(path).plan.intent.cables.default.server_leaf == float(given)


def test_capacity_down_stands_first(tmp_path: Path) -> None:
    """1:2 is published; what is turned around is not."""
    rails = "rails_per_leaf: 8"
    _, fix = refused(tmp_path, rails, f'{rails}, oversubscription: "1:3"')
    assert fix.startswith('write "3:1": capacity down stands first')
    assert refused(tmp_path, rails, f'{rails}, oversubscription: "3:7"')[1].startswith('write "7:3"')


@pytest.mark.parametrize(
    ("given", "fix"),
    [("eos", "write os: eos-4.34"), ("frr", "write os: frr-8.4"), ("EOS-4.34", "write os: eos-4.34"),
     ("eoss", "did you mean eos-4.34?"), ("4.34", "choose one of")],
)  # fmt: skip
def test_a_system_without_its_release_is_told_all_values(tmp_path: Path, given: str, fix: str) -> None:
    why, told = refused(tmp_path, "os: frr-8.4", f"os: {given}")
    assert told.startswith(fix)
    for platform in PLATFORMS.values():
        assert all(f"{platform.name}-{version}" in why for version in platform.versions)


def test_a_list_is_typed_with_its_quotes(tmp_path: Path) -> None:
    text = "tenants:\n  research:\n    servers: train[0-3]\n"
    path = tmp_path / "intent.yaml"
    path.write_text(TINY + text)
    with pytest.raises(WorkspaceError) as caught:
        open_workspace(path)
    assert [each.fix for each in caught.value.problems if each.code == "wrong-type"] == [
        'write servers: ["train[0-3]"]'
    ]


@pytest.mark.parametrize("text", ["a:\n\tb: 1\n", "a: x\n\tb: 1\n"])
def test_a_tab_is_no_word_to_be_quoted(tmp_path: Path, text: str) -> None:
    path = tmp_path / "intent.yaml"
    path.write_text(text)
    with pytest.raises(WorkspaceError) as caught:
        open_workspace(path)
    assert [each.fix for each in caught.value.problems] == ["indent with spaces"]
