"""Output of `fabricgen push`: the preview, and the report of a run."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from fabricgen.base.schema_version import VERSIONED
from fabricgen.base.text import listed
from fabricgen.cli.common.colour import echo_line
from fabricgen.cli.common.options import BASE
from fabricgen.cli.common.output import echo_json
from fabricgen.diff.report_json import plain
from fabricgen.diff.report_text import text
from fabricgen.diff.words import count, named, printable
from fabricgen.errors import FabricError, Problem
from fabricgen.operation.push.options import PushOptions
from fabricgen.operation.push.preview import Preview, unreached
from fabricgen.plan.place import Tier
from fabricgen.push.act.forecast import Forecast
from fabricgen.push.act.forecast import words as forecast_words
from fabricgen.push.act.work import RunSettings
from fabricgen.push.model import Decision, Need, RunRecord, Wave
from fabricgen.push.report.json import plain as plain_report
from fabricgen.push.report.markdown import markdown
from fabricgen.push.report.model import Report
from fabricgen.push.report.model import report as report_of
from fabricgen.push.report.text import text as report_text
from fabricgen.push.report.words import duration
from fabricgen.push.switch.switch import SwitchError

NEEDS = {
    Need.PLAIN: "",
    Need.DRAIN: "drained first",
    Need.ABSENT: "no server on it",
    Need.IDLE: "its hosts are drained",
    Need.ACCEPTED: "loss accepted",
}

MOST = 5
"""Manual changes that are named in the last line of a dry run."""


def print_preview(options: PushOptions, shown: Preview) -> None:
    """Print the preview of a push; on stderr if it is committed, and if it is approved only one line without -v."""
    is_talk = options.commit and bool(shown.planned)
    if is_talk and options.approval is not None and not options.as_json and not options.verbose:
        which = f"{count(len(shown.planned), 'switch', 'switches')} in {count(len(shown.waves), 'wave', 'waves')}"
        takes = f", estimated {duration(shown.forecast.seconds)}" if shown.forecast is not None else ""
        click.echo(f"as approved: {which}{takes}", err=True)
        return
    if options.as_json:
        if not is_talk:
            echo_json(_plain(shown))
        return
    for line in _lines(options, shown):
        echo_line(line, err=is_talk)


def print_unreached(options: PushOptions, failed: Mapping[str, SwitchError]) -> None:
    """Print the switches that did not answer."""
    for line in unreached(failed):
        click.echo(line, err=True)
    if options.as_json:
        rows = [{"device": name, "kind": error.kind, "reason": error.reason} for name, error in sorted(failed.items())]
        click.echo(json.dumps(VERSIONED | {"unreached": rows}, indent=1))


def print_no_run(options: PushOptions) -> None:
    """Print that the journal has no run."""
    click.echo(f"no push is recorded in {options.journal_path}", err=True)
    if options.as_json:
        click.echo(json.dumps(VERSIONED | {"run": None}))


def _plain(shown: Preview) -> dict[str, object]:
    """JSON values of a preview, for `echo_json`.

    Keys: `difference` as of diff; `waves`; `switches` with their decisions; `notes`; `approval`, its id; `forecast`.
    """
    return VERSIONED | {
        "difference": plain(shown.difference),
        "waves": [wave._asdict() | {"keeps": str(wave.keeps)} for wave in shown.waves],
        "switches": [
            {"device": row.subject.name, "need": row.need, "why": row.why, "risk": row.subject.risk.words}
            for row in shown.decisions
        ],
        "notes": list(shown.notes),
        "approval": shown.approval.id if shown.planned else None,
        "forecast": _forecast(shown.forecast) if shown.forecast is not None else None,
    }


def _forecast(estimate: Forecast) -> dict[str, object]:
    return {
        "seconds": round(estimate.seconds, 1),
        "ends": round(estimate.ends, 1),
        "waves": [
            {name: round(value, 1) for name, value in {**wave._asdict(), "seconds": wave.seconds}.items()}
            for wave in estimate.waves
        ],
        "paces": [{"driver": driver, **pace._asdict()} for driver, pace in estimate.paces.items()],
        "summary": forecast_words(estimate),
    }


def _lines(options: PushOptions, shown: Preview) -> Iterator[str]:
    if not shown.planned:
        yield f"nothing to push: {count(shown.difference.before, 'switch matches', 'switches match')} the intent"
        return
    yield from text(shown.difference, details=options.verbose)
    yield ""
    yield from (printable(f"note: {note}") for note in shown.notes)
    yield ""
    decision_by_name = {item.subject.name: item for item in shown.decisions}
    seconds = {item.number: item.seconds for item in shown.forecast.waves} if shown.forecast is not None else {}
    for wave in shown.waves:
        wave_decisions = [decision_by_name[name] for name in wave.devices]
        yield from _wave(wave, wave_decisions, seconds.get(wave.number), details=options.verbose)
    if shown.forecast is not None:
        yield f"estimated duration {forecast_words(shown.forecast)}"
    if not options.commit:
        yield ""
        yield f"Dry run, nothing was changed. {_next(options, shown)}"


def _next(options: PushOptions, shown: Preview) -> str:
    """Return how the preview is applied; with manual changes it cannot be."""
    if not shown.manual:
        return f"To apply: {_again(options, shown.approval.id)}"
    named = listed((f"--undo {line}" for line in shown.manual), most=MOST, separator=" ")
    return (
        "--commit is refused while this push would undo manual changes: add them to the intent, or repeat the dry run "
        f"with {named}"
    )


def _wave(wave: Wave, decisions: Iterable[Decision], seconds: float | None, *, details: bool) -> Iterator[str]:
    rows = tuple(decisions)
    ways = dict.fromkeys(NEEDS[row.need] for row in rows if NEEDS[row.need])
    options = [f"wave {wave.number}", f"{wave.role} of {wave.fabric}", named(wave.devices)]
    options += ["canary"] if wave.canary else []
    options += [", ".join(ways)] if ways else []
    below = "spine" if wave.role == Tier.SUPERSPINE else "leaf"
    options += [f"every {below} keeps {wave.keeps} of its planned uplinks"] if wave.keeps != 1 else []
    options += [duration(seconds)] if seconds is not None else []
    yield printable("  ".join(options))
    if details:
        yield from (printable(f"    {row.subject.name}: {row.need}, {row.why}") for row in rows)


def _again(options: PushOptions, approval: str) -> str:
    """The command that applies the preview, or resumes the run."""
    argv: list[str] = ["fabricgen", "push", str(options.intent), "-i", str(options.inventory)]
    values = {
        "--devices": options.devices if options.devices != "*" else None,
        "--against": options.against,
        "--overlay": options.overlay,
        "--scenario": options.scenario if options.scenario != BASE else None,
        "--against-scenario": options.against_scenario,
        "--templates": options.templates,
        "--floor": options.floor,
        "--wave": options.largest,
        "--workers": options.workers if options.workers != 32 else None,
        "--drained-hosts": options.hosts,
        "--journal": options.journal,
        "--quiet-below": options.limit if options.limit != RunSettings().limit else None,
        "--soak": options.soak,
    }
    argv += [str(word) for name, value in values.items() if value is not None for word in (name, value)]
    argv += [word for name in options.accepted for word in ("--accept-loss", name)]
    argv += [word for which in options.together for word in ("--together", which)]
    argv += [word for line in options.undo for word in ("--undo", line)]
    argv += ["--i-have-tested-this"] if options.tested else []
    argv += ["--paths"] if options.paths else []
    return shlex.join([*argv, "--commit", *(["--approval", approval] if approval else [])])


def write_reports(options: PushOptions, record: RunRecord) -> None:
    """Write the report of a run to stdout, and to the files of --report. Raises FabricError."""
    report = report_of(record, _again(options, ""))
    if options.as_json:
        click.echo(json.dumps(plain_report(report), indent=1))
    else:
        for line in report_text(report, details=options.verbose):
            echo_line(line)
    for path in options.reports:
        try:
            path.write_text(_written(report, path.suffix), encoding="utf-8")
        except OSError as error:
            problem = _unwritten(
                path, error, "free disk space, or correct the permissions, then: … --show --report FILE"
            )
            raise FabricError([problem]) from None


def check_reports(options: PushOptions) -> None:
    """Raise FabricError for files of --report that cannot be written, before anything is changed."""
    problems: list[Problem] = []
    for path in options.reports:
        is_new = not path.exists() and not path.is_symlink()
        try:
            path.open("a", encoding="utf-8").close()
            if is_new:
                path.unlink()
        except OSError as error:
            problems.append(_unwritten(path, error, "create its folder, correct the permissions, or use another file"))
    if problems:
        raise FabricError(problems)


def _unwritten(path: Path, error: OSError, fix: str) -> Problem:
    return Problem(code="report-write", what=f"{path} cannot be written", why=error.strerror or str(error), fix=fix)


def _written(report: Report, suffix: str) -> str:
    if suffix == ".md":
        return markdown(report)
    if suffix == ".json":
        return json.dumps(plain_report(report), indent=1) + "\n"
    return "".join(f"{line}\n" for line in report_text(report, details=True))
