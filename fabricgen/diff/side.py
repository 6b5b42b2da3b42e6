"""One side of a difference: its plan and its stored files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fabricgen.diff.model import TextCause
from fabricgen.intent.scenarios import BASE
from fabricgen.plan.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A rendered tree as it is on disk.

    files    path below the tree, as `be-leaf-000/startup-config` → SHA-256 in hexadecimal that it was written with
    read     octets of a file; None if it is missing. Raises FabricError if it cannot be read
    digest   SHA-256 of a file on disk, computed without holding it whole; else as `read`
    differs  why an unedited file may differ from what this release renders of the same Device:
             another release, other templates; None if the tree was made by this release with these templates
    """

    files: Mapping[str, str]
    read: Callable[[str], bytes | None]
    digest: Callable[[str], str | None]
    differs: TextCause | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteState:
    """One state of the site.

    name       as a report calls it: a folder, a revision
    plan       None if its inputs cannot be read; then `fault` says why, in one sentence
    templates  the user's templates of that side, None for none
    stored     None if the side has inputs only: then its text is what its templates make of its plan
    notes      what a reader must know of it: a schema that was upgraded, an input that is not recorded
    intent     the file that its plan was read from, as long as the side is open; None for a plan without a file
    overlay    the overlay that was in front of it; scenario: the one that it was read in
    stays      whether `intent` is a person's own file, and not a temporary copy
    """

    name: str
    plan: Plan | None
    templates: Path | None = None
    stored: Stored | None = None
    fault: str = ""
    notes: tuple[str, ...] = ()
    intent: Path | None = None
    overlay: Path | None = None
    scenario: str = BASE
    stays: bool = False
