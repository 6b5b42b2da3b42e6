"""The recipes of docs/recipes: their commands as they stand in the YAML, and the runners that run them.

No forge is asked here. `gh` and `curl` are doubles on the PATH: they write down how they were called, and answer a
question for the former comment with what lies in a file, in the shape that the forges' API pages give. All else is
real: bash, git, fabricgen, whose start alone is spared (served.py).
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.recipes.repository import CLEAN, git
from tests.recipes.served import program

RECIPES = Path(__file__).parents[2] / "docs/recipes"
PROGRAMS = Path(sys.executable).parent
SHELL = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail"]
"""`shell: bash` of GitHub Actions ("Workflow syntax"); GitLab Runner begins its script with `set -eo pipefail`."""

# Calls go to calls.txt, one word a line; the body of a comment to body.md.
GH = """\
#!/bin/sh
printf '%s\\n' gh "$@" "" >> "$DOUBLES/calls.txt"
for word; do
  case "$word" in
    body=@*) cat "${word#body=@}" > "$DOUBLES/body.md" ;;
    --jq) jq=1 ;;
    *) if [ -n "$jq" ]; then
         [ "$(cat "$DOUBLES/comments.json")" = "[]" ] || jq -r "$word" "$DOUBLES/comments.json"
         jq=
       fi ;;
  esac
done
"""
CURL = """\
#!/bin/sh
printf '%s\\n' curl "$@" "" >> "$DOUBLES/calls.txt"
asked=1
for word; do
  case "$word" in
    body@*) cat "${word#body@}" > "$DOUBLES/body.md"; asked= ;;
  esac
done
[ -z "$asked" ] || cat "$DOUBLES/comments.json"
"""


class Ran(NamedTuple):
    """What a job did: its exit code, all it printed, the calls of the doubles, the comment it wrote, its files."""

    code: int
    told: str
    calls: list[list[str]]
    body: str
    folder: Path


def recipe(name: str) -> dict[Any, Any]:
    """One of the YAML files as a runner reads it."""
    found: dict[Any, Any] = yaml.safe_load((RECIPES / name).read_text())
    return found


def doubles(folder: Path, comments: str = "[]", *, is_installed: bool = False) -> dict[str, str]:
    """Make the doubles, the forge having these comments; the environment that finds them before all else.

    is_installed  whether the fabricgen that is called is the one installed, or a fork of this process
    """
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    for name, text in (("gh", GH), ("curl", CURL)):
        double = folder / "bin" / name
        double.write_text(text)
        double.chmod(0o755)
    (folder / "bin/fabricgen").unlink(missing_ok=True)
    if not is_installed:
        (folder / "bin/fabricgen").symlink_to(program())
    (folder / "comments.json").write_text(comments)
    (folder / "calls.txt").unlink(missing_ok=True)
    (folder / "body.md").unlink(missing_ok=True)
    return {"DOUBLES": str(folder), "PATH": f"{folder / 'bin'}:{PROGRAMS}:{os.environ['PATH']}"}


def ran(folder: Path, code: int, told: str) -> Ran:
    """Read what the doubles wrote down."""
    calls = folder / "calls.txt"
    lines = calls.read_text().rstrip("\n").split("\n\n") if calls.exists() else []
    body = folder / "body.md"
    return Ran(code, told, [call.split("\n") for call in lines], body.read_text() if body.exists() else "", folder)


def bash(script: str, work: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run one script as a runner does: from a file, in the root of the checkout."""
    file = Path(env["DOUBLES"]) / "script.sh"
    file.write_text(script)
    return subprocess.run(
        [*SHELL, str(file)], cwd=work, env={**CLEAN, **env}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=120, check=False,
    )  # fmt: skip


# What an expression of the GitHub recipe is worth; one that is not here fails the test that runs it.
EXPRESSIONS = {
    "github.event.number": "7",
    "github.token": "a-token",
    "vars.FABRICGEN": "fabricgen",
}


def worth(value: object) -> str:
    """A value of `env` with its expressions replaced."""
    return re.sub(r"\$\{\{ (\S+) \}\}", lambda found: EXPRESSIONS[found[1]], str(value))


def github(work: Path, doubled: Path, comments: str = "[]", **variables: str) -> Ran:
    """Run the job of the GitHub recipe in a checkout, step after step, until one fails.

    The environment is what GitHub sets of it ("Variables reference"), and what earlier steps wrote into GITHUB_ENV;
    `variables` come before all. fabricgen is installed where FABRICGEN is among them.
    """
    job = recipe("github-actions.yaml")
    is_installed = "FABRICGEN" in variables
    env = doubles(doubled, comments, is_installed=is_installed) | {
        name: worth(value) for name, value in job["env"].items()
    }
    for name in ("GITHUB_ENV", "GITHUB_STEP_SUMMARY"):
        env[name] = str(doubled / name)
        (doubled / name).write_text("")
    env |= {"GITHUB_BASE_REF": "main", "GITHUB_REPOSITORY": "site/fabric", "RUNNER_TEMP": str(doubled)}
    told = ""
    for step in job["jobs"]["review"]["steps"]:
        if "run" not in step or (step["name"] == "install" and not is_installed):
            continue
        written = dict(line.split("=", 1) for line in (doubled / "GITHUB_ENV").read_text().splitlines())
        own = {name: worth(value) for name, value in step.get("env", {}).items()}
        done = bash(step["run"], work, env | written | own | variables)
        told += done.stdout
        if done.returncode:
            return ran(doubled, done.returncode, told)
    return ran(doubled, 0, told)


def gitlab(work: Path, doubled: Path, comments: str = "[]", **variables: str) -> Ran:
    """Run the job of the GitLab recipe in a checkout: its lines are one script.

    The environment is what GitLab sets of it ("Predefined CI/CD variables"): here of a merge request pipeline that is
    no merged results pipeline, whose CI_MERGE_REQUEST_TARGET_BRANCH_SHA is empty. `variables` as for GitHub.
    """
    job = recipe("gitlab-ci.yaml")["fabric review"]
    is_installed = "FABRICGEN" in variables
    env = doubles(doubled, comments, is_installed=is_installed) | job["variables"] | {
        "CI_API_V4_URL": "https://gitlab.example.net/api/v4",
        "CI_MERGE_REQUEST_PROJECT_ID": "42",
        "CI_MERGE_REQUEST_IID": "7",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": git(work, "merge-base", "origin/main", "HEAD").stdout.strip(),
        "CI_MERGE_REQUEST_TARGET_BRANCH_SHA": "",
        "FABRICGEN_TOKEN": "a-token",
    }  # fmt: skip
    script = "\n".join(line for line in job["script"] if is_installed or "pip install" not in line)
    done = bash(script, work, env | variables)
    return ran(doubled, done.returncode, done.stdout)


def has_jq() -> bool:
    """Whether jq is here, which is inside of the real gh and stands beside the double."""
    return shutil.which("jq") is not None
