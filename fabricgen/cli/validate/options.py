"""What was typed behind `fabricgen validate`."""

from pathlib import Path
from typing import NamedTuple


class ValidateOptions(NamedTuple):
    """What was typed."""

    intent: Path
    overlay: Path | None
    jobs: int | None
    cluster: str | None
    as_json: bool
