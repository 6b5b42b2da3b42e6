"""Counters of two samples against the rate before: what rises, what is a reset, and what cannot be compared."""

import pytest

from fabricgen.push.model import Need, Planned
from fabricgen.push.plan.gates import BY_COUNT, Gate, Gates
from fabricgen.push.prove.exempt import drained, exempt, rising, spoken_of
from fabricgen.push.prove.gauged import Gauged, Looks, Ports, gauged, training
from fabricgen.push.prove.rates import Level, Sample, compared
from fabricgen.state.counts import Count

GATES = Gates()
WRAP = 2**32


def sample(at: float | None, count: Count = Count.FLAPS, /, **ports: int) -> Sample:
    return Sample(at, {count: ports}, {}, cables={port: ("far", f"{port}-far") for port in ports})


def level(before: tuple[int, int], after: int, count: Count = Count.FLAPS, seconds: float = 20) -> Level:
    """Of one port that counted so much at 0 s, at 40 s, and so many seconds later."""
    base, first, last = (
        sample(0, count, p=before[0]),
        sample(40, count, p=before[1]),
        sample(40 + seconds, count, p=after),
    )
    (one,) = compared((base, first), (first, last), GATES)
    return one.level


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((7, 7), 7, Level.QUIET),
        ((7, 7), 8, Level.BREAKS),  # one change of a link, where there was none
        ((0, 8), 12, Level.QUIET),  # 0.2 a second before and now
        ((0, 8), 16, Level.QUIET),  # twice as much is no rise
        ((0, 8), 17, Level.BREAKS),
        ((7, 7), 3, Level.UNKNOWN),  # it began again
        ((WRAP - 9, WRAP - 8), 4, Level.UNKNOWN),  # it has wrapped
    ],
)
def test_a_rise_is_more_than_twice_the_rate_before(before: tuple[int, int], after: int, expected: Level) -> None:
    assert level(before, after) is expected


def test_what_is_not_shown_any_more_is_told() -> None:
    """A port, and a whole switch."""
    start, before = ({one: sample(at, p=0, q=0) for one in ("leaf", "silent")} for at in (0, 40))
    found = gauged(Looks(start, before, {}, {"leaf": sample(60, q=0)}), Ports(), frozenset({"leaf"}), GATES)
    assert found.compared == {Count.FLAPS: 1}
    assert found.not_compared == (
        "not compared: every counter of silent: it was not read again",
        "not compared: link flaps of leaf p: it is not shown any more",
    )


@pytest.mark.parametrize(
    ("count", "rise", "expected"),
    [
        (Count.CRC, 2, Level.QUIET),  # 0.1 a second
        (Count.CRC, 3, Level.BREAKS),
        (Count.FEC, 3, Level.BREAKS),
        (Count.DROPS, 1, Level.BREAKS),
        (Count.WATCHDOG, 1, Level.BREAKS),
        (Count.PFC, 2000, Level.QUIET),  # 100 a second
        (Count.PFC, 2001, Level.WARNS),
        (Count.PFC, 10**9, Level.WARNS),
        (Count.ECN, 20001, Level.WARNS),
    ],
)
def test_limits_without_a_word_of_the_site(count: Count, rise: int, expected: Level) -> None:
    assert level((5, 5), 5 + rise, count) is expected


def test_a_site_may_have_pauses_take_a_wave_back() -> None:
    gates = Gates(by_count={**BY_COUNT, Count.PFC: Gate(warn=10, revert=50)})
    first, last = (sample(at, Count.PFC, p=number) for at, number in ((40, 0), (50, 501)))
    (one,) = compared((sample(0, Count.PFC, p=0), first), (first, last), gates)
    assert (one.level, one.limit) == (Level.BREAKS, 50)


def test_samples_that_are_too_near_or_have_no_time_tell_nothing() -> None:
    for seconds, base, words in ((9.0, 0.0, "fewer than 10"), (20.0, 35.0, "not known"), (20.0, None, "not known")):
        early = (sample(base, p=0), sample(40, p=0))
        (one,) = compared(early, (early[1], sample(40 + seconds, p=3)), GATES)
        assert one.level is Level.UNKNOWN
        assert words in one.why
    (one,) = compared(None, (sample(None, p=0), sample(60, p=3)), GATES)
    assert (one.level, one.why) == (Level.UNKNOWN, "when it was asked is not known")
    new, gone = compared(None, (sample(40, q=0), sample(60, p=3)), GATES)
    assert (new.port, new.level, new.why) == ("p", Level.UNKNOWN, "it was not shown before the wave")
    assert (gone.port, gone.level, gone.why) == ("q", Level.UNKNOWN, "it is not shown any more")


