"""Data of a sequence of steps."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.errors import IntentPath
from fabricgen.plan.growth import Recabling
from fabricgen.platforms.base.cost import Risk
from fabricgen.site.workspace import Workspace


class Base(StrEnum):
    """The intent that a state is made from."""

    BEFORE = "before"
    AFTER = "after"


class Intents(NamedTuple):
    """Both sides, opened without an overlay."""

    before: Workspace
    after: Workspace


class Draft(NamedTuple):
    """A state that is not checked yet.

    word       for the name of its file: drained, absent
    overrides  selector → state, applied before the intent's
    releases   switch → release of its operating system, in the same way
    settings   selector → other keys of an override, as an overlay writes them; all three empty for the intent itself
    about      switches that a table names; empty for those of `overrides`
    todo       what a person does to reach it; `verify`: what to check before the next step
    floor      share of the uplinks that its absent links leave a leaf; None where it has none
    """

    base: Base
    word: str
    overrides: Mapping[str, str]
    todo: str
    verify: str
    floor: Fraction | None = None
    releases: Mapping[str, str] = MappingProxyType({})
    about: tuple[str, ...] = ()
    settings: Mapping[str, str] = MappingProxyType({})

    @property
    def has_overlay(self) -> bool:
        """Whether the state differs from the intent that it is made from."""
        return bool(self.overrides or self.releases or self.settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSequence:
    """A change with a known sequence.

    kind    drain, spines, growth, tenants, upgrade, guards
    title   the change in one sentence
    where   changed key of the intent
    cables  to move by hand
    way     an alternative that keeps more capacity, for the message if the floor is not kept
    """

    kind: str
    title: str
    where: IntentPath
    drafts: tuple[Draft, ...]
    cables: tuple[Recabling, ...] = ()
    way: str = "change less at once"


class Rail(NamedTuple):
    """Leaves of a unit that one NIC port of its servers may use: on a frontend the pair, else one leaf."""

    fabric: str
    group: str
    plane: int
    pod: int
    su: int
    rail: int

    @property
    def words(self) -> str:
        """The rail in a message."""
        return f"{self.fabric}: {self.place_words}"

    @property
    def place_words(self) -> str:
        """The rail within its fabric."""
        return f"{self.group} plane {self.plane} pod {self.pod} unit {self.su} rail {self.rail}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceStep:
    """One checked state.

    number    from 1
    command   to type, which renders it
    overlay   name of its file; empty for the intent itself
    shares    rails of leaves that exist before and after → share of their uplinks that carries traffic, or of the
              superspines that carry traffic of their pod, where that is less
    risk      of reaching it from the state before; touched: number of switches that change
    """

    number: int
    draft: Draft
    command: str
    overlay: str
    shares: Mapping[Rail, Fraction]
    risk: Risk
    touched: int

    @property
    def least(self) -> Fraction:
        """The smallest share of a rail; 1 if no server uses any."""
        return min(self.shares.values(), default=Fraction(1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence:
    """All steps from one intent to the next.

    floors   fabric → share that every rail of it must keep
    start    shares of the first state
    has_superspines  whether shares count superspines of some fabric, too
    """

    known: KnownSequence
    before: str
    after: str
    floors: Mapping[str, Fraction]
    start: Mapping[Rail, Fraction]
    steps: tuple[SequenceStep, ...]
    has_superspines: bool


class SequencePaths(NamedTuple):
    """Paths of a sequence, and the names of its files in commands.

    folder   as typed; `staged`: where its files are until all are correct
    before, after  intents as a command names them, and `staged_before`: where the first can be read now
    out      output folder of all commands
    """

    folder: Path
    staged: Path
    before: Path
    after: Path
    staged_before: Path
    out: Path
