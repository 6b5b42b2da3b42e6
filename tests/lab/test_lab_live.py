"""A lab that stands: sessions, tenants that reach each other and those that do not, and all of it gone again."""

import json
import os
import re
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.lab.host.place import LabPlace, place_of
from fabricgen.lab.host.vty import ask
from fabricgen.lab.model.lab import Lab
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.lab.operate.run import ping, run
from tests.frr.waiting import becomes
from tests.lab.sites import SMALL, available, lab_verb, plan, remains

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "leaves=4,spines=2,links=1,servers=2,borders=0"
"""Both leaf pairs of the frontend, so that a tenant has servers on two leaves; one server of each that trains."""


class Standing:
    """A lab that was built by the verb, and what the verb said."""

    def __init__(self, folder: Path, said: dict[str, Any], steps: list[str]) -> None:
        self.folder, self.said, self.steps = folder, said, steps
        self.place: LabPlace = place_of(folder)
        self.lab: Lab = make_lab(plan(SMALL), parse_subset(SUBSET))

    def pings(self, source: str, target: str) -> bool:
        """Whether one echo request is answered."""
        return ping(self.folder, source, target, count=1, seconds=1) == 1

    def hops(self, source: str, target: str) -> int:
        """How many times an answer was routed on its way, from 64 down; -1 where there was none."""
        said = run(self.folder, source, ["ping", "-n", "-c", "1", "-W", "1", target]).stdout
        found = re.search(r" ttl=(\d+) ", said)
        return 64 - int(found.group(1)) if found else -1

    def address(self, server: str, label: str, family: int = 4) -> str:
        """Address of a server's port."""
        found = next(s for s in self.lab.servers if s.name == server)
        texts = {(nic.label, nic.vlan_id): (nic.ipv4, nic.ipv6) for nic in found.nics if nic.ipv4 or nic.ipv6}
        (text,) = (both[family == 6] for (name, _), both in texts.items() if name == label)
        return text.partition("/")[0]


@contextmanager
def _foreign() -> Iterator[tuple[str, int, str]]:
    """A namespace, a link and a process that are nobody's of ours."""
    name, link = f"foreign{secrets.token_hex(3)}", f"fx{secrets.token_hex(3)}"
    subprocess.run(["ip", "netns", "add", name], check=True)
    subprocess.run(["ip", "link", "add", "name", link, "type", "veth", "peer", "name", "x", "netns", name], check=True)
    process = subprocess.Popen(["ip", "netns", "exec", name, "sleep", "600"])
    try:
        yield name, process.pid, link
    finally:
        process.kill()
        process.wait()
        subprocess.run(["ip", "netns", "delete", name], check=False)
        subprocess.run(["ip", "link", "delete", "dev", link], check=False, capture_output=True)


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standing]:
    """A part of the small site; down in the end takes all of it and leaves what is not its own."""
    folder = tmp_path_factory.mktemp("lab") / "lab"
    with _foreign() as (namespace, process, link):
        try:
            done = lab_verb("up", SMALL, "--subset", SUBSET, "--dir", folder, "--json")
            assert done.returncode == 0, done.stdout + done.stderr
            yield Standing(folder, json.loads(done.stdout), done.stderr.splitlines())
        finally:
            gone = lab_verb("down", "--dir", folder)
        assert gone.returncode == 0, gone.stderr
        assert remains(place_of(folder)) == {}
        os.kill(process, 0)
        for words in (["ip", "-n", namespace, "link", "show", "x"], ["ip", "link", "show", "dev", link]):
            assert subprocess.run(words, check=False, capture_output=True).returncode == 0


def test_it_says_what_it_built_and_what_it_can_not_show(standing: Standing) -> None:
    said = standing.said
    assert said["switches"] == [device.name for device in standing.lab.devices]
    assert said["short"] == {}
    assert said["complaints"] == {}
    assert set(said["seconds"]) == {"links", "daemons", "converged", "settled"}
    assert {row["feature"] for row in said["skipped"]} >= {row.feature for row in standing.lab.skipped}
    assert set(said["needs"]) == {
        "switches",
        "servers",
        "links",
        "memory_mib",
        "available_mib",
        "thresholds",
        "devices",
    }
    assert said["needs"]["switches"] == len(standing.lab.devices) == 12
    assert said["needs"]["memory_mib"] == 12 * 40 + len(standing.lab.servers) * 4
    assert said["needs"]["devices"] == ["veth", "bridge", "vxlan"]


def test_each_step_is_one_line_where_there_is_no_terminal(standing: Standing) -> None:
    nodes = 12 + len(standing.lab.servers)
    built = [f"nodes with {what}: {nodes}" for what in ("namespaces", "interfaces", "daemons")]
    wanted = [*built, "switches with all BGP sessions: 12", "routes have settled"]
    assert standing.steps == wanted


