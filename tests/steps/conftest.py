"""A folder with what stood before and the intent that changes, for either system, and the line as it is typed there."""

import contextlib
import json
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from tests.cli.sites import edit

INVENTORIES = Path(__file__).parents[2] / "inventories"
Edits = tuple[tuple[str, str], ...]
THREE_TIERS = """\
fabricgen: 1
site: dc1
management:
  oob: 10.0.0.0/20
  gateway: 10.0.0.1
  users: {{admin: {{role: network-admin, password: "${{env:ADMIN_HASH}}"}}}}
servers: {{train: {{model: dgx-h100, slots: 0-3, planned: 8}}}}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {{train: compute}}
    topology: {{design: rail-optimized, rails_per_leaf: 4, servers_per_unit: 2, units_per_pod: 1,
      spines: {{now: 2}}, superspines: {{now: {now}, planned: {planned}}}, spine_uplinks: 16}}
    leaf: {{model: arista-7060x6-64pe, os: eos-4.34}}
    spine: {{model: arista-7060dx5-32, os: eos-4.34}}
    superspine: {{model: arista-7060dx5-32, os: eos-4.34}}
    addressing: {{links: [ipv4], hosts: ipv4, ipv4: 10.64.0.0/12}}
    asns: 4201000000-4201999999
    transport: best-effort
"""


class Site(NamedTuple):
    """old/intent.yaml and site/intent.yaml below the current folder, each with its lock."""

    old: Path
    new: Path

    def change(self, *edits: tuple[str, str]) -> None:
        """Edit the new intent."""
        for before, after in edits:
            edit(self.new, before, after)

    def override(self, **states: str) -> None:
        """Add overrides to the new intent."""
        self.write(self.new, states)

    @staticmethod
    def write(path: Path, states: dict[str, str]) -> None:
        """Add overrides to an intent that has none."""
        lines = [f'  "{key}": {{state: {state}}}\n' for key, state in states.items()]
        path.write_text(path.read_text() + "overrides:\n" + "".join(lines))


Make = Callable[..., Site]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder of a test; no hidden folder is left in it."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".steps")]


@pytest.fixture
def make(here: Path) -> Make:
    """Copy an inventory twice; `edits` are of both."""

    def made(name: str, *edits: tuple[str, str]) -> Site:
        for folder in ("old", "site"):
            shutil.copytree(INVENTORIES / name, here / folder)
            for before, after in edits:
                edit(here / folder / "intent.yaml", before, after)
        return Site(Path("old/intent.yaml"), Path("site/intent.yaml"))

    return made


@pytest.fixture
def demo(make: Make) -> Site:
    """EOS: a backend of 4 leaves and 4 spines, a frontend of three pairs, two borders and 4 spines."""
    return make("demo")


@pytest.fixture
def frr(make: Make) -> Site:
    """FRR: a backend of 4 leaves and 2 spines, a frontend of two pairs, two borders and 2 spines."""
    return make("frr")


@pytest.fixture
def core(here: Path) -> Callable[..., Site]:
    """Two pods of spines below core groups of superspines, each side with its lock."""

    def made(spines: int, superspines: int) -> Site:
        text = THREE_TIERS.format(now=superspines, planned=4).replace("spines: {now: 2}", f"spines: {{now: {spines}}}")
        for folder in ("old", "site"):
            (here / folder).mkdir()
            (here / folder / "intent.yaml").write_text(text)
        assert say("render", "old/intent.yaml", "--out", "first").exit_code == 0
        (here / "site/fabricgen.lock").write_bytes((here / "old/fabricgen.lock").read_bytes())
        return Site(Path("old/intent.yaml"), Path("site/intent.yaml"))

    return made


def say(*words: object) -> Result:
    """Call a verb; an exception that is no exit is a failure of the test."""
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


class Shared(NamedTuple):
    """Steps that several tests look at, and change nothing of: the folder, what `plan` says, the tree of each step."""

    folder: Path
    found: dict[str, Any]
    trees: tuple[Path, ...]


def shared(folder: Path, name: str, edits: Edits, *options: str) -> Shared:
    """Make and render the steps of these edits of an inventory below a folder."""
    for place in ("old", "site"):
        shutil.copytree(INVENTORIES / name, folder / place)
    with contextlib.chdir(folder):
        for before, after in edits:
            edit(Path("site/intent.yaml"), before, after)
        found = steps(*options, typed=True, keep=True)
    return Shared(folder, found, tuple(folder / f"out-{number}" for number, _ in enumerate(found["steps"], 1)))


def steps(*options: str, typed: bool = False, keep: bool = False) -> dict[str, Any]:
    """Write the steps from old to site into the folder steps; each stands on its page as printed.

    typed  whether each is rendered as printed, too: one test for each kind of sequence and system does so
    keep   whether the tree of step 1 stays as out-1, and so on
    """
    result = say("plan", "site/intent.yaml", "--steps", "steps", "--against", "old", *options, "--json")
    assert result.exit_code == 0, result.stdout
    found: dict[str, Any] = json.loads(result.stdout)
    page = Path("steps/README.md").read_text()
    for number, step in enumerate(found["steps"], 1):
        assert f"\n    {step['command']}\n" in page
        if typed:
            rendered(step["command"])
        if keep:
            shutil.copytree("out", f"out-{number}")
    return found


def rendered(command: str, out: str = "out") -> None:
    """Type a command that a step prints, and see that the tree is the step's: of its intent and its overlay."""
    program, verb, *words = shlex.split(command)
    assert (program, verb) == ("fabricgen", "render")
    result = say(verb, *words)
    assert result.exit_code == 0, result.stderr
    kept = Path(out) / ".fabricgen/inputs"
    overlay = Path(words[words.index("--overlay") + 1]) if "--overlay" in words else None
    assert (kept / "overlay.yaml").exists() == (overlay is not None)
    assert overlay is None or (kept / "overlay.yaml").read_bytes() == overlay.read_bytes()
    assert (kept / "intent.yaml").read_bytes() == Path(words[0]).read_bytes()


def refused(*options: str) -> list[dict[str, Any]]:
    """The problems of steps that are refused; nothing is written then."""
    result = say("plan", "site/intent.yaml", "--steps", "steps", "--against", "old", *options, "--json")
    assert result.exit_code == 1, result.stdout
    assert not Path("steps").exists()
    problems: list[dict[str, Any]] = json.loads(result.stdout)["problems"]
    return problems


def least(found: dict[str, Any]) -> list[str]:
    """Least capacity of each state."""
    return [step["capacity"]["least"] for step in found["steps"]]
