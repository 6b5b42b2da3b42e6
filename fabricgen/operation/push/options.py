"""Options of `fabricgen push`."""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path

from fabricgen.errors import FabricError

REPORTS = (".md", ".json", ".txt")
"""File name endings that a report can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PushOptions:
    """The options as typed."""

    intent: Path
    inventory: Path
    commit: bool
    approval: str | None = None
    signature: Path | None = None
    devices: str = "*"
    against: str | None = None
    overlay: Path | None = None
    scenario: str
    against_scenario: str | None = None
    templates: Path | None = None
    floor: Fraction | None = None
    largest: int | None = None
    together: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    hosts: Path | None = None
    tested: bool = False
    limit: int
    journal: Path | None = None
    abandon: bool = False
    take_over: bool = False
    undo: tuple[str, ...] = ()
    soak: float | None = None
    paths: bool = False
    until: datetime | None = None
    despite: str = ""
    show: bool = False
    reports: tuple[Path, ...] = ()
    workers: int
    as_json: bool = False
    verbose: bool = False

    @property
    def journal_path(self) -> Path:
        """Path of the journal."""
        return self.journal or self.inventory / "push.sqlite"

    def bad_reports(self) -> tuple[Path, ...]:
        """Files of --report whose names do not show a format."""
        return tuple(path for path in self.reports if path.suffix not in REPORTS)

    def drained_hosts(self) -> frozenset[str]:
        """Servers that run no job, according to the file. Raises FabricError where it cannot be read."""
        if self.hosts is None:
            return frozenset()
        try:
            lines = self.hosts.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise FabricError.of(
                code="hosts-file",
                what=f"{self.hosts} cannot be read",
                why=getattr(error, "strerror", None) or "it is not a text file",
                fix="write the names of drained servers into it, one per line, as in the scheduler's list",
            ) from None
        return frozenset(name for line in lines if (name := line.partition("#")[0].strip()))
