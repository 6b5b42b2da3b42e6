"""Leases: which run is at work on a switch, whatever its journal; kept on the switch itself if its driver can."""

from collections.abc import Iterable, Iterator, Mapping

from fabricgen.diff.words import named
from fabricgen.errors import FabricError, Problem
from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.run_marks import lease_words
from fabricgen.push.act.survey import Surveyed
from fabricgen.push.act.work import Failed, Fleet
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import SwitchError

OLD_SECONDS = 900
"""A lease that was not renewed for this long may be taken over: every timer of a push has fired by then."""
AGAIN_SECONDS = 300
"""A run renews its leases before a wave if they are this old."""


class Leases:
    """The leases of one run."""

    def __init__(self, fleet: Fleet, claim: RunClaim | None, names: Iterable[str]) -> None:
        self._fleet, self._claim, self._names = fleet, claim, tuple(sorted(names))
        self._renewed = -float(AGAIN_SECONDS)

    def take(self, now: float) -> None:
        """Take the lease of every switch. Raises FabricError, with nothing taken, where another run has one."""
        others, self._renewed = self._others(), now
        if others:
            self.release()
            raise FabricError([_problem(name, error.reason) for name, error in others.items()])

    def renew(self, now: float) -> None:
        """Renew the leases if they are old. Raises Failed where another run has taken over."""
        if now >= self._renewed + AGAIN_SECONDS:
            self.check()
            self._renewed = now

    def check(self) -> None:
        """Check that this run still holds every lease. Raises Failed where another run has taken over."""
        others = self._others()
        if others:
            raise Failed({name: f"another run has taken over: {error.reason}" for name, error in others.items()})

    def release(self, but: Iterable[str] = ()) -> None:
        """Release the leases. but: switches on which something of this run is left, so that others see whose it is."""
        claim = self._claim
        if claim is not None:
            self._fleet.each(
                [name for name in self._names if name not in but], lambda switch: switch.release(claim.token)
            )

    def _others(self) -> Mapping[str, SwitchError]:
        """Switches on which another run holds the lease. An unreachable one fails later, in its own step."""
        claim = self._claim
        if claim is None:
            return {}
        results = self._fleet.each(self._names, lambda switch: switch.claim(claim))
        return {
            name: error for name, error in results.items() if isinstance(error, SwitchError) and error.kind == "leased"
        }


def claimed(switch: SwitchConnection, claim: RunClaim | None) -> None:
    """Check that this run still holds a switch's lease, before it is changed. Raises SwitchError `leased`."""
    if claim is not None:
        switch.claim(claim)


def leased(surveyed: Iterable[Surveyed], runs: frozenset[str], after: int | None) -> Iterator[Problem]:
    """Problems of switches on which another run is at work.

    runs   tokens of runs that are known to have ended, or of the run that continues
    after  seconds after which the lease of another run is ignored; None: never
    """
    for switch in surveyed:
        lease = switch.lease
        if lease is None or lease.token in runs or (after is not None and lease.seconds >= after):
            continue
        yield _problem(switch.device, lease_words(lease))


def _problem(name: str, holder: str) -> Problem:
    return Problem(
        code="push-leased",
        what=f"another push is running on {name}",
        why=f"{holder}; two at once would undo each other's changes and drains",
        fix=f"wait until it has ended; {OLD_SECONDS // 60} minutes after its last report --commit --take-over is "
        f"accepted",
    )


def left_words(names: Iterable[str]) -> str:
    """Message about switches on which a lease is kept."""
    return f"{named(sorted(names))} keeps the lock of this run, since changes of it may be left there"
