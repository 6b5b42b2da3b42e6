"""What a source asks beside the lines that are written is told where a design is reviewed."""

import pytest

from fabricgen.platforms import PLATFORMS
from fabricgen.summary.lossless import lossless_line
from fabricgen.summary.lossless_text import lossless_text
from tests.plan_page.sites import backend, planned, train


@pytest.mark.parametrize(
    ("model", "system", "told"),
    [("arista-7060x6-64pe", "eos-4.34", True), ("nvidia-sn5400", "cumulus-5.11", False)],
)
def test_a_watchdog_that_may_do_nothing_is_told_as_unproven(model: str, system: str, told: bool) -> None:
    """EOS is said to watch only queues with guaranteed bandwidth, and chips to refuse it."""
    switch = {"model": model, "os": system}
    made = planned(servers=train("0-7", 8), fabrics={"backend": backend(leaf=switch, spine=switch)})
    line = lossless_line(made, made.fabrics["backend"])
    assert line is not None
    row = PLATFORMS[system.partition("-")[0]].can("pfc-watchdog")
    assert row is not None
    assert bool(row.unproven) is told
    assert any("unproven on Arista EOS" in text for text in lossless_text(line)) is told
