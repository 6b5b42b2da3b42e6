"""Each ECN profile is valid, without a waiver, on every box that its maker publishes it for; no remedy is circular."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fabricgen.hardware.catalog import load_catalog
from fabricgen.hardware.ports import radix
from fabricgen.platforms import ADAPTERS, PLATFORMS
from fabricgen.policy.ecn import ECN_PROFILE_BY_NAME
from tests.rendered.sites import AT_800G, Site, call, page, write
from tests.some import some

ROCE = "{{host_mtu: 8900, headroom_overcommit: 8, ecn: {}}}"


def boxes() -> list[Site]:
    """Every profile on every model that it is published for, at 400G, and the default on every lossless model."""
    found = []
    catalog = load_catalog(None)
    for model in sorted(catalog.switches):
        switch = catalog.switches[model]
        for system in sorted(set(ADAPTERS) & set(switch.port_names)):
            platform = PLATFORMS[system]
            capability = platform.can("pfc")
            if capability is None or capability.refusal or radix(switch, 400) < LEAF_PORTS or model in IN_PERCENT:
                continue
            trains = switch.release_trains.get(system)
            os = f"{system}-{trains[0]}-D40" if trains else f"{system}-{platform.versions[-1]}"
            profiles = [name for name in platform.published_ecn(switch.asic) if has_400g(name)]
            found += [Site(os, model, 5, 40, roce=ROCE.format(ecn)) for ecn in ("published", *profiles)]
    return found


def has_400g(name: str) -> bool:
    return any(row.speed_gbps in (0, 400) for row in ECN_PROFILE_BY_NAME[name].rows)


LEAF_PORTS = 16
"""Ports of 400G that a leaf of this test has at least."""
IN_PERCENT = ("juniper-qfx5220-32cd",)
"""Junos has whole percents of the queue's limit, and here the formula asks for less than one: it is refused."""


@pytest.mark.parametrize("site", some(boxes()), ids=lambda site: f"{site.model}-{site.os}-{site.roce.split()[-1][:-1]}")
def test_a_profile_is_valid_on_its_own_box(site: Site, tmp_path: Path) -> None:
    result = call("validate", write(site, tmp_path), "--json")
    problems = json.loads(result.stdout)["problems"]
    assert [row["what"] for row in problems if row["code"].startswith("ecn") or "mark" in row["what"]] == []
    other = {row["code"] for row in problems}
    assert other <= {"headroom-unknown", "platform-limit", "platform-cannot"}


