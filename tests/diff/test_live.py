"""Lines that a switch runs otherwise than rendered: classes, facts where a table knows them, unknown where not."""

from functools import partial

import pytest

from fabricgen.diff.live import PlatformTables, Running, hunks, live_classes, worst_reached
from fabricgen.diff.model import Blast, Hunk
from fabricgen.platforms.base.cost import Cost, Risk
from fabricgen.platforms.base.live.line_kind import LineKind, kind_of
from fabricgen.platforms.base.live.reader import Drift
from tests.diff.samples import RAIL

PORT = ("interface Ethernet1",)
MTU = Cost("interface.mtu", Risk.HITLESS, Risk.TRAFFIC_LOSS, Risk.HITLESS, "a manual")
NAME = Cost("interface.description", Risk.NONE, Risk.NONE, Risk.NONE, "a manual")
QOS = Cost("interface.qos", Risk.HITLESS, Risk.HITLESS, Risk.SESSION_RESET, "a manual")
"""Two things of it, one that goes and one that comes, cannot be told from one that changes."""
LINES = (
    LineKind((r"interface \S+",), r"mtu \d+", "interface.mtu", "a manual"),
    LineKind((r"interface \S+",), r"description .*", "interface.description", "a manual"),
    LineKind((r"interface \S+",), r"qos \d+", "interface.qos", "a manual"),
    LineKind((r"interface \S+",), r"speed \d+", "interface.speed", "a manual"),
    LineKind((), r"model \S+", "device.model", "a manual"),
    LineKind((r"router bgp \d+",), r"mtu \d+", "interface.mtu", "a manual"),
)
SPEED = Cost("interface.speed", Risk.HITLESS, Risk.HITLESS, Risk.HITLESS, "a manual", lowered=Risk.TRAFFIC_LOSS)
"""Lines say no numbers: which way it goes is not known."""
MODEL = Cost("device.model", Risk.RELOAD, Risk.RELOAD, Risk.RELOAD, "a manual")
KNOWN = {"box": PlatformTables(partial(kind_of, LINES), {cost.kind: cost for cost in (MTU, NAME, QOS, SPEED, MODEL)})}


def running(device: str, *drifts: Drift) -> Running:
    return Running(device, "box", "config", drifts)


def has(line: str, section: tuple[str, ...] = PORT) -> Drift:
    return Drift(section, line, present=True)


def lacks(line: str, section: tuple[str, ...] = PORT) -> Drift:
    return Drift(section, line, present=False)


@pytest.mark.parametrize(
    ("drifts", "facts", "risk"),
    [
        ((has("mtu 1500"), lacks("mtu 9214")), ("interface.mtu changed",), Risk.TRAFFIC_LOSS),
        ((lacks("mtu 9214"),), ("interface.mtu added",), Risk.HITLESS),
        ((has("qos 1"), lacks("qos 2")), ("interface.qos changed",), Risk.SESSION_RESET),
        ((has("description x"),), ("interface.description removed",), Risk.NONE),
        (
            (has("description x"), lacks("priority-flow-control on")),
            ("lines whose cost is unknown", "interface.description removed"),
            Risk.UNKNOWN,
        ),
        ((lacks("mtu 9214", ()),), ("lines whose cost is unknown",), Risk.UNKNOWN),
        ((has("speed 100"), lacks("speed 400")), ("interface.speed changed",), Risk.TRAFFIC_LOSS),
        ((lacks("model x", ()), lacks("x")), ("lines whose cost is unknown", "device.model added"), Risk.RELOAD),
    ],
)
def test_a_fact_is_named_only_where_the_table_knows_the_line(
    drifts: tuple[Drift, ...], facts: tuple[str, ...], risk: Risk
) -> None:
    (found,) = live_classes((running("a", *drifts),), KNOWN, lambda _: RAIL)
    assert (found.kinds, found.risk) == (facts, risk)


def test_switches_with_the_same_lines_are_one_class_and_the_worst_comes_first() -> None:
    harmless = has("description x")
    found = live_classes(
        (running("a", harmless), running("b", harmless), running("c", lacks("x")), running("d")),
        KNOWN,
        lambda _: RAIL,
    )
    assert [one.devices for one in found] == [("c",), ("a", "b")]


