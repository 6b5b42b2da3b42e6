"""Startup configuration of a switch, the files in addition to its configuration, and the kernel settings in force."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from fabricgen.base.text import counted, listed
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.state.state import ETHERNET, SUBINTERFACE, Shaper, SideFile
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.judge.config import Drifts
from fabricgen.verify.judge.ledger import Ledger, port_subject

_SETTING = re.compile(r"-?\s*([A-Za-z0-9_.*-]+)\s*=\s*(\S.*)")
"""A line of sysctl.d(5): a hyphen ignores a missing key."""
_REMARK = ("#", ";")
_EVERY = ".default."
"""The kernel copies these values to each interface that it creates."""


def judge_startup(ledger: Ledger, wanted: str, running: str, startup: str, drifts: Drifts) -> None:
    """Judge what a restart would lose or bring back. Lines that differ in the running configuration are drift."""
    new_drifts = []
    if startup not in (wanted, running):
        reported = set(drifts(wanted, running))
        new_drifts = [drift for drift in drifts(wanted, startup) if drift not in reported]
    if not new_drifts:
        ledger.right("drift")
        return
    lacking = [drift for drift in new_drifts if not drift.present]
    extra = len(new_drifts) - len(lacking)
    parts = [counted(len(lacking), "line") + " fewer"] if lacking else []
    parts += [counted(extra, "line") + " more"] if extra else []
    ledger.add(
        code="startup-differs",
        subject="startup configuration",
        problem="differs from the running configuration" if startup.strip() else "is empty",
        expected="the same as the running configuration",
        actual=f"{' and '.join(parts)}: {listed(_place(drift) for drift in new_drifts)}",
    )


def _place(drift: Drift) -> str:
    return " / ".join((*drift.section, drift.line.strip()))


def judge_files(ledger: Ledger, expected: Expected, files: Iterable[SideFile]) -> None:
    """Judge each file that can be read back, line by line under its section. One finding per file."""
    for file in files:
        rendered = expected.files.get(file.name)
        if rendered is None:
            continue
        add = partial(ledger.add, code="file-differs", subject=f"file {file.name}")
        if file.text is None:
            add(problem="is not on the switch", expected="the file as rendered", actual="no such file")
            continue
        wanted, actual = _lines(rendered), _lines(file.text)
        if wanted == actual:
            ledger.right("drift")
            continue
        lacking, extra = (
            listed(map(" / ".join, sorted(lines)), "no more") for lines in (wanted - actual, actual - wanted)
        )
        rows = tuple(" / ".join(line) for line in sorted(wanted ^ actual))
        add(problem="differs from the rendered file", expected=lacking, actual=extra, lines=rows)


def _lines(text: str) -> frozenset[tuple[str, ...]]:
    """Lines of a file, an indented one after its parent line. Comments are left out."""
    lines: set[tuple[str, ...]] = set()
    section: tuple[str, ...] = ()
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line or line.startswith(_REMARK):
            continue
        if not raw[:1].isspace():
            section = ()
        lines.add((*section, line))
        section = section or (line,)
    return frozenset(lines)


def judge_settings(ledger: Ledger, expected: Expected, values: Mapping[str, str]) -> None:
    """Judge the value in force of each kernel parameter in a planned file; `default` also on each routed port."""
    ports = [key.name.replace(".", "/") for key in expected.interfaces if key.kind in (ETHERNET, SUBINTERFACE)]
    not_shown = []
    for name, wanted in _settings(expected.files.values()):
        if name not in values:
            not_shown.append(name)
            continue
        keys = [name, *(name.replace(_EVERY, f".{port}.") for port in ports if _EVERY in name)]
        wrong = [key for key in keys if values.get(key, wanted) != wanted]
        ledger.right("drift", sum(1 for key in keys if key in values) - len(wrong))
        for value in sorted({values[key] for key in wrong}):
            _setting(ledger, [key for key in wrong if values[key] == value], wanted, value)
    if not_shown:
        ledger.skip("drift", f"the kernel of the switch does not show {listed(not_shown)}")


def _settings(files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names and values; the last line with a name counts (sysctl.d(5))."""
    matches = (_SETTING.fullmatch(line.strip()) for text in files for line in text.splitlines())
    named = {match[1]: " ".join(match[2].split()) for match in matches if match}
    yield from named.items()


def _setting(ledger: Ledger, names: list[str], wanted: str, value: str) -> None:
    single = f"setting {names[0]}"
    ledger.add(
        code="setting-wrong",
        subject=single if len(names) == 1 else f"{counted(len(names), 'setting')} ({listed(names)})",
        problem="has another value" if len(names) == 1 else "have another value",
        expected=wanted,
        actual=value,
    )


def judge_shapers(ledger: Ledger, shapers: Iterable[Shaper]) -> None:
    """Judge shapers. No plan has any: what they delay or drop is lost to the links that are compared here."""
    add = partial(ledger.add, code="qos-shaped", expected="no such queueing discipline")
    rows = tuple(shapers)
    if not rows:
        ledger.right("qos")
    for shaper in rows:
        inside = f" in {shaper.vrf}" if shaper.vrf else ""
        subject = f"{port_subject(shaper.port, '')}{inside}"
        add(subject=subject, problem=f"is limited by {shaper.kind}", actual=shaper.text, port=shaper.port)
