"""`fabricgen verify`: live state against the plan.

JSON: `summary` counts (`switches` are those judged, `planned` all that there are); `switches` each with `device`,
`passed` (check → comparisons), `findings` and `unchecked`. A finding has its words, and as values, where there are any,
the switch's own `port`, the planned `far` end and the one that LLDP `heard` (each `system` and `port`), the `family` of
a session (4, 6) and the `prefix` of a missing route. One that only follows from another has that one's `device`,
`code` and `subject` under `cause`; a cause has the number of its `consequences`. With --watch one document a line: the
first whole, then `summary`, `appeared` and `gone` of each round that changed anything.
"""

import json
import sys
from pathlib import Path

import click

from fabricgen.cli.problems import problems_told
from fabricgen.cli.stopping import stopping
from fabricgen.cli.verbs.verify import Words
from fabricgen.cli.verify_hand import collected, tell_commands
from fabricgen.cli.verify_live import Live, asking, open_inventory, told_since, where_kept, where_of
from fabricgen.cli.verify_pings import sent_before
from fabricgen.cli.verify_site import read_plan
from fabricgen.cli.verify_spread import judging
from fabricgen.errors import FabricError, Problem
from fabricgen.runs.asked import Asked
from fabricgen.schema_version import VERSIONED
from fabricgen.verify.causes import caused
from fabricgen.verify.finding import Verdict
from fabricgen.verify.junit import junit
from fabricgen.verify.report import changes, finding_lines, plain, plain_finding, summarize, summary_line, text
from fabricgen.verify.run import verify_once, watch
from fabricgen.verify.store import PLAIN
from fabricgen.verify.store_folder import check_folder

JOURNAL = "push.sqlite"
"""Where a push keeps its journal, in the folder of its inventory, unless it is told otherwise."""
FOUND = 4
UNREACHED = 5
INTERRUPTED = 130


Verdicts = tuple[Verdict, ...]


def run(words: Words) -> None:
    """Verify, tell, and raise SystemExit with what was found."""
    with problems_told(as_json=words.as_json):
        code = _run(words)
    sys.exit(code)


def _run(words: Words) -> int:
    if words.system is not None:
        tell_commands(words, words.system)
    elif words.intent is not None and words.collection is not None:
        return _judged(words, words.intent, words.collection)
    elif words.intent is not None and words.inventory is not None:
        return _asked(words, words.intent, words.inventory)
    return 0


def _judged(words: Words, intent: Path, folder: Path) -> int:
    """Judge a collection."""
    where = where_kept(folder)
    is_lab = where is not None and where.is_lab
    plan = read_plan(intent, words.overlay, posture=words.posture, is_lab=is_lab)
    with judging(Asked(words.jobs, words.cluster), plan, where, words.devices, words.templates) as bench:
        meant = bench.meant
        with collected(folder, meant) as kept:
            check_folder(kept, meant.names)
            if words.since is not None:
                check_folder(words.since, meant.names)
            told = told_since(meant, words.since, kept)
            verdicts = caused((*told(bench.judged(kept, PLAIN, meant.targets)), *sent_before(meant, folder)))
    _tell(words, verdicts, len(meant.names))
    return _code(verdicts)


def _asked(words: Words, intent: Path, inventory: Path) -> int:
    """Ask the switches of an inventory."""
    site = open_inventory(inventory)
    where = where_of(site)
    is_lab = where is not None and where.is_lab
    plan = read_plan(intent, words.overlay, posture=words.posture, is_lab=is_lab)
    live = Live(
        site=site,
        workers=words.workers,
        save=words.save,
        retry=words.retry or 0,
        paths=words.probes,
        journal=words.journal or inventory / JOURNAL,
        since=words.since,
        twice=words.twice,
    )
    asked = Asked(words.jobs, words.cluster)
    # Processes begin before there are threads, and before Ctrl-C means anything else.
    with judging(asked, plan, where, words.devices, words.templates) as bench, stopping() as stop:
        meant = bench.meant
        with asking(live, meant, bench.judged, stop) as once:
            if words.watch is not None:
                return _code(watch(once, words.watch, _Told(words, len(meant.names))))
            verdicts = verify_once(once)
        _tell(words, verdicts, len(meant.names))
        if stop.is_set():
            click.echo("interrupted: told is what had been collected by then", err=True)
            return INTERRUPTED
    return _code(verdicts)


def _code(verdicts: Verdicts) -> int:
    counts = summarize(verdicts)
    if not counts.reached:
        return UNREACHED
    return FOUND if counts.findings else 0


def _tell(words: Words, verdicts: Verdicts, planned: int) -> None:
    """Tell a whole round. planned: switches that there are."""
    _write_junit(words, verdicts)
    if words.as_json:
        click.echo(json.dumps(plain(verdicts, planned), indent=1 if words.watch is None else None))
        return
    for line in text(verdicts, verbose=words.verbose, planned=planned):
        click.echo(line)


class _Told:
    """Rounds of a watch: the first whole, of later ones what changed."""

    def __init__(self, words: Words, planned: int) -> None:
        self._words = words
        self._planned = planned
        self._before: Verdicts | None = None

    def __call__(self, verdicts: Verdicts) -> None:
        """Tell a round."""
        if self._before is None:
            _tell(self._words, verdicts, self._planned)
        else:
            self._tell_changes(self._before, verdicts)
        self._before = verdicts
        sys.stdout.flush()

    def _tell_changes(self, before: Verdicts, after: Verdicts) -> None:
        found = changes(before, after)
        if not found.appeared and not found.gone:
            return
        _write_junit(self._words, after)
        if self._words.as_json:
            told = {
                word: [plain_finding(finding) for finding in findings] for word, findings in found._asdict().items()
            }
            click.echo(json.dumps(VERSIONED | {"summary": summarize(after, self._planned)._asdict()} | told))
            return
        for word, findings in found._asdict().items():
            for finding in findings:
                first, *more = finding_lines(finding)
                click.echo(f"{word}: {first}")
                for line in more:
                    click.echo(line)
        click.echo(summary_line(summarize(after, self._planned)))


def _write_junit(words: Words, verdicts: Verdicts) -> None:
    if words.junit_file is None:
        return
    try:
        words.junit_file.write_text(junit(verdicts, f"fabricgen verify {words.intent}"), encoding="utf-8")
    except OSError as error:
        problem = Problem(
            code="junit-write",
            what=f"{words.junit_file} can not be written",
            why=error.strerror or str(error),
            fix="make room, mend the permissions, or name another file",
        )
        raise FabricError([problem]) from None
