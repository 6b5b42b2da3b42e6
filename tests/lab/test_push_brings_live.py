"""What a push was to bring must be there: a new tenant in a lab, whose subnet is announced, and whose is not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.lab.pushing import Pushing, pushing
from tests.lab.test_drain_live import Site as Backend
from tests.lab.test_drain_overlay_live import Site, pytestmark, site

__all__ = ("pytestmark", "site")

TENANT, SUBNET = "visitors", "172.20.0.0/24"
LEAVES = ("fe-leaf-002", "fe-leaf-003")
"""Those of the server that has no tenant."""
SILENT = f"ip prefix-list PL-{TENANT.upper()}-ORIGINATED-IPV4 seq 5 deny {SUBNET}"
"""Nothing of the subnet is announced: before the line that permits it."""
SETTINGS = {"watch": 1.0, "converge": 20.0, "quiet": 60.0, "interval": 0.5}


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    """The lab, healthy and with nothing to push."""
    with pushing(Backend(site.intent, site.folder, site.lab), tmp_path) as found:
        yield found


def _with_tenant(lab: Pushing, site: Site, *silent: str) -> Path:
    """The intent with one more tenant. silent: switches that do not announce its subnet."""
    found = yaml.safe_load(site.intent.read_text())
    found["tenants"][TENANT] = {"servers": ["train[3]"], "networks": {"hosts": {"vlan": 130, "subnets": [SUBNET]}}}
    found["raw"] = [
        {"system": "frr", "device": name, "artifact": "frr.conf", "lines": [SILENT], "references": []}
        for name in silent
    ]
    path = lab.folder / f"tenant{len(silent)}.yaml"
    path.write_text(yaml.safe_dump({key: value for key, value in found.items() if value}))
    return path


@pytest.mark.long
def test_a_tenant_whose_subnet_is_not_announced_is_not_done(site: Site, lab: Pushing) -> None:
    """It was missing before the push, which was to bring it: that is no excuse."""
    before = lab.configs()
    ended = lab.push(_with_tenant(lab, site, LEAVES[1]), "--commit", "--against", site.intent, settings=SETTINGS)
    assert ended.code == 4, ended.text
    assert "Done" not in ended.text
    assert "EVPN routes of type 5" in ended.text
    assert SUBNET.partition("/")[0] in ended.text
    assert sorted(lab.runs(LEAVES[1]).splitlines()) == sorted(before[LEAVES[1]][0].splitlines())
    assert not any(lab.waits(name) for name in LEAVES)


@pytest.mark.long
def test_a_new_tenant_comes_and_goes(site: Site, lab: Pushing) -> None:
    new = _with_tenant(lab, site)
    ended = lab.push(new, "--commit", "--against", site.intent)
    assert ended.code == 0, ended.text
    assert "pending" not in ended.text
    assert f"vrf {TENANT}" in lab.runs(LEAVES[0])
    ended = lab.push(site.intent, "--commit", "--against", new)
    assert ended.code == 0, ended.text
    assert f"vrf {TENANT}" not in lab.runs(LEAVES[0])
