"""What a run that was killed leaves beside a folder of steps goes with the next one; what is at work stays."""

import os
import signal
import time
from pathlib import Path

from fabricgen.steps.write import staged


def killed_in(folder: Path) -> None:
    made = os.fork()
    if made == 0:
        with staged(folder) as beside:
            (beside / "half").write_text("x")
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(made, 0)[1]) == -signal.SIGKILL


def test_a_killed_run_leaves_nothing_behind_the_next(tmp_path: Path) -> None:
    (tmp_path / ".steps.20261120").mkdir()
    (tmp_path / ".steps.20261120/notes").write_text("the user's")
    (tmp_path / ".steps.users_file").write_text("x")
    killed_in(tmp_path / "steps")
    killed_in(tmp_path / "other")
    assert len(list(tmp_path.iterdir())) == 4
    with staged(tmp_path / "steps") as beside:
        (beside / "README.md").write_text("whole")
    left = sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith(".other."))
    assert left == [".steps.20261120", ".steps.users_file", "steps"]
    assert [path.name for path in (tmp_path / "steps").iterdir()] == ["README.md"]


def test_a_run_that_is_at_work_keeps_its_folder(tmp_path: Path) -> None:
    made = os.fork()
    if made == 0:
        with staged(tmp_path / "steps") as beside:
            (beside / "mine").write_text("x")
            (tmp_path / "ready").touch()
            time.sleep(60)
        os._exit(0)
    try:
        while not (tmp_path / "ready").exists():
            time.sleep(0.01)
        with staged(tmp_path / "steps"):
            assert [path.name for path in tmp_path.glob(".steps.*/mine")] == ["mine"]
    finally:
        os.kill(made, signal.SIGKILL)
        os.waitpid(made, 0)
