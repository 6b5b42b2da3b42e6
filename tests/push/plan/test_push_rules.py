"""How each switch may be changed, and who stands in the way."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.errors import Problem
from fabricgen.plan.exceptions import Exceptions, PlacedServer, PortKey, SlotKey
from fabricgen.plan.fabric import port_text
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.plan.wiring import host_ports
from fabricgen.platforms.base.cost import Risk
from fabricgen.push.model import Decision, Need
from fabricgen.push.plan.decide import AllowedRisk, decide
from tests.checks.intents import plan as demo_plan
from tests.push.push_plans import cables, every_subject, names, subject

DEMO = demo_plan()
NOBODY = AllowedRisk()
DISRUPTIVE = (Risk.SESSION_RESET, Risk.TRAFFIC_LOSS, Risk.UNKNOWN, Risk.RELOAD)
ALL = frozenset(f"train-{slot:03}" for slot in range(32))


def one(plan: Plan, name: str, allowed: AllowedRisk = NOBODY, risk: Risk = Risk.TRAFFIC_LOSS) -> Decision | Problem:
    """What becomes of one switch: it alone is asked for."""
    decisions, problems = decide(plan, [subject(plan, name, risk)], allowed)
    assert len(decisions) + len(problems) == 1
    return decisions[0] if decisions else problems[0]


def need(plan: Plan, name: str, allowed: AllowedRisk = NOBODY, risk: Risk = Risk.TRAFFIC_LOSS) -> Need:
    found = one(plan, name, allowed, risk)
    assert isinstance(found, Decision), found
    return found.need


def refused(plan: Plan, name: str, allowed: AllowedRisk = NOBODY, risk: Risk = Risk.TRAFFIC_LOSS) -> Problem:
    found = one(plan, name, allowed, risk)
    assert isinstance(found, Problem), found
    assert found.code == "push-interrupts"
    return found


def drained(*names: str) -> Plan:
    return with_exceptions(DEMO, Exceptions(devices=dict.fromkeys(names, "drained")))


def slots(state: str, *numbers: int) -> Exceptions:
    return Exceptions(slots={SlotKey("train", slot): state for slot in numbers})


@pytest.mark.parametrize("risk", [Risk.NONE, Risk.HITLESS])
@pytest.mark.parametrize("name", ["be-leaf-000", "be-spine-00", "fe-border-00", "fe-leaf-000"])
def test_what_interrupts_nothing_is_plain(name: str, risk: Risk) -> None:
    found = one(DEMO, name, NOBODY, risk)
    assert isinstance(found, Decision)
    assert found.need is Need.PLAIN
    assert found.why == f"{risk.words}: 2 lines whose cost is unknown"


@pytest.mark.parametrize("risk", DISRUPTIVE)
def test_the_only_leaf_of_its_servers_is_refused(risk: Risk) -> None:
    """32 servers of 8 GPUs on 8 rails, two rails a leaf: 64 GPUs."""
    problem = refused(DEMO, "be-leaf-001", NOBODY, risk)
    assert problem.what == (
        "the change of be-leaf-001 interrupts 64 GPUs of 32 servers (train-000, train-001, train-002 and 29 more)"
    )
    assert problem.why == (
        f"its risk is {risk.words} (2 lines whose cost is unknown), and their NICs have no other leaf"
    )
    assert problem.fix == (
        "drain these servers and list them in --drained-hosts FILE; or set train[0-31] to absent or "
        "drained in overrides; or accept the loss with --accept-loss be-leaf-001"
    )


@pytest.mark.parametrize("risk", DISRUPTIVE)
def test_where_others_carry_on_it_is_drained(risk: Risk) -> None:
    found, problems = decide(
        DEMO, [subject(DEMO, name, risk) for name in ("be-spine-02", "fe-leaf-002", "fe-border-01")], NOBODY
    )
    assert problems == ()
    assert [(each.need, each.why) for each in found] == [
        (Need.DRAIN, "its traffic moves to be-spine-00, be-spine-01, be-spine-03"),
        (Need.DRAIN, "every tenant with external sessions on it also has some on fe-border-00"),
        (
            Need.DRAIN,
            (
                "its servers are also connected to fe-leaf-003, and their bonds fail over to it when "
                "their ports here go down: only routing is drained"
            ),
        ),
    ]


def test_the_last_spine_in_service_interrupts_every_rail() -> None:
    plan = drained("be-spine-00", "be-spine-01", "be-spine-03")
    problem = refused(plan, "be-spine-02")
    assert "256 GPUs of 32 servers" in problem.what
    assert "be-leaf-000, be-leaf-001, be-leaf-002 and 1 more would have no uplink left" in problem.why
    assert need(plan, "be-spine-00") is Need.DRAIN  # it carries nothing, or is about to
    assert need(plan, "be-spine-02", AllowedRisk(hosts=ALL)) is Need.IDLE
    assert need(drained("be-spine-00", "be-spine-01"), "be-spine-02") is Need.DRAIN


def test_a_leaf_whose_uplinks_all_lead_to_one_spine() -> None:
    """Every spine has others; this leaf has not."""
    ports = {PortKey("be-leaf-001", f"Ethernet{cage}/{part}"): "absent" for cage in range(33, 65) for part in (1, 5)}
    kept = [key for at, key in enumerate(ports) if at % 4 == 2]  # uplink u is on spine u mod 4
    plan = with_exceptions(DEMO, Exceptions(ports={key: state for key, state in ports.items() if key not in kept}))
    assert "be-leaf-001 would have no uplink left" in refused(plan, "be-spine-02").why
    assert need(plan, "be-spine-01") is Need.DRAIN


def test_a_pair_whose_other_leaf_can_not_carry_on() -> None:
    plan = drained("fe-leaf-003")
    problem = refused(plan, "fe-leaf-002")
    assert "192 GPUs of 24 servers (train-000, train-001, train-002 and 21 more)" in problem.what
    assert problem.why.endswith("their other leaf, fe-leaf-003, is drained, cut off, or shut towards them")
    assert "train[0-23]" in problem.fix
    assert need(plan, "fe-leaf-000") is Need.DRAIN
    assert need(plan, "fe-leaf-003") is Need.DRAIN
    assert need(plan, "fe-leaf-002", AllowedRisk(hosts=ALL)) is Need.IDLE


def test_a_pair_whose_other_leaf_has_no_uplinks() -> None:
    """It is no other way; and no spine is what it lacks."""
    uplinks = dict.fromkeys((each.neighbors for each in cables(DEMO)["fe-leaf-003"]), "absent")
    plan = with_exceptions(DEMO, Exceptions(ports=uplinks))
    assert "their other leaf, fe-leaf-003, is" in refused(plan, "fe-leaf-002").why
    assert need(plan, "fe-spine-00") is Need.DRAIN


def test_a_server_whose_ports_are_shut() -> None:
    """Slot 0 has its NICs of two rails on host ports 0 and 32 of a leaf of 64."""
    ports = [each.port for each in host_ports(*names(DEMO)["be-leaf-000"]) if each.slot == 0]
    fabric, place = names(DEMO)["be-leaf-000"]
    keys = [PortKey("be-leaf-000", port_text(fabric, place, port)) for port in ports]
    assert len(keys) == 2
    one_nic = with_exceptions(DEMO, Exceptions(ports={keys[0]: "absent"}))
    assert "63 GPUs of 32 servers (train-000" in refused(one_nic, "be-leaf-000").what
    no_nic = with_exceptions(DEMO, Exceptions(ports=dict.fromkeys(keys, "absent")))
    assert "62 GPUs of 31 servers (train-001" in refused(no_nic, "be-leaf-000").what


def test_one_server_without_its_other_port() -> None:
    plan = with_exceptions(DEMO, Exceptions(ports={PortKey("fe-leaf-003", "Ethernet5/1"): "absent"}))
    problem = refused(plan, "fe-leaf-002")
    assert "interrupts 8 GPUs of 1 server (train-0" in problem.what
    name = problem.what[-10:-1]
    found = one(plan, "fe-leaf-002", AllowedRisk(hosts=frozenset((name,))))
    assert isinstance(found, Decision)
    assert found.need is Need.DRAIN  # the others have a way to be given
    assert found.why.startswith(
        "1 server without another path is idle, by --drained-hosts; its servers are also connected to fe-leaf-003"
    )
    assert need(plan, "fe-leaf-003") is Need.DRAIN  # nobody is behind the port that is shut


def test_absent_and_drained_slots_are_not_in_the_way() -> None:
    for state in ("absent", "drained", "dead"):
        everyone = with_exceptions(DEMO, slots(state, *range(32)))
        assert need(everyone, "be-leaf-000") is Need.ABSENT
        assert need(everyone, "be-spine-00") is Need.ABSENT
        assert need(everyone, "fe-leaf-005") is Need.ABSENT
        assert need(everyone, "fe-leaf-001") is Need.DRAIN  # storage
        all_but_two = with_exceptions(DEMO, slots(state, *range(7), *range(8, 31)))
        problem = refused(all_but_two, "be-leaf-000")
        assert "interrupts 4 GPUs of 2 servers (train-007, train-031)" in problem.what
        assert "set train[7,31] to absent" in problem.fix


def test_a_frontend_server_without_a_tenant_has_no_port_up() -> None:
    """Slots 24 to 31, of the third pair, are no tenant's; the backend's NICs are the server's all the same."""
    plan = demo_plan({"tenants.serving.servers": []})
    assert need(plan, "fe-leaf-004") is Need.ABSENT
    assert need(plan, "fe-leaf-002") is Need.DRAIN
    assert (
        "16 servers"
        in refused(with_exceptions(plan, Exceptions(devices={"fe-leaf-003": "drained"})), "fe-leaf-002").what
    )
    assert "32 servers" in refused(plan, "be-leaf-000").what


