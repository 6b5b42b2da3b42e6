"""What the plan page shows as rendered is what stands in the rendered files, on every platform."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.platforms import ADAPTERS, PLATFORMS
from tests.platform_case import Lossless
from tests.platform_cases import READ_LOSSLESS
from tests.rendered.sites import AT_800G, Site, files, page, write
from tests.some import some

ODD = (
    "{host_mtu: 8900, headroom_overcommit: 8, "
    "ecn: {minimum_octets: 150999, maximum_octets: 601999, probability_percent: 7}}"
)
JUNOS_ODD = ODD.replace("150999", "1500999").replace("601999", "9601999")
LATE = "waivers: [{code: ecn-after-pfc, reason: measured}]\n"
"""1 % of a queue's limit is more than 128 ports can each hold before PFC: Junos has no finer words."""
SITES = (
    Site("eos-4.34", "arista-7060x6-64pe", 5, 40),
    Site("eos-4.34", "arista-7060x6-64pe", 5, 300, roce=ODD),
    Site("eos-4.34", "arista-7060dx5-64s", 40, 5),
    Site("sonic-202505", "dell-z9664f-on", 5, 40),
    Site("sonic-master", "dell-z9664f-on", 3, 300),
    Site("sonic-master", "dell-z9864f-on", 5, 300),
    Site("sonic-202505", "nvidia-sn4700", 5, 40),
    Site("sonic-202505", "nvidia-sn4700", 5, 300, roce=ODD),
    Site("sonic-master", "nvidia-sn5600", 5, 40),
    Site("cumulus-5.11", "nvidia-sn5600", 5, 40),
    Site("cumulus-5.11", "nvidia-sn4700", 5, 300, roce=ODD),
    Site("junos-24.4", "juniper-qfx5240-64od", 5, 40),
    Site("junos-24.4", "juniper-qfx5240-64od", 10, 100, roce=JUNOS_ODD, waivers=LATE),
    Site("srlinux-25.3", "nokia-7220-ixr-h5-64o", 5, 40),
    Site("srlinux-25.3", "nokia-7220-ixr-h5-64o", 5, 300),
    Site("srlinux-25.3", "nokia-7220-ixr-h4", 5, 40, roce=ODD),
    Site("nxos-10.5", "cisco-n9364d-gx2a", 5, 40),
    Site("eos-4.34", "arista-7060x6-64pe", 5, 40, **AT_800G),
    Site("sonic-master", "dell-z9864f-on", 5, 300, **AT_800G),
    Site("sonic-202505", "nvidia-sn5600", 5, 300, **AT_800G),
    Site("cumulus-5.11", "nvidia-sn5600", 5, 300, **AT_800G),
    Site("junos-24.4", "juniper-qfx5240-64od", 5, 40, **AT_800G),
    Site("srlinux-25.3", "nokia-7220-ixr-h5-64o", 5, 300, **AT_800G),
    Site("nxos-10.5", "cisco-n9364e-sg2-o", 5, 40, **AT_800G),
)


def rows_of(shown: dict[str, Any], part: str, name: str) -> list[dict[str, Any]]:
    role = "spine" if "spine" in name else "leaf"
    return [row for row in shown[part] if row["role"] == role]


@pytest.mark.parametrize("site", some(SITES, of=4), ids=str)
def test_the_page_is_what_the_files_say(site: Site, tmp_path: Path) -> None:
    intent = write(site, tmp_path / "site")
    shown, rendered = page(intent), files(intent, tmp_path / "out")
    assert len(rendered) == 4 + 2 * (site.unit == 1)
    for name, texts in rendered.items():
        told = READ_LOSSLESS[site.system](texts)
        ecn_agrees(site, rows_of(shown, "ecn", name), told)
        headroom_agrees(rows_of(shown, "headroom", name), told)
        pool_agrees(site, rows_of(shown, "pools", name), rows_of(shown, "headroom", name), told)
        (row,) = shown["watchdogs"]
        assert (row["detect_ms"], row["restore_ms"], row["polling_ms"]) == told.watchdog
        assert row["system"] == site.system


