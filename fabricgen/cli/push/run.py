"""`fabricgen push`, from its options to its exit code."""

import secrets
import shutil
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from threading import Event as Flag

import click

from fabricgen.baseline.open import open_side
from fabricgen.cli.common.colour import echo_line
from fabricgen.cli.common.interrupts import stopping
from fabricgen.cli.push.approval import check_approval, check_begun, keep_approval
from fabricgen.cli.push.by_hand import committed_in, undone_by_name
from fabricgen.cli.push.duty import refuse_frozen, rules_of
from fabricgen.cli.push.lab import follow, learn, learn_drained
from fabricgen.cli.push.operator import account
from fabricgen.cli.push.report import check_reports, print_no_run, print_preview, print_unreached, write_reports
from fabricgen.cli.verify.paths import no_way, prober
from fabricgen.diff.words import named
from fabricgen.errors import FabricError, Problem
from fabricgen.operation.push.options import PushOptions
from fabricgen.operation.push.permission import refuse_unproven
from fabricgen.operation.push.preview import Preview, plan_push
from fabricgen.operation.push.resume import (
    is_same,
    refuse_elsewhere,
    refuse_other_approval,
    refuse_other_intent,
    refuse_other_proof,
)
from fabricgen.operation.push.site import PushSite, checks_of, neighbors_of, open_push_site, snapshots_folder
from fabricgen.plan.plan import Plan
from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.commit_profiles import commit_profile_of
from fabricgen.platforms.readers import READERS, reader_of
from fabricgen.push.act.forecast import Crew, forecast, paces
from fabricgen.push.act.hooks import Hooks
from fabricgen.push.act.leases import OLD_SECONDS, leased
from fabricgen.push.act.leftover import end_armed, end_lost, forget_leases
from fabricgen.push.act.probing import no_probes
from fabricgen.push.act.run import push
from fabricgen.push.act.survey import Surveyed, compressed, run_drained, survey
from fabricgen.push.act.unfinished_run import RunProgress
from fabricgen.push.act.work import Means, RunSettings, SwitchWork, is_above, shut_down
from fabricgen.push.journal.journal import Journal, open_journal, read_journal, utc_now
from fabricgen.push.model import Event, Head, Need, PlannedSwitch, RunOutcome, RunRecord, StepName, StepState, Wave
from fabricgen.push.plan.by_hand import HandLine
from fabricgen.push.plan.capacity_floor import below, live_shares
from fabricgen.push.plan.duty import RunRules
from fabricgen.push.plan.interruption import expected
from fabricgen.push.plan.redundancy import without_mates
from fabricgen.push.plan.waves import side_by_side
from fabricgen.push.prove.change_scope import brought
from fabricgen.push.prove.runs_committed import DIFFERS
from fabricgen.push.switch.candidate import Goal
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.secrets import unfilled
from fabricgen.resolve.links import ACTIVE, DRAINED
from fabricgen.source.report import report
from fabricgen.verify.finding import Finding, SwitchVerdict

STOPS = (
    "stops before the next switch: the change in progress is verified or rolled back first. A second Ctrl-C does not "
    "wait for that: unconfirmed commits revert within {seconds} s, and the same command resumes the run"
)
DIFFERENCES, FOUND, UNREACHED, INTERRUPTED = 3, 4, 5, 130


def run(options: PushOptions) -> int:
    """Run the command. Raises FabricError."""
    check_reports(options)
    if options.show:
        return _show(options)
    push_site = open_push_site(options, plan_before(options))
    refuse_unproven(push_site)
    _refuse_unprobed(push_site)
    drivers = {name: target.driver for name, target in push_site.intended.targets.items()}
    with (
        open_journal(options.journal_path) as journal,
        NapalmFleet(push_site.site, drivers, options.workers) as fleet,
    ):
        return _Verb(push_site, journal, fleet).run()


def plan_before(options: PushOptions) -> Plan | None:
    """The plan of the --against side. Raises FabricError where it cannot be read."""
    if options.against is None:
        return None
    with open_side(options.against, options.intent, options.templates, scenario=options.against_scenario) as side:
        if side.plan is not None:
            return side.plan
        raise FabricError.of(
            code="against-unread",
            what=f"{options.against} cannot be read",
            why=side.fault,
            fix="use the state that runs now, or omit --against: the risk then follows from the changed lines",
        )


def _show(options: PushOptions) -> int:
    with read_journal(options.journal_path) as journal:
        record = journal.last()
    if record is None:
        print_no_run(options)
        return 0
    write_reports(options, record)
    return 0


