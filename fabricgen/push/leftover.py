"""What runs have left on switches and nobody will end: armed commits of a run that is given up, leases of dead runs."""

from collections.abc import Callable, Iterable

from fabricgen.drivers.standing import Phase
from fabricgen.push.box import Box, BoxError
from fabricgen.push.model import RunRecord
from fabricgen.push.past import Past
from fabricgen.push.survey import Surveyed
from fabricgen.push.work import Fleet

Tell = Callable[[str], None]


def end_armed(fleet: Fleet, record: RunRecord, tell: Tell) -> None:
    """End what a run that is given up has left armed, so that nothing goes back later behind anybody's back."""
    past = Past(record)

    def end(box: Box) -> bool:
        armed = box.standing().armed
        is_ours = armed is not None and past.is_ours(armed.token)
        if armed is not None and is_ours:
            box.revert(armed.token)
        box.release(past.run)
        return is_ours

    for name, ended in fleet.each(sorted(one.device for one in record.planned), end).items():
        if isinstance(ended, BoxError):
            until = past.until.get(name)
            timer = f"; it goes back by itself at {until:%H:%M:%S} UTC at the latest" if until is not None else ""
            tell(f"{name}: what the abandoned run left could not be ended: {ended.reason}{timer}")
        elif ended:
            tell(f"{name}: the commit of the abandoned run is ended; what ran before it runs again")


def end_lost(fleet: Fleet, names: Iterable[str], tell: Tell) -> None:
    """Put back what ran before commits whose switch can not do so by itself any more, whosever they are."""

    def end(box: Box) -> bool:
        armed = box.standing().armed
        is_lost = armed is not None and armed.phase is Phase.LOST
        if armed is not None and is_lost:
            box.revert(armed.token)
        return is_lost

    for name, ended in fleet.each(names, end).items():
        if ended is True:
            tell(f"{name}: a commit that nothing would have ended is put back")


def forget_leases(fleet: Fleet, found: Iterable[Surveyed], runs: frozenset[str]) -> None:
    """Take away the leases of runs that have ended. runs: tokens of those."""
    dead = {one.device: one.lease.token for one in found if one.lease is not None and one.lease.token in runs}
    if dead:
        fleet.each(dead, lambda box: box.release(dead[box.name]))
