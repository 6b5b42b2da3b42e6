"""What a switch acts on and no plan asks for is reported on its line."""

import pytest

from tests.audit.detected import verdict
from tests.audit.seeded.row import Seeded
from tests.audit.unplanned import ROWS
from tests.some import some


@pytest.mark.parametrize("row", some(ROWS), ids=lambda row: f"{row.system}: {row.why}")
def test_what_no_plan_asks_for_is_reported_on_its_line(row: Seeded) -> None:
    found = verdict(row)
    assert found.located, found.said
