"""Ports and addresses of uplinks that come with more spines, and the page that speaks of them.

The demo's frontend planned for 8 spines of which 4 stand: see tests/plan/test_more_spines_plan.py for its arithmetic.
Blocks of 16 from 10.128.0.0: two border leaves, then fe-leaf-000 of the store at .32. Its uplink 4 is on cage 28.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from fabricgen.cli import main
from tests.explain.asking import DEMO, one

LEAF = "fe-leaf-000"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """Intent of the demo with so many of 8 planned spines on its frontend."""

    def made(now: int) -> Path:
        path = tmp_path_factory.mktemp("reserved") / "intent.yaml"
        old = "border_leaves: 2}"
        text = DEMO.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, f"border_leaves: 2, spines: {{now: {now}, planned: 8}}}}"))
        return path

    return made


def test_a_reserved_port(site: Callable[[int], Path]) -> None:
    told = one(LEAF, "Ethernet28/1", intent=site(4))
    assert told.title == "fe-leaf-000 Ethernet28/1: reserved for uplink 4 of a leaf of frontend"
    assert told.values("cable") == ["none: a leaf has 4 uplinks with 4 spines"]
    assert told.values("binding") == ["uplink 4 in front-panel order, used when more spines need it"]


def test_the_port_with_a_spine_more(site: Callable[[int], Path]) -> None:
    told = one(LEAF, "Ethernet28/1", intent=site(5))
    assert told.title == "fe-leaf-000 Ethernet28/1: uplink 4 of a leaf of frontend"
    assert told.values("cable") == ["fe-leaf-000 Ethernet28/1 to fe-spine-04 Ethernet3/1, 400G"]


def test_addresses_of_a_reserved_uplink(site: Callable[[int], Path]) -> None:
    four, five = site(4), site(5)
    assert one("10.128.0.40", intent=four).title == (
        "10.128.0.40: reserved for uplink 4 of fe-leaf-000, which comes with more spines"
    )
    assert one("10.128.0.41", intent=five).title.startswith("10.128.0.41: fe-spine-04 Ethernet3/1")
    assert one("10.128.0.42", intent=five).title.endswith("uplink 5 of fe-leaf-000, which comes with more spines")
    assert one("fd5e:8c1f:2a00:1000::2f", intent=four).title.startswith(
        "fd5e:8c1f:2a00:1000::2f: reserved for uplink 7 of fe-leaf-000"
    )
    # Nothing is planned past the four that the ratio asks: a block of 8 is full.
    assert "reserved" not in one("10.128.0.23").title


def test_the_page_says_what_a_spine_more_does(site: Callable[[int], Path]) -> None:
    page = CliRunner().invoke(main, ["plan", str(site(4))], catch_exceptions=False).stdout
    text = " ".join(page.split())
    assert "1 x 400G per leaf-spine pair, 4 uplinks per leaf (8 planned)" in text
    assert "4 now, 8 planned; allowed: `now` 1, 2, 3, 4, 5, 6, 7, 8; `planned` 4, 5, 6, 7, 8" in text
    assert (
        "4 -> 5 spines: no cable moves, 32 uplinks stay; leaf ports and addresses do not change; "
        "uplinks per leaf: 4 -> 5"
    ) in text
    assert "; 4 equal-cost paths, chip limit " in text
