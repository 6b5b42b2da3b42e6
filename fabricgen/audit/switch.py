"""One switch audited: what its text configures beside its Device, and the lines that were not understood."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from fabricgen.audit.views import SwitchView, by_tenant, planned_rows, view_of, with_copies
from fabricgen.base.secret import shown
from fabricgen.device.device import Device
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.readback.compare import Difference, differences
from fabricgen.readback.fields import NotADocumentError
from fabricgen.readback.policy import each_line
from fabricgen.readback.rows import Key, Reading, TextLine, Value
from fabricgen.readback.runs import Run


class Finding(NamedTuple):
    """A difference, and all things that have it from the same line, in the order of the plan.

    by_user  the line is one that the intent adds (`raw`)
    """

    difference: Difference
    names: tuple[str, ...]
    by_user: bool = False


class LineCount(NamedTuple):
    """Lines of text: all, not understood, and known to have no meaning for a fabric."""

    all: int = 0
    unread: int = 0
    idle: int = 0

    def plus(self, other: "LineCount") -> "LineCount":
        """The sum."""
        return LineCount(self.all + other.all, self.unread + other.unread, self.idle + other.idle)


class SwitchAudit(NamedTuple):
    """What the audit of one switch found.

    has_config  there was a configuration
    fault       the line because of which no line of the main file is a configuration of the system: nothing is
                compared then, and there is no view
    unread      lines that were not understood; added: those of them that the intent adds (`raw`)
    view        the switch as its neighbors meet it, by its text; planned: by the plan, which is the same view where
                nothing differs. None without a configuration
    runs        of the text, where both views have the first and the last block of each alone (`whole` has all)
    """

    name: str
    system: str
    fabric: str
    has_config: bool = True
    fault: TextLine | None = None
    findings: tuple[Finding, ...] = ()
    unread: tuple[TextLine, ...] = ()
    added: tuple[TextLine, ...] = ()
    lines: LineCount = LineCount()
    view: SwitchView | None = None
    planned: SwitchView | None = None
    runs: tuple[Run, ...] = ()

    def whole(self) -> "SwitchAudit":
        """The audit with all blocks of its runs."""
        if self.view is None or not self.runs:
            return self
        view = with_copies(self.view, self.runs)
        return self._replace(view=view, planned=view, runs=())

    @property
    def is_clean(self) -> bool:
        """Whether the text says what the intent asks for, and every line is understood that it does not add itself."""
        is_read = self.has_config and self.fault is None
        return is_read and not self.unread and all(finding.by_user for finding in self.findings)

    @property
    def is_exact(self) -> bool:
        """Whether the text says what the plan asks for and nothing else: nor has it lines that the intent adds."""
        return self.has_config and not (self.fault or self.findings or self.unread or self.added)


class _Text(NamedTuple):
    """Files of a switch, and what was read of them."""

    files: Mapping[str, str]
    reading: Reading


def audited(
    device: Device, files: Mapping[str, str] | None, *, filled: bool = True, rendered: Mapping[str, str] | None = None
) -> SwitchAudit:
    """Audit one switch by its files; None: it has none. The views of one as planned may have `runs`.

    filled    they may hold secrets as values
    rendered  what is rendered of the switch, where that is not the files and the intent adds lines: the intent changes
              what these lines change there, and nothing else
    """
    if files is None:
        return SwitchAudit(device.name, device.system, device.fabric, has_config=False)
    short = _without_copies(device, files, filled=filled)
    if short is not None:
        return short
    text = _read(device, files)
    fault = _fault(text, READBACKS[device.system].main)
    if fault is not None:
        return SwitchAudit(
            name=device.name,
            system=device.system,
            fabric=device.fabric,
            fault=fault,
            unread=tuple(text.reading.unread),
            lines=_lines(text.reading),
        )
    return _judged(device, text, _read(device, rendered) if rendered is not None else text, filled=filled)


def _without_copies(device: Device, files: Mapping[str, str], *, filled: bool) -> SwitchAudit | None:
    """The audit of a switch that is exact, by its text without copies. None where it may not be: all is read then."""
    readback = READBACKS[device.system]
    short = readback.without_copies(device, files) if not device.raw else None
    if short is None:
        return None
    text = _read(short.device, {readback.main: short.text})
    audit = _judged(short.device, text, text, filled=filled)
    if not audit.is_exact or audit.view is None:
        return None
    lines = audit.lines
    for run in short.runs:
        idle = sum(run.line <= row.line < run.line + run.height for row in text.reading.idle)
        lines = lines.plus(LineCount(run.height * len(run.copies), 0, idle * len(run.copies)))
    return audit._replace(lines=lines, runs=short.runs)


def _read(device: Device, files: Mapping[str, str]) -> _Text:
    readback = READBACKS[device.system]
    others = _other_files(device, files, readback.main)
    reading = readback.read({name: text for name, text in files.items() if name not in others})
    reading.unread += [TextLine(name, 1, "a file that the system does not read") for name in others]
    reading.unread += _of_later_releases(device, files, frozenset((line.file, line.line) for line in reading.unread))
    return _Text(files, reading)


def _of_later_releases(
    device: Device, files: Mapping[str, str], unread: frozenset[tuple[str, int]]
) -> Iterator[TextLine]:
    """Yield lines that the release of the switch does not have: it refuses them, whatever they mean later."""
    rows = [row for row in PLATFORMS[device.system].differences if row.lines and not _has(device.version, row.since)]
    for row in rows:
        lines = row.lines.replace(" ", r"[ \t]+")  # a system takes any number of blanks between words
        whole = re.compile(rf"^[ \t]*({lines})[ \t\r]*$", re.MULTILINE)
        for name, text in files.items():
            for found in whole.finditer(text):
                at = text.count("\n", 0, found.start()) + 1
                if (name, at) not in unread:
                    yield TextLine(name, at, f"{found[1]} (a line of {row.since} and later)")


def _has(version: str, since: str) -> bool:
    return not version or is_at_least(version, since)


def _other_files(device: Device, files: Mapping[str, str], main: str) -> tuple[str, ...]:
    """Files next to the one configuration of a system that has one: a copy of it must not count in its place."""
    is_single = len(PLATFORMS[device.system].artifacts[device.role]) == 1
    return tuple(name for name in files if name != main) if is_single and main in files else ()


def _judged(device: Device, text: _Text, rendered: _Text, *, filled: bool) -> SwitchAudit:
    """Audit one switch by what was read of it, and of what is rendered of it."""
    reading, own = text.reading, own_lines(device, text.files)
    readback = READBACKS[device.system]
    planned = readback.planned(device)
    added = _added(text, rendered, own) if own else ()
    unread = tuple(line for line in reading.unread if line not in added)
    rows = differences(planned, reading, filled=filled, not_shown=readback.not_shown)
    asked = frozenset(map(_what, differences(planned, rendered.reading, not_shown=readback.not_shown) if own else ()))
    found = [
        finding._replace(by_user=is_asked and _is_own(finding.difference, reading, own))
        for is_asked, finding in _grouped(rows, asked)
    ]
    view = view_of(device, reading.rows, _not_shown(planned, readback.not_shown))
    view = _on_system(device, view)
    return SwitchAudit(
        name=device.name,
        system=device.system,
        fabric=device.fabric,
        findings=tuple(found),
        unread=unread,
        added=added,
        lines=_lines(reading),
        view=view,
        planned=planned_view(device, planned) if found or reading.unread else view,
    )


_REMARK = re.compile(r"\s*(?:[!#]|/\*|$)")


def _fault(text: _Text, main: str) -> TextLine | None:
    """The first line that was not understood of a main file of which no line was; a remark is none."""
    unread = {line.line for line in text.reading.unread if line.file == main}
    lines = enumerate(text.files.get(main, "").split("\n") if unread else (), 1)
    if not unread or any(at not in unread for at, line in lines if not _REMARK.match(line)):
        return None
    return next(line for line in text.reading.unread if line.file == main)


def _lines(reading: Reading) -> LineCount:
    return LineCount(reading.lines, len(reading.unread), len(reading.idle))


def planned_view(device: Device, planned: Mapping[Key, Value]) -> SwitchView:
    """The view of a switch by its planned rows."""
    return _on_system(device, view_of(device, planned_rows(planned)))


def _on_system(device: Device, view: SwitchView) -> SwitchView:
    """The view with what its system means by names of VRFs and by import policies."""
    readback = READBACKS[device.system]
    view = by_tenant(view, readback.tenants(device))
    if readback.filters_own:
        return view
    return view._replace(vrfs=tuple(row._replace(filters_own=False) for row in view.vrfs))


def _not_shown(planned: Mapping[Key, Value], not_shown: Mapping[str, str]) -> dict[Key, Value]:
    """Planned rows that the system has without a line."""
    settings = frozenset(words.partition(".")[2] for words in not_shown)
    silent = {key: value for key, value in planned.items() if key[2] in settings}
    return {key: value for key, value in silent.items() if f"{key.thing}.{key.setting}" in not_shown}


def own_lines(device: Device, files: Mapping[str, str]) -> frozenset[tuple[str, int]]:
    """Lines of the files of a switch that the intent adds: file and number, from 1."""
    if not device.raw:
        return frozenset()
    readback = READBACKS[device.system]
    texts = dict(files)
    merged = texts.pop(readback.main, "") if readback.added is not None else ""
    raw = [(part.artifact or readback.main, shown("\n".join(part.lines))) for part in device.raw]
    own = {line.strip() for _, text in raw for line in text.splitlines()}
    found = {
        (name, at) for name, text in texts.items() for at, line in enumerate(text.split("\n"), 1) if line.strip() in own
    }
    if readback.added is not None and merged:
        text = "\n".join(text for name, text in raw if name == readback.main)
        with suppress(NotADocumentError, RecursionError):
            found |= {(readback.main, at) for at in readback.added(merged, text)}
    return frozenset(found)


def _what(row: Difference) -> tuple[object, ...]:
    """What differs, wherever it stands."""
    return row.kind, row.thing, row.name, row.setting, row.intended, row.read


def _added(text: _Text, rendered: _Text, own: frozenset[tuple[str, int]]) -> tuple[TextLine, ...]:
    """Lines that were not understood and that the intent adds: below the same header, and as often as it does."""
    left = Counter(_place(rendered.files, line) for line in rendered.reading.unread)
    added = []
    for line in text.reading.unread:
        place = _place(text.files, line)
        if (line.file, line.line) in own and left[place] > 0:
            left[place] -= 1
            added.append(line)
    return tuple(added)


def _place(files: Mapping[str, str], line: TextLine) -> tuple[str, str, str]:
    """File, header and text of a line. The header is the nearest line above with less indentation; empty: none."""
    *above, here = files.get(line.file, "").split("\n")[: line.line] or [""]
    header = next((row.strip() for row in reversed(above) if row.strip() and _indent(row) < _indent(here)), "")
    return line.file, header, line.text.strip()


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _is_own(row: Difference, reading: Reading, own: frozenset[tuple[str, int]]) -> bool:
    """Whether lines that the intent adds make the whole difference.

    They do in a set if all members that differ are on such lines. A member that is lost is on no line: then all that is
    left must be theirs, as where an address takes the place of the planned one.
    """
    if (row.file, row.line) not in own:
        return False
    intended, read = row.intended, row.read
    if not isinstance(intended, frozenset) or not isinstance(read, frozenset):
        return True
    found = reading.rows.get(Key(row.thing, row.name, row.setting))
    parts = (found.parts if found is not None else None) or {}
    members = read ^ intended if all(member in parts for member in intended - read) else read
    return all((row.file, line) in own for member in members for line in each_line(parts.get(member, row.line)))


def _grouped(rows: tuple[Difference, ...], asked: frozenset[tuple[object, ...]]) -> list[tuple[bool, Finding]]:
    """Differences that one line causes on many things are one finding; those that are asked for, apart from others."""
    groups: dict[tuple[object, ...], list[Difference]] = {}
    for row in rows:
        single = (row.name,) if not row.line or not row.setting else ()
        is_asked = _what(row) in asked
        key = (
            is_asked,
            row.kind,
            row.thing,
            row.setting,
            row.file,
            row.line,
            str(row.intended),
            str(row.read),
            *single,
        )
        groups.setdefault(key, []).append(row)
    return [(bool(key[0]), Finding(group[0], tuple(row.name for row in group))) for key, group in groups.items()]
