"""What `fabricgen push` says: what it would do, and the report of a run."""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from fabricgen.cli.options import BASE
from fabricgen.cli.pieces import echo_json
from fabricgen.cli.push_plan import Shown, unreached
from fabricgen.cli.push_words import Words
from fabricgen.diff.report_json import plain
from fabricgen.diff.report_text import text
from fabricgen.diff.words import count, named, printable
from fabricgen.errors import FabricError, Problem
from fabricgen.plan.place import Tier
from fabricgen.push.box import BoxError
from fabricgen.push.forecast import Forecast
from fabricgen.push.forecast import words as forecast_words
from fabricgen.push.model import Decision, Need, RunRecord, Wave
from fabricgen.push.report import Report
from fabricgen.push.report import report as report_of
from fabricgen.push.report_json import plain as plain_report
from fabricgen.push.report_markdown import markdown
from fabricgen.push.report_text import text as report_text
from fabricgen.push.report_words import duration
from fabricgen.push.work import Settings
from fabricgen.schema_version import VERSIONED

NEEDS = {
    Need.PLAIN: "",
    Need.DRAIN: "drained first",
    Need.ABSENT: "no server behind it",
    Need.IDLE: "its hosts are drained",
    Need.ACCEPTED: "loss accepted",
}


def tell_shown(words: Words, shown: Shown) -> None:
    """What a push would do; on standard error where it goes on to do it. Of what was approved one line, without -v."""
    is_talk = words.commit and bool(shown.planned)
    if is_talk and words.approval is not None and not words.as_json and not words.verbose:
        which = f"{count(len(shown.planned), 'switch', 'switches')} in {count(len(shown.waves), 'wave', 'waves')}"
        takes = f", {duration(shown.forecast.seconds)} by forecast" if shown.forecast is not None else ""
        click.echo(f"as approved: {which}{takes}", err=True)
        return
    if words.as_json:
        if not is_talk:
            echo_json(_plain(shown))
        return
    for line in _lines(words, shown):
        click.echo(line, err=is_talk)


def tell_unreached(words: Words, failed: Mapping[str, BoxError]) -> None:
    """Switches that could not be asked."""
    for line in unreached(failed):
        click.echo(line, err=True)
    if words.as_json:
        rows = [{"device": name, "kind": one.kind, "reason": one.reason} for name, one in sorted(failed.items())]
        click.echo(json.dumps(VERSIONED | {"unreached": rows}, indent=1))


def tell_no_run(words: Words) -> None:
    """That the journal has nothing to show."""
    click.echo(f"{words.journal_path} has no run", err=True)
    if words.as_json:
        click.echo(json.dumps(VERSIONED | {"run": None}))


def _plain(shown: Shown) -> dict[str, object]:
    """For `echo_json`.

    Keys: `difference` as of diff; `waves`; `switches` with what was decided; `notes`; `approval`, its id; `forecast`.
    """
    return VERSIONED | {
        "difference": plain(shown.difference),
        "waves": [wave._asdict() | {"keeps": str(wave.keeps)} for wave in shown.waves],
        "switches": [
            {"device": one.subject.name, "need": one.need, "why": one.why, "risk": one.subject.risk.words}
            for one in shown.decisions
        ],
        "notes": list(shown.notes),
        "approval": shown.approval.id if shown.planned else None,
        "forecast": _forecast(shown.forecast) if shown.forecast is not None else None,
    }


def _forecast(found: Forecast) -> dict[str, object]:
    return {
        "seconds": round(found.seconds, 1),
        "ends": round(found.ends, 1),
        "waves": [
            {name: round(value, 1) for name, value in {**wave._asdict(), "seconds": wave.seconds}.items()}
            for wave in found.waves
        ],
        "paces": [{"driver": driver, **pace._asdict()} for driver, pace in found.paces.items()],
        "told": forecast_words(found),
    }


