"""Files of a switch: as stored, as its Device is rendered now, and why the two differ.

before  the stored file, or what that side's templates make of the old Device
pivot   what today's templates make of the old Device
after   what they make of the new one

Before against pivot shows what a release, templates or manual edits changed; pivot against after shows what the intent
changed. Texts are equal if they are equal without comments and blank lines.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from fabricgen.base.grouping import grouped
from fabricgen.device.device import Device
from fabricgen.diff.fold import Differing, folded
from fabricgen.diff.model import Hunk, TextCause
from fabricgen.diff.side import SiteState, Stored
from fabricgen.diff.text import hunks, significant
from fabricgen.output.manifest import digest
from fabricgen.platforms import PLATFORMS
from fabricgen.render.keys import templates_digest
from fabricgen.render.render import Renderer

REMARK = "#"
"""How a comment line starts in files that are not in the switch's own language: daemons, sysctl, resolver."""

Files = Mapping[str, str]
"""Artifact → text."""


class Artifacts:
    """Files of the switches of both sides. Templates are read when the first file needs them."""

    def __init__(self, old: SiteState, new: SiteState) -> None:
        self._old, self._new = old, new
        self._renderers: dict[bool, Renderer] = {}
        self._same_templates: dict[str, bool] = {}
        self._stored = by_switch(old.stored) if old.stored is not None else {}

    def today(self, device: Device) -> Files:
        """Render a switch with today's templates: pivot of an old Device, after of a new one."""
        return self._rendered(device, is_old=False)

    def is_silent(self, before: Device, after: Device) -> bool:
        """Whether both are rendered the same today: no difference between them shows in a file."""
        old, new = self.today(before), self.today(after)
        return old.keys() == new.keys() and all(
            old[name] == new[name]
            or _significant_lines(before.system, name, old[name]) == _significant_lines(after.system, name, new[name])
            for name in old
        )

    def changed(self, before: Device, after: Device) -> Iterator[tuple[str, tuple[Hunk, ...]]]:
        """Artifacts that the intent changes, with every hunk; the text of a missing file is empty."""
        old, new = self.today(before), self.today(after)
        for name in dict.fromkeys((*old, *new)):
            file_hunks = hunks(old.get(name, ""), new.get(name, ""), comment_of(after.system, name))
            if file_hunks:
                yield name, file_hunks

    def unexplained(self, name: str, system: str, device: Callable[[], Device]) -> Iterator[Differing]:
        """What differs on an old switch for another reason than the intent, folded.

        name    of the switch on the old side
        device  resolves it there; called only if a file must be rendered
        """
        stored = self._old.stored
        if stored is not None:
            yield from self._strange_stored(stored, name, device)
        elif not self._is_same(system):
            resolved = device()
            then = self._rendered(resolved, is_old=True)
            yield from differences(then, self.today(resolved), system, lambda _: TextCause.TEMPLATES)

    def _strange_stored(self, stored: Stored, name: str, device: Callable[[], Device]) -> Iterator[Differing]:
        contents, edited = read_files(stored, self._stored.get(name, ()))
        if stored.differs is None and not edited and contents:
            return
        resolved = device()
        cause = stored.differs or TextCause.HAND
        yield from differences(
            contents,
            self.today(resolved),
            resolved.system,
            lambda artifact: TextCause.HAND if artifact in edited else cause,
        )

    def _is_same(self, system: str) -> bool:
        """Whether both sides have the same templates for a platform."""
        if system not in self._same_templates:
            then, now = self._old.templates, self._new.templates
            self._same_templates[system] = then == now or templates_digest(system, then) == templates_digest(
                system, now
            )
        return self._same_templates[system]

    def _rendered(self, device: Device, *, is_old: bool) -> Files:
        if is_old not in self._renderers:
            templates = (self._old if is_old else self._new).templates
            self._renderers[is_old] = Renderer(templates) if templates is not None else _ours()
        start = len(device.name) + 1
        return {artifact.path[start:]: artifact.text for artifact in self._renderers[is_old].render(device)}


@cache
def _ours() -> Renderer:
    """Renderer of our own templates, compiled once: they stay the same while a program runs."""
    return Renderer()


def comment_of(system: str, artifact: str) -> str:
    """How a comment line starts in a file of a platform."""
    platform = PLATFORMS[system]
    return platform.comment if artifact == platform.main else REMARK


def _significant_lines(system: str, artifact: str, text: str) -> list[str]:
    return significant(text, comment_of(system, artifact))


def differences(before: Files, after: Files, system: str, cause: Callable[[str], TextCause]) -> Iterator[Differing]:
    """Artifacts that differ, each with its cause and folded hunks; no hunks where one side has no such file."""
    for artifact in dict.fromkeys((*before, *after)):
        if artifact in before and artifact in after:
            file_hunks = folded(hunks(before[artifact], after[artifact], comment_of(system, artifact)))
            if file_hunks:
                yield Differing(artifact, cause(artifact), file_hunks)
        else:
            yield Differing(artifact, cause(artifact), ())


def by_switch(stored: Stored) -> dict[str, tuple[str, ...]]:
    """Paths of a tree's files by their switch; those of the site under an empty name."""
    by_folder = grouped((path.rpartition("/")[0], path) for path in stored.files)
    return {name: tuple(sorted(paths)) for name, paths in by_folder.items()}


def read_files(stored: Stored, paths: Iterable[str]) -> tuple[Files, frozenset[str]]:
    """Files of one switch as stored, and the names of those that were edited or are missing."""
    contents: dict[str, str] = {}
    edited: set[str] = set()
    for path in paths:
        artifact = path.rpartition("/")[2]
        content = stored.read(path)
        if content is None or digest(content) != stored.files[path]:
            edited.add(artifact)
        if content is not None:
            contents[artifact] = content.decode(errors="replace")
    return contents, frozenset(edited)
