"""Options of several commands, and their shell completion. Imports no more than --help needs."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., object])


class _Range(click.IntRange):
    """Whole numbers, and a message that says which."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401 - of click
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            self.fail(f"{value!r} is not a whole number {limits(self.min, self.max)}.", param, ctx)


class _Seconds(click.FloatRange):
    """Numbers of seconds, and a message that says which."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401 - of click
        try:
            return float(super().convert(value, param, ctx))
        except click.BadParameter:
            self.fail(f"{value!r} is not a number of seconds {limits(self.min, self.max)}.", param, ctx)


def limits(least: float | None, most: float | None) -> str:
    """Limits in words: from 1 to 256, or of 1 or more."""
    return f"of {least or 0:,} or more" if most is None else f"from {least or 0:,} to {most:,}"


def whole(least: int, most: int | None = None) -> click.IntRange:
    """Type of an option with a whole number."""
    return _Range(least, most)


def seconds(least: float = 0, most: float | None = None) -> click.FloatRange:
    """Type of an option with a number of seconds."""
    return _Seconds(least, most)


BASE = "base"
"""Copy of `intent.scenarios.BASE`: importing that would import pydantic."""

OVERLAY = "File of overrides for one step (docs/steps.md); they take precedence over those of the intent."
"""Help of --overlay in all commands."""

JOBS = "Parallel processes (default: 1, and on a large site one per CPU)."
"""Help of --jobs in commands that work on one site."""

MOST_SWITCHES = 2000
"""Names of a larger site are not completed, because the shell would wait for them."""


def _intent(ctx: click.Context) -> object:
    """The intent that was typed before. click leaves it in `args` while an option still lacks its value."""
    return ctx.params.get("intent") or next((word for word in ctx.args if not word.startswith("-")), None)


def _document(intent: object) -> dict[str, object]:
    """Content of an intent file; empty if it cannot be read, as completion reports no problems."""
    # YAML is needed only when somebody presses Tab after such an option.
    from fabricgen.errors import FabricError  # noqa: PLC0415
    from fabricgen.source.document import read_document  # noqa: PLC0415

    if not isinstance(intent, str | Path):
        return {}
    try:
        value = read_document(Path(intent)).value
    except FabricError:
        return {}
    return value if isinstance(value, dict) else {}


def _matching(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def complete_scenarios(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Scenarios of the intent that was typed before."""
    del param
    scenarios = _document(_intent(ctx)).get("scenarios")
    return _matching((BASE, *(scenarios if isinstance(scenarios, dict) else ())), incomplete)


def complete_fabrics(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Fabrics of the intent that was typed before."""
    del param
    fabrics = _document(_intent(ctx)).get("fabrics")
    return _matching(fabrics if isinstance(fabrics, dict) else (), incomplete)


def complete_switches(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Switches of the intent that was typed before."""
    del param
    return _matching(_switches(_intent(ctx)), incomplete)


def complete_subset(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Unused keys of --subset, each appended to the typed text."""
    from fabricgen.lab.model.subset import LEAST  # noqa: PLC0415

    del ctx, param
    before, comma, key = incomplete.rpartition(",")
    used = {part.partition("=")[0] for part in before.split(",")}
    return [CompletionItem(f"{before}{comma}{name}=") for name in LEAST if name not in used and name.startswith(key)]


def complete_words(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names that `explain` accepts: fabrics, tenants, server groups and switches."""
    del param
    intent = _intent(ctx)
    value = _document(intent)
    names_by_section = [value.get(key) for key in ("fabrics", "tenants", "servers")]
    written = [str(name) for names in names_by_section if isinstance(names, dict) for name in names]
    return _matching((*written, *(_switches(intent) if value else ())), incomplete)


def _switches(intent: object) -> Iterator[str]:
    """Names of all switches, unless there are too many to choose from."""
    from fabricgen.errors import FabricError  # noqa: PLC0415
    from fabricgen.plan.fabric import name_of, places  # noqa: PLC0415
    from fabricgen.render.tree import count_devices  # noqa: PLC0415
    from fabricgen.site.workspace import open_workspace  # noqa: PLC0415

    try:
        plan = open_workspace(Path(str(intent))).plan
    except FabricError:
        return
    if count_devices(plan) <= MOST_SWITCHES:
        yield from (name_of(fabric, place) for fabric in plan.fabrics.values() for place in places(fabric))


def scenario_option(command: F) -> F:
    """Add --scenario NAME to a command."""
    return click.option(
        "--scenario",
        metavar="NAME",
        default=BASE,
        show_default=True,
        shell_complete=complete_scenarios,
        help="Scenario of the intent to use; base is the intent without any scenario.",
    )(command)


def subset_option(verb: str) -> Callable[[F], F]:
    """Add --subset KEY=N,… to a command. verb: what it does with the part."""
    return click.option(
        "--subset",
        shell_complete=complete_subset,
        default="",
        metavar="KEY=N,…",
        help=f"{verb} a part, e.g. leaves=2,spines=2. Keys: planes, pods, units, leaves, spines, superspines, links, "
        "servers, borders.",
    )


def templates_option(command: F) -> F:
    """Add --templates DIR to a command; the folder must exist."""
    return click.option(
        "--templates",
        metavar="DIR",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        help="Folder of your templates; each file replaces the built-in one of the same name.",
    )(command)


def cluster_option(command: F) -> F:
    """Add --cluster ADDRESS to a command."""
    return click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Dask scheduler whose workers do the heavy work, e.g. tcp://10.0.0.9:8786.",
    )(command)


def against_scenario_option(command: F) -> F:
    """Add --against-scenario NAME to a command."""
    return click.option(
        "--against-scenario",
        metavar="NAME",
        shell_complete=complete_scenarios,
        help="Scenario of the --against side (default: base, or the one that a rendered folder was rendered with).",
    )(command)
