"""Progress of a killed run by its journal: finished switches, and what was begun on the others."""

from datetime import datetime

from fabricgen.platforms.base.live.run_marks import run_of
from fabricgen.push.act.probing import kinds
from fabricgen.push.act.work import SwitchStage
from fabricgen.push.journal.detail import mapping, texts
from fabricgen.push.journal.pending import waiting_of
from fabricgen.push.model import Event, RunRecord, StageName, StepName, StepState


class RunProgress:
    """Progress of a run by its journal.

    done     switches that are finished
    drained  switches that it drained and has not brought back
    touched  switches on which it began a commit; their configuration is its own
    begun    switch → stage and token of its last commit that was neither confirmed nor reverted
    run      its token
    ran      switch → fingerprints of its configuration after each step of this run: any other was made by hand
    before   switch → fingerprint of its configuration before that commit, where recorded
    marks    switch → value that shows whether somebody changed it right before that commit
    sure     switches whose last commit the journal knew before this run committed there
    failed   switch → why a wave failed, once the run began to roll it back
    has_probed  whether it probes every path; None: it was killed before that was recorded
    lossy    cables and switches that lost packets before its first wave, a sentence each; None: not probed
    unprobed why it did not probe every path then
    until    switch → when that commit reverts by itself at the latest, where known
    """

    def __init__(self, record: RunRecord) -> None:
        self.done = frozenset(event.device for event in record.events if event.step is StepName.DONE)
        self.drained: set[str] = set()
        self.touched: set[str] = set()
        self.begun: dict[str, SwitchStage] = {}
        self.until: dict[str, datetime] = {
            item.device: item.until for item in waiting_of(record.events) if item.until is not None
        }
        self.run, self._tokens = record.head.token, set[str]()
        self._seen: set[object] = set()
        self._soaked: set[object] = set()
        self.ran: dict[str, set[str]] = {item.device: {item.before} for item in record.planned}
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
                self._soaked.add(event.detail.get("wave"))

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
        """Record a round before the first wave. A second round that could send nothing is ignored."""
        lost, left_out = (frozenset(texts(event.detail, key)) for key in ("before", "not_probed"))
        if self.has_probed and not (event.detail.get("passed") or lost):
            return
        if self.has_probed:  # what either round did not leave out was probed
            left_out = frozenset(reason for reason in left_out if kinds([reason]) <= kinds(self.unprobed))
        self.has_probed, self.unprobed = True, left_out
        self.lossy = (self.lossy or frozenset()) | lost  # with those of the round before this one

    def _note_failed(self, event: Event) -> None:
        if (event.step, event.how) == (StepName.REVERT, StepState.BEGUN):
            reasons = mapping(event.detail, "reasons")
            self.failed |= {str(name): str(reason) for name, reason in reasons.items()}

    def _note_ran(self, event: Event) -> None:
        if isinstance(ran := event.detail.get("ran"), str):
            self.ran.setdefault(event.device, set()).add(ran)

    def _note_drain(self, event: Event) -> None:
        if event.step is StepName.CONFIRM and event.stage in (StageName.MARK, StageName.DRAIN):
            self.drained.add(event.device)
        elif event.stage in (StageName.MARK, StageName.DRAIN, StageName.UNDRAIN):
            self.drained.discard(event.device)

    def took_snapshot(self, wave: int) -> bool:
        """Whether it had taken the snapshot before this wave."""
        return wave in self._seen

    def has_soaked(self, wave: int) -> bool:
        """Whether the soak after this wave had ended."""
        return wave in self._soaked

    def is_ours(self, token: str) -> bool:
        """Whether a commit is of this run: by its token, or by the run in its name."""
        return token in self._tokens or (run_of(token) != "" and self.run.startswith(run_of(token)))
