"""Settings by override: every kind of selector, which one wins, and every way to be refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from fabricgen.errors import FabricError, Problem
from fabricgen.intent.fabric import Backend, Frontend
from fabricgen.intent.override_rules import overrides_allowed
from fabricgen.intent.overrides import REFUSED, SCOPES, Override, leaves
from fabricgen.intent.rules import rules
from fabricgen.plan.cabling import cables
from fabricgen.plan.exceptions import AsBuilt, DeviceSettings, Exceptions, PortKey, SlotKey
from fabricgen.plan.fabric import chassis_of, place_of, port_text
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import with_exceptions
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from tests.plan_inputs.sites import demo, demo_plan
from tests.plan_inputs.test_plan_csv import table

LEAF, SPINE = "be-leaf-003", "be-spine-02"
UPLINK, FAR = PortKey(LEAF, "Ethernet40/1"), PortKey(SPINE, "Ethernet14/5")
"""Uplink 14 of leaf 3: 14 mod 4 is spine 2, 14 div 4 is turn 3, port 3 × 8 + 3 = 27: the second half of cage 14."""


def resolved(**overrides: object) -> Exceptions:
    return resolve_inputs(demo(overrides=overrides), demo_plan().fabrics)


def settings_of(device: str, overrides: dict[str, object]) -> DeviceSettings:
    return resolved(**overrides).settings[device]


def backend_of(device: str, overrides: dict[str, object]) -> Backend:
    fabric = settings_of(device, overrides).fabric
    assert isinstance(fabric, Backend)
    return fabric


def refused(**overrides: object) -> tuple[Problem, ...]:
    with pytest.raises(FabricError) as caught:
        resolved(**overrides)
    return caught.value.problems


def test_each_scope_reaches_its_switches() -> None:
    of = {name: set(resolved(**{name: {"mtu": 9100}}).settings) for name in
          ("backend", "backend/spine", "frontend/border-leaf", "be-leaf-*", LEAF)}  # fmt: skip
    spines = {f"be-spine-0{n}" for n in range(4)}
    leaves_ = {f"be-leaf-00{n}" for n in range(4)}
    assert of["backend"] == spines | leaves_
    assert of["backend/spine"] == spines
    assert of["frontend/border-leaf"] == {"fe-border-00", "fe-border-01"}
    assert of["be-leaf-*"] == leaves_
    assert of[LEAF] == {LEAF}


@pytest.mark.parametrize("turn", [False, True])
def test_the_most_specific_wins_key_by_key(turn: bool) -> None:
    written: list[tuple[str, object]] = [
        ("backend", {"mtu": 9001, "roce": {"alpha": "2", "watchdog": {"detect_ms": 100}}, "bgp": {"bfd": True}}),
        ("backend/leaf", {"mtu": 9002, "roce": {"watchdog": {"detect_ms": 110, "restore_ms": 500}}}),
        ("be-leaf-00[23]", {"mtu": 9003}),
        (LEAF, {"roce": {"watchdog": {"detect_ms": 120}}}),
    ]
    overrides = dict(reversed(written) if turn else written)
    own = backend_of(LEAF, overrides)
    assert (own.mtu, own.roce.alpha, own.bgp.bfd) == (9003, "2", True)
    assert (own.roce.watchdog.detect_ms, own.roce.watchdog.restore_ms) == (120, 500)
    assert own.roce.marking == "nvidia"
    assert own.bgp.hold_seconds == 9
    other, spine = backend_of("be-leaf-000", overrides), backend_of(SPINE, overrides)
    assert (other.mtu, other.roce.watchdog.detect_ms) == (9002, 110)
    assert (spine.mtu, spine.roce.watchdog.detect_ms, spine.roce.watchdog.restore_ms) == (9001, 100, 400)


def test_switches_with_the_same_overrides_share_their_settings() -> None:
    found = resolved(**{"backend": {"mtu": 9100}, "be-leaf-00[01]": {"load_balancing": "ecmp"}}).settings
    assert found["be-leaf-000"] is found["be-leaf-001"]
    assert found["be-leaf-002"] is found["be-spine-00"]
    assert len({id(own) for own in found.values()}) == 2
    assert found["be-leaf-000"].sources == {"mtu": "backend", "load_balancing": "be-leaf-00[01]"}


def test_without_overrides_a_fabric_has_its_own_settings_alone() -> None:
    assert resolved(**{"be-spine-01": {"state": "drained"}}).settings == {}


def test_a_block_that_is_off_may_be_turned_on_in_part_and_off_again() -> None:
    off: dict[str, object] = {"frontend": {"server_ports": {"storm_control": None}}}
    own = settings_of("fe-leaf-000", off).fabric
    assert isinstance(own, Frontend)
    assert own.server_ports.storm_control is None
    both = off | {"fe-leaf-000": {"server_ports": {"storm_control": {"broadcast_percent": 7}}}}
    own = settings_of("fe-leaf-000", both).fabric
    assert isinstance(own, Frontend)
    assert own.server_ports.storm_control is not None
    assert own.server_ports.storm_control.broadcast_percent == 7
    assert own.server_ports.storm_control.multicast_percent == 5
    less: dict[str, object] = {"fe-leaf-000": {"server_ports": {"storm_control": {"multicast_percent": None}}}}
    own = settings_of("fe-leaf-000", less).fabric
    assert isinstance(own, Frontend)
    assert own.server_ports.storm_control is not None
    assert (own.server_ports.storm_control.broadcast_percent, own.server_ports.storm_control.multicast_percent) == (
        1,
        None,
    )
    assert "fe-spine-00" not in resolved(**off).settings


def test_management_in_part() -> None:
    own = settings_of(LEAF, {LEAF: {"management": {"ntp": ["10.0.0.99"], "lldp": False, "gnmi": None}}}).management
    whole = demo().management
    assert [str(server) for server in own.ntp] == ["10.0.0.99"]
    assert (own.lldp, own.gnmi) == (False, None)
    assert (own.vrf, own.oob, own.syslog) == (whole.vrf, whole.oob, whole.syslog)


def test_an_operating_system_of_its_own_names_the_ports() -> None:
    intent = demo(overrides={LEAF: {"os": "frr-8.4"}, "be-leaf-002": {"os": "eos-4.34.1"}})
    plan = with_exceptions(demo_plan(), resolve_inputs(intent, demo_plan().fabrics))
    fabric = plan.fabrics["backend"]
    own, other = place_of(fabric, LEAF), place_of(fabric, "be-leaf-002")
    assert own is not None and other is not None  # noqa: PT018
    port = chassis_of(fabric, own).down[0]
    assert (chassis_of(fabric, own).system, port_text(fabric, own, port)) == ("frr-8.4", "swp1s0")
    assert (chassis_of(fabric, other).system, port_text(fabric, other, port)) == ("eos-4.34.1", "Ethernet1/1")
    # Its ports are named as it calls them, in overrides too.
    found = resolve_inputs(
        demo(overrides={LEAF: {"os": "frr-8.4"}, f"{LEAF}/swp1s0": {"state": "absent"}}), demo_plan().fabrics
    )
    assert found.ports == {PortKey(LEAF, "swp1s0"): "absent"}
    (problem,) = refused(**{LEAF: {"os": "frr-8.4"}, f"{LEAF}/Ethernet1/1": {"state": "absent"}})
    assert problem.code == "unknown-port"


def test_a_port_and_a_cable() -> None:
    found = resolved(**{
        f"{LEAF}/Ethernet1/1": {"mtu": 9100, "description": "loaner", "headroom_octets": 700000},
        f"link:{LEAF}/{UPLINK.port}": {"mtu": 9050, "length_m": 12.5, "medium": "optic"},
        f"{SPINE}/{FAR.port}": {"mtu": 9060},
    })  # fmt: skip
    own = found.port_settings[PortKey(LEAF, "Ethernet1/1")]
    assert (own.mtu, own.description, own.headroom_octets, own.fec) == (9100, "loaner", 700000, "")
    assert found.port_settings[UPLINK].mtu == 9050
    assert found.port_settings[FAR].mtu == 9060  # a port outdoes its cable
    assert found.cables == {UPLINK: AsBuilt(length_m=12.5, medium="optic")}


def test_either_end_names_a_cable() -> None:
    one = resolved(**{f"link:{LEAF}/{UPLINK.port}": {"state": "absent"}})
    other = resolved(**{f"link:{SPINE}/{FAR.port}": {"state": "absent"}})
    assert one.ports == other.ports == {UPLINK: "absent", FAR: "absent"}


def test_a_dead_cable_leaves_its_ports_as_they_are() -> None:
    found = resolved(**{f"link:{LEAF}/{UPLINK.port}": {"state": "dead"}})
    assert found.ports == {}
    assert found.broken == {UPLINK, FAR}


def test_the_cable_of_a_server_has_one_switch() -> None:
    found = resolved(**{f"link:{LEAF}/Ethernet1/1": {"state": "absent", "length_m": 3}})
    assert found.ports == {PortKey(LEAF, "Ethernet1/1"): "absent"}
    assert found.cables == {PortKey(LEAF, "Ethernet1/1"): AsBuilt(length_m=3.0, medium="")}


def test_a_cable_is_where_a_dead_port_has_handed_it() -> None:
    """Spines of the demo's frontend have spare ports; a dead one gives its cable to the highest of them."""
    port = PortKey("fe-spine-01", "Ethernet5/1")
    near = next(
        cable.near for cable in cables(demo_plan()) if (cable.far.device, cable.far.port) == (port.device, port.port)
    )
    dead = {f"{port.device}/{port.port}": {"state": "dead"}}
    (problem,) = refused(**dead, **{f"link:{port.device}/{port.port}": {"length_m": 7}})
    assert (problem.code, problem.fix) == ("no-cable", "name the cable by its far end")
    found = resolved(**dead, **{f"link:{near.device}/{near.port}": {"state": "drained"}}).ports
    assert found[port] == "dead"
    assert found[PortKey(near.device, near.port)] == "drained"
    (spare,) = {key for key, state in found.items() if key.device == port.device and state == "drained"}
    assert spare != port


