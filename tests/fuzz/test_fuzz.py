"""A part of `make fuzz`: every kind of input, made worse; and that the fuzzer sees what it looks for."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from fabricgen.errors import FabricError
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.commit_profiles import commit_profile_of
from fabricgen.platforms.readers import MAKERS, READERS, reader_of
from fabricgen.state.state import State
from tests.fuzz import run as fuzzing
from tests.fuzz.hostile import Unspoilt, spoilt
from tests.fuzz.kinds import ACCEPTED, KINDS, Kind, WrongError, answers, call, judged
from tests.fuzz.run import run, told
from tests.fuzz.sites import TINY
from tests.some import some

COUNT = 600
SOUND = [kind for kind in KINDS if kind.name not in ("words", "names", "answers")]


def test_nothing_hostile_ends_in_a_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = run(COUNT, seed=1)
    assert "\n".join(told(found.failures)) == ""
    assert {name for name, _ in found.answers} == {kind.name for kind in KINDS}
    assert sum(found.answers.values()) > 0.98 * COUNT
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", some(SOUND), ids=lambda kind: kind.name)
def test_what_is_made_worse_is_sound_to_begin_with(kind: Kind, tmp_path: Path) -> None:
    for seed in range(3):
        _, meet = kind.feed(tmp_path, Unspoilt(seed))
        assert meet() == ACCEPTED


def raising(error: Exception) -> Kind:
    def feed(folder: Path, rng: Random) -> tuple[bytes, Callable[[], str]]:
        del folder, rng

        def meet() -> str:
            raise error

        return b"input", meet

    return Kind("raising", 1, feed)


@pytest.mark.parametrize("error", [KeyError("formula"), WrongError("accepted"), RecursionError()])
def test_an_exception_is_a_failure_with_its_input(error: Exception) -> None:
    found = run(3, kinds=[raising(error)])
    assert [failure.octets for failure in found.failures] == [b"input"] * 3
    assert "raising: " in "\n".join(told(found.failures))


def test_what_takes_too_long_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless() -> str:
        while True:
            pass

    monkeypatch.setattr(fuzzing, "SECONDS", 0.2)
    (failure,) = run(1, kinds=[Kind("endless", 1, lambda _folder, _rng: (b"", endless))]).failures
    assert "more than 0.2 s" in str(failure.error)


def test_texts_are_made_worse_alike_by_one_seed() -> None:
    text = TINY.encode()
    found, again = ([spoilt(text, Random(seed)) for seed in range(300)] for _ in range(2))  # noqa: S311
    assert found == again
    assert len(set(found) - {text}) > 280


@pytest.mark.parametrize(
    ("header", "column"),
    [('de"vice,port,length_m', 3), ('device,"port,length_m', 8), ('device,port,"length_m"x', 13), ('"', 1)],
)
def test_a_stray_quote_in_a_header_has_a_place(tmp_path: Path, header: str, column: int) -> None:
    (tmp_path / "cables.csv").write_text(f"{header}\n")
    path = tmp_path / "intent.yaml"
    path.write_text(TINY.replace("cables: {", "cables: {file: cables.csv, "))
    said = call("validate", str(path))
    assert judged(said) == "refused"
    assert f"cables.csv:1:{column}: error[csv-syntax]" in said.text


@pytest.mark.parametrize("words", [("verify", "--from", "kept"), ("push", "-i", "inventory")])
def test_a_platform_without_a_reader_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, str, str]
) -> None:
    path = tmp_path / "intent.yaml"
    path.write_text(TINY)
    for name in words[2:]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "hosts.yaml").write_text("be-leaf-000: {hostname: 127.0.0.1, platform: frr}\n")
    monkeypatch.delitem(MAKERS, "frr")
    said = call(words[0], str(path), words[1], str(tmp_path / words[2]))
    assert "error[no-reader]: live switches with frr are not supported" in said.text
    with pytest.raises(FabricError):
        reader_of("frr")
    with pytest.raises(FabricError) as caught:
        commit_profile_of("none")
    assert [problem.code for problem in caught.value.problems] == ["no-commit-profile"]


def test_a_rule_whose_priority_is_no_number_is_read() -> None:
    """A mapping is no member of a set of numbers: Python refuses to look."""
    (found, names) = answers()["sonic"]
    rules = [{"priority": {"a": 1}, "src": "all", "table": "default"}]
    commands = [command for command in found if command.endswith("rule show")]
    assert len(commands) == 2
    given = {**found, **{command: Output(json.dumps(rules)) for command in commands}}
    assert isinstance(READERS["sonic"].state(given, names), State)


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    path = tmp_path / "intent.yaml"
    path.write_text(TINY)
    names = ("hosts", "ansible", "batfish", "containerlab", "gnmic", "nornir")
    exports = (("export", what, str(path), "-o") for what in names)
    for words in (("render", str(path), "-o"), ("verify", str(path), "-i"), ("push", str(path), "-i"), *exports):
        assert judged(call(*words, str(tmp_path / ("9" * 400)))) == "refused"
