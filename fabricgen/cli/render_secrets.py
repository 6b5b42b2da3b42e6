"""`fabricgen render --with-secrets`: files that are loaded into a switch by hand, for their owner alone.

Its manifest has digests of the files as they lie there, secrets included, and no keys of switches: a secret that has
changed is no change of an input, so all is made anew each time. The manifest is as private as the files.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.output.commit import Anew
from fabricgen.output.private import IGNORE, NOTHING, keep_private, private_tree
from fabricgen.output.stage import Outcome
from fabricgen.output.staging import Content
from fabricgen.plan.fabric import places as places_of
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.forms import Form
from fabricgen.push.secrets import check_shapes, filled, places, read_secrets, uses
from fabricgen.render.render import Renderer
from fabricgen.render.tree import CABLING, Press, cabling_octets
from fabricgen.resolve.device import devices
from fabricgen.workspace import Workspace, WorkspaceError

Done = Callable[[int], None]
"""Told how many switches have been done since the last call."""


class Filling:
    """Puts secrets into the files of a site, and keeps what is wrong with them until all were seen.

    count  files with a secret
    """

    def __init__(self, workspace: Workspace) -> None:
        self._folder, self._written = workspace.path.parent, places(workspace.document)
        self._values: dict[str, str] = {}
        self._lost: set[str] = set()
        self._problems: dict[Problem, None] = {}
        self.count = 0

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Of every secret that leads nowhere or fits no file, once."""
        return tuple(self._problems)

    def text(self, marked: str, form: Form) -> str:
        """A file with its secrets; empty where there are problems with them."""
        found = frozenset(uses(marked, form))
        names = {use.name for use in found}
        self.count += bool(found)
        for name in sorted(names - self._values.keys() - self._lost):
            try:
                self._values |= read_secrets([name], self._folder, self._written)
            except FabricError as error:
                self._lost.add(name)
                self._problems |= dict.fromkeys(error.problems)
        try:
            check_shapes((use for use in found if use.name not in self._lost), self._values, self._written)
        except FabricError as error:
            self._problems |= dict.fromkeys(error.problems)
            return ""
        return filled(marked, self._values, form) if self._lost.isdisjoint(names) else ""


def commit_with_secrets(
    workspace: Workspace, out: Path, templates: Path | None, write: Callable[[Anew], Outcome], done: Done
) -> tuple[Outcome, int]:
    """Write the whole tree, or nothing; and how many of its files have a secret.

    write  commits files to `out`

    Raises FabricError where `out` is a tree without secrets, or nothing of ours, and for secrets that cannot be read.
    """
    filling = Filling(workspace)
    with private_tree(out):
        outcome = write(Anew(_files(workspace, templates, filling, done)))
    keep_private(out, outcome)
    return outcome, filling.count


def _files(workspace: Workspace, templates: Path | None, filling: Filling, done: Done) -> Iterator[tuple[str, Content]]:
    """Every file. Raises WorkspaceError behind the last where secrets cannot be read: then nothing is written."""
    yield IGNORE, NOTHING
    renderer, plan = Renderer(templates), workspace.plan
    for device in devices(plan):
        forms = {one.name: one.form for one in PLATFORMS[device.system].artifacts[device.role]}
        for file in renderer.render(device):
            yield file.path, filling.text(file.marked, forms[file.path.rpartition("/")[2]]).encode()
        done(1)
    press = Press(plan, templates)
    lines = (line for name, fabric in plan.fabrics.items() for line in press.cabling(name, places_of(fabric)))
    yield CABLING, cabling_octets(line.encode() for line in lines)
    if filling.problems:
        raise WorkspaceError(filling.problems, workspace.documents)
