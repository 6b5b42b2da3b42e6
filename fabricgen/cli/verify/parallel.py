"""Derive and judge the switches of a site, by one process or several, in the order of the report."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from fabricgen.cli.common.progress import shown
from fabricgen.cli.verify.tasks import (
    BatchContext,
    Errand,
    FabricSwitches,
    Gathered,
    SwitchBatch,
    gathered,
    judged,
    packed,
)
from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.lab.model.lab import Lab
from fabricgen.operation.intended import IntendedSwitches, LabLocation, alive, fitting, lab_of, renderer_of
from fabricgen.plan.plan import Plan
from fabricgen.render.tree import count_devices, runs_of
from fabricgen.verify.collect.store import Target, read_octets
from fabricgen.verify.expect.site import Digest, site_of
from fabricgen.verify.finding import SwitchVerdict
from fabricgen.workers.pool import Workers, workers
from fabricgen.workers.request import ParallelOptions

LEAST, MOST = 8, 64
"""Switches per part: with the least the overhead of a part is small, and the most end within a minute."""
BOILED = 64
"""Switches that are summarised together."""
SENT, OCTETS = 16, 32 << 20
"""Limits of a part whose files are sent along: switches, and octets of the files. A single switch may have more."""
ROUNDS = 4
"""Parts per process, so that none waits long for the last part of another."""

Switches = FabricSwitches | tuple[Device, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Switches, and the workers that judge them.

    order   all of them, in the order of the report
    shared  context that each process gets (`tasks.packed`)
    """

    intended: IntendedSwitches
    order: tuple[Switches, ...]
    shared: bytes
    workers: Workers

    def judged(self, folder: Path, suffix: str, names: Collection[str]) -> Iterator[SwitchVerdict]:
        """Verdicts on these switches from a folder's files. Raises FabricError for an invalid file."""
        with shown(len(names), "judging") as step:
            for part in self.workers.each(judged, self._parts(folder, suffix, frozenset(names))):
                if part.problems:
                    raise FabricError(part.problems)
                yield from part.verdicts
                step(len(part.verdicts))

    def _parts(self, folder: Path, suffix: str, names: frozenset[str]) -> Iterator[SwitchBatch]:
        size = min(MOST, max(LEAST, -(-len(names) // (self.workers.jobs * ROUNDS))))
        for group in self.order:
            selected = _only(group, names)
            for start in range(0, _count(selected), size):
                yield from self._cut(_slice(selected, start, start + size), folder, suffix)

    def _cut(self, group: Switches, folder: Path, suffix: str) -> Iterator[SwitchBatch]:
        """Return one part, or several if files are sent along: lazily, so that few of them are in memory."""
        if self.workers.here:
            yield self._part(group, folder, suffix)
            return
        first, files = 0, dict[str, bytes]()
        for number, name in enumerate(_names(group)):
            octets = read_octets(folder, name, suffix)
            if number > first and (number - first == SENT or sum(map(len, (*files.values(), octets or b""))) > OCTETS):
                yield self._part(_slice(group, first, number), folder, suffix)._replace(octets=files)
                first, files = number, {}
            if octets is not None:
                files[name] = octets
        yield self._part(_slice(group, first, _count(group)), folder, suffix)._replace(octets=files)

    def _part(self, group: Switches, folder: Path, suffix: str) -> SwitchBatch:
        targets = {name: self.intended.targets[name] for name in _names(group)}
        return SwitchBatch(self.shared, group, targets, folder, suffix)


def _names(group: Switches) -> tuple[str, ...]:
    return group.names if isinstance(group, FabricSwitches) else tuple(device.name for device in group)


def _count(group: Switches) -> int:
    return len(_names(group))


def _only(group: Switches, names: frozenset[str]) -> Switches:
    if isinstance(group, FabricSwitches):
        return group._replace(names=tuple(name for name in group.names if name in names))
    return tuple(device for device in group if device.name in names)


def _slice(group: Switches, first: int, last: int) -> Switches:
    return group._replace(names=group.names[first:last]) if isinstance(group, FabricSwitches) else group[first:last]


@contextmanager
def judging(
    parallel: ParallelOptions, plan: Plan, where: LabLocation | None, pattern: str, templates: Path | None
) -> Iterator[Judging]:
    """Yield the workers that judge the switches of a plan, or of its lab or containers.

    pattern  of the names of those that are judged; templates: the user's, which override ours

    Raises FabricError if the pattern matches none, for a missing cluster, and for invalid templates.
    """
    lab = lab_of(plan, where) if where is not None else None
    count = len(lab.devices) if lab is not None else count_devices(plan)
    with workers(parallel, count) as pool:
        targets: dict[str, Target] = {}
        groups: list[FabricSwitches] = []

        def digests() -> Iterator[Digest]:
            with shown(count, "deriving") as step:
                for result in _gathered(plan, lab, pool):
                    targets.update(result.targets)
                    groups.append(FabricSwitches(result.fabric, tuple(result.targets)))
                    step(len(result.targets))
                    yield result.digest

        site = site_of(digests())
        ns_lab = lab if where is not None and where.is_lab else None
        switches = IntendedSwitches(
            plan=lab.plan if lab is not None else plan,
            names=tuple(targets),
            targets=fitting(targets, pattern),
            lab=ns_lab,
            where=where,
        )
        renderer_of(switches, templates)  # reports problems of templates before any switch is read
        shared = BatchContext(switches.plan, site, where, ns_lab.systems if ns_lab is not None else None, templates)
        yield Judging(intended=switches, order=_order(lab, groups), shared=packed(shared), workers=pool)


def _gathered(plan: Plan, lab: Lab | None, pool: Workers) -> Iterator[Gathered]:
    """Summaries of all switches, some at a time. A lab's switches are resolved already, and few."""
    if lab is not None:
        return pool.each(gathered, [tuple(alive(lab.devices))])
    return pool.each(gathered, (Errand(plan, run) for run in runs_of(plan, BOILED)))


def _order(lab: Lab | None, groups: list[FabricSwitches]) -> tuple[Switches, ...]:
    """All switches of a lab, or those of each fabric."""
    if lab is not None:
        return (tuple(alive(lab.devices)),)
    fabrics = groupby(groups, key=lambda group: group.fabric)
    return tuple(
        FabricSwitches(name, tuple(switch for group in parts for switch in group.names)) for name, parts in fabrics
    )
