"""`fabricgen push` from what was typed to its exit code."""

import getpass
import secrets
import shutil
import socket
import time
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from threading import Event

import click

from fabricgen.cli.push_lab import follow, learn, learn_drained
from fabricgen.cli.push_plan import Shown, plan_push, unreached
from fabricgen.cli.push_site import Ground, checks_of, looks, stand
from fabricgen.cli.push_told import tell_shown, write_reports
from fabricgen.cli.push_words import Words
from fabricgen.cli.stopping import stopping
from fabricgen.drivers.manners import manner_of
from fabricgen.drivers.readers import READERS, reader_of
from fabricgen.errors import FabricError, Problem
from fabricgen.platforms import PLATFORMS
from fabricgen.push.approval import moved
from fabricgen.push.fleet import Fleet
from fabricgen.push.floor import below, live_shares
from fabricgen.push.journal import Journal, open_journal, read_journal
from fabricgen.push.mates import without_mates
from fabricgen.push.model import Head, Need, Outcome, Planned, RunRecord, StepName, Wave
from fabricgen.push.past import Past
from fabricgen.push.run import push
from fabricgen.push.secrets import unfilled
from fabricgen.push.survey import survey
from fabricgen.push.work import Means, Settings, Work, is_above
from fabricgen.reporting import report
from fabricgen.verify.finding import Finding

STOPS = (
    "stops before the next switch: what is in the midst is proven, or goes back, first. A second Ctrl-C leaves it: "
    "commits that wait go back by themselves within {seconds} s, and the same command goes on"
)
DIFFERENCES, FOUND, UNREACHED, INTERRUPTED = 3, 4, 5, 130


def run(words: Words) -> int:
    """Do what was typed. Raises FabricError."""
    if words.show:
        return _show(words)
    ground = stand(words)
    _refuse_unproven(ground)
    drivers = {name: target.driver for name, target in ground.meant.targets.items()}
    with (
        open_journal(words.journal_path) as journal,
        Fleet(ground.site, drivers, words.workers) as fleet,
    ):
        return _Verb(ground, journal, fleet).run()


def _show(words: Words) -> int:
    with read_journal(words.journal_path) as journal:
        record = journal.last()
    if record is None:
        click.echo(f"{words.journal_path} has no run", err=True)
        return 0
    write_reports(words, record)
    return 0


def _refuse_unproven(ground: Ground) -> None:
    """Raise FabricError for platforms whose commits do not revert, and for unproven ones that nobody has tested."""
    if not ground.words.commit:
        return
    systems = sorted({target.system for target in ground.targets.values()})
    manners = {PLATFORMS[system].title: manner_of(reader_of(system).driver) for system in systems}
    problems = [_untimed(title) for title, manner in manners.items() if not manner.timed]
    if not ground.words.tested:
        problems += [_unproven(title) for title, manner in manners.items() if not manner.proven]
    if problems:
        raise FabricError(problems)


def _untimed(title: str) -> Problem:
    return Problem(
        code="push-untimed",
        what=f"{title} has no commit that goes back unless it is confirmed",
        why="a change that cuts the way to the switch would stay, and no substitute has been proven",
        fix="leave these switches out (--devices), and change them by hand with a console at hand",
    )


def _unproven(title: str) -> Problem:
    return Problem(
        code="push-unproven",
        what=f"a push to {title} is unproven: only doubles have seen it",
        why="no real switch of that platform was at hand when it was written",
        fix="try it on one switch that you can lose (--devices NAME), then say --i-have-tested-this",
    )


