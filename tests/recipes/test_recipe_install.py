"""The recipes with their first step: pip installs a wheel into an environment of its own, and that one runs the job."""

import sysconfig
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.recipes.recipe import Ran, bash, doubles, github, gitlab
from tests.recipes.repository import a_unit, commit, git
from tests.test_package import wheel  # noqa: F401  # a fixture; needs the package index, for hatchling


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment that finds all dependencies and pip beside ours, and nothing of the checkout."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    libraries = tmp_path_factory.mktemp("libraries")
    for found in Path(sysconfig.get_path("purelib")).iterdir():
        if not found.name.startswith(("fabricgen", "_fabricgen", "__editable__")) and found.suffix != ".pth":
            (libraries / found.name).symlink_to(found)
    site = sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
    Path(site, "dependencies.pth").write_text(f"{libraries}\n")
    return folder / "bin"


# Other tests run the same steps with the checkout, and tests/test_package.py installs the wheel.
@pytest.mark.long
@pytest.mark.parametrize("run", [github, gitlab])
def test_from_the_first_step_on(
    work: Path,
    tmp_path: Path,
    wheel: Path,  # noqa: F811
    environment: Path,
    run: Callable[..., Ran],
) -> None:
    git(work, "checkout", "--quiet", "-b", "branch")
    a_unit(work)
    commit(work, "a unit")
    double = doubles(tmp_path / "double", is_installed=True)
    first, _, rest = double["PATH"].partition(":")
    path = {"PATH": f"{first}:{environment}:{rest.partition(':')[2]}", "PIP_NO_INDEX": "1"}
    done = run(work, tmp_path / "double", FABRICGEN=str(wheel), **path)
    assert done.code == 0, done.told
    assert "+ new" in done.body
    asked = "python3 -c 'import fabricgen; print(fabricgen.__file__)'; command -v fabricgen"
    module, program = bash(asked, work, double | path).stdout.split()
    assert Path(module).is_relative_to(environment.parent)
    assert Path(program) == environment / "fabricgen"
