"""What a test needs of this machine: programs, and a processor that can run what is installed."""

import shutil
from typing import NoReturn

import pytest

_CANNOT = "this machine cannot run it: "


def require(*programs: str) -> None:
    """Skip the test where one of the programs is not installed."""
    absent = [name for name in programs if shutil.which(name) is None]
    if absent:
        pytest.skip(f"not installed: {', '.join(absent)}")


def cannot(reason: str) -> NoReturn:
    """Skip a test for what was tried on this machine and cannot run on it. The only reason that CI accepts."""
    pytest.skip(_CANNOT + reason)


def is_accepted(raised: pytest.ExceptionInfo[BaseException] | None) -> bool:
    """Whether a test was skipped by `cannot`."""
    return raised is not None and raised.typename == "Skipped" and str(raised.value).startswith(_CANNOT)
