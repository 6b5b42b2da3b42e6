"""No false alarm on small sites of every pair of platforms: each text is as planned, and every property holds."""

from pathlib import Path

import pytest
import yaml

from fabricgen.audit.gathered import GatheredSite
from fabricgen.audit.properties import violations
from fabricgen.audit.switch import audited
from fabricgen.errors import FabricError
from fabricgen.plan.plan import Plan
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.checked import LoadRequest, load_checked
from tests.pairs.sites import PAIRS, SITES, mapping
from tests.some import some

REFUSED = frozenset({"platform-cannot", "platform-limit"})
CASES = [
    *((kind, leaf, spine) for kind in ("backend", "frontend") for leaf, spine in PAIRS),
    *((kind, system, system) for kind in ("bonds", "imports") for system in SITES),
]


def accepted(intent: Path) -> Plan | None:
    """The plan; None where a platform lacks what the site needs."""
    try:
        return load_checked(LoadRequest(intent, None), "base").plan
    except FabricError as error:
        if {problem.code for problem in error.problems} <= REFUSED:
            return None
        raise


@pytest.mark.parametrize(("kind", "leaf", "spine"), some(CASES, of=5))
def test_a_pair_of_platforms_is_as_planned(kind: str, leaf: str, spine: str, tmp_path: Path) -> None:
    intent = tmp_path / "intent.yaml"
    more = {"transport": "best-effort"} if kind == "backend" else {}
    intent.write_text(yaml.safe_dump(mapping(leaf, spine, kind, **more), sort_keys=False))
    plan = accepted(intent)
    if plan is None:
        return
    renderer, site, switches = Renderer(), GatheredSite(), [*devices(plan)]
    names = frozenset(device.name for device in switches)
    for device in switches:
        audit = audited(device, {file.name: file.text for file in renderer.render(device)}, filled=False)
        assert audit.is_exact, (device.name, audit.findings[:3], audit.unread[:3])
        site.add(plan.fabrics[device.fabric], device, audit, names)
    assert [*violations(site.whole(site.views))] == []
