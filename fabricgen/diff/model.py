"""Parts of a difference. Everything is sorted; the highest risk comes first."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.plan.moved_values import Moved
from fabricgen.platforms.base.cost import Cost, Risk


class ClassChange(NamedTuple):
    """Changes of one kind that all switches of a class have in common.

    each      number of them on every switch
    before, after  the values if all switches share them and they are few; else empty
    peers, subjects  what all switches have in common, sorted; empty where they differ
    risk      the highest of its changes; source: of that cost
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
    """Blast radius of a class.

    gpus       GPUs that depend on its ports, sessions, tenants or switches, of `gpus_all`
    rails      rails whose ports are among them, from 0; a frontend has none
    tenants    tenants with a network on what it concerns
    bisection  by fabric, the share of the bandwidth between two of its tiers that it concerns; the largest of several
    """

    gpus: int
    gpus_all: int
    rails: tuple[int, ...]
    tenants: tuple[str, ...]
    bisection: Mapping[str, Fraction]


NO_BLAST = Blast(gpus=0, gpus_all=0, rails=(), tenants=(), bisection={})


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningClass:
    """Switches of one fabric, role and platform on which the intent changes the same.

    devices         names after the change (before it, for removed switches), in natural order
    device_changes  the same devices → all changes
    costs           cost by kind; None if no line of a file changes: then all risks are none
    """

    fabric: str
    role: str
    system: str
    devices: tuple[str, ...]
    lines: tuple[ClassChange, ...]
    risk: Risk
    blast: Blast
    device_changes: Mapping[str, tuple[DeviceChange, ...]]
    costs: Mapping[str, Cost] | None


class Hunk(NamedTuple):
    """Adjacent lines under the same sections, outermost first.

    sections  if the same lines differ under several sections: all of them; else empty. Then * replaces each word of
              `section` that is not the same in all, and each word of the lines that differs
    """

    section: tuple[str, ...]
    removed: tuple[str, ...]
    added: tuple[str, ...]
    sections: tuple[tuple[str, ...], ...] = ()


class TextCause(StrEnum):
    """Why text differs other than by reported changes.

    INTENT  the switch's Device differs, and no kind of change covers it
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
    hunks     empty if only one side has the file. * replaces words that differ between the switches
    kinds     of live differences: kinds of change that a sourced table recognizes in the lines
    """

    artifact: str
    cause: TextCause
    devices: tuple[str, ...]
    hunks: tuple[Hunk, ...]
    risk: Risk
    blast: Blast
    kinds: tuple[str, ...] = ()


class DefaultChange(NamedTuple):
    """One default that another version changes, by itself.

    places   keys of the intent that are left to the default, e.g. fabrics.backend.mtu
    why      reason of the new value, with its source
    risk     the highest of what it changes; unknown where the state after it cannot be planned
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

    notes      to be printed first: another release, manual edits, a side that cannot be read
    is_whole   False if a side could not be read: then changes are unknown
    before, after  number of switches on each side; equal: of those with neither changes nor text differences
    reached    blast radius of all classes with the highest risk together; a GPU in several of them counts once
    recabled   cables that end elsewhere, each as `leaf port: old end -> new end`
    unread     of a live fabric, the switches whose configuration was not read; if there are any, is_whole is False.
               None for other comparisons. Then `before` counts those that were read, and `after` all that were asked
    defaults   the part of it that another version of the defaults causes; None if both sides have the same
    """

    notes: tuple[str, ...]
    is_whole: bool
    before: int
    after: int
    equal: int
    meaning: tuple[MeaningClass, ...]
    text: tuple[TextClass, ...]
    reached: Blast = NO_BLAST
    moved: tuple[Moved, ...] = ()
    recabled: tuple[str, ...] = ()
    hunks: Mapping[str, tuple[Hunk, ...]] = field(default_factory=dict)
    unread: tuple[str, ...] | None = None
    defaults: DefaultsStep | None = None

    @property
    def is_live(self) -> bool:
        """Whether the other side is the running configuration."""
        return self.unread is not None

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs, and both sides were read."""
        return self.is_whole and not (self.meaning or self.text or self.moved or self.recabled)

    @property
    def risk(self) -> Risk:
        """The highest risk of all classes; unknown if a side could not be read."""
        risks = [*(each_class.risk for each_class in self.meaning), *(each_class.risk for each_class in self.text)]
        return max((*risks, Risk.NONE)) if self.is_whole else Risk.UNKNOWN
