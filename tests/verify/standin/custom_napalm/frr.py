"""A double of FRR's driver for a process of its own: each switch is as the file in STANDIN says at that moment.

The file is JSON, address → one word: `well` answers every command with nothing, `slow` does so after a while, and all
others refuse the connection in words that hold the password, as the worst of drivers would.
"""

import json
import os
import time
from pathlib import Path

from napalm.base import base
from napalm.base.exceptions import ConnectionException


class FRRDriver(base.NetworkDriver):  # type: ignore[misc]  # NAPALM has no types
    """What a verify of FRR calls."""

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, object] | None = None,
    ) -> None:
        del timeout, optional_args
        self.hostname, self.username, self.password = hostname, username, password

    def _word(self) -> str:
        words = json.loads(Path(os.environ["STANDIN"]).read_text())
        return str(words.get(self.hostname, ""))

    def open(self) -> None:
        """Connect, or do not."""
        if self._word() not in ("well", "slow"):
            raise ConnectionException(f"{self.username} with {self.password} is refused by {self.hostname}")

    def close(self) -> None:
        """Nothing is open."""

    def run_marks(self) -> tuple[None, None]:
        """Nothing is armed, and nobody at work."""
        return None, None

    def cli(self, commands: list[str], encoding: str = "text") -> dict[str, object]:
        """Nothing, in the shape that was asked for."""
        if self._word() == "slow":
            time.sleep(0.2)
        return {command: {} if encoding == "json" else f"! {self.password}\n" for command in commands}