def test_an_override_stands_in_front_of_the_cable_file() -> None:
    file = table("device,port,length_m,kind\nbe-spine-02,Ethernet14/5,38,dr4\n", __import__(
        "fabricgen.plan.csv_cables", fromlist=["COLUMNS"]))  # fmt: skip
    intent = demo(overrides={f"link:{LEAF}/{UPLINK.port}": {"length_m": 12}})
    found = resolve_inputs(intent, demo_plan().fabrics, None, file, ("dr4", "optic"))
    assert found.cables == {UPLINK: AsBuilt(length_m=12.0, medium="dr4")}


def test_states_of_a_switch() -> None:
    found = resolved(**{"be-leaf-*": {"state": "dead"}, LEAF: {"state": "active"}, SPINE: {"state": "absent"}})
    assert found.devices == {"be-leaf-000": "dead", "be-leaf-001": "dead", "be-leaf-002": "dead", SPINE: "absent"}


def test_state_and_settings_in_one_override() -> None:
    found = resolved(**{LEAF: {"state": "drained", "mtu": 9100}, "train[3]": {"state": "absent"}})
    assert found.devices == {LEAF: "drained"}
    assert set(found.settings) == {LEAF}
    assert found.slots == {SlotKey("train", 3): "absent"}


@pytest.mark.parametrize(
    ("overrides", "code", "where", "fix"),
    [
        ({"backend": {"state": "drained"}}, "override-scope", ("backend", "state"),
         "name switches, e.g. with a glob"),
        ({"backend/spine": {"state": "drained"}}, "override-scope", ("backend/spine", "state"),
         "name switches, e.g. with a glob"),
        ({LEAF: {"length_m": 3}}, "override-scope", (LEAF, "length_m"),
         "name the link by a port at one of its ends: link:SWITCH/PORT"),
        ({f"{LEAF}/Ethernet1/1": {"bgp": {"bfd": True}}}, "override-scope", (f"{LEAF}/Ethernet1/1", "bgp", "bfd"),
         "sessions of a switch share their peer group: name the switch"),
        ({f"link:{LEAF}/Ethernet40/1": {"description": "x"}}, "override-scope",
         (f"link:{LEAF}/Ethernet40/1", "description"), "name a port"),
        ({"train[3]": {"mtu": 9000}}, "override-scope", ("train[3]", "mtu"),
         "name a fabric, role, device, port or link"),
        ({"fe-leaf-000": {"server_ports": {"multihoming": "active-backup"}}}, "override-scope",
         ("fe-leaf-000", "server_ports", "multihoming"),
         "both leaves of a server need the same value: name the fabric or the role"),
        ({"frontend": {"roce": {"alpha": "2"}}}, "override-meaningless", ("frontend", "roce", "alpha"),
         "remove it, or name switches that have it"),
        ({"be-spine-00": {"server_ports": {"bpdu_guard": False}}}, "override-meaningless",
         ("be-spine-00", "server_ports", "bpdu_guard"), "remove it, or name switches that have it"),
        ({"backend/spine": {"management": {"sflow": {"sample": 4096}}}}, "override-meaningless",
         ("backend/spine", "management", "sflow", "sample"), "remove it, or name switches that have it"),
        ({"fe-leaf-000/Ethernet1/1": {"mtu": 9000}}, "override-meaningless", ("fe-leaf-000/Ethernet1/1", "mtu"),
         "remove it, or name a port that has it"),
        ({"fe-spine-00/Ethernet1/1": {"headroom_octets": 9000}}, "override-meaningless",
         ("fe-spine-00/Ethernet1/1", "headroom_octets"), "remove it, or name a port that has it"),
        ({"be-leaf-*1": {"mtu": 9000}, "be-leaf-00*": {"mtu": 9001}}, "override-clash", ("be-leaf-00*", "mtu"),
         None),
        ({f"link:{LEAF}/{UPLINK.port}": {"mtu": 9000}, f"link:{SPINE}/{FAR.port}": {"mtu": 9001}}, "override-clash",
         (f"link:{SPINE}/{FAR.port}", "mtu"), None),
        ({f"link:{LEAF}/{UPLINK.port}": {"state": "dead"}, f"link:{SPINE}/{FAR.port}": {"state": "drained"}},
         "override-clash", (f"link:{SPINE}/{FAR.port}",), None),
        ({"backend/spin": {"mtu": 9000}}, "unknown-name", ("backend/spin",), "did you mean spine?"),
        ({"bakend": {"mtu": 9000}}, "unknown-name", ("bakend",), "did you mean backend?"),
        ({"link:be-leaf-909/Ethernet1/1": {"mtu": 9000}}, "unknown-name", ("link:be-leaf-909/Ethernet1/1",), None),
        ({f"link:{LEAF}/Ethernet99/1": {"mtu": 9000}}, "unknown-port", (f"link:{LEAF}/Ethernet99/1",), None),
        ({"link:be-spine-00/Ethernet60/1": {"mtu": 9000}}, "no-cable", ("link:be-spine-00/Ethernet60/1",), None),
        ({"be-spine-00/Ethernet60/1": {"mtu": 9000}}, "no-cable", ("be-spine-00/Ethernet60/1",), None),
        ({LEAF: {"os": "sonic-202405"}}, "model-system", (LEAF, "os"), None),
    ],
)  # fmt: skip
def test_a_refused_setting(overrides: dict[str, object], code: str, where: tuple[str, ...], fix: str | None) -> None:
    problems = refused(**overrides)
    assert [(problem.code, problem.where) for problem in problems] == [(code, ("overrides", *where))]
    assert problems[0].what and problems[0].why and problems[0].fix  # noqa: PT018
    assert fix is None or problems[0].fix == fix


