"""Looks at switches: kept by name, held against each other and against the plan. A double says what switches show."""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from weakref import ReferenceType, ref

import pytest

from fabricgen.device.device import Device
from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.platforms.base.live.reader import TEXT, Output, Outputs, ReadCommand, Reader
from fabricgen.push.journal.boottime import Since
from fabricgen.push.prove import snapshots as checks_module
from fabricgen.push.prove.answers import OWN_CODES, RunMoment
from fabricgen.push.prove.snapshots import MOST_SNAPSHOTS, CheckCounts, Checks, Verdicts
from fabricgen.state.state import IPV4, Hop, PolicyRule, Session, State
from fabricgen.verify.collect.store import PACKED, Collected, Failure, Target, write
from fabricgen.verify.expect.model import Expected, ExpectedBfd, ExpectedSession
from fabricgen.verify.finding import FindingEnd
from tests.push.prove.test_stood import LOSSES, first, rows, sessions, with_, without_first
from tests.verify.leaf import LEAF
from tests.verify.seen import right_state

SHOW = ReadCommand("bgp", "show", TEXT)
NAMES = ("leaf1", "spine1", "spine2")
BACK = ExpectedSession("", "10.1.0.0", 65001, (IPV4,), FindingEnd("leaf1", "p1"))
"""A spine's end of a session with leaf1."""
PLAN = {
    "leaf1": LEAF,
    **{
        name: replace(LEAF, device=name, sessions=(*LEAF.sessions, BACK), bfd=(*LEAF.bfd, ExpectedBfd("", BACK.peer)))
        for name in ("spine1", "spine2")
    },
}
"""The same leaf thrice, but for one session: here only who looks wrong counts."""


def own(name: str) -> State:
    """What a switch in order shows."""
    return right_state(PLAN[name])


