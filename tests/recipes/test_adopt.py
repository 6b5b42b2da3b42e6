"""action.yml, .pre-commit-hooks.yaml and Dockerfile at the top of the project: what others start with.

No forge and no container is asked here. Steps of the action are run as GitHub's runner runs them (recipe.py), the hook
as pre-commit runs it, and a wheel is built of what .dockerignore leaves.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.cli import main
from tests.cli.sites import DEMO
from tests.recipes.recipe import RECIPES, bash, doubles
from tests.recipes.repository import CLEAN, INTENT, a_unit, broken, commit, git
from tests.recipes.test_recipe_install import environment  # noqa: F401  # a fixture
from tests.some import LONG

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
INPUT = re.compile(r"^\$\{\{ inputs\.(\w+) \}\}$")


def holds(condition: str, given: dict[str, str]) -> bool:
    """Whether a step's `if` holds: comparisons of a name and a text, joined by &&; a step without one is run."""
    for part in filter(None, condition.split(" && ")):
        found = re.fullmatch(r"([\w.]+) (==|!=) '([^']*)'", part)
        assert found, condition
        if (given[found[1]] == found[3]) is not (found[2] == "=="):
            return False
    return True


def act(work: Path, doubled: Path, *, event: str = "pull_request", **inputs: str) -> tuple[int, str, str]:
    """Run the action in a checkout but for what installs it: exit code, what was printed, the summary of the job."""
    given = {f"inputs.{name}": inputs.get(name, row.get("default", "")) for name, row in ACTION["inputs"].items()}
    given["github.event_name"] = event
    env = doubles(doubled) | {"GITHUB_BASE_REF": "main", "RUNNER_TEMP": str(doubled)}
    summary = doubled / "summary"
    summary.write_text("")
    told = ""
    for step in STEPS:
        if "run" not in step or step["name"] == "install" or not holds(step.get("if", ""), given):
            continue
        own = {
            name: given[f"inputs.{found[1]}"] for name, value in step["env"].items() if (found := INPUT.match(value))
        }
        assert own.keys() == step["env"].keys()
        done = bash(step["run"], work, env | own | {"GITHUB_STEP_SUMMARY": str(summary)})
        told += done.stdout
        if done.returncode:
            return done.returncode, told, summary.read_text()
    return 0, told, summary.read_text()


@pytest.fixture
def branch(work: Path) -> Path:
    git(work, "checkout", "--quiet", "-b", "branch")
    return work


def test_a_pull_request_is_validated_and_its_change_is_in_the_summary(branch: Path, tmp_path: Path) -> None:
    a_unit(branch)
    commit(branch, "a unit")
    code, told, summary = act(branch, tmp_path / "double", intent=INTENT)
    assert code == 0, told
    assert "checks passed" in told
    assert summary.startswith("<!-- fabricgen diff ")
    assert "be-leaf-004" in summary


def test_a_push_is_validated_alone(branch: Path, tmp_path: Path) -> None:
    assert act(branch, tmp_path / "double", event="push", intent=INTENT)[::2] == (0, "")


def test_a_wrong_intent_ends_the_job(branch: Path, tmp_path: Path) -> None:
    broken(branch)
    code, told, summary = act(branch, tmp_path / "double", intent=INTENT)
    assert (code, summary) == (1, "")
    assert "arista-7060x6-64pe" in told


def test_a_checkout_without_the_base_is_told_what_to_write(branch: Path, tmp_path: Path) -> None:
    git(branch, "update-ref", "-d", "refs/remotes/origin/main")
    code, told, _ = act(branch, tmp_path / "double", intent=INTENT)
    assert (code, "fetch-depth: 0" in told) == (1, True)


def test_another_command_is_run_alone(branch: Path, tmp_path: Path) -> None:
    code, told, summary = act(branch, tmp_path / "double", intent=INTENT, command="render --locked -o out")
    assert (code, summary) == (0, ""), told
    assert (branch / "out/be-leaf-000/startup-config").is_file()
    assert act(branch, tmp_path / "double", intent=INTENT, command="rendr")[0] == 2


def commands() -> Iterator[str]:
    """Each line of the action, the hook and the Dockerfile's remarks that calls fabricgen."""
    texts = [step.get("run", "") for step in STEPS] + [HOOK["entry"], DOCKERFILE]
    for text in texts:
        yield from re.findall(r"(?:^| )fabricgen ((?:validate|diff)[^|;>\n]*)", text, re.MULTILINE)


def test_every_command_is_one_of_fabricgen() -> None:
    found = [*commands()]
    assert len(found) >= 4
    for line in found:
        words = [word for word in shlex.split(line) if word not in ("||", "{")]
        command = main.get_command(main.make_context("fabricgen", [words[0]]), words[0])
        assert command is not None
        # It parses: a wrong option, or a word too many, is refused here.
        command.make_context(words[0], words[1:])


def test_the_action_is_one_that_github_takes() -> None:
    """Metadata syntax: a name, a description, and of a composite action a shell at each run."""
    assert ACTION["name"] == "fabricgen"
    assert ACTION["runs"]["using"] == "composite"
    assert set(ACTION["inputs"]) == {"intent", "command"}
    assert ACTION["inputs"]["intent"]["required"] is True
    assert all(row["description"] for row in (ACTION, *ACTION["inputs"].values()))
    assert all(step["shell"] == "bash" for step in STEPS if "run" in step)
    # An input inside of a script would be run as code of whoever wrote it.
    assert not [step["name"] for step in STEPS if "${{" in step.get("run", "")]
    used = {step["uses"] for step in STEPS if "uses" in step}
    assert used <= set(re.findall(r"uses: (\S+)", (RECIPES / "github-actions.yaml").read_text()))