def test_hosts_that_the_scheduler_has_drained() -> None:
    assert need(DEMO, "be-leaf-000", AllowedRisk(hosts=ALL)) is Need.IDLE
    problem = refused(DEMO, "be-leaf-000", AllowedRisk(hosts=ALL - {"train-005"}))
    assert "interrupts 2 GPUs of 1 server (train-005)" in problem.what
    assert "set train[5] to absent" in problem.fix
    with_absent = with_exceptions(DEMO, slots("absent", 5))
    assert need(with_absent, "be-leaf-000", AllowedRisk(hosts=ALL - {"train-005"})) is Need.IDLE


def test_hosts_go_by_the_names_of_the_placement_file() -> None:
    named = PlacedServer(hostname="gpu-a01", rack="", unit="", serial="", mac="")
    plan = with_exceptions(DEMO, Exceptions(servers={SlotKey("train", 0): named}))
    assert "gpu-a01, train-001" in refused(plan, "be-leaf-000").what
    assert "(gpu-a01)" in refused(plan, "be-leaf-000", AllowedRisk(hosts=ALL)).what
    assert need(plan, "be-leaf-000", AllowedRisk(hosts=ALL | {"gpu-a01"})) is Need.IDLE


def test_a_loss_is_accepted_by_exact_name() -> None:
    found = one(DEMO, "be-leaf-002", AllowedRisk(accepted=frozenset(("be-leaf-002",))))
    assert isinstance(found, Decision)
    assert found.need is Need.ACCEPTED
    assert found.why.startswith("its loss is accepted by --accept-loss, with 64 GPUs of 32 servers (train-000")
    both = [subject(DEMO, "be-leaf-001"), subject(DEMO, "be-leaf-002")]
    decisions, problems = decide(DEMO, both, AllowedRisk(accepted=frozenset(("be-leaf-*", "be-leaf-02"))))
    assert decisions == ()
    assert [each.code for each in problems] == ["push-accept-unknown"] * 2 + ["push-interrupts"] * 2
    assert [each.what for each in problems[:2]] == [
        "--accept-loss names be-leaf-02, which this push does not change",
        "--accept-loss names be-leaf-*, which this push does not change",
    ]
    assert problems[0].fix in ("did you mean be-leaf-002?", "did you mean be-leaf-001?")


