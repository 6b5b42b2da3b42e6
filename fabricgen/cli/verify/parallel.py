"""The switches of a site boiled down and judged, by one process or by several, in the order of the report."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

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
from fabricgen.workers.request import ParallelOptions

LEAST, MOST = 8, 64
"""Switches of a part: beside the least, what a part costs by itself is little; and the most end within a minute."""
BOILED = 64
"""Switches that are held at once to be boiled down."""
SENT, OCTETS = 16, 32 << 20
"""The most of a part whose files go along: switches, and octets of the files. One switch alone may have more."""
ROUNDS = 4
"""Parts that a process has, so that none waits long for the last of another."""

W = TypeVar("W")
R = TypeVar("R")


class Give(Protocol):
    """Has works done, and gives the results in their order."""

    def __call__(self, do: Callable[[W], R], works: Iterable[W], /) -> Iterator[R]:
        """Give them as they are taken."""


class Hands(NamedTuple):
    """Who does the work: so many at once; here: whether they can read the files of this machine."""

    give: Give
    jobs: int
    here: bool


@contextmanager
def hands(asked: ParallelOptions, switches: int) -> Iterator[Hands]:
    """Who works on so many switches. Raises FabricError for a cluster that is none, and, from within, for lost work."""
    if asked.is_alone(switches):
        yield Hands(_alone, 1, here=True)
        return
    from fabricgen.workers.pool import workers  # noqa: PLC0415 - one process needs none of it

    with workers(asked, switches) as found:
        if found is None:
            raise ValueError("one process alone has no use for others")
        yield Hands(found.each, found.jobs, found.here)


def _alone(do: Callable[[W], R], works: Iterable[W], /) -> Iterator[R]:
    return map(do, works)


Switches = FabricSwitches | tuple[Device, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Switches, and who judges them.

    order   all of them, in the order of the report
    shared  what each process is given of all (`verify_part.packed`)
    """

    meant: IntendedSwitches
    order: tuple[Switches, ...]
    shared: bytes
    hands: Hands

    def judged(self, folder: Path, suffix: str, names: Collection[str]) -> Iterator[SwitchVerdict]:
        """Verdicts on these switches by what a folder has of them. Raises FabricError for a file that is no such."""
        with shown(len(names), "judging") as step:
            for part in self.hands.give(judged, self._parts(folder, suffix, frozenset(names))):
                if part.problems:
                    raise FabricError(part.problems)
                yield from part.verdicts
                step(len(part.verdicts))

    def _parts(self, folder: Path, suffix: str, names: frozenset[str]) -> Iterator[SwitchBatch]:
        size = min(MOST, max(LEAST, -(-len(names) // (self.hands.jobs * ROUNDS))))
        for group in self.order:
            wanted = _only(group, names)
            for number in range(0, _count(wanted), size):
                yield from self._cut(_slice(wanted, number, number + size), folder, suffix)

    def _cut(self, wanted: Switches, folder: Path, suffix: str) -> Iterator[SwitchBatch]:
        """A part, or several where files go along: as they are asked for, so few of them wait in memory."""
        if self.hands.here:
            yield self._part(wanted, folder, suffix)
            return
        first, held = 0, dict[str, bytes]()
        for number, name in enumerate(_names(wanted)):
            octets = read_octets(folder, name, suffix)
            if number > first and (number - first == SENT or sum(map(len, (*held.values(), octets or b""))) > OCTETS):
                yield self._part(_slice(wanted, first, number), folder, suffix)._replace(octets=held)
                first, held = number, {}
            if octets is not None:
                held[name] = octets
        yield self._part(_slice(wanted, first, _count(wanted)), folder, suffix)._replace(octets=held)

    def _part(self, wanted: Switches, folder: Path, suffix: str) -> SwitchBatch:
        targets = {name: self.meant.targets[name] for name in _names(wanted)}
        return SwitchBatch(self.shared, wanted, targets, folder, suffix)


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
    asked: ParallelOptions, plan: Plan, where: LabLocation | None, pattern: str, templates: Path | None
) -> Iterator[Judging]:
    """Yield who judges the switches of a plan, or of what stands for it, until it is left.

    pattern  of the names of those that are judged; templates: the user's, in front of ours

    Raises FabricError where the pattern fits none, for a cluster that is none, and for templates that are none.
    """
    lab = lab_of(plan, where) if where is not None else None
    switches = len(lab.devices) if lab is not None else count_devices(plan)
    with hands(asked, switches) as who:
        targets: dict[str, Target] = {}
        groups: list[FabricSwitches] = []

        def digests() -> Iterator[Digest]:
            with shown(switches, "deriving") as step:
                for one in _gathered(plan, lab, who):
                    targets.update(one.targets)
                    groups.append(FabricSwitches(one.fabric, tuple(one.targets)))
                    step(len(one.targets))
                    yield one.digest

        site = site_of(digests())
        own = lab if where is not None and where.is_lab else None
        meant = IntendedSwitches(
            plan=lab.plan if lab is not None else plan,
            names=tuple(targets),
            targets=fitting(targets, pattern),
            lab=own,
            where=where,
        )
        renderer_of(meant, templates)  # what is wrong with templates is told before any switch is asked
        shared = BatchContext(meant.plan, site, where, own.systems if own is not None else None, templates)
        yield Judging(meant=meant, order=_order(lab, groups), shared=packed(shared), hands=who)


def _gathered(plan: Plan, lab: Lab | None, who: Hands) -> Iterator[Gathered]:
    """Every switch boiled down, some at a time. A lab's are at hand, and few."""
    if lab is not None:
        return who.give(gathered, [tuple(alive(lab.devices))])
    return who.give(gathered, (Errand(plan, run) for run in runs_of(plan, BOILED)))


def _order(lab: Lab | None, groups: list[FabricSwitches]) -> tuple[Switches, ...]:
    """All switches of a lab, or those of each fabric."""
    if lab is not None:
        return (tuple(alive(lab.devices)),)
    fabrics = groupby(groups, key=lambda group: group.fabric)
    return tuple(FabricSwitches(name, tuple(one for group in found for one in group.names)) for name, found in fabrics)
