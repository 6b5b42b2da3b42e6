"""`fabricgen render`: the complete configuration of every switch, or nothing.

JSON: `written`, `unchanged`, `removed`, `edited` are paths below the output folder; `moved` are the values that
--renumber changes, each with `device`, `what`, `before` and `after`; `waived` and `notes`, as for `plan`; `coverage`,
as for `validate`; with --with-secrets `secrets`, how many files hold some; with --audit `audit`, the document of
`fabricgen audit`. With --locked, where lines are missing:
`missing`, the lines of the lock, and `moved`. Problems: `problems`, as for every command.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import click

from fabricgen import __version__
from fabricgen.checks.catalogue import Accepted
from fabricgen.checks.engine.coverage import coverage_text
from fabricgen.checks.switches.watch import Watch
from fabricgen.cli.common.colour import echo_line
from fabricgen.cli.common.output import echo_pieces, json_object, print_outcome
from fabricgen.cli.common.problems import DIFFERENCES, accepted_values, print_accepted, reporting_problems
from fabricgen.cli.common.progress import shown
from fabricgen.cli.render.command import RenderOptions
from fabricgen.cli.render.lock import lock_problems
from fabricgen.cli.render.secrets import commit_with_secrets
from fabricgen.errors import FabricError
from fabricgen.output.commit import commit
from fabricgen.output.finish import finish
from fabricgen.output.manifest import Maker
from fabricgen.output.paths import output_folder
from fabricgen.output.secret_trees import require_without_secrets
from fabricgen.output.stage import CommitSummary
from fabricgen.output.writer import one_writer, remove_unfinished, write_lock_file
from fabricgen.plan.lock import read_lock, write_lock
from fabricgen.plan.moved_values import Moved, renumbering
from fabricgen.plan.plan import Plan
from fabricgen.render.keys import made_by
from fabricgen.render.tree import count_devices
from fabricgen.render.user_templates import template_inputs
from fabricgen.site.checked import LoadRequest, load, named, problems_of_all
from fabricgen.site.workspace import LOCK, Workspace, WorkspaceError, folders_read, placed
from fabricgen.workers.parallel_observer import observer_of
from fabricgen.workers.pool import workers
from fabricgen.workers.request import ParallelOptions
from fabricgen.workers.tree import Tree

CANNOT = "platform-cannot"
"""Code of a platform's refusal while it renders one switch."""


def run(options: RenderOptions) -> None:
    """Render, or raise SystemExit: 3 if lines of the lock are missing."""
    moved: tuple[Moved, ...] = ()
    accepted = Accepted(observer_of(ParallelOptions(options.jobs, options.cluster)))
    with reporting_problems(as_json=options.as_json, writes=True), one_writer(options.intent.parent / LOCK, _waits):
        read = LoadRequest(options.intent, options.overlay)
        if options.renumber:
            workspace, moved = _renumbered(read, options, options.renumber)
            read = read._replace(forget=options.renumber)
        else:
            workspace = load(read, options.scenario)
        out = output_folder(options.out, options.intent.parent, folders_read(options.intent, options.templates))
        _check(workspace, out, read, accepted)
        text = _lock_text(workspace)
        if options.locked and text != _recorded_text(workspace):
            _print_missing(workspace, moved, options.renumber, as_json=options.as_json)
            sys.exit(DIFFERENCES)
        count = 0
        if options.with_secrets:
            outcome, count = _commit_with_secrets(workspace, out, options, text, accepted)
        else:
            require_without_secrets(out)
            outcome = _commit(workspace, out, options, text, accepted)
        audited = _audited(workspace.plan, out, options)
    print_accepted(accepted, workspace.documents)
    if options.as_json:
        values: dict[str, object] = {"secrets": count} if options.with_secrets else {}
        values |= {"audit": audited.document} if audited is not None else {}
        values |= {"moved": _moved_values(moved), **accepted_values(accepted), "coverage": accepted.coverage._asdict()}
        echo_pieces(json_object(outcome.parts, values))
    else:
        click.echo(coverage_text(accepted.coverage), err=True)
        _print_moved(moved)
        print_outcome(outcome, options.out)
        if options.with_secrets:
            secret_files = f"{count} file{'s hold' if count != 1 else ' holds'} secrets in clear text"
            click.echo(f"{options.out}: {secret_files} (mode 0600, ignored by git)", err=True)
        for line in audited.lines if audited is not None else ():
            echo_line(line, err=True)
    if options.audit and audited is not None and not audited.is_clean:
        sys.exit(DIFFERENCES)


