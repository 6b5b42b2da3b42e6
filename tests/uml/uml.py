"""Run a command under a second kernel: User-Mode Linux over this machine's files, as one ordinary process.

The guest sees the host's file system where it is, a checkout or a virtual environment below /tmp too, and keeps its
own changes in memory. One folder is written through: `results`. It has no network but its own and no device of the
host. It runs as the user who starts it; files that only root may read need root.
"""

import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

OWN = Path(os.environ.get("FABRICGEN_UML", "/var/lib/fabricgen/uml"))
"""Where `make lab-deps` puts a newer kernel than the system's, where that one does not start on the processor."""
KERNEL = "linux.uml"
INIT = Path(__file__).with_name("init.sh")
COMMANDS = ("ip", "tc", "bridge", "modprobe", "busybox", "hostname", "taskset")
SECONDS = 1500
"""Of a kernel's life, against one that hangs: the longest job takes 100 s of a processor, and 400 to 600 s of time
where two processors have nine or more such jobs."""
MEGABYTES = 1024  # of address space; what the guest does not touch is not taken
STOP_SECONDS = 5
NOISE = ("Core dump limits :",)
PROBE_SECONDS = 120
PANIC = re.compile(r"Kernel panic - not syncing: (.*)")


class PanickedError(RuntimeError):
    """The guest's kernel panicked. Its reason, and what the kernel and the job had said until then."""

    def __init__(self, reason: str, finished: "Finished") -> None:
        super().__init__(f"the second kernel panicked: {reason}; {finished.told()}")
        self.reason = reason


class Kernel(NamedTuple):
    """A second kernel on this machine: its program, and the folder of its modules, by release."""

    program: Path
    modules: Path


class Finished(NamedTuple):
    """What a command in the guest left behind.

    status   its exit status, -1 where the kernel ended, or was ended, before it
    output   what it wrote to standard output and error, up to its end
    console  what the kernel said
    seconds  how long the kernel lived
    """

    status: int
    output: str
    console: str
    seconds: float

    def told(self) -> str:
        """All of it, for the message of a test that fails: what was written last is where the job stood."""
        ended = f"the kernel was ended before the job, after {self.seconds:.0f} s" if self.status < 0 else ""
        status = ended or f"status {self.status} after {self.seconds:.0f} s"
        return f"{status}; output:\n{self.output}\nconsole:\n{self.console}"


@dataclass(slots=True, kw_only=True)
class Guest:
    """A kernel that runs. `finish` waits for it.

    begun, seconds  when it was started, of the monotonic clock, and how long it may live from then
    """

    folder: Path
    process: subprocess.Popen[bytes]
    begun: float
    seconds: float
    finished: Finished | None = field(default=None)

    def finish(self) -> Finished:
        """Wait for the command to end, and end the kernel where it takes too long. Raises PanickedError."""
        if self.finished is None:
            while not _has_ended(self.process) and time.monotonic() < self.begun + self.seconds:
                time.sleep(0.05)
            lived = time.monotonic() - self.begun
            end(self.process)
            self.finished = _read(self.folder, lived)
        if found := PANIC.search(self.finished.console):
            raise PanickedError(found[1], self.finished)
        return self.finished


def kernel() -> Kernel | None:
    """The kernel that is used: the one that `make lab-deps` fetched, else the system's; None where there is none."""
    if (OWN / "bin" / KERNEL).is_file():
        return Kernel(OWN / "bin" / KERNEL, OWN / "modules")
    found = shutil.which(KERNEL)
    return Kernel(Path(found), Path("/usr/lib/uml/modules")) if found else None


def available() -> str | None:
    """What is not installed that a second kernel needs, or None. Whether it starts is for `probe` to find out."""
    if kernel() is None:
        return f"{KERNEL} (Debian package user-mode-linux) is not installed: run make lab-deps"
    absent = [name for name in COMMANDS if shutil.which(name) is None]
    return f"not installed: {', '.join(absent)}: run make lab-deps" if absent else None


