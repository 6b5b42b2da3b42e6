"""Tests that this machine's processor cannot run, whatever is installed."""

from typing import NoReturn

import pytest

_CANNOT = "this machine cannot run it: "


def cannot(reason: str) -> NoReturn:
    """Skip a test for what was tried on this machine and cannot run on it. The only reason that CI accepts."""
    pytest.skip(_CANNOT + reason)


def is_accepted(raised: pytest.ExceptionInfo[BaseException] | None) -> bool:
    """Whether a test was skipped by `cannot`."""
    return raised is not None and raised.typename == "Skipped" and str(raised.value).startswith(_CANNOT)
