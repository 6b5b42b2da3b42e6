"""What an export refuses: topologies that no schema stops, words of the command line, folders of something else."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.base.addresses import InterfaceAddress
from fabricgen.errors import FabricError, Problem
from fabricgen.export.addresses import Addresses, unique_local
from fabricgen.export.nodes import server_node
from fabricgen.export.topology import Topology, TopologyFaults, lab_name
from fabricgen.lab.model.containers import kinds_of
from fabricgen.lab.model.part import PlanSubset
from fabricgen.lab.model.subset import Subset, parse_subset
from fabricgen.site.workspace import open_workspace
from tests.export.conftest import SMALL, Run
from tests.export.schema import complaints
from tests.some import some

Document = dict[str, Any]


def _link(document: Document, number: int = 0) -> Document:
    link: Document = document["topology"]["links"][number]
    return link


def _rename(document: Document) -> None:
    nodes = document["topology"]["nodes"]
    nodes["be leaf"] = nodes.pop("be-leaf-000")


def _double(document: Document) -> None:
    _link(document, 1)["endpoints"][1] = dict(_link(document)["endpoints"][1])


def _set_port(name: str) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        _link(document)["endpoints"][1]["interface"] = name

    return change


def _nowhere(document: Document) -> None:
    _link(document)["endpoints"][1]["node"] = "be-leaf-999"


def _three(document: Document) -> None:
    _link(document)["endpoints"].append({"node": "be-leaf-000", "interface": "eth99"})


def _same_address(document: Document) -> None:
    nodes = document["topology"]["nodes"]
    nodes["be-leaf-000"]["mgmt-ipv4"] = nodes["be-leaf-001"]["mgmt-ipv4"]


def _trap(document: Document) -> None:
    document["topology"]["nodes"]["be-leaf-000"]["labels"]["role"] = "$HOME"


def _template(document: Document) -> None:
    document["topology"]["nodes"]["be-leaf-000"]["group"] = "{{ leaf"


def faults(document: Document) -> list[Problem]:
    """What is wrong with a whole topology."""
    found = TopologyFaults()
    for name, node in document["topology"]["nodes"].items():
        found.node(name, node)
    for link in document["topology"]["links"]:
        found.link(link)
    return found.found


@pytest.mark.parametrize(
    ("spoil", "word"),
    some(
        [
            (_rename, "be leaf"),
            (_double, "two links end at"),
            (_set_port("Ethernet1/1"), "cannot be the name of an interface"),
            (_set_port("eth 1"), "cannot be the name of an interface"),
            (_set_port("e" * 16), "cannot be the name of an interface"),
            (_set_port("eth0"), "eth0 is reserved for containerlab"),
            (_nowhere, "a link ends at the unknown node"),
            (_three, "3 ends"),
            (_same_address, "both have the management address"),
            (_trap, "containerlab would expand '$HOME'"),
            (_template, "containerlab would expand '{{ leaf'"),
        ],
        of=6,
    ),
)
def test_a_spoilt_topology_is_refused(eos: Path, run: Run, spoil: Callable[[Document], None], word: str) -> None:
    out = eos.parent / "lab"
    assert run("export", "containerlab", eos, "-o", out, "--subset", SMALL).exit_code == 0
    document = yaml.safe_load((out / "dc1.clab.yml").read_text())
    assert not faults(document)
    spoilt = copy.deepcopy(document)
    spoil(spoilt)
    found = faults(spoilt)
    assert {problem.code for problem in found} == {"export-topology"}
    assert word in " ".join(problem.what for problem in found)


def test_the_schema_alone_takes_ends_that_are_none(eos: Path, run: Run) -> None:
    """So the checks above are ours to make."""
    out = eos.parent / "lab"
    assert run("export", "containerlab", eos, "-o", out, "--subset", SMALL).exit_code == 0
    document = yaml.safe_load((out / "dc1.clab.yml").read_text())
    for spoil in (_nowhere, _double, _set_port("Ethernet1/1"), _same_address):
        spoil(document)
    assert complaints(document, "0.81") == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--containerlab", "0.78"), 2, "0.79"),
        (("--subset", "leafs=2"), 1, "leaves"),
        (("--image", "ceos=ceos:1"), 1, "is no kind"),
        (("--image", "eos"), 1, "cannot be an image"),
        (("--image", "eos=a b"), 1, "cannot be an image"),
        (("--image", "eos=ceos:$TAG"), 1, "cannot be an image"),
        (("--image", "eos=a:1", "--image", "arista_ceos=b:1"), 1, "arista_ceos already has an image"),
        (("--templates", "/nowhere"), 2, "/nowhere"),
    ],
)
def test_wrong_words_are_refused(eos: Path, run: Run, words: tuple[str, ...], code: int, said: str) -> None:
    out = eos.parent / "lab"
    result = run("export", "containerlab", eos, "-o", out, *words)
    assert result.exit_code == code
    assert said in result.stderr
    assert not out.exists()


def test_an_image_of_nothing_has_a_code(eos: Path, run: Run) -> None:
    result = run("export", "containerlab", eos, "-o", eos.parent / "lab", "--image", "x=y", "--json")
    assert [problem["code"] for problem in json.loads(result.stdout)["problems"]] == ["bad-image"]


def test_images_by_name_of_kind_or_platform(frr: Path, run: Run) -> None:
    out = frr.parent / "lab"
    words = ("--subset", SMALL, "--image", "frr=frrouting/frr:v8.4.2", "--image", "server=alpine:3")
    assert run("export", "containerlab", frr, "-o", out, *words).exit_code == 0
    document = yaml.safe_load((out / "frr1.clab.yml").read_text())
    assert document["topology"]["kinds"]["frr"]["image"] == "frrouting/frr:v8.4.2"
    assert document["topology"]["nodes"]["train-000"]["image"] == "alpine:3"


def test_an_export_is_not_written_over_a_tree_nor_over_another(eos: Path, run: Run) -> None:
    tree, foreign = eos.parent / "tree", eos.parent / "foreign"
    assert run("render", eos, "-o", tree).exit_code == 0
    foreign.mkdir()
    (foreign / "notes").write_text("mine")
    for verb in ("containerlab", "nornir", "ansible"):
        for folder in (tree, foreign):
            result = run("export", verb, eos, "-o", folder)
            assert result.exit_code == 1, (verb, folder)
    assert (tree / "cabling.csv").exists()
    assert [path.name for path in foreign.iterdir()] == ["notes"]
    other = eos.parent / "other"
    assert run("export", "nornir", eos, "-o", other).exit_code == 0
    result = run("export", "ansible", eos, "-o", other)
    assert result.exit_code == 1
    assert "has files that are not from a ansible export" in result.stderr
    told = json.loads(run("export", "ansible", eos, "-o", other, "--json").stdout)
    assert [problem["code"] for problem in told["problems"]] == ["export-folder"]


def test_an_intent_with_problems_is_not_exported(eos: Path, run: Run) -> None:
    """Two fabrics with one pool: each by itself is sound."""
    eos.write_text(eos.read_text().replace("ipv4: 10.128.0.0/12", "ipv4: 10.64.0.0/12"))
    eos.with_name("fabricgen.lock").unlink()
    for verb in ("containerlab", "nornir", "ansible"):
        result = run("export", verb, eos, "-o", eos.parent / "out")
        assert result.exit_code == 1
        assert "nothing was written" in result.stderr
        assert not (eos.parent / "out").exists()


def test_a_management_network_that_is_too_small(eos: Path) -> None:
    plan = open_workspace(eos).plan
    part = PlanSubset(plan, Subset())
    intent = plan.intent.model_copy(
        update={"management": plan.intent.management.model_copy(update={"oob": _net("10.0.0.64/27")})}
    )
    addresses = Addresses(plan._replace(intent=intent))
    for device, _ in part.switches():
        addresses.of_switch(device)
    with pytest.raises(FabricError) as caught:
        _ = [addresses.of_server() for _ in part.servers()]
    assert caught.value.problems[0].code == "export-addresses"


def test_addresses_of_services_are_not_given_to_servers(eos: Path, run: Run) -> None:
    """Servers have the highest of the network, 10.0.15.254 first."""
    eos.write_text(eos.read_text().replace("syslog: [10.0.0.8]", "syslog: [10.0.15.254]"))
    out = eos.parent / "lab"
    assert run("export", "containerlab", eos, "-o", out, "--subset", SMALL).exit_code == 0
    nodes = yaml.safe_load((out / "dc1.clab.yml").read_text())["topology"]["nodes"]
    given = {node["mgmt-ipv4"] for node in nodes.values()}
    assert "10.0.15.253" in given
    assert "10.0.15.254" not in given


def test_an_address_of_a_switch_is_not_given_to_a_server(eos: Path) -> None:
    plan = open_workspace(eos).plan
    addresses = Addresses(plan)
    device, _ = next(PlanSubset(plan, Subset()).switches())
    taken = device._replace(management=device.management._replace(address=InterfaceAddress("10.0.15.254/20")))
    assert str(addresses.of_switch(taken).ipv4) == "10.0.15.254"
    assert str(addresses.of_server().ipv4) == "10.0.15.253"


def test_faults_of_a_topology_are_told_when_it_is_written(eos: Path) -> None:
    plan = open_workspace(eos).plan
    addresses, servers = Addresses(plan), PlanSubset(plan, parse_subset(SMALL)).servers()
    topology = Topology("dc1", addresses.network)
    one = addresses.of_server()
    for server in (next(servers), next(servers)):
        topology.add(server_node(plan, server, {}), one, (), {})
    with pytest.raises(FabricError) as caught:
        list(topology.text())
    assert {problem.code for problem in caught.value.problems} == {"export-topology"}
    assert len(caught.value.problems) == 2  # in both families


def _net(text: str) -> Any:  # noqa: ANN401 - either family
    from ipaddress import ip_network  # noqa: PLC0415

    return ip_network(text)


def test_a_prefix_of_the_plan_is_not_taken_for_management() -> None:
    first = unique_local("dc1", ())
    second = unique_local("dc1", (first,))
    assert first.is_private
    assert first != second
    assert first.prefixlen == 64


def test_a_platform_without_a_kind_is_refused(eos: Path) -> None:
    part = PlanSubset(open_workspace(eos).plan, parse_subset(SMALL))
    with pytest.raises(FabricError) as caught:
        kinds_of(part.systems, (0, 78))
    assert caught.value.problems[0].code == "export-kind"
    assert "containerlab 0.78 has no node for Arista EOS" in caught.value.problems[0].what


def test_names_of_labs_have_no_hyphens() -> None:
    assert lab_name("my-site-2") == "my_site_2"


def test_many_nodes_of_a_kind_come_with_advice(eos: Path, run: Run) -> None:
    """More than 50 cEOS on one host: 1250 inotify instances each (docs/manual/kinds/ceos.md)."""
    text = eos.read_text().replace("slots: 0-31", "slots: 0-191").replace("spines: {now: 4", "spines: {now: 16")
    eos.write_text(text)
    result = run("export", "containerlab", eos, "-o", eos.parent / "lab", "--subset", "servers=0")
    assert result.exit_code == 0, result.stderr
    count = len(list((eos.parent / "lab").glob("*/startup-config")))
    assert count > 50
    assert f"fs.inotify.max_user_instances={1250 * count}" in result.stderr
