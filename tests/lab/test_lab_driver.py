"""Rendered configurations in a lab, through its inventory and NAPALM: no difference; a change, and the way back."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from napalm import get_network_driver

from fabricgen.lab.host.place import place_of
from napalm_frr import FRRDriver
from tests.frr.waiting import becomes
from tests.lab.sites import SMALL, available, lab_verb, remains

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

LEAF = "fe-leaf-000"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One leaf and one spine of each fabric, and nobody waits for their sessions."""
    found = tmp_path_factory.mktemp("lab") / "lab"
    subset = "leaves=1,spines=1,links=1,servers=0,borders=0"
    try:
        done = lab_verb("up", SMALL, "--subset", subset, "--dir", found, "--no-wait")
        assert done.returncode == 0, done.stdout + done.stderr
        yield found
    finally:
        gone = lab_verb("down", "--dir", found)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(found)) == {}


def _driver(folder: Path, switch: str) -> FRRDriver:
    hosts = yaml.safe_load((folder / "inventory/hosts.yaml").read_text())
    arguments = hosts[switch]["connection_options"]["napalm"]["extras"]["optional_args"]
    found: FRRDriver = get_network_driver(hosts[switch]["platform"])(switch, "", "", optional_args=arguments)
    return found


def _rendered(folder: Path, switch: str) -> str:
    return (folder / "nodes" / switch / "frr.conf").read_text()


@pytest.mark.parametrize("switch", [LEAF, "fe-spine-00", "be-leaf-000", "be-spine-00"])
def test_what_is_rendered_is_no_difference(folder: Path, switch: str) -> None:
    with _driver(folder, switch) as driver:
        driver.load_replace_candidate(config=_rendered(folder, switch))
        assert driver.compare_config() == ""


def _l3_vnis(driver: FRRDriver) -> int:
    command = "show bgp l2vpn evpn vni json"
    return int(driver.cli([command], "json")[command]["numL3Vnis"])


def test_a_line_more_on_an_evpn_leaf_is_committed_and_rolled_back(folder: Path) -> None:
    """With its tenants' VNIs in the kernel, whatever stands for VRFs in this lab."""
    text = _rendered(folder, LEAF)
    tenants = len(re.findall(r"^router bgp \d+ vrf ", text, re.MULTILINE))
    place, line = " bgp bestpath as-path multipath-relax\n", " bgp default local-preference 90"
    with _driver(folder, LEAF) as driver:
        becomes(tenants, _l3_vnis, driver)
        before = driver.get_config("running")["running"]
        driver.load_replace_candidate(config=text.replace(place, f"{place}{line}\n", 1))
        assert driver.compare_config().splitlines()[1:] == [f"+{line}"]
        driver.commit_config()
        assert driver.compare_config() == ""
        assert line in driver.get_config("running")["running"].splitlines()
        driver.rollback()
        assert driver.get_config("running")["running"] == before
        assert _l3_vnis(driver) == tenants > 0
        driver.load_replace_candidate(config=text)
        assert driver.compare_config() == ""
