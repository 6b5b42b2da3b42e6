"""The filter of the switch's own input, which the file of ifupdown2 makes: it is that of the file, always.

The commands are those of a rendered file, run by ifupdown2 in a live switch.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from napalm_frr import FRRDriver
from tests.napalm_frr import boxes, fabric, switches
from tests.napalm_frr.boxes import INTERFACES, SETTINGS, Box

SITE = Path(__file__).parents[2] / "inventories/frr/intent.yaml"
OPEN = boxes.interfaces()


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    if boxes.available() is not None:
        pytest.skip(f"judge: {boxes.available()}")
    with boxes.started() as found:
        found.loaded.show("write memory")
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sites")


@cache
def filtered(folder: Path, source: str) -> str:
    """The switch's file, with the commands that a leaf with this source of managers has on lo."""
    intent = yaml.safe_load(SITE.read_text())
    intent["management"]["access"] = {"sources": [source]}
    path = folder / f"{source.partition('/')[0]}.yaml"
    path.write_text(yaml.safe_dump(intent))
    device = next(row for row in devices(open_workspace(path).plan) if row.name == "fe-leaf-000")
    text = next(file.text for file in Renderer().render(device) if file.path.endswith("interfaces"))
    found = re.search(r"^    pre-up nft ' \\\n(?:.*\\\n)+.*'\n", text, re.MULTILINE)
    assert found is not None
    return OPEN.replace("iface lo inet loopback\n", f"iface lo inet loopback\n{found.group()}", 1)


def commit(driver: FRRDriver, text: str, *, seconds: int | None = None) -> None:
    driver.load_replace_candidate(config=fabric.text("leaf1"))
    driver.load_files({INTERFACES: text, SETTINGS: boxes.SYSCTL})
    driver.commit_config(revert_in=seconds)


def source(box: Box) -> str:
    """The source of SSH in the kernel's filter; empty without a filter."""
    tables = box.run("nft", "list", "ruleset")
    found = re.findall(r"ip saddr (\S+) ip daddr \S+ tcp dport 22 accept", tables)
    assert len(found) == tables.count("chain input") <= 1
    return found[0] if found else ""


def test_the_filter_is_that_of_the_file(box: Box, folder: Path) -> None:
    first, second = (filtered(folder, prefix) for prefix in ("10.0.0.0/28", "10.9.9.0/24"))
    with switches.opened(box.loaded, folder / "state", mount=str(box.mount)) as driver:
        assert source(box) == ""
        commit(driver, first, seconds=300)
        assert source(box) == "10.0.0.0/28"
        driver.rollback()
        assert source(box) == ""
        commit(driver, first)
        commit(driver, second, seconds=300)
        assert source(box) == "10.9.9.0/24"
        driver.rollback()
        assert source(box) == "10.0.0.0/28"
        commit(driver, OPEN)
        assert source(box) == ""
        driver.rollback()
        assert source(box) == "10.0.0.0/28"
        commit(driver, OPEN)
    assert box.file(INTERFACES).read_text() == OPEN
