"""`fabricgen plan --steps`: from what stood before to the new intent, in states that the ordinary line renders.

JSON: `kind`, `title`, `before`, `after`, `floors`, `cables` that are moved, `start`, and `steps`: each with its
`command`, `overlay` and `overrides`, its `capacity` (`least`, and the rails that have `less`) and the `risk` of getting
there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from fabricgen.baseline.naming import Naming
from fabricgen.baseline.open import open_side
from fabricgen.checks.catalogue import run_checks
from fabricgen.diff.side import SiteState
from fabricgen.errors import FabricError, Problem
from fabricgen.intent.scenarios import BASE
from fabricgen.intent.steps import STEPS
from fabricgen.site.workspace import Workspace, WorkspaceError, open_workspace
from fabricgen.steps.model import Intents, Sequence, SequencePaths
from fabricgen.steps.sequence import make_sequence
from fabricgen.steps.write import BEFORE, keep_inputs, staged, write_sequence


class StepsRequest(NamedTuple):
    """What was typed."""

    intent: Path
    folder: Path
    against: str
    floor: Fraction | None


def steps_written(asked: StepsRequest) -> Sequence:
    """Make the sequence and write its folder. Raises FabricError, and then nothing was written."""
    with staged(asked.folder) as beside, Naming(beside, f"{asked.folder}/").told():
        after = _sound(asked.intent)
        with open_side(asked.against, asked.intent, None) as old, _before(old, beside) as (before, file):
            shown = file if old.stays else asked.folder / file.relative_to(beside)
            # The rendered tree that the commands go on with: the one that was named, and lies here.
            is_here = old.stored is not None and old.intent is not None and old.intent.is_relative_to(asked.against)
            paths = SequencePaths(
                asked.folder, beside, shown, asked.intent, file, Path(asked.against) if is_here else None
            )
            sequence = _placed(Intents(before, after), asked.floor, paths)
        write_sequence(sequence, beside)
    return sequence


def _placed(intents: Intents, floor: Fraction | None, paths: SequencePaths) -> Sequence:
    """The sequence. What it refuses is told by the lines of the new intent."""
    try:
        return make_sequence(intents, floor, paths)
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
def _before(old: SiteState, beside: Path) -> Iterator[tuple[Workspace, Path]]:
    """The old side's intent and its file: a person's own where it is one, else a copy that stays with the steps."""
    if old.intent is None or old.plan is None or old.overlay is not None or old.scenario != BASE:
        if old.overlay is not None or old.scenario != BASE:
            front = "with an overlay" if old.overlay is not None else f"in scenario {old.scenario}"
            why = f"it was rendered {front}, and steps begin with an intent as it stands"
            fix = "name the intent itself, as git revision or folder"
        else:
            why = old.fault or (old.notes[0] if old.notes else "it holds no intent")
            fix = "name the folder, the rendered tree or the git revision that holds the intent before the change"
        raise FabricError([Problem(code="steps-before", what=f"steps cannot begin with {old.name}", why=why, fix=fix)])
    file = old.intent
    if not old.stays:
        keep_inputs(beside / BEFORE, open_workspace(file, steps=STEPS).inputs)
        file = beside / BEFORE / file.name
    yield _sound(file), file
