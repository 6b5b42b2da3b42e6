"""Two leaves and two spines of FRR with IPv6 alone: sessions, packets from server to server, verify, and a fault."""

import json
from collections.abc import Iterator
from ipaddress import ip_interface

import pytest
import yaml

from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.site.workspace import open_workspace
from tests.lab.faults import Running, told
from tests.lab.sites import SMALL, available, lab_verb, remains

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "leaves=2,spines=2,links=1,servers=2"
LEAVES = ("be-leaf-000", "be-leaf-001")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The backend of the small site alone, without its IPv4 prefix."""
    folder = tmp_path_factory.mktemp("six") / "lab"
    intent = folder.parent / "intent.yaml"
    found = yaml.safe_load(SMALL.read_text())
    del found["fabrics"]["frontend"], found["tenants"], found["servers"]["store"]
    backend = found["fabrics"]["backend"]
    backend["addressing"] = {"ipv6": backend["addressing"]["ipv6"]}
    intent.write_text(yaml.safe_dump(found))
    try:
        done = lab_verb("up", intent, "--subset", SUBSET, "--dir", folder)
        assert done.returncode == 0, done.stdout + done.stderr
        yield Running(folder, intent, make_lab(open_workspace(intent).plan, parse_subset(SUBSET)))
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(folder)) == {}


def test_packets_pass_with_no_ipv4_address_anywhere(lab: Running) -> None:
    lab.heals()
    for owner in (*(device.name for device in lab.lab.devices), *(server.name for server in lab.lab.servers)):
        shown = json.loads(lab.inside(owner, "ip", "-j", "-4", "address"))
        assert {own["local"] for row in shown for own in row["addr_info"]} <= {"127.0.0.1"}, owner
    for device in lab.lab.devices:
        states = json.loads(lab.inside(device.name, "vtysh", "-c", "show bgp summary json"))
        assert set(states) == {"ipv6Unicast"}
        assert states["ipv6Unicast"]["routerId"] == device.routing.bgp.router_id
    near, far = (str(ip_interface(lab.device(name).interfaces.loopbacks[0].ipv6).ip) for name in LEAVES)
    lab.inside(LEAVES[0], "ping", "-c", "2", "-W", "2", "-I", near, far)
    one, other = lab.lab.servers
    first, last = (
        next(nic for nic in server.nics if nic.switch == name)
        for server, name in zip((one, other), LEAVES, strict=True)
    )
    source, target = (str(ip_interface(nic.ipv6).ip) for nic in (first, last))
    lab.inside(one.name, "ping", "-c", "2", "-W", "2", "-I", source, target)


def test_a_router_id_of_another_switch_is_found(lab: Running) -> None:
    one, other = (lab.device(name).routing.bgp for name in LEAVES)
    lab.typed(LEAVES[1], f"router bgp {other.asn}", f"bgp router-id {one.router_id}")
    found = lab.comes_to_show({(LEAVES[1], "bgp-wrong-router-id")})
    lab.typed(LEAVES[1], f"router bgp {other.asn}", f"bgp router-id {other.router_id}")
    lab.heals()
    assert (LEAVES[1], "bgp-wrong-router-id") in told(found)
