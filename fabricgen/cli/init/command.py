"""`fabricgen init`: a first intent, commented, that renders at once; or an error, and no file.

JSON: `written`, the file; `switches`, their number; `backend` and `frontend`, each null or its `leaf`, `spine`,
`core`, `marking`, `lossy` (why a backend is not lossless), `load_balancing`, `unbalanced` (why no better one), `room`
(servers and spines that numbers are reserved for) and `tight` (why there are not more). Problems: `problems`, as for
every command.
"""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from click.shell_completion import CompletionItem

from fabricgen.cli.init import ask
from fabricgen.cli.init.ask import COUNT
from fabricgen.cli.init.model import DESIGNS, LEAF_SPINE, RAIL_OPTIMIZED, InitAnswers, SwitchChoices, library

if TYPE_CHECKING:
    from fabricgen.cli.init.choose import InitResult

LOCK = "fabricgen.lock"
HARDWARE = "hardware"
_CHOSEN = "{} model (default: chosen for the servers)."

ASKED = ("--design", "--model", "--servers", "--os")
"""Required options; the others have a default."""


class InitOptions(NamedTuple):
    """Typed options; None for those not typed."""

    file: Path
    site: str
    design: str | None
    model: str | None
    servers: int | None
    planned: int | None
    system: str | None
    frontend: bool | None
    planes: int | None
    rails_per_plane: int | None
    leaf: str
    spine: str
    hardware: Path | None
    as_json: bool

    @property
    def own_hardware(self) -> Path | None:
        """Folder of own hardware: the one typed, or the one beside the intent."""
        beside = self.file.parent / HARDWARE
        return self.hardware or (beside if os.path.lexists(beside) else None)

    @property
    def missing(self) -> tuple[str, ...]:
        """Required options that were not typed."""
        values = (self.design, self.model, self.servers, self.system)
        return tuple(option for option, value in zip(ASKED, values, strict=True) if value is None)


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names for the value of --os, of --model, or of --leaf and --spine."""
    beside = Path(ctx.params.get("file") or "intent.yaml").parent / HARDWARE
    own = ctx.params.get("hardware") or beside
    folder = "servers" if param.name == "model" else "switches"
    names = _releases() if param.name == "system" else library(folder, own)
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@click.command("init")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), default=Path("intent.yaml"))
@click.option("--site", default="dc1", show_default=True, metavar="NAME", help="Name of the site.")
@click.option(
    "--design", type=click.Choice(tuple(DESIGNS)), help="Backend design. `leaf-spine`: no backend, only a frontend."
)
@click.option("--model", metavar="MODEL", shell_complete=_complete, help="Server model, see `list hardware`.")
@click.option("--servers", type=COUNT, help="Servers that exist today.")
@click.option(
    "--planned",
    type=COUNT,
    help="Servers to reserve addresses and ports for (default: --servers rounded up to full scalable units, plus one "
    "unit; with two fabrics, the larger of the two results).",
)
@click.option(
    "--os",
    "system",
    metavar="OS",
    shell_complete=_complete,
    help="Operating system and release of all switches, e.g. eos-4.34.",
)
@click.option("--frontend/--no-frontend", default=None, help="With or without a frontend (default: with).")
@click.option(
    "--planes", type=COUNT, help="Slices that each NIC is divided into, one per plane (default: as the NIC is)."
)
@click.option(
    "--rails-per-plane", type=COUNT, help="Rails that share leaves and spines; others have their own (default: all)."
)
@click.option("--leaf", default="", metavar="MODEL", shell_complete=_complete, help=_CHOSEN.format("Leaf"))
@click.option("--spine", default="", metavar="MODEL", shell_complete=_complete, help=_CHOSEN.format("Spine"))
@click.option(
    "--hardware",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of own hardware files; it is copied beside the intent (default: hardware/ there).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Create a first intent with comments in FILE (default: intent.yaml), ready to render.

    On a terminal it asks for the options that are missing. No existing file is overwritten.
    """
    options = InitOptions(**ctx.params)
    if options.frontend is False and options.design == LEAF_SPINE:
        raise click.UsageError(f"--design {LEAF_SPINE} is a frontend only: omit --no-frontend", ctx)
    if options.design is not None:
        _require_backend(options, options.design)
    if options.planned is not None and options.servers is not None and options.planned < options.servers:
        raise click.UsageError(f"--planned {options.planned} is fewer than --servers {options.servers}", ctx)
    if options.missing and not _is_terminal():
        raise click.UsageError(
            f"missing options: {', '.join(options.missing)} (init asks for them on a terminal only)", ctx
        )
    from fabricgen.cli.common.problems import reporting_problems  # noqa: PLC0415

    with reporting_problems(as_json=options.as_json, writes=True):
        _refuse_existing(options)
        answers = _answers(options)
        # An interactive user can change an answer; answers that all come from options are refused at once.
        choice = ask.accepted(answers, _choose) if options.missing else _choose(answers)
        _copy_hardware(options)
        _write(options.file, choice.text)
    _print_choice(options, choice)


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _releases() -> tuple[str, ...]:
    from fabricgen.cli.init.choose import releases  # noqa: PLC0415

    return releases()


def _choose(answers: InitAnswers) -> "InitResult":
    # This imports the whole compiler, which --help does not need.
    from fabricgen.cli.init.choose import choose  # noqa: PLC0415

    return choose(answers)


