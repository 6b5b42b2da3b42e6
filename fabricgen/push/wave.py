"""One wave: its switches go through each part of their change together, or all back to what they ran."""

from collections.abc import Iterable, Mapping
from contextlib import suppress

from fabricgen.diff.words import named
from fabricgen.errors import FabricError
from fabricgen.push.approval import fingerprint
from fabricgen.push.box import Box, BoxError, Candidate
from fabricgen.push.calm import Calm
from fabricgen.push.checks import Moment
from fabricgen.push.model import How, Planned, RunRecord, StageName, StepName, Wave
from fabricgen.push.past import Past
from fabricgen.push.steps import Steps
from fabricgen.push.work import Failed, Means, Spot, Stopped, Work, is_above

ORDER = tuple(StageName)
PARTS = {StageName.DRAIN: "drains", StageName.CHANGE: "changes", StageName.UNDRAIN: "brings back"}
UNSAVED = "it runs the change, which is not saved: make room there, and save it"
UNDRAINABLE = "it can not be drained: the maps that do it do not stand there whole; accept it with --accept-loss {name}"
STAYS = "it may be drained still: what it ran before, the killed process alone knew; push it again, or what it ran"
MOST_NEW = 20
"""Faults that are written down of one check; the first of them is the reason that is told."""
PAUSE_SECONDS = 3
"""Between two looks at a change that does not look right yet."""


