"""Options of `fabricgen what-if`."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfOptions:
    """What was typed."""

    intent: Path
    overlay: Path | None
    scenario: str
    pairs: bool
    fail: tuple[str, ...]
    groups: Path | None
    floor: Fraction | None
    against: str | None
    against_scenario: str | None
    as_json: bool
