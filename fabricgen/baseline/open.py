"""`--against` to the side that it names: a folder or file where there is one, else a revision of git.

A folder that a render wrote is compared by its kept inputs and by its files as they lie there. It keeps no templates
of the user's: its files are what they made. A folder with an intent in it, an intent itself, and a revision are
compared by what this release makes of them: with the user's templates of then where they are known, which is in a
revision that holds them, and with fabricgen's own alone elsewhere. Rendered with those of today on both sides, a line
that a template lost would be lost on both, and differ nowhere.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from fabricgen.baseline.folders import NAME_ONE, path_side
from fabricgen.baseline.read import BaselineReader, Templates
from fabricgen.baseline.revision import revision_side
from fabricgen.diff.side import SiteState
from fabricgen.errors import FabricError, Problem
from fabricgen.intent.steps import STEPS, Step


@contextmanager
def open_side(
    against: str,
    intent: Path,
    templates: Path | None,
    steps: Mapping[int, Step] = STEPS,
    *,
    scenario: str | None = None,
) -> Iterator[SiteState]:
    """Open the side that `against` names; what was taken out of a revision is there for as long as the context lasts.

    intent     the file that is compared, which can be read
    templates  the user's templates given now. A revision has them as they were then, where they lie in its
               repository. Of an intent elsewhere they are not known: it is rendered without, and a note says so
    steps      how intents of older schemas are read
    scenario    of an intent; None: base. A rendered tree has its own

    Raises FabricError where `against` names nothing, or git cannot be asked. A side that is there and cannot be
    read says why in its `fault`.
    """
    if not against or against.startswith("-"):
        raise FabricError([_no_name(against)])
    if _exists(against):
        reader = BaselineReader(steps=steps, scenario=scenario)
        yield path_side(Path(against), intent.name, Templates(templates), reader)
        return
    with revision_side(against, intent, templates, BaselineReader(steps=steps, scenario=scenario)) as side:
        yield side


def _exists(against: str) -> bool:
    with suppress(OSError, ValueError):
        os.stat(against)  # noqa: PTH116  # a text that is no path, as too long a one, is no fault here
        return True
    return False


def _no_name(against: str) -> Problem:
    return Problem(
        code="against-option",
        what=f"{against!r} cannot be compared with",
        why="no path or revision is empty or begins with -" if against else "it is empty",
        fix=f"{NAME_ONE}; write ./{against} for a path",
    )
