"""One live fabric for all tests of the driver. A test that changes a switch leaves it as it found it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from napalm_frr import FRRDriver
from tests.judges import frr
from tests.judges.frr import Loaded
from tests.napalm_frr import fabric, switches


@pytest.fixture(scope="session")
def wired() -> Iterator[Mapping[str, Loaded]]:
    """Two spines, two leaves."""
    if frr.available() is not None:
        pytest.skip(f"judge: {frr.available()}")
    with fabric.wired() as found:
        yield found


@pytest.fixture
def leaf(wired: Mapping[str, Loaded], tmp_path: Path) -> Iterator[FRRDriver]:
    """An open driver of leaf1, which runs and has saved its own text before and after."""
    with switches.opened(wired["leaf1"], tmp_path / "state") as driver:
        before = driver.get_config("running")["running"]
        yield driver
        if driver.has_pending_commit():
            driver.rollback()
        if driver.get_config("running")["running"] == before:
            return
        driver.load_replace_candidate(config=fabric.text("leaf1"))
        if driver.compare_config():
            driver.commit_config()
        assert driver.compare_config() == ""