@dataclass
class Site:
    """What each switch shows now; None: it is silent. asked: of whom, look by look."""

    folder: Path
    shows: dict[str, State | None] = field(default_factory=lambda: {name: own(name) for name in NAMES})
    kept: list[State] = field(default_factory=list)
    asked: list[tuple[str, ...]] = field(default_factory=list)
    drained: list[frozenset[str]] = field(default_factory=list)
    waiting: list[frozenset[str]] = field(default_factory=list)
    targets: tuple[str, ...] = NAMES

    def ask(self, folder: Path, targets: Mapping[str, Target]) -> None:
        """Keep a number by which the double's reader finds the state again."""
        self.asked.append(tuple(targets))
        for name in targets:
            state = self.shows[name]
            if state is None:
                failure = Failure("unreachable", "no route to host")
                write(folder, Collected(device=name, system="double", vrfs={}, failure=failure), PACKED)
            else:
                self.kept.append(state)
                outputs = {"show": Output(str(len(self.kept) - 1))}
                write(folder, Collected(device=name, system="double", vrfs={}, outputs=outputs), PACKED)

    def state(self, outputs: Outputs, names: Mapping[str, str]) -> State:
        """What the double's reader makes of it."""
        del names
        return self.kept[int(cast("str", outputs["show"].value))]

    def devices(self, drained: frozenset[str], waiting: frozenset[str]) -> Sequence[Device]:
        """What they must show: here what `expectations` would make of Devices."""
        self.waiting.append(waiting)
        self.drained.append(drained)
        return cast("Sequence[Device]", list(PLAN.values()))

    def checks(self) -> Checks:
        """Checks over these switches."""
        reader = Reader(
            system="double", driver="double", vrf_names=lambda device: {}, reads=lambda vrfs: (SHOW,), state=self.state,
            drift=lambda wanted, running: (), lines=(), unseen={},
        )  # fmt: skip
        return Checks(
            targets={name: Target(name, "double", "double", {}, (SHOW,)) for name in self.targets},
            readers={"double": reader},
            ask=self.ask,
            neighbors={"leaf1": frozenset({"spine1", "spine2", "server"}), "spine1": frozenset({"leaf1"})},
            devices=self.devices,
            folder=self.folder,
            expected=self.expected,
        )

    @staticmethod
    def expected(found: Iterable[Any], wanted: Container[str]) -> Iterator[Expected]:
        """Its devices are what they must show."""
        return (one for one in found if one.device in wanted)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Switches in order."""
    return Site(tmp_path / "looks")


def test_what_a_switch_must_show_is_made_once_and_only_of_those_that_were_looked_at(site: Site) -> None:
    """Of a thousand switches a wave looks at some, and holds what one of them must show at a time."""
    made: list[str] = []
    held: list[int] = []

    class Derived(Expected):
        """What one switch must show, and a place to be seen from."""

    def derived(found: Iterable[Any], wanted: Container[str]) -> Iterator[Any]:
        alive: list[ReferenceType[Any]] = []
        for one in found:
            if one.device in wanted:
                made.append(one.device)
                held.append(sum(1 for each in alive if each() is not None))
                fresh = Derived(**{each.name: getattr(one, each.name) for each in fields(one)})
                alive.append(ref(fresh))
                yield fresh
                del fresh

    checks = site.checks()
    checks.take_snapshot("before", checks.around(["spine1"]))
    checks.take_snapshot("after", checks.around(["spine1"]))
    checks = replace(checks, expected=derived)
    checks.compare("before", "after", moment(["spine1"]))
    assert sorted(made) == sorted(checks.around(["spine1"]))
    assert len(made) < len(PLAN)
    assert max(held) <= 1  # the one that the loop still names


def test_a_look_at_many_is_read_again_and_says_the_same(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    change, sentence = LOSSES["a path"]
    broken, right = {"leaf1": change(own("leaf1"))}, {"leaf1": own("leaf1")}
    whole = looked(site, broken, before=right)
    assert sentence in whole.new
    monkeypatch.setattr(checks_module, "MOST_SWITCHES", 1)
    assert looked(site, broken, before=right) == whole
    checks = site.checks()
    checks.take_snapshot("now", checks.around(["leaf1"]))
    assert [checks.up("now", name) for name in checks.around(["leaf1"])].count(None) == 0
    assert [len(known) for known in checks.parsed.values()] == [1]


def moment(changed: Collection[str] = (), waiting: Collection[str] = (), excused: Collection[str] = ()) -> RunMoment:
    """A moment at which none is drained."""
    return RunMoment(frozenset(), frozenset(changed), frozenset(waiting), frozenset(excused))


def looked(
    site: Site,
    after: Mapping[str, State | None],
    changed: Collection[str] = ("leaf1",),
    waiting: Collection[str] = (),
    before: Mapping[str, State | None] | None = None,
    excused: Collection[str] = (),
) -> Verdicts:
    """Look, change what is shown, look again, and compare."""
    checks = site.checks()
    site.shows.update(before or {})
    checks.take_snapshot("before", checks.around(["leaf1"]))
    site.shows.update(after)
    checks.take_snapshot("after", checks.around(["leaf1"]))
    return checks.compare("before", "after", moment(changed, waiting, excused))


def test_around_is_what_is_cabled_and_can_be_asked(site: Site) -> None:
    assert site.checks().around(["leaf1"]) == ("leaf1", "spine1", "spine2")
    assert site.checks().around(["spine1"]) == ("leaf1", "spine1")
    assert site.checks().around(["spine2"]) == ("spine2",)
    assert site.checks().around([]) == ()
    site.targets = ("leaf1", "spine2")
    assert site.checks().around(["leaf1"]) == ("leaf1", "spine2")


def test_a_look_asks_the_switches_named_and_only_its_owner_can_read_it(site: Site) -> None:
    site.checks().take_snapshot("before", ["leaf1"])
    assert site.asked == [("leaf1",)]
    assert (site.folder / "before").stat().st_mode & 0o777 == 0o700


def test_where_nothing_moves_nothing_is_new(site: Site) -> None:
    found = looked(site, {})
    assert found.new == ()
    assert found.before == found.after
    assert found.before.passed > 0
    assert (found.before.findings, found.waits) == (0, 0)


def test_what_stood_is_missed_on_a_neighbor_too(site: Site) -> None:
    change, sentence = LOSSES["a session"]
    found = looked(site, {"spine1": change(own("spine1"))})
    assert found.new == (sentence.replace("leaf1", "spine1"),)
    assert found.after.findings > found.before.findings


@pytest.mark.parametrize("what", LOSSES)
def test_what_is_lost_is_told_by_the_finding_that_verify_has_of_it(site: Site, what: str) -> None:
    change, sentence = LOSSES[what]
    found = looked(site, {"leaf1": change(own("leaf1"))})
    (cause,) = (one for one in found.roots if sentence in one.new)
    assert cause.sentence != sentence
    assert cause.sentence.startswith("leaf1: ")


def test_what_follows_from_a_new_cause_is_told_there_and_not_once_more_as_pending(site: Site) -> None:
    (port, _), (session, _) = LOSSES["a port"], LOSSES["a session"]
    found = looked(site, {"leaf1": port(session(own("leaf1")))}, waiting=("spine1",))
    (cause,) = found.roots
    assert cause.words == "leaf1: port p1 (cabled to spine1 s1) is down, with 1 consequence"
    assert (cause.checks, cause.devices) == ((("sessions", 1),), ("leaf1",))
    assert (found.pending, found.excused, found.waits) == ((), (), 0)
    assert found.detail(1)["causes"] == [cause.detail(1)]
    assert found.detail(1)["more"] == 0
    assert found.first == cause.words


def test_what_was_wrong_before_may_be_wrong_after(site: Site) -> None:
    bad = sessions(lambda found: (found[0]._replace(state="Active"), *found[1:]))(own("leaf1"))
    found = looked(site, {}, before={"leaf1": bad})
    assert found.new == ()
    assert found.before.findings == found.after.findings > 0
    assert found.waits == found.after.findings


WORSE = rows("interfaces", lambda found: (found[0]._replace(mtu=1500), *found[1:]))
"""A port with another MTU: nothing falls, and verify finds it."""


def test_a_new_fault_counts_on_a_changed_switch(site: Site) -> None:
    found = looked(site, {"leaf1": WORSE(own("leaf1"))})
    assert len(found.new) == 1
    assert found.new[0].startswith("leaf1: port p1 ")
    assert "9214" in found.new[0]
    assert "1500" in found.new[0]


def test_a_new_fault_on_a_switch_that_was_not_changed_is_not_this_changes(site: Site) -> None:
    found = looked(site, {"spine1": WORSE(own("spine1"))})
    assert found.new == ()
    assert found.waits == 1


def test_a_fault_that_a_switch_still_to_come_has_a_part_in_waits(site: Site) -> None:
    """A session that was never up, with a switch that is still to be given it."""
    down = sessions(lambda found: (found[0]._replace(state="Active"), *found[1:]))
    before, after = sessions(lambda found: found[1:])(own("leaf1")), down(own("leaf1"))
    found = {
        far: looked(site, {"leaf1": after}, before={"leaf1": before}, waiting=(far,)).new
        for far in ("spine1", "spine2")
    }
    assert found["spine1"] == ()
    assert len(found["spine2"]) == 1
    assert "10.1.0.1" in found["spine2"][0]


def row_of(at: int, **values: object) -> Callable[[State], State]:
    """Other values in one of a switch's sessions."""

    def changed(found: tuple[Any, ...]) -> tuple[Any, ...]:
        kept = list(found)
        kept[at] = kept[at]._replace(**values)
        return tuple(kept)

    return sessions(changed)