class _Audited(NamedTuple):
    """The audit of the written tree, as text and as JSON."""

    is_clean: bool
    lines: tuple[str, ...]
    document: dict[str, object]


def _audited(plan: Plan, out: Path, options: RenderOptions) -> _Audited | None:
    """Read the tree back where it is asked for, and one of a user's templates unless it is refused."""
    if not (options.templates is not None if options.audit is None else options.audit):
        return None
    # Parsers are imported by those who use them: a small render would take a tenth longer.
    from fabricgen.cli.audit.report import audit_report  # noqa: PLC0415
    from fabricgen.cli.audit.text import text  # noqa: PLC0415
    from fabricgen.cli.contracts.audit import plain  # noqa: PLC0415

    report = audit_report(plan, out, jobs=options.jobs)
    return _Audited(report.is_clean(allow_unread=False), tuple(text(report, out)), plain(report))


def _waits(what: str) -> None:
    click.echo(what, err=True)


def _recorded_text(workspace: Workspace) -> str:
    recorded = workspace.inputs.get(LOCK)
    return recorded.decode() if recorded is not None else ""


def _recorded_lock(workspace: Workspace) -> str:
    """The recorded lock in the format of a render: order, comments and line ends of the file do not count."""
    document = workspace.lock_document
    return write_lock(read_lock(document)) if document is not None else ""


def _lock_text(workspace: Workspace) -> str:
    """New text of the lock; the unchanged file if it has the same facts."""
    text = write_lock(workspace.plan.lock)
    return _recorded_text(workspace) if text == _recorded_lock(workspace) else text


def _check(workspace: Workspace, out: Path, read: LoadRequest, accepted: Accepted) -> None:
    """Raise the problems of this scenario, of all others, and of the tree."""
    problems = list(problems_of_all(read, workspace, accepted))
    finish(out)
    # Compare with the inputs next to the manifest: only the commit needs the manifest itself.
    problems += lock_problems(workspace, out, read.forget)
    if problems:
        raise WorkspaceError(problems, workspace.documents)


def _renumbered(
    read: LoadRequest, options: RenderOptions, fabrics: tuple[str, ...]
) -> tuple[Workspace, tuple[Moved, ...]]:
    """The workspace with new numbers for these fabrics, and each value that changes.

    Without a rendered tree, and where the lock does not fit the intent, there is no plan to compare with: then no value
    is listed.
    """
    workspace = load(read._replace(forget=fabrics), options.scenario)
    unknown = [name for name in fabrics if name not in workspace.plan.fabrics]
    if unknown:
        raise FabricError.of(
            code="unknown-name",
            what=f"unknown fabric {unknown[0]}",
            why=f"the fabrics of the intent are {', '.join(workspace.plan.fabrics)}",
            fix="use one of them with --renumber",
        )
    before = _plan_before(read, options)
    if before is None:
        names = " and ".join(fabrics)
        click.echo(f"the lock does not fit the intent, so the values of {names} that change are not listed", err=True)
        return workspace, ()
    pairs = ((before.fabrics[name], workspace.plan.fabrics[name]) for name in fabrics if name in before.fabrics)
    return workspace, tuple(moved for pair in pairs for moved in renumbering(*pair))


def _plan_before(read: LoadRequest, options: RenderOptions) -> Plan | None:
    """The plan that the output folder was rendered with; without one, the intent with the lock as it is."""
    # Imported here because only --renumber needs it.
    from fabricgen.baseline.read import BaselineReader  # noqa: PLC0415
    from fabricgen.baseline.tree import is_tree, tree_side  # noqa: PLC0415

    try:
        if is_tree(options.out):
            rendered = tree_side(options.out, options.intent.name, None, BaselineReader()).plan
            if rendered is not None:
                return rendered
        return load(read, options.scenario).plan
    except FabricError:
        return None