def probe() -> str | None:
    """Start the second kernel and a process in it: why it panics on this processor, or None when it does not.

    Raises RuntimeError where it does not start for another reason.
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = run(["true"], Path(folder), seconds=PROBE_SECONDS)
        except PanickedError as panicked:
            return f"{_release()} panics on this processor{_suspect()}: {panicked.reason}"
        if done.status != 0:
            raise RuntimeError(f"{_release()} does not start: {done.told()}")
    return None


def _release() -> str:
    program = _chosen().program
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    return f"{program} {said.strip()}"


def _suspect() -> str:
    """A reason that is known.

    User-Mode Linux up to 6.12 has too little room for the registers of AMX: put_fp_registers fails, and process 1 is
    killed by signal 11. Measured with 6.1.176 on Linux 6.18; 7.2.7 starts there.
    """
    cpuinfo = Path("/proc/cpuinfo")
    return ", which has AMX" if cpuinfo.exists() and "amx_tile" in cpuinfo.read_text().split() else ""


def _chosen() -> Kernel:
    found = kernel()
    if found is None:
        raise RuntimeError(str(available()))
    return found


@contextmanager
def started(
    command: Sequence[str],
    results: Path,
    *,
    environment: Mapping[str, str] | None = None,
    seconds: int = SECONDS,
) -> Iterator[Guest]:
    """Start a kernel that runs a command in the current folder, and end it on leaving.

    results      folder that the command may write to; it also holds `output`, `status` and `console` at the end
    environment  variables beside PATH, HOME and LANG, and where compiled modules are
    """
    results.mkdir(parents=True, exist_ok=True)
    folder = results.resolve()
    _write_job(folder, command, {**_compiled(), **(environment or {})})
    with (folder / "console").open("wb") as console:
        process = subprocess.Popen(
            _command(folder, seconds),
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=console,
            start_new_session=True,
            env={**os.environ, "TMPDIR": str(_memory())},
        )
    try:
        yield Guest(folder=folder, process=process, begun=time.monotonic(), seconds=seconds)
    finally:
        end(process)


def run(
    command: Sequence[str],
    results: Path,
    *,
    environment: Mapping[str, str] | None = None,
    seconds: int = SECONDS,
) -> Finished:
    """Run a command under a kernel of its own and wait for it; arguments as `started` takes them."""
    with started(command, results, environment=environment, seconds=seconds) as guest:
        return guest.finish()


def end(process: subprocess.Popen[bytes]) -> None:
    """End a kernel and the processes it runs, which are all of its group: some stay behind where the kernel died.

    The first one is not yet reaped, so the group's number is still its own.
    """
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(STOP_SECONDS)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether a process has ended; it is not reaped."""
    if process.returncode is not None:
        return True
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _command(folder: Path, seconds: int) -> list[str]:
    """Command line of the kernel. What is not its own becomes the environment of process 1.

    It has one processor, any: the kernel and the process that it runs only ever take turns, a million times in a job,
    and a turn that wakes another processor costs a half more.
    """
    init = folder / "init.sh"
    shutil.copy(INIT, init)  # a name without a space, wherever the checkout is
    init.chmod(0o755)
    chosen = _chosen()
    processor = random.choice(sorted(os.sched_getaffinity(0)))  # noqa: S311 (no secret)
    return [
        *("taskset", "--cpu-list", str(processor)),
        str(chosen.program),
        f"mem={MEGABYTES}M",
        "root=/dev/root",
        "rootfstype=hostfs",
        "rootflags=/",
        "ro",
        f"init={init}",
        "con0=null,fd:1",
        "con=null",
        "ssl=null",
        "quiet",
        "loglevel=3",
        "panic=-1",
        f"uml_dir={folder}/",
        "umid=kernel",
        f"MODULES={chosen.modules}",
        f"RUN={folder}",
        f"LIMIT={seconds + STOP_SECONDS}",
    ]


def _write_job(folder: Path, command: Sequence[str], environment: Mapping[str, str]) -> None:
    for name in ("status", "output"):
        (folder / name).unlink(missing_ok=True)
    sets = [f"export {name}={shlex.quote(value)}" for name, value in sorted(environment.items())]
    lines = [*sets, f"cd {shlex.quote(str(Path.cwd()))} || exit 98", f"exec {shlex.join(command)}", ""]
    (folder / "job.sh").write_text("\n".join(lines))


def _compiled() -> Mapping[str, str]:
    """Where the host's Python has its compiled modules, if that was said: compiling is slow in the guest."""
    return {name: os.environ[name] for name in ("PYTHONPYCACHEPREFIX",) if name in os.environ}


def _memory() -> Path:
    """Where the guest's memory is mapped from: /dev/shm where it is large enough and may hold programs, else a disk."""
    shared = Path("/dev/shm")
    if shared.is_dir():
        found = os.statvfs(shared)
        if found.f_bavail * found.f_frsize >= MEGABYTES << 20 and not found.f_flag & os.ST_NOEXEC:
            return shared
    return Path(tempfile.gettempdir())


def _read(folder: Path, seconds: float) -> Finished:
    texts = {
        name: path.read_text(errors="replace") if (path := folder / name).exists() else ""
        for name in ("status", "output", "console")
    }
    console = "\n".join(line for line in texts["console"].splitlines() if not line.startswith(NOISE))
    status = texts["status"].strip()
    return Finished(int(status) if status else -1, texts["output"], console, seconds)


if __name__ == "__main__":  # .ci/lab-deps.sh asks: no output and 0 where it runs
    sys.exit(available() or probe())
