"""A failed push says first what broke, where verify's findings tell it: a cable elsewhere, or the switch itself."""

from fabricgen.push.answers import Judged, Moment
from fabricgen.push.model import How, Outcome, StepName
from fabricgen.push.report import report
from fabricgen.push.report_words import to_do
from fabricgen.push.roots import Root, roots
from fabricgen.verify.finding import End, Finding
from tests.push.push_records import LEAF, broken

PORT = Finding(
    *("be-leaf-001", "interfaces", "interface-shut", "port swp18", "is shut down", "enabled", "shut down"),
    port="swp18",
    far=End("be-spine-01", "swp2"),
)
SESSION = Finding(
    *("be-leaf-001", "sessions", "session-down", "session 10.64.0.99", "is not established", "Established", "Active"),
    explained="port swp18 is shut down",
    port="swp18",
    far=End("be-spine-01", "swp2"),
    family=4,
)
CABLE = "be-leaf-001: port swp18 (cabled to be-spine-01 swp2) is shut down, with 1 consequence"


def judged(*found: Finding) -> Judged:
    return Judged(False, found, frozenset())


def moment(*changed: str) -> Moment:
    return Moment(frozenset(), frozenset(changed), frozenset())


def test_the_cause_is_told_with_what_follows_and_whether_the_wave_has_a_part_in_it() -> None:
    kept = [(judged(SESSION, PORT), judged())]
    assert roots(kept, moment("be-spine-00")) == (Root(CABLE, True),)
    assert roots(kept, moment("be-spine-01")) == (Root(CABLE, False),)
    assert roots(kept, moment("be-leaf-001")) == (Root(CABLE, False),)


def test_what_was_there_before_is_no_cause_of_a_loss() -> None:
    other = PORT._replace(subject="port swp19", port="swp19", far=End("be-spine-00", "swp9"))
    (only,) = roots([(judged(other, PORT), judged(other))], moment("be-spine-00"))
    assert (only.told, only.is_elsewhere) == (CABLE.partition(", with")[0], True)
    assert roots([(judged(PORT), judged(PORT))], moment("be-spine-00")) == ()
    (late,) = roots([(judged(PORT), None)], moment("be-spine-00"))
    assert late.is_elsewhere


def test_what_has_most_consequences_comes_first() -> None:
    reachable = Finding("be-leaf-009", "reachable", "daemon-dead", "daemon bgpd", "does not run", "running", "dead")
    kept = [(judged(reachable), judged()), (judged(SESSION, PORT), judged())]
    assert [one.told.partition(":")[0] for one in roots(kept, moment())] == ["be-leaf-001", "be-leaf-009"]


def steps(causes: list[str], elsewhere: list[str]) -> list[str]:
    told = {"causes": causes, "elsewhere": elsewhere}
    found = broken()
    events = tuple(
        one._replace(detail={**one.detail, **told}) if (one.step, one.how) == (StepName.CHECK, How.FAILED) else one
        for one in found.events
    )
    assert found.outcome is Outcome.FAILED
    return list(to_do(report(found._replace(events=events))))


def test_the_first_step_is_the_cable_elsewhere_and_then_who_went_back_for_it() -> None:
    first, second, _ = steps([CABLE], [CABLE])
    assert first == f"see to {CABLE}: it broke meanwhile, and no switch that this wave changed has a part in it"
    assert second.startswith(f"{LEAF} went back for that: the checks do not hold after the change")


def test_where_the_wave_may_have_done_it_its_switch_is_to_be_looked_at() -> None:
    other = "be-leaf-002: daemon bgpd does not run"
    first, second, third, _ = steps([CABLE, other], [CABLE])
    assert (first, second) == (f"see to {CABLE}", f"see to {other}")
    assert third.startswith(f"find out why {LEAF} went back: ")
    assert steps([], [])[0].startswith(f"find out why {LEAF} went back: ")