class WavePush:
    """One wave of a run. waiting: switches of later waves."""

    def __init__(self, means: Means, record: RunRecord, wave: Wave, waiting: frozenset[str]) -> None:
        self._means, self._wave, self._waiting = means, wave, waiting
        self._token, self._waves = record.head.token, len(record.waves)
        self._planned: Mapping[str, Planned] = {one.device: one for one in record.planned}
        self._steps = Steps(means, record.number)
        self._past = Past(record)
        self._work: dict[str, Work] = {}
        self._tokens: dict[str, str] = {}
        self._committed: set[str] = set()
        self._differs: set[str] = set()
        self._ran: dict[str, str] = {}
        self._unsaved: set[str] = set()
        self._bare: set[str] = set()  # switches with nothing that could be drained
        self._before_drain: dict[str, Candidate] = {}

    def push(self) -> None:
        """Bring its switches to their artifacts. Raises Failed or Stopped when what was begun is undone."""
        names = tuple(name for name in self._wave.devices if name not in self._past.done)
        if not names:
            return
        self._work = {name: self._means.work(name) for name in names}
        try:
            spots = self._steps.each(StepName.READ, "", names, self._spot, _spot_detail)
            todo = [name for name in names if spots[name].stage is not None]
            self._tokens = {name: spot.token for name, spot in spots.items() if spot.token is not None}
            self._differs = {name for name in todo if name not in self._past.touched}
            if todo:
                self._look_before(todo)
            for stage in ORDER:
                self._stage(stage, [name for name in todo if self._is_in(name, stage, spots[name])])
        except (Failed, Stopped, FabricError):
            self._back()
            raise
        for name in names:
            if name not in todo:
                self._done(name, "at the artifact")

    def _is_in(self, name: str, stage: StageName, spot: Spot) -> bool:
        reached = spot.stage is not None and ORDER.index(stage) >= ORDER.index(spot.stage)
        return reached and stage in self._work[name].stages

    # Where a switch stands

    def _spot(self, box: Box) -> Spot:
        """Read a switch before anything is done to it: what a killed run did, and what hands did."""
        work, begun = self._work[box.name], self._past.begun.get(box.name)
        waits = box.pending()
        if waits is not None:
            if begun is None or waits != begun.token:
                raise BoxError("locked", "a commit that is not of this run waits there for its confirmation")
            return Spot(begun.stage, waits)
        if not box.compare(work.goal.candidate):
            if begun is not None:  # it may have been confirmed, and killed before it was saved
                box.load(work.goal.candidate, f"fabricgen {self._token} {box.name} saved")
                box.commit(None)
            return Spot(None)
        if box.name in self._past.touched:
            is_drained = work.drained is not None and not box.compare(work.drained.candidate)
            return Spot(StageName.UNDRAIN if is_drained else work.stages[0])
        if fingerprint(box.running()) != self._planned[box.name].before:
            raise BoxError("moved", "it runs something else than when this was approved: show the change anew")
        return Spot(work.stages[0])

    def _look_before(self, names: Iterable[str]) -> None:
        """See what stands, and that the wave leaves every leaf enough. What a killed run saw is what counts."""
        name = self._look_name
        if not self._past.has_seen(self._wave.number):
            self._means.checks.look(name, self._means.checks.around(names))
            self._steps.note(StepName.READ, How.ENDED, detail={"wave": self._wave.number})
        findings = [one for verdict in self._means.checks.findings(name) for one in verdict.findings]
        problems = tuple(self._means.floor(self._wave, findings))
        if problems and not self._tokens:
            raise FabricError(problems)

    @property
    def _look_name(self) -> str:
        return f"wave-{self._wave.number}"

    # Parts of the change

    def _stage(self, stage: StageName, names: list[str]) -> None:
        if not names:
            return
        self._tell(f"{PARTS[stage]} {named(names)}")
        fresh = [name for name in names if name not in self._tokens]
        if fresh and self._means.stop.is_set():
            raise Stopped
        started = self._commit(stage, fresh)
        if stage is StageName.DRAIN:
            self._calm([name for name in names if name not in self._bare])
        else:
            self._check(stage, names, started)
        try:
            self._confirm(stage, [name for name in names if name in self._tokens])
        finally:
            for name in names:
                if name not in self._tokens and stage is self._work[name].stages[-1]:
                    self._done(name, "pushed")

    def _done(self, name: str, how: str) -> None:
        self._before_drain.pop(name, None)  # it is not gone back on, whatever becomes of the others
        self._steps.note(StepName.DONE, How.ENDED, device=name, detail={"how": how})

    def _tell(self, words: str) -> None:
        self._means.tell(f"wave {self._wave.number} of {self._waves}: {words}")

    def _commit(self, stage: StageName, names: list[str]) -> float:
        """Load on all, then commit on all that differ. When the last commit had ended."""
        loaded = self._steps.each(
            StepName.LOAD, stage, names, lambda box: self._load(box, stage), lambda found: {"token": found}
        )
        tokens = {name: token for name, token in loaded.items() if token is not None}

        def commit(box: Box) -> int | None:
            # Even a commit that fails may have begun there: what waits is looked for by its token.
            self._tokens[box.name] = tokens[box.name]
            seconds = self._seconds(box, stage)
            box.commit(seconds)
            self._committed.add(box.name)
            return seconds

        self._steps.each(StepName.COMMIT, stage, tokens, commit, lambda seconds: {"seconds": seconds})
        return self._means.clock()

    def _seconds(self, box: Box, stage: StageName) -> int | None:
        """After which the switch reverts by itself, in steps that its driver takes."""
        if not box.manner.timed:
            return None
        settings = self._means.settings
        least = settings.confirm + (int(settings.quiet) if stage is StageName.DRAIN else 0)
        return -(-least // box.manner.step) * box.manner.step

    def _load(self, box: Box, stage: StageName) -> str | None:
        """Load a switch's candidate; None where it runs that already."""
        work = self._work[box.name]
        candidate = self._drain(box, work) if stage is StageName.DRAIN else work.candidate(stage)
        if candidate is None:
            return None
        # What was compared a moment ago need not be compared again.
        if box.name not in self._differs and not box.compare(candidate):
            return None
        self._differs.discard(box.name)
        self._ran[box.name] = fingerprint(box.running())
        return box.load(candidate, f"fabricgen {self._token} {box.name} {stage}")

    def _drain(self, box: Box, work: Work) -> Candidate | None:
        """What drains a switch; None where there is nothing to drain, as on one that was replaced."""
        if work.drained is None:
            raise ValueError(f"{box.name} is not to be drained")
        if not is_above(work.drained.device):
            if work.first is None:
                raise BoxError("unable", "what drains it is not known: say --against with what it ran before")
            self._before_drain[box.name] = box.snapshot()
            return work.first.candidate
        text = box.manner.drain(work.drained.device, box.running())
        if not text and (self._planned[box.name].accepted or self._established(box.name) == frozenset()):
            self._bare.add(box.name)
            return None
        if not text:
            raise BoxError("unable", UNDRAINABLE.format(name=box.name))
        candidate = Candidate(text, {}, merge=True)
        if box.name in self._past.touched and not box.compare(candidate):
            self._past.drained.add(box.name)  # by the killed process; what it ran before is known no more
        else:
            self._before_drain[box.name] = box.snapshot()
        return candidate

    def _established(self, name: str) -> frozenset[str] | None:
        """Peers of a switch whose sessions stood before the wave; None where that was not read."""
        return self._means.checks.established(self._look_name, name)

    def _confirm(self, stage: StageName, names: list[str]) -> None:
        def confirm(box: Box) -> None:
            try:
                box.confirm(self._tokens[box.name])
            except BoxError as error:
                if error.kind == "unsaved":
                    self._unsaved.add(box.name)
                raise
            del self._tokens[box.name]
            if stage is StageName.DRAIN and box.name not in self._before_drain:
                self._past.drained.add(box.name)

        self._steps.each(StepName.CONFIRM, stage, names, confirm)

    # Proofs

    def _calm(self, names: list[str]) -> None:
        """Wait until the traffic has gone another way."""
        drained = {name: held.device for name in names if (held := self._work[name].drained) is not None}
        established = {name: self._established(name) for name in drained}
        Calm(self._means, self._steps, drained, established).wait()

    def _check(self, stage: StageName, names: list[str], started: float) -> None:
        """Wait until all looks right that did before. Raises Failed where it does not in time."""
        means, settings = self._means, self._means.settings
        drained = frozenset(name for name in names if stage is StageName.CHANGE and self._work[name].drained)
        accepted = (name for name in names if self._planned[name].accepted)
        moment = Moment(drained, frozenset(names), self._waiting, frozenset(accepted))
        for name in names:
            self._steps.note(StepName.CHECK, How.BEGUN, device=name, stage=stage)
        means.wait(max(0.0, started + settings.watch - means.clock()))
        while True:
            means.checks.look("now", means.checks.around(names))
            found = means.checks.compare(self._look_name, "now", moment)
            is_late = means.clock() >= started + settings.converge
            if not found.new or is_late:
                break
            means.wait(PAUSE_SECONDS)
        detail = {
            "before": found.before._asdict(),
            "after": found.after._asdict(),
            "new": list(found.new[:MOST_NEW]),
            "waits": found.waits,
        }
        how = How.FAILED if found.new else How.ENDED
        for name in names:
            self._steps.note(StepName.CHECK, how, device=name, stage=stage, detail=detail)
        if found.new:
            more = f", and {len(found.new) - 1} more" if len(found.new) > 1 else ""
            raise Failed(dict.fromkeys(names, f"the checks do not hold after the change: {found.new[0]}{more}"))

    # Back

    def _back(self) -> None:
        """Revert what waits, and undrain what was drained; what fails here is told and left to the switch."""
        tokens = dict(self._tokens)
        if tokens or self._before_drain:
            self._tell(f"goes back on {named(sorted({*tokens, *self._before_drain}))}")

        def revert(box: Box) -> str:
            waits = box.pending() == tokens[box.name] if box.manner.timed else box.name in self._committed
            if waits:
                box.revert(tokens[box.name])
            if self._ran.get(box.name) not in (None, fingerprint(box.running())):
                raise BoxError("lost", UNSAVED if box.name in self._unsaved else "it does not run what it ran before")
            return "reverted: it runs what it ran before" if waits else "nothing of it was left there"

        self._steps.undo("", tokens, revert)
        self._tokens = {}

        def undrain(box: Box) -> str:
            candidate = self._before_drain[box.name]
            if box.compare(candidate):
                box.load(candidate, f"fabricgen {self._token} {box.name} back")
                box.commit(None)
            return "undrained: it runs what it ran before"

        self._steps.undo(StageName.DRAIN, tuple(self._before_drain), undrain)
        for name in sorted(self._past.drained.intersection(self._work) - self._before_drain.keys()):
            detail = {"kind": "unable", "reason": STAYS}
            with suppress(FabricError):
                self._steps.note(StepName.REVERT, How.FAILED, device=name, stage=StageName.DRAIN, detail=detail)


def _spot_detail(spot: Spot) -> Mapping[str, object]:
    if spot.token is not None:
        return {"found": "pending"}
    return {"found": "differs" if spot.stage is not None else "at the artifact"}
