"""What verbs say of NICs behind two leaves: the page, explain, what-if, and the files of servers."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from fabricgen.changes.compare.device import changes_between
from fabricgen.cli import main
from fabricgen.diff.difference import Options, compare
from fabricgen.diff.model import Difference
from fabricgen.diff.side import SiteState
from fabricgen.hosts.compare import compare as compare_host
from tests.leaf_pairs import site

SCHEMA = Path(__file__).parents[2] / "schema/host-state.schema.json"


@pytest.fixture(scope="module")
def intent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return site.written(tmp_path_factory.mktemp("pairs"))


def said(*words: object) -> str:
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return " ".join(done.stdout.split())


def test_the_page_says_what_a_pair_is_and_counts_a_route_for_each_nic(intent: Path) -> None:
    page = said("plan", intent)
    assert "each NIC has one address behind two leaves that have no link to each other (dual-ToR)" in page
    # Ten loopbacks, and two NICs of each of four servers; no aggregates.
    assert "family loopbacks NICs total now total planned chip limit IPv4 10 8 18 18" in page


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("10.64.0.1", "train-000 nic0/p0, at be-leaf-000 swp1s0, and over the other leaf of the pair"),
        ("10.64.0.0", "free in the block of be-leaf-000, no port uses it"),
        ("10.64.0.5", "free in the block of be-leaf-001, no port uses it"),
        ("train[0]", "rail 0: nic0/p1 at be-leaf-001 swp1s0, 10.64.0.1/32 over both leaves"),
        ("be-leaf-001/swp1s0", "with the server, AS 4294967294: this leaf takes 10.64.0.1/32 over this port"),
        ("4294965245", "AS 4294965245: train-003, on backend"),
    ],
)
def test_explain_knows_the_one_address_of_a_nic_and_the_number_of_its_server(
    intent: Path, asked: str, answer: str
) -> None:
    assert answer in said("explain", intent, asked)


def test_a_nic_is_cut_off_by_two_failures_and_not_by_one(intent: Path) -> None:
    text = said("what-if", intent)
    assert "leaf (e.g. be-leaf-000): replace it: servers keep their other port" in text
    assert "be-leaf-000/swp64s1): replace it: servers keep their other port" in text, "a leaf without uplinks"
    ports = "be-leaf-000/swp1s0", "be-leaf-001/swp1s0"
    costs = []
    for failed in ports[:1], ports:
        words = [word for port in failed for word in ("--fail", port)]
        (row,) = re.findall(r"named parts \(.*?\) 1 (\d+) (\d+) (\d+) ", said("what-if", intent, *words))
        costs.append(row)
    # GPUs off, rails off, and GPUs whose rail lost some of its ports.
    assert costs == [("0", "0", "1"), ("1", "1", "0")]


def test_servers_get_their_routing_and_no_rdma_over_one_port_of_two(intent: Path, tmp_path: Path) -> None:
    for form in ("netplan", "networkd"):
        said("export", "hosts", intent, "-o", tmp_path / form, "--servers", "train[0]", "--format", form)
    folder = tmp_path / "networkd" / "train-000"
    frr = (folder / "etc/frr/frr.conf").read_text()
    assert frr.count(" interface remote-as ") == 4
    assert "allowas-in" not in frr
    assert "bgpd=yes" in (folder / "etc/frr/daemons").read_text()
    assert (folder / "etc/systemd/network/60-fabricgen-rail1.netdev").read_text().endswith("Name=rail1\nKind=dummy\n")
    assert "Address=10.64.0.9/32" in (folder / "etc/systemd/network/60-fabricgen-rail1.network").read_text()
    ports = (folder / "etc/systemd/network/60-fabricgen-rail1b.network").read_text()
    assert "LinkLocalAddressing=ipv6" in ports
    assert "Address=" not in ports
    netplan = (tmp_path / "netplan" / "train-000" / "etc/netplan/60-fabricgen.yaml").read_text()
    assert '    rail1:\n      addresses: ["10.64.0.9/32"]\n' in netplan
    library = (folder / "etc/nccl.conf").read_text()
    assert "NCCL_IB_DISABLE=1\n" in library
    assert "NCCL_SOCKET_IFNAME==rail0,rail1\n" in library
    state = json.loads((folder / "expected.json").read_text())
    jsonschema.validate(state, json.loads(SCHEMA.read_text()))
    seen = json.loads(json.dumps(state))
    seen["nics"][1]["pair"]["address"] = "10.64.0.3/32"
    assert [(row.interface, row.code) for row in compare_host(state, seen)] == [("rail0b", "host-address")]


def changed(overrides: dict[str, object]) -> Difference:
    """What these overrides change."""
    before, after = (SiteState(name="a side", plan=site.planned(over)) for over in (None, overrides))
    return compare(before, after, Options(costs=lambda _: {}))


def test_a_dead_server_is_one_class_of_its_leaves_and_reaches_its_own_gpus() -> None:
    """Its sessions, and the lists and maps that these alone use, go: no other server of the leaf has lost anything."""
    (only,) = changed({"train[1]": {"state": "dead"}}).meaning
    assert only.devices == ("be-leaf-000", "be-leaf-001", "be-leaf-002", "be-leaf-003")
    removed = {line.kind for line in only.lines if line.change == "removed"}
    assert {"prefix-list", "route-map", "bgp.neighbor"} <= removed
    assert (only.blast.gpus, only.blast.rails, only.blast.bisection) == (2, (0, 1), {})


@pytest.mark.parametrize(("sessions", "reached"), [(1, ("swp1s0", "train-000")), (2, ("", ""))])
def test_a_map_is_of_a_session_where_no_other_uses_it(sessions: int, reached: tuple[str, str]) -> None:
    before = site.fleet()["be-leaf-000"]
    bgp, policy = before.routing.bgp, before.routing.policy
    neighbors = [row for row in bgp.neighbors if row.group.startswith("HOSTS")]
    for number in range(sessions):
        neighbors[number] = neighbors[number]._replace(route_map_in="RM-NIC-000-IN")
    (own,) = (row for row in policy.route_maps if row.name == "RM-NIC-000-IN")
    maps = (*(row for row in policy.route_maps if row != own), own._replace(statements=own.statements[1:]))
    before, after = (
        before._replace(routing=before.routing._replace(bgp=bgp._replace(neighbors=tuple(neighbors)), policy=each))
        for each in (policy, policy._replace(route_maps=maps))
    )
    (change,) = changes_between(before, after)
    assert (change.kind, change.port, change.peer) == ("route-map.statement", *reached)
