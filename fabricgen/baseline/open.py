"""`--against` to the side that it names: an existing folder or file, else a git revision.

A rendered tree is compared by its kept inputs and its files as they are on disk. It keeps no templates of the user's:
its files are what they made. A folder with an intent, an intent itself and a revision are rendered by this release:
with the user's templates of that time if they are known, which is in a revision that holds them, and with fabricgen's
own templates alone elsewhere. If both sides were rendered with today's templates, a line that a template lost would be
missing on both, and no difference would show.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from fabricgen.baseline.folders import NAME_ONE, path_side
from fabricgen.baseline.read import BaselineReader, Templates
from fabricgen.baseline.revision import revision_side
from fabricgen.diff.side import SiteState
from fabricgen.errors import FabricError
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
    """Open the side that `against` names; files taken from a revision exist until the context ends.

    intent     the file that is compared; it must be readable
    templates  the user's templates given now. A revision has its own, if they are in its repository. For an intent
               elsewhere they are not known: it is rendered without, and a note says so
    steps      how intents of older schemas are upgraded
    scenario   of an intent; None: base. A rendered tree has its own

    Raises FabricError if `against` names nothing, or git fails. A side that exists and cannot be read has the reason in
    its `fault`.
    """
    if not against or against.startswith("-"):
        raise FabricError.of(
            code="against-option",
            what=f"--against {against!r} is not valid",
            why="a path or revision is not empty and does not begin with -" if against else "it is empty",
            fix=f"{NAME_ONE}; write ./{against} for a path",
        )
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
