"""`fabricgen lab`: the fabric, or a part of it, on this Linux host.

JSON: of `up` `switches`, `servers`, `links`, `needs` (number of each; MiB of memory that it needs and the host had;
whether limits of the host are raised; kinds of kernel devices), `seconds` by step, `routing` (switch → the system whose
routing text it runs, if that is not the lab's own), `skipped` (each with `feature`, `where`, `reason`), `complaints`
by switch, `short` (switch → sessions established and expected) and `dir`; of `status` a list of switches, each with
daemons, sessions and links, the expected number of each, and `impaired` (port → description). Problems: `problems`,
as for every command. Exit codes: 1 the lab cannot be built; 4 it is up, but lacks sessions or daemons; `exec`
returns the command's.
"""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from fabricgen.cli.common.problems import reporting_problems
from fabricgen.cli.lab.command import LabOptions
from fabricgen.lab.build.down import down, find
from fabricgen.lab.build.kernel import NEEDED, probe
from fabricgen.lab.build.preflight import (
    LabNeeds,
    estimate,
    needs,
    not_exercised,
    require,
    require_host,
    require_queues,
    require_root,
)
from fabricgen.lab.build.up import BuiltLab, Job, require_free, up
from fabricgen.lab.host.place import DEFAULT, place_of
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.model.brief import brief
from fabricgen.lab.model.faults import faults
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.routing_text import run_as
from fabricgen.lab.model.subset import parse_subset
from fabricgen.lab.operate.run import require_lab, space_of
from fabricgen.lab.operate.status import status
from fabricgen.render.render import Renderer
from fabricgen.site.checked import LoadRequest, load_checked

UNFIT = 4


def run_up(options: LabOptions) -> None:
    """Build a lab, and raise SystemExit: 4 if it lacks something."""
    with reporting_problems(as_json=options.as_json):
        job, lab_needs = _job(options)
        result = up(job)
    if options.as_json:
        click.echo(json.dumps(_result(job, lab_needs, result), indent=1))
    else:
        for name, lines in result.complaints.items():
            for line in lines:
                click.echo(f"{name}: from its configuration: {line}", err=True)
        for name, (established, expected) in result.short.items():
            click.echo(f"{name}: {established} of {expected} sessions are established", err=True)
        if result.missing:
            click.echo(f"settings that this kernel lacks: {', '.join(result.missing)}", err=True)
        times = result.times
        click.echo(", ".join(f"{step} {seconds:.1f} s" for step, seconds in times._asdict().items()), err=True)
        hint = "`fabricgen lab exec` and `fabricgen lab down` take the same folder"
        click.echo(f"the lab is running. Next: fabricgen lab status --dir {job.place.folder} ({hint})", err=True)
    sys.exit(UNFIT if result.short or result.complaints else 0)


def _job(options: LabOptions) -> tuple[Job, LabNeeds]:
    """The lab to build, and its needs. Everything that can be refused is refused here."""
    subset = parse_subset(options.subset)
    workspace = load_checked(LoadRequest(options.intent), options.scenario, faults)
    Renderer(options.templates)  # reports problems of templates before anything is built
    require_host()
    lab = make_lab(workspace.plan, subset)
    place = place_of(options.folder if options.folder is not None else options.intent.parent / DEFAULT)
    require_free(place)
    kernel, lab_needs, rate = probe(LabShell(place.id)), needs(lab), options.queues_mbps or 0
    require(lab_needs, kernel)
    if rate:
        require_queues(lab, kernel, rate)
    lab = replace(lab, skipped=not_exercised(lab, kernel, rate))
    if not options.as_json:
        _print_needs(lab_needs)
        for line in (*brief(lab.skipped, place.folder), *run_as(lab.systems)):
            click.echo(line, err=True)
    wait = 0 if options.no_wait else options.wait
    return Job(lab, place, options.intent, kernel.kind, _progress, wait, rate, options.templates), lab_needs


def run_status(folder: Path | None, *, as_json: bool) -> None:
    """Print the state of a lab, and raise SystemExit: 4 if it lacks something."""
    with reporting_problems(as_json=as_json):
        require_root()
        place = find(folder)
        require_lab(place)
        switches = status(place)
    if as_json:
        click.echo(json.dumps([row._asdict() | {"fine": row.fine} for row in switches], indent=1))
    else:
        click.echo(f"{'switch':<20}{'daemons':>10}{'sessions':>12}{'links':>10}")
        for row in switches:
            cells = [f"{actual}/{expected}" for actual, expected in row.counted]
            click.echo(f"{row.name:<20}{cells[0]:>10}{cells[1]:>12}{cells[2]:>10}{'' if row.fine else '  !'}")
            for port, options in row.impaired.items():
                click.echo(f"  impaired: {row.name}/{port}: {options}")
    sys.exit(0 if all(row.fine for row in switches) else UNFIT)


def run_exec(name: str, options: tuple[str, ...], folder: Path | None) -> None:
    """Replace this process by a command inside a switch or server."""
    with reporting_problems(as_json=False):
        require_root()
        argv = space_of(find(folder), name).enter(*options)
    sys.stdout.flush()
    os.execvp(argv[0], argv)  # noqa: S606 - the command replaces this process, with its terminal, signals and exit code


def run_down(folder: Path | None) -> None:
    """Remove a lab."""
    with reporting_problems(as_json=False):
        require_root()
        place = find(folder)
        was_there = down(place)
    click.echo(f"{place.folder}: {'lab removed' if was_there else 'no lab to remove'}", err=True)


def _progress(name: str, size: int) -> Callable[[], None]:
    """Print a step: on a terminal part by part, elsewhere one line when it begins."""
    if not sys.stderr.isatty():
        click.echo(f"{name}: {size}" if size > 1 else name, err=True)
        return lambda: None
    done = iter(range(size + 1))

    def step() -> None:
        count = next(done, size)
        click.echo(f"\r{name:<12}{count:>5} of {size}\x1b[K", nl=count == size, err=True)

    step()
    return step


def _print_needs(lab_needs: LabNeeds) -> None:
    click.echo(
        f"{lab_needs.switches} switches, {lab_needs.servers} servers, {lab_needs.links} cables: needs about "
        f"{lab_needs.memory} MiB of memory, {lab_needs.available} MiB are free; made of network namespaces and devices "
        f"of kinds {', '.join(NEEDED)}",
        err=True,
    )
    if seconds := estimate(lab_needs.switches):
        click.echo(f"on two CPUs this takes about {seconds} s; a smaller --subset is quicker", err=True)
    if lab_needs.thresholds:
        click.echo(
            "note: the neighbor table limits of this host (sysctl gc_thresh) are raised until the lab is removed",
            err=True,
        )


def _result(job: Job, lab_needs: LabNeeds, result: BuiltLab) -> dict[str, object]:
    lab, folder = job.lab, job.place.folder
    return {
        "dir": str(folder),
        "inventory": str(folder / "inventory"),
        "switches": [device.name for device in lab.devices],
        "servers": [server.name for server in lab.servers],
        "links": len(lab.links),
        "needs": {
            "switches": lab_needs.switches,
            "servers": lab_needs.servers,
            "links": lab_needs.links,
            "memory_mib": lab_needs.memory,
            "available_mib": lab_needs.available,
            "thresholds": lab_needs.thresholds,
            "devices": list(NEEDED),
        },
        "seconds": result.times._asdict(),
        "routing": dict(lab.systems),
        "skipped": [row._asdict() for row in lab.skipped],
        "missing_settings": list(result.missing),
        "complaints": result.complaints,
        "short": result.short,
    }
