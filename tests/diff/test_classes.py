"""Switches that change alike are one class, and a class says only what all of its switches share."""

from collections.abc import Mapping

from fabricgen.base.text import natural
from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.diff.classes import in_order, make_class, priced, unspelled
from fabricgen.diff.groups import ChangedSwitch, Groups
from fabricgen.diff.model import Blast, MeaningClass
from fabricgen.platforms.base.cost import Cost, Risk

NOBODY = Blast(gpus=0, gpus_all=0, rails=(), tenants=(), bisection={})
COSTS = {
    "bgp.neighbor": Cost("bgp.neighbor", Risk.HITLESS, None, Risk.SESSION_RESET, "RFC 4271, 6.7"),
    "interface.mtu": Cost("interface.mtu", Risk.TRAFFIC_LOSS, Risk.TRAFFIC_LOSS, Risk.TRAFFIC_LOSS, "manual", "seen"),
    "bgp.asn": Cost("bgp.asn", Risk.RELOAD, Risk.SESSION_RESET, Risk.RELOAD, "", "nobody saw it", Risk.HITLESS),
    "bgp.vrf.neighbor.maximum-routes": Cost(
        "bgp.vrf.neighbor.maximum-routes",
        Risk.SESSION_RESET,
        Risk.SESSION_RESET,
        Risk.SESSION_RESET,
        "manual",
        raised=Risk.HITLESS,
    ),
    "evpn.gateway.mtu": Cost("evpn.gateway.mtu", Risk.HITLESS, Risk.HITLESS, Risk.HITLESS, "manual"),
}


def switch(
    name: str, *facts: DeviceChange, role: str = "leaf", fabric: str = "backend", system: str = "eos"
) -> ChangedSwitch:
    return ChangedSwitch(name, fabric, role, system, None, None, facts)


def classes(*switches: ChangedSwitch, costs: Mapping[str, Cost] = COSTS) -> tuple[MeaningClass, ...]:
    return in_order(make_class(group, costs, NOBODY) for group in Groups(switches))


def risks(found: MeaningClass) -> dict[str, tuple[Risk, ...]]:
    return {device: tuple(risk for _, risk in priced(found, device)) for device in found.devices}


def neighbor(address: str, peer: str = "be-spine-17", change: ChangeOp = ChangeOp.ADDED) -> DeviceChange:
    return DeviceChange("bgp.neighbor", change, address, "", "AS 65000", f"Ethernet{address[-1]}/1", peer)


def mtu(port: str, before: str, after: str) -> DeviceChange:
    return DeviceChange("interface.mtu", ChangeOp.CHANGED, port, before, after, port, "server")


def test_leaves_that_gain_neighbors_of_their_own_are_one_class() -> None:
    leaves = [switch(f"be-leaf-{n:03}", neighbor(f"10.0.{n}.1"), neighbor(f"fd00::{n}:1")) for n in range(128)]
    (found,) = classes(*leaves)
    assert len(found.devices) == 128
    (line,) = found.lines
    assert (line.kind, line.change, line.each, line.peers) == ("bgp.neighbor", ChangeOp.ADDED, 2, ("be-spine-17",))
    assert line.subjects == ()
    assert (line.before, line.after) == ("", "AS 65000")
    assert found.device_changes["be-leaf-005"] == leaves[5].changes


def test_own_values_are_told_only_where_all_switches_have_the_same() -> None:
    other = neighbor("10.0.1.1")._replace(after="AS 65001")
    (found,) = classes(switch("a-1", neighbor("10.0.0.1")), switch("a-2", other))
    assert (found.lines[0].before, found.lines[0].after) == ("", "")


def test_peers_are_told_only_where_all_switches_have_the_same() -> None:
    (found,) = classes(
        switch("a-1", neighbor("10.0.0.1"), neighbor("10.0.0.3", "be-spine-18")),
        switch("a-2", neighbor("10.0.1.1"), neighbor("10.0.1.3", "be-spine-19")),
    )
    assert found.lines[0].peers == ()