class _Verb:
    """One call."""

    def __init__(self, ground: Ground, journal: Journal, fleet: Fleet) -> None:
        self._ground, self._words, self._journal, self._fleet = ground, ground.words, journal, fleet

    def run(self) -> int:
        """The run that was killed, if there is one; else what differs now."""
        words, unfinished = self._words, self._journal.unfinished()
        learn(self._ground)
        if unfinished is not None and words.commit:
            if words.abandon:
                self._journal.finish(unfinished.number, Outcome.ABANDONED, {"reason": "abandoned by hand"})
                shutil.rmtree(looks(words.journal_path, unfinished.head.token), ignore_errors=True)
                for name in sorted(Past(unfinished).drained):
                    click.echo(f"{name} was drained by the run that is abandoned, and may be so still", err=True)
            else:
                self._refuse_approval(unfinished)
                self._refuse_other(unfinished)
                click.echo(f"run {unfinished.number} of {unfinished.started:%Y-%m-%d %H:%M} UTC goes on", err=True)
                return self._push(unfinished)
        goals = {name: self._ground.devices[name] for name in self._ground.targets}
        found, failed = survey(self._fleet, lambda name: self._ground.goal(goals[name]), self._ground.targets, READERS)
        if failed:
            for line in unreached(failed):
                click.echo(line, err=True)
            click.echo(f"{len(failed)} of {len(goals)} switches can not be pushed to; nothing was changed", err=True)
            return UNREACHED
        known = self._ground.secrets
        found = {name: one._replace(running=unfilled(one.running, known)) for name, one in found.items()}
        shown = plan_push(self._ground, found)
        self._check_approval(shown)
        if not words.commit or not shown.planned:
            return self._only_show(shown, unfinished)
        tell_shown(words, shown)
        return self._push(self._begin(shown))

    def _refuse_approval(self, record: RunRecord) -> None:
        """Raise FabricError where a killed run is not the one that was approved."""
        if self._words.approval is not None and not record.head.approval.startswith(self._words.approval):
            problem = Problem(
                code="push-unfinished",
                what=f"run {record.number} was killed, and another approval is named than its own",
                why=f"it was begun with {record.head.approval}, and goes on before another begins",
                fix="name that approval, or none; or say --abandon: what it had not confirmed reverts by itself",
            )
            raise FabricError([problem])

    def _refuse_other(self, record: RunRecord) -> None:
        """Raise FabricError where a killed run was to bring the switches to something else than the intent now says."""
        missing = [one.device for one in record.planned if one.device not in self._ground.targets]
        if missing:
            problem = Problem(
                code="push-unfinished",
                what=f"run {record.number} was killed, and {missing[0]} is not among the switches that are named now",
                why="it goes on with the switches that it was begun with",
                fix="type it with the --devices of then, or say --abandon: what it had not confirmed reverts by itself",
            )
            raise FabricError([problem])
        other = [one.device for one in record.planned if self._digest(one) != one.artifact]
        if other:
            problem = Problem(
                code="push-unfinished",
                what=f"run {record.number} was killed, and the intent has changed since",
                why=f"{other[0]}{f' and {len(other) - 1} more' if len(other) > 1 else ''} would get something else now",
                fix="push the intent of then to end it, or say --abandon: what it had not confirmed reverts by itself",
            )
            raise FabricError([problem])

    def _digest(self, planned: Planned) -> str:
        device = self._ground.devices.get(planned.device)
        return self._ground.goal(device).digest if device is not None else ""

    def _check_approval(self, shown: Shown) -> None:
        if self._words.approval is None:
            return
        approval = self._journal.approval(self._words.approval)
        if approval is None:
            problem = Problem(
                code="approval-unknown",
                what=f"no dry run of {self._words.journal_path} has the approval {self._words.approval}",
                why="approvals are kept in the journal of the dry run",
                fix="type the push without --commit, and the approval that it prints",
            )
            raise FabricError([problem])
        switches = {one.device: (one.before, one.artifact) for one in shown.planned}
        problems = moved(approval, switches)
        if not problems and approval.id != shown.approval.id:
            problems = (_other_waves(),)
        if problems:
            raise FabricError(problems)

    def _only_show(self, shown: Shown, unfinished: RunRecord | None) -> int:
        if shown.planned:
            self._journal.approve(shown.approval)
        tell_shown(self._words, shown)
        if unfinished is not None:
            click.echo(f"run {unfinished.number} was killed: --commit goes on with it first", err=True)
        return DIFFERENCES if shown.planned else 0

    def _begin(self, shown: Shown) -> RunRecord:
        head = Head(
            token=secrets.token_hex(6),
            intent=str(self._words.intent),
            inventory=str(self._words.inventory),
            approval=shown.approval.id,
            who=f"{getpass.getuser()}@{socket.gethostname()}",
        )
        return self._journal.record(self._journal.begin(head, shown.waves, shown.planned))

    def _push(self, record: RunRecord) -> int:
        folder = looks(self._words.journal_path, record.head.token)
        learn_drained(self._ground, record)
        with stopping(STOPS.format(seconds=Settings().confirm)) as stop:
            try:
                if push(self._means(record, folder, stop), record) is Outcome.DONE:
                    follow(self._ground)
            except KeyboardInterrupt:
                self._report(record.number, folder)
                raise
            except FabricError as error:
                ended = self._report(record.number, folder)
                # Without an outcome it is the journal that failed, and the same command goes on.
                if ended.outcome is not None and any(event.step is StepName.COMMIT for event in ended.events):
                    click.echo(report(error.problems), nl=False, err=True)
                    return FOUND  # something had been changed: this is no problem of what was typed
                raise
        return _code(self._report(record.number, folder))

    def _report(self, run: int, folder: Path) -> RunRecord:
        """Tell what came of a run; one that has ended needs what it saw no more."""
        ended = self._journal.record(run)
        if ended.outcome is not None:
            shutil.rmtree(folder, ignore_errors=True)
        write_reports(self._words, ended)
        return ended

    def _means(self, record: RunRecord, folder: Path, stop: Event) -> Means:
        return Means(
            fleet=self._fleet,
            journal=self._journal,
            checks=checks_of(self._ground, folder),
            work=partial(_work, self._ground, _drains(record)),
            floor=partial(self._floor, record),
            settings=Settings(limit=self._words.limit),
            stop=stop,
            tell=lambda line: click.echo(line, err=True),
            wait=time.sleep,
            clock=time.monotonic,
        )

    def _floor(self, record: RunRecord, wave: Wave, findings: Iterable[Finding]) -> tuple[Problem, ...]:
        """Problems where the wave, with what is broken now, leaves a leaf or a pair's servers too little."""
        plan, found = self._ground.meant.plan, tuple(findings)
        drained = [one.device for one in record.planned if one.need is Need.DRAIN and one.device in wave.devices]
        leaves = [name for name in drained if not is_above(self._ground.devices[name])]
        short = below(plan, live_shares(plan, wave.devices, found), self._words.floor)
        return (*short, *without_mates(plan, leaves, found))