def test_a_medium_is_one_of_the_library() -> None:
    intent = demo(overrides={f"link:{LEAF}/{UPLINK.port}": {"medium": "optik"}})
    with pytest.raises(FabricError) as caught:
        resolve_inputs(intent, demo_plan().fabrics, None, None, ("dac", "optic"))
    (problem,) = caught.value.problems
    assert (problem.code, problem.fix) == ("unknown-name", "did you mean optic?")


@pytest.mark.parametrize("path", sorted(REFUSED))
def test_what_no_part_has_of_its_own_is_refused_with_the_reason(path: tuple[str, ...]) -> None:
    value: Any = 1
    for key in reversed(path):
        value = {key: value}
    (problem,) = overrides_allowed(demo(overrides={LEAF: value}))
    assert (problem.code, problem.where) == ("override-refused", ("overrides", LEAF, *path))
    assert (problem.why, problem.fix) == REFUSED[path]


def test_an_override_that_says_nothing_is_refused() -> None:
    empty: tuple[dict[str, object], ...] = ({}, {"bgp": {}}, {"roce": {"watchdog": {}}})
    for value in empty:
        (problem,) = rules(demo(overrides={LEAF: value}))
        assert (problem.code, problem.where) == ("override-empty", ("overrides", LEAF))


def test_every_key_has_its_scopes_or_its_refusal() -> None:
    for name in Override.model_fields:
        assert ((name,) in SCOPES) != ((name,) in REFUSED), name


