"""What runs left on switches and nobody will end: armed commits of an abandoned run, leases of dead runs."""

from collections.abc import Callable, Iterable

from fabricgen.platforms.base.live.run_marks import Phase
from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.survey import Surveyed
from fabricgen.push.act.unfinished_run import RunProgress
from fabricgen.push.act.window import Texts, Window, aimed
from fabricgen.push.act.work import Fleet, Means, SwitchWork
from fabricgen.push.model import PlannedSwitch, RunRecord, StageName
from fabricgen.push.plan.approval import fingerprint
from fabricgen.push.plan.by_hand import parts
from fabricgen.push.report.hands import hands_of, hands_words
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import Candidate, SwitchError

PrintLine = Callable[[str], None]

ENDED = "the commit of the abandoned run was rolled back"
SAME = "the previous configuration runs again"
OTHER = "it does not run its previous configuration: check what it runs"
PUT_BACK = (
    "a commit without a timer was rolled back, and manual changes since then are undone: ask who worked on this switch"
)
UNKNOWN = "its previous configuration is unknown: check what it runs"


def end_armed(means: Means, record: RunRecord, is_same: Callable[[PlannedSwitch], bool]) -> None:
    """End the armed commits of an abandoned run, so that nothing reverts later unnoticed.

    Manual lines typed since are lost with them: they are read before, recorded in the journal, and reported.

    is_same  whether a switch would now get the configuration of the run: otherwise its last commit is unknown
    """
    progress, planned = (RunProgress(record), {row.device: row for row in record.planned})
    works = {name: means.work(name) for name in progress.begun.keys() & planned.keys() if is_same(planned[name])}
    window = Window(
        RunSteps(means, record.number),
        means.drifts,
        lambda switch: _committed(switch, progress, works.get(switch.name)),
    )

    def end(switch: SwitchConnection) -> str:
        armed, result = switch.run_marks().armed, ""
        if armed is not None and progress.is_ours(armed.token):
            with window.reverting(switch, is_whole=armed.phase is Phase.WAITS):
                switch.revert(armed.token)
            result = f"{ENDED}; {_what(fingerprint(switch.running()), progress.before.get(switch.name))}"
        elif (
            armed is None
            and switch.name in progress.begun
            and fingerprint(switch.running()) == progress.before.get(switch.name)
        ):
            window.note_unseen(switch.name)
        switch.release(progress.run)
        return result

    for name, result in means.fleet.each(sorted(planned), end).items():
        if isinstance(result, SwitchError):
            until = progress.until.get(name)
            timer = f"; it reverts by itself at {until:%H:%M:%S} UTC at the latest" if until is not None else ""
            means.print_line(
                f"{name}: the commit of the abandoned run could not be rolled back: {result.reason}{timer}"
            )
        elif result:
            means.print_line(f"{name}: {result}")
    for line in hands_words(hands_of(means.journal.record(record.number).events)):
        means.print_line(line)


def _what(runs: str, before: str | None) -> str:
    """What a switch runs after a revert, by fingerprints."""
    if before is None:
        return UNKNOWN
    return SAME if runs == before else OTHER


def _committed(switch: SwitchConnection, progress: RunProgress, work: SwitchWork | None) -> Texts | None:
    """What an abandoned run committed last on a switch, without secrets; None where unknown."""
    runs, last_commit = switch.running(), progress.begun.get(switch.name)
    if fingerprint(runs) in progress.ran[switch.name]:
        return parts(runs, switch.profile.files.values())
    candidate = _candidate(work, last_commit.stage) if work is not None and last_commit is not None else None
    return aimed(candidate, switch.profile.comment) if candidate is not None else None


def _candidate(work: SwitchWork, stage: StageName | None) -> Candidate | None:
    """The candidate of a stage; None where it depended on the configuration that ran then."""
    if stage is None or stage not in work.stages:
        return None
    if stage is StageName.DRAIN:
        return work.first.candidate if work.first is not None else None
    return work.candidate(stage)


def end_lost(fleet: Fleet, names: Iterable[str], print_line: PrintLine) -> None:
    """End commits that their switch can no longer end by itself, whoever made them."""

    def end(switch: SwitchConnection) -> bool:
        armed = switch.run_marks().armed
        is_lost = armed is not None and armed.phase is Phase.LOST
        if armed is not None and is_lost:
            switch.revert(armed.token)
        return is_lost

    for name, ended in fleet.each(names, end).items():
        if ended is True:
            print_line(f"{name}: {PUT_BACK}")


def forget_leases(fleet: Fleet, surveyed: Iterable[Surveyed], runs: frozenset[str]) -> None:
    """Remove the leases of runs that have ended. runs: their tokens."""
    dead = {row.device: row.lease.token for row in surveyed if row.lease is not None and row.lease.token in runs}
    if dead:
        fleet.each(dead, lambda switch: switch.release(dead[switch.name]))
