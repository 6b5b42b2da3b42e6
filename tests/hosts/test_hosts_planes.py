"""Routes of servers whose fabric has planes that share no switch: a NIC of the plane leads to each address of it."""

from ipaddress import ip_interface, ip_network
from typing import Any, Literal

import pytest

from fabricgen.export.hosts import HostWriter
from fabricgen.hosts.model import Host, Nic
from fabricgen.lab.interfaces.hosts import lines
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.plan.fabric import place_of
from fabricgen.plan.plan import Plan
from tests.hosts.making import Json, backend, hosts, planned

STORAGE = {"design": "rail-optimized", "rails_per_plane": 1, "servers_per_unit": 4}


def _site(topology: Json, family: str, *, kind: str, model: str) -> Plan:
    site = backend(model)
    fabric = site["fabrics"]["backend"]
    fabric["topology"] = topology
    fabric["addressing"] |= {"links": [family], "hosts": family}
    site["servers"]["train"] |= {"slots": "0-5", "planned": 10}
    if topology == {"design": "rail-only"}:
        del fabric["spine"]
    if kind == "storage":
        site["servers"] = {
            "train": {"model": model, "slots": "0-5"},
            "store": {"model": "storage-2x200", "slots": "0-3", "planned": 40},
        }
        fabric |= {"kind": "storage", "connects": {"train": "storage", "store": "data"}}
    return planned(site)


def _island(plan: Plan, nic: Nic, topology: Json) -> object:
    """What joins NICs: the leaf where there is no spine, else the plane."""
    place = place_of(plan.fabrics["backend"], nic.switch)
    assert place is not None
    return nic.switch if topology == {"design": "rail-only"} else place.plane


@pytest.mark.parametrize("family", ["ipv4", "ipv6"])
@pytest.mark.parametrize(
    ("topology", "kind", "model"),
    [
        ({"design": "rail-optimized", "planes": 2, "servers_per_unit": 3}, "backend", "dgx-b300"),
        ({"design": "rail-optimized", "rails_per_plane": 2, "servers_per_unit": 3}, "backend", "dgx-h200"),
        ({"design": "rail-optimized", "rails_per_plane": 4, "planes": 2}, "backend", "dgx-b300"),
        ({"design": "rail-only"}, "backend", "dgx-h200"),
        (STORAGE, "storage", "dgx-h100"),
    ],
)
def test_main_table_leads_to_each_address_by_a_nic_that_reaches_it(
    topology: Json, kind: str, model: str, family: str
) -> None:
    """Longest prefix, then least metric, as Linux chooses (ip-route(8)): the NIC and the address share a plane."""
    plan = _site(topology, family, kind=kind, model=model)
    made = hosts(plan)
    everyone = [nic for host in made.values() for nic in host.nics]
    for host in (next(iter(made.values())), list(made.values())[-1]):
        reached = {nic: tuple(map(ip_network, nic.reached)) for nic in host.nics}
        assert all(ip_network(nic.prefix) not in networks for nic, networks in reached.items())
        for far in everyone:
            address = ip_interface(far.address).ip
            ways = [nic for nic, networks in reached.items() if any(address in network for network in networks)]
            assert ways, (host.name, far.address)
            assert {_island(plan, nic, topology) for nic in ways} == {_island(plan, far, topology)}


def test_a_plane_of_reserved_units_keeps_its_prefixes() -> None:
    """Growth into what is planned changes no server that runs."""
    topology = {"design": "rail-optimized", "rails_per_plane": 2, "servers_per_unit": 3}
    few = hosts(_site(topology, "ipv4", kind="backend", model="dgx-h200"), "train[0]")["train-000"]
    site = backend("dgx-h200")
    site["servers"]["train"] |= {"slots": "0-9", "planned": 10}
    site["fabrics"]["backend"]["topology"] = topology
    more = hosts(planned(site), "train[0]")["train-000"]

    assert [nic.reached for nic in few.nics] == [nic.reached for nic in more.nics]


def test_one_plane_has_the_fabrics_prefix() -> None:
    for nic in hosts(planned(backend()), "train[0]")["train-000"].nics:
        assert nic.reached == (nic.prefix,)


def test_files_have_the_routes_of_the_plane_beside_the_table_by_source() -> None:
    plan = _site(STORAGE, "ipv4", kind="storage", model="dgx-h100")
    (host,) = hosts(plan, "train[0]").values()
    first, other = host.nics
    assert not set(first.reached) & set(other.reached)
    (netplan,) = (text for name, text in _files(host, "netplan").items() if name.endswith("60-fabricgen.yaml"))
    networkd = _files(host, "networkd")
    for nic in host.nics:
        unit = next(text for name, text in networkd.items() if name.endswith(f"-{nic.name}.network"))
        assert f'{{to: "{nic.prefix}", via: "{nic.gateway}", table: {nic.table}}}' in netplan
        assert f"Destination={nic.prefix}\nGateway={nic.gateway}\nTable={nic.table}" in unit
        for prefix in nic.reached:
            assert f'{{to: "{prefix}", via: "{nic.gateway}", metric: ' in netplan
            assert f"Destination={prefix}\nGateway={nic.gateway}\nMetric=" in unit
        assert f'{{to: "{nic.prefix}", via: "{nic.gateway}", metric: ' not in netplan
        assert f"Destination={nic.prefix}\nGateway={nic.gateway}\nMetric=" not in unit


def _files(host: Host, form: Literal["netplan", "networkd"]) -> dict[str, Any]:
    return dict(HostWriter(form).files([host]))


def test_servers_of_a_lab_have_the_same_routes() -> None:
    plan = _site(STORAGE, "ipv4", kind="storage", model="dgx-h100")
    lab = make_lab(plan, parse_subset("leaves=4,spines=1,links=1,servers=2"))
    made = hosts(plan)
    for server in lab.servers:
        main = {line.split()[2] for line in lines(plan, server) if line.startswith("route add") and "table" not in line}
        assert main == {prefix for nic in made[server.name].nics for prefix in nic.reached}
