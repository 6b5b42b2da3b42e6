"""The second kernel itself: what a job sees of this machine, what it cannot change, and that nothing stays behind."""

import os
import sys
import time
from pathlib import Path

import pytest

from tests.uml import uml

START_SECONDS = 120
needs_kernel = pytest.mark.usefixtures("second_kernel")

LOOK = """
echo "root $(stat -c %u /proc/1)"
cat "$1/hosts-file" && echo changed >"$1/hosts-file" && cat "$1/hosts-file"
touch "$1/new" /etc/made-in-the-guest /usr/made-in-the-guest && ls "$1"
echo kept >"$2/kept"
ls /run
exit 7
"""
DEVICES = """
set -e
ip link add red type vrf table 1005
ip link add bridge0 type bridge vlan_filtering 1
ip link add name bridge0.5 link bridge0 type vlan id 5
ip link add near type veth peer name far
tc qdisc add dev near root handle 1: red limit 400000 min 30000 max 90000 avpkt 1000 burst 55 bandwidth 10mbit ecn
unshare --net --mount true
"""


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _left(folder: Path) -> list[str]:
    """Processes that name a folder and are still there after a while: the kernel takes them away one by one."""
    deadline = time.monotonic() + 20
    while (found := _processes(folder)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def _processes(folder: Path) -> list[str]:
    """Command lines of living processes that name a folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_text(errors="replace")
        except OSError:  # ended in between
            continue
        if str(folder) in words and entry.parent.name != str(os.getpid()):
            found.append(words)
    return found


@needs_kernel
def test_a_job_sees_the_hosts_files_and_changes_none(tmp_path: Path) -> None:
    """Below /tmp too, where a fresh clone may lie; what it writes to its results is there at once."""
    outside, results = tmp_path / "outside", tmp_path / "results"
    outside.mkdir()
    (outside / "hosts-file").write_text("as it was\n")
    done = uml.run(["bash", "-c", LOOK, "job", str(outside), str(results)], results)
    assert done.status == 7
    said = done.output.splitlines()
    assert said[:5] == ["root 0", "as it was", "changed", "hosts-file", "new"]
    assert set(said[5:]) <= {"frr", "lock", "mount", "netns"}  # nothing of the host's own /run
    assert sorted(path.name for path in outside.iterdir()) == ["hosts-file"]
    assert (outside / "hosts-file").read_text() == "as it was\n"
    assert not Path("/etc/made-in-the-guest").exists()
    assert (results / "kept").read_text() == "kept\n"
    assert _left(results) == []


@needs_kernel
def test_the_same_python_runs_with_an_environment_of_its_own(tmp_path: Path) -> None:
    script = "import os, fabricgen; print(os.environ['SAID'], os.uname().machine != '', fabricgen.__file__)"
    done = uml.run([sys.executable, "-c", script], tmp_path, environment={"SAID": "two words"})
    assert done.status == 0, done.output
    assert done.output.startswith("two words True /")


@needs_kernel
def test_it_has_the_devices_that_are_looked_for(tmp_path: Path) -> None:
    done = uml.run(["bash", "-c", DEVICES], tmp_path)
    assert (done.status, done.output) == (0, "")


@needs_kernel
def test_a_job_that_takes_too_long_is_ended_with_all_it_started(tmp_path: Path) -> None:
    with uml.started(["bash", "-c", "sleep 1000 & sleep 1000 & echo begun; wait"], tmp_path) as guest:
        deadline = time.monotonic() + START_SECONDS
        while "begun" not in _text(tmp_path / "output") and time.monotonic() < deadline:
            time.sleep(0.05)
        guest.seconds = time.monotonic() - guest.begun  # its time is over
        done = guest.finish()
    assert (done.status, done.output) == (-1, "begun\n")
    assert "before the job" in done.told()
    assert "begun" in done.told()
    assert _left(tmp_path) == []


@needs_kernel
def test_leaving_early_ends_it(tmp_path: Path) -> None:
    with uml.started(["sleep", "1000"], tmp_path):
        deadline = time.monotonic() + 10
        while not (found := _processes(tmp_path)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert found
    assert _left(tmp_path) == []


@needs_kernel
def test_a_panic_of_the_guest_is_named(tmp_path: Path) -> None:
    """Whatever a test asks of what a job left behind: it is told that the kernel died, how, and where the job stood."""
    with pytest.raises(uml.PanickedError, match=r"panicked: sysrq triggered crash; .*(?s:output:\nbegun)") as panicked:
        uml.run(["bash", "-c", "echo begun; echo c >/proc/sysrq-trigger; sleep 60"], tmp_path)
    assert panicked.value.reason == "sysrq triggered crash"
    assert _left(tmp_path) == []


def _double(folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """A double of a kernel: a script in the place of the one that `make lab-deps` fetches."""
    program = folder / "bin" / uml.KERNEL
    program.parent.mkdir(parents=True)
    program.write_text("\n".join(("#!/bin/sh", '[ "$1" != --version ] || exec echo 6.1.176', *lines, "")))
    program.chmod(0o755)
    monkeypatch.setattr(uml, "OWN", folder)


def test_a_processor_that_it_panics_on_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As Linux 6.1 does on a processor with AMX."""
    line = "Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b"
    _double(tmp_path / "own", monkeypatch, f"echo '{line}'", "exit 134")
    found = str(uml.probe())
    assert found.startswith(f"{tmp_path}/own/bin/linux.uml 6.1.176 panics on this processor")
    assert found.endswith(": Attempted to kill init! exitcode=0x0000000b")


def test_a_kernel_that_does_not_start_for_another_reason_is_no_processor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _double(tmp_path / "own", monkeypatch, "echo 'ptrace: Operation not permitted'", "exit 1")
    with pytest.raises(RuntimeError, match=r"(?s)does not start: .*Operation not permitted") as raised:
        uml.probe()
    assert not isinstance(raised.value, uml.PanickedError)


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(uml, "OWN", tmp_path / "own")
    assert "user-mode-linux" in str(uml.available())
    (tmp_path / uml.KERNEL).symlink_to("/bin/true")
    assert "busybox" in str(uml.available())