def _other_waves() -> Problem:
    return Problem(
        code="approval-waves",
        what="the switches would change in another way, or in other waves, than was approved",
        why="another --floor, --wave, --devices, --against, --accept-loss or list of hosts decides otherwise",
        fix="type it as the dry run printed it, or make a new one",
    )


def _drains(record: RunRecord) -> Mapping[str, frozenset[str]]:
    """Switch that is drained first → all of its wave that are."""
    needs = {one.device for one in record.planned if one.need is Need.DRAIN}
    sets = [frozenset(needs.intersection(wave.devices)) for wave in record.waves]
    return {name: found for found in sets for name in found}


def _work(ground: Ground, drains: Mapping[str, frozenset[str]], name: str) -> Work:
    goal = ground.goal(ground.devices[name])
    if name not in drains:
        return Work(goal, None)
    device = next(one for one in ground.drained(drains[name]).devices if one.name == name)
    first = None if is_above(device) else ground.before(frozenset({name})).get(name)
    return Work(goal, ground.goal(device), ground.goal(first) if first is not None else None)


def _code(record: RunRecord) -> int:
    if record.outcome is Outcome.DONE:
        return 0
    if record.outcome is Outcome.STOPPED:
        return INTERRUPTED
    failed = {event.step for event in record.events if event.how == "failed"}
    return FOUND if failed and failed <= {StepName.CHECK, StepName.QUIET} else UNREACHED