def toward(system: str, change: Callable[[Session], Session | None]) -> State:
    """leaf1 with other sessions toward one system."""
    wanted = {one.peer for one in LEAF.sessions if one.far.system == system}

    def changed(found: tuple[Session, ...]) -> tuple[Session, ...]:
        kept = (change(one) if one.peer in wanted else one for one in found)
        return tuple(one for one in kept if one is not None)

    return sessions(changed)(own("leaf1"))


MISSING = toward("spine1", lambda one: None)
"""leaf1 before it is given its sessions with spine1."""
DOWN = toward("spine1", lambda one: one._replace(state="Active"))
"""leaf1 with them, and none comes up."""
LACKS = sessions(lambda found: found[:-1])(own("spine1"))
"""spine1 without its end."""
NO_BGP = sessions(lambda found: ())(own("leaf1"))
FAR_ENDS: dict[str, tuple[State | None, tuple[str, ...], int]] = {
    "does not have it": (LACKS, ("leaf1",), 0),
    "has another AS there": (row_of(-1, remote_as=65009)(own("spine1")), ("leaf1",), 0),
    "is silent": (None, ("leaf1",), 0),
    "runs no BGP": (sessions(lambda found: ())(own("spine1")), ("leaf1",), 0),
    "has it": (row_of(-1, state="Active")(own("spine1")), ("leaf1",), 1),
    "was to be given it as well": (LACKS, ("leaf1", "spine1"), 1),
}
"""spine1 in both looks, who is changed → how many faults."""


