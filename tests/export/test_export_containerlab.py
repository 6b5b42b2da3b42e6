"""`fabricgen export containerlab`: files that containerlab's schema takes, and that say what the plan says."""

import ipaddress
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.platforms.containerlab_nodes import NODES
from tests.export.conftest import SMALL, Run, called, copied
from tests.export.schema import complaints
from tests.platforms import rich
from tests.some import LONG, some

RELEASES = ("0.79", "0.80", "0.81")
CEOS_PORT = re.compile(r"eth[1-9][\w.]*$")
"""As nodes/ceos/ceos.go checks it."""
KNOWN = frozenset({"bgpd", "bfdd", "zebra", "staticd", "mgmtd", "watchfrr"})
"""Of those that nodes/frr/daemons.go knows."""

Document = dict[str, Any]


Exported = tuple[Path, Document, Document]


def exported(run: Run, intent: Path, *words: object) -> Exported:
    """Export, the folder, the topology, and what the verb told as JSON."""
    out = intent.parent.parent / "lab"
    result = run("export", "containerlab", intent, "-o", out, "--json", *words)
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    return out, yaml.safe_load((out / told["topology"]).read_text()), told


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """All of the demo, exported once: nothing of it is changed."""
    return exported(called, copied("demo", tmp_path_factory.mktemp("whole")))


@pytest.mark.parametrize("release", some(RELEASES, of=4))
def test_the_schema_takes_it(site: Path, run: Run, release: str) -> None:
    _, document, _ = exported(run, site, "--subset", SMALL, "--containerlab", release)
    assert complaints(document, release) == []


def test_the_schema_takes_the_whole(whole: Exported) -> None:
    assert complaints(whole[1], RELEASES[-1]) == []


def test_the_schema_would_speak_up(frr: Path, run: Run) -> None:
    """Of each release against what only another has, and against keys that are invented."""
    _, newest, _ = exported(run, frr, "--subset", SMALL, "--containerlab", "0.81")
    assert complaints(newest, "0.79")
    assert complaints(newest, "0.80")
    node = newest["topology"]["nodes"]["be-leaf-000"]
    for key, value in (("x-rail", 1), ("binds", []), ("restart-policy", "never"), ("mgmt-ipv4", 7)):
        node[key] = value
        assert complaints(newest, "0.81"), key
        del node[key]
    assert complaints(newest, "0.81") == []


def test_all_of_the_plan_is_there(whole: Exported) -> None:
    """32 servers on 4 leaves and 4 spines in the back; 2 borders, 6 leaves, 4 spines and 8 storage servers in front."""
    out, document, told = whole
    nodes = document["topology"]["nodes"]
    kinds = [node["kind"] for node in nodes.values()]
    assert (kinds.count("arista_ceos"), kinds.count("linux")) == (20, 40)
    assert (told["needs"]["switches"], told["needs"]["servers"]) == (20, 40)
    groups = {node["group"] for node in nodes.values()}
    assert groups == {"leaf", "spine", "border-leaf", "server"}
    assert {path.parent.name for path in out.glob("*/startup-config")} == {
        name for name in nodes if nodes[name]["kind"] == "arista_ceos"
    }


def test_cables_are_those_of_the_cabling_plan(site: Path, run: Run) -> None:
    """`render` writes them as cabling.csv, by another way: every cable but those that lead outside, once."""
    out, document, told = exported(run, site)
    tree = out.parent / "tree"
    assert run("render", site, "-o", tree).exit_code == 0
    rows = [line.split(",") for line in (tree / "cabling.csv").read_text().splitlines()]
    columns = {name: number for number, name in enumerate(rows[0])}
    inside = set(document["topology"]["nodes"])
    wanted = {
        (row[columns["a_device"]], row[columns["b_device"]], row[columns["b_port"]])
        for row in rows[1:]
        if row[columns["a_device"]] in inside and row[columns["b_device"]] in inside
    }
    names = inside_names(out, document)
    found = set()
    for link in document["topology"]["links"]:
        near, far = link["endpoints"]
        found.add((near["node"], far["node"], names.get((far["node"], far["interface"]), far["interface"])))
    assert found == wanted
    assert len(document["topology"]["links"]) == len(wanted) == told["needs"]["links"]