def test_every_system_is_read_back_or_refuses_the_class() -> None:
    """Six systems have a lossless class; the seventh, FRR on Linux, refuses it, so no file of it has such a number."""
    assert {site.system for site in SITES} == set(READ_LOSSLESS)
    refused = [name for name in ADAPTERS if (row := PLATFORMS[name].can("pfc")) is not None and row.refusal]
    assert sorted({*READ_LOSSLESS, *refused}) == sorted(ADAPTERS)
    assert refused == ["frr"]


def ecn_agrees(site: Site, rows: list[dict[str, Any]], told: Lossless) -> None:
    assert rows
    assert told.ecn
    for row in rows:
        limit = row["queue_limit"] if site.system == "junos" else None
        found = {
            (low * limit // 100, high * limit // 100, percent) if limit else (low, high, percent)
            for low, high, percent in told.ecn
        }
        assert (row["minimum"], row["maximum"], row["percent"]) in found
        assert row["pause"] == told.pause
        assert told.limit in (None, row["queue_limit"])
    assert len({(row["minimum"], row["maximum"]) for row in rows}) == len(told.ecn)


def headroom_agrees(rows: list[dict[str, Any]], told: Lossless) -> None:
    """A number that a file has is on the page; one that the switch computes is in no file, and said to be."""
    if any(row["by_switch"] for row in rows):
        assert all(row["by_switch"] for row in rows)
        assert told.headroom == frozenset()
        # The number on the page is of the worst traffic: smallest packets only, beside the largest lossless one.
        assert told.counted in (None, (9000, 100))
        assert (told.counted is None) == all(row["rendered"] is None for row in rows)
        assert told.cables in (frozenset(), frozenset(row["length_m"] for row in rows))
        return
    assert {row["rendered"] for row in rows} == told.headroom


def pool_agrees(site: Site, rows: list[dict[str, Any]], headroom: list[dict[str, Any]], told: Lossless) -> None:
    (row,) = rows
    needed_agrees(row, headroom)
    if site.system in ("junos", "srlinux"):
        # Percent of the memory: of Juniper's TH5 85 % of 173,268,640 octets are left when ports have theirs.
        whole = {"junos": 173_268_640 * 85 // 100}.get(site.system) or memory_of(site.model)
        assert row["rendered"] == whole * (told.pool or 0) // 100
    else:
        assert row["rendered"] == told.pool
    cell = 254 if site.system == "junos" else 1
    assert row["resume"] == (told.resume * cell if told.resume else None)


def needed_agrees(pool: dict[str, Any], headroom: list[dict[str, Any]]) -> None:
    """What all ports could need is the sum over them of what the switch has, not of what was planned for it."""
    if not pool["pool"]:
        return
    ports = sum(row["ports"] for row in headroom)
    told = sum((row["octets"] if row["rendered"] is None else row["rendered"]) * row["ports"] for row in headroom)
    # A spine is planned with all of its ports, which are alike.
    planned, needed = pool["ports"] * told // ports, pool["needed"]
    assert pool["ports"] == ports or (pool["role"] == "spine" and len(headroom) == 1)
    if not pool["private"]:
        assert needed == planned
        return
    # With what a port holds beside the headroom: 19,456 octets twice, and one packet (sonic-swss, *_mellanox.lua).
    assert all(row["by_switch"] for row in headroom)
    assert planned <= needed <= planned + pool["ports"] * (2 * 19_456 + 9_216 + 1_024)
    assert pool["rendered"] is None


def memory_of(model: str) -> int:
    """Packet memory of a box of Nokia's, as its hardware file has it for SR Linux."""
    path = Path(__file__).parents[2] / f"fabricgen/hardware/switches/{model}.yaml"
    return int(yaml.safe_load(path.read_text())["spellings"]["srlinux"]["buffer_octets"])