@pytest.mark.parametrize(
    ("lines", "code", "place", "fix"),
    [
        ("be-leaf-003: {mtu: 17000}", "out-of-range", (2, 22), "write 68 to 16000 octets"),
        ("be-leaf-003: {mtuu: 9000}", "unknown-key", (2, 17), "did you mean mtu?"),
        ("be-leaf-003: {roce: {watchdog: {detect: 9}}}", "unknown-key", (2, 35), "did you mean detect_ms?"),
        ("be-leaf-003: {roce: {watchdog: {detect_ms: 1}}}", "out-of-range", (2, 46), "write 10 milliseconds or more"),
        ("be-leaf-003: {roce.watchdog.detect_ms: 9}", "unknown-key", (2, 17),
         "nest the keys: roce: {watchdog: {detect_ms: ...}}"),
        ("be-leaf-003: {rocee.watchdog: 9}", "unknown-key", (2, 17), None),
        ("be-leaf-003: {load_balancing: dlb}", "bad-choice", (2, 33), None),
        ("be-leaf-003: {mtu: null}", "wrong-type", (2, 22), None),
        ("be-leaf-003: {fec: rs}", "bad-choice", (2, 22), "choose one of fc-fec, none, rs-fec"),
    ],
)  # fmt: skip
def test_types_and_limits_are_those_of_the_fabric_block(
    lines: str, code: str, place: tuple[int, int], fix: str | None
) -> None:
    from fabricgen.intent.overlay import Overlay  # noqa: PLC0415 - the smallest document with overrides

    with pytest.raises(FabricError) as caught:
        validate(Overlay, load_document(f"overlay: 1\noverrides:\n  {lines}\n", "i"))
    (problem,) = caught.value.problems
    assert problem.at is not None
    assert (problem.code, (problem.at.line - 1, problem.at.column)) == (code, place)
    assert fix is None or problem.fix == fix


def test_the_limits_are_the_models_own() -> None:
    with pytest.raises(ValidationError):
        Override.model_validate({"bgp": {"keepalive_seconds": 61}})
    assert [leaf.path for leaf in leaves(Override.model_validate({"bgp": {"bfd": True}, "state": "dead"}))] == [
        ("bgp", "bfd")
    ]


@pytest.mark.parametrize("selector", ["link:be-leaf-001/Ethernet5[7-9]/1", "be-leaf-001/Ethernet*", "be-*/Ethernet?/1"])
def test_wildcards_stand_in_the_name_of_the_switch_only(selector: str) -> None:
    (problem,) = refused(**{selector: {"description": "x"} if "link" not in selector else {"length_m": 9}})
    assert (problem.code, problem.where) == ("unknown-port", ("overrides", selector))
    assert "wildcards are allowed in the name of the switch only" in problem.what
    assert problem.fix == f"write one selector for each port, e.g. be-leaf-00{int('001' in selector)}/Ethernet1/1"