def _refuse_unprobed(push_site: PushSite) -> None:
    """Raise FabricError for --paths if packets cannot be sent."""
    reason = no_way(push_site.intended, _lab_folder(push_site)) if push_site.options.paths else ""
    if reason:
        raise FabricError([no_probes(reason)])


def _lab_folder(push_site: PushSite) -> Path | None:
    lab = push_site.site.lab
    return Path(str(lab["dir"])) if lab is not None else None


class _Verb:
    """One run of the command."""

    def __init__(self, push_site: PushSite, journal: Journal, fleet: NapalmFleet) -> None:
        self._site, self._options, self._journal, self._fleet = push_site, push_site.options, journal, fleet
        self._rules = rules_of(push_site.options, push_site.rules)
        self._signer = ""
        self._undone: tuple[HandLine, ...] = ()

    def run(self) -> int:
        """Resume the killed run, if there is one; otherwise push the current differences."""
        options, unfinished = self._options, self._journal.unfinished()
        if unfinished is None or not options.commit or not _is_amid(unfinished, gives_up=options.abandon):
            refuse_frozen(options, self._rules, utc_now())
        learn(self._site)
        if unfinished is not None and options.commit:
            refuse_elsewhere(self._site, unfinished)
            if options.abandon:
                self._abandon(unfinished)
                unfinished = None
                refuse_frozen(options, self._rules, utc_now())
            else:
                refuse_other_approval(self._site, unfinished)
                refuse_other_intent(self._site, unfinished)
                refuse_other_proof(self._site, self._journal, unfinished)
                check_begun(self._site, self._journal, unfinished)
                click.echo(f"run {unfinished.number} of {unfinished.started:%Y-%m-%d %H:%M} UTC resumes", err=True)
                self._journal.note(unfinished.number, StepName.RESUME, StepState.ENDED)
                return self._push(unfinished)
        if options.take_over:
            end_lost(self._fleet, self._site.targets, _print_line)
        goals = {name: self._site.devices[name] for name in self._site.targets}
        surveyed, failed = survey(
            self._fleet,
            lambda name: self._site.goal(goals[name]),
            self._site.targets,
            READERS,
            committed_in(self._journal),
        )
        if failed:
            print_unreached(options, failed)
            click.echo(f"{len(failed)} of {len(goals)} switches cannot be pushed to; nothing was changed", err=True)
            return UNREACHED
        self._leased(surveyed)
        secrets = self._site.secrets
        surveyed = {
            name: row._replace(compressed=compressed(unfilled(row.running, secrets))) for name, row in surveyed.items()
        }
        manual = undone_by_name(options, surveyed.values())
        self._undone = manual.named
        shown = self._forecast(plan_push(self._site, surveyed, map(str, self._undone)))
        shown = shown._replace(manual=tuple(line.id for line in manual.unnamed))
        self._signer = check_approval(self._site, self._journal, shown)
        if not options.commit or not shown.planned:
            return self._only_show(shown, unfinished)
        print_preview(options, shown)
        forget_leases(self._fleet, surveyed.values(), self._journal.tokens())
        return self._push(self._begin(shown))

    def _forecast(self, shown: Preview) -> Preview:
        """Return the preview with a forecast of its duration, from the durations of the last push."""
        if not shown.planned:
            return shown
        push_site, last = self._site, self._journal.took()
        drivers = {name: target.driver for name, target in push_site.intended.targets.items()}
        run, times = last if last is not None else (0, ())
        neighbors = neighbors_of(push_site)
        crew = Crew(
            paces=paces((drivers[switch.device] for switch in shown.planned), drivers, times, f"as in run {run}"),
            drivers=drivers,
            around=lambda names: len(frozenset(names).union(*(neighbors.get(name, ()) for name in names))),
            workers=self._options.workers,
            is_leaf=lambda name: not is_above(push_site.devices[name]),
        )
        rules = self._rules_of(shown.waves)
        return shown._replace(forecast=forecast(shown.waves, shown.planned, crew, rules, RunSettings()))

    def _rules_of(self, waves: Iterable[Wave]) -> RunRules:
        """Rules for these waves: canaries only soak where pods that change in parallel wait for them."""
        is_wide = side_by_side(self._site.intended.plan, waves)
        return self._rules if is_wide else self._rules._replace(canary=0)

    def _abandon(self, record: RunRecord) -> None:
        folder = snapshots_folder(self._options.journal_path, record.head.token)
        end_armed(self._means(record, folder, Flag()), record, partial(is_same, self._site))
        self._journal.finish(record.number, RunOutcome.ABANDONED, {"reason": "abandoned by hand"})
        shutil.rmtree(folder, ignore_errors=True)
        for name in sorted(RunProgress(record).drained):
            click.echo(f"{name} was drained by the abandoned run, and may still be drained", err=True)

    def _leased(self, surveyed: Mapping[str, Surveyed]) -> None:
        """Raise FabricError where another run works on a switch. Runs of this journal, which we hold, have ended."""
        after = OLD_SECONDS if self._options.take_over else None
        problems = tuple(leased(surveyed.values(), self._journal.tokens(), after))
        if problems:
            raise FabricError(problems)

    def _only_show(self, shown: Preview, unfinished: RunRecord | None) -> int:
        if shown.planned:
            keep_approval(self._site, self._journal, shown)
        print_preview(self._options, shown)
        if unfinished is not None:
            click.echo(f"run {unfinished.number} was interrupted: --commit resumes it first", err=True)
        return DIFFERENCES if shown.planned else 0

    def _begin(self, shown: Preview) -> RunRecord:
        head = Head(
            token=secrets.token_hex(6),
            intent=str(self._options.intent),
            inventory=str(self._site.inventory),
            approval=shown.approval.id,
            who=_who(),
        )
        run = self._journal.begin(head, shown.waves, shown.planned, shown.approval.terms)
        if self._signer:
            self._journal.note(run, StepName.APPROVE, StepState.ENDED, detail={"by": self._signer})
        if shown.forecast is not None:
            self._journal.note(run, StepName.FORECAST, StepState.ENDED, detail=shown.forecast.detail())
        if self._undone:
            self._journal.note(
                run, StepName.UNDO, StepState.ENDED, detail={"lines": [str(line) for line in self._undone]}
            )
        return self._journal.record(run)

    def _push(self, record: RunRecord) -> int:
        folder = snapshots_folder(self._options.journal_path, record.head.token)
        learn_drained(self._site, record)
        with stopping(STOPS.format(seconds=RunSettings().confirm)) as stop:
            try:
                outcome = push(self._means(record, folder, stop), record)
            except KeyboardInterrupt:
                self._report(record.number, folder)
                raise
            except FabricError as error:
                ended = self._report(record.number, folder)
                # Without an outcome the journal itself failed, and the same command resumes the run.
                if ended.outcome is not None and any(event.step is StepName.COMMIT for event in ended.events):
                    echo_line(report(error.problems).rstrip("\n"), err=True)
                    return FOUND  # switches had been changed: this is not an error of the input
                raise
        code = _code(self._report(record.number, folder))
        if outcome is RunOutcome.DONE:
            follow(self._site)  # after the report: errors of a lab's servers do not concern the switches
        return code

    def _report(self, run: int, folder: Path) -> RunRecord:
        """Print the report of a run, and delete the collected state of a finished one."""
        ended = self._journal.record(run)
        if ended.outcome is not None:
            shutil.rmtree(folder, ignore_errors=True)
        write_reports(self._options, ended)
        return ended

    def _signed(self, planned: PlannedSwitch) -> str:
        return commit_profile_of(self._site.targets[planned.device].driver).signed(planned.difference)

    def _interruption(self, planned: PlannedSwitch) -> float | None:
        profile = commit_profile_of(self._site.targets[planned.device].driver)
        return expected(planned, profile, self._site.given.get(planned.device), RunSettings().converge)

    def _means(self, record: RunRecord, folder: Path, stop: Flag) -> Means:
        settings = RunSettings(limit=self._options.limit)
        return Means(
            fleet=self._fleet,
            journal=self._journal,
            checks=checks_of(self._site, folder),
            work=partial(_work, self._site, _drains(record)),
            floor=partial(self._floor, record),
            settings=settings,
            stop=stop,
            print_line=_print_line,
            wait=time.sleep,
            clock=time.monotonic,
            interruption=self._interruption,
            added=lambda planned: brought(self._signed(planned)),
            signed=self._signed,
            probe=self._probe() if self._options.paths else None,
            claim=RunClaim(
                token=record.head.token,
                owner=_who(),
                note=_note(record),
                after=OLD_SECONDS if self._options.take_over else None,
            ),
            rules=self._rules_of(record.waves),
            call=Hooks(self._options.inventory),
            goals=lambda name: self._site.goal(self._site.devices[name]),
            drifts=lambda name: reader_of(self._site.intended.targets[name].system).drift,
        )

    def _probe(self) -> Callable[[frozenset[str]], Iterable[SwitchVerdict]]:
        """Function that probes every equal-cost path, given the switches that are still to change.

        A round that was begun is finished: packets that it did not send would count as lost.
        """
        folder = _lab_folder(self._site)
        return lambda waiting: prober(self._site.drained(frozenset(), waiting), folder, Flag(), 0)()

    def _floor(self, record: RunRecord, wave: Wave, findings: Iterable[Finding]) -> tuple[Problem, ...]:
        """Problems if the wave, with the current failures, leaves a leaf or a pair's servers too little capacity."""
        plan, broken = self._site.intended.plan, tuple(findings)
        drained = [row.device for row in record.planned if row.need is Need.DRAIN and row.device in wave.devices]
        leaves = [name for name in drained if not is_above(self._site.devices[name])]
        too_low = below(plan, live_shares(plan, wave.devices, broken), self._options.floor, broken)
        if too_low and (idle := self._idle(wave)):
            too_low = below(plan, live_shares(plan, wave.devices, broken, idle), self._options.floor, broken)
        return (*too_low, *without_mates(plan, leaves, broken))

    def _idle(self, wave: Wave) -> frozenset[str]:
        """Switches of a wave that already run drained, such as those that it brings back into service."""
        names = frozenset(name for name in wave.devices if is_above(self._site.devices[name]))
        drained = {device.name: device for device in self._site.drained(names).devices if device.name in names}
        return run_drained(self._fleet, drained)