@pytest.mark.long
def test_what_the_action_installs_is_the_checkout_of_the_action(
    work: Path,
    tmp_path: Path,
    environment: Path,  # noqa: F811
) -> None:
    """Its environment finds the dependencies, which are here already. Needs the package index, for hatchling."""
    runner, path = tmp_path / "runner", tmp_path / "path"
    shutil.copytree(environment.parent, runner / "fabricgen", symlinks=True)
    (install,) = (step["run"] for step in STEPS if step.get("name") == "install")
    env = doubles(tmp_path / "double") | {"RUNNER_TEMP": str(runner), "GITHUB_PATH": str(path)}
    done = bash(install, work, env | {"GITHUB_ACTION_PATH": str(ROOT)})
    assert done.returncode == 0, done.stdout
    folder = Path(path.read_text().strip())
    program = "import fabricgen; print(fabricgen.__file__)"
    where = subprocess.run([folder / "python", "-c", program], cwd=work, capture_output=True, text=True, check=True)
    assert Path(where.stdout.strip()).is_relative_to(runner)
    subprocess.run([folder / "fabricgen", "validate", INTENT], cwd=work, env=CLEAN, check=True, capture_output=True)


def hooked(work: Path, tmp_path: Path, *names: str) -> subprocess.CompletedProcess[str]:
    """Run the hook as pre-commit does: its entry split as a shell does, then the names, without a shell."""
    return subprocess.run(
        [*shlex.split(HOOK["entry"]), *names], cwd=work, env=CLEAN | doubles(tmp_path / "double"),
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_the_hook_checks_each_intent_that_is_committed(work: Path, tmp_path: Path) -> None:
    assert (HOOK["id"], HOOK["language"]) == ("fabricgen-validate", "python")
    assert HOOK.get("pass_filenames", True)
    other = "site/intent-b.yml"
    shutil.copy(work / INTENT, work / other)
    assert hooked(work, tmp_path, INTENT, other).returncode == 0
    broken(work)
    done = hooked(work, tmp_path, INTENT, other)
    assert (done.returncode, INTENT in done.stderr) == (1, True)
    assert hooked(work, tmp_path, other, INTENT).returncode == 1
    assert hooked(work, tmp_path, other).returncode == 0


def test_the_hook_is_for_intents() -> None:
    for name in ("intent.yaml", INTENT, "a/intent-b.yml", "intents/dc1.yaml"):
        assert re.search(HOOK["files"], name)
    for name in ("site/hosts.yaml", "site/fabricgen.lock", "schema/intent.schema.json", "out/a/startup.yaml"):
        assert not re.search(HOOK["files"], name)


def instructions() -> list[tuple[str, str]]:
    """Instructions of the Dockerfile with what follows each, lines joined."""
    text = re.sub(r"\\\n", " ", DOCKERFILE)
    return [(found[1], found[2]) for found in re.finditer(r"^([A-Z]+) (.*)$", text, re.MULTILINE)]


def test_the_image_runs_fabricgen_as_an_ordinary_user() -> None:
    found = instructions()
    last = [*found[max(at for at, (name, _) in enumerate(found) if name == "FROM") :]]
    assert last[0] == ("FROM", "python:3.12-slim")
    assert [text for name, text in last if name == "ENTRYPOINT"] == ['["fabricgen"]']
    (user,) = (text for name, text in last if name == "USER")
    assert user not in ("root", "0")
    assert any(name == "RUN" and f"useradd --create-home {user}" in text for name, text in last)
    # Nothing is written as root behind it, and no secret is a part of an image.
    behind = [name for name, _ in last[[name for name, _ in last].index("USER") :]]
    assert not {"RUN", "COPY", "ADD"} & set(behind)
    assert not [text for name, text in found if name in ("ARG", "ENV") and re.search("TOKEN|PASSWORD|SECRET", text)]
    least = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert least == ">=3.11"


def kept() -> list[str]:
    """Entries at the top of the project that .dockerignore lets through."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    return [line[1:] for line in rules if line.startswith("!")]


def test_what_reaches_the_image_is_the_product_alone() -> None:
    assert not {".git", "inventories", "tests", "out", ".venv"} & set(kept())
    assert {"fabricgen", "napalm_frr", "templates", "pyproject.toml"} <= set(kept())


@LONG
def test_what_reaches_the_image_makes_a_whole_wheel(tmp_path: Path) -> None:
    """Built of the context alone. Needs the package index, for hatchling."""
    context, wheels = tmp_path / "src", tmp_path / "wheels"
    context.mkdir()
    for name in kept():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, context / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, context / name)
    assert re.search(r"-c /src/(\S+) /src$", dict(instructions())["RUN"] + "\n" + DOCKERFILE, re.MULTILINE)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", wheels, context], check=True, capture_output=True)
    target = tmp_path / "installed"
    (wheel,) = wheels.iterdir()
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", target, wheel], check=True)
    shutil.copy(DEMO, tmp_path / "intent.yaml")
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PYTHONPATH": str(target)}
    command = [sys.executable, "-m", "fabricgen", "render", "intent.yaml", "-o", "out"]
    subprocess.run(command, cwd=tmp_path, env=env, check=True, capture_output=True)
    assert (tmp_path / "out/be-leaf-000/startup-config").is_file()
