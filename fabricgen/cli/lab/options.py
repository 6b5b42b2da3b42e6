"""Options of `fabricgen lab`."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class LabOptions:
    """Typed options of `up`."""

    intent: Path
    subset: str
    folder: Path | None
    queues_mbps: int | None
    wait: int
    no_wait: bool
    scenario: str
    templates: Path | None
    as_json: bool
