"""Dead ports of every tier of the demo's frontend step aside: the cable moves, no number does, both ends agree."""

from typing import Any

import pytest

from fabricgen.checks.cabling.cabling import cable_ends, ports_once
from fabricgen.device.interfaces import Ethernet
from fabricgen.plan.cabling import cables
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.names import make_names
from fabricgen.plan.overrides import stuck_ports
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan, make_plan, make_shapes, with_exceptions
from fabricgen.resolve.device import devices
from tests.checks.intents import with_fabric, with_group
from tests.plan_inputs.sites import catalog, demo, demo_plan, planned


def dead(plan: Plan, device: str, *ports: str) -> Plan:
    return with_exceptions(plan, Exceptions(ports={PortKey(device, port): "dead" for port in ports}))


def stuck(plan: Plan) -> list[str]:
    names = make_names(plan.intent, plan.fabrics)
    return [problem.what for problem in stuck_ports(plan.intent, plan.fabrics, names)]


def ends(plan: Plan) -> dict[tuple[str, str], tuple[str, str]]:
    """Both ends of every cable of the frontend, each to the other."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for cable in cables(plan):
        if cable.fabric == "frontend":
            one, other = (cable.near.device, cable.near.port), (cable.far.device, cable.far.port)
            found |= {one: other, other: one}
    return found


def rows(plan: Plan, name: str) -> dict[str, Ethernet]:
    found = next(device for device in devices(plan) if device.name == name)
    return {row.name: row for row in found.interfaces.ethernet}


BORDER = "fe-border-00"

CASES = [
    ("fe-leaf-000", "Ethernet29/1", "Ethernet28/1"),
    ("fe-leaf-000", "Ethernet32/1", "Ethernet28/1"),
    (BORDER, "Ethernet30/1", "Ethernet28/1"),
    ("fe-spine-01", "Ethernet3/1", "Ethernet32/1"),
    (BORDER, "Ethernet1/1", "Ethernet24/1"),
]


@pytest.mark.parametrize(("device", "old", "new"), CASES)
def test_the_cable_of_a_dead_port_moves_to_a_spare(device: str, old: str, new: str) -> None:
    plan = demo_plan()
    changed = dead(plan, device, old)
    assert stuck(changed) == []
    before, after = ends(plan), ends(changed)
    far = before[device, old]
    assert (device, old) not in after
    assert (device, new) not in before
    assert after[device, new] == far
    assert {key: end for key, end in after.items() if (device, new) not in (key, end)} == {
        key: end for key, end in before.items() if (device, old) not in (key, end)
    }
    assert list(ports_once(changed)) == list(cable_ends(changed)) == []
    assert changed.lock == plan.lock


@pytest.mark.parametrize(("device", "old", "new"), CASES)
def test_addresses_go_with_the_cable_and_the_far_end_names_the_spare(device: str, old: str, new: str) -> None:
    plan = demo_plan()
    changed = dead(plan, device, old)
    was, now = rows(plan, device), rows(changed, device)
    assert old not in now
    assert new not in was
    assert now[new]._replace(name=old, profile=was[old].profile) == was[old]
    assert [row for key, row in now.items() if key != new] == [row for key, row in was.items() if key != old]
    far_device, far_port = ends(plan)[device, old]
    if far_port:
        far = rows(changed, far_device)[far_port]
        assert (far.peer, far.peer_port) == (device, new)
        assert new in far.description
        assert rows(plan, far_device)[far_port].ipv4 == far.ipv4


def test_ports_that_have_no_cable_take_no_spare() -> None:
    for device, port in (("fe-spine-00", "Ethernet32/1"), (BORDER, "Ethernet9/1")):
        changed = dead(demo_plan(), device, port)
        assert stuck(changed) == []
        assert ends(changed) == ends(demo_plan())


def test_several_dead_ports_of_a_spine_are_served_in_order() -> None:
    changed = dead(demo_plan(), "fe-spine-00", "Ethernet3/1", "Ethernet1/1", "Ethernet32/1")
    back = dead(demo_plan(), "fe-spine-00", "Ethernet32/1", "Ethernet1/1", "Ethernet3/1")
    before, after = ends(demo_plan()), ends(changed)
    assert after["fe-spine-00", "Ethernet31/1"] == before["fe-spine-00", "Ethernet1/1"]
    assert after["fe-spine-00", "Ethernet30/1"] == before["fe-spine-00", "Ethernet3/1"]
    assert changed.fabrics["frontend"].bindings == back.fabrics["frontend"].bindings


def test_the_backend_leaf_has_none() -> None:
    assert stuck(dead(demo_plan(), "be-leaf-000", "Ethernet33/1")) == [
        "be-leaf-000 has no free 400G port for the cable of Ethernet33/1"
    ]


def grown(slots: int) -> Plan:
    """The demo's frontend planned for more servers, on the lock of today's demo."""
    body: Any = demo().model_dump(mode="json", exclude_unset=True)
    body["servers"]["train"]["planned"] = slots
    intent = demo(servers=body["servers"], fabrics={"frontend": body["fabrics"]["frontend"]})
    return make_plan(intent, catalog(), make_shapes(intent, catalog()), demo_plan().lock, Exceptions())


def test_growth_that_reaches_the_spare_taken_is_told() -> None:
    """Two borders, two storage leaves and 14 pairs of 24 servers take the 32 ports of a spine; 13 pairs leave two."""
    full, nearly = grown(14 * 24), grown(13 * 24)
    ok, told = dead(nearly, "fe-spine-00", "Ethernet3/1"), dead(full, "fe-spine-00", "Ethernet3/1")
    assert stuck(ok) == []
    assert ok.fabrics["frontend"].bindings["fe-spine-00"].down[2].cage == 32
    assert stuck(told) == ["fe-spine-00 has no free 400G port for the cable of Ethernet3/1"]
    for plan in (ok, told):
        assert list(ports_once(plan)) == list(cable_ends(plan)) == []


def with_external(number: int) -> Plan:
    """The demo with externals of another tenant on this port of both borders."""
    body: Any = demo().model_dump(mode="json", exclude_unset=True)["tenants"]
    for at in (0, 1):
        body["serving"]["external"][at] |= {"port": number, "peer": f"other{at}"}
    return planned(demo(tenants=body))


def test_an_external_on_the_spare_taken_is_told() -> None:
    """Of 24 ports, from 0, the last is the spare; an external on it leaves none that is higher."""
    nearly, full = dead(with_external(22), BORDER, "Ethernet1/1"), dead(with_external(23), BORDER, "Ethernet1/1")
    assert stuck(nearly) == []
    assert (BORDER, "Ethernet24/1") in ends(nearly)
    assert stuck(full) == [f"{BORDER} has no free 200G port for the cable of Ethernet1/1"]


def test_a_shared_port_would_be_told() -> None:
    """A binding as no rule makes it: a port behind two logical ones, and a cage in two modes."""
    changed = dead(demo_plan(), "fe-spine-00", "Ethernet3/1")
    fabric = changed.fabrics["frontend"]
    bound = fabric.bindings["fe-spine-00"]
    twice = bound._replace(down=(bound.down[1], *bound.down[1:]))
    half = bound._replace(down=(bound.down[0]._replace(part=1, parts=2, cage=2), *bound.down[1:]))
    for wrong in (twice, half):
        made = with_fabric(changed, "frontend", bindings={"fe-spine-00": wrong})
        assert {problem.code for problem in ports_once(made)} == {"port-twice"}


def test_a_cage_taken_in_halves_is_no_spare_as_a_whole() -> None:
    """A chassis whose only spare cage is offered in two ways: the server port comes first, the uplink is stuck."""
    fabric = demo_plan().fabrics["frontend"]
    group = fabric.shape.groups[0]
    whole = next(port for port in group.leaf.spare if port.cage == 28)
    halves = (whole._replace(parts=2, lanes=4, speed_gbps=200), whole._replace(part=1, parts=2, lane=5, lanes=4))
    made = with_group(demo_plan(), "frontend", leaf=group.leaf._replace(spare=(*halves, whole)))
    names = make_names(made.intent, made.fabrics).devices
    device = next(name for name, switch in names.items() if switch.place[1:3] == (Tier.LEAF, group.name))
    assert stuck(dead(made, device, "Ethernet29/1")) == []
    changed = dead(made, device, "Ethernet1/1", "Ethernet29/1")
    assert changed.fabrics["frontend"].bindings[device].down[0] == halves[0]
    assert stuck(changed) == [f"{device} has no free 400G port for the cable of Ethernet29/1"]
