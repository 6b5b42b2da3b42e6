"""Commands that are run here, beside the driver: what is left of one whose time is over."""

import time
from pathlib import Path

import pytest
from napalm.base.exceptions import CommandTimeoutException

from napalm_frr.transport import Local


def here() -> Local:
    local = Local("leaf", {})
    local.open()
    return local


def opened_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def runs(process: str) -> bool:
    """Whether a process is there, and is more than an entry that its parent has not read."""
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("command", ["sleep 60", "sleep 60 & echo $! >PID", "sleep 60 & echo $! >PID; exec true"])
def test_nothing_is_left_of_a_command_whose_time_is_over(command: str, tmp_path: Path) -> None:
    """The second and third have ended by themselves, and what they left behind has the pipe."""
    local, before = here(), opened_files()
    with pytest.raises(CommandTimeoutException, match="leaf: no answer within"):
        local.run(command.replace("PID", str(tmp_path / "pid")), "", 0.5)
    assert opened_files() == before
    for file in tmp_path.iterdir():
        deadline = time.monotonic() + 30
        while runs(file.read_text().strip()):
            assert time.monotonic() < deadline
            time.sleep(0.02)