@pytest.mark.parametrize("what", FAR_ENDS)
def test_a_session_that_is_new_here_waits_for_a_far_end_that_lacks_it(site: Site, what: str) -> None:
    """Switches that are named alone get their ends alone; whose far end is there and does not answer is broken."""
    far, changed, new = FAR_ENDS[what]
    shows = {"leaf1": MISSING, "spine1": far}
    found = looked(site, {"leaf1": DOWN}, before=shows, changed=changed)
    assert len(found.new) == new, found.new
    assert found.waits + sum(one.consequences for one in found.roots) > 0


def test_an_own_end_that_is_set_up_wrongly_waits_for_nobody(site: Site) -> None:
    wrong = toward("spine1", lambda one: one._replace(remote_as=65009))
    found = looked(site, {"leaf1": wrong}, before={"leaf1": MISSING, "spine1": LACKS})
    assert len(found.new) == len([one for one in LEAF.sessions if one.far.system == "spine1"])


def test_a_session_that_stood_is_missed_whatever_its_far_end_shows(site: Site) -> None:
    assert len(looked(site, {"leaf1": DOWN}, before={"spine1": LACKS}).new) == 3


def test_the_first_sessions_of_a_switch_wait_for_far_ends_that_lack_them(site: Site) -> None:
    bare = {name: sessions(lambda found: found[:-1])(own(name)) for name in ("spine1", "spine2")}
    down = sessions(lambda found: tuple(one._replace(state="Active") for one in found))(own("leaf1"))
    assert looked(site, {"leaf1": down}, before={"leaf1": NO_BGP, **bare}).new == ()


@pytest.mark.parametrize(("far", "new"), [("without", 0), ("with", 1)])
def test_bfd_waits_for_a_far_end_that_lacks_it(site: Site, far: str, new: int) -> None:
    none, down = (rows("bfd", change)(own("leaf1")) for change in (without_first, first(up=False)))
    spine = own("spine1") if far == "with" else rows("bfd", lambda found: found[:-1])(own("spine1"))
    found = looked(site, {"leaf1": down}, before={"leaf1": none, "spine1": spine})
    assert len(found.new) == new, found.new


def test_checks_that_hang_on_others_decide_only_where_nothing_waits(site: Site) -> None:
    """A route that was never there comes with the last switch: till then it waits, and then it must be there."""
    gone = rows("routes", lambda found: found[1:])(own("leaf1"))
    wrong = rows("routes", lambda found: (found[0]._replace(hops=found[0].hops[:1]), *found[1:]))(own("leaf1"))
    assert looked(site, {"leaf1": wrong}, before={"leaf1": gone}, waiting=("spine2",)).new == ()
    found = looked(site, {"leaf1": wrong}, before={"leaf1": gone}, waiting=())
    assert any("10.0.0.2/32" in one for one in found.new)


def test_what_no_other_switch_has_a_part_in_decides_at_once(site: Site) -> None:
    """A VNI that the change was to bring, and that is down."""
    none, down = (rows("vnis", change)(own("leaf1")) for change in (without_first, first(up=False)))
    found = looked(site, {"leaf1": down}, before={"leaf1": none}, waiting=("spine2",))
    assert len(found.new) == 1
    assert "10020" in found.new[0]


@pytest.mark.parametrize("code", sorted(OWN_CODES))
def test_codes_that_decide_at_once_are_codes_of_findings(code: str) -> None:
    assert code in {entry.code for check in LIVE_CHECKS for entry in check.codes}


SETTINGS = {
    "qos-pfc-off": rows("qos", first(pfc=False)),
    "qos-pfc": rows("qos", first(pfc_priorities=(4,))),
    "qos-watchdog": rows("qos", first(watchdog=False)),
    "qos-ecn": rows("qos", first(ecn=())),
    "qos-unexpected": rows("qos", lambda found: (*found, found[0]._replace(port="p8"))),
    "rule-unexpected": with_("rules", (PolicyRule("", 100, "100: from all lookup 9"),)),
}
"""Faults of a changed switch's own settings, by the code of verify's finding."""


