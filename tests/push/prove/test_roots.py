"""A failed push says first what broke, where verify's findings tell it: a cable elsewhere, or the switch itself."""

import pytest

from fabricgen.push.model import RunOutcome, StepName, StepState
from fabricgen.push.prove.answers import JudgedSwitch, RunMoment
from fabricgen.push.prove.causes import Cause, rows_of
from fabricgen.push.prove.regressions import Regression
from fabricgen.push.prove.root_causes import News, roots
from fabricgen.push.prove.snapshots import CheckCounts, Verdicts
from fabricgen.push.report.model import report
from fabricgen.push.report.steps import judged_of, new_words
from fabricgen.push.report.words import to_do
from fabricgen.verify.finding import NOWHERE, Finding, FindingEnd
from fabricgen.verify.judge.unplanned import KEPT
from tests.push.push_records import LEAF, broken

PORT = Finding(
    *("be-leaf-001", "interfaces", "interface-shut", "port swp18", "is shut down", "enabled", "shut down"),
    port="swp18",
    far=FindingEnd("be-spine-01", "swp2"),
)
SESSION = Finding(
    *("be-leaf-001", "sessions", "session-down", "session 10.64.0.99", "is not established", "Established", "Active"),
    explained="port swp18 is shut down",
    port="swp18",
    far=FindingEnd("be-spine-01", "swp2"),
    family=4,
)
SHUT = "be-leaf-001: port swp18 (cabled to be-spine-01 swp2) is shut down"
CABLE = f"{SHUT}, with 1 consequence"
FALLEN = Regression(
    *("be-leaf-001", "sessions", "session 10.64.0.99 (be-spine-01 swp2)", "Established", "Active"),
    *("be-spine-01", "10.64.0.99"),
)


def judged(*found: Finding) -> JudgedSwitch:
    return JudgedSwitch(False, found, frozenset())


def moment(*changed: str) -> RunMoment:
    return RunMoment(frozenset(), frozenset(changed), frozenset())


def news(*found: Finding | Regression) -> list[News]:
    return [News(str(one) if isinstance(one, Regression) else f"{one.device}: {one.subject}", one) for one in found]


def cause(*changed: str) -> Cause:
    (only,) = roots([(judged(SESSION, PORT), judged())], news(FALLEN), moment(*changed)).causes
    return only


def test_the_cause_is_told_with_what_follows_and_whether_the_wave_has_a_part_in_it() -> None:
    session = (("sessions", 1),)
    assert cause("be-spine-00") == Cause(SHUT, True, session, ("be-leaf-001",), (str(FALLEN),))
    assert cause("be-spine-00").words == CABLE
    assert not cause("be-spine-01").is_elsewhere
    assert not cause("be-leaf-001").is_elsewhere


def test_what_nothing_new_follows_from_is_no_cause_of_it() -> None:
    other = PORT._replace(subject="port swp19", port="swp19", far=FindingEnd("be-spine-00", "swp9"))
    for before in (judged(other), judged(), None):
        (only,) = roots([(judged(other, PORT), before)], news(PORT), moment("be-spine-00")).causes
        assert (only.sentence, only.is_elsewhere, only.checks) == (SHUT, True, ())


def test_a_fault_of_before_that_has_more_consequences_now_is_told_as_such() -> None:
    (only,) = roots([(judged(SESSION, PORT), judged(PORT))], news(FALLEN), moment("be-spine-00")).causes
    assert only.words == f"{SHUT} (there before), with 1 consequence"
    (again,) = roots([(judged(SESSION, PORT), judged(SESSION, PORT))], news(FALLEN), moment("be-spine-00")).causes
    assert again.words == f"{SHUT} (there before)"


def test_what_has_most_consequences_comes_first() -> None:
    reachable = Finding("be-leaf-009", "reachable", "daemon-dead", "daemon bgpd", "does not run", "running", "dead")
    kept = [(judged(reachable), judged()), (judged(SESSION, PORT), judged())]
    found = roots(kept, news(reachable, FALLEN), moment()).causes
    assert [one.sentence.partition(":")[0] for one in found] == ["be-leaf-001", "be-leaf-009"]


def route(number: int) -> Regression:
    prefix = f"10.9.{number}.0/24"
    subject = f"route {prefix} of be-leaf-009"
    return Regression("be-leaf-001", "routes", subject, "over 2 paths", "over 1 path", "be-leaf-009", prefix)


