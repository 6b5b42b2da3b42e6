"""Options of `fabricgen plan`."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """Typed options."""

    intent: Path
    overlay: Path | None
    scenario: str
    as_cables: bool
    steps: Path | None
    against: str | None
    floor: Fraction | None
    as_json: bool
