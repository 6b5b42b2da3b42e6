"""What runs have left on switches and nobody will end: armed commits of a run that is given up, leases of dead runs."""

from collections.abc import Callable, Iterable

from fabricgen.platforms.base.live.standing import Phase
from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.survey import Surveyed
from fabricgen.push.act.unfinished_run import RunProgress
from fabricgen.push.act.window import Texts, Window, aimed
from fabricgen.push.act.work import Fleet, Means, SwitchWork
from fabricgen.push.model import PlannedSwitch, RunRecord, StageName
from fabricgen.push.plan.approval import fingerprint
from fabricgen.push.plan.by_hand import parts
from fabricgen.push.report.hands import hands_of, hands_words
from fabricgen.push.switch.switch import Candidate, SwitchConnection, SwitchError

Tell = Callable[[str], None]

ENDED = "the commit of the abandoned run is ended"
SAME = "what ran before it runs again"
OTHER = "it does not run what it ran before: look at what it runs"
PUT_BACK = (
    "a commit that nothing would have ended is put back, and whatever was typed by hand there since is undone: ask who "
    "was at work there"
)
UNKNOWN = "what it ran before is not known: look at what it runs"


def end_armed(means: Means, record: RunRecord, is_same: Callable[[PlannedSwitch], bool]) -> None:
    """End what a run that is given up has left armed, so that nothing goes back later behind anybody's back.

    What a hand has typed there since goes with it: that is read before, written into the journal, and told.

    is_same  whether a switch would get the same now as when the run began: else nobody knows what was committed there
    """
    past, planned = RunProgress(record), {one.device: one for one in record.planned}
    works = {name: means.work(name) for name in past.begun.keys() & planned.keys() if is_same(planned[name])}
    window = Window(
        RunSteps(means, record.number), means.drifts, lambda box: _committed(box, past, works.get(box.name))
    )

    def end(box: SwitchConnection) -> str:
        armed, said = box.standing().armed, ""
        if armed is not None and past.is_ours(armed.token):
            with window.over(box, is_whole=armed.phase is Phase.WAITS):
                box.revert(armed.token)
            said = f"{ENDED}; {_what(fingerprint(box.running()), past.before.get(box.name))}"
        elif armed is None and box.name in past.begun and fingerprint(box.running()) == past.before.get(box.name):
            window.missed(box.name)
        box.release(past.run)
        return said

    for name, said in means.fleet.each(sorted(planned), end).items():
        if isinstance(said, SwitchError):
            until = past.until.get(name)
            timer = f"; it reverts by itself at {until:%H:%M:%S} UTC at the latest" if until is not None else ""
            means.tell(f"{name}: what the abandoned run left could not be ended: {said.reason}{timer}")
        elif said:
            means.tell(f"{name}: {said}")
    for line in hands_words(hands_of(means.journal.record(record.number).events)):
        means.tell(line)


def _what(runs: str, before: str | None) -> str:
    """What a switch runs behind a revert, by fingerprints."""
    if before is None:
        return UNKNOWN
    return SAME if runs == before else OTHER


def _committed(box: SwitchConnection, past: RunProgress, work: SwitchWork | None) -> Texts | None:
    """What a run that is given up committed last on a switch, without secrets; None where that is not known."""
    runs, begun = box.running(), past.begun.get(box.name)
    if fingerprint(runs) in past.ran[box.name]:
        return parts(runs, box.profile.files.values())
    candidate = _candidate(work, begun.stage) if work is not None and begun is not None else None
    return aimed(candidate, box.profile.comment) if candidate is not None else None


def _candidate(work: SwitchWork, stage: StageName | None) -> Candidate | None:
    """What a stage brought; None where that came from what ran then."""
    if stage is None or stage not in work.stages:
        return None
    if stage is StageName.DRAIN:
        return work.first.candidate if work.first is not None else None
    return work.candidate(stage)


def end_lost(fleet: Fleet, names: Iterable[str], tell: Tell) -> None:
    """Put back what ran before commits whose switch cannot do so by itself any more, whosever they are."""

    def end(box: SwitchConnection) -> bool:
        armed = box.standing().armed
        is_lost = armed is not None and armed.phase is Phase.LOST
        if armed is not None and is_lost:
            box.revert(armed.token)
        return is_lost

    for name, ended in fleet.each(names, end).items():
        if ended is True:
            tell(f"{name}: {PUT_BACK}")


def forget_leases(fleet: Fleet, found: Iterable[Surveyed], runs: frozenset[str]) -> None:
    """Take away the leases of runs that have ended. runs: tokens of those."""
    dead = {one.device: one.lease.token for one in found if one.lease is not None and one.lease.token in runs}
    if dead:
        fleet.each(dead, lambda box: box.release(dead[box.name]))
