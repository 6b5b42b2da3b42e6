"""Every server that comes with the project has a leaf that comes with it, and a cable between the two."""

import pytest

from fabricgen.errors import FabricError
from fabricgen.plan.cabling import cables, unsupported_media
from fabricgen.plan.links import SERVER_LEAF
from fabricgen.plan.plan import Plan
from fabricgen.topologies.leaf_spine import server_ports
from fabricgen.topologies.request import make_request
from tests.plan_inputs.sites import catalog, demo, planned

CATALOG = catalog()
FRONTENDS = [(server, group) for server in sorted(CATALOG.servers) for group in sorted(CATALOG.servers[server].nics)
             if group != "compute"]  # fmt: skip


def joined(server: str, group: str, leaf: str) -> Plan:
    """The demo's frontend with one server group on this leaf."""
    body = demo().model_dump(mode="json", exclude_unset=True)
    frontend = body["fabrics"]["frontend"] | {"connects": {"train": group}}
    frontend["leaf"] = {"model": leaf, "os": "eos-4.34"}
    servers = {"train": {"model": server, "slots": "0-3", "planned": 8}}
    return planned(demo(servers=servers, fabrics={"frontend": frontend}, tenants={}))


def fits(server: str, group: str, leaf: str) -> bool:
    try:
        made = joined(server, group, leaf)
    except FabricError:
        return False
    return not list(unsupported_media(made))


@pytest.mark.parametrize(("server", "group"), FRONTENDS)
def test_a_bundled_server_joins_a_bundled_leaf(server: str, group: str) -> None:
    assert any(fits(server, group, leaf) for leaf in sorted(CATALOG.switches))


def test_four_lanes_of_25g_take_a_whole_cage() -> None:
    """Half of a 200G cage has two lanes of 50G. 24 cages of 100G need 800G upwards at 3:1: two uplinks."""
    made = joined("cpu-2x100", "frontend", "arista-7050cx4-24d8")
    (group,) = made.fabrics["frontend"].shape.groups
    assert {(port.parts, port.speed_gbps, port.lanes) for port in group.leaf.down} == {(1, 100, 4)}
    assert (len(group.leaf.down), len(group.leaf.up)) == (24, 2)
    found = {(cable.medium, cable.near.module) for cable in cables(made) if cable.kind == SERVER_LEAF}
    assert found == {("dac", "dac-qsfp28-100g")}


def test_the_demo_keeps_its_ports() -> None:
    for group in planned(demo()).fabrics["frontend"].shape.groups:
        assert {(port.parts, port.speed_gbps) for port in group.leaf.down} == {(1, 200)}
        assert [port.cage for port in group.leaf.down] == list(range(1, 25))
        assert [port.cage for port in group.leaf.up] == [29, 30, 31, 32]


def test_lanes_of_another_speed_are_split() -> None:
    """No mode of a 400G cage has lanes of 25G: 100G comes of the split one, as before."""
    intent = demo()
    fabric = intent.fabrics["frontend"]
    model = fabric.leaf.model_copy(update={"model": "arista-7060dx5-32"})
    request = make_request("frontend", fabric.model_copy(update={"leaf": model}), intent.servers, CATALOG)
    nics = {"cpu": CATALOG.servers["cpu-2x100"].nics["frontend"]}
    ports = server_ports(request._replace(nics=nics), "cpu")
    assert {(port.parts, port.lanes) for port in ports} == {(4, 2)}


def test_cages_that_a_mode_keeps_empty_are_no_spares() -> None:
    """8 x 100G takes every second cage of a 7060X6: the cages between are no ports of 800G either."""
    body = demo().model_dump(mode="json", exclude_unset=True)["fabrics"]["frontend"]
    body |= {"connects": {"train": "frontend"}, "topology": {"design": "leaf-spine", "oversubscription": "1:1"}}
    body |= {role: {"model": "arista-7060x6-64pe", "os": "eos-4.34"} for role in ("leaf", "spine")}
    made = planned(demo(servers={"train": {"model": "cpu-2x100", "slots": "0-3"}}, fabrics={"frontend": body},
                        tenants={}))  # fmt: skip
    leaf = made.fabrics["frontend"].shape.groups[0].leaf
    split = {port.cage for port in (*leaf.down, *leaf.spare) if port.parts == 8}
    assert split
    assert not {cage + 1 for cage in split} & {port.cage for port in leaf.spare if port.parts == 1}
