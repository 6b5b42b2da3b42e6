"""What an override does to switches: to those that it names and to the far ends of their cables, and to no others."""

from functools import cache
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.checks.catalogue import examine
from fabricgen.checks.engine.waivers import CheckVerdict
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.intent.overrides import Override
from fabricgen.intent.rules import rules
from fabricgen.plan.cabling import cables
from fabricgen.plan.fabric import name_of, places
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.render.keys import Keys
from fabricgen.render.render import Renderer
from fabricgen.render.tree import count_devices
from fabricgen.resolve.device import devices
from fabricgen.verify.expect.derive import expectations
from tests.plan_inputs.sites import demo, demo_plan, planned

LEAF = "be-leaf-003"
UPLINK = ("be-leaf-003", "Ethernet40/1"), ("be-spine-02", "Ethernet14/5")


def plan_of(overrides: dict[str, Any], **keys: object) -> Plan:
    made = planned(demo(overrides=overrides, **keys))
    return with_exceptions(made, resolve_inputs(made.intent, made.fabrics))


def fleet(overrides: dict[str, Any]) -> dict[str, Device]:
    return {device.name: device for device in devices(plan_of(overrides))}


@cache
def base() -> dict[str, Device]:
    return {device.name: device for device in devices(demo_plan())}


def changed(overrides: dict[str, Any]) -> set[str]:
    now = fleet(overrides)
    return {name for name, device in base().items() if now.get(name) != device}


def peers(name: str) -> set[str]:
    """Switches at the far ends of a switch's cables."""
    return {row.peer for row in base()[name].interfaces.ethernet} & base().keys()


def keys_of(plan: Plan) -> dict[str, str]:
    keys = Keys(plan)
    return {
        name_of(fabric, place): keys.of(fabric, place).files
        for fabric in plan.fabrics.values()
        for place in places(fabric)
    }


def test_switches_that_are_absent_are_not_counted() -> None:
    gone: dict[str, Any] = {"be-leaf-003": {"state": "absent"}, "fe-leaf-00[12]": {"state": "absent"}}
    for one in ({}, gone, {"be-spine-01": {"state": "drained"}}):
        assert count_devices(plan_of(one)) == len(fleet(one))


def port(device: Device, name: str) -> Ethernet:
    return next(row for row in device.interfaces.ethernet if row.name == name)


NAMES = sorted(base())
SETTINGS: tuple[dict[str, Any], ...] = (
    {"mtu": 9100},
    {"bgp": {"hold_seconds": 30}},
    {"bgp": {"bfd": True}},
    {"load_balancing": "dlb-per-packet"},
    {"management": {"ntp": ["10.0.0.77"]}},
    {"os": "eos-4.34.9"},
)
STATES: tuple[dict[str, Any], ...] = ({"state": "drained"}, {"state": "dead"}, {"state": "absent"})


@st.composite
def overrides(draw: st.DrawFn) -> tuple[dict[str, Any], set[str], set[str]]:
    """An override, the switches that it must change, and those that it may."""
    kind = draw(st.sampled_from(("device", "state", "port", "link")))
    name = draw(st.sampled_from(NAMES))
    if kind == "device":
        return {name: draw(st.sampled_from(SETTINGS))}, {name}, {name}
    if kind == "state":
        return {name: draw(st.sampled_from(STATES))}, {name}, {name} | peers(name)
    rows = [row for row in base()[name].interfaces.ethernet if row.profile.role in ("uplink", "downlink")]
    row = draw(st.sampled_from(rows))
    if kind == "port":
        return {f"{name}/{row.name}": {"mtu": 9050, "description": "loaner"}}, {name}, {name}
    what = draw(st.sampled_from(({"mtu": 9050}, {"state": "dead"}, {"state": "absent"}, {"state": "drained"})))
    return {f"link:{name}/{row.name}": what}, {name, row.peer}, {name, row.peer}


