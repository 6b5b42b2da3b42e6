"""Inventories of the plan: read by fabricgen, by Nornir itself, and by Ansible's own program where there is one."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from nornir.plugins.inventory import SimpleInventory

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.lab.model.containers import containers, subset_and_release, trimmed
from fabricgen.operation.intended import intended, read_plan
from fabricgen.platforms.readers import READERS
from fabricgen.verify.collect.connection import connection
from fabricgen.verify.collect.inventory import SiteInventory, read_inventory
from fabricgen.verify.collect.inventory_faults import check_hosts
from fabricgen.verify.collect.store import Target
from tests.doubles.certificate import authority
from tests.export.conftest import INVENTORIES, SMALL, Run

ANSIBLE = Path(sys.executable).with_name("ansible-inventory")
LOOKUP = "{{ lookup('ansible.builtin.env', 'SWITCH_PASSWORD') }}"
PART = "units=1,leaves=2,spines=2,links=2,servers=2"


def _checked(site: SiteInventory, devices: tuple[Device, ...]) -> None:
    targets = {
        device.name: Target(device.name, device.system, READERS[device.system].driver, {}, ()) for device in devices
    }
    check_hosts(site, targets, targets)


def test_fabricgen_reads_what_it_wrote(site: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWITCH_PASSWORD", "x")
    out = site.parent / "inventory"
    assert run("export", "nornir", site, "-o", out).exit_code == 0
    found = read_inventory(out)
    meant = intended(read_plan(site), None, "*")
    check_hosts(found, meant.targets, (device.name for device in meant.devices))
    assert set(found.nornir.hosts) == {device.name for device in meant.devices}
    for device in meant.devices:
        given = connection(out, found.nornir.hosts[device.name])
        assert f"{given.hostname}/" in device.management.address
        assert given.platform == READERS[device.system].driver
        assert given.password == "x"  # noqa: S105
    leaf = found.nornir.hosts["be-leaf-001"]
    bgp = next(device for device in meant.devices if device.name == "be-leaf-001").routing.bgp
    assert (leaf["asn"], leaf["role"], leaf["fabric"], leaf["index"]) == (bgp.asn, "leaf", "backend", 1)
    assert leaf["loopback_ipv4"] == bgp.router_id
    assert leaf.has_parent_group("role_leaf")
    assert leaf.has_parent_group("fabric_backend")


def test_nornir_reads_it_by_itself(site: Path, run: Run) -> None:
    out = site.parent / "inventory"
    assert run("export", "nornir", site, "-o", out).exit_code == 0
    files = {f"{part[:-1]}_file": str(out / f"{part}.yaml") for part in ("hosts", "groups")}
    found = SimpleInventory(**files, defaults_file=str(out / "defaults.yaml")).load()
    assert found.hosts["be-spine-00"].platform in ("eos", "frr")
    assert (
        found.hosts["be-spine-00"].get_connection_parameters("napalm").hostname == found.hosts["be-spine-00"].hostname
    )


def test_no_secret_stands_in_an_inventory(site: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ADMIN_HASH", "TACACS_KEY", "SNMP_AUTH", "SNMP_PRIVACY", "SWITCH_PASSWORD", "FW1_KEY"):
        monkeypatch.setenv(name, "hunter2")
    for verb in ("nornir", "ansible", "containerlab"):
        out = site.parent / verb
        assert run("export", verb, site, "-o", out).exit_code == 0
        texts = [path.read_text() for path in out.rglob("*") if path.is_file()]
        assert len(texts) > 3
        assert "hunter2" not in "".join(texts)


def test_the_inventory_of_a_topology_is_of_its_switches(site: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the authority that containerlab makes, which is there once the lab is."""
    monkeypatch.setenv("SWITCH_PASSWORD", "x")
    out = site.parent / "lab"
    assert run("export", "containerlab", site, "-o", out, "--subset", SMALL).exit_code == 0
    _pretend_deployed(out, site)
    found = read_inventory(out / "inventory")
    meant = subset_and_release(found.nornir.defaults.data)
    assert meant == (SMALL, (0, 81))
    part = containers(read_plan(site), *meant)
    assert set(found.nornir.hosts) == {device.name for device in part.devices}
    _checked(found, part.devices)


def _pretend_deployed(out: Path, site: Path) -> None:
    """Put an authority where containerlab would (types/topo_paths.go)."""
    lab = yaml.safe_load((site.parent / "intent.yaml").read_text())["site"]
    folder = out / f"clab-{lab}/.tls/ca"
    folder.mkdir(parents=True)
    authority(folder / "ca.pem")


