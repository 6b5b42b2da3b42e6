"""Text that differs for another reason than the intent, in classes; and sides of which only text is known."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from fabricgen.base.text import listed, natural
from fabricgen.diff.artifacts import Artifacts, by_switch, differences, read_files
from fabricgen.diff.blast import Radius
from fabricgen.diff.device_pair import DevicePair, Sites
from fabricgen.diff.fold import Differing, Hunks, folded, same_hunks
from fabricgen.diff.groups import ChangedSwitch
from fabricgen.diff.model import Blast, Difference, Hunk, TextCause, TextClass
from fabricgen.diff.pairs import pairs
from fabricgen.diff.side import SiteState, Stored
from fabricgen.diff.text import hunks
from fabricgen.plan.cabling import cabling_csv
from fabricgen.plan.plan import Plan
from fabricgen.platforms.base.cost import Risk
from fabricgen.render.tree import CABLING

NAMED = 3
"""Limit on the files that a note names."""


class UnexplainedFile(NamedTuple):
    """A switch, and an artifact of it that differs for another reason than the intent."""

    switch: ChangedSwitch
    differing: Differing


class UnexplainedFiles:
    """All of them, added one by one. Equal hunks of several switches, as a release causes them, are held once."""

    def __init__(self) -> None:
        self._found: list[UnexplainedFile] = []
        self._words: dict[Hunks, Hunks] = {}
        self._parts: dict[object, Any] = {}

    def add(self, switch: ChangedSwitch, differing: Differing) -> None:
        """Add one."""
        hunks_of = self._words.get(differing.hunks)
        if hunks_of is None:
            hunks_of = tuple(Hunk(*(self._parts.setdefault(part, part) for part in hunk)) for hunk in differing.hunks)
            self._words[hunks_of] = hunks_of
        self._found.append(UnexplainedFile(switch, differing._replace(hunks=hunks_of)))

    def __iter__(self) -> Iterator[UnexplainedFile]:
        return iter(self._found)


def text_classes(files: Iterable[UnexplainedFile], radius: Radius) -> tuple[TextClass, ...]:
    """Classes of switches with the same hunks, those with the most switches first."""
    switches: dict[str, ChangedSwitch] = {}
    differing_files: list[tuple[str, Differing]] = []
    for stranger in files:
        switches[stranger.switch.name] = stranger.switch
        differing_files.append((stranger.switch.name, stranger.differing))
    classes = []
    for same, names in same_hunks(differing_files).items():
        devices = tuple(sorted(names, key=natural))
        classes.append(_class(same, devices, radius.of(switches[name] for name in devices)))
    return tuple(sorted(classes, key=lambda item: (-len(item.devices), item.cause, item.artifact, item.devices)))


def _class(differing: Differing, devices: tuple[str, ...], blast: Blast) -> TextClass:
    return TextClass(
        artifact=differing.artifact,
        cause=differing.cause,
        devices=devices,
        hunks=differing.hunks,
        risk=Risk.UNKNOWN,
        blast=blast,
    )


def site_classes(old: SiteState, plan: Plan, radius: Radius) -> Iterator[TextClass]:
    """Yield the cabling plan of a stored tree if it is not the one of its own inputs.

    Cables that the intent moves are reported from the plans; here only a release or a manual edit can have changed a
    line.
    """
    stored = old.stored
    if stored is None or CABLING not in stored.files:
        return
    # The file is as large as all others of a plan together: it is read only if it is known to differ.
    stored_digest = stored.digest(CABLING)
    is_edited = stored_digest != stored.files[CABLING]
    if (stored.differs is None and not is_edited) or stored_digest == _digest(cabling_csv(plan)):
        return
    cause = TextCause.HAND if is_edited else stored.differs or TextCause.HAND
    for differing in _cabling(stored.read(CABLING), plan, cause):
        yield _class(differing, (), radius.of(()))


def _digest(pieces: Iterable[str]) -> str:
    sha = sha256()
    for piece in pieces:
        sha.update(piece.encode())
    return sha.hexdigest()


def _cabling(content: bytes | None, plan: Plan, cause: TextCause) -> Iterator[Differing]:
    file_hunks = hunks(content.decode(errors="replace"), "".join(cabling_csv(plan)), "") if content is not None else ()
    if file_hunks or content is None:
        yield Differing(CABLING, cause, folded(file_hunks))


def foreword(
    old: SiteState, new: SiteState, files: Iterable[UnexplainedFile], site: Iterable[TextClass] = ()
) -> Iterator[str]:
    """Yield the notes to print first: who rendered the other side, and which files were edited there.

    site  text classes; those without a switch are of files of the site
    """
    yield from old.notes
    edited = [item.artifact for item in site if not item.devices and item.cause is TextCause.HAND]
    of_switches = (f"{s.switch.name}/{s.differing.artifact}" for s in files if s.differing.cause is TextCause.HAND)
    edited += sorted(of_switches, key=natural)
    if edited:
        yield f"edited or deleted since {old.name} was rendered: {listed(edited, most=NAMED)}"
    yield from new.notes


def unread(old: SiteState, new: SiteState, plan: Plan, progress: Callable[[], None]) -> Difference:
    """Compare the stored files of a side without a plan with what is rendered now.

    Changes of the intent stay unknown.
    """
    stored = old.stored or Stored(files={}, read=lambda _: None, digest=lambda _: None, differs=None)
    radius, sites, artifacts = Radius(plan, plan), Sites(plan, plan), Artifacts(old, new)
    paths = by_switch(stored)
    files = UnexplainedFiles()
    count, planned_names = 0, set()
    for pair in pairs(plan, plan):
        device_pair = DevicePair(sites, pair)
        planned_names.add(pair.name_after)
        contents, _ = read_files(stored, paths.get(pair.name_after, ()))
        if contents:
            today = artifacts.today(device_pair.new)
            unequal = differences(contents, today, device_pair.new.system, lambda _: TextCause.UNREADABLE)
            for differing in unequal:
                files.add(device_pair.whole(), differing)
        count += 1
        progress()
    text = text_classes(files, radius)
    stored_names = paths.keys() - {""}
    differ = {stranger.switch.name for stranger in files}
    return Difference(
        notes=(
            f"the intent of {old.name} is not accepted by this release, so there is no plan to compare with "
            f"({old.fault})",
            "only the text of the files that were rendered there is compared, and no change counts as safe"
            if stored_names
            else f"{old.name} has no rendered files: nothing can be compared",
            *(
                _one_side_only(planned_names - stored_names, stored_names - planned_names, old.name)
                if stored_names
                else ()
            ),
            *foreword(old, new, ()),
        ),
        is_whole=False,
        before=len(stored_names),
        after=count,
        equal=len(planned_names & stored_names - differ),
        meaning=(),
        text=text,
        reached=radius.of(stranger.switch for stranger in files),
    )


def _one_side_only(new: Iterable[str], removed: Iterable[str], name: str) -> Iterator[str]:
    for names, where in ((new, f"no files in {name}"), (removed, f"only in {name}")):
        in_order = sorted(names, key=natural)
        if in_order:
            yield f"{listed(in_order, most=NAMED)}: {where}"
