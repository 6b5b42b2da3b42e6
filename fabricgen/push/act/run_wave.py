"""One wave: its switches go through each stage of their change together, or all are rolled back."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import timedelta
from secrets import token_hex

from fabricgen.diff.words import named
from fabricgen.errors import FabricError
from fabricgen.platforms.base.live.entry import UNKNOWN, Entry
from fabricgen.push.act.gauge import Gauge
from fabricgen.push.act.leases import claimed
from fabricgen.push.act.new_login import must_log_in, shut_out
from fabricgen.push.act.probing import SECONDS, Probing
from fabricgen.push.act.proofs import Proofs
from fabricgen.push.act.rollback import Rollback, go_back
from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.switch_stage import OTHER, TYPED, spot_detail, spot_of
from fabricgen.push.act.unfinished_run import RunProgress
from fabricgen.push.act.window import Texts, Window, aimed
from fabricgen.push.act.work import Failed, Means, RunStopped, SwitchStage, SwitchWork, is_above
from fabricgen.push.journal.journal import utc_now
from fabricgen.push.journal.last_commits import Committed
from fabricgen.push.model import PlannedSwitch, RunRecord, StageName, StepName, StepState, Wave
from fabricgen.push.plan.approval import fingerprint
from fabricgen.push.plan.by_hand import parts, typed, unmerged
from fabricgen.push.prove.runs_committed import must_agree, unlike
from fabricgen.push.switch.candidate import Goal
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import Candidate, SwitchError

ORDER = tuple(StageName)
PARTS = {
    StageName.MARK: "drains",
    StageName.DRAIN: "drains",
    StageName.CHANGE: "changes",
    StageName.PORTS: "enables the server ports of",
    StageName.UNDRAIN: "brings back",
}
OUT = (StageName.MARK, StageName.DRAIN)
"""Stages that take a switch out of service: the configuration before them is the target of a rollback."""
UNDRAINABLE = (
    "it cannot be drained: its drain route maps are missing or incomplete; accept the loss with --accept-loss {name}"
)
MEANWHILE = "it was changed manually while it was being drained"
RIGHT_BEFORE = "it was changed manually right before this commit, which undid that: {who}"
NOT_APPROVED = "its configuration is not the approved one: an input file has changed"
NOT_KEPT = (
    "the state before the change is lost: the samples of the killed run, in the folder with its token beside the "
    "journal, are missing or incomplete"
)
NOT_RUN = "it does not run the --against state: use --against with the state that it runs, or omit it"
GOES_BACK = "then it runs its previous configuration"
STAYS = (
    "it may still be drained: only the killed process knew its previous configuration; push it again, or push its "
    "previous configuration"
)


class WavePush:
    """One wave of a run. waiting: switches of later waves; probing: the run's probes of every path."""

    def __init__(self, means: Means, record: RunRecord, wave: Wave, waiting: frozenset[str], probing: Probing) -> None:
        self._means, self._wave, self._waiting, self._probing = means, wave, waiting, probing
        self._number, self._token, self._waves = record.number, record.head.token, len(record.waves)
        self._planned: Mapping[str, PlannedSwitch] = {switch.device: switch for switch in record.planned}
        self._progress = RunProgress(record)
        self._until = self._progress.until
        self._steps = RunSteps(means, record.number, self._left, self._error)
        self._work: dict[str, SwitchWork] = {}
        self._window = Window(self._steps, means.drifts, self._committed)
        fingerprints_before = {name: switch.before for name, switch in self._planned.items()}
        self._rollback = Rollback(self._window, began=fingerprints_before, known=self._progress.ran)
        self._snapshot_seconds = 0.0
        self._gauge = Gauge(means, self._steps, wave, self._planned, self._snapshot_name)
        self._differs: set[str] = set()
        self._texts: dict[str, str] = {}  # switch → its configuration after this run's last commit
        self._stages: dict[str, StageName] = {}  # switch → stage of its last commit by this process
        self._committed_before: dict[str, Committed | None] = {}  # switch → the journal's text before this run's commit
        self._bare: set[str] = set()  # switches with nothing to drain
        self._entries: dict[str, Entry] = {}  # switch → how this process came in before its commit
        self._marks: dict[str, object] = {}  # switch → value that shows whether somebody changes it before its commit

    def push(self) -> None:
        """Bring its switches to their artifacts. Raises Failed or RunStopped once what was begun is rolled back."""
        names = tuple(name for name in self._wave.devices if name not in self._progress.done)
        if not names:
            return
        try:
            self._push(names)
        finally:
            # The objects of a wave refer to each other: without this, the texts would stay in memory until garbage
            # collection.
            self._work.clear()
            self._texts.clear()

    def _push(self, names: tuple[str, ...]) -> None:
        self._work |= {name: self._means.work(name) for name in names}
        try:
            self._must_be_approved(names)
            spots = self._read(names)
            to_change = [name for name in names if spots[name].stage is not None]
            self._differs = {name for name in to_change if name not in self._progress.touched}
            if to_change:
                self._snapshot_before(to_change)
            for stage in ORDER:
                self._stage(stage, [name for name in to_change if self._is_in(name, stage, spots[name])])
        except Failed as failed:
            self._back(failed.reasons)
            raise Failed(self._window.with_causes(failed.reasons)) from failed
        except (RunStopped, FabricError):
            self._back()
            raise
        for name in names:
            if name not in to_change:
                self._done(name, "pushed" if name in self._progress.touched else "at the artifact")

    def _must_be_approved(self, names: Iterable[str]) -> None:
        """Raise Failed where a switch would get something else than when the run began, whatever the cause."""
        if changed := [name for name in names if self._work[name].goal.digest != self._planned[name].artifact]:
            raise Failed(dict.fromkeys(changed, NOT_APPROVED))

    def leave(self) -> None:
        """Roll back what a killed run left half changed, without pushing the wave."""
        names = [name for name in self._wave.devices if name in self._progress.touched - self._progress.done]
        if not names:
            return
        self._work = {name: self._means.work(name) for name in names}
        with suppress(Failed):  # it is reported
            spots = self._read(names)
            for name in names:
                if spots[name].stage is None:
                    self._done(name, "pushed")
        self._back()

    def _is_in(self, name: str, stage: StageName, spot: SwitchStage) -> bool:
        reached = spot.stage is not None and ORDER.index(stage) >= ORDER.index(spot.stage)
        return reached and stage in self._work[name].stages

    # State of a switch

    def _spot(self, switch: SwitchConnection) -> SwitchStage:
        begun = self._progress.begun.get(switch.name)
        spot = spot_of(
            switch, self._work[switch.name], self._planned[switch.name], self._progress, self._means, self._window
        )
        if begun is not None and begun.stage in OUT and spot.token is None and self._is_at(switch, begun.stage):
            self._progress.drained.add(
                switch.name
            )  # its confirmation arrived, but the killed process could not record that
        elif begun is not None and spot.token is None and _is_before(spot, begun):
            self._window.note_unseen(switch.name)
        return spot

    def _is_at(self, switch: SwitchConnection, stage: StageName) -> bool:
        """Whether a switch runs the configuration of a stage."""
        try:
            candidate = self._candidate(switch, stage)
        except SwitchError as error:
            if error.kind != "unable":
                raise
            return False
        return candidate is not None and not switch.compare(candidate)

    def _read(self, names: Iterable[str]) -> Mapping[str, SwitchStage]:
        """Stage of each switch. Raises Failed where one cannot be read; pending commits on the others are recorded."""
        spots, reasons = self._steps.tried(StepName.READ, "", names, self._spot, spot_detail)
        self._rollback.tokens = {name: spot.token for name, spot in spots.items() if spot.token is not None}
        self._rollback.adopted = set(self._rollback.tokens)
        before = self._progress.before
        self._rollback.ran = {name: before[name] for name in self._rollback.tokens if name in before}
        if reasons:
            raise Failed(reasons)
        marked = [name for name in self._rollback.tokens if self._progress.marks.get(name) is not None]
        self._steps.each(
            StepName.READ, "", marked, lambda switch: self._alone_since(switch, self._progress.marks[switch.name])
        )
        return spots

    def _alone_since(self, switch: SwitchConnection, mark: object, before: str | None = None) -> None:
        """Check that nobody changed a switch between a mark and our pending commit. Raises SwitchError `moved`.

        before  the configuration that was read last; None: only a killed process knew it
        """
        if who := switch.meanwhile(self._rollback.tokens[switch.name], mark):
            self._rollback.changed_before[switch.name] = before
            raise SwitchError("moved", RIGHT_BEFORE.format(who=who))

    def _left(self, name: str) -> str:
        """What becomes of a commit of this run on an unreachable switch."""
        until = self._until.get(name)
        if until is not None:
            return f"its commit of this run reverts by itself at {until:%H:%M:%S} UTC at the latest: {GOES_BACK}"
        if name in self._progress.begun:
            return f"an unconfirmed commit of this run reverts by itself: {GOES_BACK}"
        return ""

    def _snapshot_before(self, names: Iterable[str]) -> None:
        """Take a snapshot before the wave, and check that the wave leaves every leaf enough uplinks.

        If a killed run has begun to change something, its snapshot stays the reference; the uplinks are checked against
        the fabric's present state.
        """
        checks, chosen = self._means.checks, set(names)
        name, started = self._snapshot_name, self._means.clock()
        is_resumed = not self._progress.touched.isdisjoint(chosen)
        if is_resumed and not (
            self._progress.took_snapshot(self._wave.number) and checks.has_snapshot(name, checks.around(chosen))
        ):
            raise Failed(dict.fromkeys(chosen, NOT_KEPT))
        if not is_resumed:
            self._gauge.ready(chosen)
            started = self._means.clock()
        checks.take_snapshot("resumed" if is_resumed else name, checks.around(chosen))
        self._snapshot_seconds = self._means.clock() - started
        if not is_resumed:
            self._steps.note(StepName.READ, StepState.ENDED, detail={"wave": self._wave.number})
        verdicts = checks.findings("resumed" if is_resumed else name)
        problems = tuple(
            self._means.floor(self._wave, [finding for verdict in verdicts for finding in verdict.findings])
        )
        if problems and chosen - self._rollback.tokens.keys() - self._progress.touched:
            raise FabricError(problems)

    @property
    def _snapshot_name(self) -> str:
        return f"wave-{self._wave.number}"

    # Stages of the change

    def _stage(self, stage: StageName, names: list[str]) -> None:
        if not names:
            return
        self._print(f"{PARTS[stage]} {named(names)}")
        uncommitted = [name for name in names if name not in self._rollback.tokens]
        if uncommitted and self._means.stop.is_set():
            raise RunStopped
        if stage is StageName.UNDRAIN:
            self._gauge.returns(names)
        try:
            self._prove(stage, names, self._commit(stage, uncommitted))
            self._agree(stage, [name for name in names if name not in self._bare or stage is not StageName.DRAIN])
        except Failed:
            # Checks and comparisons connect, too: they may have failed only because nobody can log in any more.
            self._log_in(
                stage, [name for name in names if name in self._rollback.committed & self._rollback.tokens.keys()]
            )
            raise
        self._log_in(stage, [name for name in names if name in self._rollback.tokens])
        try:
            self._confirm(stage, [name for name in names if name in self._rollback.tokens])
        finally:
            for name in names:
                if name not in self._rollback.tokens and stage is self._work[name].stages[-1]:
                    self._done(name, "pushed")

    def _prove(self, stage: StageName, names: list[str], started: float) -> None:
        """Check that a stage had its effect. started: when its last commit had ended. Raises Failed."""
        before = self._snapshot_name, self._snapshot_seconds
        proofs = Proofs(self._means, self._steps, self._planned, self._work, self._waiting, before)
        if stage in OUT:
            proofs.wait_drained([name for name in names if name not in self._bare], stage)
        elif stage is StageName.PORTS:
            proofs.wait_ports_up(names, started)
        else:
            proofs.check(stage, names, started)
            last = [name for name in names if stage is self._work[name].stages[-1]]
            if last:
                self._gauge.check(last, self._work, started)
                self._probing.check(self._wave, last, self._waiting)

    def _done(self, name: str, how: str) -> None:
        self._rollback.before_drain.pop(name, None)  # it is not rolled back, whatever becomes of the others
        self._steps.note(StepName.DONE, StepState.ENDED, device=name, detail={"how": how})

    def _print(self, text: str) -> None:
        self._means.print_line(f"wave {self._wave.number} of {self._waves}: {text}")

    def _commit(self, stage: StageName, names: list[str]) -> float:
        """Load on all, then commit on all that differ. Return the time when the last commit had ended."""
        loaded = self._steps.each(
            StepName.LOAD,
            stage,
            names,
            lambda switch: self._load(switch, stage),
            lambda new_token: {"token": new_token},
        )
        tokens = {name: token for name, token in loaded.items() if token is not None}

        def commit(switch: SwitchConnection) -> Mapping[str, object]:
            before = self._unmoved(switch, stage)
            # Even a commit that fails may have begun there: pending commits are found by their token.
            self._rollback.tokens[switch.name] = tokens[switch.name]
            self._mark_unsure(switch.name)
            self._texts.pop(switch.name, None)
            self._stages[switch.name] = stage
            seconds = self._seconds(switch, stage)
            if seconds is not None:
                self._until[switch.name] = utc_now() + timedelta(seconds=switch.limit() + seconds)
            switch.commit(seconds)
            self._rollback.committed.add(switch.name)
            kept = {}
            try:
                if stage is StageName.DRAIN:
                    # Its ports take time to become idle, and a comparison of a merge shows no other line.
                    kept = {"ran": self._keep(switch)}
                    self._alone(switch, before)
            finally:  # what was typed before the commit runs again after its revert
                if seconds is not None:
                    self._alone_since(switch, self._marks[switch.name], before)
            return {"seconds": seconds, **kept}

        self._steps.each(
            StepName.COMMIT,
            stage,
            tokens,
            commit,
            lambda detail: detail,
            lambda switch: self._begun(switch, stage),
        )
        return self._means.clock()

    def _begun(self, switch: SwitchConnection, stage: StageName) -> Mapping[str, object]:
        """What a process needs that resumes this run after a kill during a commit."""
        is_sure = self._means.journal.committed(switch.name) is not None
        self._marks[switch.name] = mark = switch.mark()  # before its last comparison
        detail = {
            "seconds": self._seconds(switch, stage),
            "within": switch.limit(),
            "before": self._rollback.ran[switch.name],
        }
        return {**detail, "sure": is_sure, "mark": mark}

    def _alone(self, switch: SwitchConnection, before: str) -> None:
        """Check that only the merged lines have changed. Raises SwitchError `moved` with lines that somebody typed."""
        drifts = self._means.drifts
        candidate = self._candidate(switch, StageName.DRAIN) if drifts is not None else None
        if drifts is None or candidate is None or not candidate.merge:
            return
        then, now = (parts(text, switch.profile.files.values()) for text in (before, self._texts[switch.name]))
        lines = typed(switch.name, then, now, drifts(switch.name), switch.profile.heads_by_path)
        if typed_lines := unmerged(lines, candidate.text):
            self._progress.ran[switch.name].discard(fingerprint(self._texts.pop(switch.name)))
            self._window.meanwhile[switch.name] = typed_lines
            raise SwitchError("moved", MEANWHILE)

    def _unmoved(self, switch: SwitchConnection, stage: StageName) -> str:
        """Check that nobody has changed a switch since its candidate was loaded. Return its configuration.

        Raises SwitchError `moved`. The others of its wave are loaded in between, which may take minutes.
        """
        running = switch.running()
        if fingerprint(running) == self._rollback.ran[switch.name]:
            return running
        if stage in OUT and switch.name not in self._rollback.committed:
            self._rollback.before_drain.pop(
                switch.name, None
            )  # it was not taken out of service, so there is nothing to undrain
        raise SwitchError("moved", TYPED if switch.name in self._progress.touched | self._rollback.committed else OTHER)

    def _mark_unsure(self, name: str) -> None:
        """Mark the journal's text of a switch as uncertain until the end of a commit is known."""
        journal = self._means.journal
        if name not in self._committed_before:
            self._committed_before[name] = journal.committed(name) if name not in self._progress.touched else None
        journal.is_sure(name, sure=False)

    def _seconds(self, switch: SwitchConnection, stage: StageName) -> int | None:
        """Seconds after which the switch reverts by itself, in its driver's steps."""
        if not switch.profile.timed:
            return None
        settings = self._means.settings
        # Snapshots around a large wave take time, and a few of them may be needed.
        seconds = settings.confirm + 60 * int(3 * self._snapshot_seconds // 60)
        if self._means.probe is not None:
            seconds += SECONDS
        if stage in (StageName.CHANGE, StageName.UNDRAIN):
            seconds += self._gauge.extra()
        if stage in OUT or stage is StageName.PORTS:
            seconds += int(settings.quiet)
        return -(-seconds // switch.profile.step) * switch.profile.step

    def _load(self, switch: SwitchConnection, stage: StageName) -> str | None:
        """Load a switch's candidate; None where it already runs it."""
        candidate = self._candidate(switch, stage)
        if candidate is None:
            self._bare.add(switch.name)
            return None
        if stage is StageName.MARK and switch.name not in self._progress.touched:
            self._must_run(switch, self._work[switch.name].before)
        if stage in OUT:
            self._keep_for_rollback(switch, candidate)
        # What was compared a moment ago need not be compared again.
        if switch.name not in self._differs and not switch.compare(candidate):
            return None
        self._differs.discard(switch.name)
        self._rollback.ran[switch.name] = self._own(switch)
        self._rollback.adopted.discard(switch.name)
        claimed(switch, self._means.claim)
        self._entries[switch.name] = switch.entry()
        # Always a new message: a platform may refuse a commit whose name was used before.
        return switch.load(candidate, f"fabricgen {self._token} {switch.name} {stage} {token_hex(3)}")

    def _must_run(self, switch: SwitchConnection, before: Goal | None) -> None:
        """Check that a switch runs what its mark is made of: the mark replaces all of it.

        Raises SwitchError `unable`.
        """
        if before is not None and unlike(switch.compare(before.candidate), switch.profile.respelled):
            raise SwitchError("unable", NOT_RUN)

    def _keep(self, switch: SwitchConnection) -> str:
        """Record a switch's configuration as this run's own. Return its fingerprint."""
        self._texts[switch.name] = text = switch.running()
        running = fingerprint(text)
        self._progress.ran[switch.name].add(running)
        return running

    def _committed(self, switch: SwitchConnection) -> Texts | None:
        """What this run committed last on a switch, without secrets; None where unknown."""
        text, last_commit = self._texts.get(switch.name), self._progress.begun.get(switch.name)
        stage = self._stages.get(switch.name, last_commit.stage if last_commit is not None else None)
        if text is None and stage is not None:
            candidate = self._candidate(switch, stage)
            if candidate is not None and not candidate.merge:
                return aimed(candidate, switch.profile.comment)
            running = switch.running()
            text = running if fingerprint(running) in self._progress.ran[switch.name] else None
        return parts(text, switch.profile.files.values()) if text is not None else None

    def _own(self, switch: SwitchConnection) -> str:
        """Fingerprint of a configuration of this run. Raises SwitchError `moved` where somebody changed it."""
        running = fingerprint(switch.running())
        if running not in self._progress.ran[switch.name]:
            raise SwitchError("moved", TYPED)
        return running

    def _candidate(self, switch: SwitchConnection, stage: StageName) -> Candidate | None:
        """The candidate of a stage; None where there is nothing to drain, as on a replaced switch."""
        work = self._work[switch.name]
        if stage is not StageName.DRAIN:
            return work.candidate(stage)
        if work.drained is None:
            raise ValueError(f"{switch.name} is not to be drained")
        if not is_above(work.drained.device):
            if work.first is None:
                raise SwitchError(
                    "unable", "its drain commands are unknown: add --against with its previous configuration"
                )
            return work.first.candidate
        text = switch.profile.drain(work.drained.device, switch.running())
        if not text and (self._planned[switch.name].accepted or not self._had_sessions(switch.name)):
            return None
        if not text:
            raise SwitchError("unable", UNDRAINABLE.format(name=switch.name))
        return Candidate(text, {}, merge=True)

    def _keep_for_rollback(self, switch: SwitchConnection, candidate: Candidate) -> None:
        """Keep a switch's configuration before a candidate takes it out of service, for a rollback."""
        if switch.name in self._progress.touched and not switch.compare(candidate):
            self._progress.drained.add(switch.name)  # by the killed process; its earlier configuration is unknown
        elif switch.name not in self._rollback.before_drain and switch.name not in self._progress.drained:
            self._rollback.before_drain[switch.name] = switch.snapshot()

    def _had_sessions(self, name: str) -> bool:
        """Whether a session of a switch was up before the wave, or none was read."""
        return self._means.checks.established(self._snapshot_name, name) != frozenset()

    def _agree(self, stage: StageName, names: list[str]) -> None:
        """Check that each switch runs the configuration of the stage, by its own comparison. Raises Failed."""

        def agree(switch: SwitchConnection) -> str:
            candidate = self._candidate(switch, stage)
            if candidate is not None:
                must_agree(switch, candidate)
            # Lines typed while its ports became idle are not this run's: they stay, and show at the next load.
            is_merged = stage is StageName.DRAIN and switch.name in self._rollback.committed
            return "" if is_merged else self._keep(switch)

        self._steps.each(StepName.COMPARE, stage, names, agree, lambda ran: {"ran": ran} if ran else {})

    def _log_in(self, stage: StageName, names: list[str]) -> None:
        """Check that a new login to each switch is possible while its commit can still be reverted. Raises Failed."""
        self._steps.each(StepName.LOGIN, stage, names, lambda switch: must_log_in(switch, self._means.wait))

    def _error(self, step: StepName, name: str, error: SwitchError) -> SwitchError:
        """The error of a step to record: that of a new login says what to change."""
        return shut_out(error, self._entries.get(name, UNKNOWN)) if step is StepName.LOGIN else error

    def _confirm(self, stage: StageName, names: list[str]) -> None:
        def confirm(switch: SwitchConnection) -> None:
            try:
                switch.confirm(self._rollback.tokens[switch.name])
            except SwitchError as error:
                if error.kind == "unsaved":
                    self._rollback.unsaved.add(switch.name)
                raise
            del self._rollback.tokens[switch.name]
            self._until.pop(switch.name, None)
            if stage in OUT and switch.name in self._rollback.before_drain:
                self._rollback.out.add(switch.name)
            elif stage in OUT:
                self._progress.drained.add(switch.name)
            # The compared configuration: lines typed since are not a push's.
            self._means.journal.keep(self._number, switch.name, self._texts[switch.name])

        self._steps.each(StepName.CONFIRM, stage, names, confirm)

    # Rollback

    def _settled(self, name: str) -> None:
        """Record that a switch runs its earlier configuration again, where the journal knows it."""
        journal, kept = self._means.journal, self._committed_before.get(name)
        if kept is not None:
            journal.keep(kept.run, name, kept.text)
        else:
            journal.is_sure(name, sure=name in self._progress.sure and name not in self._rollback.before_drain)

    def _back(self, reasons: Mapping[str, str] | None = None) -> None:
        """Revert pending commits, and undrain; a failure here is reported and left to the switch.

        reasons  switch → why the wave failed: a run that is killed during the rollback does not try the wave again
        """
        for name in self._progress.drained.intersection(self._work) - self._rollback.before_drain.keys():
            before = self._work[name].before
            if before is not None:
                self._rollback.before_drain[name] = before.candidate
                self._rollback.guessed.add(name)
        to_revert = {*self._rollback.tokens, *self._rollback.before_drain}
        if to_revert:
            self._print(f"rolls back {named(sorted(to_revert))}")
        if to_revert and reasons:
            with suppress(FabricError):
                self._steps.note(StepName.REVERT, StepState.BEGUN, detail={"reasons": reasons})
        go_back(self._steps, self._rollback, f"fabricgen {self._token}", self._settled, self._means.claim)
        for name in sorted(self._progress.drained.intersection(self._work) - self._rollback.before_drain.keys()):
            detail = {"kind": "unable", "reason": STAYS}
            with suppress(FabricError):
                self._steps.note(StepName.REVERT, StepState.FAILED, device=name, stage=StageName.DRAIN, detail=detail)


def _is_before(spot: SwitchStage, last_commit: SwitchStage) -> bool:
    """Whether the change that a killed run had begun is missing, by the switch's stage."""
    if spot.stage is None or last_commit.stage is None:
        return False
    return ORDER.index(spot.stage) <= ORDER.index(last_commit.stage)
