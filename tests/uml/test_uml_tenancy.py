"""A shared backend in a second kernel, with VRF devices made by ifupdown2 from the rendered files: routes of type 5."""

import json
import sys
from typing import Any

import pytest

from tests.judges import frr, interfaces
from tests.tenancy import site
from tests.uml import uml
from tests.uml.tenancy_guest import TOS

WHY = frr.available() or interfaces.available()
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(WHY is not None, reason=str(WHY)),
    pytest.mark.usefixtures("second_kernel"),
]

HERE, THROUGH, NEVER = 63, 62, 0


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("tenancy")
    site.write(site.backend_only(), folder)
    done = uml.run([sys.executable, "-m", "tests.uml.tenancy_guest", str(folder)], folder)
    assert done.status == 0, done.told()
    found: dict[str, Any] = json.loads((folder / "seen.json").read_text())
    print(f"seconds: {found['up']['seconds']}")  # noqa: T201 (pytest -s)
    return found


def test_the_lab_stands(seen: dict[str, Any]) -> None:
    assert seen["up"]["complaints"] == {}
    assert seen["up"]["short"] == {}


def test_tenants_reach_their_own_nics_only(seen: dict[str, Any]) -> None:
    assert [row[3] for row in seen["pings"]] == [HERE, THROUGH, THROUGH, NEVER, NEVER, NEVER]


def test_ports_are_in_the_vrf_device_of_their_nic(seen: dict[str, Any]) -> None:
    """Four rails on the first leaf, 16 ports apart: train[0-1] are research's there, train[2] serving's."""
    rails = (1, 9, 17, 25)
    assert seen["vrfs"]["research"] == sorted(f"swp{cage}s{part}" for cage in rails for part in (0, 1))
    assert seen["vrfs"]["serving"] == sorted(f"swp{cage + 1}s0" for cage in rails)


def test_tunnels_copy_marks_and_the_overlay_has_prefix_routes_alone(seen: dict[str, Any]) -> None:
    assert seen["kinds"] == ["[5]"]
    assert seen["tunnels"]
    assert set(seen["tunnels"].values()) == {"0x1"}, seen["tunnels"]  # 1 stands for inherit
    assert [TOS, TOS] in seen["outer"]


def test_nothing_is_left_after_down(seen: dict[str, Any]) -> None:
    assert seen["left"] == []