def _is_amid(record: RunRecord, *, gives_up: bool) -> bool:
    """Whether a killed run left switches partly changed, or is only abandoned: a freeze must not stop either."""
    progress = RunProgress(record)
    return gives_up or bool(progress.touched - progress.done)


def _print_line(line: str) -> None:
    click.echo(line, err=True)


def _who() -> str:
    return f"{account()}@{socket.gethostname()}"


def _note(record: RunRecord) -> str:
    """Description of a run, for others who find its lease."""
    drained = sorted(switch.device for switch in record.planned if switch.need is Need.DRAIN)
    drains = f", drains {named(drained)} in turn" if drained else ""
    return f"run {record.number} of {record.head.intent}{drains}"


def _drains(record: RunRecord) -> Mapping[str, frozenset[str]]:
    """Switch that is drained first → all switches of its wave that are."""
    needs = {switch_change.device for switch_change in record.planned if switch_change.need is Need.DRAIN}
    sets = [frozenset(needs.intersection(wave.devices)) for wave in record.waves]
    return {name: drained for drained in sets for name in drained}


def _work(push_site: PushSite, drains: Mapping[str, frozenset[str]], name: str) -> SwitchWork:
    goal = push_site.goal(push_site.devices[name])
    if name not in drains:
        return _turned(push_site, goal)
    device = next(item for item in push_site.drained(drains[name]).devices if item.name == name)
    old_device = push_site.before().get(name)
    before = push_site.goal(old_device) if old_device is not None else None
    if is_above(device):
        return SwitchWork(goal, push_site.goal(device), before=before)
    first, old_active = push_site.before(frozenset({name})).get(name), old_device
    return SwitchWork(
        goal,
        push_site.goal(device),
        push_site.goal(first) if first is not None else None,
        push_site.goal(shut_down(old_active, first)) if old_active is not None and first is not None else None,
        push_site.goal(shut_down(goal.device, device)) if goal.device.state == ACTIVE else None,
        before,
    )


