"""Options of `fabricgen validate`."""

from pathlib import Path
from typing import NamedTuple


class ValidateOptions(NamedTuple):
    """Typed options."""

    intent: Path
    overlay: Path | None
    jobs: int | None
    cluster: str | None
    as_json: bool
