"""`fabricgen render --with-secrets`: files to load into a switch by hand, readable by their owner only.

The manifest has digests of the files including secrets, and no keys of switches: a changed secret is not a changed
input, so all files are rendered each time. The manifest is as private as the files.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.output.commit import AllFiles
from fabricgen.output.secret_trees import IGNORE, NOTHING, keep_private, private_tree
from fabricgen.output.stage import CommitSummary
from fabricgen.output.staging import Content
from fabricgen.plan.fabric import places as places_of
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.forms import Form
from fabricgen.push.switch.secret_fit import SecretDemand, demands, misfits
from fabricgen.push.switch.secrets import filled, places, read_secrets, unspelled, uses
from fabricgen.render.render import Renderer
from fabricgen.render.tree import CABLING, DeviceRenderer, cabling_octets
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import Workspace, WorkspaceError

Done = Callable[[int], None]
"""Callback with the number of switches that were done since the last call."""


class Filling:
    """Fills secrets into the files of a site, and collects problems until all files were seen.

    count  number of files with a secret
    """

    def __init__(self, workspace: Workspace) -> None:
        self._folder, self._written = workspace.path.parent, places(workspace.document)
        self._values: dict[str, str] = {}
        self._bad: set[str] = set()
        self._problems: dict[Problem, None] = {}
        self._demands: dict[SecretDemand, None] = {}
        self.count = 0

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of secrets that cannot be read, or do not fit a file or field, each once."""
        return (*self._problems, *misfits(self._demands, self._values, self._written))

    def switch(self, device: Device) -> None:
        """Check the secrets of a switch against its fields. Call it before `text` for the files of the switch."""
        needed = dict.fromkeys(demands(device))
        self._read(demand.name for demand in needed)
        self._bad |= {demand.name for demand in needed if not demand.shape.takes(self._values.get(demand.name, ""))}
        self._demands |= needed

    def text(self, marked: str, form: Form) -> str:
        """Return a file with its secrets; empty if there are problems with them."""
        secret_uses = frozenset(uses(marked, form))
        names = {use.name for use in secret_uses}
        self.count += bool(secret_uses)
        self._read(names)
        problems = unspelled((use for use in secret_uses if use.name in self._values), self._values, self._written)
        self._problems |= dict.fromkeys(problems)
        return filled(marked, self._values, form) if not problems and self._bad.isdisjoint(names) else ""

    def _read(self, names: Iterable[str]) -> None:
        """Read the secrets that were not read before."""
        for name in sorted(set(names) - self._values.keys() - self._bad):
            try:
                self._values |= read_secrets([name], self._folder, self._written)
            except FabricError as error:
                self._bad.add(name)
                self._problems |= dict.fromkeys(error.problems)


def commit_with_secrets(
    workspace: Workspace, out: Path, templates: Path | None, write: Callable[[AllFiles], CommitSummary], done: Done
) -> tuple[CommitSummary, int]:
    """Write the whole tree, or nothing; return how many of its files have a secret.

    write  commits files to `out`

    Raises FabricError where `out` is a tree without secrets, or not ours, and for secrets that cannot be read.
    """
    filling = Filling(workspace)
    with private_tree(out):
        outcome = write(AllFiles(_files(workspace, templates, filling, done)))
    keep_private(out, outcome)
    return outcome, filling.count


def _files(workspace: Workspace, templates: Path | None, filling: Filling, done: Done) -> Iterator[tuple[str, Content]]:
    """Every file. Raises WorkspaceError after the last if secrets cannot be read; then nothing is written."""
    yield IGNORE, NOTHING
    renderer, plan = Renderer(templates), workspace.plan
    for device in devices(plan):
        filling.switch(device)
        forms = {artifact.name: artifact.form for artifact in PLATFORMS[device.system].artifacts[device.role]}
        for file in renderer.render(device):
            yield file.path, filling.text(file.marked, forms[file.name]).encode()
        done(1)
    tree = DeviceRenderer(plan, templates)
    lines = (line for name, fabric in plan.fabrics.items() for line in tree.cabling(name, places_of(fabric)))
    yield CABLING, cabling_octets(line.encode() for line in lines)
    if problems := filling.problems:
        raise WorkspaceError(problems, workspace.documents)