@settings(max_examples=15, deadline=None)
@given(overrides())
def test_an_override_touches_what_it_names_and_the_far_ends_of_its_cables(
    drawn: tuple[dict[str, Any], set[str], set[str]],
) -> None:
    written, least, most = drawn
    found = changed(written)
    assert least <= found <= most
    # The keys of an incremental render move wherever a switch does, and stay wherever none of its neighbors is named.
    before, after = keys_of(demo_plan()), keys_of(plan_of(written))
    moved = {name for name, key in after.items() if before[name] != key}
    assert found <= moved
    assert moved <= most.union(*(peers(name) for name in most)) | mates(most)


def mates(names: set[str]) -> set[str]:
    """Other leaves of a frontend: a unit has two, and a drain of one is seen by the other."""
    return {name for name in base() if name.startswith("fe-leaf") and names & base().keys()}


@pytest.mark.parametrize(("state", "is_shut"), [("dead", False), ("absent", True)])
def test_the_help_of_state_says_whose_ports_are_shut(state: str, *, is_shut: bool) -> None:
    (leaf, _), (spine, far) = UPLINK
    port = next(row for row in fleet({leaf: {"state": state}})[spine].interfaces.ethernet if row.name == far)
    assert port.enabled is not is_shut
    said = next(
        text for text in (Override.model_fields["state"].description or "").split("; ") if text.startswith(f"{state}:")
    )
    assert ("shut" in said) == is_shut


def test_a_role_and_a_fabric() -> None:
    assert changed({"backend/spine": {"bgp": {"bfd": True}}}) == {f"be-spine-0{n}" for n in range(4)}
    assert changed({"frontend": {"mtu": 9100}}) == {name for name in base() if name.startswith("fe-")}


def test_segments_of_some_leaves_are_known_to_every_end_of_a_tunnel() -> None:
    """Border leaves have none of their own. An override may bring them to a role; keys move with the switches."""
    fabrics = demo().model_dump(mode="json", exclude_unset=True)["fabrics"]
    fabrics["frontend"]["server_ports"] = {"multihoming": "active-backup", "lacp_fallback": False}
    role = {"frontend/leaf": {"server_ports": {"multihoming": "evpn-esi"}}}

    def told(plan: Plan) -> dict[str, bool]:
        return {device.name: device.evpn.multihomed for device in devices(plan) if device.evpn is not None}

    without, some = plan_of({}, fabrics=fabrics), plan_of(role, fabrics=fabrics)
    names = {name for name in base() if name.startswith(("fe-leaf", "fe-border"))}
    assert told(without) == dict.fromkeys(names, False)
    assert told(some) == told(demo_plan()) == dict.fromkeys(names, True)
    before, after = keys_of(without), keys_of(some)
    assert {name for name in names if before[name] == after[name]} == set()


def test_each_setting_is_on_the_switch() -> None:
    own = fleet(
        {
            LEAF: {
                "os": "eos-4.34.1",
                "bgp": {"hold_seconds": 30, "bfd": True},
                "roce": {"watchdog": {"detect_ms": 300}, "alpha": "2"},
                "load_balancing": "dlb-per-packet",
                "management": {"domain": "lab.example", "ntp": ["10.0.0.77"]},
            },
            "fe-leaf-000": {"server_ports": {"storm_control": {"broadcast_percent": 9}, "uplink_tracking": False}},
            "fe-leaf-001/Ethernet1/1": {"server_ports": {"bpdu_guard": False}},
        }
    )
    leaf = own[LEAF]
    assert (leaf.system, leaf.version) == ("eos", "4.34.1")
    assert leaf.routing.bgp.hold_seconds == 30
    assert all(group.bfd for group in leaf.routing.bgp.groups)
    assert leaf.qos is not None
    assert (leaf.qos.watchdog.detect_ms, leaf.qos.alpha) == (300, "2")
    assert leaf.load_balancing.mode == "dlb-per-packet"
    assert (leaf.management.domain, leaf.management.ntp) == ("lab.example", ("10.0.0.77",))
    rows = own["fe-leaf-000"].interfaces.ethernet
    assert {row.switching.broadcast_percent for row in rows if row.switching} == {9}
    assert {row.profile.tracking for row in rows} == {""}
    other = own["fe-leaf-001"]
    guards = {row.name: row.switching.bpdu_guard for row in other.interfaces.ethernet if row.switching}
    assert [name for name, guard in guards.items() if not guard] == ["Ethernet1/1"]