def test_another_number_of_facts_is_another_class() -> None:
    one, two = switch("a-1", neighbor("10.0.0.1")), switch("a-2", neighbor("10.0.1.1"), neighbor("10.0.1.3"))
    assert [found.devices for found in classes(one, two)] == [("a-1",), ("a-2",)]


def test_another_value_of_a_setting_is_another_class() -> None:
    found = classes(
        switch("a-1", mtu("Ethernet1/1", "9214", "9000")),
        switch("a-2", mtu("Ethernet1/1", "9214", "1500")),
        switch("a-3", mtu("Ethernet2/1", "9214", "9000")),
    )
    assert [one.devices for one in found] == [("a-1", "a-3"), ("a-2",)]
    line = found[0].lines[0]
    assert (line.before, line.after, line.subjects) == ("9214", "9000", ())


def test_a_setting_of_another_vlan_is_another_class() -> None:
    gateway = [
        DeviceChange("evpn.gateway.mtu", ChangeOp.CHANGED, vlan, "9164", "1450", vrf="red") for vlan in ("110", "120")
    ]
    found = classes(switch("a-1", gateway[0]), switch("a-2", gateway[1]), switch("a-3", gateway[0]))
    assert [(one.devices, one.lines[0].subjects) for one in found] == [(("a-1", "a-3"), ("110",)), (("a-2",), ("120",))]


def test_values_of_one_switch_make_a_line_each() -> None:
    (found,) = classes(switch("a-1", mtu("p1", "9214", "9000"), mtu("p2", "9214", "9000"), mtu("p3", "9214", "1500")))
    assert [(line.each, line.after) for line in found.lines] == [(1, "1500"), (2, "9000")]


def test_fabric_role_and_system_tell_classes_apart() -> None:
    fact = neighbor("10.0.0.1")
    found = classes(
        switch("a-1", fact), switch("a-2", fact, role="spine"), switch("a-3", fact, fabric="front"),
        switch("a-4", fact, system="frr"), switch("a-5", fact),
    )  # fmt: skip
    assert [one.devices for one in found] == [("a-1", "a-5"), ("a-2",), ("a-3",), ("a-4",)]


def test_new_switches_are_one_class_each_role() -> None:
    new = [
        switch(name, DeviceChange("device", ChangeOp.ADDED, name, "", name), role=role)
        for name, role in (("l-1", "leaf"), ("l-2", "leaf"), ("s-1", "spine"))
    ]
    found = classes(*new, costs={"device": Cost("device", Risk.HITLESS, None, Risk.RELOAD, "x")})
    assert [(one.devices, one.risk) for one in found] == [(("l-1", "l-2"), Risk.HITLESS), (("s-1",), Risk.HITLESS)]


def test_a_class_costs_as_much_as_its_worst_line() -> None:
    (found,) = classes(switch("a-1", neighbor("10.0.0.1"), mtu("Ethernet1/1", "9214", "9000")))
    assert found.risk is Risk.TRAFFIC_LOSS
    assert [(line.kind, line.risk, line.source) for line in found.lines] == [
        ("interface.mtu", Risk.TRAFFIC_LOSS, "manual; unsure: seen"),
        ("bgp.neighbor", Risk.HITLESS, "RFC 4271, 6.7"),
    ]


def test_what_no_table_knows_is_unknown() -> None:
    (found,) = classes(switch("a-1", DeviceChange("qos.ecn", ChangeOp.CHANGED, "", "1", "2")))
    assert found.risk is Risk.UNKNOWN
    assert "no source" in found.lines[0].source


def test_what_the_table_says_can_not_be_is_unknown() -> None:
    (found,) = classes(switch("a-1", neighbor("10.0.0.1", change=ChangeOp.CHANGED)))
    assert found.risk is Risk.UNKNOWN


def test_the_worst_class_comes_first_then_the_larger_one_then_names() -> None:
    gone = neighbor("10.0.0.1", change=ChangeOp.REMOVED)
    two = (neighbor("10.0.0.1"), neighbor("10.0.0.3"))
    found = classes(
        switch("a-1000", neighbor("10.0.0.1")), switch("a-999", *two), switch("b-1", neighbor("1.1"), role="spine"),
        switch("b-2", neighbor("1.1"), role="spine"), switch("z-1", gone),
    )  # fmt: skip
    assert [one.devices for one in found] == [("z-1",), ("b-1", "b-2"), ("a-999",), ("a-1000",)]


