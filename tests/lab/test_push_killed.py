"""A push that is killed, or stopped by hand, wherever it is: the same words again end it, and nothing stays half done.

Two spines are drained, changed and brought back, one after the other, with traffic across.
"""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frr.waiting import becomes
from tests.lab.pushing import QUICK, Pushing, pushing, trap
from tests.lab.sites import available
from tests.lab.test_drain_live import LEAVES, SPINES, Site, _over, _sessions, _traffic, site
from tests.some import LONG

__all__ = ("site",)

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SECOND, FIRST = SPINES
"""In the order of the waves: the last one is the canary."""
CHAIN = (
    trap("note", "before", step="read", how="ended", device=""),  # has looked at what stands
    trap("commit", "before", device=FIRST),  # written down that it begins, and not begun
    trap("commit", "after", device=FIRST),  # drained, and waits; the journal knows of no end
    trap("note", "before", step="quiet", how="ended", device=FIRST),
    trap("confirm", "after", device=FIRST),  # drained for good; the journal does not know
    trap("commit", "after", device=FIRST),  # changed while drained, and waits
    trap("note", "after", step="check", how="begun", device=FIRST, stage="change"),
    trap("confirm", "after", device=FIRST),
    trap("commit", "after", device=FIRST),  # back in service, and waits
    trap("confirm", "before", device=FIRST),
    trap("note", "after", step="done", how="ended", device=FIRST),
    trap("load", "after", device=SECOND),
)
"""Where one run is killed and goes on, again and again."""
DRAINED = "DRAINED-OUT out"


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    """The lab, healthy before and after."""
    with pushing(site, tmp_path) as found:
        yield found
    _over(site, *SPINES)


def _is_back(lab: Pushing, name: str) -> bool:
    return DRAINED not in lab.runs(name) + lab.starts(name)


@pytest.mark.long
def test_killed_again_and_again_it_ends_at_the_intent_without_loss(site: Site, lab: Pushing) -> None:
    intent, sessions = lab.with_line("KILLED", *SPINES), _sessions(site)
    with _traffic(site):
        for number, where in enumerate(CHAIN):
            ended = lab.push(intent, "--commit", trap=where)
            assert ended.code == -signal.SIGKILL, (number, where, ended.text)
        ended = lab.push(intent, "--commit")
        assert ended.code == 0, ended.text
        _over(site, *SPINES)
    assert [lab.has(name, "KILLED") for name in SPINES] == [(True, True)] * 2
    assert all(_is_back(lab, name) and not lab.waits(name) for name in SPINES)
    assert _sessions(site) == sessions


@pytest.mark.long
def test_killed_and_left_alone_the_switch_goes_back_by_itself(lab: Pushing) -> None:
    """While it waits; what was never confirmed is as if it had not been. Typed again, it is done."""
    before, intent = lab.configs(), lab.with_line("ALONE", FIRST)
    settings = {**QUICK, "confirm": 10, "quiet": 3}
    ended = lab.push(intent, "--commit", trap=trap("commit", "after", device=FIRST), settings=settings)
    assert ended.code == -signal.SIGKILL, ended.text
    assert DRAINED in lab.runs(FIRST)
    becomes(False, lab.waits, FIRST)
    becomes(sorted(before[FIRST][0].splitlines()), lambda: sorted(lab.runs(FIRST).splitlines()))
    assert lab.starts(FIRST) == before[FIRST][1]
    ended = lab.push(intent, "--commit")
    assert ended.code == 0, ended.text
    assert lab.has(FIRST, "ALONE") == (True, True)
    assert _is_back(lab, FIRST)


@pytest.mark.long
def test_killed_while_drained_and_then_it_fails_it_is_said_that_it_stays_drained(lab: Pushing) -> None:
    """What ran before the drain, the killed process alone knew: pushing the intent of then brings it back."""
    before, old = lab.configs(), lab.intent()
    speaker = lab.running.device(FIRST).routing.bgp
    lines = (f"router bgp {speaker.asn}", f" neighbor {speaker.neighbors[0].address} shutdown")
    intent = lab.intent(raw={FIRST: lines})
    where = trap("note", "after", step="confirm", how="ended", device=FIRST, stage="drain")
    ended = lab.push(intent, "--commit", trap=where)
    assert ended.code == -signal.SIGKILL, ended.text
    ended = lab.push(intent, "--commit", settings={**QUICK, "converge": 4})
    assert ended.code == 5, ended.text  # a person has to look at it
    assert "may be drained still" in ended.text
    assert not _is_back(lab, FIRST)
    ended = lab.push(old, "--commit")
    assert ended.code == 0, ended.text
    assert _is_back(lab, FIRST), ended.text
    assert sorted(lab.runs(FIRST).splitlines()) == sorted(before[FIRST][0].splitlines())


@pytest.mark.long
def test_a_run_that_was_killed_and_other_switches_that_are_named(lab: Pushing) -> None:
    """It goes on, or is refused in words, though a secret of its switches is none of those that are named."""
    lines = (f"router bgp {lab.running.device(LEAVES[0]).routing.bgp.asn}", " neighbor X peer-group")
    secret = (*lines, " neighbor X password ${env:OUTSIDE_KEY}")
    intent, env = lab.intent(raw={LEAVES[0]: secret}), {"OUTSIDE_KEY": "unheard-of"}
    words = (intent, "--commit", "--accept-loss", LEAVES[0])
    ended = lab.push(*words, env=env, trap=trap("load", "before", device=LEAVES[0]))
    assert ended.code == -signal.SIGKILL, ended.text
    ended = lab.push(*words, "--devices", "be-spine-*", env=env)
    assert "Traceback" not in ended.text


@pytest.mark.parametrize(("number", "at"), [(signal.SIGINT, "apply"), (signal.SIGTERM, "commit")])
@LONG
def test_stopped_by_hand_in_a_wave_nothing_waits_and_nothing_more_begins(
    site: Site, lab: Pushing, number: signal.Signals, at: str
) -> None:
    """To all of its processes, as a terminal sends it."""
    before, intent = lab.configs(), lab.with_line("STOPPED", *SPINES)
    where = trap(at, "before", "wait", device=FIRST, count=1)  # of the change, while drained
    with _traffic(site), lab.begun(intent, "--commit", trap=where) as child:
        child.reach()
        child.signal(number)
        child.go()
        ended = child.end()
        assert ended.code == 130, ended.text
        _over(site, *SPINES)
    assert "stopped by" in ended.text.lower(), ended.text
    assert not any(lab.waits(name) for name in lab.names)
    assert all(_is_back(lab, name) for name in SPINES)
    assert lab.configs()[SECOND] == before[SECOND]
    assert lab.has(FIRST, "STOPPED") == (False, False)
