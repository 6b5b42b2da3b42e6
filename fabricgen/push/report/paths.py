"""Probes of every path in the journal, in words. Pure."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.push.journal.detail import number, texts


class PathsReport(NamedTuple):
    """One round. passed: paths without loss; a sentence each: new losses, earlier ones, why paths were left out."""

    passed: int
    new: tuple[str, ...]
    before: tuple[str, ...]
    not_probed: tuple[str, ...]


def paths_of(detail: Mapping[str, object]) -> PathsReport:
    """The round of a PATHS event."""
    return PathsReport(number(detail, "passed") or 0, *(texts(detail, key) for key in ("new", "before", "not_probed")))


def paths_words(paths: PathsReport) -> str:
    """`24 pass without loss; 1 cable or switch loses packets, 2 did before`."""
    if not paths.passed and not paths.new and not paths.before:
        return "none was probed"
    parts = [f"{paths.passed:,} pass without loss"]
    parts += [f"{len(paths.new):,} new loss{'es' * (len(paths.new) != 1)}"] if paths.new else []
    parts += [f"{len(paths.before):,} lost packets before"] if paths.before else []
    parts += ["not every path was probed"] if paths.not_probed else []
    return "; ".join(parts)


def paths_rows(paths: PathsReport) -> Iterator[str]:
    """A sentence each: present losses, earlier ones, and why paths were left out."""
    yield from paths.new
    yield from (f"before: {row}" for row in paths.before)
    yield from (f"not probed: {row}" for row in paths.not_probed)


def paths_phrase(detail: Mapping[str, object]) -> str:
    """A journal event in a phrase."""
    paths = paths_of(detail)
    first = [*paths.new, *(f"not probed: {row}" for row in paths.not_probed)][:1]
    return "; ".join([paths_words(paths), *first])