def test_names_sort_by_their_numbers() -> None:
    assert sorted(["be-leaf-1000", "be-leaf-999", "be-leaf"], key=natural) == ["be-leaf", "be-leaf-999", "be-leaf-1000"]
    (found,) = classes(switch("be-leaf-1000", neighbor("1.1")), switch("be-leaf-999", neighbor("1.1")))
    assert found.devices == ("be-leaf-999", "be-leaf-1000")


def limit(before: str, after: str) -> DeviceChange:
    return DeviceChange("bgp.vrf.neighbor.maximum-routes", ChangeOp.CHANGED, "10.0.0.1", before, after, vrf="red")


def test_a_number_that_grows_costs_what_the_table_says_of_growing() -> None:
    (found,) = classes(switch("a-1", limit("100", "200")))
    assert (found.risk, risks(found)) == (Risk.HITLESS, {"a-1": (Risk.HITLESS,)})
    (found,) = classes(switch("a-1", limit("200", "100")))
    assert found.risk is Risk.SESSION_RESET


def test_each_setting_costs_by_its_own_values() -> None:
    (found,) = classes(switch("a-1", limit("100", "200"), limit("100", "50")))
    assert [(line.after, line.risk) for line in found.lines] == [("50", Risk.SESSION_RESET), ("200", Risk.HITLESS)]
    assert risks(found) == {"a-1": (Risk.HITLESS, Risk.SESSION_RESET)}


def test_numbers_of_a_switchs_own_cost_as_much_as_the_worst_of_them() -> None:
    number = DeviceChange("bgp.asn", ChangeOp.CHANGED, "", "1", "2")
    lowered = number._replace(before="2", after="1")
    (found,) = classes(switch("a-1", number), switch("a-2", lowered), switch("a-3", number))
    assert (found.lines[0].risk, found.risk) == (Risk.SESSION_RESET, Risk.SESSION_RESET)
    assert risks(found) == {"a-1": (Risk.HITLESS,), "a-2": (Risk.SESSION_RESET,), "a-3": (Risk.HITLESS,)}
    assert found.lines[0].source == "unsure: nobody saw it"


def entry(prefix: str, change: ChangeOp = ChangeOp.ADDED) -> DeviceChange:
    values = ("", prefix) if change is ChangeOp.ADDED else (prefix, "")
    return DeviceChange("prefix-list.entry", change, "PL-FW", *values)


def test_values_of_their_own_are_told_where_all_switches_have_the_same_few() -> None:
    two = (entry("10.0.0.0/8"), entry("::/0"))
    (found,) = classes(switch("a-1", *two), switch("a-2", *reversed(two)))
    assert (found.lines[0].subjects, found.lines[0].after) == (("PL-FW",), "10.0.0.0/8, ::/0")
    (found,) = classes(switch("a-1", *two), switch("a-2", two[0], entry("fd00::/8")))
    assert found.lines[0].after == ""
    (found,) = classes(switch("a-1", *(entry(f"10.{n}.0.0/16") for n in range(5))))
    assert found.lines[0].after == ""


def test_of_several_that_change_no_value_is_told_as_the_other_of_one() -> None:
    (found,) = classes(
        switch("a-1", limit("1", "2")._replace(kind="bgp.asn"), limit("3", "4")._replace(kind="bgp.asn"))
    )
    assert (found.lines[0].before, found.lines[0].after) == ("", "")


def test_what_is_written_the_same_costs_nothing_fact_by_fact() -> None:
    (found,) = classes(switch("a-1", mtu("p1", "9214", "9000"), neighbor("10.0.0.1")))
    silent = unspelled(found)
    assert (silent.risk, risks(silent)) == (Risk.NONE, {"a-1": (Risk.NONE, Risk.NONE)})
    assert {line.risk for line in silent.lines} == {Risk.NONE}
