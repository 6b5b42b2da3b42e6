"""Options of `fabricgen verify`."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions:
    """Typed options."""

    intent: Path | None
    inventory: Path | None
    collection: Path | None
    system: str | None
    save: Path | None
    retry: float | None
    watch: float | None
    workers: int
    devices: str
    overlay: Path | None
    scenario: str
    templates: Path | None
    jobs: int | None
    cluster: str | None
    junit_file: Path | None
    as_json: bool
    verbose: bool
    paths: bool
    packets: int | None
    journal: Path | None
    since: Path | None
    twice: float | None

    @property
    def probes(self) -> int | None:
        """Packets per path, 0 for as many as needed; None where paths are not probed."""
        return self.packets or 0 if self.paths else None
