"""Selectors of overrides: what each kind may be, which one wins, and every way to be refused."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.errors import FabricError, Problem
from fabricgen.plan.exceptions import Exceptions, PortKey, SlotKey
from fabricgen.plan.fabric import places, port_text
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.names import make_names
from fabricgen.plan.overrides import stuck_ports
from fabricgen.plan.plan import Plan, with_exceptions
from tests.plan_inputs.sites import demo, demo_names, demo_plan, planned


def resolved(overrides: dict[str, str], **keys: object) -> Exceptions:
    intent = demo(overrides={selector: {"state": state} for selector, state in overrides.items()}, **keys)
    return resolve_inputs(intent, demo_plan().fabrics)


def refused(overrides: dict[str, str], **keys: object) -> tuple[Problem, ...]:
    with pytest.raises(FabricError) as caught:
        resolved(overrides, **keys)
    return caught.value.problems


def test_a_switch_a_port_and_slots() -> None:
    found = resolved({"be-spine-01": "drained", "be-leaf-003/Ethernet7/1": "dead", "train[17]": "absent",
                      "store[0-2,5]": "dead"})  # fmt: skip
    assert found.devices == {"be-spine-01": "drained"}
    assert found.ports == {PortKey("be-leaf-003", "Ethernet7/1"): "dead"}
    assert found.slots == {SlotKey("train", 17): "absent"} | {SlotKey("store", n): "dead" for n in (0, 1, 2, 5)}


def test_globs_match_switches_of_every_fabric() -> None:
    assert set(resolved({"*-spine-0[01]": "drained"}).devices) == {
        "be-spine-00", "be-spine-01", "fe-spine-00", "fe-spine-01"
    }  # fmt: skip
    assert set(resolved({"be-spine-0[0-1]": "drained"}).devices) == {"be-spine-00", "be-spine-01"}
    assert set(resolved({"be-spine-0?/Ethernet1/1": "drained"}).ports) == {
        PortKey(f"be-spine-0{n}", "Ethernet1/1") for n in range(4)
    }


def test_a_port_selector_needs_the_port_on_one_switch_it_matches_only() -> None:
    # 64-port leaves of the backend have Ethernet64/1, 32-cage switches of the frontend have not.
    assert {key.device[:2] for key in resolved({"*-leaf-000/Ethernet64/1": "drained"}).ports} == {"be"}


@pytest.mark.parametrize("turn", [False, True])
def test_a_name_wins_over_a_glob_wherever_it_stands(turn: bool) -> None:
    overrides = [("be-spine-*", "drained"), ("be-spine-02", "active"), ("train[0-9]", "dead"), ("train[4]", "absent"),
                 ("be-leaf-*/Ethernet1/1", "dead"), ("be-leaf-001/Ethernet1/1", "drained")]  # fmt: skip
    found = resolved(dict(reversed(overrides) if turn else overrides))
    assert set(found.devices) == {"be-spine-00", "be-spine-01", "be-spine-03"}
    assert found.slots[SlotKey("train", 4)] == "absent"
    assert found.slots[SlotKey("train", 5)] == "dead"
    assert found.ports[PortKey("be-leaf-001", "Ethernet1/1")] == "drained"
    assert found.ports[PortKey("be-leaf-002", "Ethernet1/1")] == "dead"


@pytest.mark.parametrize(
    ("selector", "state", "code", "what", "fix"),
    [
        ("be-spine-04", "drained", "unknown-name", "unknown switch be-spine-04",
         "write a name from be-spine-00 to be-spine-03"),
        ("be-spin-*", "drained", "unknown-name", "be-spin-* matches no switch", "did you mean be-spine-00?"),
        ("be-leaf-003/Ethrnet7/1", "dead", "unknown-port", "be-leaf-003 has no port Ethrnet7/1 in this plan",
         "did you mean Ethernet7/1?"),
        ("be-leaf-0*/Ethernet99/1", "dead", "unknown-port", "be-leaf-000 has no port Ethernet99/1 in this plan",
         "did you mean Ethernet9/1?"),
        ("be-leaf-003/Ethernet1", "dead", "unknown-port", "be-leaf-003 has no port Ethernet1 in this plan",
         "did you mean Ethernet1/1?"),
        ("be-leaf-903/Ethernet7/1", "dead", "unknown-name", "unknown switch be-leaf-903",
         "write a name from be-leaf-000 to be-leaf-003"),
        ("train-000", "dead", "unknown-name", "unknown switch train-000", 'did you mean "train[0]"?'),
        ("trian[3]", "absent", "unknown-name", "trian is not a server group that a fabric connects",
         "did you mean train?"),
        ("train[192]", "absent", "slot-not-planned", "train[192] is not planned; train has slots 0-191",
         "name a slot up to 191, or write servers.train.planned: 193 if the fabrics have enough ports"),
        ("train[9-3]", "absent", "bad-slots", "invalid slots in train[9-3]",
         "write e.g. train[17] or train[0-3]"),
    ],
)  # fmt: skip
def test_a_refused_selector(selector: str, state: str, code: str, what: str, fix: str) -> None:
    (problem,) = refused({selector: state})
    assert (problem.code, problem.what, problem.fix) == (code, what, fix)
    assert problem.where[:2] == ("overrides", selector)
    assert problem.why


def test_all_refused_selectors_come_at_once() -> None:
    problems = refused({"be-spine-77": "drained", "train[999]": "dead", "be-spine-01": "drained"})
    assert [problem.code for problem in problems] == ["unknown-name", "slot-not-planned"]


def test_globs_that_contradict_each_other_are_refused_until_a_name_decides() -> None:
    (problem,) = refused({"be-*-01": "drained", "be-spine-0*": "active"})
    assert problem.code == "override-clash"
    assert problem.what == "be-spine-01 is drained by be-*-01 and active by be-spine-0*"
    assert problem.fix == "write be-spine-01: {state: active}, which wins, or narrow one of the two"
    assert resolved({"be-*-01": "drained", "be-spine-0*": "active", "be-spine-01": "drained"}).devices == {
        "be-spine-01": "drained"
    }
    assert refused({"train[0-5]": "dead", "train[3-9]": "absent"})[0].what == (
        "train[3] is dead by train[0-5] and absent by train[3-9]"
    )


def test_more_wildcards_than_a_hundred_are_refused() -> None:
    (problem,) = refused({f"be-*-{number}": "drained" for number in range(101)})
    assert (problem.code, problem.where) == ("too-many-globs", ("overrides", "be-*-100"))


def test_raw_lines_for_a_switch_that_is_not_there() -> None:
    raw = [{"system": "eos", "device": "be-spine-01", "lines": ["x"]},
           {"system": "eos", "device": "be-spin-*", "lines": ["x"]},
           {"system": "eos", "device": "be-spine-*", "fabric": "frontend", "lines": ["x"]}]  # fmt: skip
    problems = refused({}, raw=raw)
    assert [(problem.code, problem.where) for problem in problems] == [
        ("unknown-name", ("raw", 1, "device")),
        ("unknown-name", ("raw", 2, "device")),
    ]


def test_names_are_those_of_the_plan() -> None:
    names = demo_names()
    assert len(names.devices) == sum(1 for plan in demo_plan().fabrics.values() for _ in places(plan))
    assert names.slots == {"train": demo().servers["train"].planned_slots, "store": 24}


def test_a_name_by_itself_is_as_in_the_list_of_all() -> None:
    one_by_one, listed = demo_names().devices, demo_names().devices
    assert {name: one_by_one[name] for name in listed} == dict(listed.items())
    strange = ("", "be-leaf", "be-leaf-0", "be-leaf-999", "be-leaf-003/Ethernet1/1", "xe-leaf-003", "be-super-00")
    for name in strange:
        assert name not in one_by_one
        assert name not in listed


KEPT = {"be-spine-*": "drained", "be-spine-02": "active", "train[0-9]": "dead", "train[4]": "absent",
        "be-leaf-*/Ethernet1/1": "dead", "be-leaf-001/Ethernet1/1": "drained", "store[1]": "drained"}  # fmt: skip


@given(st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_the_order_of_overrides_means_nothing(order: random.Random) -> None:
    items = list(KEPT.items())
    order.shuffle(items)
    assert resolved(dict(items)) == resolved(KEPT)


def with_spares() -> Plan:
    """Plan a frontend of 1:1, whose leaves have ports left over."""
    base = demo().model_dump(mode="json")
    base["fabrics"]["frontend"]["topology"] = {"design": "leaf-spine", "oversubscription": "1:1", "border_leaves": 2}
    base["servers"]["train"]["planned"] = 32
    return planned(demo(fabrics=base["fabrics"], servers=base["servers"]))


def test_a_dead_port_hands_its_cable_on_and_one_without_a_spare_is_a_problem() -> None:
    plan = with_spares()
    frontend = plan.fabrics["frontend"]
    names = make_names(plan.intent, plan.fabrics)
    place = names.devices["fe-leaf-000"].place
    leaf = next(group.leaf for group in frontend.shape.groups if group.name == place.group)
    assert len(leaf.spare) > 0
    ports = [port_text(frontend, place, port) for port in leaf.down]
    selectors = {f"fe-leaf-000/{port}": {"state": "dead"} for port in ports[: len(leaf.spare) + 1]}
    intent = plan.intent.model_copy(update={"overrides": demo(overrides=selectors).overrides})
    changed = with_exceptions(plan, resolve_inputs(intent, plan.fabrics))
    binding = changed.fabrics["frontend"].bindings["fe-leaf-000"]
    assert binding.down[: len(leaf.spare)] == leaf.spare
    (problem,) = stuck_ports(intent, changed.fabrics, names)
    last = ports[len(leaf.spare)]
    assert problem.code == "no-spare-port"
    assert problem.what == f"fe-leaf-000 has no free 200G port for the cable of {last}"
    assert problem.where == ("overrides", f"fe-leaf-000/{last}")
    assert (
        problem.fix
        == f"write fe-leaf-000/{last}: {{state: absent}}: the link stays down, and its addresses stay reserved"
    )


def test_exceptions_change_no_number() -> None:
    changed = with_exceptions(demo_plan(), resolved(KEPT))
    assert changed.lock == demo_plan().lock
    assert changed.tenants == demo_plan().tenants
    for name, plan in changed.fabrics.items():
        assert (plan.segments, plan.rows) == (demo_plan().fabrics[name].segments, demo_plan().fabrics[name].rows)