def test_every_session_and_daemon_is_there(standing: Standing) -> None:
    done = lab_verb("status", "--dir", standing.folder, "--json")
    found = {row["name"]: row for row in json.loads(done.stdout)}
    assert set(found) == {device.name for device in standing.lab.devices}
    assert all(row["fine"] for row in found.values()), done.stdout
    assert found["be-leaf-000"]["sessions"] == 4  # two spines, both families
    assert found["fe-spine-00"]["sessions"] == 12  # four leaves, both families and EVPN
    assert done.returncode == 0


def test_status_tells_a_daemon_that_died(standing: Standing) -> None:
    run(standing.folder, "be-spine-01", ["sh", "-c", "kill -KILL $(cat /run/frr/staticd.pid)"])
    done = lab_verb("status", "--dir", standing.folder)
    assert done.returncode == 4
    assert re.search(r"^be-spine-01 +3/4 .* !$", done.stdout, re.MULTILINE)


def test_status_tells_an_lldpd_that_died(standing: Standing) -> None:
    """A switch of its own: it stays without."""
    before = _daemons(standing, "be-spine-00")
    run(standing.folder, "be-spine-00", ["sh", "-c", "kill -KILL $(cat /run/fabricgen-lldpd.pid)"])
    assert (before, _daemons(standing, "be-spine-00")) == ((4, 4, True), (3, 4, False))
    assert run(standing.folder, "be-spine-00", ["lldpcli", "show", "neighbors"]).returncode


def _daemons(standing: Standing, switch: str) -> tuple[int, int, bool]:
    said = lab_verb("status", "--dir", standing.folder, "--json").stdout
    row = next(row for row in json.loads(said) if row["name"] == switch)
    return row["daemons"], row["daemons_expected"], row["fine"]


def test_status_tells_a_port_that_is_down(standing: Standing) -> None:
    """A standby port: it has no addresses to lose."""
    run(standing.folder, "store-000", ["ip", "link", "set", "dev", "port-1", "down"])
    done = lab_verb("status", "--dir", standing.folder, "--json")
    run(standing.folder, "store-000", ["ip", "link", "set", "dev", "port-1", "up"])
    found = {row["name"]: (row["links"], row["links_expected"]) for row in json.loads(done.stdout)}
    assert found["fe-leaf-000"] == (4, 4)
    assert found["fe-leaf-001"] == (3, 4)


def test_gpus_reach_each_other_over_every_rail(standing: Standing) -> None:
    for label in ("OSFP4P2", "OSFP1P1"):
        far = standing.address("train-004", label)
        near = standing.address("train-000", label)
        assert ping(standing.folder, "train-000", far, count=1, source=near) == 1
        other = standing.address("train-000", "OSFP3P1")
        assert ping(standing.folder, "train-000", far, count=1, source=other) == 1, "from another rail, over the spines"


@pytest.mark.parametrize("family", [4, 6])
def test_servers_of_a_tenant_reach_each_other_over_two_leaves(standing: Standing, family: int) -> None:
    near, far = (standing.lab.servers[at] for at in (0, 1))
    assert (near.name, far.name) == ("store-000", "store-001")
    assert {nic.switch for nic in near.nics if nic.ipv4} != {nic.switch for nic in far.nics if nic.ipv4}
    becomes(0, standing.hops, "store-000", standing.address("store-001", "port 1", family))


@pytest.mark.parametrize("family", [4, 6])
def test_a_tenant_reaches_what_it_imports(standing: Standing, family: int) -> None:
    """Routed by two leaves, through an L3 VNI."""
    becomes(2, standing.hops, "train-000", standing.address("store-000", "port 0", family))
    becomes(2, standing.hops, "store-001", standing.address("train-000", "Slot1 port 2", family))


@pytest.mark.parametrize("family", [4, 6])
def test_a_tenant_does_not_reach_another(standing: Standing, family: int) -> None:
    """Both import the storage, and their VRFs stand on the same leaf."""
    target = {4: "172.19.0.2", 6: "fd5e:8c1f:2a00:2120::2"}[family]
    own = {4: "172.19.0.1", 6: "fd5e:8c1f:2a00:2120::1"}[family]
    assert standing.pings("train-004", own), "the server that is not to be reached has no gateway"
    assert not standing.pings("train-000", target)


def test_both_networks_of_a_tenant_are_served_on_one_port(standing: Standing) -> None:
    for gateway, source in (("172.19.0.1", "172.19.0.2"), ("172.19.16.1", "172.19.16.2")):
        assert ping(standing.folder, "train-004", gateway, count=1, source=source) == 1


