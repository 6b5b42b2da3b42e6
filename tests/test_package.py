"""The wheel is whole: installed far from the checkout it renders the same bytes."""

import fcntl
import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import fabricgen
from tests.cli.sites import DEMO, tree

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the checkout, once for all processes of a run. Needs the package index, for hatchling."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "wheel"
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not any(folder.glob("*.whl")):
            subprocess.run([*command, "--wheel-dir", folder, ROOT], check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install it into a new environment that finds the dependencies, and nothing of the checkout, beside ours."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin/python"
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    command = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]
    subprocess.run([*command, "--no-deps", "--no-index", wheel], check=True, capture_output=True)
    # A path as text only: the .pth files of the folder, which lead to the checkout, are not read from it.
    (site / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return folder / "bin"


def test_templates_and_hardware_are_inside(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    hardware = {path.relative_to(ROOT).as_posix() for path in (ROOT / "fabricgen/hardware").rglob("*.yaml")}
    templates = {
        f"fabricgen/_templates/{path.relative_to(ROOT / 'templates').as_posix()}"
        for path in (ROOT / "templates").rglob("*.j2")
    }
    assert len(hardware) > 5
    assert len(templates) > 10
    assert hardware | templates | {"fabricgen/py.typed", "napalm_frr/py.typed"} <= names
    foreign = {name for name in names if not name.startswith(("fabricgen/", "fabricgen-", "napalm_frr/"))}
    assert not foreign


def test_the_same_bytes_as_the_checkout(installed: Path, tmp_path: Path) -> None:
    found = []
    commands = ([str(installed / "fabricgen")], [sys.executable, "-m", "fabricgen"])
    for name, command in zip(("wheel", "checkout"), commands, strict=True):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "intent.yaml").write_text(DEMO.read_text())
        env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        subprocess.run([*command, "render", "intent.yaml", "-o", "out"], cwd=folder, env=env, check=True)
        found.append(tree(folder))
    assert len(found[0]) > 20
    assert found[0] == found[1]


def test_it_is_the_wheel_that_ran(installed: Path, tmp_path: Path) -> None:
    program = "import fabricgen.render.render as r; print(r.__file__); print(r.templates_folder())"
    told = subprocess.run(
        [installed / "python", "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout
    assert all(line.startswith(str(installed.parent)) for line in told.splitlines())
    assert told.rstrip().endswith("fabricgen/_templates")


def pins(name: str) -> dict[str, str]:
    """Package → its version, as a file of the checkout pins it."""
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", (ROOT / name).read_text(), re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found}


def test_what_runs_is_pinned_by_hashes_in_the_versions_that_are_tested() -> None:
    text = (ROOT / "requirements.txt").read_text()
    pinned, tested = pins("requirements.txt"), pins("constraints.txt")
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {re.split(r"[><=]", need)[0] for need in needs} <= set(pinned)
    assert {package: version for package, version in pinned.items() if tested.get(package) != version} == {}
    parts = [part for part in re.split(r"\n(?=\S)", text) if not part.startswith("#")]
    assert [part for part in parts if not re.search(r"--hash=sha256:[0-9a-f]{64}", part)] == []
    assert len(parts) == len(pinned) > 20


def test_the_wheel_has_a_bill_of_what_is_pinned(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if ".dist-info/sboms/" in name)
        bill = json.loads(archive.read(name))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["version"] == fabricgen.__version__
    listed = {re.sub(r"[-_.]+", "-", row["name"]).lower(): row["version"] for row in bill["components"]}
    assert listed == pins("requirements.txt")
    digests = [digest for row in bill["components"] for ref in row["externalReferences"] for digest in ref["hashes"]]
    assert len(digests) == (ROOT / "requirements.txt").read_text().count("--hash=sha256:")
    assert bill["dependencies"] == [{"ref": "fabricgen", "dependsOn": [row["purl"] for row in bill["components"]]}]