def test_what_began_anew_before_the_wave_is_no_rate_before() -> None:
    first = sample(40, p=3)
    (quiet,) = compared((sample(0, p=90), first), (first, sample(60, p=3)), GATES)
    (rose,) = compared((sample(0, p=90), first), (first, sample(60, p=4)), GATES)
    assert (quiet.level, rose.level) == (Level.QUIET, Level.UNKNOWN)
    assert "its rate before the wave is not known" in rose.why


def planned(risk: str, difference: str = "", *, accepted: bool = False) -> Planned:
    return Planned("leaf", 1, Need.PLAIN, "", risk, "", "", difference, accepted=accepted)


SHOWN = {
    "leaf": Sample(
        0, {Count.FLAPS: {"swp1": 0, "swp2": 0}}, {}, cables={"swp1": ("spine", "s1"), "swp2": ("spine", "s2")}
    ),
    "spine": Sample(0, {Count.FLAPS: {"s1": 0, "s2": 0}}, {}, cables={"s1": ("leaf", "swp1"), "s2": ("leaf", "swp2")}),
}
MTU = "--- a\n+++ b\n interface swp1\n-  mtu 9000\n+  mtu 9214\n interface swp2\n   mtu 9214"


@pytest.mark.parametrize(
    ("plan", "ports"),
    [
        (planned("hitless", MTU), set()),
        (planned("session reset", MTU), set()),
        (planned("traffic loss", MTU), {("leaf", "swp1"), ("spine", "s1")}),
        (planned("unknown", MTU), {("leaf", "swp1"), ("spine", "s1")}),
        (planned("reload"), {("leaf", "swp1"), ("leaf", "swp2"), ("spine", "s1"), ("spine", "s2")}),
        (planned("hitless", accepted=True), {("leaf", "swp1"), ("leaf", "swp2"), ("spine", "s1"), ("spine", "s2")}),
    ],
)
def test_a_change_frees_the_ports_that_it_may_take_down_and_their_far_ends(
    plan: Planned, ports: set[tuple[str, str]]
) -> None:
    assert set(exempt(SHOWN, {"leaf": plan})) == ports


def test_what_the_intent_drains_is_free_with_its_far_end() -> None:
    shown = {**SHOWN, "spine": SHOWN["spine"]._replace(drained=frozenset({"s2"}))}
    assert exempt(shown, {}) == dict.fromkeys([("spine", "s2"), ("leaf", "swp2")], "the intent drains it")


def test_a_port_that_was_down_and_its_far_end_may_come_up() -> None:
    """As one does that a change turns on, in which nothing else is interrupted."""
    before = {"leaf": SHOWN["leaf"]._replace(down=frozenset({"swp2"}))}
    assert rising(before) == {("leaf", "swp2"), ("spine", "s2")}
    assert exempt(SHOWN, {}) == {}
    assert drained(SHOWN, frozenset({"leaf"})) == {("leaf", "swp1"), ("leaf", "swp2"), ("spine", "s1"), ("spine", "s2")}


UP = frozenset({("leaf", "p")})


def came_up(count: Count, now: int, later: int | None = None) -> Gauged:
    """A port of leaf that was down and counted so many since the wave began, and so many when it had been up for 10 s.

    later  None: it was not read again
    """
    shown = {"leaf": Sample(50, {count: {"p": now}}, {})}
    after = {} if later is None else {"leaf": Sample(60, {count: {"p": later}}, {})}
    found = looks(shown)._replace(settled=after)
    assert (bool(training(found, Ports(rising=UP)))) is (later is not None)
    return gauged(found, Ports(rising=UP), frozenset({"leaf"}), GATES)


@pytest.mark.parametrize(("count", "now"), [(Count.FLAPS, 0), (Count.FLAPS, 1), (Count.CRC, 0), (Count.FEC, 0)])
def test_a_port_that_comes_up_changes_once(count: Count, now: int) -> None:
    found = came_up(count, now)
    assert (found.broke, found.warned, found.not_compared) == ((), (), ())
    assert found.compared == ({count: 1} if not now else {})
    assert found.exempt == (
        "leaf p: it was down before the wave, so one change of its link, and errors as it comes up, count for nothing",
    )


