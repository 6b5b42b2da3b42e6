"""Counters of two samples against the rate before: what rises, what is a reset, and what cannot be compared."""

import pytest

from fabricgen.push.model import Need, PlannedSwitch
from fabricgen.push.plan.gates import BY_COUNT, Gate, Gates
from fabricgen.push.prove.counter_comparison import Gauged, SpecialPorts, WaveSamples, gauged, training
from fabricgen.push.prove.counter_rates import CounterLevel, Sample, compared
from fabricgen.push.prove.exempt import drained, exempt, rising, spoken_of
from fabricgen.state.counts import PortCounter

GATES = Gates()
WRAP = 2**32


def sample(at: float | None, count: PortCounter = PortCounter.FLAPS, /, **ports: int) -> Sample:
    return Sample(at, {count: ports}, {}, cables={port: ("far", f"{port}-far") for port in ports})


def level(
    before: tuple[int, int], after: int, count: PortCounter = PortCounter.FLAPS, seconds: float = 20
) -> CounterLevel:
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
        ((7, 7), 7, CounterLevel.QUIET),
        ((7, 7), 8, CounterLevel.BREAKS),  # one change of a link, where there was none
        ((0, 8), 12, CounterLevel.QUIET),  # 0.2 a second before and now
        ((0, 8), 16, CounterLevel.QUIET),  # twice as much is no rise
        ((0, 8), 17, CounterLevel.BREAKS),
        ((7, 7), 3, CounterLevel.UNKNOWN),  # it began again
        ((WRAP - 9, WRAP - 8), 4, CounterLevel.UNKNOWN),  # it has wrapped
    ],
)
def test_a_rise_is_more_than_twice_the_rate_before(before: tuple[int, int], after: int, expected: CounterLevel) -> None:
    assert level(before, after) is expected


def test_what_is_not_shown_any_more_is_told() -> None:
    """A port, and a whole switch."""
    start, before = ({one: sample(at, p=0, q=0) for one in ("leaf", "silent")} for at in (0, 40))
    found = gauged(
        WaveSamples(start, before, {}, {"leaf": sample(60, q=0)}), SpecialPorts(), frozenset({"leaf"}), GATES
    )
    assert found.compared == {PortCounter.FLAPS: 1}
    assert found.not_compared == (
        "not compared: every counter of silent: it was not read again",
        "not compared: link flaps of leaf p: it is no longer shown",
    )


@pytest.mark.parametrize(
    ("count", "rise", "expected"),
    [
        (PortCounter.CRC, 2, CounterLevel.QUIET),  # 0.1 a second
        (PortCounter.CRC, 3, CounterLevel.BREAKS),
        (PortCounter.FEC, 3, CounterLevel.BREAKS),
        (PortCounter.DROPS, 1, CounterLevel.BREAKS),
        (PortCounter.WATCHDOG, 1, CounterLevel.BREAKS),
        (PortCounter.PFC, 2000, CounterLevel.QUIET),  # 100 a second
        (PortCounter.PFC, 2001, CounterLevel.WARNS),
        (PortCounter.PFC, 10**9, CounterLevel.WARNS),
        (PortCounter.ECN, 20001, CounterLevel.WARNS),
    ],
)
def test_limits_without_a_word_of_the_site(count: PortCounter, rise: int, expected: CounterLevel) -> None:
    assert level((5, 5), 5 + rise, count) is expected


def test_a_site_may_have_pauses_take_a_wave_back() -> None:
    gates = Gates(by_count={**BY_COUNT, PortCounter.PFC: Gate(warn=10, revert=50)})
    first, last = (sample(at, PortCounter.PFC, p=number) for at, number in ((40, 0), (50, 501)))
    (one,) = compared((sample(0, PortCounter.PFC, p=0), first), (first, last), gates)
    assert (one.level, one.limit) == (CounterLevel.BREAKS, 50)


