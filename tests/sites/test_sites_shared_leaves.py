"""Servers and storage nodes on the same leaves: rendered, audited, exported and explained, system by system.

24 servers and 8 storage nodes a unit; the second unit has storage nodes alone. Host port 27 of a leaf is that of
store[3]: 24 ports are before those of the storage nodes. A /25 block holds 32 host links and 32 uplinks.
"""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import Subset
from fabricgen.site.workspace import open_workspace

SITE = """\
fabricgen: 1
site: dc1
management: {{oob: 10.0.0.0/20, gateway: 10.0.0.1{users}}}
cables: {{default: {{server_leaf: 2}}}}
servers:
  train: {{model: dgx-h100, slots: 0-9, planned: 48}}
  store: {{model: storage-2x200, slots: 0-8, planned: 16}}
fabrics:
  storage:
    kind: storage
    prefix: st
    connects: {{train: storage, store: data}}
    shared_leaves: {{store: train}}
    topology: {{design: rail-optimized, servers_per_unit: {{train: 24, store: 8}}, spines: {{now: 2}}}}
    leaf: {{model: {model}, os: {system}}}
    spine: {{model: {model}, os: {system}}}
    transport: {transport}
    addressing: {{ipv4: 10.96.0.0/12, ipv6: "fd5e:8c1f:2a00:3000::/52"}}
    asns: 4203000000-4203999999
"""
USERS = ', users: {admin: {role: network-admin, password: "${env:HASH}"}}'
SYSTEMS = (
    ("arista-7060dx5-64s", "eos-4.34", USERS, "roce-lossless"),
    ("nvidia-sn5600", "cumulus-5.16", USERS, "roce-lossless"),
    ("nvidia-sn5600", "sonic-202505", "", "roce-lossless"),
    ("nvidia-sn5600", "frr-10.3", "", "best-effort"),
)
PAIRED = """\
fabricgen: 1
site: dc1
management: {oob: 10.0.0.0/20, gateway: 10.0.0.1, users: {admin: {role: network-admin, password: "${env:HASH}"}}}
servers:
  train: {model: dgx-b300, slots: 0-3, planned: 6}
  other: {model: dgx-b300, slots: 0-1, planned: 2}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {train: compute, other: compute}
    shared_leaves: {other: train}
    topology:
      {design: tor, planes: 1, leaves_per_rail: 2, servers_per_unit: {train: 6, other: 2}, spines: {now: 2}}
    leaf: {model: arista-7060x6-64pe, os: eos-4.34}
    spine: {model: arista-7060x6-64pe, os: eos-4.34}
    addressing: {ipv4: 10.64.0.0/12, ipv6: "fd5e:8c1f:2a00::/52"}
    asns: 4201000000-4201999999
    transport: best-effort
"""