@pytest.mark.parametrize("code", SETTINGS)
def test_settings_that_were_never_right_decide_while_others_wait(site: Site, code: str) -> None:
    """The switch had none of it before, so nothing is lost; it is the change that did not bring it."""
    without = with_("rules", ())(with_("qos", ())(own("leaf1")))
    wrong = SETTINGS[code](replace(own("leaf1"), rules=()))
    found = looked(site, {"leaf1": wrong}, before={"leaf1": without}, waiting=("spine2",))
    assert len(found.new) == 1, found.new


GONE = {
    "PFC": (rows("qos", first(pfc=False)), "port p1 was with PFC as planned"),
    "EVPN": (with_("evpn", ()), "EVPN type 5 of leaf2 was there"),
    "flooding": (rows("vnis", first(vteps=())), "VTEP 10.0.1.2 was flooded to"),
    "next hops": (
        rows("routes", first(hops=(Hop("", "p8"), Hop("", "p9")))),
        "route 10.0.0.2/32 of leaf2 was over p1, p2, now over p8, p9",
    ),
}
"""What a canary can take away that no session shows."""


@pytest.mark.parametrize("what", GONE)
def test_a_canary_that_takes_it_away_is_told_while_others_wait(site: Site, what: str) -> None:
    change, sentence = GONE[what]
    found = looked(site, {"leaf1": change(own("leaf1"))}, waiting=("spine1", "spine2"))
    assert any(one.startswith(f"leaf1: {sentence}") for one in found.new), found.new


def test_what_others_see_of_a_switch_whose_loss_is_accepted_may_go(site: Site) -> None:
    """leaf1 waits, and loses its session with spine1, whose loss somebody accepted.

    Not excused is what it had with spine2, and nothing is where both ends are changed.
    """
    for at, waiting, new in ((0, ("leaf1",), 0), (1, ("leaf1",), 1), (0, (), 1)):
        fallen = sessions(partial(_down, at))(own("leaf1"))
        found = looked(site, {"leaf1": fallen}, changed=("spine1",), waiting=waiting, excused=("spine1",))
        assert len(found.new) == new, found.new
        site.shows["leaf1"] = own("leaf1")


def _down(at: int, found: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*found[:at], found[at]._replace(state="Active"), *found[at + 1 :])


def test_a_switch_that_falls_silent_is_lost_and_one_that_was_silent_is_not(site: Site) -> None:
    found = looked(site, {"spine2": None})
    assert found.new == ("spine2: the switch was answering, now silent",)
    assert found.after.findings == 1
    again = looked(site, {"spine2": None}, before={"spine2": None})
    assert again.new == ()
    assert looked(site, {"spine2": own("spine2")}, before={"spine2": None}).new == ()


def test_a_changed_switch_that_is_silent_is_told_once_with_why(site: Site) -> None:
    found = looked(site, {"leaf1": None})
    assert found.new[0] == "leaf1: the switch was answering, now silent"
    assert any("no route to host" in one for one in found.new)


def test_what_is_lost_of_a_switch_that_waits_counts_all_the_same(site: Site) -> None:
    change, sentence = LOSSES["a path"]
    assert looked(site, {"leaf1": change(own("leaf1"))}, changed=("spine1",), waiting=("leaf1",)).new == (sentence,)


def test_the_plan_that_is_held_against_has_the_drained_switches_drained(site: Site) -> None:
    checks = site.checks()
    checks.take_snapshot("before", ["leaf1"])
    checks.compare("before", "before", moment(waiting=["spine2"])._replace(drained=frozenset({"spine1"})))
    assert site.drained == [frozenset({"spine1"})]
    assert site.waiting == [frozenset({"spine2"})]
    checks.findings("before", frozenset({"spine2"}))
    assert (site.drained[-1], site.waiting[-1]) == (frozenset({"spine2"}), frozenset())


def test_peers_whose_sessions_stood(site: Site) -> None:
    site.shows["leaf1"] = sessions(lambda found: (found[0]._replace(state="Active"), *found[1:]))(own("leaf1"))
    site.shows["spine2"] = None
    checks = site.checks()
    checks.take_snapshot("before", ["leaf1", "spine2"])
    assert checks.established("before", "leaf1") == frozenset({"10.1.0.3", "fd00::1", "fd00::3", "10.0.0.101"})
    assert checks.established("before", "spine2") is None
    assert checks.established("before", "spine1") is None


