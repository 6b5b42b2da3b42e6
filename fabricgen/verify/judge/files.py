"""What a switch starts with, the files beside its configuration, and what is in force of the kernel's settings."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.state.state import ETHERNET, SUBINTERFACE, Shaper, SideFile
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.config import Drifts
from fabricgen.verify.judge.ledger import Ledger, counted, listed, port_subject

_SETTING = re.compile(r"-?\s*([A-Za-z0-9_.*-]+)\s*=\s*(\S.*)")
"""A line of sysctl.d(5): a hyphen passes over what is not there."""
_REMARK = ("#", ";")
_EVERY = ".default."
"""The kernel gives each interface what this has when it makes it."""


def judge_startup(book: Ledger, wanted: str, running: str, startup: str, drifts: Drifts) -> None:
    """What would be lost or come back at a restart. What runs against the artifact as well is told as drift."""
    found = []
    if startup not in (wanted, running):
        told = set(drifts(wanted, running))
        found = [one for one in drifts(wanted, startup) if one not in told]
    if not found:
        book.right("drift")
        return
    lacking = [one for one in found if not one.present]
    extra = len(found) - len(lacking)
    words = [counted(len(lacking), "line") + " fewer"] if lacking else []
    words += [counted(extra, "line") + " more"] if extra else []
    book.wrong(
        Finding(
            device=book.device,
            check="drift",
            code="startup-differs",
            subject="startup configuration",
            problem="is not what runs" if startup.strip() else "is empty",
            expected="as it runs, so that a restart changes nothing",
            actual=f"{' and '.join(words)}: {listed(_place(one) for one in found)}",
        )
    )


def _place(one: Drift) -> str:
    return " / ".join((*one.section, one.line.strip()))


def judge_files(book: Ledger, expected: Expected, found: Iterable[SideFile]) -> None:
    """Each file that can be read back, line by line under its section. One finding a file."""
    for kept in found:
        wanted = expected.files.get(kept.name)
        if wanted is None:
            continue
        make = partial(Finding, device=book.device, check="drift", code="file-differs", subject=f"file {kept.name}")
        if kept.text is None:
            book.wrong(make(problem="is not on the switch", expected="the file as rendered", actual="no such file"))
            continue
        want, have = _lines(wanted), _lines(kept.text)
        if want == have:
            book.right("drift")
            continue
        lacking, extra = (listed(map(" / ".join, sorted(lines)), "no more") for lines in (want - have, have - want))
        rows = tuple(" / ".join(line) for line in sorted(want ^ have))
        book.wrong(make(problem="is not as rendered", expected=lacking, actual=extra, lines=rows))


def _lines(text: str) -> frozenset[tuple[str, ...]]:
    """Lines of a file, an indented one behind the line that it is of. Remarks are left out."""
    found: set[tuple[str, ...]] = set()
    section: tuple[str, ...] = ()
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if not line or line.startswith(_REMARK):
            continue
        if not raw[:1].isspace():
            section = ()
        found.add((*section, line))
        section = section or (line,)
    return frozenset(found)


def judge_settings(book: Ledger, expected: Expected, found: Mapping[str, str]) -> None:
    """Each parameter that a planned file sets, as it is in force; those of `default` on each routed port too."""
    ports = [one.name.replace(".", "/") for one in expected.interfaces if one.kind in (ETHERNET, SUBINTERFACE)]
    unsaid = []
    for name, wanted in _settings(expected.files.values()):
        if name not in found:
            unsaid.append(name)
            continue
        each = [name, *(name.replace(_EVERY, f".{port}.") for port in ports if _EVERY in name)]
        wrong = [one for one in each if found.get(one, wanted) != wanted]
        book.right("drift", sum(1 for one in each if one in found) - len(wrong))
        for value in sorted({found[one] for one in wrong}):
            book.wrong(_setting(book.device, [one for one in wrong if found[one] == value], wanted, value))
    if unsaid:
        book.skip("drift", f"the kernel of the switch does not show {listed(unsaid)}")


def _settings(files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Names and values; what a later line says counts (sysctl.d(5))."""
    found = (_SETTING.fullmatch(line.strip()) for text in files for line in text.splitlines())
    named = {one[1]: " ".join(one[2].split()) for one in found if one}
    yield from named.items()


def _setting(device: str, names: list[str], wanted: str, has: str) -> Finding:
    one = f"setting {names[0]}"
    return Finding(
        device=device,
        check="drift",
        code="setting-wrong",
        subject=one if len(names) == 1 else f"{counted(len(names), 'setting')} ({listed(names)})",
        problem="has another value" if len(names) == 1 else "have another value",
        expected=wanted,
        actual=has,
    )


def judge_shapers(book: Ledger, found: Iterable[Shaper]) -> None:
    """No plan has any: what they hold back or drop is lost to the links that are compared here."""
    make = partial(Finding, device=book.device, check="qos", code="qos-shaped", expected="no such queueing discipline")
    held = tuple(found)
    if not held:
        book.right("qos")
    for one in held:
        inside = f" in {one.vrf}" if one.vrf else ""
        subject = f"{port_subject(one.port, '')}{inside}"
        book.wrong(make(subject=subject, problem=f"is held back by {one.kind}", actual=one.text, port=one.port))
