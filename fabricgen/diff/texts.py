"""Text that differs for another reason than the intent, in classes; and a side of which text is all that there is."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from fabricgen.base.text import natural
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
"""Files that a note names."""


class Strange(NamedTuple):
    """A switch, and an artifact of it that differs for another reason than the intent."""

    switch: ChangedSwitch
    differing: Differing


class Strangers:
    """All of them as they come. What several say in the same words, as a release makes them, is held once."""

    def __init__(self) -> None:
        self._found: list[Strange] = []
        self._words: dict[Hunks, Hunks] = {}
        self._parts: dict[object, Any] = {}

    def add(self, switch: ChangedSwitch, differing: Differing) -> None:
        """Take one."""
        hunks_of = self._words.get(differing.hunks)
        if hunks_of is None:
            hunks_of = tuple(Hunk(*(self._parts.setdefault(part, part) for part in hunk)) for hunk in differing.hunks)
            self._words[hunks_of] = hunks_of
        self._found.append(Strange(switch, differing._replace(hunks=hunks_of)))

    def __iter__(self) -> Iterator[Strange]:
        return iter(self._found)


def text_classes(found: Iterable[Strange], radius: Radius) -> tuple[TextClass, ...]:
    """Classes of switches with the same hunks, those of the most switches first."""
    switches: dict[str, ChangedSwitch] = {}
    differing: list[tuple[str, Differing]] = []
    for one in found:
        switches[one.switch.name] = one.switch
        differing.append((one.switch.name, one.differing))
    classes = []
    for same, names in same_hunks(differing).items():
        devices = tuple(sorted(names, key=natural))
        classes.append(_class(same, devices, radius.of(switches[name] for name in devices)))
    return tuple(sorted(classes, key=lambda one: (-len(one.devices), one.cause, one.artifact, one.devices)))


def _class(found: Differing, devices: tuple[str, ...], blast: Blast) -> TextClass:
    return TextClass(
        artifact=found.artifact,
        cause=found.cause,
        devices=devices,
        hunks=found.hunks,
        risk=Risk.UNKNOWN,
        blast=blast,
    )


def site_classes(old: SiteState, plan: Plan, radius: Radius) -> Iterator[TextClass]:
    """Yield the cabling plan of a stored tree where it is not the one of its own inputs.

    Which cables the intent moves is told of plans; here only a release or a hand can have changed a line.
    """
    stored = old.stored
    if stored is None or CABLING not in stored.files:
        return
    # The file is as large as all else of a plan's: it is read only where it is known to differ.
    lying = stored.digest(CABLING)
    is_edited = lying != stored.files[CABLING]
    if (stored.differs is None and not is_edited) or lying == _digest(cabling_csv(plan)):
        return
    cause = TextCause.HAND if is_edited else stored.differs or TextCause.HAND
    for found in _cabling(stored.read(CABLING), plan, cause):
        yield _class(found, (), radius.of(()))


def _digest(pieces: Iterable[str]) -> str:
    found = sha256()
    for piece in pieces:
        found.update(piece.encode())
    return found.hexdigest()


def _cabling(lying: bytes | None, plan: Plan, cause: TextCause) -> Iterator[Differing]:
    found = hunks(lying.decode(errors="replace"), "".join(cabling_csv(plan)), "") if lying is not None else ()
    if found or lying is None:
        yield Differing(CABLING, cause, folded(found))


def foreword(old: SiteState, new: SiteState, found: Iterable[Strange], site: Iterable[TextClass] = ()) -> Iterator[str]:
    """Yield what a reader must know first: who rendered the other side, and what hands changed there.

    site  text classes among which files of the site are those without a switch
    """
    yield from old.notes
    edited = [one.artifact for one in site if not one.devices and one.cause is TextCause.HAND]
    of_switches = (f"{s.switch.name}/{s.differing.artifact}" for s in found if s.differing.cause is TextCause.HAND)
    edited += sorted(of_switches, key=natural)
    if edited:
        names = ", ".join(edited[:NAMED])
        more = f" and {len(edited) - NAMED} more" if len(edited) > NAMED else ""
        yield f"edited since {old.name} was rendered: {names}{more}"
    yield from new.notes


def unread(old: SiteState, new: SiteState, plan: Plan, progress: Callable[[], None]) -> Difference:
    """Hold the stored files of a side without a plan against what is rendered now. It says nothing of the meaning."""
    stored = old.stored or Stored(files={}, read=lambda _: None, digest=lambda _: None, differs=None)
    radius, sites, artifacts = Radius(plan, plan), Sites(plan, plan), Artifacts(old, new)
    paths = by_switch(stored)
    found = Strangers()
    count, standing = 0, set()
    for pair in pairs(plan, plan):
        twin = DevicePair(sites, pair)
        standing.add(pair.name_after)
        lying, _ = read_files(stored, paths.get(pair.name_after, ()))
        if lying:
            today = artifacts.today(twin.new)
            unequal = differences(lying, today, twin.new.system, lambda _: TextCause.UNREADABLE)
            for one in unequal:
                found.add(twin.whole(), one)
        count += 1
        progress()
    text = text_classes(found, radius)
    known = paths.keys() - {""}
    differ = {one.switch.name for one in found}
    return Difference(
        notes=(
            f"{old.name} cannot be read: {old.fault}; only the text of its files is compared, nothing is safe",
            *_one_side_only(standing - known, known - standing, old.name),
            *foreword(old, new, ()),
        ),
        is_whole=False,
        before=len(known),
        after=count,
        equal=len(standing & known - differ),
        meaning=(),
        text=text,
        reached=radius.of(one.switch for one in found),
    )


def _one_side_only(new: Iterable[str], gone: Iterable[str], name: str) -> Iterator[str]:
    for names, where in ((new, f"not in {name}"), (gone, f"only in {name}")):
        listed = sorted(names, key=natural)
        if listed:
            more = f" and {len(listed) - NAMED} more" if len(listed) > NAMED else ""
            yield f"{', '.join(listed[:NAMED])}{more}: {where}"