@pytest.mark.parametrize("number", [1, 3, KEPT, 200])
def test_many_lost_routes_are_one_consequence_of_their_port(number: int) -> None:
    """Verify tells routes that leave by wrong next hops once, and keeps the first prefixes of them."""
    lost = [route(at) for at in range(number)]
    width = Finding(
        *("be-leaf-001", "routes", "route-width", f"{number} routes (10.9.0.0/24)", "not over swp18"),
        *("2 next hops", "1 next hop"),
        explained="port swp18 is shut down",
        lines=tuple(one.key for one in lost[:KEPT]),
    )
    (only,) = roots([(judged(PORT, SESSION, width), judged())], news(FALLEN, *lost), moment("be-leaf-001")).causes
    assert only.words == f"{SHUT}, with 2 consequences"
    assert only.checks == (("sessions", 1), ("routes", 1))
    assert only.new == (str(FALLEN), *map(str, lost))
    assert list(rows_of([only], details=False)) == [
        SHUT, "  2 consequences: sessions 1, routes 1 (on be-leaf-001)",
    ]  # fmt: skip
    assert list(rows_of([only], details=True))[2:] == [f"    {one}" for one in (FALLEN, *lost)]


def test_routes_that_a_dead_switch_announced_are_one_consequence_on_each_that_lacks_them() -> None:
    dead = Finding("be-leaf-009", "reachable", "unreachable", "the switch", "cannot be reached", "an answer", "silent")
    names = [f"be-leaf-00{at}" for at in range(5)]
    gone = [
        Finding(
            *(name, "routes", "route-missing", "2 routes (10.9.0.0/24, 10.9.1.0/24)"),
            *("are not in the forwarding table", "from be-leaf-009", "no route"),
            explained="be-leaf-009 cannot be reached",
            far=FindingEnd("be-leaf-009", ""),
        )
        for name in names
    ]
    lost = [route(at)._replace(device=name, now="gone") for name in names for at in range(2)]
    kept = [(judged(one), judged()) for one in (dead, *gone)]
    (only,) = roots(kept, news(*lost), moment("be-leaf-009")).causes
    assert only.words == "be-leaf-009: the switch cannot be reached, with 5 consequences"
    assert list(rows_of([only], details=False))[1] == "  5 consequences: routes 5 (on 5 switches)"
    assert len(only.new) == 10


@pytest.mark.parametrize(
    ("one", "is_elsewhere"),
    [
        (("routes", "route-missing", "route 10.9.0.0/24 of be-leaf-009"), False),
        (("evpn", "evpn-missing", "EVPN routes of type 5 of be-leaf-009"), False),
        (("vnis", "vtep-missing", "VTEP 10.64.0.9"), False),
        (("isolation", "isolation-route", "VRF red"), False),
        (("sessions", "session-down", "session 10.64.0.9 (be-leaf-009)"), False),
        (("bfd", "bfd-down", "session 10.64.0.9 (be-leaf-009)"), False),
        (("sessions", "session-down", "session 10.64.0.9 on swp18 (be-leaf-009 swp2)", "swp18"), True),
        (("qos", "qos-pfc-off", "port swp18", "swp18"), True),
        (("reachable", "unreachable", "the switch"), False),
        (("reachable", "daemon-dead", "daemon bgpd"), True),
    ],
)
def test_what_a_changed_switch_may_have_carried_is_not_said_to_be_elsewhere(
    one: tuple[str, ...], *, is_elsewhere: bool
) -> None:
    """A spine that reflects EVPN routes, or forwards between two leaves, is neither end of what they lose."""
    check, code, subject, *port = one
    far = FindingEnd("be-leaf-009", "")
    found = Finding("be-leaf-001", check, code, subject, "is gone", "x", "y", port="".join(port), far=far)
    (only,) = roots([(judged(found), judged())], news(found), moment("be-spine-00")).causes
    assert only.is_elsewhere is is_elsewhere


def test_causes_that_nothing_new_follows_from_are_not_counted_as_new() -> None:
    """Those beyond what is kept, too."""
    new = tuple(Cause(f"be-leaf-00{at}: port swp1 is down", False, new=("x",)) for at in range(3))
    idle = tuple(Cause(f"be-leaf-01{at}: port swp1 is down", False) for at in range(5))
    found = Verdicts(CheckCounts(1, 0), CheckCounts(1, 8), ("x", "y", "z"), 0, roots=(*new, *idle))
    assert [new_words(judged_of([found.detail(most)])) for most in (1, 2, 4, 9)] == ["3 new failures"] * 4


def test_what_no_finding_tells_stands_for_itself_and_once_for_all_alike() -> None:
    """It may follow from what else is new, which comes behind it."""
    lost = [route(at) for at in range(4)]
    first, second = roots([(judged(PORT), judged())], news(*lost), moment("be-spine-00")).causes
    assert first.words == f"{lost[0]}, with 3 consequences"
    assert (first.is_elsewhere, first.new) == (False, tuple(map(str, lost)))  # be-spine-00 may have carried them
    assert (second.sentence, second.new) == (SHUT, ())
    assert not roots([], news(*lost), moment("be-leaf-009")).causes[0].is_elsewhere


