"""What reaches no file, as the system does it by itself, is visible in validate and in plan."""

import json
from pathlib import Path

import pytest

from fabricgen.checks.support.left_to_system import SystemDefault, left_text
from tests.rendered.sites import Site, call, write

NXOS = Site("nxos-10.5", "cisco-n9364d-gx2a", 5, 40)
SRLINUX = Site("srlinux-25.3", "nokia-7220-ixr-h4", 5, 40)
CUMULUS = Site("cumulus-5.11", "nvidia-sn5600", 5, 40)
KEPT = {
    NXOS: {"alpha", "ecn-counters", "management-vrf", "queue-monitor"},
    SRLINUX: {"alpha", "queue-monitor", "resume-offset"},
    CUMULUS: {"headroom-pool", "loopback-descriptions", "management-vrf", "resume-offset"},
}
"""What these systems keep by docs/platforms.md, of what this site asks: a lossless class, telemetry by default."""


@pytest.mark.parametrize("site", KEPT, ids=lambda site: site.system)
def test_validate_and_plan_say_what_no_file_has(site: Site, tmp_path: Path) -> None:
    intent = write(site, tmp_path)
    told = json.loads(call("validate", intent, "--json").stdout)["left"]
    assert {row["feature"] for row in told} == KEPT[site]
    assert all(row["roles"] and row["instead"] and row["reason"] for row in told)
    assert json.loads(call("plan", intent, "--json").stdout)["left"] == told
    said = call("validate", intent).stderr
    assert f"{len(told)} settings are not rendered: " in said
    assert "(`fabricgen plan` has the reasons, and what applies instead)" in said
    page = call("plan", intent).stdout
    for row in told:
        assert f"  {row['feature']} on {row['system']} ({', '.join(row['roles'])}): {row['instead']}" in page


def test_a_certificate_of_eapi_is_named_where_the_system_has_none(tmp_path: Path) -> None:
    """Arista's eAPI and NX-API have files of their own; elsewhere the key is in no file."""
    found = {}
    for site in (NXOS, SRLINUX, CUMULUS):
        intent = write(site, tmp_path / site.system)
        intent.write_text(intent.read_text().replace("lldp: false", "lldp: false, eapi: {certificate: fabric}"))
        told = json.loads(call("validate", intent, "--json").stdout)["left"]
        found[site.system] = [(row["feature"], bool(row["instead"])) for row in told if row["feature"] == "eapi"]
    assert found == {"nxos": [], "srlinux": [("eapi", True)], "cumulus": []}


def test_roles_are_those_that_need_it(tmp_path: Path) -> None:
    told = json.loads(call("validate", write(NXOS, tmp_path), "--json").stdout)["left"]
    assert {tuple(row["roles"]) for row in told} == {("backend leaf", "backend spine")}


def test_a_line_is_short_and_none_where_nothing_is_left() -> None:
    rows = [SystemDefault(feature, "OS", ("f leaf",), "why", "its own") for feature in "abcde"]
    assert list(left_text(())) == []
    (one,) = left_text(rows[:1])
    assert one.startswith("1 setting is not rendered: a on OS (")
    (more,) = left_text(rows)
    assert more.startswith("5 settings are not rendered: a on OS, b on OS, c on OS and 2 more (")