def test_devices_of_a_topology_are_what_it_was_written_from(site: Path, run: Run) -> None:
    """The same Devices render the files of the export, but for what containerlab expands."""
    out = site.parent / "lab"
    assert run("export", "containerlab", site, "-o", out, "--subset", SMALL, "--containerlab", "0.80").exit_code == 0
    part = containers(read_plan(site), SMALL, (0, 80))
    assert {device.name for device in part.devices} == set(yaml.safe_load((out / "inventory/hosts.yaml").read_text()))
    assert all(not device.qos and not device.management.tacacs for device in part.devices)
    assert trimmed(part.devices[0], (0, 80), "   speed 400g-8\n   mtu 9214\n").endswith("   mtu 9214\n")


@pytest.mark.parametrize("data", [{"containerlab": 1}, {"containerlab": {"subset": "", "release": 0.8}}])
def test_data_of_a_topology_that_is_none(data: dict[str, object]) -> None:
    with pytest.raises(FabricError) as caught:
        subset_and_release(data)
    assert caught.value.problems[0].code == "inventory-containerlab"
    assert subset_and_release({}) is None


def test_groups_of_ansible_are_names_of_variables(site: Path, run: Run) -> None:
    out = site.parent / "ansible"
    assert run("export", "ansible", site, "-o", out).exit_code == 0
    found = yaml.safe_load((out / "inventory.yaml").read_text())
    groups = found["all"]["children"]
    assert all(name.isidentifier() for name in groups)
    assert {"fabric_backend", "fabric_frontend", "role_leaf", "role_border_leaf", "fabric_backend__leaf"} <= set(groups)
    hosts = {host for group in groups.values() for host in group.get("hosts", ())}
    assert hosts == {path.stem for path in (out / "host_vars").iterdir()}
    own = yaml.safe_load((out / "host_vars/be-leaf-001.yaml").read_text())
    assert own["ansible_host"] == "10.0.0.17"
    assert own["fabricgen_asn"] == 4201000001


def test_names_that_look_like_others(eos: Path, run: Run) -> None:
    """A fabric called as another's leaves, or as an axis: every group is still one thing."""
    eos.write_text(re.sub(r"(?m)^  backend:$", "  frontend-leaf:\n    was: backend", eos.read_text()))
    out = eos.parent / "ansible"
    result = run("export", "ansible", eos, "-o", out)
    assert result.exit_code == 0, result.stderr
    groups = yaml.safe_load((out / "inventory.yaml").read_text())["all"]["children"]
    assert "hosts" not in groups["fabric_frontend_leaf"]
    assert all(host.startswith("fe-") for host in groups["fabric_frontend__leaf"]["hosts"])
    assert all(host.startswith("be-") for host in groups["fabric_frontend_leaf__leaf"]["hosts"])


def test_eos_is_reached_as_its_collection_says(eos: Path, run: Run) -> None:
    """docs.ansible.com, EOS platform options."""
    out = eos.parent / "ansible"
    assert run("export", "ansible", eos, "-o", out).exit_code == 0
    own = yaml.safe_load((out / "inventory.yaml").read_text())["all"]["children"]["platform_eos"]["vars"]
    assert own["ansible_network_os"] == "arista.eos.eos"
    assert own["ansible_connection"] == "ansible.netcommon.httpapi"
    assert own["ansible_user"] == "admin"
    assert own["ansible_password"] == LOOKUP


def test_ansible_itself_reads_it(site: Path, run: Run) -> None:
    out = site.parent / "ansible"
    assert run("export", "ansible", site, "-o", out).exit_code == 0
    words = [str(ANSIBLE), "-i", str(out / "inventory.yaml"), "--list"]
    environment = os.environ | {"ANSIBLE_HOME": str(site.parent / "home"), "ANSIBLE_LOCALHOST_WARNING": "False"}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=60, check=True)
    assert "WARNING" not in done.stderr
    found = json.loads(done.stdout)
    own = found["_meta"]["hostvars"]["be-leaf-001"]
    assert own["ansible_host"] == "10.0.0.17"
    assert own["fabricgen_role"] == "leaf"
    assert "be-leaf-001" in found["role_leaf"]["hosts"]
    assert {"fabric_backend__leaf", "fabric_backend__spine"} <= set(found["fabric_backend"]["children"])
    assert found["fabric_backend__rail_2"]["hosts"] == found["fabric_backend__rail_3"]["hosts"] == ["be-leaf-001"]


def test_the_committed_inventory_is_the_demos(eos: Path, run: Run) -> None:
    """inventories/containerlab is what its README's command writes, but for the way to the lab's authority."""
    home = INVENTORIES / "containerlab"
    words = (home / "README.md").read_text()
    assert f"--subset {PART}" in words
    out = eos.parent / "lab"
    assert run("export", "containerlab", eos, "-o", out, "--subset", PART).exit_code == 0
    for name in ("hosts", "groups", "defaults"):
        wanted = (out / f"inventory/{name}.yaml").read_text().replace("../clab-", "../../out/containerlab/clab-")
        assert (home / f"{name}.yaml").read_text() == wanted
    assert "-o out/containerlab " in words
