"""Queues judged by their counters, and maintenance. What the outputs of a switch mean is tested with its driver."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from fabricgen.device.device import Device
from fabricgen.device.qos import ClassQueue, Ecn, Qos, QosProfile, Queue, Watchdog
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.eos.live.reader import ECN, EOS, FIXED_DROPS, MAINTENANCE, VERSION, VIRTUAL_DROPS
from fabricgen.resolve.device import devices
from fabricgen.state.state import MARKS, QUEUE_DROPS, Drops, PortCounters, State
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected, ExpectedQueues
from fabricgen.verify.expect.qos import queues
from fabricgen.verify.finding import Finding, SwitchVerdict
from fabricgen.verify.judge.device import judge
from fabricgen.verify.judge.rounds import _unread
from tests.lab.sites import DEMO, plan

BARE = Expected(
    device="leaf1",
    system="double",
    asn=0,
    router_id="",
    interfaces=(),
    adjacencies=(),
    sessions=(),
    bfd=(),
    routes=(),
    forbidden=(),
    vnis=(),
    evpn=(),
    qos=(),
    queues=(ExpectedQueues("p1", (4,), (3,)), ExpectedQueues("p2", (4,), (3,))),
)
"""Two ports: queue 4 marks, class 3 is lossless, as in a plan whose numbers differ."""

RIGHT = tuple(PortCounters(port, 5, 7, ((0, None), (4, 0)), (Drops((0,), 99), Drops((3,), 0))) for port in ("p1", "p2"))
"""Best effort neither marks nor keeps all its packets, ports pause and are paused: no fault of any."""


def qos(counters: tuple[PortCounters, ...] | None, unread: Mapping[str, str] | None = None) -> SwitchVerdict:
    """What is said of these counters."""
    verdict = judge(BARE, State(counters=counters, unread=unread or {}), lambda _, __: ())
    return replace(
        verdict,
        passed=tuple(pair for pair in verdict.passed if pair[0] == "qos"),
        unchecked=tuple(one for one in verdict.unchecked if one.check == "qos"),
    )


def words(found: Finding) -> tuple[str, ...]:
    return found.check, found.code, found.subject, found.problem, found.expected, found.actual, found.port


def test_queues_that_mark_and_lose_nothing_are_right() -> None:
    found = qos(RIGHT)
    assert (found.findings, found.unchecked) == ((), ())
    assert found.passed == (("qos", 4),)


def test_a_queue_without_marking() -> None:
    found = qos((RIGHT[0]._replace(ecn_marked=((3, 7), (4, None))), RIGHT[1]))
    assert [words(one) for one in found.findings] == [
        (
            "qos", "qos-ecn-off", "port p1", "has no ECN marking or no counter of it",
            "ECN on queue 4, with its counter", "queue 4 lacks one of them or both", "p1",
        )
    ]  # fmt: skip
    assert (found.passed, found.unchecked) == ((("qos", 3),), ())


def test_drops_of_the_lossless_class() -> None:
    found = qos((RIGHT[0], RIGHT[1]._replace(dropped=(Drops((3,), 12), Drops((4,), 5)))))
    assert [words(one) for one in found.findings] == [
        (
            "qos", "qos-lossless-drops", "port p2",
            "dropped packets of lossless class 3 since its counters were cleared", "no drops", "12 packets", "p2",
        )
    ]  # fmt: skip
    assert (found.passed, found.unchecked) == ((("qos", 3),), ())


def test_ports_with_the_same_fault_are_one_finding_and_the_worst_come_first() -> None:
    off = tuple(row._replace(ecn_marked=((4, None),)) for row in RIGHT)
    lossy = (off[0]._replace(dropped=(Drops((3,), 1),)), off[1]._replace(dropped=(Drops((3,), 20),)))
    found = qos(lossy)
    assert [(one.code, one.subject, one.actual, one.port) for one in found.findings] == [
        ("qos-ecn-off", "2 ports (p1, p2)", "queue 4 lacks one of them or both", ""),
        ("qos-lossless-drops", "2 ports (p2, p1)", "20 on p2, 1 on p1", ""),
    ]
    assert found.passed == ()


@pytest.mark.parametrize(
    ("row", "reasons"),
    [
        (
            PortCounters("p9", 0, 0, ((4, 0),), (Drops((3,), 0),)),
            (
                "the switch shows no counter of marks on 1 port: p1",
                "the switch shows no counter of drops of the lossless class on 1 port: p1",
            ),
        ),
        (RIGHT[0]._replace(ecn_marked=((3, 0),)), ("the switch shows no counter of marks on 1 port: p1",)),
        (
            RIGHT[0]._replace(dropped=(Drops((4,), 0),)),
            ("the switch shows no counter of drops of the lossless class on 1 port: p1",),
        ),
        (
            RIGHT[0]._replace(dropped=(Drops((0, 1, 2, 3), 6),)),
            (
                "cannot tell whether drops are of the lossless class: the counter includes other classes, "
                "and is not 0 on 1 port: p1",
            ),
        ),
    ],
)  # fmt: skip
def test_what_is_not_said_is_not_right(row: PortCounters, reasons: tuple[str, ...]) -> None:
    found = qos((row, RIGHT[1]))
    assert found.findings == ()
    assert tuple(one.reason for one in found.unchecked) == reasons
    assert found.passed == (("qos", 4 - len(reasons)),)


def test_classes_that_are_counted_together_and_lost_nothing_are_right() -> None:
    """None of them dropped; where one is told apart too (by its kind of queue), its own drops are its own."""
    together = RIGHT[0]._replace(dropped=(Drops((0, 1, 2, 3), 0),))
    assert qos((together, RIGHT[1])).passed == (("qos", 4),)
    apart = RIGHT[0]._replace(dropped=(Drops((0, 1, 2, 3), 4), Drops((3,), 2)))
    assert [one.actual for one in qos((apart, RIGHT[1])).findings] == ["2 packets"]


@pytest.mark.parametrize(
    ("part", "passed"), [("counters", ()), (MARKS, (("qos", 2),)), (QUEUE_DROPS, (("qos", 2),))]
)  # fmt: skip
def test_what_was_not_read_passes_nothing(part: str, passed: tuple[tuple[str, int], ...]) -> None:
    """The other half is judged all the same."""
    found = qos(None if part == "counters" else RIGHT, {part: "the command failed"})
    assert [one.reason for one in found.unchecked] == ["the command failed"]
    assert (found.findings, found.passed) == ((), passed)


def test_where_no_queue_is_planned_no_counter_is_missed() -> None:
    bare = replace(BARE, queues=())
    for counters in (None, (), RIGHT):
        verdict = judge(bare, State(counters=counters), lambda _, __: ())
        assert "qos" not in {*dict(verdict.passed), *(one.check for one in verdict.unchecked)}


ECN_ROW = Ecn(150000, 600000, 100)


def leaf_of(qos_plan: Qos, name: str = "be-leaf-000") -> Device:
    """The demo's leaf with other queues, under the names of its own profiles."""
    (leaf,) = (device for device in devices(plan(DEMO)) if device.name == name)
    assert leaf.qos is not None
    profiles = tuple(qos_plan.profiles[0]._replace(name=profile.name) for profile in leaf.qos.profiles)
    return leaf._replace(qos=qos_plan._replace(profiles=profiles))


