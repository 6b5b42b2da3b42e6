"""Counters and maintenance of EOS: their forms, which were not recorded, with their sources.

ANTA is Arista's own test catalog, github.com/aristanetworks/anta at 68667e0: its tests' inputs (tests/units/anta_tests)
and the paths it reads (anta/tests, get_value_by_range_key of anta/tools.py).
"""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.eos.live import reader as eos
from fabricgen.state.state import LINKS, MARKS, QUEUE_DROPS, Drops, LinkCounters, PortCounters
from tests.live.eos_shown import REFUSED, of, shown
from tests.some import rounds

TIMED_OUT = Output(None, "timed out")
OTHER = Output({"something": "else"})
NO_PORTS = Output({"egressQueueCounters": {"interfaces": {}}})


def fixed(**classes: int) -> object:
    """`show interfaces counters queue detail` with these unicast drops on one port."""
    rows = {name.replace("_", "-"): {"dropPrecedences": {"DP0": {"droppedPackets": n}}} for name, n in classes.items()}
    return {"egressQueueCounters": {"interfaces": {"Ethernet1/1": {"ucastQueues": {"trafficClasses": rows}}}}}


def virtual(**classes: tuple[int, int]) -> object:
    """`show interfaces counters queue drops` with these drops, ingress and egress, on one port."""
    sides = ("ingressVoqCounters", "egressQueueCounters")
    rows = {
        name: {side: {"countersSum": {"droppedPackets": n}} for side, n in zip(sides, both, strict=True)}
        for name, both in classes.items()
    }
    return {"interfaces": {"Ethernet1/1": {"trafficClasses": rows}}}


def ecn(queues: Mapping[str, object]) -> object:
    """`show qos interfaces ecn counters queue` of one port."""
    return {"intfQueueCounters": {"Ethernet1/1": {"queueCounters": queues}}}


def dropped(command: str, value: object) -> tuple[Drops, ...]:
    """Drops of the one port."""
    (port,) = of(command, value).counters or ()
    return port.dropped


def test_counters_of_a_fixed_switch() -> None:
    """VerifyInterfacesPFCCounters, ECNCounters ("-": not configured), EgressQueueDrops ("success-all-modular")."""

    def queue(drops: int) -> object:
        return {"dropPrecedences": {"DP0": {"droppedPackets": drops}, "DP1": {"droppedPackets": 1}}}

    ports = {
        "Ethernet1/1": {
            "ucastQueues": {"trafficClasses": {"TC0": queue(0), "TC3": queue(5)}},
            "mcastQueues": {"trafficClasses": {"TC3": queue(2)}},
        }
    }
    outputs = {
        eos.PFC: Output({"interfaceCounters": {"Ethernet1/1": {"rxFrames": 7, "txFrames": 9}}}),
        eos.ECN: Output({"intfQueueCounters": {"Ethernet2/1": {"queueCounters": {"0": "-", "1": "0", "3": "12"}}}}),
        eos.FIXED_DROPS: Output({"egressQueueCounters": {"interfaces": ports}}),
        eos.VIRTUAL_DROPS: REFUSED,
    }
    found = shown(outputs)
    assert found.counters == (
        PortCounters("Ethernet1/1", 7, 9, (), (Drops((0,), 1), Drops((3,), 9))),
        PortCounters("Ethernet2/1", -1, -1, ((0, None), (1, 0), (3, 12)), ()),
    )
    assert not {MARKS, QUEUE_DROPS} & set(found.unread)


def test_counters_of_links() -> None:
    """ANTA's tests of VerifyInterfaceErrors, and DNE-TaaC's check of the watchdog: what had no event is not in it."""

    def port(changes: int, fcs: int) -> object:
        detail = {"runtFrames": 0, "rxPause": 0, "fcsErrors": fcs, "alignmentErrors": 0, "giantFrames": 0}
        return {"interfaceCounters": {"linkStatusChanges": changes, "inputErrorsDetail": detail, "inOctets": 9}}

    rows = {"Ethernet1/1": port(4, 2), "Ethernet2/1": port(0, 0), "Loopback0": {}, "Ethernet3/1": {}}
    stuck = {"Ethernet2/1": {"txQueues": {"2": {"stuckCount": 3, "recoveryCount": 3}, "3": {"stuckCount": 1}}}}
    outputs = {eos.INTERFACES: Output({"interfaces": rows}), eos.WATCHDOG: Output({"interfaces": stuck})}
    assert shown(outputs).links == (
        LinkCounters("Ethernet1/1", flaps=4, crc=2, watchdog=0),
        LinkCounters("Ethernet2/1", flaps=0, crc=0, watchdog=4),
        LinkCounters("Ethernet3/1", watchdog=0),
    )
    refused = shown({**outputs, eos.WATCHDOG: REFUSED})
    assert [one.watchdog for one in refused.links or ()] == [None] * 3
    assert "refused" in refused.unread[LINKS["watchdog"]]


