"""Numbers of a fabric of IPv6 alone: unique in the site, the same after growth and after IPv4 has gone, or refused.

Router ids: RFC 6286; a range is what operators of such fabrics give (Cilium, routerIDIPPool). Nothing here is a golden:
each number is worked out by hand from the range and the order of the lock's lines.
"""

import re
from copy import deepcopy
from ipaddress import IPv4Address
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.plan.fabric import name_of, places, router_id
from fabricgen.plan.moved_values import moved
from fabricgen.plan.plan import Plan
from fabricgen.plan.renamed import Former
from fabricgen.site.workspace import open_workspace
from tests.ipv6_only.sites import BOTH, STAGES, SYSTEMS, document, written

STORE = {
    "kind": "storage",
    "prefix": "st",
    "connects": {"box": "compute"},
    "addressing": {"ipv6": "fd00:65::/48"},
    "asns": "4202000000-4202000999",
}


def _render(path: Path) -> Plan:
    run = CliRunner().invoke(main, ["render", str(path), "-o", str(path.parent / "out")])
    assert run.exit_code == 0, run.output
    return open_workspace(path).plan


def _ids(plan: Plan) -> dict[str, str]:
    return {
        name_of(fabric, place): str(IPv4Address(router_id(fabric, place)))
        for fabric in plan.fabrics.values()
        for place in places(fabric)
    }


def test_router_ids_stay_over_growth_and_are_unique_in_the_site(tmp_path: Path) -> None:
    """Another fabric leaves a gap of a quarter of 8 behind the 6 router ids of the first, as management does."""
    found = document("frr")
    before = _ids(_render(written(tmp_path, "frr", found)))
    names = ("be-leaf-000", "be-leaf-001", "be-spine-00", "be-spine-01")
    assert before == {name: f"198.18.0.{at}" for at, name in enumerate(names)}
    found["servers"] = {"node": {"model": "two-gpus", "slots": "0-15"}, "box": {"model": "two-gpus", "slots": "0-3"}}
    found["fabrics"]["store"] = {**document("frr")["fabrics"]["backend"], **STORE}
    after = _ids(_render(written(tmp_path, "frr", found)))
    grown = {"be-leaf-002": "198.18.0.4", "be-leaf-003": "198.18.0.5"}
    stores = {f"st-{name[3:]}": f"198.18.0.{at}" for at, name in enumerate(names, start=8)}
    assert after == {**before, **grown, **stores}


def test_a_fabric_that_loses_ipv4_keeps_its_router_ids_and_every_line_of_its_lock(tmp_path: Path) -> None:
    """The lock keeps the IPv4 runs in case the prefix comes back; what grows later has ids of the range."""
    both = _render(written(tmp_path, "frr", document("frr", **BOTH)))
    lock = (tmp_path / "fabricgen.lock").read_text()
    alone = _render(written(tmp_path, "frr", document("frr")))
    assert (tmp_path / "fabricgen.lock").read_text() == lock
    assert _ids(alone) == _ids(both)
    changes = list(moved(both, alone, Former({}, {}, {}, {})))
    told = CliRunner().invoke(main, ["explain", str(tmp_path / "intent.yaml"), "be-leaf-001"]).output
    assert "no longer has" not in told
    assert "place " in told
    assert {change.after for change in changes if "." in change.before} == {""}
    assert "router id" not in {change.what for change in changes}
    found = document("frr")
    found["servers"]["node"]["slots"] = "0-15"
    grown = _render(written(tmp_path, "frr", found))
    assert _ids(grown) == {**_ids(both), "be-leaf-002": "198.18.0.0", "be-leaf-003": "198.18.0.1"}
    assert lock.splitlines()[:5] == (tmp_path / "fabricgen.lock").read_text().splitlines()[:5]


PREFIX, RANGE = "addressing.ipv4: 10.16.0.0/12", "198.18.0.0/16"
REFUSED = (
    ("hosts of another family", {"hosts": "ipv4"}, "prefix-missing", f"write {PREFIX}, or write hosts: ipv6"),
    ("links of another family", {"links": ["ipv4"]}, "prefix-missing", f"write {PREFIX}, or write links: [ipv6]"),
    ("no prefix", {"ipv6": None}, "prefix-missing", "write addressing: {ipv4: 10.16.0.0/12, ipv6: "),
    ("router ids beside IPv4", {**BOTH, "router_ids": RANGE}, "router-ids-unused", "remove router_ids"),
    ("a range that is too small", {"router_ids": "10.9.0.0/31"}, "router-ids-exhausted", "router_ids: 10.9.0.0/30"),
    ("zero, no BGP identifier (RFC 6286)", {"router_ids": "0.0.0.0/20"}, "bad-value", "e.g. 198.18.0.0/15"),
    ("multicast", {"router_ids": "192.0.0.0/2"}, "bad-value", "e.g. 198.18.0.0/15"),
    ("a range of addresses", {"router_ids": "10.0.0.0/16"}, "prefixes-overlap", "write a prefix outside 10.0.0.0/24"),
)


