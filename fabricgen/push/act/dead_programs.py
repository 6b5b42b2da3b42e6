"""Switches with programs that do not run: the cost of a change is unknown there, so they are reported first."""

from collections.abc import Collection, Iterable, Mapping

from fabricgen.device.device import Device
from fabricgen.errors import Problem
from fabricgen.push.act.survey import Surveyed
from fabricgen.push.model import SwitchToChange
from fabricgen.verify.expect.ports import bfd

BFD = ("bfd",)
"""What a program serves that need not run if the plan has no BFD."""


def dead_of(device: Device, surveyed: Surveyed) -> tuple[str, ...]:
    """Names of the programs that a switch needs and that do not run."""
    return tuple(daemon.name for daemon in surveyed.dead if daemon.serves != BFD or any(bfd(device)))


def without_dead(
    subjects: Iterable[SwitchToChange], dead: Mapping[str, tuple[str, ...]], accepted: Collection[str]
) -> tuple[list[SwitchToChange], list[Problem]]:
    """Subjects that can be decided on, and a problem for each other one.

    The lines of a dead program look missing, and a change that restores them looks like a loss.
    dead      switch → programs that do not run
    accepted  switches that may be interrupted, by name, whatever runs there
    """
    alive, problems = list[SwitchToChange](), list[Problem]()
    for subject in subjects:
        names = dead.get(subject.name, ())
        if names and subject.risk.is_disruptive and subject.name not in accepted:
            problems.append(_problem(subject.name, names))
        else:
            alive.append(subject)
    return alive, problems


def _problem(switch: str, names: tuple[str, ...]) -> Problem:
    is_one = len(names) == 1
    return Problem(
        code="push-dead",
        what=f"{', '.join(names)} {'does' if is_one else 'do'} not run on {switch}",
        why=f"{'its' if is_one else 'their'} configuration looks missing there, so the risk of this change is unknown",
        fix=f"check the log of {names[0]}, start it, and repeat the command",
    )