def test_counters_of_virtual_output_queues() -> None:
    """VerifyInterfacesVoqAndEgressQueueDrops."""
    assert dropped(eos.VIRTUAL_DROPS, virtual(TC0=(0, 0), TC3=(4, 5))) == (Drops((0,), 0), Drops((3,), 9))


def test_several_classes_with_one_counter_stay_together() -> None:
    """EgressQueueDrops, "success-traffic-claas-and-dp-range"; VoqAndEgress…, "success-range-of-traffic-class"."""
    assert dropped(eos.FIXED_DROPS, fixed(TC0_2=7, TC3=0)) == (Drops((0, 1, 2), 7), Drops((3,), 0))


def test_a_port_that_both_commands_show_has_the_larger_count() -> None:
    outputs = {
        eos.FIXED_DROPS: Output(fixed(TC3=2, TC4=9)),
        eos.VIRTUAL_DROPS: Output(virtual(TC3=(5, 1), TC4=(0, 0))),
    }
    (port,) = shown(outputs).counters or ()
    assert port.dropped == (Drops((3,), 6), Drops((4,), 9))


@pytest.mark.parametrize("name", ["TC8", "TC", "TC2_1", "TC0_99", "3", "TC-1", "TC²"])
def test_what_is_no_class(name: str) -> None:
    found = shown({eos.ECN: Output(ecn({"3": "0"})), eos.FIXED_DROPS: Output(fixed(**{name: 0}))})
    assert "a traffic class that is none" in found.unread[QUEUE_DROPS]
    assert found.counters == (PortCounters("Ethernet1/1", -1, -1, ((3, 0),), ()),)


@pytest.mark.parametrize("packets", ["", "--", "n/a", "-1", -1, None, True, [], "1.5"])
def test_what_is_no_count_of_marks(packets: object) -> None:
    """And it is neither `not configured` nor a number."""
    found = shown({eos.ECN: Output(ecn({"3": packets})), eos.FIXED_DROPS: Output(fixed(TC3=0))})
    assert "queueCounters" in found.unread[MARKS]
    assert found.counters == (PortCounters("Ethernet1/1", -1, -1, (), (Drops((3,), 0),)),)


def test_fewer_than_no_drops_are_no_count() -> None:
    """In either form."""
    for command, value in ((eos.FIXED_DROPS, fixed(TC3=-1)), (eos.VIRTUAL_DROPS, virtual(TC3=(2, -1)))):
        found = shown({eos.ECN: Output(ecn({})), command: Output(value)})
        assert "droppedPackets" in found.unread[QUEUE_DROPS]


def test_a_queue_that_is_named_twice_is_no_error() -> None:
    (port,) = of(eos.ECN, ecn({"3": "-", "03": "5"})).counters or ()
    assert [queue for queue, _ in port.ecn_marked] == [3]


@pytest.mark.parametrize(
    ("outputs", "unread"),
    [
        # a chip has one form of drops and refuses the other
        ({eos.ECN: REFUSED, eos.FIXED_DROPS: REFUSED, eos.VIRTUAL_DROPS: REFUSED}, set()),
        ({eos.ECN: Output(ecn({})), eos.FIXED_DROPS: REFUSED, eos.VIRTUAL_DROPS: TIMED_OUT}, {QUEUE_DROPS}),
        ({eos.ECN: Output(ecn({})), eos.FIXED_DROPS: NO_PORTS, eos.VIRTUAL_DROPS: TIMED_OUT}, {QUEUE_DROPS}),
        ({eos.ECN: Output(ecn({})), eos.FIXED_DROPS: OTHER, eos.VIRTUAL_DROPS: REFUSED}, {QUEUE_DROPS}),
        ({eos.ECN: TIMED_OUT, eos.FIXED_DROPS: Output(fixed(TC3=0)), eos.VIRTUAL_DROPS: TIMED_OUT}, {MARKS}),
        ({eos.ECN: TIMED_OUT, eos.FIXED_DROPS: REFUSED, eos.VIRTUAL_DROPS: REFUSED}, {MARKS}),
        ({eos.ECN: OTHER, eos.FIXED_DROPS: OTHER, eos.VIRTUAL_DROPS: REFUSED}, {"counters"}),
        ({eos.PFC: OTHER, eos.ECN: Output(ecn({})), eos.FIXED_DROPS: Output(fixed())}, set()),
    ],
)
def test_what_failed_is_told_and_what_was_refused_is_nothing(outputs: Mapping[str, Output], unread: set[str]) -> None:
    """Pause frames are not judged, so that nothing depends on their command."""
    found = shown(outputs)
    assert {MARKS, QUEUE_DROPS, "counters"} & set(found.unread) == unread
    assert (found.counters is None) == (unread == {"counters"})


