"""A frontend in a second kernel, with VRF devices and a VLAN-aware bridge made by ifupdown2 from the rendered files.

What may reach what is read from the intent's tenants alone. TTLs tell bridged from routed: a leaf that routes takes
one, so symmetric routing through an L3 VNI takes two of 64.
"""

import json
import sys
from collections.abc import Mapping
from functools import cache
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.judges import frr, interfaces
from tests.uml import tenants_guest, uml

WHY = frr.available() or interfaces.available()
pytestmark = [
    pytest.mark.skipif(WHY is not None, reason=str(WHY)),
    pytest.mark.usefixtures("second_kernel"),
    pytest.mark.long,
]

SITE = Path(__file__).parents[2] / "inventories/frr/intent.yaml"
SUBSET = "units=1,leaves=4,spines=2,links=1,servers=4,borders=0"
# Of each tenant one server behind each leaf of its pair: odd ones use their second port.
SERVERS = ("store-000", "store-001", "train-000", "train-001", "train-004", "train-005")
BRIDGED, ROUTED_HERE, ROUTED = 64, 63, 62
Seen = Mapping[str, Any]


@cache
def _intent() -> dict[str, Any]:
    """The FRR site without its backend, whose switches would only take time here.

    And without limits of MAC addresses: this kernel is built without CONFIG_NF_TABLES_NETDEV, which they need.
    """
    intent: dict[str, Any] = yaml.safe_load(SITE.read_text())
    del intent["fabrics"]["backend"]
    intent["fabrics"]["frontend"].setdefault("server_ports", {})["mac_limit"] = "none"
    return intent


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """One lab, whole, then broken in two ways."""
    folder = tmp_path_factory.mktemp("tenants")
    (folder / "intent.yaml").write_text(yaml.safe_dump(_intent(), sort_keys=False))
    command = [sys.executable, "-m", tenants_guest.__name__, str(folder), SUBSET, *SERVERS]
    done = uml.run(command, folder)
    assert done.status == 0, done.told()
    found: Seen = json.loads((folder / "seen.json").read_text())
    print(f"seconds: {found['up']['seconds']}")  # noqa: T201 (pytest -s)
    return found


def _owner(address: str) -> tuple[str, str]:
    """Tenant and subnet of an address, as the intent has them."""
    for name, tenant in _intent()["tenants"].items():
        for network in tenant["networks"].values():
            for subnet in network["subnets"]:
                if ip_address(address) in ip_network(subnet):
                    return name, subnet
    raise AssertionError(f"{address} is of no tenant")


def _wanted(own: str, far: str) -> int:
    """TTL that an answer must have; 0 where none may come. All pairs are behind different leaves, or may not talk."""
    (tenant, subnet), (other, far_subnet) = _owner(own), _owner(far)
    tenants = _intent()["tenants"]
    imports = {name: (name, *row.get("imports", ())) for name, row in tenants.items()}
    if other not in imports[tenant] and tenant not in imports[other]:
        return 0
    return BRIDGED if subnet == far_subnet else ROUTED


def test_the_lab_stands(seen: Seen) -> None:
    assert seen["up"]["complaints"] == {}
    assert seen["up"]["short"] == {}
    assert [row["name"] for row in seen["status"] if not row["fine"]] == []
    assert len(seen["status"]) == 6


def test_every_server_reaches_what_its_tenant_may_and_nothing_else(seen: Seen) -> None:
    """Both families: within a VLAN, between VLANs of a tenant, what is imported, and nothing of strangers."""
    wanted = {own: {far: _wanted(own, far) for far in answers} for own, answers in seen["pings"].items()}
    assert seen["pings"] == wanted
    kinds = {(_owner(own)[0], _owner(far)[0], ttl) for own, answers in wanted.items() for far, ttl in answers.items()}
    assert {
        ("storage", "storage", BRIDGED),
        ("research", "research", BRIDGED),
        ("serving", "serving", BRIDGED),
        ("serving", "serving", ROUTED),
        ("research", "storage", ROUTED),
        ("storage", "serving", ROUTED),
        ("research", "serving", 0),
        ("serving", "research", 0),
    } <= kinds


def test_the_largest_packet_passes_the_tunnel(seen: Seen) -> None:
    assert seen["largest"] > 0


