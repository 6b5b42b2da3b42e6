"""Options of `fabricgen render`."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderOptions:
    """Typed options."""

    intent: Path
    out: Path
    locked: bool
    renumber: str | None
    overlay: Path | None
    with_secrets: bool
    scenario: str
    templates: Path | None
    jobs: int | None
    cluster: str | None
    as_json: bool
