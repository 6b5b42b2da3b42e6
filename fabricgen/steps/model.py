"""What a sequence of steps is made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
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
    """Both sides, as they were opened without any overlay."""

    before: Workspace
    after: Workspace


class Draft(NamedTuple):
    """A state that nobody has looked at yet.

    word       for the name of its file: drained, absent
    overrides  selector → state, in front of the intent's; empty for the intent as it stands
    todo       what a person does to get there, and `verify` what is looked at before the next step
    floor      share of the uplinks that its absent links leave a leaf; None where it has none
    """

    base: Base
    word: str
    overrides: Mapping[str, str]
    todo: str
    verify: str
    floor: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSequence:
    """A change that is one of the known sequences.

    kind    drain, spines, growth, tenants
    title   the change in one sentence
    where   key of the intent that is changed
    cables  that are moved by hand
    way     another way to keep more, told where the floor is not kept
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
        """As a person says it."""
        return f"{self.fabric}: {self.group} plane {self.plane} pod {self.pod} unit {self.su} rail {self.rail}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceStep:
    """One state, checked.

    number    from 1
    command   that renders it, as it is typed
    overlay   name of its file; empty for the intent as it stands
    shares    rails of leaves that stand before and after → share of their uplinks that carries traffic
    risk      of getting here from the state before, and on how many switches: touched
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
        """The worst rail's share; 1 where no server uses any."""
        return min(self.shares.values(), default=Fraction(1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence:
    """All steps from one intent to the next.

    floors   fabric → share that every rail of it keeps
    start    shares of the state that it begins with
    """

    known: KnownSequence
    before: str
    after: str
    floors: Mapping[str, Fraction]
    start: Mapping[Rail, Fraction]
    steps: tuple[SequenceStep, ...]


class SequencePaths(NamedTuple):
    """Where a sequence is written, and what its files are called in commands.

    folder   as it was typed; `staged`: where its files lie until all is right
    before, after  intents as a command names them, and `staged_before` where the first can be read now
    out      rendered tree for the commands; None for the default
    """

    folder: Path
    staged: Path
    before: Path
    after: Path
    staged_before: Path
    out: Path | None