TENANTS = """\
fabricgen: 1
site: dc1
management: {oob: 10.0.0.0/20, gateway: 10.0.0.1, users: {admin: {role: network-admin, password: "${env:HASH}"}}}
servers:
  train: {model: hgx-h200, slots: 0-5, planned: 12}
  other: {model: hgx-h200, slots: 0-1, planned: 4}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {train: compute, other: compute}
    shared_leaves: {other: train}
    topology: {design: rail-optimized, rails_per_leaf: 4, servers_per_unit: {train: 3, other: 1}, spines: {now: 2}}
    leaf: {model: arista-7060x6-64pe, os: eos-4.34}
    spine: {model: arista-7060x6-64pe, os: eos-4.34}
    addressing: {ipv4: 10.64.0.0/12, ipv6: "fd5e:8c1f:2a00::/52"}
    asns: 4201000000-4201999999
    transport: best-effort
    tenancy: evpn-type5
tenants:
  red: {servers: ["train[0-3]", "other[0]"]}
  blue: {servers: ["train[4-5]"], nics: ["other[1]/0-3"]}
  green: {nics: ["other[1]/4-7"]}
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def told(*words: str) -> str:
    done = run(*words)
    assert done.exit_code == 0, done.output
    return " ".join(done.stdout.split())


@pytest.fixture
def site(tmp_path: Path) -> Path:
    model, system, users, transport = SYSTEMS[0]
    path = tmp_path / "intent.yaml"
    path.write_text(SITE.format(model=model, system=system, users=users, transport=transport))
    return path


@pytest.mark.parametrize(("model", "system", "users", "transport"), SYSTEMS, ids=[row[1] for row in SYSTEMS])
def test_what_is_rendered_is_what_is_planned(
    model: str, system: str, users: str, transport: str, tmp_path: Path
) -> None:
    path, out = tmp_path / "intent.yaml", str(tmp_path / "out")
    path.write_text(SITE.format(model=model, system=system, users=users, transport=transport))
    assert run("render", str(path), "-o", out).exit_code == 0
    audited = run("audit", str(path), "--configs", out, "--json")
    assert audited.exit_code == 0, audited.output
    held = {name for name, holds in json.loads(audited.stdout)["properties"].items() if holds}
    assert {"link-ends", "unique-addresses", "reach-as-planned"} <= held
    assert transport == "best-effort" or {"nic-ends", "no-buffer-cycle"} <= held
    assert "0 files written" in run("render", str(path), "-o", out).output, "the same bytes again"


def test_the_page_has_both_groups_and_each_leaf_once(site: Path) -> None:
    page = told("plan", str(site))
    assert "switches 4 leaves: arista-7060dx5-64s" in page
    assert "shared leaves store on those of train: 24 of train and 8 of store per SU" in page
    assert "store 9 of 16 0 2 of 2 2 x 200G 8 x 200G 32 x 200G 1.00:1" in page
    assert "train 10 of 48 80 2 of 2 2 x 200G 24 x 200G 32 x 200G 1.00:1" in page
    assert "store: 7 free slots in 2 SUs of 8 servers; 2 SUs planned, all without recabling" in page
    # 9 storage nodes and 10 servers with two ports of 200G: half of 7.6 Tb/s.
    assert "bisection 3.8 Tb/s" in page


def test_a_server_gets_the_address_of_its_own_port(site: Path, tmp_path: Path) -> None:
    """Leaf 0 has 10.96.0.0/25, leaf 1 10.96.0.128/25; host port 27 is at 54 and 55 of it."""
    told("export", "hosts", str(site), "-o", str(tmp_path / "hosts"))
    netplan = (tmp_path / "hosts/store-003/etc/netplan/60-fabricgen.yaml").read_text()
    assert "10.96.0.55/31" in netplan
    assert "10.96.0.183/31" in netplan
    other = (tmp_path / "hosts/train-003/etc/netplan/60-fabricgen.yaml").read_text()
    assert "10.96.0.7/31" in other
    port = told("explain", str(site), "store-003/port 1")
    assert "24 + 0 × 8 + 3" in port
    assert "10.96.0.183/31" in port
    leaf = told("explain", str(site), "st-leaf-002")
    assert "train[24-47], 0 exist" in leaf
    assert "store[8-15], 1 exist" in leaf


def test_a_unit_fails_with_the_servers_of_both_groups(site: Path) -> None:
    rows = [
        json.loads(run("what-if", str(site), "--fail", f"unit:storage/{name}", "--json").stdout)["fabrics"][0]
        for name in ("train/0", "store/0")
    ]
    assert rows[0] == rows[1]
    (row,) = rows[0]["classes"]
    # Ten servers of eight GPUs, and eight storage nodes.
    assert (row["outcome"]["gpus"], row["outcome"]["servers"]) == (80, 18)
    assert row["do"] == "move jobs off the servers of unit:storage/train/0"


def test_a_server_behind_two_shared_leaves_has_an_as_number_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "intent.yaml"
    path.write_text(PAIRED)
    assert run("render", str(path), "-o", str(tmp_path / "out")).exit_code == 0
    told("audit", str(path), "--configs", str(tmp_path / "out"))
    told("export", "hosts", str(path), "-o", str(tmp_path / "hosts"))
    lines = [line for file in tmp_path.glob("hosts/*/etc/frr/frr.conf") for line in file.read_text().splitlines()]
    numbers = [line for line in lines if line.startswith("router bgp")]
    assert len(numbers) == len(set(numbers)) == 6
    # The first leaf of the unit is number 0, six positions are of train: 4294967294 - 6.
    assert "router bgp 4294967288" in numbers
    assert "other-000" in told("explain", str(path), "4294967288")


def test_the_lab_has_every_server_at_both_leaves(site: Path) -> None:
    lab = make_lab(open_workspace(site).plan, Subset())
    found = {server.name: [nic.switch for nic in server.nics] for server in lab.servers}
    assert len(found) == 19
    assert found["store-003"] == found["train-003"] == ["st-leaf-000", "st-leaf-001"]
    assert found["store-008"] == ["st-leaf-002", "st-leaf-003"]


def test_tenants_have_nics_of_both_groups_on_one_leaf(tmp_path: Path) -> None:
    """Unit 1 has train[3-5] and other[1]; rails 4 to 7 are on its second leaf, which is leaf 3 of the fabric."""
    path = tmp_path / "intent.yaml"
    path.write_text(TENANTS)
    assert run("render", str(path), "-o", str(tmp_path / "out")).exit_code == 0
    audited = json.loads(run("audit", str(path), "--configs", str(tmp_path / "out"), "--json").stdout)
    assert audited["violations"] == []
    assert audited["properties"]["tenant-routes"]
    vrfs = {
        leaf: re.findall(
            r"description other-001 .*?vrf (\w+)", (tmp_path / f"out/{leaf}/startup-config").read_text(), re.DOTALL
        )
        for leaf in ("be-leaf-002", "be-leaf-003")
    }
    assert vrfs == {"be-leaf-002": ["blue"] * 4, "be-leaf-003": ["green"] * 4}
    assert "leaves be-leaf-003 reaches none" in told("explain", str(path), "green")
    leaf = told("explain", str(path), "be-leaf-003")
    assert "train[3-5], 3 exist" in leaf
    assert "other[1-1], 1 exist" in leaf
    assert "tenants green" in leaf


def test_a_storage_node_out_of_service_changes_the_leaves_of_its_unit(site: Path, tmp_path: Path) -> None:
    """A tree that is kept and one that is new are the same: the servers' leaves know of the node."""
    kept, new = tmp_path / "kept", tmp_path / "new"
    assert run("render", str(site), "-o", str(kept)).exit_code == 0
    before = (kept / "st-leaf-000/startup-config").read_text()
    site.write_text(site.read_text() + 'overrides: {"store[3]": {state: dead}}\n')
    for out in (kept, new):
        assert run("render", str(site), "-o", str(out)).exit_code == 0
    after = {leaf: (kept / leaf / "startup-config").read_text() for leaf in ("st-leaf-000", "st-leaf-002")}
    assert after == {leaf: (new / leaf / "startup-config").read_text() for leaf in after}
    changed = set(after["st-leaf-000"].splitlines()) ^ set(before.splitlines())
    assert any("store-003 port 0" in line for line in changed)
    assert not any("train" in line for line in changed)