def inside_names(out: Path, document: Document) -> dict[tuple[str, str], str]:
    """(node, port in the container) → port of the switch, from the files that cEOS reads."""
    found: dict[tuple[str, str], str] = {}
    for name, node in document["topology"]["nodes"].items():
        if node["kind"] == "arista_ceos":
            mapping = json.loads((out / name / "EosIntfMapping.json").read_text())
            found |= {(name, inside): port for inside, port in mapping["EthernetIntf"].items()}
    return found


def test_ports_of_ceos_are_named_by_its_mapping(eos: Path, run: Run) -> None:
    """Each port of the configuration has a link, and the management port is the configuration's own."""
    out, document, _ = exported(run, eos, "--subset", SMALL)
    used = {(e["node"], e["interface"]) for link in document["topology"]["links"] for e in link["endpoints"]}
    for name, node in document["topology"]["nodes"].items():
        if node["kind"] != "arista_ceos":
            continue
        mapping = json.loads((out / name / "EosIntfMapping.json").read_text())
        text = (out / name / "startup-config").read_text()
        assert set(mapping["EthernetIntf"].values()) == set(re.findall(r"^interface (Ethernet\S+)$", text, re.M))
        assert {port for owner, port in used if owner == name} == set(mapping["EthernetIntf"])
        assert all(CEOS_PORT.match(port) for port in mapping["EthernetIntf"])
        assert f"\ninterface {mapping['ManagementIntf']['eth0']}\n" in text
        assert node["binds"] == [f"{name}/EosIntfMapping.json:/mnt/flash/EosIntfMapping.json:ro"]


def test_what_ceos_does_not_have_is_left_out_and_listed(whole: Exported) -> None:
    out, _, told = whole
    texts = "".join(path.read_text() for path in out.glob("*/startup-config"))
    for word in ("wait-install", "storm-control", "trident", "uc-tx-queue", "priority-flow-control", "reed-solomon"):
        assert word not in texts, word
    for line in (r"^   speed ", r"^tacacs-server", r"^aaa group", r"^snmp-server", r"^sflow", r"^ip hardware"):
        assert not re.search(line, texts, re.M), line
    listed = " ".join(row["feature"] for row in told["skipped"])
    for word in ("flow control", "wait-install", "storm control", "speed", "TACACS", "sFlow", "LACP", "external-bgp"):
        assert word in listed, word
    assert "router bgp" in texts
    assert "service routing protocols model multi-agent" in texts
    assert "management api http-commands" in texts


def test_an_aggregate_without_a_cable_is_not_there(eos: Path, run: Run) -> None:
    """Each Port-Channel has a member in a part of the fabric, too."""
    out, _, _ = exported(run, eos, "--subset", SMALL)
    text = (out / "fe-leaf-000/startup-config").read_text()
    made = set(re.findall(r"^interface Port-Channel(\d+)$", text, re.M))
    assert made
    assert made == set(re.findall(r"^   channel-group (\d+) mode active$", text, re.M))


def test_sessions_are_those_of_the_part(eos: Path, run: Run) -> None:
    """Two spines, two links each, two families; no neighbor of a switch that is not there."""
    out, _, _ = exported(run, eos, "--subset", SMALL)
    text = (out / "be-leaf-000/startup-config").read_text()
    assert len(set(re.findall(r"^   neighbor (\S+) peer group SPINES-", text, re.M))) == 2 * 2 * 2


def test_certificates_are_those_that_containerlab_makes(eos: Path, run: Run) -> None:
    """node.crt and node.key in /persist/secure/ssl (nodes/ceos/ceos.go)."""
    out, _, _ = exported(run, eos, "--subset", SMALL)
    text = (out / "be-leaf-000/startup-config").read_text()
    assert "   protocol https ssl profile node\n" in text
    assert "   ssl profile node\n      certificate node.crt key node.key\n" in text


