"""Seeded faults in rendered text are reported with switch and line; harmless edits are not. The list knows no check.

`python -m tests.audit.detected` prints what is missed. Each run takes some rows, `make long` all.
"""

import pytest

from tests.audit.detected import audit_of, verdict
from tests.audit.seeded.catalogue import HARMLESS, ROWS, SYSTEMS

LEAST = 0.95
"""Share of all seeded faults that must be reported, and of those that must have their line."""
EACH_RUN = 5
"""Every so manieth row is taken in each run."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_some_faults_are_reported_on_their_line(system: str) -> None:
    rows = [verdict(row) for row in ROWS[system][::EACH_RUN]]
    assert [str(found.row) for found in rows if not found.reported] == []
    elsewhere = [str(found.row) for found in rows if not found.located]
    assert len(elsewhere) <= 2, elsewhere


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_faults_are_reported_on_their_line(system: str) -> None:
    rows = [verdict(row) for row in ROWS[system]]
    for what in ("reported", "located"):
        missed = [str(found.row) for found in rows if not getattr(found, what)]
        assert len(missed) <= (1 - LEAST) * len(rows), (what, missed)


@pytest.mark.parametrize("system", SYSTEMS)
def test_harmless_edits_are_no_difference(system: str) -> None:
    for row in HARMLESS[system]:
        audit = audit_of(row)
        assert not audit.findings, (str(row), audit.findings[:2])
        assert not audit.unread, (str(row), audit.unread[:2])
