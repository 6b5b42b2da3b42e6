"""Work outside the configuration is never called harmless because the configuration stays as it is."""

import re
import shutil
from pathlib import Path

import pytest

from fabricgen.changes.kinds.catalogue import KIND
from fabricgen.diff.classes import OUTSIDE
from fabricgen.hardware.catalog import OURS
from fabricgen.plan.plan import Plan
from fabricgen.platforms.base.cost import Risk
from fabricgen.render.folder import templates_folder
from fabricgen.site.workspace import open_workspace
from tests.diff.variants import judged, plan_of

MODEL = "arista-7060x6-64pe"
LEAF = "leaf: {{model: {}, os: {}}}"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return plan_of(tmp_path_factory.mktemp("outside") / "demo")


def leaf(model: str, system: str) -> tuple[str, str]:
    return LEAF.format(MODEL, "eos-4.34"), LEAF.format(model, system)


def test_another_image_is_a_reload_though_every_line_stays(demo: Plan, tmp_path: Path) -> None:
    found = judged(demo, plan_of(tmp_path / "image", leaf(MODEL, "eos-4.34.1")))
    assert [(one.devices[0], len(one.devices), one.risk) for one in found.meaning] == [("be-leaf-000", 4, Risk.RELOAD)]
    assert [line.kind for line in found.meaning[0].lines] == ["device.version"]


def test_another_box_is_a_reload_though_every_line_stays(demo: Plan, tmp_path: Path) -> None:
    folder = tmp_path / "box"
    plan_of(folder)
    (folder / "hardware/switches").mkdir(parents=True)
    text = (OURS / f"switches/{MODEL}.yaml").read_text()
    assert text.startswith(f"model: {MODEL}\n")
    (folder / "hardware/switches/twin.yaml").write_text(text.replace(MODEL, "twin", 1))
    path = folder / "intent.yaml"
    path.write_text(path.read_text().replace(*leaf("twin", "eos-4.34")))
    found = judged(demo, open_workspace(path).plan)
    assert {line.kind for one in found.meaning for line in one.lines if line.risk is Risk.RELOAD} == {"device.model"}
    assert (found.risk, len(found.meaning[0].devices)) == (Risk.RELOAD, 4)


def without_descriptions(folder: Path) -> Path:
    """Templates of a user's own that say no far end."""
    shutil.copytree(templates_folder() / "eos", folder / "eos")
    for path in (folder / "eos").glob("*.j2"):
        path.write_text(re.sub(r"^.* description .*\n", "", path.read_text(), flags=re.MULTILINE))
    return folder


def test_cables_moved_by_hand_are_a_loss_though_no_line_names_their_ends(demo: Plan, tmp_path: Path) -> None:
    moved = plan_of(tmp_path / "spines", ("spines: {now: 4, planned: 16}", "spines: {now: 8, planned: 16}"))
    found = judged(demo, moved, without_descriptions(tmp_path / "mine"))
    (leaves,) = (one for one in found.meaning if one.role == "leaf" and one.fabric == "backend")
    assert {(line.kind, line.risk) for line in leaves.lines if line.kind == "interface.peer"} == {
        ("interface.peer", Risk.TRAFFIC_LOSS)
    }
    assert leaves.risk is Risk.TRAFFIC_LOSS


def test_only_kinds_that_there_are_stand_for_such_work() -> None:
    assert set(KIND) >= OUTSIDE