def test_neighbors_hear_of_each_other_by_the_plan_s_names(standing: Standing) -> None:
    rows = {row.name: row for device in standing.lab.devices if device.name == "fe-leaf-002" for row in
            device.interfaces.ethernet}  # fmt: skip
    wanted = {name: (row.peer, row.peer_port) for name, row in rows.items()}
    becomes(wanted, _heard, standing.folder, "fe-leaf-002")


def _heard(folder: Path, switch: str) -> dict[str, tuple[str, str]]:
    said = json.loads(run(folder, switch, ["lldpcli", "-f", "json0", "show", "neighbors"]).stdout)
    return {
        row["name"]: (row["chassis"][0]["name"][0]["value"], row["port"][0]["id"][0]["value"])
        for row in said["lldp"][0].get("interface", ())
    }


def test_commands_run_inside_as_people_type_them(standing: Standing) -> None:
    done = lab_verb("exec", "--dir", standing.folder, "be-leaf-000", "--", "vtysh", "-c", "show bgp summary")
    assert "local AS number 4201000000" in done.stdout
    assert lab_verb("exec", "be-leaf-000", "--dir", standing.folder, "--", "sh", "-c", "exit 7").returncode == 7
    assert lab_verb("exec", "train-000", "--dir", standing.folder, "--", "hostname").stdout == "train-000\n"
    done = lab_verb("exec", "be-leaf-0", "--dir", standing.folder, "--", "true")
    assert done.returncode == 1
    assert "did you mean be-leaf-00" in done.stderr


def test_the_configuration_is_the_rendered_one(standing: Standing) -> None:
    running = run(standing.folder, "fe-leaf-000", ["vtysh", "-c", "show running-config"]).stdout
    assert "hostname fe-leaf-000" in running
    assert "import vrf research" in running
    rendered = (standing.folder / "nodes/fe-leaf-000/frr.conf").read_text()
    assert (standing.folder / "nodes/fe-leaf-000/etc-frr/frr.conf").read_text() == rendered


def test_the_inventory_names_namespaces_that_are_there(standing: Standing) -> None:
    folder = standing.folder / "inventory"
    hosts = yaml.safe_load((folder / "hosts.yaml").read_text())
    groups = yaml.safe_load((folder / "groups.yaml").read_text())
    assert set(hosts) == {device.name for device in standing.lab.devices}
    for name, host in hosts.items():
        assert set(host["groups"]) <= set(groups)
        arguments = host["connection_options"]["napalm"]["extras"]["optional_args"]
        words = ["nsenter", f"--net=/run/netns/{arguments['namespace']}", f"--uts={arguments['uts']}"]
        done = subprocess.run([*words, f"--mount={arguments['mount']}", "hostname"], capture_output=True, check=False)
        assert done.stdout.decode().strip() == name
    lab = yaml.safe_load((folder / "defaults.yaml").read_text())["data"]["lab"]
    assert lab == {"name": "frr1", "subset": SUBSET_AS_TOLD, "intent": str(SMALL), "dir": str(standing.folder)}


SUBSET_AS_TOLD = "leaves=4,spines=2,links=1,servers=2,borders=0"


def test_the_same_folder_holds_one_lab(standing: Standing) -> None:
    done = lab_verb("up", SMALL, "--subset", "leaves=1", "--dir", standing.folder)
    assert done.returncode == 1
    assert "error[lab-running]" in done.stderr
    assert f"fabricgen lab down --dir {standing.folder}" in done.stderr
    assert lab_verb("exec", "be-leaf-003", "--dir", standing.folder, "--", "true").returncode == 0


def test_nothing_of_it_is_among_the_host_s_own(standing: Standing) -> None:
    """No interface, no file of FRR's folders; the host sees the daemons only as processes."""
    links = {row["ifname"] for row in json.loads(subprocess.check_output(["ip", "-j", "link"]))}
    assert not {name for name in links if name.startswith(("swp", "vni", "OSFP", "Slot"))}
    assert not [path for path in Path("/run/frr").glob("*") if standing.place.id in path.name]


@pytest.mark.parametrize(("daemon", "command"), [("bgpd", "show bgp vrfs json"), ("zebra", "show vrf")])
def test_a_daemon_says_at_its_socket_what_vtysh_shows(standing: Standing, daemon: str, command: str) -> None:
    name = next(device.name for device in standing.lab.devices if device.evpn is not None)
    shown = run(standing.folder, name, ["vtysh", "-d", daemon, "-c", command]).stdout
    assert shown
    assert ask(standing.place.space(name).mount, daemon, command, 60) == shown
    assert ask(standing.place.space(name).mount, daemon, "show nonsense", 60) is None
