"""What holds for every test: in CI nothing is skipped, but what this machine's processor cannot run."""

import gc
import os
import signal
from collections import defaultdict
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket

from fabricgen.cli import COLLECT
from fabricgen.render import keys, render
from fabricgen.render.folder import templates_folder
from tests.held_outputs import holding
from tests.host import cannot, is_accepted
from tests.uml import uml

# A shell starts what it puts into the background with SIGINT ignored, and every process of a test would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How fast this machine is at the moment is no property of the code.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


class Compiled(BytecodeCache):
    """Templates that one generator compiled once; jinja2 itself compares the source that each was compiled from."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


def compile_once(patch: pytest.MonkeyPatch) -> None:
    """Compile each template once: a run of the program compiles its own, and here are thousands of runs."""
    caches: dict[type, Compiled] = defaultdict(Compiled)
    environment = render.environment

    def caching(user_templates: Path | None) -> Environment:
        found = environment(user_templates)
        found.bytecode_cache = caches[type(found)]
        return found

    patch.setattr(render, "environment", caching)


def sum_once(patch: pytest.MonkeyPatch) -> None:
    """Sum up our own templates once: a run reads all of them for the manifest, and here are thousands of runs."""
    digest = keys.folder_digest
    once, ours = cache(digest), templates_folder()

    def summing(folder: Path, patterns: tuple[str, ...]) -> str:
        return (once if folder.is_relative_to(ours) else digest)(folder, patterns)

    patch.setattr(keys, "folder_digest", summing)


@pytest.fixture(scope="session", autouse=True)
def outputs() -> Iterator[None]:
    """Hold what verbs print with --json to the published schemas."""
    with pytest.MonkeyPatch.context() as patch:
        holding(patch)
        yield


@pytest.fixture(scope="session")
def second_kernel() -> None:
    """A second kernel starts here; it is tried once in a run."""
    if missing := uml.available():
        pytest.skip(missing)
    if reason := uml.probe():
        cannot(reason)


def pytest_configure(config: pytest.Config) -> None:
    """Settings of a run, from before collection on: modules render what their tests are made of.

    Garbage is looked for as seldom as in a run of the program: else that takes a tenth of the time.

    Of several processes each hears of its tests in a thread, and Python 3.12 warns of every fork beside a thread. That
    thread waits for the pipe that it reads, and holds no lock that a child would miss. The width of a terminal, which
    xdist hands to each of them, is no setting of the tests.
    """
    gc.set_threshold(*COLLECT)
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    compile_once(patch)
    sum_once(patch)
    if hasattr(config, "workerinput"):
        os.environ.pop("COLUMNS", None)
        config.addinivalue_line("filterwarnings", "ignore:.* is multi-threaded, use of fork:DeprecationWarning")


FIRST = ("tests/output", "tests/recipes", "tests/workers", "tests/test_", "tests/push", "tests/cli", "tests/steps")
"""Files of few tests that take long: one that began last would keep a run of several processes waiting."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests of FIRST in front, in that order. With xdist, whole files go to a process in this order."""
    rank = {prefix: at for at, prefix in enumerate(FIRST)}
    items.sort(key=lambda item: next((rank[prefix] for prefix in FIRST if item.nodeid.startswith(prefix)), len(FIRST)))


def pytest_collection_finish() -> None:
    """What is there by now stays: looking for garbage in it takes a tenth of the time, and a fork would copy it all."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With CI=true a skipped test is a failure: what a machine lacks is for `make lab-deps` to install."""
    report = yield
    accepted = is_accepted(call.excinfo) or hasattr(report, "wasxfail")
    if report.skipped and os.environ.get("CI") == "true" and not accepted:
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and CI=true allows none: {report.longrepr}"
    del call
    return report
