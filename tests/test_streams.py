"""The jobs of `make test`: each test is in one of them, and one that fails is told."""

from pathlib import Path

import pytest

from tests import streams
from tests.streams import LIVE, PLAIN, ROOT, Job, command, main, run, skipped


def _takes(words: list[str], path: Path) -> bool:
    """Whether a call of pytest collects a file."""
    ignored = {Path(word.removeprefix("--ignore=")) for word in words if word.startswith("--ignore=")}
    wanted = {Path(word) for word in words[2:] if not word.startswith("--")}
    above = {path, *path.parents}
    return bool(wanted & above) and not ignored & above


def test_each_test_is_in_one_job() -> None:
    calls = {job.name: command(job) for job in (*LIVE, *PLAIN) if job.program == "pytest"}
    files = [path.relative_to(ROOT) for path in sorted(ROOT.glob("tests/**/test_*.py"))]
    assert files
    for path in files:
        found = [name for name, words in calls.items() if _takes(words, path)]
        assert len(found) == 1, (path, found)


def test_what_is_named_exists() -> None:
    """A name that is left behind by a file that moved would run nothing."""
    for job in (*LIVE, *PLAIN):
        if job.program == "pytest":
            assert [word for word in job.words if not (ROOT / word).exists()] == []


@pytest.mark.parametrize(("words", "code", "told"), [(("--version",), 0, "all passed"), (("nonsense",), 1, "failed: ")])
def test_one_that_fails_is_told(
    words: tuple[str, ...],
    code: int,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(streams, "OUT", tmp_path)
    monkeypatch.setattr(streams, "LIVE", (Job("one", "ruff", ("--version",)),))
    monkeypatch.setattr(streams, "PLAIN", (Job("other", "ruff", words),))
    assert main() == code
    assert capsys.readouterr().out.splitlines()[-1].startswith(told)


def test_a_job_keeps_what_python_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "import sys; print(sys.dont_write_bytecode, sys.pycache_prefix)"
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(streams, "OUT", tmp_path)
    assert run(Job("one", "python", ("-c", said)))[0] == 0
    assert (tmp_path / "one.txt").read_text() == f"False {ROOT / 'out/tests/bytecode'}\n"


def test_what_is_skipped_is_counted_by_reason() -> None:
    one = "SKIPPED [2] tests/a/test_a.py:17: FRR is not installed\nSKIPPED [1] tests/b.py:3: needs root\nFAILED x\n"
    other = "SKIPPED [3] tests/c.py:9: FRR is not installed\n"
    assert skipped([one, other]) == ["skipped: 5 tests: FRR is not installed", "skipped: 1 test: needs root"]