def test_samples_that_are_too_near_or_have_no_time_tell_nothing() -> None:
    for seconds, base, words in ((9.0, 0.0, "less than 10"), (20.0, 35.0, "unknown"), (20.0, None, "unknown")):
        early = (sample(base, p=0), sample(40, p=0))
        (one,) = compared(early, (early[1], sample(40 + seconds, p=3)), GATES)
        assert one.level is CounterLevel.UNKNOWN
        assert words in one.why
    (one,) = compared(None, (sample(None, p=0), sample(60, p=3)), GATES)
    assert (one.level, one.why) == (CounterLevel.UNKNOWN, "the time of the sample is unknown")
    new, gone = compared(None, (sample(40, q=0), sample(60, p=3)), GATES)
    assert (new.port, new.level, new.why) == ("p", CounterLevel.UNKNOWN, "it was not shown before the wave")
    assert (gone.port, gone.level, gone.why) == ("q", CounterLevel.UNKNOWN, "it is no longer shown")


def test_what_began_anew_before_the_wave_is_no_rate_before() -> None:
    first = sample(40, p=3)
    (quiet,) = compared((sample(0, p=90), first), (first, sample(60, p=3)), GATES)
    (rose,) = compared((sample(0, p=90), first), (first, sample(60, p=4)), GATES)
    assert (quiet.level, rose.level) == (CounterLevel.QUIET, CounterLevel.UNKNOWN)
    assert "its rate before the wave is unknown" in rose.why


def planned(risk: str, difference: str = "", *, accepted: bool = False) -> PlannedSwitch:
    return PlannedSwitch("leaf", 1, Need.PLAIN, "", risk, "", "", difference, accepted=accepted)