@pytest.mark.parametrize("release", some(RELEASES))
def test_frr_by_release(frr: Path, run: Run, release: str) -> None:
    """Kind `linux` with mounts before 0.80; then kind `frr`, whose daemons moved out of `extras` with 0.81."""
    out, document, _ = exported(run, frr, "--subset", SMALL, "--containerlab", release)
    node = document["topology"]["nodes"]["fe-leaf-000"]
    script = "fe-leaf-000/interfaces.sh:/etc/fabricgen/interfaces.sh:ro"
    assert node["exec"] == ["sh /etc/fabricgen/interfaces.sh"]
    if release == "0.79":
        assert (node["kind"], node["binds"]) == ("linux", ["fe-leaf-000/frr:/etc/frr", script])
        own = {path.name for path in (out / "fe-leaf-000/frr").iterdir()}
        assert own == {"frr.conf", "daemons", "vtysh.conf"}
        assert node["restart-policy"] == "no"
        return
    assert (node["kind"], node["binds"]) == ("frr", [script])
    kind = document["topology"]["kinds"]["frr"]
    assert kind["startup-config"] == "__clabNodeName__/frr.conf"
    daemons = node["extras"]["frr"]["daemons"] if release == "0.80" else node["daemons"]
    assert daemons == ["bgpd"]
    assert set(daemons) <= KNOWN
    assert not (out / "fe-leaf-000/daemons").exists()


def test_the_host_keeps_its_own_settings(frr: Path, run: Run) -> None:
    """gc_thresh is no setting of a namespace: docker would refuse the container."""
    _, document, _ = exported(run, frr, "--subset", SMALL)
    settings = document["topology"]["nodes"]["fe-leaf-000"]["sysctls"]
    assert settings["net.ipv4.fib_multipath_hash_policy"] == "1"
    assert not [key for key in settings if "gc_thresh" in key]
    assert all(key.startswith("net.") for key in settings)


@pytest.mark.parametrize("inventory", ["demo", pytest.param("frr", marks=LONG)])
def test_every_node_has_addresses_of_the_management_network(
    inventory: str, whole: Exported, run: Run, tmp_path: Path
) -> None:
    out, document, _ = whole if inventory == "demo" else exported(run, copied(inventory, tmp_path))
    four, six = (ipaddress.ip_network(document["mgmt"][f"ipv{n}-subnet"]) for n in (4, 6))
    seen: set[str] = set()
    for name, node in document["topology"]["nodes"].items():
        own = (node["mgmt-ipv4"], node["mgmt-ipv6"])
        assert ipaddress.ip_address(own[0]) in four
        assert ipaddress.ip_address(own[1]) in six
        assert ipaddress.ip_address(own[1]).packed[4:8] == bytes(4), "docker leaves octets 5 to 8 out of account"
        assert not seen.intersection(own), name
        seen |= {*own}
    assert document["mgmt"]["ipv4-gw"] not in seen
    services = {"10.0.0.2", "10.0.0.5", "10.0.0.6", "10.0.0.7", "10.0.0.8", "10.0.0.9", "10.0.0.10"}
    assert not seen & services
    hosts = yaml.safe_load((out / "inventory/hosts.yaml").read_text())
    assert all(hosts[name]["hostname"] == document["topology"]["nodes"][name]["mgmt-ipv4"] for name in hosts)


def test_the_configurations_have_the_addresses_of_their_nodes(eos: Path, run: Run) -> None:
    out, document, _ = exported(run, eos, "--subset", SMALL)
    for path in out.glob("*/startup-config"):
        node = document["topology"]["nodes"][path.parent.name]
        assert f"\n   vrf MGMT\n   ip address {node['mgmt-ipv4']}/20\n" in path.read_text()


def test_mtus_are_the_plans_and_links_are_sorted(whole: Exported) -> None:
    _, document, _ = whole
    links = document["topology"]["links"]
    assert {link["type"] for link in links} == {"veth"}
    assert {link["mtu"] for link in links} == {9214}
    first = [link["endpoints"][0]["node"] for link in links]
    assert first == sorted(first)


def test_servers_have_addresses_and_give_way_to_no_route_of_docker(eos: Path, run: Run) -> None:
    _, document, _ = exported(run, eos, "--subset", SMALL)
    server = next(node for name, node in document["topology"]["nodes"].items() if name.startswith("train"))
    commands = "\n".join(server["exec"])
    assert "ip address add 10.64.0.1/31 dev" in commands
    assert "ip route replace default via 172.1" in commands
    assert "route add" not in commands


