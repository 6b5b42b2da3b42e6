"""What an audit says of each seeded fault, and what it misses: `python -m tests.audit.detected [SYSTEM ...]`."""

# ruff: noqa: T201  # a command, and this is its output
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fabricgen.audit.switch import SwitchAudit, audited
from fabricgen.audit.words import finding_text
from fabricgen.device.device import Device
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from tests.audit.seeded import sites
from tests.audit.seeded.catalogue import HARMLESS, ROWS, SYSTEMS, site_of
from tests.audit.seeded.row import Place, Seeded, edited, places

Files = Mapping[str, str]


CLOSE = 3
"""A line that was deleted is nowhere: a report may point so many lines beside where it was."""


class Site(NamedTuple):
    """A rendered site: its Devices and the files of each."""

    devices: Mapping[str, Device]
    files: Mapping[str, Files]


class Verdict(NamedTuple):
    """What was said of a row: anything at all, and something at one of its places."""

    row: Seeded
    reported: bool
    located: bool
    said: tuple[str, ...]


@cache
def site(system: str, variant: str) -> Site:
    """The site of a row, rendered once."""
    row = next(row for row in (*ROWS[system], *HARMLESS[system]) if row.variant == variant)
    with tempfile.TemporaryDirectory(prefix="fabricgen-seeded-") as name:
        folder = Path(name)
        intent = site_of(row, folder)
        files = sites.render(intent, folder / "out")
        found = {device.name: device for device in devices(open_workspace(intent).plan)}
    return Site(found, files)


def audit_of(row: Seeded) -> SwitchAudit:
    """The audit of the row's switch with its edit."""
    whole = site(row.system, row.variant)
    return audited(whole.devices[row.switch], edited(row, whole.files[row.switch]), filled=False)


def verdict(row: Seeded) -> Verdict:
    """Judge one row."""
    audit = audit_of(row)
    files = site(row.system, row.variant).files[row.switch]
    wanted = places(row, files)
    reach = CLOSE if _lines(edited(row, files)) < _lines(files) else 0
    rows = [finding.difference for finding in audit.findings]
    spots = [(row.file, line) for row in rows for line in (row.line, *row.near)]
    spots += [(line.file, line.line) for line in audit.unread]
    located = any(_is_in(place, *spot, reach) for spot in spots for place in wanted)
    return Verdict(row, bool(spots), located, tuple(_said(audit)))


def _lines(files: Files) -> int:
    return sum(text.count("\n") for text in files.values())


def _is_in(place: Place, file: str, line: int, reach: int) -> bool:
    return place.file == file and place.first - reach <= line <= place.last + reach


def _said(audit: SwitchAudit) -> Iterator[str]:
    for finding in audit.findings:
        yield f"{finding.difference.file}:{finding.difference.line}: {finding_text(finding)}"
    for line in audit.unread:
        yield f"{line.file}:{line.line}: not understood: {line.text.strip()}"


def main(systems: list[str]) -> None:
    """Print the table: of each kind and platform how many rows are located / reported / there."""
    for system in systems:
        rows = [verdict(row) for row in ROWS[system]]
        counts = Counter(located=0, reported=0, all=len(rows))
        for found in rows:
            counts["located"] += found.located
            counts["reported"] += found.reported
        print(f"{system}: {counts['all']} seeded, {counts['reported']} reported, {counts['located']} located")
        for found in rows:
            if not found.located:
                state = "elsewhere" if found.reported else "MISSED"
                print(f"  {state}: {found.row.kind}{' (allowed)' if found.row.allowed else ''}: {found.row}")
                print(*(f"      said {line}" for line in found.said[:3]), sep="\n")
        alarms = [(row, said) for row in HARMLESS[system] if (said := tuple(_said(audit_of(row))))]
        print(f"{system}: {len(HARMLESS[system])} harmless, {len(alarms)} alarms")
        for row, said in alarms:
            print(f"  ALARM: {row}", *(f"      said {line}" for line in said[:3]), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:] or list(SYSTEMS))
