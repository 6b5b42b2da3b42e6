"""A storage fabric on a server: ports of its own name, RoCE settings as planned, and no part of the GPUs' library."""

from copy import deepcopy
from typing import Any

from fabricgen.hosts.model import Host
from tests.hosts.making import demo, hosts, planned


def _site() -> dict[str, Any]:
    """A backend, and a storage fabric of two ports of 200G for each server."""
    site = demo()
    site["servers"] = {
        "train": {"model": "hgx-h200", "slots": "0-3"},
        "store": {"model": "storage-2x200", "slots": "0-3"},
    }
    del site["tenants"]
    fabrics = site["fabrics"]
    fabrics["storage"] = {
        **deepcopy(fabrics["backend"]),
        "kind": "storage",
        "prefix": "st",
        "connects": {"train": "frontend", "store": "data"},
        "topology": {"design": "tor", "oversubscription": "2:1"},
        "leaf": {"model": "arista-7060dx5-64s", "os": "eos-4.34"},
        "spine": {"model": "arista-7060dx5-64s", "os": "eos-4.34"},
        "addressing": {"ipv4": "10.128.0.0/12", "ipv6": "fd5e:8c1f:2a00:1000::/52"},
        "asns": "4202000000-4202999999",
    }
    fabrics["backend"] |= {"connects": {"train": "compute"}, "topology": {"design": "rail-optimized"}}
    del fabrics["frontend"]
    return site


def _hosts() -> dict[str, Host]:
    return hosts(planned(_site()))


def test_ports_are_called_after_the_fabric() -> None:
    made = _hosts()
    assert [nic.name for nic in made["train-000"].nics] == [f"rail{number}" for number in range(8)] + [
        "storage0",
        "storage1",
    ]
    assert [nic.name for nic in made["store-000"].nics] == ["storage0", "storage1"]


def test_the_library_of_the_gpus_knows_the_backend_alone() -> None:
    made = _hosts()
    assert made["store-000"].library == ()
    names = {variable.name: variable.value for variable in made["train-000"].library}
    assert "storage" not in names["NCCL_IB_HCA"]
    assert "NCCL_IB_GID_INDEX" in names


def test_settings_of_the_lossless_class_are_on_both() -> None:
    made = _hosts()
    assert {row.fabric for row in made["train-000"].settings} == {"backend", "storage"}
    assert {row.fabric for row in made["store-000"].settings} == {"storage"}


def test_routes_of_each_lead_to_its_own_prefix() -> None:
    nics = {nic.name: nic for nic in _hosts()["train-000"].nics}
    assert {nics["rail0"].prefix, nics["rail7"].prefix} == {"10.64.0.0/12"}
    assert {nics["storage0"].prefix, nics["storage1"].prefix} == {"10.128.0.0/12"}
    tables = [nic.table for nic in nics.values()]
    assert len(set(tables)) == len(tables)


def test_each_port_of_a_server_ends_on_a_leaf_of_its_own() -> None:
    site = _site()
    site["fabrics"]["storage"]["topology"]["design"] = "rail-optimized"
    made = hosts(planned(site))
    leaves = {name: [nic.switch for nic in host.nics if nic.fabric == "storage"] for name, host in made.items()}
    assert {tuple(switches) for name, switches in leaves.items() if name.startswith("store")} == {
        ("st-leaf-000", "st-leaf-001")
    }
    assert {tuple(switches) for name, switches in leaves.items() if name.startswith("train")} == {
        ("st-leaf-002", "st-leaf-003")
    }
    assert [nic.name for nic in made["store-000"].nics] == ["storage0", "storage1"]