def test_labels_say_where_a_switch_stands(whole: Exported) -> None:
    _, document, _ = whole
    nodes = document["topology"]["nodes"]
    labels = nodes["be-leaf-003"]["labels"]
    assert (labels["role"], labels["fabric"], labels["rails"], labels["unit"]) == ("leaf", "backend", "6,7", "0")
    assert (labels["graph-level"], labels["graph-icon"]) == ("3", "switch")
    assert nodes["be-spine-00"]["labels"]["graph-level"] == "2"
    assert nodes["train-000"]["labels"]["graph-icon"] == "host"


def test_a_subset_keeps_the_first(eos: Path, run: Run) -> None:
    _, document, told = exported(run, eos, "--subset", "units=1,leaves=1,spines=1,links=1,servers=1,borders=0")
    names = set(document["topology"]["nodes"])
    switches = {name for name in names if name.startswith(("be-", "fe-"))}
    assert switches == {"be-leaf-000", "be-spine-00", "fe-leaf-000", "fe-spine-00"}
    assert told["needs"]["memory_mib"] == 4 * 1700 + (len(names) - 4) * 10


def test_memory_is_told_before_anyone_deploys(eos: Path, run: Run) -> None:
    """1.7 GB a cEOS (netlab discussion 3844)."""
    result = run("export", "containerlab", eos, "-o", eos.parent / "lab", "--subset", "servers=0")
    assert result.exit_code == 0
    assert "20 switches, 0 servers" in result.stderr
    assert f"about {20 * 1700} MiB" in result.stderr


def test_two_exports_are_the_same_bytes(site: Path, run: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    for out in (first, second):
        assert run("export", "containerlab", site, "-o", out, "--subset", SMALL).exit_code == 0
    names = {path.relative_to(first) for path in first.rglob("*") if path.is_file()}
    assert len(names) > 20
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in names if name.name != "lock")
    again = run("export", "containerlab", site, "-o", first, "--subset", SMALL, "--json")
    told = json.loads(again.stdout)
    assert (told["written"], told["removed"], told["edited"]) == ([], [], [])


def test_what_is_gone_is_removed_and_what_is_foreign_stays(eos: Path, run: Run) -> None:
    out, _, _ = exported(run, eos, "--subset", "servers=0,leaves=2,spines=2")
    (out / "clab-dc1").mkdir()
    (out / "clab-dc1/state").write_text("containerlab's own")
    _, _, told = exported(run, eos, "--subset", "servers=0,leaves=1,spines=2")
    assert "be-leaf-001/startup-config" in told["removed"]
    assert (out / "clab-dc1/state").read_text() == "containerlab's own"


def test_head_of_the_file(eos: Path, run: Run) -> None:
    out, _, _ = exported(run, eos, "--subset", SMALL)
    head = (out / "dc1.clab.yml").read_text().splitlines()[:3]
    assert head[0] == "# Topology of dc1 for containerlab 0.81 and later."
    assert re.fullmatch(rf"# Written by fabricgen \S+; intent [0-9a-f]{{16}}, subset {SMALL}\.", head[1])


def test_the_digest_is_the_intents(eos: Path, run: Run) -> None:
    out, _, _ = exported(run, eos, "--subset", SMALL)
    before = (out / "dc1.clab.yml").read_text().splitlines()[1]
    eos.write_text(eos.read_text() + "# a remark\n")
    exported(run, eos, "--subset", SMALL)
    assert (out / "dc1.clab.yml").read_text().splitlines()[1] != before


@pytest.mark.parametrize("system", ["eos", "nxos"])
def test_whoever_runs_the_lab_may_manage_its_nodes(system: str) -> None:
    """The sources of the site are not those of the host: a list of them would shut the lab out."""
    limited = [device for device in rich.fleet(system) if device.management.access]
    assert limited
    for kind in NODES[system].kinds:
        assert {kind.fit(device).management.access for device in limited[:1]} == {()}
        assert "sources of management services" in {row.feature for row in kind.omissions if row.concerns(limited[0])}
