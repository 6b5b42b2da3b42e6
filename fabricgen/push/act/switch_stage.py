"""Stage of a switch before anything is done to it: what a killed run left armed there, and manual changes."""

from collections.abc import Callable, Mapping

from fabricgen.platforms.base.live.run_marks import Armed, Phase, armed_words
from fabricgen.push.act.unfinished_run import RunProgress
from fabricgen.push.act.window import Window
from fabricgen.push.act.work import Means, SwitchStage, SwitchWork
from fabricgen.push.model import PlannedSwitch
from fabricgen.push.plan.approval import fingerprint
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import SwitchError

NAMELESS = (Phase.CHANGES, Phase.LOST)
"""Phases in which a commit may have no name yet."""
OTHER = "its running configuration has changed since the approval: repeat the dry run"
TYPED = "it was changed manually after this run: these changes are kept; repeat the dry run"
PAUSE_SECONDS = 1
"""Seconds between two reads of a commit that is being ended."""


def spot_of(
    switch: SwitchConnection,
    work: SwitchWork,
    planned: PlannedSwitch,
    progress: RunProgress,
    means: Means,
    window: Window,
) -> SwitchStage:
    """Read a switch.

    A commit that waits for its confirmation is adopted; one that was left unfinished is ended at once.

    Raises SwitchError `locked` for a commit of somebody else, and `moved` where somebody has changed the switch.
    """
    commit, armed = (
        progress.begun.get(switch.name),
        armed_on(switch, means.clock, means.wait, means.settings.converge),
    )
    if armed is not None and not progress.is_ours(armed.token):
        raise SwitchError("locked", f"not of this run: {armed_words(armed)}")
    if armed is not None and armed.phase is Phase.WAITS and commit is not None and armed.token == commit.token:
        return SwitchStage(commit.stage, armed.token)
    if armed is not None:  # it may be incomplete, and would revert later unnoticed
        with window.reverting(switch, is_whole=armed.phase is Phase.WAITS):
            switch.revert(armed.token)
    if not switch.compare(work.goal.candidate):
        if commit is not None:  # it may have been confirmed, but killed before it was saved
            switch.load(work.goal.candidate, f"fabricgen {progress.run} {switch.name} saved")
            switch.commit(None)
        return SwitchStage(None)
    is_touched, running = switch.name in progress.touched, fingerprint(switch.running())
    if running not in (progress.ran[switch.name] if is_touched else (planned.before,)):
        raise SwitchError("moved", TYPED if is_touched else OTHER)
    return SwitchStage(work.reached(switch) if is_touched else work.stages[0])


def armed_on(
    switch: SwitchConnection, clock: Callable[[], float], wait: Callable[[float], None], patience: float
) -> Armed | None:
    """The commit that the switch will end by itself, once its owner is known and it is not being ended."""
    last = clock() + patience
    while True:
        armed = switch.run_marks().armed
        is_moving = armed is not None and (armed.phase is Phase.ENDS or (armed.phase in NAMELESS and not armed.token))
        if not is_moving or clock() >= last:
            return armed
        wait(PAUSE_SECONDS)


def spot_detail(spot: SwitchStage) -> Mapping[str, object]:
    """The stage of a switch as a detail of the journal."""
    if spot.token is not None:
        return {"found": "pending"}
    return {"found": "differs" if spot.stage is not None else "at the artifact"}