@pytest.mark.parametrize(
    ("lost", "finding"),
    [
        (("interfaces", "port swp1", "", "swp1"), ("interfaces", "interface-down", "port swp1")),
        (("interfaces", "port bond1", "", "bond1"), ("interfaces", "interface-down", "bond1")),
        (("sessions", "session 10.0.0.1 (a b)", "a", "10.0.0.1"),
         ("sessions", "session-down", "session 10.0.0.1 (a b)")),
        (("sessions", "session 10.0.0.1 (a b)", "a", "10.0.0.1"), ("sessions", "session-down", "sessions with a")),
        (("bfd", "BFD session 10.0.0.1", "", "10.0.0.1"), ("bfd", "bfd-down", "session 10.0.0.1 on swp1 (a b)")),
        (("vnis", "VNI 10", "", "VNI 10"), ("vnis", "vni-down", "VNI 10")),
        (("evpn", "EVPN type 2 of a", "a", "EVPN routes of type 2 of a"),
         ("evpn", "evpn-missing", "EVPN routes of type 2 of a")),
        (("evpn", "EVPN type 2 of a", "a", "EVPN routes of type 2 of a"),
         ("evpn", "evpn-missing", "EVPN routes of type 2 of 7 switches")),
        (("qos", "port swp1", "", "swp1"), ("qos", "qos-pfc-off", "9 ports (swp4, swp5, swp6 and 6 more)")),
        (("reachable", "bgpd", "", "daemon bgpd"), ("reachable", "daemon-dead", "daemon bgpd")),
        (("reachable", "the switch", "", ""), ("reachable", "unreachable", "the switch")),
        (("isolation", "VRF red", "", "VRF red"), ("isolation", "isolation-route", "VRF red")),
    ],
)  # fmt: skip
def test_what_is_lost_is_found_among_the_findings(
    lost: tuple[str, str, str, str], finding: tuple[str, str, str]
) -> None:
    check, subject, far, key = lost
    one = Finding(
        "leaf", *finding, "is wrong", "x", "y", far=FindingEnd(far, "") if " with " in finding[2] else NOWHERE
    )
    other = one._replace(subject="port swp9", port="swp9", far=NOWHERE)
    what = Regression("leaf", check, subject, "there", "gone", far, key)
    (only,) = roots([(judged(other, one), judged())], news(what), moment("leaf")).causes
    assert only.sentence == f"leaf: {finding[2]} is wrong"


@pytest.mark.parametrize("vrf", ["red", "blue", ""])
@pytest.mark.parametrize("subject", ["route 0.0.0.0/0{} of border-0", "2 routes{} (0.0.0.0/0, 10.9.0.0/24)"])
def test_a_route_that_is_lost_in_one_vrf_is_no_consequence_of_the_same_prefix_in_another(
    vrf: str, subject: str
) -> None:
    """A default route, which another tenant had lost before the push."""
    there = {name: f" in {name}" if name else "" for name in ("blue", "red", "")}
    found = {
        name: Finding(
            *("leaf", "routes", "route-missing", subject.format(inside), "is gone", "x", "y"),
            lines=("0.0.0.0/0", "10.9.0.0/24"),
        )
        for name, inside in there.items()
    }
    before = judged(*(one for name, one in found.items() if name != vrf))
    lost = Regression(
        *("leaf", "routes", f"route 0.0.0.0/0{there[vrf]} of border-0", "over 2 paths", "gone", "border-0"),
        key="0.0.0.0/0",
    )
    (only,) = roots([(judged(*found.values()), before)], news(lost), moment("leaf")).causes
    assert only.sentence == f"leaf: {found[vrf].subject} is gone"


def steps(causes: list[str], elsewhere: list[str]) -> list[str]:
    """With the causes of a journal of this release, or of an earlier one."""
    told = {"causes": causes, "elsewhere": elsewhere}
    found = broken()
    events = tuple(
        one._replace(detail={**one.detail, **told})
        if (one.step, one.how) == (StepName.CHECK, StepState.FAILED)
        else one
        for one in found.events
    )
    assert found.outcome is RunOutcome.FAILED
    return list(to_do(report(found._replace(events=events))))


def test_the_first_step_is_the_cable_elsewhere_and_then_who_went_back_for_it() -> None:
    first, second, _ = steps([CABLE], [CABLE])
    assert first == f"fix {CABLE}: it broke during the wave, and no switch of this wave caused it"
    assert second.startswith(f"{LEAF} was rolled back for that: checks fail after the change")


def test_where_the_wave_may_have_done_it_its_switch_is_to_be_looked_at() -> None:
    other = "be-leaf-002: daemon bgpd does not run"
    first, second, third, _ = steps([CABLE, other], [CABLE])
    assert (first, second) == (f"fix {CABLE}", f"fix {other}")
    assert third.startswith(f"find out why {LEAF} was rolled back: ")
    assert steps([], [])[0].startswith(f"find out why {LEAF} was rolled back: ")