def test_a_look_of_a_killed_run_is_found_again(site: Site) -> None:
    site.checks().take_snapshot("before", ["leaf1"])
    site.shows["leaf1"] = LOSSES["a port"][0](own("leaf1"))
    later = site.checks()
    later.take_snapshot("after", ["leaf1"])
    assert later.compare("before", "after", moment()).new == (LOSSES["a port"][1],)


def test_what_is_looked_at_again_is_read_again_and_what_stands_is_read_once(site: Site) -> None:
    """A wave looks "now" until all is right, and holds each look against the same one from before."""
    checks = site.checks()
    checks.take_snapshot("before", ["leaf1"])
    shown = own("leaf1")
    for change, sentences in ((LOSSES["a port"][0], (LOSSES["a port"][1],)), (lambda state: state, ())):
        site.shows["leaf1"] = change(shown)
        checks.take_snapshot("now", ["leaf1"])
        assert checks.compare("before", "now", moment()).new == sentences
    kept = site.folder / "before/leaf1.json.gz"
    kept.write_bytes(b"")
    assert checks.compare("before", "now", moment()).new == ()
    kept.unlink()
    for number in range(MOST_SNAPSHOTS):
        checks.take_snapshot(f"wave-{number}", ["leaf1"])
        assert checks.established(f"wave-{number}", "leaf1")
    assert checks.established("before", "leaf1") is None


def test_a_look_has_nothing_of_an_earlier_one_of_its_name(site: Site) -> None:
    """Each wave looks "now": what the wave before saw is of another time, and no part of this one's counts."""
    checks = site.checks()
    checks.take_snapshot("now", ["spine1", "leaf1"])
    checks.take_snapshot("wave-2", ["spine2"])
    checks.take_snapshot("now", ["spine2"])
    found = checks.compare("wave-2", "now", moment(["spine2"]))
    assert found.before == found.after


def test_tallies_add_up() -> None:
    assert CheckCounts(1, 2)._asdict() == {"passed": 1, "findings": 2}


STARTS = {"the same start": ("one", "one"), "another start": ("one", "two"), "no such clock": (None, None),
          "none by then": ("one", None)}  # fmt: skip


@pytest.mark.parametrize(("before", "later"), STARTS.values(), ids=STARTS)
@pytest.mark.parametrize("killed", [0, 7200, -7200])
@pytest.mark.parametrize("jump", [0, 7200, -7200])
def test_when_counters_were_read_is_told_by_a_clock_that_nobody_sets(
    site: Site, monkeypatch: pytest.MonkeyPatch, jump: float, killed: float, before: str | None, later: str | None
) -> None:
    """The calendar is set within the second look, and behind the kill of the run that took the first one."""
    calendar, clock, start = [1e9], [100.0], before

    def pass_(seconds: float) -> None:
        calendar[0] += seconds
        clock[0] += seconds

    def ask(folder: Path, targets: Mapping[str, Target]) -> None:
        pass_(1)
        calendar[0] += jump if folder.name == "second" else 0
        at = datetime.fromtimestamp(calendar[0], UTC)
        site.kept.append(own("leaf1"))
        outputs = {"show": Output(str(len(site.kept) - 1))}
        for name in targets:
            write(folder, Collected(device=name, system="double", vrfs={}, outputs=outputs, at=at), PACKED)
        pass_(1)

    def checks() -> Checks:
        one = SimpleNamespace(name="leaf1", system="double")
        return replace(
            site.checks(),
            ask=ask,
            devices=lambda drained, waiting: cast("Sequence[Device]", [one]),
            clocks=lambda: (calendar[0], clock[0]),
            since=lambda: Since(start, 50 + clock[0]) if start is not None else None,
        )

    monkeypatch.setattr(checks_module, "sample", lambda device, state, at, counts: at)
    checks().take_snapshot("start", ["leaf1"])
    pass_(28)
    calendar[0] += killed
    start = later
    again = checks()
    moments: list[Any] = []
    for name in ("start", "first", "second", "third"):
        if name != "start":
            again.take_snapshot(name, ["leaf1"])
        moments.append(again.samples(name, ["leaf1"])["leaf1"])
        pass_(8)
    assert moments[0] == (101 if before == later == "one" else None)
    assert moments[1] == 139
    assert abs(moments[2] - 149) <= 1  # within its look
    assert moments[3] == 159
