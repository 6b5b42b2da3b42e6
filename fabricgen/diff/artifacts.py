"""What is written for a switch: as it lies there, as its Device is rendered now, and why the two differ.

before  the stored file, or what that side's templates make of the old Device
pivot   what the templates of today make of the old Device
after   what they make of the new one

Before against pivot is what a release, templates or a hand changed; pivot against after is what the intent changed.
Texts are equal if they are equal without lines of remark and blank lines.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

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
"""How a line of remark starts in files that are not the switch's own language: daemons, sysctl, resolver."""

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
        """What the templates of today make of a switch: pivot of an old one, after of a new one."""
        return self._rendered(device, is_old=False)

    def is_silent(self, before: Device, after: Device) -> bool:
        """Whether both are written the same today: nothing that differs between them is spelled."""
        old, new = self.today(before), self.today(after)
        return old.keys() == new.keys() and all(
            old[name] == new[name] or _said(before.system, name, old[name]) == _said(after.system, name, new[name])
            for name in old
        )

    def changed(self, before: Device, after: Device) -> Iterator[tuple[str, tuple[Hunk, ...]]]:
        """Artifacts that the intent changes, with every hunk; one side's text is empty where it has no such file."""
        old, new = self.today(before), self.today(after)
        for name in dict.fromkeys((*old, *new)):
            found = hunks(old.get(name, ""), new.get(name, ""), comment_of(after.system, name))
            if found:
                yield name, found

    def strange(self, name: str, system: str, device: Callable[[], Device]) -> Iterator[Differing]:
        """What differs on an old switch for another reason than the intent, folded.

        name    of the switch on the old side; device: resolves it there, asked only where a file must be rendered
        """
        stored = self._old.stored
        if stored is not None:
            yield from self._strange_stored(stored, name, device)
        elif not self._is_same(system):
            resolved = device()
            then = self._rendered(resolved, is_old=True)
            yield from differences(then, self.today(resolved), system, lambda _: TextCause.TEMPLATES)

    def _strange_stored(self, stored: Stored, name: str, device: Callable[[], Device]) -> Iterator[Differing]:
        lying, edited = read_files(stored, self._stored.get(name, ()))
        if stored.differs is None and not edited and lying:
            return
        resolved = device()
        cause = stored.differs or TextCause.HAND
        yield from differences(
            lying,
            self.today(resolved),
            resolved.system,
            lambda artifact: TextCause.HAND if artifact in edited else cause,
        )

    def _is_same(self, system: str) -> bool:
        """Whether both sides' templates of a platform are the same."""
        if system not in self._same_templates:
            then, now = self._old.templates, self._new.templates
            self._same_templates[system] = then == now or templates_digest(system, then) == templates_digest(
                system, now
            )
        return self._same_templates[system]

    def _rendered(self, device: Device, *, is_old: bool) -> Files:
        if is_old not in self._renderers:
            self._renderers[is_old] = Renderer((self._old if is_old else self._new).templates)
        start = len(device.name) + 1
        return {found.path[start:]: found.text for found in self._renderers[is_old].render(device)}


def comment_of(system: str, artifact: str) -> str:
    """How a line of remark starts in a file of a platform."""
    platform = PLATFORMS[system]
    return platform.comment if artifact == platform.main else REMARK


def _said(system: str, artifact: str, text: str) -> list[str]:
    return significant(text, comment_of(system, artifact))


def differences(before: Files, after: Files, system: str, cause: Callable[[str], TextCause]) -> Iterator[Differing]:
    """Artifacts that differ, each with its cause and folded hunks; no hunks where it stands on one side only."""
    for artifact in dict.fromkeys((*before, *after)):
        if artifact in before and artifact in after:
            found = folded(hunks(before[artifact], after[artifact], comment_of(system, artifact)))
            if found:
                yield Differing(artifact, cause(artifact), found)
        else:
            yield Differing(artifact, cause(artifact), ())


def by_switch(stored: Stored) -> dict[str, tuple[str, ...]]:
    """Paths of a tree's files by the switch that they are of; those of the site under an empty name."""
    found: dict[str, list[str]] = {}
    for path in stored.files:
        found.setdefault(path.rpartition("/")[0], []).append(path)
    return {name: tuple(sorted(paths)) for name, paths in found.items()}


def read_files(stored: Stored, paths: Iterable[str]) -> tuple[Files, frozenset[str]]:
    """Files of one switch as they lie there, and the names of those that were edited or are gone."""
    lying: dict[str, str] = {}
    edited: set[str] = set()
    for path in paths:
        artifact = path.rpartition("/")[2]
        content = stored.read(path)
        if content is None or digest(content) != stored.files[path]:
            edited.add(artifact)
        if content is not None:
            lying[artifact] = content.decode(errors="replace")
    return lying, frozenset(edited)