def test_queues_of_the_demo() -> None:
    """Its marking plan has priority, class and queue 3; every port of a backend leaf is lossless."""
    leaf = next(device for device in devices(plan(DEMO)) if device.name == "be-leaf-000")
    (found,) = expectations((leaf,))
    assert len(found.queues) == 128
    assert {(one.marking, one.lossless) for one in found.queues} == {((3,), (3,))}
    assert not found.drained
    (drained,) = expectations((leaf._replace(state="drained"),))
    assert drained.drained


def test_a_class_is_found_by_its_queue_and_not_by_its_priority() -> None:
    """As Juniper's JVD has it: PFC priority 3 from queue 4, the CNP in queue 3; here class 5 goes into queue 4."""
    profile = QosProfile(
        name="x",
        speed_gbps=400,
        lossless_priorities=(3,),
        queues=(
            Queue(4, "roce", 95, 0, ECN_ROW),
            Queue(3, "cnp", 0, 10, None),
            Queue(0, "best-effort", 5, 0, None),
        ),
    )
    plan_of = Qos(
        marking="juniper",
        dscp_classes=(),
        class_queues=(ClassQueue(0, 0), ClassQueue(3, 3), ClassQueue(5, 4)),
        profiles=(profile,),
        headroom=(),
        headroom_octets=0,
        headroom_pool_octets=0,
        alpha="1",
        resume_octets=0,
        watchdog=Watchdog(200, 200, 100, "drop"),
    )
    assert {(one.marking, one.lossless) for one in queues(leaf_of(plan_of))} == {((4,), (5,))}
    lossy = plan_of._replace(profiles=(profile._replace(lossless_priorities=()),))
    assert {(one.marking, one.lossless) for one in queues(leaf_of(lossy))} == {((4,), ())}
    plain = profile._replace(lossless_priorities=(), queues=(Queue(0, "best-effort", 5, 0, None),))
    assert list(queues(leaf_of(plan_of._replace(profiles=(plain,))))) == []
    assert list(queues(leaf_of(plan_of)._replace(qos=None))) == []


