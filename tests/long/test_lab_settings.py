"""What a switch has beside its sessions, changed by hand on a running fabric: verify names it, and nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from tests.lab.faults import Finding, Running
from tests.lab.sites import SMALL, available, lab_verb, plan

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "units=1,leaves=2,spines=2,links=1,servers=2,borders=0"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A part of a small site, which verifies clean before the first fault."""
    folder = tmp_path_factory.mktemp("lab") / "lab"
    try:
        done = lab_verb("up", SMALL, "--subset", SUBSET, "--dir", folder, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        running = Running(folder, SMALL, make_lab(plan(SMALL), parse_subset(SUBSET)))
        running.heals()
        yield running
    finally:
        lab_verb("down", "--dir", folder)


@contextmanager
def saved(lab: Running, name: str, *paths: str) -> Iterator[None]:
    """Files of a switch, which are in the end as they were."""
    for path in paths:
        lab.inside(name, "cp", "-p", path, f"{path}.kept")
    try:
        yield
    finally:
        for path in paths:
            lab.inside(name, "mv", f"{path}.kept", path)


def found(lab: Running, name: str) -> list[Finding]:
    _, result = lab.verify("--devices", name)
    return [one for switch in result["switches"] for one in switch["findings"]]


def codes(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(one["code"], one["subject"]) for one in findings]


def spine(lab: Running) -> str:
    return next(device.name for device in lab.lab.devices if device.role == "spine")


def test_an_emptied_startup_configuration(lab: Running) -> None:
    name = spine(lab)
    with saved(lab, name, "/etc/frr/frr.conf"):
        lab.inside(name, "sh", "-c", ": >/etc/frr/frr.conf")
        (one,) = found(lab, name)
        assert (one["code"], one["problem"]) == ("startup-differs", "is empty")
        lab.inside(name, "rm", "/etc/frr/frr.conf")
        assert codes(found(lab, name)) == [("startup-differs", "startup configuration")]
    assert found(lab, name) == []


def test_a_configuration_that_frr_itself_has_saved_is_what_runs(lab: Running) -> None:
    name = spine(lab)
    with saved(lab, name, "/etc/frr/frr.conf"):
        lab.inside(name, "vtysh", "-c", "write memory")
        assert found(lab, name) == []


def test_files_that_were_edited(lab: Running) -> None:
    name = spine(lab)
    with saved(lab, name, "/etc/network/interfaces", "/etc/sysctl.d/90-fabric.conf"):
        lab.inside(name, "sed", "-i", "s/mtu 9214/mtu 1500/", "/etc/network/interfaces")
        lab.inside(name, "rm", "/etc/sysctl.d/90-fabric.conf")
        seen = found(lab, name)
    assert codes(seen) == [("file-differs", "file interfaces"), ("file-differs", "file sysctl.conf")]
    assert "mtu 1500" in seen[0]["actual"]
    assert seen[1]["actual"] == "no such file"
    assert found(lab, name) == []


@pytest.mark.parametrize(
    ("setting", "wrong", "right"),
    [
        ("net.ipv4.fib_multipath_hash_policy", "0", "1"),
        ("net.ipv6.fib_multipath_hash_policy", "0", "1"),
        ("net.ipv4.conf.all.rp_filter", "1", "0"),
        ("net.ipv4.conf.PORT.rp_filter", "1", "0"),
        ("net.ipv4.fib_multipath_use_neigh", "0", "1"),
        ("net.ipv4.conf.all.ignore_routes_with_linkdown", "0", "1"),
    ],
)
def test_a_setting_changed_by_hand(lab: Running, setting: str, wrong: str, right: str) -> None:
    name = spine(lab)
    port = next(row.name for row in lab.device(name).interfaces.ethernet if row.enabled)
    setting = setting.replace("PORT", port)
    lab.inside(name, "sysctl", "-w", f"{setting}={wrong}")
    seen = found(lab, name)
    lab.inside(name, "sysctl", "-w", f"{setting}={right}")
    assert codes(seen) == [("setting-wrong", f"setting {setting}")]
    assert (seen[0]["expected"], seen[0]["actual"]) == (right, wrong)
    assert found(lab, name) == []


def test_an_uplink_that_is_shaped(lab: Running) -> None:
    leaf = next(device for device in lab.lab.devices if device.role == "leaf")
    port = next(row.name for row in leaf.interfaces.ethernet if row.profile.role == "uplink" and row.enabled)
    words = ("rate", "10mbit", "burst", "10k", "latency", "10ms")
    lab.inside(leaf.name, "tc", "qdisc", "add", "dev", port, "root", "tbf", *words)
    seen = found(lab, leaf.name)
    lab.inside(leaf.name, "tc", "qdisc", "del", "dev", port, "root")
    assert codes(seen) == [("qos-shaped", f"port {port}")]
    assert found(lab, leaf.name) == []


def test_a_gateway_with_a_mac_of_its_own(lab: Running) -> None:
    leaf = next(device for device in lab.lab.devices if device.evpn and device.evpn.gateways)
    assert leaf.evpn is not None
    gateway = leaf.evpn.gateways[0]
    name = f"vlan{gateway.vlan_id}"
    spaces = lab.inside(leaf.name, "ip", "netns", "list").split()
    where = ["-n", gateway.vrf] if gateway.vrf in spaces else []
    lab.inside(leaf.name, "ip", *where, "link", "set", name, "address", "02:00:00:00:00:99")
    seen = found(lab, leaf.name)
    lab.inside(leaf.name, "ip", *where, "link", "set", name, "address", leaf.evpn.gateway_mac)
    assert codes(seen) == [("gateway-mac-wrong", f"vlan {gateway.vlan_id}")]
    assert seen[0]["actual"] == "02:00:00:00:00:99"
    assert found(lab, leaf.name) == []