@pytest.mark.parametrize(("addressing", "code", "fix"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_is_wrong_is_said_with_what_to_type(
    addressing: dict[str, object], code: str, fix: str, tmp_path: Path
) -> None:
    run = CliRunner().invoke(main, ["validate", str(written(tmp_path, "frr", document("frr", **addressing)))])
    assert run.exit_code == 1
    assert f"error[{code}]" in run.output
    assert f"fix: {fix}" in run.output or f"fix: write {fix}" in run.output


@pytest.mark.parametrize(
    ("addressing", "code", "says"),
    [
        ({"router_ids": "10.9.0.0/16"}, "router-ids-moved", f"write router_ids: {RANGE}, or run fabricgen render"),
        (BOTH, "lock-misfit", "the lock has no IPv4 loopbacks, and the fabric now has an IPv4 prefix"),
    ],
    ids=["another range", "IPv4 comes"],
)
def test_what_would_move_numbers_in_use_is_refused(
    addressing: dict[str, object], code: str, says: str, tmp_path: Path
) -> None:
    _render(written(tmp_path, "frr", document("frr")))
    run = CliRunner().invoke(main, ["validate", str(written(tmp_path, "frr", document("frr", **addressing)))])
    assert run.exit_code == 1
    assert f"error[{code}]" in run.output
    assert says in run.output
    assert "--renumber backend" in run.output


@pytest.mark.parametrize("system", SYSTEMS)
def test_tenants_need_an_ipv4_prefix_on_every_system(system: str, tmp_path: Path) -> None:
    """Each has its own reason: a beta, a proposal, models without the word, or chips that nobody names."""
    found = yaml.safe_load((STAGES / system / "intent.yaml").read_text())
    del found["fabrics"]["frontend"]["addressing"]["ipv4"]
    path = written(tmp_path, system, found)
    run = CliRunner().invoke(main, ["validate", str(path)])
    assert run.exit_code == 1
    assert "error[platform-cannot]" in run.output
    assert "does not support vtep-ipv6, which frontend leaf needs" in run.output
    assert "fix: write addressing.ipv4: 10.16.0.0/12" in run.output
    found["fabrics"]["frontend"]["addressing"] |= {"ipv4": "10.16.0.0/12"}
    assert CliRunner().invoke(main, ["validate", str(written(tmp_path, system, found))]).exit_code == 0


def test_a_shared_backend_needs_an_ipv4_prefix(tmp_path: Path) -> None:
    found = document("eos")
    found["fabrics"]["backend"] |= {"tenancy": "evpn-type5", "transport": "best-effort"}
    found["tenants"] = {"red": {"servers": ["node[0-3]"]}}
    run = CliRunner().invoke(main, ["validate", str(written(tmp_path, "eos", found))])
    assert "does not support vtep-ipv6, which backend leaf needs" in run.output


def test_a_newer_fabric_is_told_to_take_another_prefix(tmp_path: Path) -> None:
    """The lock keeps the IPv4 runs of a backend that gave IPv4 up: a new fabric in them moves, not the live one."""
    _render(written(tmp_path, "frr", document("frr", **BOTH)))
    found = document("frr")
    found["servers"]["box"] = {**found["servers"]["node"], "slots": "0-1"}
    backend = deepcopy(found["fabrics"]["backend"])
    addressing = {"ipv4": BOTH["ipv4"], "ipv6": "fd00:65::/48"}
    found["fabrics"]["newer"] = {
        **backend, "prefix": "nw", "connects": {"box": "compute"}, "addressing": addressing,
        "asns": "4203000000-4203000999",
    }  # fmt: skip
    path = written(tmp_path, "frr", found)
    run = CliRunner().invoke(main, ["validate", str(path)])
    assert "error[address-twice]" in run.output
    fix = re.search(r"fix: write addressing.ipv4: (\S+) for newer(?:; or run fabricgen render|$)", run.output, re.M)
    assert fix is not None, run.output
    addressing["ipv4"] = fix[1]
    assert "error[" not in CliRunner().invoke(main, ["validate", str(written(tmp_path, "frr", found))]).output