def told(site: Site, folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(call("validate", write(site, folder), "--json").stdout)["problems"]
    return found


FLOWLETS: dict[str, Any] = {"more": "}\n    load_balancing: dlb-flowlet #"}
LATE = (
    *(
        Site("eos-4.34", "arista-7060x6-64pe", 5, 40, roce=ROCE.format(ecn))
        for ecn in ("amd-dell", "{minimum_octets: 2000000, maximum_octets: 3000000, probability_percent: 5}")
    ),
    Site("junos-24.4", "juniper-qfx5230-64cd", 5, 40),
    Site("junos-24.4", "juniper-qfx5240-64od", 5, 40),
    Site("junos-24.4", "juniper-qfx5230-64cd", 5, 40, **FLOWLETS),
    Site("sonic-202505", "nvidia-sn4700", 5, 40),
    Site("sonic-202505", "nvidia-sn4700", 300, 300),
    Site("srlinux-25.3", "nokia-7220-ixr-h4", 5, 40, roce=ROCE.format("amd-dell")),
)
WRITTEN = re.compile(r"ecn: (published|formula|\{[^}]*\})")


@pytest.mark.parametrize("site", LATE, ids=lambda site: f"{site}-{site.roce[-30:]}")
def test_the_remedy_of_late_marking_works_as_it_is_printed(site: Site, tmp_path: Path) -> None:
    """Typed into the file: the problem or the warning is gone, and no other one has come."""
    intent = write(site, tmp_path)
    intent.write_text(intent.read_text().replace(" #}", ""))
    before = json.loads(call("validate", intent, "--json").stdout)
    rows = [row for row in (*before["problems"], *before.get("notes", [])) if row["code"].startswith("ecn-after-pfc")]
    assert rows
    for fix in {row["fix"] for row in rows}:
        text = intent.read_text()
        found = WRITTEN.search(fix)
        if found is not None:
            roce = re.sub(r", ecn: .*(?=\}$)", "", site.roce)
            text = text.replace(site.roce, f"{roce[:-1]}, {found[0]}}}")
        else:
            # Junos says depths in whole percent of a queue: none is low enough on this box.
            assert site.model == "juniper-qfx5240-64od"
            text += fix.removeprefix("accept it with ").removesuffix(" (at the top level of the intent)") + "\n"
        typed = write(site, tmp_path / "typed")
        typed.write_text(text)
        after = json.loads(call("validate", typed, "--json").stdout)
        assert after["problems"] == []
        assert not [row for row in after["notes"] if row["code"].startswith(("ecn", "waiver"))]


WARNED = (
    *(
        Site("junos-24.4", "juniper-qfx5240-64od", 5, 40, roce=ROCE.format(ecn))
        for ecn in (
            "formula",
            "azure-th5",
            "juniper-th4",
            "{minimum_octets: 2000, maximum_octets: 3000, probability_percent: 5}",
        )
    ),
)


@pytest.mark.parametrize("site", WARNED, ids=lambda site: site.roce[-30:])
def test_thresholds_of_the_maker_are_the_way_out_where_nothing_else_can_be_said(site: Site, tmp_path: Path) -> None:
    """A problem is left for the maker's own warning, which stops nothing: it is no waiver, and the fabric renders."""
    fixes = {row["fix"] for row in told(site, tmp_path) if row["code"].startswith("ecn")}
    assert fixes == {"write ecn: published"}
    typed = write(site._replace(roce=ROCE.format("published")), tmp_path / "typed")
    after = json.loads(call("validate", typed, "--json").stdout)
    assert after["problems"] == []
    assert {row["code"] for row in after["notes"] if row["code"].startswith("ecn")} == {"ecn-after-pfc-published"}


def test_a_maker_that_marks_late_on_its_own_box_is_a_warning_with_numbers(tmp_path: Path) -> None:
    site = Site("junos-24.4", "juniper-qfx5240-64od", 5, 40)
    result = call("validate", write(site, tmp_path), "--json")
    assert result.exit_code == 0
    (note,) = [row for row in json.loads(result.stdout)["notes"] if row["code"] == "ecn-after-pfc-published"]
    assert "before ECN marking starts at 36,503,749 bytes (Kmin)" in note["why"]


def test_a_threshold_that_junos_cannot_say_is_refused(tmp_path: Path) -> None:
    """150,000 octets of 66 million are less than one percent: Junos would mark from the first octet."""
    site = Site("junos-24.4", "juniper-qfx5240-64od", 5, 40, roce=ROCE.format("formula"))
    problems = told(site, tmp_path)
    assert any("from the first octet, not from 150000" in row["what"] or "Kmin 0" in row["why"] for row in problems)
    assert {row["fix"] for row in problems} == {"write ecn: published"}
    published = Site("junos-24.4", "juniper-qfx5240-64od", 5, 40, roce=ROCE.format("published"))
    assert told(published, tmp_path / "typed") == []


def test_the_formula_is_valid_where_many_ports_share_a_buffer(tmp_path: Path) -> None:
    site = Site("cumulus-5.11", "nvidia-sn5600", 5, 40, roce=ROCE.format("formula"))
    assert all(row["minimum"] <= 150_000 for row in page(write(site, tmp_path))["ecn"])


def test_the_makers_thresholds_with_flowlets_need_no_waiver(tmp_path: Path) -> None:
    """Juniper's own design has both; the warning says what a queue of 90 percent means for flowlets."""
    site = Site("junos-24.4", "juniper-qfx5240-64od", 5, 40, more="}\n    load_balancing: dlb-flowlet #")
    intent = write(site, tmp_path)
    text = intent.read_text().replace(" #}", "")
    intent.write_text(text)
    result = call("validate", intent, "--json")
    assert json.loads(result.stdout)["problems"] == []
    (note,) = [row for row in json.loads(result.stdout)["notes"] if row["code"] == "ecn-after-pfc-published"]
    # 90 % of 66,370,454 octets at 400G, 50,000 octets a microsecond.
    assert "a queue of 59,733,408 bytes (Kmax) drains in 1195 us, and a flow may change its path" in note["why"]


@pytest.mark.parametrize(
    ("os", "model", "profiles"),
    [
        ("eos-4.34", "arista-7060x6-64pe", "arista-guide has"),
        ("nxos-10.5", "cisco-n9364e-sg2-o", "cisco-100, cisco-400 have"),
    ],
)
def test_the_page_says_that_nothing_is_published_for_a_speed(
    os: str, model: str, profiles: str, tmp_path: Path
) -> None:
    """At 800G the formula is in force, and the page says so and why; at 400G the maker's own row."""
    why = f"no published row for 800G is known: {profiles} none"
    intent = write(Site(os, model, 5, 40, **AT_800G), tmp_path / "fast")
    rows = page(intent)["ecn"]
    assert [(row["speed_gbps"], row["source"].endswith(why)) for row in rows] == [(800, True)] * 2
    assert " ".join(call("plan", intent).stdout.split()).count("formula unsure") == 2
    slow = page(write(Site(os, model, 5, 40), tmp_path / "slow"))
    assert all("no published row" not in row["source"] for row in slow["ecn"])


@pytest.mark.parametrize("model", IN_PERCENT)
def test_a_threshold_below_one_percent_is_refused_with_one_that_works(model: str, tmp_path: Path) -> None:
    intent = write(Site("junos-24.4", model, 5, 40, roce=ROCE.format("published")), tmp_path)
    (problem,) = (row for row in json.loads(call("validate", intent, "--json").stdout)["problems"])
    assert (problem["code"], problem["why"]) == ("ecn-thresholds", "Kmin 0 is below 4 frames of 9000, in octets")
    typed = problem["fix"].removeprefix("write ecn: ")
    intent.write_text(intent.read_text().replace("ecn: published", f"ecn: {typed}"))
    assert json.loads(call("validate", intent, "--json").stdout)["problems"] == []