def test_accepting_what_does_not_change() -> None:
    (problem,) = decide(DEMO, [], AllowedRisk(accepted=frozenset(("be-leaf-000",))))[1]
    assert (problem.code, problem.fix) == ("push-accept-unknown", "omit --accept-loss be-leaf-000")


def test_what_needs_no_acceptance_is_drained_all_the_same() -> None:
    assert need(DEMO, "be-spine-00", AllowedRisk(accepted=frozenset(("be-spine-00",)))) is Need.DRAIN


def test_a_tenant_that_leaves_by_one_border_leaf() -> None:
    only = {
        "peer": "fw1",
        "border": 0,
        "port": 0,
        "vlan": 900,
        "asn": 64601,
        "addresses": ["172.31.0.0/31"],
        "accept": ["0.0.0.0/0"],
    }
    plan = demo_plan({"tenants.research.external": [only]})
    problem = refused(plan, "fe-border-00")
    assert "128 GPUs of 16 servers (train-000" in problem.what
    assert problem.why.endswith("their tenants research have no other border leaf")
    assert need(plan, "fe-border-01") is Need.DRAIN  # serving has both
    both = refused(drained("fe-border-01"), "fe-border-00")
    assert "32 servers" in both.what
    assert "their tenants research, serving have no other border leaf" in both.why
    none = demo_plan({"tenants.research.external": [], "tenants.serving.external": []})
    assert need(none, "fe-border-00") is Need.ABSENT


