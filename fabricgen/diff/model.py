"""What a difference is made of. Everything is sorted; the worst classes come first."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.plan.moved_values import Moved
from fabricgen.platforms.base.cost import Cost, Risk


class ClassChange(NamedTuple):
    """Facts of one kind that every switch of a class has alike.

    each      how many of them every switch has
    before, after  the values, where all switches share them and they are few; else empty
    peers, subjects  what all switches have in common, sorted; empty where they differ
    risk      the worst of its facts; source: who says so
    """

    kind: str
    change: ChangeOp
    each: int
    before: str
    after: str
    subjects: tuple[str, ...]
    peers: tuple[str, ...]
    risk: Risk
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Blast:
    """Whom a class reaches.

    gpus       GPUs behind the ports, sessions, tenants or switches that it concerns, of `gpus_all`
    rails      rails whose ports are among them, from 0; a frontend has none
    tenants    tenants with a network on what it concerns
    bisection  by fabric, the share of the bandwidth between two of its tiers that it concerns; of several the largest
    """

    gpus: int
    gpus_all: int
    rails: tuple[int, ...]
    tenants: tuple[str, ...]
    bisection: Mapping[str, Fraction]


NOBODY = Blast(gpus=0, gpus_all=0, rails=(), tenants=(), bisection={})


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningClass:
    """Switches of one fabric, role and system on which the intent changes the same.

    devices  names after the change (before it, for switches that go), in natural order
    facts    the same devices → every fact
    costs    what the facts cost, by kind; None where nothing of them is written, and all cost nothing
    """

    fabric: str
    role: str
    system: str
    devices: tuple[str, ...]
    lines: tuple[ClassChange, ...]
    risk: Risk
    blast: Blast
    facts: Mapping[str, tuple[DeviceChange, ...]]
    costs: Mapping[str, Cost] | None


class Hunk(NamedTuple):
    """Lines that stand together under the same sections, outermost first.

    sections  where the same lines differ under several sections: all of them; else empty. Then a word of `section`
              that is not the same in all is *, and so is one of the lines that each has its own of
    """

    section: tuple[str, ...]
    removed: tuple[str, ...]
    added: tuple[str, ...]
    sections: tuple[tuple[str, ...], ...] = ()


class TextCause(StrEnum):
    """Why text differs where the facts do not say so.

    INTENT  the switch's Device differs, and no kind of fact speaks of it
    """

    INTENT = "intent"
    RELEASE = "release"
    TEMPLATES = "templates"
    HAND = "hand"
    UNREADABLE = "unreadable"
    LIVE = "live"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextClass:
    """Switches whose artifact differs by the same hunks, for another reason than the intent. Its risk is unknown.

    artifact  name of the file below the switch's folder, or of a file of the site; then there are no devices
    hunks     empty where the whole file stands on one side only. Words that each switch has its own of are *
    facts     of live differences: what a sourced table reads in the lines
    """

    artifact: str
    cause: TextCause
    devices: tuple[str, ...]
    hunks: tuple[Hunk, ...]
    risk: Risk
    blast: Blast
    facts: tuple[str, ...] = ()


class DefaultChange(NamedTuple):
    """One default that another version changes, by itself.

    places   keys of the intent that are left to it, e.g. fabrics.backend.mtu
    why      why the value after, with its source
    risk     the worst of what it changes; unknown where the state after it cannot be planned
    devices  switches that it changes, sorted
    """

    places: tuple[str, ...]
    before: str
    after: str
    why: str
    risk: Risk
    devices: tuple[str, ...]


class DefaultsStep(NamedTuple):
    """Another version of the defaults, and each default that it changes in this intent."""

    before: int
    after: int
    changes: tuple[DefaultChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """All that differs.

    notes      to be said first: other release, hand edits, a side that cannot be read
    is_whole   False where a side could not be read: then nothing is said of the meaning
    before, after  switches on each side; equal: those with neither fact nor text
    reached    whom all classes of the worst risk reach together; a GPU behind several of them counts once
    recabled   cables that end elsewhere, each as `leaf port: old end -> new end`
    unread     of a live fabric the switches that said nothing of what they run, not whole where there are any; else
               None. Then `before` are those that did, and `after` all that were asked
    defaults   what of it another version of the defaults does; None where both sides have the same
    """

    notes: tuple[str, ...]
    is_whole: bool
    before: int
    after: int
    equal: int
    meaning: tuple[MeaningClass, ...]
    text: tuple[TextClass, ...]
    reached: Blast = NOBODY
    moved: tuple[Moved, ...] = ()
    recabled: tuple[str, ...] = ()
    hunks: Mapping[str, tuple[Hunk, ...]] = field(default_factory=dict)
    unread: tuple[str, ...] | None = None
    defaults: DefaultsStep | None = None

    @property
    def is_live(self) -> bool:
        """Whether the other side is what switches run."""
        return self.unread is not None

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs, and both sides were read."""
        return self.is_whole and not (self.meaning or self.text or self.moved or self.recabled)

    @property
    def risk(self) -> Risk:
        """The worst of all classes; unknown where a side could not be read."""
        found = [*(one.risk for one in self.meaning), *(one.risk for one in self.text)]
        return max((*found, Risk.NONE)) if self.is_whole else Risk.UNKNOWN