def test_lines_stand_under_their_section() -> None:
    found = tuple(hunks((has("mtu 1500"), lacks("a", ("router bgp 1", "vrf x")), lacks("mtu 9214"))))
    assert found == (
        Hunk(PORT, ("mtu 1500",), ("mtu 9214",)),
        Hunk(("router bgp 1", "vrf x"), (), ("a",)),
    )


def test_sections_stand_in_the_order_of_their_numbers() -> None:
    sections = [("interface Ethernet10",), ("interface Ethernet2",)]
    found = hunks(tuple(lacks("mtu 9214", section) for section in sections))
    assert [hunk.section for hunk in found] == [sections[1], sections[0]]


def speaker(number: int) -> tuple[str, ...]:
    return (f"router bgp {65000 + number}",)


def test_a_number_of_its_own_in_the_section_tells_no_switch_apart() -> None:
    """Two suffice, as their lines are the same; a switch with another line, and one with another port, stay apart."""
    found = live_classes(
        (
            running("a10", lacks("mtu 9214", speaker(10))),
            running("a2", lacks("mtu 9214", speaker(2))),
            running("b", lacks("mtu 1500", speaker(3))),
            running("c", lacks("mtu 9214", ("interface Ethernet1",))),
            running("d", lacks("mtu 9214", ("interface Ethernet2",))),
        ),
        KNOWN,
        lambda _: RAIL,
    )
    assert {one.devices: one.hunks for one in found} == {
        ("a2", "a10"): (Hunk(("router bgp *",), (), ("mtu 9214",)),),
        ("b",): (Hunk(speaker(3), (), ("mtu 1500",)),),
        ("c",): (Hunk(("interface Ethernet1",), (), ("mtu 9214",)),),
        ("d",): (Hunk(("interface Ethernet2",), (), ("mtu 9214",)),),
    }
    assert {one.kinds for one in found} == {("interface.mtu added",)}


def test_many_switches_with_names_of_their_own_are_one_class() -> None:
    """Each has its own description; of two such switches a reader sees both."""
    every = tuple(running(f"s{number}", lacks(f"description host{number}")) for number in range(12))
    (found,) = live_classes(every, KNOWN, lambda _: RAIL)
    assert (len(found.devices), found.hunks) == (12, (Hunk(PORT, (), ("description *",)),))
    assert (found.kinds, found.risk) == (("interface.description added",), Risk.NONE)
    assert len(live_classes(every[:2], KNOWN, lambda _: RAIL)) == 2


def test_what_is_known_of_one_switch_is_not_said_of_another_that_looks_alike() -> None:
    """`qos 7` is in the table, `qos x7` is not: a reader must not see twelve of them as one."""
    known = tuple(running(f"a{number}", lacks(f"qos {number}")) for number in range(10))
    strange = tuple(running(f"b{number}", lacks(f"qos x{number}")) for number in range(10))
    found = live_classes((*known, *strange), KNOWN, lambda _: RAIL)
    assert [(one.risk, one.devices[0][0], len(one.devices)) for one in found] == [
        (Risk.UNKNOWN, "b", 10),
        (Risk.HITLESS, "a", 10),
    ]


def test_the_same_lines_on_many_ports_are_one_hunk() -> None:
    sections = [(f"interface Ethernet{number}",) for number in (1, 2, 10)]
    (found,) = live_classes((running("a", *(lacks("mtu 9214", one) for one in sections)),), KNOWN, lambda _: RAIL)
    assert found.hunks == (Hunk(("interface *",), (), ("mtu 9214",), tuple(sections)),)


def test_whom_the_worst_classes_reach_is_asked_for_all_of_them_together() -> None:
    found = live_classes(
        (running("a", lacks("x")), running("b", lacks("y")), running("c", has("description x"))), KNOWN, lambda _: RAIL
    )
    asked: list[tuple[str, ...]] = []

    def reach(devices: tuple[str, ...]) -> Blast:
        asked.append(devices)
        return RAIL

    assert worst_reached(found, reach) == RAIL
    assert asked == [("a", "b")]
    worst_reached((), reach)
    assert asked[1:] == [()]