def test_a_border_leaf_whose_port_outside_is_absent() -> None:
    port = next(
        each.port
        for each in DEMO.fabrics["frontend"].shape.border.down  # type: ignore[union-attr]
        for each in [PortKey("fe-border-01", f"Ethernet{each.cage}/{each.part + 1}")]
    )
    plan = with_exceptions(DEMO, Exceptions(ports={PortKey("fe-border-01", port): "absent"}))
    assert "their tenants research, serving have no other border leaf" in refused(plan, "fe-border-00").why
    assert need(plan, "fe-border-01") is Need.ABSENT


def test_a_fabric_without_spines() -> None:
    """64 slots on four leaves, each with two rails of its own: nothing is above them."""
    plan = demo_plan(
        {"fabrics.backend.topology.spines": None, "fabrics.backend.spine": None, "servers.train.planned": None}
    )
    assert plan.fabrics["backend"].shape.spines == 0
    assert "64 GPUs of 32 servers" in refused(plan, "be-leaf-000").what
    assert need(plan, "be-leaf-000", AllowedRisk(hosts=ALL)) is Need.IDLE


def test_order_is_the_intents_and_not_the_callers() -> None:
    every = every_subject(DEMO, Risk.RELOAD)
    forward, back = decide(DEMO, every, NOBODY), decide(DEMO, every[::-1], NOBODY)
    assert forward == back
    found = [each.subject.fabric for each in forward[0]]
    assert found == sorted(found)


def test_a_subject_that_does_not_stand() -> None:
    with pytest.raises(LookupError, match="be-leaf-777"):
        decide(DEMO, [subject(DEMO, "be-leaf-000")._replace(name="be-leaf-777")], NOBODY)


STATES = st.sampled_from(("active", "drained", "absent", "dead"))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(STATES, min_size=32, max_size=32),
    st.sets(st.sampled_from(sorted(ALL))),
    st.sets(st.sampled_from([each.name for each in every_subject(DEMO)])),
    st.sampled_from(list(Risk)),
)
def test_each_switch_is_decided_or_refused(states: list[str], hosts: set[str], accepted: set[str], risk: Risk) -> None:
    """A leaf of the backend by hand: who stands there with jobs and is on no list."""
    plan = with_exceptions(DEMO, Exceptions(slots={SlotKey("train", slot): state for slot, state in enumerate(states)}))
    every = every_subject(plan, risk)
    decisions, problems = decide(plan, every, AllowedRisk(frozenset(accepted), frozenset(hosts)))
    told = [each.subject.name for each in decisions] + [each.what.split()[3] for each in problems]
    assert sorted(told) == sorted(each.name for each in every)
    busy = {f"train-{slot:03}" for slot, state in enumerate(states) if state == "active"}
    for leaf in ("be-leaf-000", "be-leaf-003"):
        needs = {each.subject.name: each.need for each in decisions}
        if risk < Risk.SESSION_RESET:
            wanted: Need | None = Need.PLAIN
        elif not busy:
            wanted = Need.ABSENT
        elif busy <= hosts:
            wanted = Need.IDLE
        else:
            wanted = Need.ACCEPTED if leaf in accepted else None
        assert needs.get(leaf) is wanted
