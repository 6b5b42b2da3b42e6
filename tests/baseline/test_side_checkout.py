"""fabricgen run out of a checkout that holds the intent: its own templates of a revision are those of then."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from fabricgen.baseline.templates import templates_then
from fabricgen.render.folder import templates_folder
from tests.baseline.conftest import Git

ROOT = Path(__file__).parents[2]
PFC = "priority-flow-control"


def diff(repo: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "fabricgen", "diff", "inventories/demo/intent.yaml", "--against", "HEAD"]
    env = {**os.environ, "PYTHONPATH": str(repo)}
    return subprocess.run(words, cwd=repo, env=env, capture_output=True, text=True, check=False)


def test_a_line_deleted_from_a_template_of_the_checkout_is_never_safe(tmp_path: Path, git: Git) -> None:
    repo = tmp_path / "repo"
    for name in ("fabricgen", "templates", "inventories/demo"):
        shutil.copytree(ROOT / name, repo / name, ignore=shutil.ignore_patterns("__pycache__"))
    git(repo, "init", "--quiet")
    git(repo, "add", "--all")
    git(repo, "commit", "--quiet", "--message=first")
    assert diff(repo).returncode == 0
    path = repo / "templates/eos/qos-profiles.j2"
    path.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if "no-drop" not in line))
    done = diff(repo)
    assert done.returncode == 3, done.stderr
    assert f"- {PFC} priority 3 no-drop" in done.stdout
    assert "Highest risk: unknown" in done.stdout
    assert "no traffic loss" not in done.stdout


def test_templates_of_then_are_joined_and_the_users_stand_in_front(tmp_path: Path) -> None:
    ours, own = tmp_path / "ours", tmp_path / "own"
    shutil.copytree(templates_folder(), ours)
    assert templates_then(None, None, ours, tmp_path) == (None, None, True)
    name = "eos/qos-profiles.j2"
    (ours / name).write_text("then\n")
    (ours / "eos/gone.j2").write_text("a section that stands no more\n")
    assert templates_then(None, None, ours, tmp_path).then == tmp_path / "templates-then"
    joined = tmp_path / "templates-then"
    assert {path.relative_to(joined).as_posix() for path in joined.rglob("*.j2")} == {name}
    (own / "eos").mkdir(parents=True)
    (own / name).write_text("the user's\n")
    found = templates_then(own, own, ours, tmp_path)
    assert (found.then, found.is_known, (joined / name).read_text()) == (joined, True, "the user's\n")
