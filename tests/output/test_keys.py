"""Input keys: what changes a switch's files changes its key."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricgen.plan.plan import Plan
from fabricgen.render.tree import CABLING
from fabricgen.site.workspace import open_workspace
from tests.cli.sites import DEMO, edit
from tests.trees import whole_tree

ROOT = Path(__file__).parents[2]
ONE = "overrides: {fe-leaf-002: {state: drained}}\n"
BOTH = "overrides: {fe-leaf-002: {state: drained}, fe-leaf-003: {state: drained}}\n"


def keys_and_files(plan: Plan) -> tuple[dict[str, str], dict[str, bytes]]:
    found = whole_tree(plan)
    return found.keys, {path.partition("/")[0]: content for path, content in found.files.items() if path != CABLING}


def own_hardware(intent: Path) -> None:
    """The backend's switch as a file of the user's own, with another MTU limit."""
    folder = intent.parent / "hardware/switches"
    folder.mkdir(parents=True)
    source = next((ROOT / "fabricgen/hardware").rglob("arista-7060x6-64pe.yaml"))
    text = source.read_text()
    assert "headroom" in text
    (folder / source.name).write_text(text.replace("xoff_octets: ", "xoff_octets: 1"))


@pytest.mark.parametrize(
    "change",
    [
        lambda intent: edit(intent, ONE, BOTH),
        own_hardware,
        lambda intent: edit(intent, "slots: 0-31, planned: 192", "slots: 0-63, planned: 192"),
        lambda intent: edit(intent, "vlan: 110", "vlan: 112"),
        lambda intent: edit(intent, "ntp: [10.0.0.5, 10.0.0.6]", "ntp: [10.0.0.5]"),
    ],
    ids=["the other leaf of a pair is drained", "own hardware file", "more servers", "another VLAN", "a time server"],
)
def test_no_file_changes_under_an_equal_key(tmp_path: Path, change: Callable[[Path], None]) -> None:
    shutil.copytree(DEMO.parent, tmp_path / "site")
    intent = tmp_path / "site/intent.yaml"
    intent.write_text(ONE + intent.read_text())
    before = keys_and_files(open_workspace(intent).plan)
    change(intent)
    after = keys_and_files(open_workspace(intent).plan)
    changed = {name for name in before[1] if name in after[1] and before[1][name] != after[1][name]}
    assert changed
    assert {name for name in changed if before[0][name] == after[0][name]} == set()
