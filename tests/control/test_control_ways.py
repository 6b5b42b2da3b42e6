"""BGP and BFD take one way on every platform, for every marking plan: mark, class, queue, priority group, buffer.

What each system does with its own packets where nothing is said is of its sources, named beside it; the rest is read
from the rendered text.
"""

import json
import re
from collections.abc import Callable
from functools import cache

import pytest

from fabricgen.checks.lossless.marking import FREE_PRIORITY, control_rides, expressible
from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.platforms import PLATFORMS
from fabricgen.policy.marking import MARKING_BY_NAME, MARKINGS, priority_is_class
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from tests.pairs.sites import SITES, catalog, intent
from tests.platform_case import CS6, ControlPath, Files, OwnPackets
from tests.platform_cases import READ_CONTROL
from tests.some import some

CS7 = 56
CNP_CAP, CONTROL_CAP = 10, 5
RENDERER = Renderer()


LOSSLESS = tuple(name for name, row in SITES.items() if row.own is not None)
KEPT_APART = ("eos", "sonic", "sonic-202505", "nxos")
"""Systems whose own packets leave by no queue of the CNP whatever their mark, unless the plan puts CNP into theirs."""


@cache
def planned(box: str, marking: str, *, bfd: bool) -> Plan:
    found = intent(box, box, "backend", transport="roce-lossless", roce={"marking": marking}, bgp={"bfd": bfd})
    return make_plan(found, catalog(), make_shapes(found, catalog()), Lock(), Exceptions())


@cache
def switch(box: str, marking: str, *, bfd: bool = False) -> Device:
    return next(iter(devices(planned(box, marking, bfd=bfd))))


def files(device: Device) -> Files:
    return {row.path.partition("/")[2]: row.text for row in RENDERER.render(device)}


@cache
def way(box: str, marking: str, *, bfd: bool = False) -> ControlPath:
    return READ_CONTROL[box.partition("-")[0]](files(switch(box, marking, bfd=bfd)))


def is_taken(box: str, marking: str) -> bool:
    """Whether the platform can tell the plan's class and its PFC priority apart, or need not."""
    row = PLATFORMS[SITES[box].system.partition("-")[0]].can(FREE_PRIORITY)
    return priority_is_class(MARKING_BY_NAME[marking]) or (row is not None and not row.refusal)


CASES = [(box, row.name) for box in LOSSLESS for row in MARKINGS if is_taken(box, row.name)]


def own_of(box: str) -> OwnPackets:
    own = SITES[box].own
    assert own is not None
    return own


def leaves_by(box: str, found: ControlPath, mark: int, *, moved: bool) -> int | None:
    """Queue that a packet of the switch itself leaves by; None: one outside the plan."""
    own = own_of(box)
    if own.outside:
        return None
    if found.leaves_by is not None and moved:
        return found.leaves_by
    return own.queue if own.queue is not None else found.queue(mark)


@pytest.mark.parametrize(("box", "marking"), some(CASES))
def test_every_code_point_has_a_class_a_queue_a_scheduler_and_a_buffer(box: str, marking: str) -> None:
    found = way(box, marking)
    assert sorted(found.classes) == list(range(64))
    assert {found.queue(dscp) for dscp in range(64)} <= set(found.served)
    assert found.unbacked == ()


@pytest.mark.parametrize(("box", "marking"), CASES)
def test_no_strict_queue_is_without_a_cap(box: str, marking: str) -> None:
    """Any host can mark its packets with any code point, and strict ones go before RoCE."""
    found = way(box, marking)
    reached = {found.queue(dscp) for dscp in range(64)}
    assert {found.served[queue].cap < 100 for queue in reached if found.served[queue].strict} == {True}
    assert sum(found.served[queue].cap for queue in reached if found.served[queue].strict) <= CNP_CAP + CONTROL_CAP * 2


@pytest.mark.parametrize(("box", "marking"), CASES)
def test_bgp_leaves_by_a_strict_queue_and_not_by_that_of_cnp_where_it_can(box: str, marking: str) -> None:
    plan, found = MARKING_BY_NAME[marking], way(box, marking)
    mark = found.session_dscp if found.session_dscp is not None else own_of(box).bgp
    queue, cnp = leaves_by(box, found, mark, moved=True), found.queue(plan.cnp_dscp)

    assert mark not in plan.roce_dscps
    if queue is None:
        return
    assert found.served[queue].strict
    if queue == cnp:
        assert found.served[queue].cap == CNP_CAP + CONTROL_CAP, "room for both"
        assert plan.cnp_queue == plan.control_queue or box == "srlinux"
    else:
        assert found.served[queue].cap == CONTROL_CAP
        assert found.served[cnp].cap == CNP_CAP


