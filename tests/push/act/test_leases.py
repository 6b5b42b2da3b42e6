"""Who is at work on a switch: of two runs one is refused before anything changes, and one that lost its place stops.

Switches are doubles that keep a lease as a switch does; the real ones are in tests/napalm_frr and tests/lab.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

from fabricgen.errors import FabricError
from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.run_marks import Lease
from fabricgen.push.act.leases import AGAIN_SECONDS, OLD_SECONDS, Leases, leased
from fabricgen.push.act.survey import Surveyed
from fabricgen.push.act.work import Failed
from fabricgen.push.switch.switch import SwitchError

T = TypeVar("T")

OURS, THEIRS = (
    RunClaim(token, f"{who}@jump", "run 7") for token, who in (("aaaaaaaaaaaa", "alice"), ("bbbbbbbbbbbb", "bob"))
)


@dataclass
class Box:
    """One switch. said: how often somebody said to be at work."""

    name: str
    held: RunClaim | None = None
    away: bool = False
    said: int = 0

    def claim(self, claim: RunClaim) -> None:
        if self.away:
            raise SwitchError("lost", "it does not answer")
        if self.held is not None and self.held.token != claim.token:
            raise SwitchError("leased", f"{self.held.owner} is at work on it")
        self.held, self.said = claim, self.said + 1

    def release(self, token: str) -> None:
        if self.held is not None and self.held.token == token:
            self.held = None


@dataclass
class Fleet:
    """Two switches."""

    boxes: dict[str, Box] = field(default_factory=lambda: {name: Box(name) for name in ("a", "b")})

    def each(self, names: Iterable[str], act: Callable[[Any], T]) -> dict[str, T | SwitchError]:
        found: dict[str, T | SwitchError] = {}
        for name in names:
            try:
                found[name] = act(self.boxes[name])
            except SwitchError as error:
                found[name] = error
        return found


def test_the_second_is_refused_with_who_and_nothing_stays_taken() -> None:
    fleet = Fleet()
    fleet.boxes["b"].held = THEIRS
    with pytest.raises(FabricError) as caught:
        Leases(fleet, OURS, ["a", "b"]).take(0)
    (problem,) = caught.value.problems
    assert (problem.code, problem.what) == ("push-leased", "another push is running on b")
    assert "bob@jump" in problem.why
    assert "--take-over" in problem.fix
    assert (fleet.boxes["a"].held, fleet.boxes["b"].held) == (None, THEIRS)


def test_one_that_was_taken_over_from_fails_and_is_not_done() -> None:
    fleet = Fleet()
    ours = Leases(fleet, OURS, ["a", "b"])
    ours.take(0)
    ours.check()
    fleet.boxes["b"].held = THEIRS
    with pytest.raises(Failed, match="another run has taken over: bob@jump"):
        ours.check()
    ours.release()
    assert (fleet.boxes["a"].held, fleet.boxes["b"].held) == (None, THEIRS)


def test_a_switch_that_is_away_is_told_when_its_turn_comes() -> None:
    fleet = Fleet()
    fleet.boxes["a"].away = True
    Leases(fleet, OURS, ["a", "b"]).take(0)
    assert fleet.boxes["b"].held == OURS


def test_it_is_said_again_after_a_while_and_not_at_every_wave() -> None:
    fleet = Fleet()
    ours = Leases(fleet, OURS, ["a"])
    ours.take(0)
    for now in (0, 1, AGAIN_SECONDS - 1, AGAIN_SECONDS, AGAIN_SECONDS + 1):
        ours.renew(now)
    assert fleet.boxes["a"].said == 2


def test_where_something_is_left_the_lease_stays() -> None:
    fleet = Fleet()
    ours = Leases(fleet, OURS, ["a", "b"])
    ours.take(0)
    ours.release({"b"})
    assert (fleet.boxes["a"].held, fleet.boxes["b"].held) == (None, OURS)


def _surveyed(seconds: int) -> Surveyed:
    lease = Lease(THEIRS.token, THEIRS.owner, "run 7 of dc1.yaml, drains b in turn", seconds)
    return Surveyed("b", None, b"", "", "", (), None, (), lease=lease)


def test_a_lease_counts_until_it_is_old_and_somebody_says_so() -> None:
    def codes(seconds: int, after: int | None, *runs: str) -> list[str]:
        return [problem.code for problem in leased([_surveyed(seconds)], frozenset(runs), after)]

    assert codes(10, None) == codes(10**6, None) == codes(OLD_SECONDS - 1, OLD_SECONDS) == ["push-leased"]
    assert codes(OLD_SECONDS, OLD_SECONDS) == codes(0, None, THEIRS.token) == []
    (problem,) = leased([_surveyed(12)], frozenset(), None)
    assert problem.why.startswith("bob@jump changes it with push bbbbbbbbbbbb: run 7 of dc1.yaml, drains b in turn")
