"""Options of `fabricgen prove-platform`."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ProveOptions:
    """Typed options."""

    intent: Path | None
    inventory: Path | None
    commit: bool
    device: str | None
    port: str
    session: str
    confirm: bool
    hold: int
    skip: tuple[str, ...]
    take_over: bool
    out: Path | None
    show: Path | None
    overlay: Path | None
    scenario: str
    as_json: bool
