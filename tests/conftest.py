"""What holds for every test: in CI nothing is skipped."""

import os
import signal
from collections.abc import Generator

import pytest

# A shell starts what it puts into the background with SIGINT ignored, and every process of a test would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With CI=true a skipped test is a failure: what a machine lacks is for `make lab-deps` to install."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and CI=true allows none: {report.longrepr}"
    del call
    return report
