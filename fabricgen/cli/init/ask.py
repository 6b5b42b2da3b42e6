"""Questions of `init` on a terminal: for missing options, and for one answer at a time while they are refused."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.common.colour import echo_line
from fabricgen.cli.common.options import whole
from fabricgen.cli.init.model import DESIGNS, LEAF_SPINE, RAIL_OPTIMIZED, InitAnswers, gpu_servers

if TYPE_CHECKING:
    from fabricgen.cli.init.choose import InitResult

STOP = "stop"
OF_BACKEND = ("frontend", "planes", "rails-per-plane")
"""Answers that only a site with a backend has."""
COUNT = whole(1, 1 << 20)


def accepted(answers: InitAnswers, choose: "Callable[[InitAnswers], InitResult]") -> "InitResult":
    """Choose switches for the answers. While they are refused, the user changes one of them.

    Raises SystemExit when the user stops, click.Abort at the end of input.
    """
    from fabricgen.errors import FabricError  # noqa: PLC0415

    while True:
        try:
            return choose(answers)
        except FabricError as error:
            from fabricgen.source import report  # noqa: PLC0415

            echo_line(report.report(error.problems).rstrip("\n"), err=True)
        answers = changed(answers)


def changed(answers: InitAnswers) -> InitAnswers:
    """The answers with a new value for the one that the user names."""
    named = {name: value for name, value in _values(answers).items() if answers.backend or name not in OF_BACKEND}
    if answers.design != RAIL_OPTIMIZED:
        named.pop("rails-per-plane", None)
    meanings = {**named, STOP: "write nothing"}
    name = ask("which answer to change", tuple(meanings), meanings, default=None)
    if name == STOP:
        raise SystemExit(1)
    return _QUESTIONS[name](answers)


def _values(answers: InitAnswers) -> dict[str, str]:
    """Current value of each answer, by the name of its option."""
    return {
        "design": answers.design,
        "model": answers.model,
        "planes": str(answers.planes or "as the NIC is"),
        "rails-per-plane": str(answers.rails_per_plane or "all rails"),
        "servers": str(answers.servers),
        "planned": str(answers.planned or "the existing ones and one more unit"),
        "os": answers.system,
        "frontend": "yes" if answers.frontend else "no",
    }


def ask(
    what: str,
    choices: tuple[str, ...],
    meanings: Mapping[str, str] | None = None,
    *,
    default: str | None = "",
    others: tuple[str, ...] = (),
) -> str:
    """One of the choices, which are listed first, or of the others, which are not.

    default: the first choice if empty; None: Enter asks again.
    """
    for name in choices:
        meaning = (meanings or {}).get(name)
        click.echo(f"  {name}" + (f": {meaning}" if meaning else ""), err=True)
    preset = choices[0] if default == "" else default
    return str(click.prompt(what, type=click.Choice((*choices, *others)), default=preset, show_choices=False, err=True))


def ask_design() -> str:
    """Ask for a design."""
    return ask("design", tuple(DESIGNS), DESIGNS)


def ask_model(hardware: Path | None) -> str:
    """Ask for a server model. hardware: folder of own hardware."""
    return ask("server model", gpu_servers(hardware))


def ask_planes(answers: InitAnswers) -> int:
    """Ask for a number of planes, where the NICs have a choice; 0, their own number, where they have none."""
    from fabricgen.cli.init.choose import plane_choices  # noqa: PLC0415

    possible = plane_choices(answers.model, answers.hardware) if answers.backend else ()
    if len(possible) < 2:
        return 0
    return int(ask("planes that each NIC is divided into", tuple(map(str, possible))))


def _rails_per_plane(answers: InitAnswers) -> InitAnswers:
    what = "rails that share leaves and spines (0: all of them)"
    return replace(answers, rails_per_plane=int(click.prompt(what, type=whole(0), default=0, err=True)))


def ask_servers() -> int:
    """Ask for the number of servers today."""
    return int(click.prompt("servers that exist today", type=COUNT, default=8, err=True))


def ask_planned(servers: int) -> int:
    """Ask for a number of servers, or 0 for the default."""
    what = "servers to reserve addresses and ports for (0: the existing ones and one more unit)"
    while True:
        count = int(click.prompt(what, type=whole(0), default=0, err=True))
        if not 0 < count < servers:
            return count
        click.echo(f"Error: {count} is fewer than the {servers} that exist today.", err=True)


def ask_system(answers: InitAnswers) -> str:
    """Ask for an operating system with its release: the newest of those that can build the site, or another one."""
    from fabricgen.cli.init.choose import is_lossy, releases, systems, unable  # noqa: PLC0415

    click.echo("Checking which operating systems can build this site ...", err=True)
    newest = systems()
    refused = unable(answers, newest)
    able = tuple(release for release in newest if release not in refused)
    if not able:
        return ask("operating system of the switches", releases())
    others = tuple(release for release in releases() if release not in newest)
    for release, reason in refused.items():
        echo_line(f"  not {release}: {reason}", err=True)
    lossy = {release: "best-effort only" for release in able if answers.backend and is_lossy(release)}
    click.echo("  or another release of one of these, e.g. " + others[0], err=True)
    choices = (*(each for each in able if each not in lossy), *lossy)
    return ask("operating system of the switches", choices, lossy, others=others)


def ask_frontend() -> bool:
    """Ask whether there is a frontend in addition to the backend."""
    return click.confirm("also a frontend (storage, users, tenants)?", default=True, err=True)


def _design(answers: InitAnswers) -> InitAnswers:
    design = ask_design()
    answers = answers if design == RAIL_OPTIMIZED else replace(answers, rails_per_plane=0)
    answers = answers if design != LEAF_SPINE else replace(answers, planes=0)
    return replace(answers, design=design, frontend=answers.frontend or design == LEAF_SPINE)


def _servers(answers: InitAnswers) -> InitAnswers:
    servers = ask_servers()
    fits = not 0 < answers.planned < servers
    return replace(answers, servers=servers, planned=answers.planned if fits else ask_planned(servers))


_QUESTIONS: Mapping[str, Callable[[InitAnswers], InitAnswers]] = {
    "design": _design,
    "model": lambda answers: replace(answers, model=ask_model(answers.hardware), planes=0, rails_per_plane=0),
    "planes": lambda answers: replace(answers, planes=ask_planes(answers)),
    "rails-per-plane": _rails_per_plane,
    "servers": _servers,
    "planned": lambda answers: replace(answers, planned=ask_planned(answers.servers)),
    "os": lambda answers: replace(answers, system=ask_system(answers)),
    "frontend": lambda answers: replace(answers, frontend=ask_frontend()),
}
"""Name of an answer → function that asks its question again and returns the new answers."""
