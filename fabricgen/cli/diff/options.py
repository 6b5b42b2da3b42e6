"""Options of `fabricgen diff`."""

from dataclasses import dataclass
from pathlib import Path

LIVE = "live"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffOptions:
    """Typed options."""

    intent: Path
    against: str
    overlay: Path | None
    scenario: str
    against_scenario: str | None
    templates: Path | None
    devices: str | None
    expect: Path | None
    inventory: Path | None
    collection: Path | None
    workers: int
    jobs: int | None
    cluster: str | None
    as_markdown: bool
    as_json: bool
    verbose: bool
