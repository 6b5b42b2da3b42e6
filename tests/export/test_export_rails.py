"""Rails in the exports: a leaf has rail r where the cable of a server's NIC port of rail r leads to it.

Cables are read from the cabling plan that `render` writes, rails of ports from the hardware file of the server.
"""

import csv
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.export.conftest import Run, copied
from tests.some import LONG

MODEL = Path(__file__).parents[2] / "fabricgen/hardware/servers/dgx-h100.yaml"
PER_LEAF = "rails_per_leaf: 2"


def _model(rails: int) -> dict[str, Any]:
    """The DGX H100 with so many ports in its backend."""
    found: dict[str, Any] = yaml.safe_load(MODEL.read_text()) | {"model": "few"}
    compute = found["nics"]["compute"]
    compute["ports"] = compute["ports"][:rails]
    for names in ("device_names", "pci_addresses"):
        if names in compute:
            compute[names] = compute[names][:rails]
    return found


SOME = [("demo", 2, 8), ("frr", 2, 2), ("frr", 1, 1)]
OTHERS = [("frr", 2, 8), ("frr", 1, 8), ("demo", 1, 8)]


@pytest.fixture(params=[*SOME, *(pytest.param(row, marks=LONG) for row in OTHERS)])
def railed(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, int]]:
    """An intent with so many rails a leaf and rails a server; rails of the ports of the server's backend."""
    name, per_leaf, rails = request.param
    intent = copied(name, tmp_path)
    model = _model(rails)
    if rails != 8:
        shelf = intent.parent / "hardware/servers"
        shelf.mkdir(parents=True)
        (shelf / "few.yaml").write_text(yaml.safe_dump(model))
    text = intent.read_text().replace(PER_LEAF, f"rails_per_leaf: {per_leaf}")
    if (per_leaf, rails) == (1, 8):
        text = text.replace("spines: {now: 2, planned: 2}", "spines: {now: 4, planned: 4}")  # for twice the leaves
    intent.write_text(text if rails == 8 else text.replace("model: dgx-h100", "model: few"))
    if (per_leaf, rails) != (2, 8):
        intent.with_name("fabricgen.lock").unlink()
    return intent, {port["name"]: port["rail"] for port in model["nics"]["compute"]["ports"]}


def _cabled(run: Run, intent: Path, rails: dict[str, int]) -> dict[str, set[int]]:
    """Leaf of the backend → rails of the ports that its cables lead to."""
    tree = intent.parent.parent / "tree"
    result = run("render", intent, "-o", tree)
    assert result.exit_code == 0, result.output
    found: dict[str, set[int]] = defaultdict(set)
    for row in csv.DictReader((tree / "cabling.csv").read_text().splitlines()):
        if (row["fabric"], row["kind"]) == ("backend", "server-leaf"):
            found[row["b_device"]].add(rails[row["a_port"]])
    assert set.union(*found.values()) == set(rails.values())
    return found


def _wanted(run: Run, railed: tuple[Path, dict[str, int]]) -> dict[str, set[int]]:
    """As cabled; nothing where there is one rail, which tells nobody anything."""
    cabled = _cabled(run, *railed)
    return cabled if len(railed[1]) > 1 else {}


def _grouped(members: dict[str, list[str]], prefix: str) -> dict[str, set[int]]:
    """Host → rails, of the groups that are rails."""
    found: dict[str, set[int]] = defaultdict(set)
    for name, hosts in members.items():
        if "rail_" in name:
            for host in hosts:
                found[host].add(int(name.removeprefix(prefix)))
    return found


def _said(rows: dict[str, dict[str, Any]], key: str) -> dict[str, set[int]]:
    return {name: {*map(int, row[key].split(","))} for name, row in rows.items() if key in row}


def test_rails_of_nornir_are_those_of_the_cables(railed: tuple[Path, dict[str, int]], run: Run) -> None:
    wanted, out = _wanted(run, railed), railed[0].parent.parent / "nornir"
    assert run("export", "nornir", railed[0], "-o", out).exit_code == 0
    hosts = yaml.safe_load((out / "hosts.yaml").read_text())
    assert _said({name: host["data"] for name, host in hosts.items()}, "rails") == wanted
    members: dict[str, list[str]] = {name: [] for name in yaml.safe_load((out / "groups.yaml").read_text())}
    for name, host in hosts.items():
        for group in host["groups"]:
            members[group].append(name)
    assert all(members.values())
    assert _grouped(members, "fabric_backend__rail_") == wanted


def test_rails_of_ansible_are_those_of_the_cables(railed: tuple[Path, dict[str, int]], run: Run) -> None:
    wanted, out = _wanted(run, railed), railed[0].parent.parent / "ansible"
    assert run("export", "ansible", railed[0], "-o", out).exit_code == 0
    groups = yaml.safe_load((out / "inventory.yaml").read_text())["all"]["children"]
    members = {name: [*group.get("hosts", ())] for name, group in groups.items()}
    assert _grouped(members, "fabric_backend__rail_") == wanted
    children = {name for name in groups["fabric_backend"]["children"] if "rail" in name}
    assert children == {f"fabric_backend__rail_{rail}" for rails in wanted.values() for rail in rails}
    own = {path.stem: yaml.safe_load(path.read_text()) for path in (out / "host_vars").iterdir()}
    assert _said(own, "fabricgen_rails") == wanted


def test_rails_of_a_topology_are_those_of_the_cables(railed: tuple[Path, dict[str, int]], run: Run) -> None:
    """Of a part with one leaf a unit, too: it has the rails that it has in the whole."""
    wanted = _wanted(run, railed)
    for subset in ("servers=1", "units=1,leaves=1,servers=1"):
        out = railed[0].parent.parent / f"lab{len(subset)}"
        assert run("export", "containerlab", railed[0], "-o", out, "--subset", subset).exit_code == 0
        (file,) = out.glob("*.clab.yml")
        labels = {name: row["labels"] for name, row in yaml.safe_load(file.read_text())["topology"]["nodes"].items()}
        part = {name: rails for name, rails in wanted.items() if name in labels}
        assert _said(labels, "rails") == part
        assert bool(part) == bool(wanted)
        members: dict[str, list[str]] = defaultdict(list)
        for name, row in labels.items():
            for key in row:
                if key.startswith("nornir-group"):
                    members[row[key]].append(name)
        assert _grouped(members, "backend__rail_") == part


def test_a_leaf_of_two_rails_by_hand(tmp_path: Path, run: Run) -> None:
    """8 rails, two a leaf, one unit: leaf 1 has the third and fourth."""
    intent, out = copied("frr", tmp_path), tmp_path / "nornir"
    assert run("export", "nornir", intent, "-o", out).exit_code == 0
    leaf = yaml.safe_load((out / "hosts.yaml").read_text())["be-leaf-001"]
    assert leaf["data"]["rails"] == "2,3"
    assert leaf["groups"][-2:] == ["fabric_backend__rail_2", "fabric_backend__rail_3"]
    groups = yaml.safe_load((out / "groups.yaml").read_text())
    assert {name for name in groups if "rail" in name} == {f"fabric_backend__rail_{rail}" for rail in range(8)}
