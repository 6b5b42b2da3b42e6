"""Questions of `init` on a terminal: what no option says, and one answer at a time where the answers are refused."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from fabricgen.cli.common.colour import echo_line
from fabricgen.cli.init.model import DESIGNS, LEAF_SPINE, InitAnswers, gpu_servers

if TYPE_CHECKING:
    from fabricgen.cli.init.choose import InitResult

STOP = "stop"
COUNT = click.IntRange(1, 1 << 20)


def accepted(answers: InitAnswers, choose: "Callable[[InitAnswers], InitResult]") -> "InitResult":
    """What is chosen for the answers; refused ones are shown, and the user changes one of them until they hold.

    Raises SystemExit where the user stops, click.Abort at the end of input.
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
    """The answers with another one in place of the one that the user names."""
    named = {name: value for name, value in _values(answers).items() if name != "frontend" or answers.backend}
    meanings = {**named, STOP: "write nothing"}
    name = ask("which answer to change", tuple(meanings), meanings, default=None)
    if name == STOP:
        raise SystemExit(1)
    return _QUESTIONS[name](answers)


def _values(answers: InitAnswers) -> dict[str, str]:
    """Each answer by the name of its option, as it is now."""
    return {
        "design": answers.design,
        "model": answers.model,
        "servers": str(answers.servers),
        "planned": str(answers.planned or "those of today and a unit more"),
        "os": answers.system,
        "frontend": "yes" if answers.frontend else "no",
    }


def ask(
    what: str, choices: tuple[str, ...], meanings: Mapping[str, str] | None = None, *, default: str | None = ""
) -> str:
    """One of the choices, which are listed first. default: the first where empty; None: Enter asks again."""
    for name in choices:
        click.echo(f"  {name}" + (f": {meanings[name]}" if meanings else ""), err=True)
    given = choices[0] if default == "" else default
    return str(click.prompt(what, type=click.Choice(choices), default=given, show_choices=False, err=True))


def ask_design() -> str:
    """A design."""
    return ask("design", tuple(DESIGNS), DESIGNS)


def ask_model() -> str:
    """A server model."""
    return ask("server model", gpu_servers())


def ask_servers() -> int:
    """How many servers there are today."""
    return int(click.prompt("servers that stand today", type=COUNT, default=8, err=True))


def ask_planned(servers: int) -> int:
    """A count, or 0 for the default."""
    what = "servers to reserve numbers for (0: those of today and a unit more)"
    while True:
        found = int(click.prompt(what, type=click.IntRange(0), default=0, err=True))
        if not 0 < found < servers:
            return found
        click.echo(f"Error: {found} is fewer than the {servers} of today.", err=True)


def ask_system() -> str:
    """An operating system with its release."""
    from fabricgen.cli.init.choose import releases  # noqa: PLC0415

    return ask("operating system of the switches", releases())


def ask_frontend() -> bool:
    """Whether there is a frontend beside the backend."""
    return click.confirm("a frontend as well: storage, users, tenants?", default=True, err=True)


def _design(answers: InitAnswers) -> InitAnswers:
    design = ask_design()
    return replace(answers, design=design, frontend=answers.frontend or design == LEAF_SPINE)


def _servers(answers: InitAnswers) -> InitAnswers:
    servers = ask_servers()
    fits = not 0 < answers.planned < servers
    return replace(answers, servers=servers, planned=answers.planned if fits else ask_planned(servers))


_QUESTIONS: Mapping[str, Callable[[InitAnswers], InitAnswers]] = MappingProxyType(
    {
        "design": _design,
        "model": lambda answers: replace(answers, model=ask_model()),
        "servers": _servers,
        "planned": lambda answers: replace(answers, planned=ask_planned(answers.servers)),
        "os": lambda answers: replace(answers, system=ask_system()),
        "frontend": lambda answers: replace(answers, frontend=ask_frontend()),
    }
)
"""Name of an answer → the answers after its question was asked again."""