@pytest.mark.parametrize(("box", "marking"), CASES)
def test_a_mark_that_is_told_is_one_of_the_control_class(box: str, marking: str) -> None:
    """The next switch puts it into the class that this one means, and not into the CNP's."""
    plan, found = MARKING_BY_NAME[marking], way(box, marking)
    if plan.cnp_dscp == CS6 and plan.cnp_queue != plan.control_queue:
        wanted = {"cumulus": CS7, "sonic-202505": CS7, "junos": CS7}.get(box)
    else:
        wanted = CS6 if box == "junos" else None
    assert found.session_dscp == wanted
    if found.session_dscp is not None:
        assert found.queue(found.session_dscp) == plan.control_queue


@pytest.mark.parametrize(("box", "marking"), some(CASES))
def test_bfd_that_shares_a_queue_with_cnp_has_room_and_is_told(box: str, marking: str) -> None:
    plan, found = MARKING_BY_NAME[marking], way(box, marking, bfd=True)
    queue, cnp = leaves_by(box, found, own_of(box).bfd, moved=False), found.queue(plan.cnp_dscp)
    noted = [problem.code for problem in control_rides(planned(box, marking, bfd=True))]

    if queue == cnp:
        assert found.served[cnp].cap == CNP_CAP + CONTROL_CAP
    assert noted == (["control-with-cnp"] if queue == cnp else [])


@pytest.mark.parametrize(("box", "marking"), CASES)
def test_a_plan_is_refused_only_where_another_would_part_them(box: str, marking: str) -> None:
    """The check says what is done: an error where a system can keep CNP apart and the plan does not, else a warning."""
    plan, made = MARKING_BY_NAME[marking], planned(box, marking, bfd=False)
    refused = "cnp-with-control" in [problem.code for problem in expressible(made)]
    together = plan.cnp_queue == plan.control_queue

    assert refused == (together and box not in ("srlinux", "nxos"))
    noted = [problem.code for problem in control_rides(made)]
    rides = (together and box != "nxos") or (box == "srlinux" and plan.cnp_dscp == CS6)
    assert noted == (["control-with-cnp"] if rides else [])


BREAKS: dict[str, tuple[str, Callable[[str], str], Callable[[ControlPath], bool]]] = {
    "a group without a buffer": (
        "sonic",
        lambda text: text.replace('"7": "0"', '"7": "7"'),
        lambda found: bool(found.unbacked),
    ),
    "EOS: the shaper is gone": (
        "eos",
        lambda text: text.replace("      shape rate 5 percent\n", ""),
        lambda found: found.served[7].cap == 100,
    ),
    "NX-OS: the shaper is gone": (
        "nxos",
        lambda text: text.replace("    shape min 0 mbps max 20 gbps\n", ""),
        lambda found: found.served[7].cap == 100,
    ),
    "Junos: the shaper is gone": (
        "junos",
        lambda text: text.replace("shaping-rate percent 5;", ""),
        lambda found: found.served[7].cap == 100,
    ),
    "Junos: own packets as they come": (
        "junos",
        lambda text: re.sub(r"    host-outbound-traffic \{\n.*\n.*\n    \}\n", "", text),
        lambda found: found.session_dscp is None and found.leaves_by is None,
    ),
    "SR Linux: the peak is the port": (
        "srlinux",
        lambda text: text.replace('"peak-rate-percent": 5\n', '"peak-rate-percent": 100\n'),
        lambda found: found.served[7].cap == 100,
    ),
    "Cumulus: BGP keeps its mark": (
        "cumulus",
        lambda text: text.replace("bgp session-dscp 56", "!"),
        lambda found: found.session_dscp is None,
    ),
    "SONiC: BGP keeps its mark": (
        "sonic-202505",
        lambda text: text.replace("bgp session-dscp 56", "!"),
        lambda found: found.session_dscp is None,
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_text_that_is_broken_is_read_as_such(name: str) -> None:
    box, spoil, seen = BREAKS[name]
    told = files(switch(box, "nvidia"))
    broken = {path: spoil(text) for path, text in told.items()}
    assert broken != told
    assert seen(READ_CONTROL[box.partition("-")[0]](broken))
    assert not seen(READ_CONTROL[box.partition("-")[0]](told))


def test_control_is_the_queue_of_the_device_by_name() -> None:
    qos = switch("sonic", "nvidia").qos
    assert qos is not None
    assert (qos.control_dscp, qos.control and qos.control.queue) == (CS7, 7)
    other = switch("sonic", "amd-pollara").qos
    assert other is not None
    assert other.control_dscp == CS6
    assert qos._replace(profiles=()).control_dscp == 0
    assert (
        json.loads(files(switch("sonic", "nvidia"))["config_db.json"])["TC_TO_PRIORITY_GROUP_MAP"]["FABRIC"]["7"] == "0"
    )
