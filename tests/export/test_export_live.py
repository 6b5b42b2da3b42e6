"""Commands of an export under a whole kernel (User-Mode Linux): what the script of FRR's interfaces, and servers, make.

No container is started: a network namespace with ports of the node's names stands for it.
"""

import json
import shlex
from pathlib import Path

import pytest
import yaml

from fabricgen.platforms.frr.containerlab import VXLAN_PORT
from tests.export.conftest import SMALL, Run
from tests.uml import uml

needs_kernel = pytest.mark.usefixtures("second_kernel")

NODE = """
set -e
ip link set lo up
ip link add eth0 type veth peer name outside
ip address add {management} dev eth0
ip link set outside up
ip link set eth0 up
for port in {ports}; do ip link add "$port" type veth peer name "x$port"; done
{commands}
ip -json -details link show >"{results}/{node}.link"
ip -json address show >"{results}/{node}.address"
ip -json route show table all >"{results}/{node}.route"
bridge -json vlan show >"{results}/{node}.vlan"
"""


def _job(out: Path, node: str, results: Path, name: str) -> str:
    """A shell script that does what containerlab does for one node, in a namespace."""
    document = yaml.safe_load((out / name).read_text())
    found = document["topology"]["nodes"][node]
    ends = [end for link in document["topology"]["links"] for end in link["endpoints"]]
    ports = " ".join(end["interface"] for end in ends if end["node"] == node)
    commands = "\n".join(line.replace("/etc/fabricgen", str(out / node)) for line in found["exec"])
    management = f"{found['mgmt-ipv4']}/24"
    text = NODE.format(management=management, ports=ports, commands=commands, results=results, node=node)
    return f"unshare --net sh -c {shlex.quote(text)}"


@needs_kernel
def test_a_leaf_and_its_servers(frr: Path, run: Run, tmp_path: Path) -> None:
    out, results = tmp_path / "lab", tmp_path / "results"
    results.mkdir()
    assert run("export", "containerlab", frr, "-o", out, "--subset", SMALL).exit_code == 0
    jobs = [_job(out, node, results, "frr1.clab.yml") for node in ("fe-leaf-000", "be-leaf-000", "train-000")]
    done = uml.run(["sh", "-ec", "\n".join(jobs)], results)
    assert done.status == 0, done.output
    _leaf(results)
    _server(results)


def _read(results: Path, node: str, what: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((results / f"{node}.{what}").read_text())
    return found


def _addresses(results: Path, node: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in _read(results, node, "address"):
        infos = row["addr_info"]
        assert isinstance(infos, list)
        found[str(row["ifname"])] = {f"{i['local']}/{i['prefixlen']}" for i in infos if i["scope"] == "global"}
    return found


def _leaf(results: Path) -> None:
    """The intent's numbers: storage has VLAN 20 and 172.17.0.0/20; VNI 10007 is its network's (fabricgen.lock)."""
    own = _addresses(results, "fe-leaf-000")
    assert own["vlan20"] == {"172.17.0.1/20", "fd5e:8c1f:2a00:2000::1/64"}
    assert {"10.128.192.4/32", "10.128.192.5/32"} <= own["lo"]
    links = {str(row["ifname"]): row for row in _read(results, "fe-leaf-000", "link")}
    assert links["vlan20"]["master"] == "storage"
    assert links["eth0"]["master"] == "mgmt"
    assert links["swp1"]["master"] == "bridge"
    info = links["vni10007"]["linkinfo"]
    assert isinstance(info, dict)
    data = info["info_data"]
    assert (data["id"], data["local"], data["port"], data["learning"]) == (10007, "10.128.192.5", VXLAN_PORT, False)
    vlans = {row["ifname"]: row["vlans"] for row in _read(results, "fe-leaf-000", "vlan")}
    assert vlans["swp1"] == [{"vlan": 20, "flags": ["PVID", "Egress Untagged"]}]
    routes = _read(results, "fe-leaf-000", "route")
    ways = [row for row in routes if row["dst"] == "default" and row.get("gateway") == "10.0.0.1"]
    assert [row["table"] for row in ways] == ["mgmt"] or [row["table"] for row in ways] == ["1001"]


def _server(results: Path) -> None:
    own = _addresses(results, "train-000")
    assert {"10.64.0.1/31"} in own.values()
    routes = [row for row in _read(results, "train-000", "route") if row["dst"] == "default" and "table" not in row]
    assert [row["gateway"] for row in routes if "." in str(row["gateway"])] == ["172.18.0.1"]
