"""`fabricgen plan --steps`: from the previous state to the new intent, in states that `render` can render.

JSON: `kind`, `title`, `before`, `after`, `floors`, `cables` that are moved, `start`, and `steps`: each with its
`command`, `overlay` and `overrides`, its `capacity` (`least`, and the rails that have `less`) and the `risk` of the
step to it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from fabricgen.baseline.naming import Naming
from fabricgen.baseline.open import open_side
from fabricgen.checks.catalogue import run_checks
from fabricgen.cli.common.progress import shown
from fabricgen.diff.side import SiteState
from fabricgen.errors import FabricError
from fabricgen.intent.scenarios import BASE
from fabricgen.intent.steps import STEPS
from fabricgen.output.commit import require_ours
from fabricgen.site.workspace import Workspace, WorkspaceError, open_workspace
from fabricgen.steps.model import Intents, Sequence, SequencePaths
from fabricgen.steps.sequence import make_sequence
from fabricgen.steps.write import BEFORE, keep_inputs, staged, write_sequence

OUT = Path("out")
"""The default output folder of `render`."""


STATES = 20
"""Number of states from which progress is shown."""


class StepsRequest(NamedTuple):
    """Typed arguments."""

    intent: Path
    folder: Path
    against: str
    floor: Fraction | None


def steps_written(request: StepsRequest) -> Sequence:
    """Make the sequence and write its folder. Raises FabricError; then nothing was written."""
    with staged(request.folder) as staged_folder, Naming(staged_folder, f"{request.folder}/").translated_errors():
        after = _sound(request.intent)
        with open_side(request.against, request.intent, None) as old, _before(old, staged_folder) as (before, file):
            shown = file if old.stays else request.folder / file.relative_to(staged_folder)
            paths = SequencePaths(request.folder, staged_folder, shown, request.intent, file, _out(old, request))
            sequence = _placed(Intents(before, after), request.floor, paths)
        write_sequence(sequence, staged_folder)
    return sequence


def _out(old: SiteState, request: StepsRequest) -> Path:
    """The output folder of all commands: the tree of --against if it is on this machine, else one that they can use."""
    if old.stored is not None and old.intent is not None and old.intent.is_relative_to(request.against):
        return Path(request.against)
    try:
        require_ours(OUT)
    except FabricError:
        return request.folder / OUT
    return OUT


def _placed(intents: Intents, floor: Fraction | None, paths: SequencePaths) -> Sequence:
    """The sequence. Its problems point to the lines of the new intent."""
    try:
        return make_sequence(intents, floor, paths, lambda states, label: shown(states, label, STATES))
    except WorkspaceError:
        raise
    except FabricError as error:
        raise WorkspaceError(error.problems, intents.after.documents) from None


def _sound(intent: Path) -> Workspace:
    workspace = open_workspace(intent)
    problems = run_checks(workspace.plan)
    if problems:
        raise WorkspaceError(problems, workspace.documents)
    return workspace


@contextmanager
def _before(old: SiteState, staged_folder: Path) -> Iterator[tuple[Workspace, Path]]:
    """Yield the old side's intent and its file: the user's own file if it is one, else a copy in the steps' folder."""
    if old.intent is None or old.plan is None or old.overlay is not None or old.scenario != BASE:
        if old.overlay is not None or old.scenario != BASE:
            rendered_with = "with an overlay" if old.overlay is not None else f"in scenario {old.scenario}"
            why = f"it was rendered {rendered_with}, and steps need the intent without it"
            fix = "use the intent itself: its folder or a git revision"
        else:
            why = old.fault or (old.notes[0] if old.notes else "it has no intent")
            fix = "use the folder, rendered tree or git revision that has the intent before the change"
        raise FabricError.of(code="steps-before", what=f"steps cannot start from {old.name}", why=why, fix=fix)
    file = old.intent
    if not old.stays:
        keep_inputs(staged_folder / BEFORE, open_workspace(file, steps=STEPS).inputs)
        file = staged_folder / BEFORE / file.name
    yield _sound(file), file