def test_a_queue_that_is_not_told_to_count_shows_nothing_of_its_marks() -> None:
    """Its hardware file leaves the line out (templates/eos/NOTES.md), so that `-` says nothing of ECN."""
    leaf = next(device for device in devices(plan(DEMO)) if device.name == "be-leaf-000")
    mute = leaf.hardware._replace(spellings={**leaf.hardware.spellings, "ecn_count": "none"})
    assert {(one.marking, one.lossless) for one in queues(leaf._replace(hardware=mute))} == {((), (3,))}


SILENT = Output(None, "{'show x': 'Invalid command: \"show x\"'}")


def told(outputs: Mapping[str, Output]) -> tuple[SwitchVerdict, list[str]]:
    """Verdict on an EOS switch with the two ports, and what of it could not be read."""
    state = EOS.state(outputs, {})
    verdict = judge(BARE, state, EOS.drift)
    return verdict, [one.subject for one in _unread(verdict, state, EOS)]


def test_of_a_virtual_switch_nothing_is_right_or_wrong() -> None:
    """ANTA skips its tests of ECN and drops on vEOS and cEOS; one that refuses to count is no fault either."""
    drops = {"TC3": {"dropPrecedences": {"DP0": {"droppedPackets": 0}}}}
    zeros = {
        ECN: Output({"intfQueueCounters": {port: {"queueCounters": {"4": "-"}} for port in ("p1", "p2")}}),
        FIXED_DROPS: Output(
            {
                "egressQueueCounters": {
                    "interfaces": {p: {"ucastQueues": {"trafficClasses": drops}} for p in ("p1", "p2")}
                }
            }
        ),
        VIRTUAL_DROPS: SILENT,
    }
    for outputs in (
        zeros | {VERSION: Output({"version": "4.34.2F", "modelName": "cEOSLab"})},
        dict.fromkeys((ECN, FIXED_DROPS, VIRTUAL_DROPS), SILENT),
    ):
        verdict, unread = told(outputs)
        assert [one for one in verdict.findings if one.check == "qos"] == []
        assert "qos" not in dict(verdict.passed)
        assert [one.reason for one in verdict.unchecked if one.check == "qos"] == [
            "the switch shows no counter of marks on 2 ports: p1, p2",
            "the switch shows no counter of drops of the lossless class on 2 ports: p1, p2",
        ]
        assert not {"counters", MARKS, QUEUE_DROPS} & set(unread)
    real, _ = told(zeros)
    assert [one.code for one in real.findings if one.check == "qos"] == ["qos-ecn-off"]
    assert dict(real.passed)["qos"] == 2  # no drops of two ports


def test_a_command_that_failed_is_told_as_not_read() -> None:
    verdict, unread = told({ECN: Output(None, "timed out"), FIXED_DROPS: SILENT, VIRTUAL_DROPS: SILENT})
    assert MARKS in unread
    assert f"{ECN}: timed out" in {one.reason for one in verdict.unchecked}


def test_maintenance_that_nobody_planned() -> None:
    """By hand on the switch; one that the plan drains may be in it."""
    hit = State(maintenance=("unit System: underMaintenance",))

    def reachable(expected: Expected, state: State) -> tuple[list[tuple[str, ...]], int]:
        verdict = judge(expected, state, lambda _, __: ())
        return [words(one) for one in verdict.findings], dict(verdict.passed).get("reachable", 0)

    finding = (
        "reachable", "in-maintenance", "the switch", "is in maintenance mode, or entering it",
        "in service", "unit System: underMaintenance", "",
    )  # fmt: skip
    assert reachable(BARE, hit) == ([finding], 0)
    assert reachable(replace(BARE, drained=True), hit) == ([], 0)
    assert reachable(BARE, State(maintenance=())) == ([], 1)
    assert reachable(BARE, State()) == ([], 0)
    verdict, unread = told({MAINTENANCE: Output({"units": 3})})
    assert "maintenance" in unread
    assert f"{MAINTENANCE}: no table 'units'" in {one.reason for one in verdict.unchecked if one.check == "reachable"}