def _commit(workspace: Workspace, out: Path, options: RenderOptions, text: str, accepted: Accepted) -> CommitSummary:
    inputs: Mapping[str, bytes] = {**workspace.inputs, LOCK: text.encode(), **template_inputs(options.templates)}
    maker = Maker(__version__, made_by(options.templates))
    count = count_devices(workspace.plan)
    with shown(count, "rendering") as step, workers(ParallelOptions(options.jobs, options.cluster), count) as pool:
        tree = Tree(
            out=out,
            plan=workspace.plan,
            templates=options.templates,
            workers=pool,
            done=step,
            judge=lambda watch: _judge(watch, workspace, accepted),
        )
        try:
            return commit(out, tree, inputs, maker, lambda: _write_lock(workspace, text))
        except FabricError as error:
            if not isinstance(error, WorkspaceError) and any(problem.code == CANNOT for problem in error.problems):
                # A switch that cannot be rendered ends the run early: report what `validate` reports.
                _judge(
                    observer_of(ParallelOptions(options.jobs, options.cluster))(workspace.plan, ()), workspace, accepted
                )
            raise


def _commit_with_secrets(
    workspace: Workspace, out: Path, options: RenderOptions, text: str, accepted: Accepted
) -> tuple[CommitSummary, int]:
    """Write a tree with its secrets; return how many of its files have one."""
    _judge(observer_of(ParallelOptions(options.jobs, options.cluster))(workspace.plan, ()), workspace, accepted)
    inputs: Mapping[str, bytes] = {**workspace.inputs, LOCK: text.encode(), **template_inputs(options.templates)}
    maker = Maker(__version__, made_by(options.templates))
    with shown(count_devices(workspace.plan), "rendering") as step:
        return commit_with_secrets(
            workspace,
            out,
            options.templates,
            lambda making: commit(out, making, inputs, maker, lambda: _write_lock(workspace, text)),
            step,
        )


def _judge(watch: Watch, workspace: Workspace, accepted: Accepted) -> None:
    """Raise the problems of all switches; then no file is kept."""
    remaining = accepted.check_switches(workspace.plan, watch)
    problems = tuple(named(placed(problem, workspace.documents), workspace.scenario) for problem in remaining)
    if problems:
        raise WorkspaceError(problems, workspace.documents)


def _write_lock(workspace: Workspace, text: str) -> None:
    """Write the lock when nothing can be refused any more, before the tree changes.

    If the process is killed in between, the numbers are kept with the old tree; in the other order they could be lost.
    """
    lock = workspace.path.parent / LOCK
    if text != _recorded_text(workspace):
        write_lock_file(lock, text, workspace.inputs.get(LOCK))
    else:
        remove_unfinished(lock)


def _print_missing(
    workspace: Workspace, moved: tuple[Moved, ...], renumbered: tuple[str, ...], *, as_json: bool
) -> None:
    recorded = set(_recorded_lock(workspace).splitlines())
    lines = write_lock(workspace.plan.lock).splitlines()
    missing = [line for line in lines if line.startswith(("- ", "defaults:")) and line not in recorded]
    if as_json:
        click.echo(json.dumps({"missing": missing, "moved": _moved_values(moved)}))
        return
    _print_moved(moved)
    lock = workspace.path.parent / LOCK
    again, state, listed = "Run render", "lacks lines", "Missing"
    if renumbered:
        again, state, listed = f"Run render --renumber {' --renumber '.join(renumbered)}", "would change", "New lines"
    if not lock.exists():
        restored = f"git checkout -- {lock}, or a copy of .fabricgen/inputs/{LOCK} in its output folder"
        state = f"does not exist. If this site was rendered before, restore it: {restored}"
        again = "Only for a new site, run render"
    click.echo(f"{lock} {state}. {again} without --locked, and commit the lock. {listed}:", err=True)
    for line in missing:
        click.echo(line)


def _moved_values(moved: tuple[Moved, ...]) -> list[dict[str, str]]:
    return [{"device": move.owner, "what": move.what, "before": move.before, "after": move.after} for move in moved]


def _print_moved(moved: tuple[Moved, ...]) -> None:
    for move in moved:
        click.echo(f"{move.owner}: {move.what} {move.before} -> {move.after}")
