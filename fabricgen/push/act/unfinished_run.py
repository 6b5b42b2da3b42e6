"""What the journal has of a run that was killed: what is finished, and what was begun on each switch."""

from collections.abc import Mapping
from datetime import datetime

from fabricgen.platforms.base.live.standing import run_of
from fabricgen.push.act.probing import kinds
from fabricgen.push.act.work import SwitchStage
from fabricgen.push.journal.pending import waiting_of
from fabricgen.push.model import Event, RunRecord, StageName, StepName, StepState


class RunProgress:
    """What the journal has of a run already.

    done     switches that are finished
    drained  switches that it drained and has not brought back
    touched  switches on which it began a commit; what they run is its own doing
    begun    switch → stage and token of its last commit that was neither confirmed nor reverted
    run      its token
    ran      switch → fingerprints of what it ran behind a step of this run: another one is somebody's hand
    before   switch → fingerprint of what it ran before that commit, where that is written down
    marks    switch → what tells whether somebody changed it right before that commit
    sure     switches of which the journal knew what was committed there, before this run committed there
    failed   switch → why a wave failed, from the moment on at which the run began to go back on it
    has_probed  whether it sends packets over every path; None: it was killed before that showed
    lossy    cables and switches that lost packets before its first wave, a sentence each; None: nobody looked
    unprobed why it did not probe every path then
    until    switch → when that commit reverts by itself, at the latest, where that is known
    """

    def __init__(self, record: RunRecord) -> None:
        self.done = frozenset(event.device for event in record.events if event.step is StepName.DONE)
        self.drained: set[str] = set()
        self.touched: set[str] = set()
        self.begun: dict[str, SwitchStage] = {}
        self.until: dict[str, datetime] = {
            one.device: one.until for one in waiting_of(record.events) if one.until is not None
        }
        self.run, self._tokens = record.head.token, set[str]()
        self._seen: set[object] = set()
        self._rested: set[object] = set()
        self.ran: dict[str, set[str]] = {one.device: {one.before} for one in record.planned}
        self.before: dict[str, str] = {}
        self.marks: dict[str, object] = {}
        self.failed: dict[str, str] = {}
        self.sure: set[str] = set()
        self.lossy: frozenset[str] | None = None
        self.unprobed = frozenset[str]()
        self.has_probed: bool | None = None
        loaded: dict[str, SwitchStage] = {}
        for event in record.events:
            self._note_ran(event)
            self._note_failed(event)
            if event.step is StepName.LOAD and event.how is StepState.ENDED and event.detail.get("token") is not None:
                loaded[event.device] = SwitchStage(StageName(event.stage), str(event.detail["token"]))
                self._tokens.add(str(event.detail["token"]))
            elif event.step is StepName.COMMIT and event.how is StepState.BEGUN:
                self._note_begun(event, loaded[event.device])
            elif event.step in (StepName.CONFIRM, StepName.REVERT) and event.how is StepState.ENDED:
                self.begun.pop(event.device, None)
                self._note_drain(event)
            elif event.step is StepName.READ and not event.device and "wave" in event.detail:
                self._seen.add(event.detail["wave"])
            elif event.step is StepName.PATHS and event.how is StepState.ENDED and event.detail.get("wave") == 0:
                self._note_probed(event)
            elif event.step is StepName.SOAK and event.how is StepState.ENDED:
                self._rested.add(event.detail.get("wave"))

    def _note_begun(self, event: Event, spot: SwitchStage) -> None:
        self.touched.add(event.device)
        self.has_probed = self.has_probed or False
        self.begun[event.device] = spot
        self.before.pop(event.device, None)
        if isinstance(before := event.detail.get("before"), str):
            self.before[event.device] = before
        self.marks[event.device] = event.detail.get("mark")
        if event.detail.get("sure") is True:
            self.sure.add(event.device)

    def _note_probed(self, event: Event) -> None:
        """A round before the first wave. A second one that could send nothing says nothing."""
        lost, left = (event.detail.get(name) for name in ("before", "not_probed"))
        if self.has_probed and not (event.detail.get("passed") or lost):
            return
        known = self.lossy or frozenset[str]()  # of the round before this one
        out = frozenset(map(str, left)) if isinstance(left, list | tuple) else frozenset[str]()
        if self.has_probed:  # what one of the rounds did not leave out was probed
            out = frozenset(one for one in out if kinds([one]) <= kinds(self.unprobed))
        self.has_probed, self.unprobed = True, out
        self.lossy = known.union(map(str, lost)) if isinstance(lost, list | tuple) else known

    def _note_failed(self, event: Event) -> None:
        reasons = event.detail.get("reasons")
        if (event.step, event.how) == (StepName.REVERT, StepState.BEGUN) and isinstance(reasons, Mapping):
            self.failed |= {str(name): str(reason) for name, reason in reasons.items()}

    def _note_ran(self, event: Event) -> None:
        if isinstance(ran := event.detail.get("ran"), str):
            self.ran.setdefault(event.device, set()).add(ran)

    def _note_drain(self, event: Event) -> None:
        if event.step is StepName.CONFIRM and event.stage in (StageName.MARK, StageName.DRAIN):
            self.drained.add(event.device)
        elif event.stage in (StageName.MARK, StageName.DRAIN, StageName.UNDRAIN):
            self.drained.discard(event.device)

    def has_seen(self, wave: int) -> bool:
        """Whether it had looked at what stands around this wave."""
        return wave in self._seen

    def has_rested(self, wave: int) -> bool:
        """Whether the rest behind this wave had come to its end."""
        return wave in self._rested

    def is_ours(self, token: str) -> bool:
        """Whether a commit is of this run: by its token, or by the run that its name has."""
        return token in self._tokens or (run_of(token) != "" and self.run.startswith(run_of(token)))