@pytest.mark.parametrize("count", [Count.FLAPS, Count.CRC, Count.FEC])
def test_what_a_port_counts_while_it_comes_up_is_told_and_what_it_counts_on_breaks(count: Count) -> None:
    still, on = came_up(count, 40, 40), came_up(count, 40, 80)
    assert (still.broke, len(still.warned)) == ((), 1)
    assert still.warned[0].startswith("leaf port p: ")
    assert still.warned[0].endswith(" 40 as it came up; what it counts from then on is held against the wave")
    assert len(on.broke) == 1
    assert " 4 a second (40 in 10 s), before 0 a second (0 in 10 s)" in on.broke[0]


@pytest.mark.parametrize("count", [Count.DROPS, Count.WATCHDOG])
def test_a_port_that_comes_up_drops_nothing_of_a_lossless_class(count: Count) -> None:
    assert len(came_up(count, 1).broke) == 1


def test_a_port_that_came_up_and_was_not_asked_again_is_told() -> None:
    shown = {"leaf": Sample(50, {Count.CRC: {"p": 9}}, {})}
    found = gauged(looks(shown), Ports(rising=UP), frozenset({"leaf"}), GATES)
    assert found.broke == ()
    assert found.not_compared == ("not compared: ports that came up of leaf: it was not read again",)


def test_a_line_speaks_of_the_sections_above_it() -> None:
    assert "swp1" in spoken_of(MTU)
    assert "swp2" not in spoken_of(MTU)
    assert "swp3" in spoken_of("+interface swp3\n+ shutdown")


def looks(now: dict[str, Sample], **more: dict[str, Sample]) -> Looks:
    still = {name: one._replace(at=0.0) for name, one in now.items()}
    zero = {
        name: one._replace(counts={count: dict.fromkeys(rows, 0) for count, rows in one.counts.items()})
        for name, one in still.items()
    }
    before = {name: one._replace(at=30.0) for name, one in zero.items()}
    return Looks(more.get("start", zero), more.get("before", before), more.get("returning", {}), now)


def test_a_wave_is_broken_by_a_port_of_the_fabric_and_warned_of_by_a_server_behind_another_switch() -> None:
    server = Sample(50, {Count.FLAPS: {"e1": 4, "e2": 0}}, {Count.FEC: "nobody counts it"}, servers=frozenset({"e1"}))
    found = gauged(looks({"other": server}), Ports(), frozenset({"leaf"}), GATES)
    assert (found.broke, len(found.warned)) == ((), 1)
    assert found.warned[0] == (
        "other port e1: link flaps 0.2 a second (4 in 20 s), before 0 a second (0 in 30 s); "
        "the limit is 0 a second above twice that"
    )
    assert found.not_compared == ("not compared: FEC uncorrectable codewords of other: nobody counts it",)
    assert found.compared == {Count.FLAPS: 2}
    assert (found.before, found.after) == ((30.0, 30.0), (20.0, 20.0))
    own = gauged(looks({"other": server}), Ports(), frozenset({"other"}), GATES)
    assert len(own.broke) == 1


def test_what_is_free_is_named_and_what_was_drained_counts_from_its_return_on() -> None:
    now = {"spine": Sample(80, {Count.FLAPS: {"s1": 2, "s2": 2}}, {})}
    away = frozenset({("spine", "s1"), ("spine", "s2")})
    free = gauged(looks(now), Ports(away, dict.fromkeys(away, "it was drained")), frozenset({"spine"}), GATES)
    assert (free.broke, free.exempt) == ((), ("spine s1, spine s2: it was drained",))
    back = {"spine": Sample(60, {Count.FLAPS: {"s1": 2, "s2": 1}}, {})}
    found = gauged(looks(now, returning=back), Ports(away), frozenset({"spine"}), GATES)
    assert [row.partition(":")[0] for row in found.broke] == ["spine port s2"]


def test_a_switch_that_was_not_asked_before_is_named() -> None:
    found = gauged(looks({"leaf": SHOWN["leaf"]}, before={}), Ports(), frozenset({"leaf"}), GATES)
    assert found.not_compared == ("not compared: every counter of leaf: it was not read before the wave",)
    assert found.compared == {}
