"""A Dask cluster on loopback for tests: a scheduler and its workers, each a process that is ended by its id."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import Popen

ROOT = Path(__file__).parents[2]
SECONDS = 60
"""Until which what is waited for has come, on any host."""
NOTHING: Mapping[str, str] = {}
LOOPBACK = ("--host", "127.0.0.1", "--no-dashboard")


@contextmanager
def _process(folder: Path, name: str, *words: str, root: Path, env: Mapping[str, str]) -> Iterator[Popen[bytes]]:
    """A process of dask that finds fabricgen below `root`; gone afterwards, whatever happens."""
    # Dask keeps a configuration in the home folder otherwise, and reads what stands there.
    own = {"PYTHONPATH": str(root), "DASK_CONFIG": str(folder / "config"), "DASK_LOGGING__DISTRIBUTED": "warning"}
    with (folder / f"{name}.log").open("wb") as log:
        command = [sys.executable, "-m", "dask", *words]
        process = Popen(command, cwd=folder, env={**os.environ, **own, **env}, stdout=log, stderr=subprocess.STDOUT)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(path: Path) -> None:
    """Wait until a file has something in it."""
    until = time.monotonic() + SECONDS
    while not (path.exists() and path.stat().st_size) and time.monotonic() < until:
        time.sleep(0.02)
    assert path.exists(), f"{path.name} never came"


@contextmanager
def scheduler(folder: Path) -> Iterator[str]:
    """Address of a scheduler."""
    file = folder / "scheduler.json"
    with _process(
        folder,
        "scheduler",
        "scheduler",
        *LOOPBACK,
        "--port",
        "0",
        "--scheduler-file",
        str(file),
        root=ROOT,
        env=NOTHING,
    ):
        wait_for(file)
        yield str(json.loads(file.read_text())["address"])


@contextmanager
def workers(
    address: str, folder: Path, *names: str, root: Path = ROOT, env: Mapping[str, str] = NOTHING
) -> Iterator[tuple[int, ...]]:
    """Process ids of workers of one thread each, once the scheduler knows them."""
    from distributed import Client  # noqa: PLC0415 - what uses no cluster need not wait for it

    with ExitStack() as stack, Client(address, set_as_default=False) as client:
        before = len(client.nthreads())
        words = (address, *LOOPBACK, "--nthreads", "1", "--no-nanny", "--memory-limit", "0")
        found = [
            stack.enter_context(
                _process(folder, name, "worker", *words, "--local-directory", str(folder / name), root=root, env=env)
            )
            for name in names
        ]
        client.wait_for_workers(before + len(names), timeout=SECONDS)
        yield tuple(process.pid for process in found)