SHOWN = {
    "leaf": Sample(
        0, {PortCounter.FLAPS: {"swp1": 0, "swp2": 0}}, {}, cables={"swp1": ("spine", "s1"), "swp2": ("spine", "s2")}
    ),
    "spine": Sample(
        0, {PortCounter.FLAPS: {"s1": 0, "s2": 0}}, {}, cables={"s1": ("leaf", "swp1"), "s2": ("leaf", "swp2")}
    ),
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
    plan: PlannedSwitch, ports: set[tuple[str, str]]
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


def came_up(count: PortCounter, now: int, later: int | None = None) -> Gauged:
    """A port of leaf that was down and counted so many since the wave began, and so many when it had been up for 10 s.

    later  None: it was not read again
    """
    shown = {"leaf": Sample(50, {count: {"p": now}}, {})}
    after = {} if later is None else {"leaf": Sample(60, {count: {"p": later}}, {})}
    found = looks(shown)._replace(settled=after)
    assert (bool(training(found, SpecialPorts(rising=UP)))) is (later is not None)
    return gauged(found, SpecialPorts(rising=UP), frozenset({"leaf"}), GATES)


@pytest.mark.parametrize(
    ("count", "now"), [(PortCounter.FLAPS, 0), (PortCounter.FLAPS, 1), (PortCounter.CRC, 0), (PortCounter.FEC, 0)]
)
def test_a_port_that_comes_up_changes_once(count: PortCounter, now: int) -> None:
    found = came_up(count, now)
    assert (found.broke, found.warned, found.not_compared) == ((), (), ())
    assert found.compared == ({count: 1} if not now else {})
    assert found.exempt == (
        "leaf p: it was down before the wave, so one link change, and errors as it comes up, do not count",
    )


@pytest.mark.parametrize("count", [PortCounter.FLAPS, PortCounter.CRC, PortCounter.FEC])
def test_what_a_port_counts_while_it_comes_up_is_told_and_what_it_counts_on_breaks(count: PortCounter) -> None:
    still, on = came_up(count, 40, 40), came_up(count, 40, 80)
    assert (still.broke, len(still.warned)) == ((), 1)
    assert still.warned[0].startswith("leaf port p: ")
    assert still.warned[0].endswith(" 40 as it came up; increases from then on count against the wave")
    assert len(on.broke) == 1
    assert " 4 per second (40 in 10 s), before 0 per second (0 in 10 s)" in on.broke[0]


@pytest.mark.parametrize("count", [PortCounter.DROPS, PortCounter.WATCHDOG])
def test_a_port_that_comes_up_drops_nothing_of_a_lossless_class(count: PortCounter) -> None:
    assert len(came_up(count, 1).broke) == 1


def test_a_port_that_came_up_and_was_not_asked_again_is_told() -> None:
    shown = {"leaf": Sample(50, {PortCounter.CRC: {"p": 9}}, {})}
    found = gauged(looks(shown), SpecialPorts(rising=UP), frozenset({"leaf"}), GATES)
    assert found.broke == ()
    assert found.not_compared == ("not compared: ports that came up of leaf: it was not read again",)


def test_a_line_speaks_of_the_sections_above_it() -> None:
    assert "swp1" in spoken_of(MTU)
    assert "swp2" not in spoken_of(MTU)
    assert "swp3" in spoken_of("+interface swp3\n+ shutdown")


def looks(now: dict[str, Sample], **more: dict[str, Sample]) -> WaveSamples:
    still = {name: one._replace(at=0.0) for name, one in now.items()}
    zero = {
        name: one._replace(counts={count: dict.fromkeys(rows, 0) for count, rows in one.counts.items()})
        for name, one in still.items()
    }
    before = {name: one._replace(at=30.0) for name, one in zero.items()}
    return WaveSamples(more.get("start", zero), more.get("before", before), more.get("returning", {}), now)


def test_a_wave_is_broken_by_a_port_of_the_fabric_and_warned_of_by_a_server_behind_another_switch() -> None:
    server = Sample(
        50, {PortCounter.FLAPS: {"e1": 4, "e2": 0}}, {PortCounter.FEC: "nobody counts it"}, servers=frozenset({"e1"})
    )
    found = gauged(looks({"other": server}), SpecialPorts(), frozenset({"leaf"}), GATES)
    assert (found.broke, len(found.warned)) == ((), 1)
    assert found.warned[0] == (
        "other port e1: link flaps 0.2 per second (4 in 20 s), before 0 per second (0 in 30 s); "
        "the limit is 0 per second above twice that"
    )
    assert found.not_compared == ("not compared: FEC uncorrectable codewords of other: nobody counts it",)
    assert found.compared == {PortCounter.FLAPS: 2}
    assert (found.before, found.after) == ((30.0, 30.0), (20.0, 20.0))
    own = gauged(looks({"other": server}), SpecialPorts(), frozenset({"other"}), GATES)
    assert len(own.broke) == 1


def test_what_is_free_is_named_and_what_was_drained_counts_from_its_return_on() -> None:
    now = {"spine": Sample(80, {PortCounter.FLAPS: {"s1": 2, "s2": 2}}, {})}
    away = frozenset({("spine", "s1"), ("spine", "s2")})
    free = gauged(looks(now), SpecialPorts(away, dict.fromkeys(away, "it was drained")), frozenset({"spine"}), GATES)
    assert (free.broke, free.exempt) == ((), ("spine s1, spine s2: it was drained",))
    back = {"spine": Sample(60, {PortCounter.FLAPS: {"s1": 2, "s2": 1}}, {})}
    found = gauged(looks(now, returning=back), SpecialPorts(away), frozenset({"spine"}), GATES)
    assert [row.partition(":")[0] for row in found.broke] == ["spine port s2"]


def test_a_switch_that_was_not_asked_before_is_named() -> None:
    found = gauged(looks({"leaf": SHOWN["leaf"]}, before={}), SpecialPorts(), frozenset({"leaf"}), GATES)
    assert found.not_compared == ("not compared: every counter of leaf: it was not read before the wave",)
    assert found.compared == {}
