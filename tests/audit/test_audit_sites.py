"""Every small site, audited by its rendered text: no difference, no line left over, every property holds."""

from pathlib import Path

import pytest

from fabricgen.audit.gathered import GatheredSite
from fabricgen.audit.properties import violations
from fabricgen.audit.switch import audited
from fabricgen.site.workspace import open_workspace
from tests.readback.sites import intents, switches
from tests.some import some


@pytest.mark.parametrize(
    "intent", some([*intents()], of=4), ids=lambda intent: f"{intent.parent.parent.name}-{intent.parent.name}"
)
def test_a_site_is_as_planned_by_its_text(intent: Path) -> None:
    site, rows, fabrics = GatheredSite(), switches(intent), open_workspace(intent).plan.fabrics
    names = frozenset(device.name for device, _ in rows)
    for device, files in rows:
        audit = audited(device, files, filled=False)
        assert audit.is_clean, (audit.findings[:3], audit.unread[:3])
        site.add(fabrics[device.fabric], device, audit, names)
    assert [*violations(site.sides()[0])] == []
