"""Routing texts of SONiC and Cumulus beside FRR's own, in real daemons: they come up, verify right, and break aloud."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.site.workspace import open_workspace
from tests.frr.waiting import becomes
from tests.lab.faults import Running
from tests.lab.mixed import backend, with_template, written
from tests.lab.sites import available, lab_verb, remains

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "leaves=2,spines=2,links=1,servers=1"
SONIC, CUMULUS, FRR, TABLES = "be-leaf-000", "be-leaf-001", "be-spine-00", "be-spine-01"
SYSTEMS = {SONIC: "sonic-202505", CUMULUS: "cumulus-5.11", TABLES: "sonic-master"}


class Standing:
    """The lab, and what the verb said."""

    def __init__(self, running: Running, said: Mapping[str, Any]) -> None:
        self.lab, self.said = running, said

    def loopbacks(self, family: str) -> dict[str, str]:
        """First address of each switch."""
        return {
            device.name: str(getattr(device.interfaces.loopbacks[0], family)).partition("/")[0]
            for device in self.lab.lab.devices
        }


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standing]:
    """Each of the four switches runs another text."""
    folder = tmp_path_factory.mktemp("systems") / "lab"
    intent = written(folder.parent, backend())
    try:
        done = lab_verb("up", intent, "--subset", SUBSET, "--dir", folder, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        running = Running(folder, intent, make_lab(open_workspace(intent).plan, parse_subset(SUBSET)))
        yield Standing(running, json.loads(done.stdout))
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(folder)) == {}


def test_it_says_whose_text_runs_where(standing: Standing) -> None:
    assert standing.said["routing"] == SYSTEMS
    assert (standing.said["complaints"], standing.said["short"]) == ({}, {})
    hosts = yaml.safe_load((standing.lab.folder / "inventory/hosts.yaml").read_text())
    assert {name: host["data"].get("routing_of", "") for name, host in hosts.items()} == {**SYSTEMS, FRR: ""}
    assert {host["platform"] for host in hosts.values()} == {"frr"}


def test_every_session_stands_and_nothing_else_is_found(standing: Standing) -> None:
    """Two neighbors, two families. Verify reads the rendered text back: not a line differs."""
    standing.lab.heals()
    rows = json.loads(lab_verb("status", "--dir", standing.lab.folder, "--json").stdout)
    assert {row["name"]: row["sessions"] for row in rows} == dict.fromkeys((SONIC, CUMULUS, FRR, TABLES), 4)


@pytest.mark.parametrize("family", ["ipv4", "ipv6"])
def test_all_loopbacks_are_known_and_answer(standing: Standing, family: str) -> None:
    known = standing.loopbacks(family)
    words = ["-6"] if family == "ipv6" else []
    for name in (SONIC, CUMULUS):
        far = CUMULUS if name == SONIC else SONIC
        routes = json.loads(standing.lab.inside(name, "ip", *words, "-j", "route", "show", "proto", "bgp"))
        found = {row["dst"]: len(row.get("nexthops", [1])) for row in routes}
        assert {found.get(known[spine]) for spine in (FRR, TABLES)} == {1}
        assert found.get(known[far]) == 2, "over both spines"
        standing.lab.inside(name, "ping", "-c", "1", "-W", "2", "-I", known[name], known[far])


def test_ports_have_each_systems_names_in_the_kernel(standing: Standing) -> None:
    for name, stem in ((SONIC, "Ethernet"), (TABLES, "Ethernet"), (CUMULUS, "swp"), (FRR, "swp")):
        rows = json.loads(standing.lab.inside(name, "ip", "-j", "link", "show", "type", "veth"))
        assert rows
        assert {row["ifname"].startswith(stem) for row in rows} == {True}


def test_a_word_that_is_changed_by_hand_is_found(standing: Standing) -> None:
    """In the text of tables: what frrcfgd made is compared, and not FRR's own rendering."""
    lab, map_ = standing.lab, "RM-LEAVES-IPV4-IN"
    assert f"route-map {map_} permit 20" in lab.inside(TABLES, "vtysh", "-c", "show running-config")
    lab.typed(TABLES, f"route-map {map_} permit 20", "set local-preference 77")
    found = lab.comes_to_show({(TABLES, "drift-extra")})
    lab.typed(TABLES, f"route-map {map_} permit 20", "no set local-preference 77")
    lab.heals()
    assert {one["device"] for one in found} == {TABLES}
    assert "set local-preference 77" in str(found)


def established(folder: Path) -> dict[str, int]:
    """Sessions of each switch that stand."""
    return {row["name"]: row["sessions"] for row in json.loads(lab_verb("status", "--dir", folder, "--json").stdout)}


def test_a_broken_text_is_told(tmp_path: Path) -> None:
    """A line that FRR does not know in SONiC's file, and another AS number in the one of Cumulus."""
    folder, intent = tmp_path / "lab", written(tmp_path, backend())
    with_template(tmp_path, "sonic/frr-conf.j2", "log syslog informational", "logg syslog")
    templates = with_template(tmp_path, "cumulus/vrf-neighbors.j2", "{{ session.row.remote_as }}", "65009")
    try:
        words = ("--subset", "leaves=2,spines=1,links=1,servers=0", "--templates", templates, "--wait", "4")
        done = lab_verb("up", intent, *words, "--dir", folder, "--json")
        assert done.returncode == 4, done.stdout + done.stderr
        said = json.loads(done.stdout)
        assert list(said["complaints"]) == [SONIC]
        assert "logg syslog" in str(said["complaints"][SONIC])
        assert said["short"][CUMULUS] == [0, 2]
        becomes({SONIC: 2, CUMULUS: 0, FRR: 2}, established, folder)
    finally:
        lab_verb("down", "--dir", folder)
    becomes({}, remains, place_of(folder))