def test_draining_a_spine_loses_no_routed_packet(seen: Seen) -> None:
    """Through L3 VNIs: the overlay stays as it is, so no leaf takes another leaf's router MAC away.

    A fast host is done in five seconds, with 850 packets. With the overlay drained too, 108 of 369 were lost.
    """
    sent, answered = seen["drained"]
    assert sent > 369
    assert answered == sent


def test_the_loss_of_one_overlay_session_leaves_routed_traffic(seen: Seen) -> None:
    """Whichever spine is lost, and when it is back: FRR 8.4.4 took router MACs away (FRRouting issue 12391)."""
    assert len(seen["without"]) == 2
    for rounds in seen["without"].values():
        for answers in rounds:
            wanted = {own: {far: _wanted(own, far) for far in row} for own, row in answers.items()}
            assert ROUTED in {ttl for row in wanted.values() for ttl in row.values()}
            assert answers == wanted


def test_a_server_reaches_no_address_of_its_leaf_in_another_vrf(seen: Seen) -> None:
    """Neither the underlay nor the management address; each attempt is answered once its ports are in no VRF.

    The filter of the leaf is not in this kernel, which has no tables of nft: tests/lab/test_filter_live.py.
    """
    planned, without_vrfs = seen["attempts"]
    assert len(planned) == 12
    assert [name for name, found in planned.items() if found] == []
    assert [name for name, found in without_vrfs.items() if not found] == []


def test_the_kernel_has_what_the_files_say(seen: Seen) -> None:
    """Nothing that ifupdown2 reads back differs, also after FRR has been at work."""
    assert [row["faults"] for row in seen["switches"].values()] == [[], []]  # a leaf of each pair


def test_a_switch_follows_its_own_file(seen: Seen) -> None:
    """`ifreload -a` in it, as on a box; all that is seen afterwards is seen of the file that is put back."""
    assert "alias moved-0" in seen["reload"]["alias moved-"]
    assert "alias store-0" in seen["reload"]["alias store-"]


def test_tenants_are_vrf_devices_on_one_vlan_aware_bridge(seen: Seen) -> None:
    tenants = set(_intent()["tenants"])
    for row in seen["switches"].values():
        assert tenants <= set(row["vrfs"])
        (bridge,) = row["bridges"]
        assert bridge["linkinfo"]["info_data"]["vlan_filtering"] == 1
        l3 = {vni["tenantVrf"] for vni in row["vnis"].values() if vni["type"] == "L3"}
        assert l3 == tenants


def test_no_port_shares_a_vlan_that_it_was_not_given(seen: Seen) -> None:
    """Tagged ports have no untagged VLAN 1 in common, and access ports only their own."""
    networks = {name: tenant["networks"] for name, tenant in _intent()["tenants"].items()}
    allowed = [{network["vlan"] for network in found.values()} for found in networks.values()]
    for row in seen["switches"].values():
        for port in row["vlans"]:
            if port["ifname"].startswith("swp"):
                assert {vlan["vlan"] for vlan in port["vlans"]} in allowed, port


def test_a_leak_would_have_been_seen(seen: Seen) -> None:
    """The leaf of both servers was given routes between the tenants by hand, in one family."""
    leaked = seen["leaked"]
    passed = {(_owner(own)[0], _owner(far)[0], ttl) for own, row in leaked.items() for far, ttl in row.items() if ttl}
    assert passed == {("research", "serving", ROUTED_HERE), ("serving", "research", ROUTED_HERE)}


def test_without_its_l3_vnis_a_leaf_only_bridges(seen: Seen) -> None:
    """Those of the first storage server's leaf were cut: routed traffic to it ends, bridged and the rest stays."""
    first = next(own for own in seen["pings"] if _owner(own)[0] == "storage")
    for own, row in seen["cut"].items():
        for far, ttl in row.items():
            is_cut = _is_beside(first, own, far) and _wanted(own, far) == ROUTED
            assert ttl == (0 if is_cut else _wanted(own, far)), (own, far)


def _is_beside(first: str, own: str, far: str) -> bool:
    """Whether one of two addresses is the first storage server's, of either family: the last octet tells."""
    last = ip_address(first).packed[-1]
    return any(_owner(end)[0] == "storage" and ip_address(end).packed[-1] == last for end in (own, far))


def test_nothing_is_left_after_down(seen: Seen) -> None:
    assert seen["left"] == []
