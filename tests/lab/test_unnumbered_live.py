"""Two leaves and two spines of FRR on links without addresses: they come up, verify right, and show what is wrong."""

import json
from collections.abc import Iterator

import pytest
import yaml

from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.lab import LabEnd
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.site.workspace import open_workspace
from tests.frr.waiting import becomes
from tests.lab.faults import Running, plug, pull, told, unplugged
from tests.lab.sites import SMALL, available, lab_verb, remains

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "leaves=2,spines=2,links=1,servers=1"
LEAVES, SPINES = ("be-leaf-000", "be-leaf-001"), ("be-spine-00", "be-spine-01")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The backend of the small site alone, unnumbered."""
    folder = tmp_path_factory.mktemp("bare") / "lab"
    intent = folder.parent / "intent.yaml"
    found = yaml.safe_load(SMALL.read_text())
    del found["fabrics"]["frontend"], found["tenants"], found["servers"]["store"]
    found["fabrics"]["backend"]["addressing"]["links"] = ["unnumbered"]
    intent.write_text(yaml.safe_dump(found))
    try:
        done = lab_verb("up", intent, "--subset", SUBSET, "--dir", folder)
        assert done.returncode == 0, done.stdout + done.stderr
        yield Running(folder, intent, make_lab(open_workspace(intent).plan, parse_subset(SUBSET)))
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(folder)) == {}


def loopback(lab: Running, name: str, family: str) -> str:
    row = next(row for row in lab.device(name).interfaces.loopbacks if row.number == 0)
    return str(getattr(row, family)).partition("/")[0]


def cable(lab: Running, lower: str, upper: str) -> tuple[LabEnd, LabEnd]:
    """The cable between two switches, lower end first."""
    ((near, far),) = (link[:2] for link in lab.lab.links if (link.near.owner, link.far.owner) == (lower, upper))
    return near, far


def test_it_is_right_and_carries_both_families(lab: Running) -> None:
    lab.heals()
    for name in (*LEAVES, *SPINES):
        links = [row for row in lab.device(name).interfaces.ethernet if row.profile.role in ("uplink", "downlink")]
        shown = json.loads(lab.inside(name, "ip", "-j", "address"))
        for row in links:
            own = next(found for found in shown if found["ifname"] == row.name)["addr_info"]
            assert {found["scope"] for found in own} == {"link"}
    for family in ("ipv4", "ipv6"):
        source, target = (loopback(lab, name, family) for name in LEAVES)
        lab.inside(LEAVES[0], "ping", "-c", "2", "-i", "0.2", "-W", "2", "-I", source, target)
    routes = json.loads(lab.inside(LEAVES[0], "ip", "-j", "route", "show", f"{loopback(lab, LEAVES[1], 'ipv4')}"))
    ports = {row.name for row in lab.device(LEAVES[0]).interfaces.ethernet if row.profile.role == "uplink"}
    assert {hop["dev"] for hop in routes[0]["nexthops"]} == ports
    assert {hop["gateway"] for hop in routes[0]["nexthops"]} == {"169.254.0.1"}


def test_a_pulled_cable_and_a_wrong_as_number_are_found(lab: Running) -> None:
    broken, spoilt = cable(lab, LEAVES[0], SPINES[0]), cable(lab, LEAVES[1], SPINES[1])
    router = f"router bgp {lab.device(LEAVES[1]).routing.bgp.asn}"
    right = lab.device(SPINES[1]).routing.bgp.asn
    wanted = {(LEAVES[0], "session-down"), (SPINES[0], "session-down"), (LEAVES[1], "session-wrong-as")}
    with unplugged(lab, broken):
        lab.typed(LEAVES[1], router, f"neighbor {spoilt[0].interface} remote-as {right + 7}")
        found = lab.comes_to_show(wanted)
        lab.typed(LEAVES[1], router, f"neighbor {spoilt[0].interface} remote-as {right}")
    lab.heals()
    assert wanted <= told(found)
    down = [one for one in found if one["code"] == "session-down" and one["device"] == LEAVES[0]]
    assert [(one["port"], bool(one["explained"])) for one in down] == [(broken[0].interface, True)]


def test_exchanged_cables_are_found_though_every_session_stands(lab: Running) -> None:
    """Both spines have one AS number, and no address says that the far end is another one."""
    one, two = cable(lab, LEAVES[0], SPINES[0]), cable(lab, LEAVES[0], SPINES[1])
    with unplugged(lab, one, two):
        plug(lab, one[0], two[1])
        plug(lab, two[0], one[1])
        becomes({one[0].interface: "Established", two[0].interface: "Established"}, states, lab, LEAVES[0])
        spines = {(spine, "lldp-wrong-port") for spine in SPINES}
        found = lab.comes_to_show({(LEAVES[0], "lldp-wrong-peer"), (LEAVES[0], "route-next-hop"), *spines})
        pull(lab, one[0], two[0])
    lab.heals()
    assert {code for _, code in told(found)} == {"lldp-wrong-peer", "lldp-wrong-port", "route-next-hop"}


def states(lab: Running, name: str) -> dict[str, str]:
    """State of each session of a switch, by port."""
    shown = json.loads(lab.inside(name, "vtysh", "-c", "show bgp neighbors json"))
    return {peer: row["bgpState"] for peer, row in shown.items() if isinstance(row, dict) and "bgpState" in row}