@pytest.mark.parametrize("model", ["cEOSLab", "vEOS-lab", "cEOSCloudLab", "vEOS"])
def test_a_switch_without_a_chip_counts_nothing(model: str) -> None:
    """Whatever it shows: ANTA skips its tests there (skip_on_platforms)."""
    counts = {eos.ECN: Output(ecn({"3": "0"})), eos.FIXED_DROPS: Output(fixed(TC3=0))}
    version = {"version": "4.34.2F", "modelName": model}
    assert shown({**counts, eos.VERSION: Output(version)}).counters == ()
    assert shown({**counts, eos.VERSION: Output(version | {"modelName": "DCS-7060X6-64PE-F"})}).counters != ()


NUMBERS = st.none() | st.integers() | st.floats() | st.sampled_from(["-", "0", "7", "03", "TC3", "TC0-2", "TC2-0"])
NAMES = st.sampled_from(["TC3", "TC0-7", "TC9", "3", "03", "-", "units", "state", "interfaces", "Ethernet1/1"])
FIELDS = st.sampled_from(
    ["intfQueueCounters", "queueCounters", "egressQueueCounters", "ucastQueues", "trafficClasses", "dropPrecedences"]
) | st.sampled_from(["DP0", "droppedPackets", "ingressVoqCounters", "countersSum", "interfaceCounters", "rxFrames"])
JUNK = st.recursive(NUMBERS, lambda inner: st.dictionaries(NAMES | FIELDS, inner, max_size=4) | st.lists(inner))


@rounds(100)
@given(st.dictionaries(st.sampled_from([eos.PFC, eos.ECN, eos.FIXED_DROPS, eos.VIRTUAL_DROPS, eos.MAINTENANCE]), JUNK))
def test_any_value(values: Mapping[str, object]) -> None:
    """Understood, or None with the reason."""
    found = shown({command: Output(value) for command, value in values.items()})
    assert (found.counters is None) == bool(found.unread.get("counters"))
    assert (found.maintenance is None) == bool(found.unread.get("maintenance"))


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(["0", "3", "03", "x"]), NUMBERS))
def test_any_marks(queues: Mapping[str, object]) -> None:
    found = shown({eos.ECN: Output(ecn(queues)), eos.FIXED_DROPS: Output(fixed(TC3=0))})
    (port,) = found.counters or ()
    assert bool(found.unread.get(MARKS)) or {queue for queue, _ in port.ecn_marked} == set(map(int, queues))


def unit(state: str) -> dict[str, object]:
    """One of VerifyMaintenance's units."""
    return {"state": state, "adminState": state, "onBootMaintenance": False, "intfsViolatingTrafficThreshold": False}


@pytest.mark.parametrize(
    ("units", "wanted"),
    [
        ({}, ()),
        ({"System": unit("active"), "mlag": unit("active")}, ()),
        ({"System": unit("active"), "mlag": unit("underMaintenance")}, ("unit mlag: underMaintenance",)),
        (
            {"mlag": unit("underMaintenance"), "System": unit("maintenanceModeEnter")},
            ("unit System: maintenanceModeEnter", "unit mlag: underMaintenance"),
        ),
    ],
)
def test_units_under_maintenance(units: Mapping[str, object], wanted: tuple[str, ...]) -> None:
    """ANTA test_system.py, VerifyMaintenance: none configured, not enabled, enabled, multiple reasons."""
    assert of(eos.MAINTENANCE, {"units": units, "interfaces": {}, "vrfs": {}}).maintenance == wanted


@pytest.mark.parametrize("value", [{}, {"units": []}, {"units": {"System": "active"}}, {"units": {"System": {}}}, []])
def test_maintenance_in_another_form_is_unread(value: object) -> None:
    found = of(eos.MAINTENANCE, value)
    assert found.maintenance is None
    assert eos.MAINTENANCE in found.unread["maintenance"]


def test_a_release_without_maintenance_refuses_to_show_it() -> None:
    found = shown({eos.MAINTENANCE: REFUSED})
    assert found.maintenance is None
    assert "maintenance" not in found.unread
