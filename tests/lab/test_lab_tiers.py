"""A frontend of three tiers as namespaces: all as planned with no option, but for a cable between the upper tiers.

Every server of a tenant is reached in the other pod, so the overlay's routes have come through spines and superspines
with the next hop of their leaf.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricgen.lab.model.lab import LabEnd
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from tests.lab.faults import Running, told
from tests.lab.sites import available, lab_verb, plan

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

INTENT = Path(__file__).with_name("tiers.yaml")
SUBSET = "links=1,servers=2"
SPINE, CORE, OTHER_POD = "fe-spine-00", "fe-super-01", "fe-spine-02"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("lab") / "lab"
    try:
        done = lab_verb("up", INTENT, "--subset", SUBSET, "--dir", folder, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        yield Running(folder, INTENT, make_lab(plan(INTENT), parse_subset(SUBSET)))
    finally:
        assert lab_verb("down", "--dir", folder).returncode == 0


def test_everything_is_as_planned(lab: Running) -> None:
    assert len(lab.lab.devices) == 4 + 4 + 4
    code, result = lab.verify()
    assert code == 0, [one for switch in result["switches"] for one in switch["findings"]]
    right = {name for switch in result["switches"] for name, count in switch["passed"].items() if count}
    assert right >= {"lldp", "sessions", "routes", "vnis", "evpn", "pings"}


def cable(lab: Running, lower: str, upper: str) -> tuple[LabEnd, LabEnd]:
    (found,) = [(link.near, link.far) for link in lab.lab.links if (link.near.owner, link.far.owner) == (lower, upper)]
    return found


@pytest.mark.long
def test_a_cable_between_spine_and_superspine_that_is_down(lab: Running) -> None:
    near, far = cable(lab, SPINE, CORE)
    wanted = {
        (SPINE, "interface-shut"),
        (CORE, "interface-down"),
        (SPINE, "session-down"),
        (CORE, "session-down"),
        # What lies in the other pod has one way less, and says so there too.
        (SPINE, "route-width"),
        (OTHER_POD, "route-width"),
    }
    lab.inside(SPINE, "ip", "link", "set", near.interface, "down")
    found = lab.comes_to_show(wanted)
    assert wanted <= told(found)
    assert "pings" not in {one["check"] for one in found}, "the other superspine carries on"
    shut = next(one for one in found if (one["device"], one["code"]) == (CORE, "interface-down"))
    assert f"{SPINE} {near.interface} is shut down" in shut["explained"]
    assert far.interface in shut["subject"]