def _lines(words: Words, shown: Shown) -> Iterator[str]:
    if not shown.planned:
        yield f"{count(shown.difference.before, 'switch runs', 'switches run')} what the intent says: nothing to push"
        return
    yield from text(shown.difference, details=words.verbose)
    yield ""
    yield from (printable(f"note: {note}") for note in shown.notes)
    yield ""
    decided = {one.subject.name: one for one in shown.decisions}
    seconds = {one.number: one.seconds for one in shown.forecast.waves} if shown.forecast is not None else {}
    for wave in shown.waves:
        found = [decided[name] for name in wave.devices]
        yield from _wave(wave, found, seconds.get(wave.number), details=words.verbose)
    if shown.forecast is not None:
        yield f"forecast {forecast_words(shown.forecast)}"
    if not words.commit:
        yield ""
        yield f"nothing was changed; approval {shown.approval.id}: {_again(words, shown.approval.id)}"


def _wave(wave: Wave, decisions: Iterable[Decision], seconds: float | None, *, details: bool) -> Iterator[str]:
    found = tuple(decisions)
    ways = dict.fromkeys(NEEDS[one.need] for one in found if NEEDS[one.need])
    words = [f"wave {wave.number}", f"{wave.role} of {wave.fabric}", named(wave.devices)]
    words += ["canary"] if wave.canary else []
    words += [", ".join(ways)] if ways else []
    below = "spine" if wave.role == Tier.SUPERSPINE else "leaf"
    words += [f"every {below} keeps {wave.keeps}"] if wave.keeps != 1 else []
    words += [duration(seconds)] if seconds is not None else []
    yield printable("  ".join(words))
    if details:
        yield from (printable(f"    {one.subject.name}: {one.need}, {one.why}") for one in found)


def _again(words: Words, approval: str) -> str:
    """The command that does what was shown, or goes on."""
    given: list[str] = ["fabricgen", "push", str(words.intent), "-i", str(words.inventory)]
    options = {
        "--devices": words.devices if words.devices != "*" else None,
        "--against": words.against,
        "--overlay": words.overlay,
        "--posture": words.posture if words.posture != BASE else None,
        "--against-posture": words.against_posture,
        "--templates": words.templates,
        "--floor": words.floor,
        "--wave": words.largest,
        "--workers": words.workers if words.workers != 32 else None,
        "--drained-hosts": words.hosts,
        "--journal": words.journal,
        "--quiet-below": words.limit if words.limit != Settings().limit else None,
        "--soak": words.soak,
    }
    given += [str(word) for name, value in options.items() if value is not None for word in (name, value)]
    given += [word for name in words.accepted for word in ("--accept-loss", name)]
    given += [word for which in words.together for word in ("--together", which)]
    given += [word for line in words.undo for word in ("--undo", line)]
    given += ["--i-have-tested-this"] if words.tested else []
    given += ["--paths"] if words.paths else []
    return shlex.join([*given, "--commit", *(["--approval", approval] if approval else [])])


def write_reports(words: Words, record: RunRecord) -> None:
    """The report of a run: on standard output, and into the files that were asked for. Raises FabricError."""
    report = report_of(record, _again(words, ""))
    if words.as_json:
        click.echo(json.dumps(plain_report(report), indent=1))
    else:
        for line in report_text(report, details=words.verbose):
            click.echo(line)
    for path in words.reports:
        try:
            path.write_text(_written(report, path.suffix), encoding="utf-8")
        except OSError as error:
            problem = _unwritten(path, error, "make room or mend the permissions, then: … --show --report FILE")
            raise FabricError([problem]) from None


def check_reports(words: Words) -> None:
    """Raise FabricError for files of --report that cannot be written, before anything is changed."""
    problems: list[Problem] = []
    for path in words.reports:
        is_new = not path.exists() and not path.is_symlink()
        try:
            path.open("a", encoding="utf-8").close()
            if is_new:
                path.unlink()
        except OSError as error:
            problems.append(_unwritten(path, error, "make its folder, mend the permissions, or name another file"))
    if problems:
        raise FabricError(problems)


def _unwritten(path: Path, error: OSError, fix: str) -> Problem:
    return Problem(code="report-write", what=f"{path} can not be written", why=error.strerror or str(error), fix=fix)


def _written(report: Report, suffix: str) -> str:
    if suffix == ".md":
        return markdown(report)
    if suffix == ".json":
        return json.dumps(plain_report(report), indent=1) + "\n"
    return "".join(f"{line}\n" for line in report_text(report, details=True))