def _turned(push_site: PushSite, goal: Goal) -> SwitchWork:
    """Work of a switch that is not drained for its change; two steps for a leaf that the intent drains or undrains."""
    name = goal.device.name
    old_state, new_state = push_site.turned(name)
    if is_above(goal.device) or {old_state, new_state} != {ACTIVE, DRAINED}:
        return SwitchWork(goal, None)
    itself = frozenset({name})
    if new_state == ACTIVE:
        device = next(itself for itself in push_site.drained(itself).devices if itself.name == name)
        return SwitchWork(goal, None, ports=push_site.goal(shut_down(goal.device, device)))
    first, old = push_site.before(itself).get(name), push_site.before().get(name)
    if first is None or old is None:
        return SwitchWork(goal, None)
    return SwitchWork(goal, None, marked=push_site.goal(shut_down(old, first)), before=push_site.goal(old))


def _code(record: RunRecord) -> int:
    if record.outcome is RunOutcome.DONE:
        return 0
    if record.outcome is RunOutcome.STOPPED:
        return INTERRUPTED
    failed = [event for event in record.events if event.how is StepState.FAILED and event.step is not StepName.HOOK]
    return FOUND if failed and all(map(_is_proof, failed)) else UNREACHED


PROOFS = (
    StepName.CHECK,
    StepName.QUIET,
    StepName.SOAK,
    StepName.COUNTERS,
    StepName.PATHS,
    StepName.LOGIN,
)


def _is_proof(event: Event) -> bool:
    """Whether a switch showed a wrong state, as opposed to an error of the connection."""
    compared = event.step is StepName.COMPARE and event.detail.get("kind") == DIFFERS
    return compared or event.step in PROOFS
