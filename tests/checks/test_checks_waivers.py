"""Waivers: which problems they take, which they cannot, and what is told of one that takes none."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from fabricgen.checks.catalogue import CHECKS, PLAN_CHECKS, Accepted, examine, run_checks
from fabricgen.checks.engine.waivers import covers, waiver_places
from fabricgen.checks.settings.override_settings import SETTINGS_CHECKS
from fabricgen.checks.switches import link_ends
from fabricgen.checks.switches.link_ends import LinkEnd, differing, paired
from fabricgen.checks.switches.watch import watched
from fabricgen.errors import Problem
from fabricgen.intent.rules import rules
from fabricgen.intent.waivers import NEVER, WAIVABLE, Waiver
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.site.workspace import WorkspaceError, open_workspace
from tests.checks import intents
from tests.checks.cases import CASES
from tests.checks.intents import plan

LEAF = "be-leaf-003"
LOW: dict[str, Any] = {f"{LEAF}/Ethernet1/1": {"headroom_octets": 200000}}
TWO_ENDS: dict[str, Any] = {LEAF: {"mtu": 9100}}
REASON = "measured in the lab"


def waiver(code: str, where: str | None = None, reason: str = REASON) -> dict[str, str]:
    return {"code": code, "reason": reason} | ({"where": where} if where else {})


def made(overrides: dict[str, Any], *waivers: dict[str, str]) -> Plan:
    bare = plan({"overrides": overrides, "waivers": list(waivers)})
    return with_exceptions(bare, resolve_inputs(bare.intent, bare.fabrics))


def left(overrides: dict[str, Any], *waivers: dict[str, str]) -> list[str]:
    return [problem.code for problem in run_checks(made(overrides, *waivers))]


@pytest.mark.parametrize("where", [None, LEAF, "overrides", f"overrides.{LEAF}/Ethernet1/1", "be-leaf-003"])
def test_a_waiver_takes_a_problem_by_code_and_place(where: str | None) -> None:
    found = examine(made(LOW, waiver("headroom-low", where)))
    assert found.problems == ()
    assert [(one.problem.code, one.number, one.reason) for one in found.waived] == [("headroom-low", 0, REASON)]


@pytest.mark.parametrize("where", ["be-leaf-002", "fabrics.backend", "tenants"])
def test_another_place_is_not_waived(where: str) -> None:
    assert left(LOW, waiver("headroom-low", where)) == ["headroom-low"]


@pytest.mark.parametrize("reason", [" " * 12, "\u00a0" * 8, " \u2003" * 6])
def test_a_reason_of_blanks_is_none(reason: str) -> None:
    with pytest.raises(ValidationError, match="reason"):
        Waiver.model_validate(waiver("headroom-low", None, reason))
    assert Waiver.model_validate(waiver("headroom-low", None, f" {REASON} ")).reason == f" {REASON} "


def test_another_code_is_not_waived() -> None:
    assert left(LOW, waiver("roce-mtu")) == ["headroom-low"]


def test_the_most_specific_waiver_is_told() -> None:
    found = examine(made(LOW, waiver("headroom-low", None, "for all of them"), waiver("headroom-low", LEAF)))
    assert [one.number for one in found.waived] == [1]
    assert found.problems == ()


def test_a_name_is_a_whole_word() -> None:
    problem = Problem(code="links-missing", what="be-leaf-003 reaches others", why="w", fix="f")
    assert covers(Waiver(code="links-missing", where="be-leaf-003", reason=REASON), problem)
    for other in ("be-leaf-00", "leaf-003", "be-leaf-0030", "reaches other"):
        assert not covers(Waiver(code="links-missing", where=other, reason=REASON), problem)


def test_a_waived_problem_of_the_plan_lets_the_switches_be_judged() -> None:
    both = LOW | TWO_ENDS
    assert left(both) == ["headroom-low"]
    assert left(both, waiver("headroom-low")) == ["mtu-differs"]
    assert left(both, waiver("headroom-low"), waiver("mtu-differs")) == []


def spare(accepted: Accepted) -> list[str]:
    """Where the waivers stand that nothing needs."""
    return [".".join(map(str, note.where)) for note in accepted.notes if note.code == "waiver-unused"]


def test_a_waiver_that_takes_nothing_is_a_warning_once_all_is_judged() -> None:
    """A release may ask for less than the one before: the site goes on, and is told which line to remove."""
    accepted = Accepted()
    assert accepted.check(made({}, waiver("mtu-differs"))) == ()
    assert spare(accepted) == ["waivers.0"]
    # As long as something else stops, or the switches were not looked at, it is not known.
    stopped, early = Accepted(), Accepted()
    assert [problem.code for problem in stopped.check(made(LOW, waiver("mtu-differs")))] == ["headroom-low"]
    assert early.check_plan(made({}, waiver("mtu-differs"))) == ()
    assert spare(stopped) == spare(early) == []


def test_a_site_that_waived_late_marking_of_the_formula_goes_on() -> None:
    """`ecn: published` marks later than the formula, and is only warned of: the waiver of the error stops nothing."""
    own = {"fabrics.backend.roce.ecn": "published", "waivers": [waiver("ecn-after-pfc", None)]}
    accepted = Accepted()
    assert accepted.check(plan(own)) == ()
    assert spare(accepted) == ["waivers.0"]


def test_a_waiver_that_one_scenario_needs_is_used() -> None:
    """The same waivers in all scenarios: one plan has the problem, and the other not."""
    without, needing = (made(overrides, waiver("headroom-low")) for overrides in ({}, LOW))
    accepted = Accepted()
    assert accepted.check(without) == ()
    assert spare(accepted) == ["waivers.0"]
    assert accepted.check(needing) == ()
    assert spare(accepted) == []
    assert accepted.check_switches(without, watched(without)) == ()
    assert spare(accepted) == []


def test_what_is_waived_is_kept_while_the_switches_pass() -> None:
    accepted, both = Accepted(), made(LOW | TWO_ENDS, waiver("headroom-low"), waiver("mtu-differs"))
    assert accepted.check_plan(both) == ()
    assert [one.problem.code for one in accepted.waived] == ["headroom-low"]
    assert accepted.check_switches(both, watched(both)) == ()
    assert [one.problem.code for one in accepted.waived] == ["headroom-low", "mtu-differs"]
    alone = Accepted()
    only = made(LOW, waiver("headroom-low"), waiver("mtu-differs"))
    assert alone.check_plan(only) == ()
    assert alone.check_switches(only, watched(only)) == ()
    assert spare(alone) == ["waivers.1"]


def test_a_waiver_of_an_unknown_place_is_told() -> None:
    (problem,) = run_checks(made(LOW, waiver("headroom-low", LEAF), waiver("mtu-differs", "fabrics.bakend")))
    assert (problem.code, problem.where) == ("waiver-place", ("waivers", 1, "where"))
    assert problem.fix == "did you mean fabrics.backend?"


@pytest.mark.parametrize("code", sorted(NEVER))
def test_what_breaks_something_can_not_be_waived(code: str) -> None:
    (problem,) = rules(plan({"waivers": [waiver(code)]}).intent)
    assert (problem.code, problem.where, problem.why) == ("waiver-refused", ("waivers", 0, "code"), NEVER[code])


def test_a_code_that_is_none_is_refused_with_the_nearest() -> None:
    (problem,) = rules(plan({"waivers": [waiver("ecn-after-pcf")]}).intent)
    assert problem.code == "waiver-refused"
    assert problem.fix.endswith("; or did you mean ecn-after-pfc or ecn-after-pfc-published?")


@pytest.mark.parametrize(
    ("code", "what", "fix"),
    [
        ("nonsense", "unknown check code nonsense", "choose one of balancing-mode, bfd-differs, "),
        ("ecn-after-pcf", "unknown check code ecn-after-pcf", "did you mean ecn-after-pfc or ecn-after-pfc-p"),
        ("leaf-cut-off", "leaf-cut-off cannot be waived", "remove this entry, and fix the problem leaf-cut-off"),
        (
            "illegal-spine-count",
            "illegal-spine-count cannot be waived",
            "remove this entry, and fix the problem ill",
        ),
    ],
)
def test_a_waiver_of_no_code_and_one_of_a_code_are_told_apart(code: str, what: str, fix: str, tmp_path: Path) -> None:
    """`illegal-spine-count` is a code of no check, but one that `validate` prints."""
    intent = tmp_path / "intent.yaml"
    line = f'waivers: [{{code: {code}, reason: "{REASON}"}}]\n'
    intent.write_text(intents.DEMO.read_text(encoding="utf-8") + line, encoding="utf-8")
    with pytest.raises(WorkspaceError) as caught:
        open_workspace(intent)
    (problem,) = caught.value.problems
    assert (problem.code, problem.what) == ("waiver-refused", what)
    assert problem.fix.startswith(fix)


def test_one_place_is_waived_once() -> None:
    twice = [waiver("roce-mtu", LEAF), waiver("roce-mtu", LEAF, "for another reason"), waiver("roce-mtu")]
    (problem,) = rules(plan({"waivers": twice}).intent)
    assert (problem.code, problem.where) == ("waiver-twice", ("waivers", 1))


def test_both_tables_are_of_codes_that_exist() -> None:
    declared = {code for check in CHECKS for code in check.codes}
    assert set(WAIVABLE) <= declared
    assert set(NEVER) <= declared
    assert not set(WAIVABLE) & set(NEVER)


def test_the_page_of_overrides_lists_what_can_be_waived() -> None:
    page = (Path(__file__).parents[2] / "docs/overrides.md").read_text()
    table = page.partition("| can be waived | because |")[2].partition("\n\n")[0]
    codes = [code for row in table.splitlines() if row for code in re.findall(r"`([a-z-]+)`", row.split("|")[1])]
    assert sorted(codes) == sorted(WAIVABLE)


@pytest.mark.parametrize("code", sorted(WAIVABLE))
def test_every_code_of_the_table_is_waived_where_it_trips(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tripped = CASES[code](monkeypatch)
    waived = tripped.intent.model_copy(update={"waivers": (Waiver(code=code, reason=REASON),)})
    found = examine(tripped._replace(intent=waived))
    assert code not in {problem.code for problem in found.problems}
    assert code in {one.problem.code for one in found.waived}


def test_settings_are_judged_by_checks_that_exist() -> None:
    assert {check.name for check in PLAN_CHECKS} >= SETTINGS_CHECKS


SPINES: dict[str, Any] = {"be-spine-01": {"state": "dead"}}
TWO_LEAVES: dict[str, Any] = {"be-leaf-000": {"mtu": 9050}, "be-leaf-001": {"mtu": 9060}}


def test_a_problem_is_about_what_its_sentence_begins_with() -> None:
    """The other end, and whatever else a sentence names, is what it is compared with."""
    problem = Problem(
        code="mtu-differs", what="be-leaf-000 Ethernet33/1 and be-spine-00 Ethernet1/1 ...", why="w", fix="f"
    )
    assert covers(Waiver(code="mtu-differs", where="be-leaf-000", reason=REASON), problem)
    for other in ("be-spine-00", "Ethernet33/1", "and"):
        assert not covers(Waiver(code="mtu-differs", where=other, reason=REASON), problem)
    assert not covers(Waiver(code="mtu-differs", where="be-leaf-000", reason=REASON), problem._replace(about=()))
    own = problem._replace(about=("be-spine-00",))
    assert covers(Waiver(code="mtu-differs", where="be-spine-00", reason=REASON), own)


@pytest.mark.parametrize(
    ("code", "one", "other"),
    [
        ("mtu-differs", {"mtu": 9050}, {"mtu": 9060}),
        ("bfd-differs", {"bgp": {"bfd": True}}, {"bgp": {"bfd": True}}),
    ],
)
@pytest.mark.parametrize("where", ["be-leaf-000", "overrides.be-leaf-000"])
def test_what_one_override_does_is_waived_and_nothing_else(
    code: str, one: dict[str, Any], other: dict[str, Any], where: str
) -> None:
    both = {"be-leaf-000": one, "be-leaf-001": other}
    found = examine(made(both, waiver(code, where)))
    assert [(problem.code, problem.where[1]) for problem in found.problems] == [(code, "be-leaf-001")]
    assert [(each.problem.code, each.problem.where[1]) for each in found.waived] == [(code, "be-leaf-000")]
    assert left(both, waiver(code, "be-leaf-000"), waiver(code, "be-leaf-001")) == []


def test_fec_of_each_port_is_a_problem_of_its_own() -> None:
    backend = made({f"{leaf}/Ethernet33/1": {"fec": "none"} for leaf in ("be-leaf-000", "be-leaf-001")}).fabrics[
        "backend"
    ]
    pairs = [(PortKey(leaf, "Ethernet33/1"), PortKey("be-spine-00", leaf)) for leaf in ("be-leaf-000", "be-leaf-001")]
    ends = [LinkEnd(near, far, 9216, "none", False, "none", "none") for near, far in pairs]
    ends += [LinkEnd(far, near, 9216, "rs-fec", False, "none", "none") for near, far in pairs]
    assert [(problem.code, problem.about) for problem in differing(backend, paired(ends))] == [
        ("fec-differs", ("be-leaf-000",)), ("fec-differs", ("be-leaf-001",))
    ]  # fmt: skip


def test_one_end_s_override_is_not_its_neighbor_s() -> None:
    assert left({"be-leaf-000": {"mtu": 9050}}, waiver("mtu-differs", "be-spine-00")) == ["mtu-differs"]


def test_the_narrower_of_two_overrides_is_the_cause() -> None:
    (problem,) = run_checks(made({"backend": {"mtu": 9100}, "be-spine-00": {"mtu": 9150}}))
    assert (problem.code, problem.where) == ("mtu-differs", ("overrides", "be-spine-00", "mtu"))
    assert problem.about == ("be-spine-00",)


def test_a_glob_is_waived_by_its_path_and_by_no_switch_of_it() -> None:
    both: dict[str, Any] = {"be-leaf-00[01]": {"mtu": 9050}}
    assert left(both, waiver("mtu-differs", "be-leaf-000")) == ["mtu-differs"]
    for path in ('overrides["be-leaf-00[01]"]', "overrides.be-leaf-00[01]"):
        assert left(both, waiver("mtu-differs", path)) == []


def test_past_some_overrides_the_rest_is_one_problem_that_no_place_waives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_ends, "MOST", 1)
    first, rest = run_checks(made(TWO_LEAVES))
    assert (first.where[1], rest.where, rest.about) == ("be-leaf-000", ("overrides",), ("be-leaf-001",))
    three = TWO_LEAVES | {"be-leaf-002": {"mtu": 9070}}
    _, rest = run_checks(made(three))
    assert rest.about == ()
    assert left(three, waiver("mtu-differs", "be-leaf-000"), waiver("mtu-differs", "be-leaf-001")) == ["mtu-differs"]


@pytest.mark.parametrize("where", ["be-leaf-003", "overrides.be-leaf-003"])
def test_a_release_is_waived_by_its_switch(where: str) -> None:
    own: dict[str, Any] = {"be-leaf-003": {"os": "eos-4.99"}}
    assert left(own, waiver("unsupported-version", where)) == []
    assert left(own, waiver("unsupported-version", "be-leaf-002")) == ["unsupported-version"]


@pytest.mark.parametrize("where", ["be-spine-01", "overrides.be-spine-01", "fabrics.backend"])
def test_missing_links_are_waived_by_the_switch_that_takes_them(where: str) -> None:
    found = examine(made(SPINES, waiver("links-missing", where)))
    assert found.problems == ()
    assert {each.problem.where for each in found.waived} == {("overrides", "be-spine-01")}


def test_of_two_causes_neither_is_the_whole() -> None:
    both = SPINES | {"link:be-leaf-000/Ethernet33/1": {"state": "absent"}}
    for where in ("be-spine-01", "overrides.be-spine-01", "fabrics.frontend"):
        assert set(left(both, waiver("links-missing", where))) == {"links-missing"}
    assert left(both, waiver("links-missing", "fabrics.backend")) == []


def test_a_misspelt_switch_is_told_with_the_nearest() -> None:
    problem = next(iter(run_checks(made(LOW, waiver("headroom-low", "be-leef-003")))))
    assert (problem.code, problem.fix) == ("waiver-place", "did you mean be-leaf-003?")


@pytest.mark.parametrize(
    ("typed", "meant"), [("be-leaf-00", "be-leaf-000"), ("be-leaf-0", "be-leaf-000"), ("fe-spine-0", "fe-spine-00")]
)
def test_of_equally_near_names_the_first_is_offered(typed: str, meant: str) -> None:
    waiver = {"code": "roce-mtu", "where": typed, "reason": "somewhere"}
    (problem,) = waiver_places(plan({"waivers": [waiver]}))
    assert problem.fix == f"did you mean {meant}?"
