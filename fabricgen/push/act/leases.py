"""Who is at work on a switch, whichever journal is used: said on the switch itself, where its driver has a place."""

from collections.abc import Iterable, Iterator, Mapping

from fabricgen.diff.words import named
from fabricgen.errors import FabricError, Problem
from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.standing import lease_words
from fabricgen.push.act.survey import Surveyed
from fabricgen.push.act.work import Failed, Fleet
from fabricgen.push.switch.switch import SwitchConnection, SwitchError

OLD_SECONDS = 900
"""A lease that nobody has said again for so long may be taken over: every timer of a push has fired by then."""
AGAIN_SECONDS = 300
"""A run says it again before a wave, where it has not said so for this long."""


class Leases:
    """Those of one run."""

    def __init__(self, fleet: Fleet, claim: RunClaim | None, names: Iterable[str]) -> None:
        self._fleet, self._claim, self._names = fleet, claim, tuple(sorted(names))
        self._said = -float(AGAIN_SECONDS)

    def take(self, now: float) -> None:
        """Be at work on every switch. Raises FabricError, with nothing taken, where another is."""
        others, self._said = self._others(), now
        if others:
            self.release()
            raise FabricError([_problem(name, error.reason) for name, error in others.items()])

    def again(self, now: float) -> None:
        """Say so again, where that was long ago. Raises Failed where another has taken over."""
        if now >= self._said + AGAIN_SECONDS:
            self.hold()
            self._said = now

    def hold(self) -> None:
        """See that every switch is this run's still. Raises Failed where another has taken over."""
        others = self._others()
        if others:
            raise Failed({name: f"another run has taken over: {error.reason}" for name, error in others.items()})

    def release(self, but: Iterable[str] = ()) -> None:
        """Be at work no more. but: switches on which something of this run is left, so that others see whose it is."""
        claim = self._claim
        if claim is not None:
            self._fleet.each([name for name in self._names if name not in but], lambda box: box.release(claim.token))

    def _others(self) -> Mapping[str, SwitchError]:
        """Switches on which another is at work. One that is not reached shows when its turn comes."""
        claim = self._claim
        if claim is None:
            return {}
        found = self._fleet.each(self._names, lambda box: box.claim(claim))
        return {
            name: error for name, error in found.items() if isinstance(error, SwitchError) and error.kind == "leased"
        }


def claimed(box: SwitchConnection, claim: RunClaim | None) -> None:
    """See that a switch is this run's still, before it is changed. Raises BoxError `leased`."""
    if claim is not None:
        box.claim(claim)


def leased(found: Iterable[Surveyed], runs: frozenset[str], after: int | None) -> Iterator[Problem]:
    """Problems with switches on which another run is at work.

    runs   tokens of runs that are known to have ended, or are the one that goes on
    after  seconds after which the word of another counts no more; None: it counts for ever
    """
    for one in found:
        lease = one.lease
        if lease is None or lease.token in runs or (after is not None and lease.seconds >= after):
            continue
        yield _problem(one.device, lease_words(lease))


def _problem(name: str, who: str) -> Problem:
    return Problem(
        code="push-leased",
        what=f"another push is at work on {name}",
        why=f"{who}; two at once would undo each other's changes and drains",
        fix=f"wait until it has ended; {OLD_SECONDS // 60} minutes after its last word --commit --take-over goes ahead",
    )


def left_words(names: Iterable[str]) -> str:
    """Of switches on which a lease is kept."""
    return f"{named(sorted(names))} stays marked as this run's, since something of it may be left there"
