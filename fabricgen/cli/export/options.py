"""Options of `fabricgen export`."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """Typed options of containerlab."""

    intent: Path
    out: Path
    subset: str
    containerlab: str
    images: tuple[str, ...]
    with_secrets: bool
    templates: Path | None
    overlay: Path | None
    scenario: str
    as_json: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOptions:
    """Typed options of servers."""

    intent: Path
    out: Path
    servers: tuple[str, ...]
    form: str
    operator: bool
    templates: Path | None
    overlay: Path | None
    scenario: str
    as_json: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GnmicOptions:
    """Typed options of a collector."""

    intent: Path
    out: Path
    authority: str
    seconds: int
    overlay: Path | None
    scenario: str
    as_json: bool