def _answers(options: InitOptions) -> InitAnswers:
    """Answers from the options, and on a terminal from questions."""
    design = options.design or ask.ask_design()
    _require_backend(options, design)
    model = options.model or ask.ask_model(options.own_hardware)
    servers = options.servers or ask.ask_servers()
    planned = options.planned or (ask.ask_planned(servers) if options.missing else 0)
    has_frontend = design == LEAF_SPINE or options.frontend is not False
    if options.missing and options.frontend is None and design != LEAF_SPINE:
        has_frontend = ask.ask_frontend()
    answers = InitAnswers(
        site=options.site,
        design=design,
        model=model,
        servers=servers,
        planned=planned,
        system=options.system or "",
        frontend=has_frontend,
        leaf=options.leaf,
        spine=options.spine,
        planes=options.planes or 0,
        rails_per_plane=options.rails_per_plane or 0,
        hardware=options.own_hardware,
    )
    if options.missing and options.planes is None:
        answers = replace(answers, planes=ask.ask_planes(answers))
    # The last question: only systems that can build the rest are offered.
    return answers if answers.system else replace(answers, system=ask.ask_system(answers))


def _require_backend(options: InitOptions, design: str) -> None:
    """Raise click.UsageError for options that a design does not have."""
    if options.rails_per_plane is not None and design != RAIL_OPTIMIZED:
        raise click.UsageError(f"--rails-per-plane is for --design {RAIL_OPTIMIZED}")
    if options.planes is not None and design == LEAF_SPINE:
        raise click.UsageError(f"--planes is for a backend, and --design {LEAF_SPINE} has none")


def _refuse_existing(options: InitOptions) -> None:
    """Raise FabricError where the intent or a lock exists already, or hardware beside it that would be another."""
    from fabricgen.errors import FabricError  # noqa: PLC0415

    file, beside = options.file, options.file.parent / HARDWARE
    if options.hardware is not None and os.path.lexists(beside) and not _is_same(options.hardware, beside):
        raise FabricError.of(
            code="init-exists",
            what=f"{beside} already exists",
            why=f"the files of {options.hardware} would be copied there, and init does not overwrite files",
            fix=f"omit --hardware to use {beside}, or bring the files of both together there",
        )
    for path, reason in (
        (file, "init does not overwrite files"),
        (file.parent / LOCK, "it has the addresses and AS numbers of a site, and init does not overwrite files"),
    ):
        if path.exists() or path.is_symlink():
            raise FabricError.of(
                code="init-exists",
                what=f"{path} already exists",
                why=reason,
                fix="choose a file in another folder: each site has its own, because the lock lies beside the intent",
            )


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _copy_hardware(options: InitOptions) -> None:
    """Copy own hardware from another folder beside the intent, which needs it there."""
    beside = options.file.parent / HARDWARE
    if options.hardware is None or _is_same(options.hardware, beside):
        return
    from shutil import copytree  # noqa: PLC0415

    from fabricgen.output.faults import operator_faults  # noqa: PLC0415

    with operator_faults(beside):
        copytree(options.hardware, beside)


def _write(file: Path, text: str) -> None:
    """Write the file atomically, without overwriting one. Raises FabricError."""
    from fabricgen.output.faults import operator_faults  # noqa: PLC0415
    from fabricgen.output.writer import one_writer, unfinished  # noqa: PLC0415

    with operator_faults(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with one_writer(file.parent / LOCK, lambda text_to_print: click.echo(text_to_print, err=True)):
            staged = unfinished(file)
            try:
                staged.unlink(missing_ok=True)  # left by an `init` that was killed
                with staged.open("x", encoding="utf-8") as stream:
                    stream.write(text)
                    stream.flush()
                    os.fsync(stream.fileno())
                # A hard link fails if the name exists by now; a rename would overwrite it.
                os.link(staged, file)
            finally:
                staged.unlink(missing_ok=True)
        file.chmod(0o644)


def _print_choice(options: InitOptions, choice: "InitResult") -> None:
    backend, frontend = choice.chosen.backend, choice.chosen.frontend
    if options.as_json:
        value = {
            "written": str(options.file),
            "switches": choice.switches,
            "backend": backend._asdict() if backend is not None else None,
            "frontend": frontend._asdict() if frontend is not None else None,
        }
        click.echo(json.dumps(value))
        return
    click.echo(f"{options.file}: {choice.switches} switches", err=True)
    beside = options.file.parent / HARDWARE
    if options.hardware is not None and not _is_same(options.hardware, beside):
        click.echo(f"{beside}: copied from {options.hardware}", err=True)
    for name, switches in (("backend", backend), ("frontend", frontend)):
        for line in _remarks(switches) if switches is not None else ():
            click.echo(f"  {name}: {line}", err=True)
    click.echo(f"Next: fabricgen plan {options.file}, then fabricgen render {options.file} -o out", err=True)


def _remarks(switches: SwitchChoices) -> Iterator[str]:
    """The choices, and why they are not better."""
    tiers = " under ".join(dict.fromkeys(switches.models))
    yield f"{tiers}{f', {switches.room.spines} spines' if switches.room.spines else ''}"
    if switches.lossy:
        yield f"transport: best-effort. roce-lossless is not possible: {switches.lossy}"
    if switches.spine and switches.marking:
        yield f"load_balancing: {switches.load_balancing}" + (
            f". {switches.unbalanced_words}" if switches.unbalanced else ""
        )
    if switches.tight:
        yield f"no more servers or spines can be reserved, because {switches.tight}"
