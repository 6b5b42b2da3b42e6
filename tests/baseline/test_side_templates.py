"""A side that keeps no record of its templates is held against ours: what the user's change is told, and never safe."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from tests.some import some

Git = Callable[..., str]

ROOT = Path(__file__).parents[2]
LOSSLESS = "no-drop"
SAFE = ("no traffic loss", "hitless", "🟢", "⚪", "No differences")
NOTE = (
    " has no copy of your templates: it is compared with fabricgen's own; changes "
    "by your templates are listed under text"
)


def diff(site: Path, against: object, *words: object) -> Result:
    given = ("diff", site, "--against", against, *words)
    return CliRunner().invoke(main, [str(word) for word in given], catch_exceptions=False)


@pytest.fixture
def lossy(tmp_path: Path) -> Path:
    """Our template of the QoS profiles, without its lines of lossless priorities."""
    lines = (ROOT / "templates/eos/qos-profiles.j2").read_text().splitlines(keepends=True)
    kept = [line for line in lines if LOSSLESS not in line]
    assert len(kept) < len(lines)
    path = tmp_path / "tp/eos/qos-profiles.j2"
    path.parent.mkdir(parents=True)
    path.write_text("".join(kept))
    return tmp_path / "tp"


@pytest.fixture(params=["old", "old/intent.yaml", "HEAD", "HEAD:inventories/dc1"])
def against(
    request: pytest.FixtureRequest, repo: Path, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """The same intent, as a side that says nothing of templates."""
    del repo
    monkeypatch.chdir(tmp_path)
    shutil.copytree(site.parent, tmp_path / "old")
    return str(request.param)


@pytest.mark.parametrize("form", some([(), ("--markdown",), ("--json",)]))
def test_a_lossless_line_that_the_users_template_lost_is_told(
    site: Path, against: str, lossy: Path, form: tuple[str, ...]
) -> None:
    result = diff(site, against, "--templates", lossy, *form)
    assert result.exit_code == 3
    assert LOSSLESS in result.stdout
    assert not [word for word in SAFE if word in result.stdout]
    if form == ("--json",):
        value = json.loads(result.stdout)
        assert {(found["cause"], found["risk"]) for found in value["text"]} == {("templates", "unknown")}
        assert value["notes"][0].endswith(NOTE)
    if not form:
        assert result.stdout.splitlines()[0].endswith(NOTE)


def test_without_templates_nothing_changes(site: Path, against: str) -> None:
    result = diff(site, against)
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "No differences.")


def test_templates_that_say_what_ours_say_differ_in_nothing(site: Path, against: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "templates/eos", tmp_path / "same/eos")
    result = diff(site, against, "--templates", tmp_path / "same")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].endswith(NOTE)


def test_templates_of_a_revision_are_compared_with_themselves(repo: Path, site: Path, lossy: Path, git: Git) -> None:
    shutil.copytree(lossy, repo / "tp")
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--message=templates")
    result = diff(site, "HEAD", "--templates", repo / "tp")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "No differences.")
    result = diff(site, "HEAD~1", "--templates", repo / "tp")
    assert (result.exit_code, LOSSLESS in result.stdout) == (3, True)
