"""One wave: its switches go through each part of their change together, or all back to what they ran."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from secrets import token_hex

from fabricgen.diff.words import named
from fabricgen.errors import FabricError
from fabricgen.push.approval import fingerprint
from fabricgen.push.back import Held, go_back
from fabricgen.push.box import Box, BoxError, Candidate
from fabricgen.push.calm import Calm
from fabricgen.push.checks import Moment
from fabricgen.push.model import How, Planned, RunRecord, StageName, StepName, Wave
from fabricgen.push.past import Past
from fabricgen.push.steps import Steps
from fabricgen.push.work import Failed, Means, Spot, Stopped, Work, is_above

ORDER = tuple(StageName)
PARTS = {StageName.DRAIN: "drains", StageName.CHANGE: "changes", StageName.UNDRAIN: "brings back"}
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
        self._held = Held()
        self._look_seconds = 0.0
        self._differs: set[str] = set()
        self._bare: set[str] = set()  # switches with nothing that could be drained

    def push(self) -> None:
        """Bring its switches to their artifacts. Raises Failed or Stopped when what was begun is undone."""
        names = tuple(name for name in self._wave.devices if name not in self._past.done)
        if not names:
            return
        self._work = {name: self._means.work(name) for name in names}
        try:
            spots = self._steps.each(StepName.READ, "", names, self._spot, _spot_detail)
            todo = [name for name in names if spots[name].stage is not None]
            self._held.tokens = {name: spot.token for name, spot in spots.items() if spot.token is not None}
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
        """See what stands, and that the wave leaves every leaf enough.

        Where a killed run has begun to change something, what it saw before is what later looks are held against;
        whether leaves have enough is asked of the fabric as it is now.
        """
        checks, chosen = self._means.checks, set(names)
        name, begun = self._look_name, self._means.clock()
        is_resumed = not self._past.touched.isdisjoint(chosen) and self._past.has_seen(self._wave.number)
        checks.look("resumed" if is_resumed else name, checks.around(chosen))
        self._look_seconds = self._means.clock() - begun
        if not is_resumed:
            self._steps.note(StepName.READ, How.ENDED, detail={"wave": self._wave.number})
        found = checks.findings("resumed" if is_resumed else name)
        problems = tuple(self._means.floor(self._wave, [one for verdict in found for one in verdict.findings]))
        if problems and chosen - self._held.tokens.keys() - self._past.touched:
            raise FabricError(problems)

    @property
    def _look_name(self) -> str:
        return f"wave-{self._wave.number}"

    # Parts of the change

    def _stage(self, stage: StageName, names: list[str]) -> None:
        if not names:
            return
        self._tell(f"{PARTS[stage]} {named(names)}")
        fresh = [name for name in names if name not in self._held.tokens]
        if fresh and self._means.stop.is_set():
            raise Stopped
        started = self._commit(stage, fresh)
        if stage is StageName.DRAIN:
            self._calm([name for name in names if name not in self._bare])
        else:
            self._check(stage, names, started)
        try:
            self._confirm(stage, [name for name in names if name in self._held.tokens])
        finally:
            for name in names:
                if name not in self._held.tokens and stage is self._work[name].stages[-1]:
                    self._done(name, "pushed")

    def _done(self, name: str, how: str) -> None:
        self._held.before_drain.pop(name, None)  # it is not gone back on, whatever becomes of the others
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
            self._held.tokens[box.name] = tokens[box.name]
            seconds = self._seconds(box, stage)
            box.commit(seconds)
            self._held.committed.add(box.name)
            return seconds

        self._steps.each(StepName.COMMIT, stage, tokens, commit, lambda seconds: {"seconds": seconds})
        return self._means.clock()

    def _seconds(self, box: Box, stage: StageName) -> int | None:
        """After which the switch reverts by itself, in steps that its driver takes."""
        if not box.manner.timed:
            return None
        settings = self._means.settings
        # Looks at a large wave take their time, and a few of them may be needed.
        least = settings.confirm + 60 * int(3 * self._look_seconds // 60)
        if stage is StageName.DRAIN:
            least += int(settings.quiet)
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
        self._held.ran[box.name] = fingerprint(box.running())
        # Never the same again: a platform may know a commit by a name that it has used up.
        return box.load(candidate, f"fabricgen {self._token} {box.name} {stage} {token_hex(3)}")

    def _drain(self, box: Box, work: Work) -> Candidate | None:
        """What drains a switch; None where there is nothing to drain, as on one that was replaced."""
        if work.drained is None:
            raise ValueError(f"{box.name} is not to be drained")
        if not is_above(work.drained.device):
            if work.first is None:
                raise BoxError("unable", "what drains it is not known: say --against with what it ran before")
            return self._remembered(box, work.first.candidate)
        text = box.manner.drain(work.drained.device, box.running())
        if not text and (self._planned[box.name].accepted or self._established(box.name) == frozenset()):
            self._bare.add(box.name)
            return None
        if not text:
            raise BoxError("unable", UNDRAINABLE.format(name=box.name))
        return self._remembered(box, Candidate(text, {}, merge=True))

    def _remembered(self, box: Box, candidate: Candidate) -> Candidate:
        """What drains a switch, with what it runs kept to go back to."""
        if box.name in self._past.touched and not box.compare(candidate):
            self._past.drained.add(box.name)  # by the killed process; what it ran before is known no more
        else:
            self._held.before_drain[box.name] = box.snapshot()
        return candidate

    def _sessions(self, name: str) -> frozenset[str] | None:
        """Peers whose sessions stand, or stood before; None where one of both was not read."""
        before, now = self._established(name), self._means.checks.established("drained", name)
        return None if before is None or now is None else before | now

    def _established(self, name: str) -> frozenset[str] | None:
        """Peers of a switch whose sessions stood before the wave; None where that was not read."""
        return self._means.checks.established(self._look_name, name)

    def _confirm(self, stage: StageName, names: list[str]) -> None:
        def confirm(box: Box) -> None:
            try:
                box.confirm(self._held.tokens[box.name])
            except BoxError as error:
                if error.kind == "unsaved":
                    self._held.unsaved.add(box.name)
                raise
            del self._held.tokens[box.name]
            if stage is StageName.DRAIN and box.name not in self._held.before_drain:
                self._past.drained.add(box.name)

        self._steps.each(StepName.CONFIRM, stage, names, confirm)

    # Proofs

    def _calm(self, names: list[str]) -> None:
        """Wait until the traffic has gone another way."""
        drained = {name: held.device for name in names if (held := self._work[name].drained) is not None}
        self._means.checks.look("drained", drained)  # sessions may have come up since
        established = {name: self._sessions(name) for name in drained}
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
        last = started + max(settings.converge, 2 * self._look_seconds)
        while True:
            is_late = means.clock() >= last
            means.checks.look("now", means.checks.around(names))
            found = means.checks.compare(self._look_name, "now", moment)
            if not found.new or is_late:
                break
            means.wait(PAUSE_SECONDS)
        detail = found.detail(MOST_NEW)
        how = How.FAILED if found.new else How.ENDED
        for name in names:
            self._steps.note(StepName.CHECK, how, device=name, stage=stage, detail=detail)
        if found.new:
            more = f", and {len(found.new) - 1} more" if len(found.new) > 1 else ""
            raise Failed(dict.fromkeys(names, f"the checks do not hold after the change: {found.new[0]}{more}"))

    # Back

    def _back(self) -> None:
        """Revert what waits, and undrain what was drained; what fails here is told and left to the switch."""
        begun = {*self._held.tokens, *self._held.before_drain}
        if begun:
            self._tell(f"goes back on {named(sorted(begun))}")
        go_back(self._steps, self._held, f"fabricgen {self._token}")
        for name in sorted(self._past.drained.intersection(self._work) - self._held.before_drain.keys()):
            detail = {"kind": "unable", "reason": STAYS}
            with suppress(FabricError):
                self._steps.note(StepName.REVERT, How.FAILED, device=name, stage=StageName.DRAIN, detail=detail)


def _spot_detail(spot: Spot) -> Mapping[str, object]:
    if spot.token is not None:
        return {"found": "pending"}
    return {"found": "differs" if spot.stage is not None else "at the artifact"}
