"""Addresses of servers: the other end of a routed port, or the next free one of a tenant's network."""

from ipaddress import IPv4Network, IPv6Network, ip_address, ip_interface, ip_network
from pathlib import Path

import pytest

from fabricgen.intent.scalars import Span
from fabricgen.lab.interfaces.hosts import lines, rules6
from fabricgen.lab.model.lab import LabNic, LabServer
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.servers import host_address, interface_name, tenant_position
from fabricgen.lab.model.subset import Subset
from fabricgen.plan.exceptions import SlotKey
from tests.lab.sites import DEMO, SMALL, plan


def _servers(path: Path) -> dict[str, LabServer]:
    return {server.name: server for server in make_lab(plan(path), Subset()).servers}


def _nic(server: LabServer, label: str) -> LabNic:
    return next(nic for nic in server.nics if nic.label == label)


def test_the_first_address_is_behind_the_gateway_s() -> None:
    assert host_address(IPv4Network("172.17.0.0/20"), 0, ()) == "172.17.0.2/20"
    assert host_address(IPv6Network("fd00::/64"), 0, ()) == "fd00::2/64"


def test_addresses_of_relays_servers_are_never_given() -> None:
    subnet, relays = IPv4Network("172.17.0.0/20"), ("172.17.0.10", "172.17.0.2", "172.17.0.2", "10.0.0.3", "fd00::4")
    found = [host_address(subnet, position, relays) for position in range(9)]
    assert found[0] == "172.17.0.3/20"
    assert found[6:] == ["172.17.0.9/20", "172.17.0.11/20", "172.17.0.12/20"]
    assert host_address(IPv6Network("fd00::/64"), 2, relays) == "fd00::5/64"


def test_a_full_subnet_gives_none() -> None:
    subnet = IPv4Network("192.0.2.0/29")
    assert [host_address(subnet, at, ()) for at in range(4, 7)] == ["192.0.2.6/29", "", ""]
    assert host_address(IPv6Network("fd00::/126"), 1, ()) == "fd00::3/126"
    assert host_address(IPv6Network("fd00::/126"), 2, ()) == ""


def test_positions_run_through_all_groups_of_a_tenant() -> None:
    tenants = {tenant.name: tenant for tenant in plan(DEMO).tenants["frontend"]}
    assert tenant_position(tenants["serving"], SlotKey("train", 18)) == 2
    store, train = (Span(0, 7),), (Span(4, 5), Span(16, 31))
    both = tenants["serving"]._replace(servers={"train": train, "store": store})
    assert tenant_position(both, SlotKey("train", 18)) == 8 + 2 + 2
    with pytest.raises(LookupError):
        tenant_position(tenants["serving"], SlotKey("train", 15))


@pytest.mark.parametrize("path", [DEMO, SMALL])
def test_no_address_is_given_twice_or_is_a_gateway(path: Path) -> None:
    nics = [nic for server in _servers(path).values() for nic in server.nics]
    given = [ip_interface(text).ip for nic in nics for text in (nic.ipv4, nic.ipv6) if text]
    taken = {ip_address(text) for nic in nics for text in (nic.gateway4, nic.gateway6) if text}
    taken |= {ip_address(relay) for t in plan(path).tenants["frontend"] for n in t.networks for relay in n.relays}
    assert len(given) == len(set(given))
    assert not taken & set(given)
    for nic in nics:
        for own, gateway in ((nic.ipv4, nic.gateway4), (nic.ipv6, nic.gateway6)):
            assert not own or ip_address(gateway) in ip_network(own, strict=False)


def test_a_routed_nic_has_the_odd_end_of_its_leaf_s_port() -> None:
    nic = _nic(_servers(DEMO)["train-000"], "OSFP4P2")
    assert (nic.ipv4, nic.gateway4, nic.vlan_id) == ("10.64.0.1/31", "10.64.0.0", 0)


def test_one_port_of_a_pair_is_used_by_the_slot_s_number() -> None:
    servers = _servers(SMALL)
    for name, used, idle in (("store-000", "port 0", "port 1"), ("store-001", "port 1", "port 0")):
        assert _nic(servers[name], used).ipv4
        assert not _nic(servers[name], idle).ipv4
    assert _nic(servers["store-001"], "port 1").switch == "fe-leaf-001"


def test_a_tenant_with_several_networks_has_one_interface_a_vlan() -> None:
    server = _servers(SMALL)["train-004"]
    tagged = [nic for nic in server.nics if nic.parent and nic.ipv4]
    assert [(nic.name, nic.parent, nic.vlan_id, nic.ipv4) for nic in tagged] == [
        ("vlan120", "Slot1-port-2", 120, "172.19.0.2/20"),
        ("vlan121", "Slot1-port-2", 121, "172.19.16.2/20"),
    ]


def test_interface_names_fit_linux() -> None:
    taken: set[str] = set()
    labels = ("Slot1 port 2", "Slot1 port 2", "lo", "a/b", "…", "SuperNIC number 10", "SuperNIC number 11")
    found = [interface_name(label, taken) for label in labels]
    assert found == ["Slot1-port-2", "Slot1-port-2-1", "lo-1", "a-b", "nic", "SuperNIC-number", "SuperNIC-numb-1"]


def test_each_nic_answers_from_its_own_table() -> None:
    lab = make_lab(plan(SMALL), Subset())
    server = next(server for server in lab.servers if server.name == "train-000")
    found = list(lines(lab.plan, server))
    assert "route add 10.64.0.0/16 via 10.64.0.64 dev OSFP3P2 table 101" in found
    assert "rule add from 10.64.0.65 lookup 101" in found
    assert "route add 172.18.0.0/20 dev Slot1-port-2 table 108" in found, "its own subnet is reached without a gateway"
    assert "route add fd5e:8c1f:2a00:2110::/64 dev Slot1-port-2 table 108" in found
    assert [line for line in found if line.startswith("route add default") and "table" not in line] == [
        "route add default via 172.18.0.1 dev Slot1-port-2",
        "route add default via fd5e:8c1f:2a00:2110::1 dev Slot1-port-2",
    ]
    assert [line for line in found if line.startswith("route add 10.64.0.0/16") and "table" not in line] == [
        "route add 10.64.0.0/16 via 10.64.0.0 dev OSFP4P2"
    ]
    assert list(rules6(server)) == ["rule add from fd5e:8c1f:2a00:2110::2 lookup 108"]