def test_a_port_has_a_profile_of_its_own_and_its_neighbors_keep_theirs() -> None:
    (leaf, name), (spine, far) = UPLINK
    now = fleet({f"link:{leaf}/{name}": {"mtu": 9050, "length_m": 100}, f"{leaf}/Ethernet1/1": {"description": "x"}})
    own, was = port(now[leaf], name), port(base()[leaf], name)
    assert (own.profile.mtu, own.length_m) == (9050, 100)
    assert own.profile.name != was.profile.name
    assert (port(now[spine], far).profile.mtu, port(now[spine], far).length_m) == (9050, 100)
    others = [row for row in now[leaf].interfaces.ethernet if row.name not in (name, "Ethernet1/1")]
    assert others == [row for row in base()[leaf].interfaces.ethernet if row.name not in (name, "Ethernet1/1")]
    assert port(now[leaf], "Ethernet1/1").description == "x"
    assert port(now[leaf], "Ethernet1/1").profile == port(base()[leaf], "Ethernet1/1").profile


def test_headroom_of_a_port_is_a_row_of_the_chips_plan() -> None:
    leaf = fleet({f"{LEAF}/Ethernet1/1": {"headroom_octets": 700_000}})[LEAF]
    assert port(leaf, "Ethernet1/1").headroom_octets == 700_000
    assert leaf.qos is not None
    own = next(row for row in leaf.qos.headroom if row.basis == "override")
    assert (own.octets, own.ports, own.cells) == (700_000, 1, -(-700_000 // 254))  # the chip's cell is 254 octets
    assert leaf.qos.headroom_octets == 700_000


FEC_LINES = {"rs-fec": ["error-correction encoding reed-solomon"], "fc-fec": ["error-correction encoding fire-code"],
             "none": ["no error-correction encoding"]}  # fmt: skip


@pytest.mark.parametrize("fec", sorted(FEC_LINES))
def test_fec_of_a_port_is_a_line_of_its_own(fec: str) -> None:
    """Lines: pyavd 6.4.0, eos_cli_config_gen/ethernet-interfaces.j2."""
    leaf = fleet({f"{LEAF}/Ethernet1/1": {"fec": fec}})[LEAF]
    text = next(file.text for file in Renderer().render(leaf))
    block = text.split("\ninterface Ethernet1/1\n")[1].split("!")[0]
    assert [line.strip() for line in block.splitlines() if "error-correction" in line] == FEC_LINES[fec]


def test_fec_in_the_words_of_ifupdown2() -> None:
    """Values: ifupdown2 3.0.0, addons/ethtool.py."""
    words = {"rs-fec": "rs", "fc-fec": "baser", "none": "off"}
    for fec, word in words.items():
        leaf = fleet({LEAF: {"os": "frr-8.4"}, f"{LEAF}/swp1s0": {"fec": fec}})[LEAF]
        text = "".join(file.text for file in Renderer().render(leaf))
        block = text.split("iface swp1s0\n")[1].split("\n\n")[0]
        assert [line.split() for line in block.splitlines() if "link-fec" in line] == [["link-fec", word]]


def test_an_absent_switch_has_no_configuration_and_shut_far_ends() -> None:
    now = fleet({LEAF: {"state": "absent"}})
    assert LEAF not in now
    for spine in sorted(peers(LEAF)):
        rows = [row for row in now[spine].interfaces.ethernet if row.peer == LEAF]
        assert rows
        assert not any(row.enabled or row.dead for row in rows)
        assert not [one for one in now[spine].routing.bgp.neighbors if one.description.startswith(f"{LEAF} ")]
    rest = now.keys() - peers(LEAF)
    assert {name: now[name] for name in rest} == {name: base()[name] for name in rest}
    assert LEAF not in {end.device for cable in cables(plan_of({LEAF: {"state": "absent"}})) for end in cable[2:4]}


def test_a_dead_switch_changes_no_line_of_any() -> None:
    """It keeps its configuration for the box that replaces it, and the far ends of its cables wait for that."""
    renderer = Renderer()
    now = fleet({LEAF: {"state": "dead"}, "link:be-leaf-001/Ethernet40/1": {"state": "dead"}})
    assert now[LEAF].state == "dead"
    assert {row.peer for row in now["be-spine-00"].interfaces.ethernet if row.dead} == {LEAF}
    for name, device in now.items():
        assert tuple(renderer.render(device)) == tuple(renderer.render(base()[name])), name


def test_cables_tell_what_is_dead() -> None:
    plan = plan_of({LEAF: {"state": "dead"}, "link:be-leaf-001/Ethernet40/1": {"state": "dead"}})
    dead = [cable for cable in cables(plan) if cable.state == "dead"]
    assert {LEAF in (cable.near.device, cable.far.device) for cable in dead} == {True, False}
    assert [cable.near.port for cable in dead if cable.near.device == "be-leaf-001"] == ["Ethernet40/1"]


def test_nothing_is_expected_of_what_is_dead() -> None:
    (leaf, name), (spine, far) = UPLINK
    alive = [d for d in fleet({LEAF: {"state": "dead"}}).values() if d.name != LEAF]
    (seen,) = (one for one in expectations(alive) if one.device == spine)
    down = {one.name for one in seen.interfaces if one.up is None}
    assert far in down
    assert len(down) == 16  # links of a pair in the demo
    assert {one.port for one in seen.adjacencies if one.dead} == down
    assert {one.far.system for one in seen.sessions if one.dead} == {leaf}
    assert not any(one.origin == leaf for one in seen.routes)
    one_cable = list(fleet({f"link:{leaf}/{name}": {"state": "dead"}}).values())
    (seen,) = (one for one in expectations(one_cable) if one.device == leaf)
    assert [one.name for one in seen.interfaces if one.up is None] == [name]
    assert {one.far for one in seen.sessions if one.dead} == {one.far for one in seen.sessions if one.far.port == far
                                                              and one.far.system == spine}  # fmt: skip
    assert all(name not in route.interfaces for route in seen.routes)
    assert any(route.interfaces for route in seen.routes)


def judged(written: dict[str, Any], *waivers: dict[str, str]) -> CheckVerdict:
    return examine(plan_of(written, waivers=list(waivers)))


def codes(written: dict[str, Any]) -> list[tuple[str, tuple[object, ...]]]:
    return [(problem.code, problem.where[:2]) for problem in judged(written).problems]


def test_settings_of_a_part_are_judged_as_those_of_a_fabric() -> None:
    assert codes({"backend": {"mtu": 9100}}) == []
    assert codes({"backend": {"mtu": 8000}})[0] == ("host-mtu", ("overrides", "backend"))
    assert codes({LEAF: {"bgp": {"hold_seconds": 5}}}) == [("hold-time", ("overrides", LEAF))]
    per_packet = codes({"backend/leaf": {"load_balancing": "dlb-per-packet"}})
    assert {where for _, where in per_packet} == {("overrides", "backend/leaf")}
    assert codes({LEAF: {"mtu": 9500}})[0] == ("switch-mtu", ("overrides", LEAF))
    assert codes({LEAF: {"os": "eos-4.99"}}) == [("unsupported-version", ("overrides", LEAF))]
    assert codes({LEAF: {"os": "eos-4.34.1"}}) == []
    assert {code for code, _ in codes({LEAF: {"os": "frr-8.4"}})} == {"platform-cannot"}


def test_ends_that_differ_are_told_with_the_override_that_makes_them() -> None:
    (leaf, name), (spine, far) = UPLINK
    assert codes({LEAF: {"mtu": 9100}}) == [("mtu-differs", ("overrides", LEAF))]
    assert codes({f"{spine}/{far}": {"mtu": 9100}}) == [("mtu-differs", ("overrides", f"{spine}/{far}"))]
    assert codes({f"link:{leaf}/{name}": {"mtu": 9100}}) == []
    assert codes({"backend/spine": {"bgp": {"bfd": True}}}) == [("bfd-differs", ("overrides", "backend/spine"))]
    assert codes({"backend": {"bgp": {"bfd": True}}}) == []


@pytest.mark.parametrize("far_mtu", [None, 9050])
def test_the_fix_for_a_port_s_mtu_works_as_printed(far_mtu: int | None) -> None:
    """A port's override wins over that of its cable: one for the cable beside it would change nothing."""
    (leaf, name), (spine, far) = UPLINK
    written: dict[str, Any] = {f"{leaf}/{name}": {"mtu": 9100}}
    written |= {f"{spine}/{far}": {"mtu": far_mtu}} if far_mtu else {}
    (problem,) = judged(written).problems
    removed, cable = problem.fix.split(", or remove it there and write overrides: ")
    assert removed == f"remove mtu from the override of {' and '.join(written)}"
    assert codes({}) == codes(yaml.safe_load(cable)) == []


def test_what_is_dead_or_absent_is_missing() -> None:
    for state in ("dead", "absent"):
        assert [code for code, _ in codes({"be-spine-01": {"state": state}})] == ["links-missing"]
        assert [code for code, _ in codes({LEAF: {"state": state}})] == ["rail-lost"]
        assert codes({LEAF: {"state": state}, "train[0-191]": {"state": "absent"}}) == []
        assert codes({"fe-leaf-000": {"state": state}}) == []  # servers have the other leaf of the unit
        both = {"fe-leaf-000": {"state": state}, "fe-leaf-001": {"state": state}}
        assert [code for code, _ in codes(both)] == ["rail-lost"]
        assert {code for code, _ in codes({"be-spine-*": {"state": state}})} == {"leaf-cut-off"}
        assert [code for code, _ in codes({"link:be-leaf-000/Ethernet33/1": {"state": state}})] == ["links-missing"]
    assert codes({"be-spine-01": {"state": "drained"}}) == []


def test_lines_of_ones_own_go_to_whom_they_name_in_their_order() -> None:
    lines = [
        {"system": "eos", "lines": ["a"]},
        {"system": "eos", "fabric": "backend", "lines": ["b"]},
        {"system": "eos", "role": "spine", "lines": ["c"]},
        {"system": "eos", "device": "be-leaf-00[12]", "lines": ["d"]},
        {"system": "frr", "device": LEAF, "lines": ["e"]},
        {"system": "eos", "fabric": "frontend", "role": "border-leaf", "lines": ["f"]},
    ]
    plan = plan_of({LEAF: {"os": "frr-8.4"}}, raw=lines)
    assert list(rules(plan.intent)) == []
    given = {one.name: ["".join(raw.lines) for raw in one.raw] for one in devices(plan)}
    assert given["be-leaf-000"] == ["a", "b"]
    assert given["be-leaf-001"] == ["a", "b", "d"]
    assert given[LEAF] == ["e"]
    assert given["be-spine-00"] == ["a", "b", "c"]
    assert given["fe-spine-00"] == ["a", "c"]
    assert given["fe-border-00"] == ["a", "f"]
    (wrong,) = rules(demo(raw=lines))
    assert (wrong.code, wrong.where) == ("raw-system", ("raw", 4, "system"))
    assert list(rules(demo(raw=[{"system": "eos", "role": "superspine", "lines": ["g"]}]))) == []
