"""What the plan page shows of switches that overrides give something of their own is what stands in their files."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.platform_case import Lossless
from tests.platform_cases import READ_LOSSLESS
from tests.rendered.sites import Site, call, files, page, write
from tests.some import some

LATE = "waivers: [{code: ecn-after-pfc, reason: measured}]\n"
ECN = "{minimum_octets: 223457, maximum_octets: 654321, probability_percent: 33}"
OF_A_QUEUE = "{minimum_octets: 1500999, maximum_octets: 9601999, probability_percent: 33}"
"""Junos says depths in whole percent of a queue: these are more than nothing."""


def site(system: str, model: str, times: str = "", port: str = "", ecn: str = ECN, more: str = "") -> Site:
    """Four leaves: the first marks in another way, the second waits, and one port of the last has another headroom."""
    rows = [f"  be-leaf-000: {{roce: {{ecn: {ecn}}}}}"]
    if times:
        rows.append(f"  be-leaf-001: {{roce: {{watchdog: {times}}}}}")
    if port:
        rows.append(f"  be-leaf-003/{port}: {{headroom_octets: 700000}}")
    return Site(system, model, 5, 40, slots="0-7", waivers="\n".join([f"{more}overrides:", *rows, ""]))


SITES = (
    site("eos-4.34", "arista-7060x6-64pe", "{detect_ms: 1000, restore_ms: 2000, action: notify}", "Ethernet1/1"),
    site("sonic-202505", "dell-z9664f-on", "{detect_ms: 1000, restore_ms: 2000}", "Ethernet0"),
    site("sonic-202505", "nvidia-sn4700", "{detect_ms: 1000, restore_ms: 2000}"),
    site("cumulus-5.11", "nvidia-sn5600", "{detect_ms: 1000}"),
    site("junos-24.4", "juniper-qfx5240-64od", "{detect_ms: 1000, restore_ms: 1400}", ecn=OF_A_QUEUE, more=LATE),
    site("srlinux-25.3", "nokia-7220-ixr-h4", "{detect_ms: 1000, restore_ms: 1500}", "ethernet-1/1"),
    site("nxos-10.5", "cisco-n9364d-gx2a"),
)


def is_named(switch: str, switches: str) -> bool:
    """Whether a row is said of a switch: by its name, or by a run of names."""
    first, _, last = switches.partition("…")
    stem, _, start = first.rpartition("-")
    own, _, number = switch.rpartition("-")
    return own == stem and int(start) <= int(number) <= int(last or start)


def said(rows: Iterable[dict[str, Any]], switch: str) -> list[dict[str, Any]]:
    """What the page says of a switch: rows that name it, and the others where there is none of the same thing."""
    every = [row for row in rows if row.get("role") is None or row["role"] in switch]
    own = [row for row in every if row["switches"] and is_named(switch, row["switches"])]
    about = {(row.get("speed_gbps"), row.get("length_m")) for row in own}
    rule = [row for row in every if not row["switches"]]
    return own + [row for row in rule if (row.get("speed_gbps"), row.get("length_m")) not in about]


@pytest.mark.parametrize("site", some(SITES), ids=str)
def test_the_page_is_what_the_files_of_overridden_switches_say(site: Site, tmp_path: Path) -> None:
    intent = write(site, tmp_path / "site")
    shown, rendered = page(intent), files(intent, tmp_path / "out")
    assert len(rendered) == 6
    told = {name: READ_LOSSLESS[site.system](texts) for name, texts in rendered.items()}
    assert told["be-leaf-000"].ecn != told["be-leaf-001"].ecn == told["be-leaf-002"].ecn
    assert ("watchdog" in site.waivers) == (told["be-leaf-001"].watchdog != told["be-leaf-002"].watchdog)
    for name, read in told.items():
        ecn_agrees(site, said(shown["ecn"], name), read)
        watchdog_agrees(said(shown["watchdogs"], name), read)
        headroom_agrees(shown["headroom"], name, read)


def ecn_agrees(site: Site, rows: list[dict[str, Any]], told: Lossless) -> None:
    (row,) = rows
    limit = row["queue_limit"] if site.system == "junos" else None
    found = {(low * limit // 100, high * limit // 100, p) if limit else (low, high, p) for low, high, p in told.ecn}
    assert {(row["minimum"], row["maximum"], row["percent"])} == found
    assert told.limit in (None, row["queue_limit"])


def watchdog_agrees(rows: list[dict[str, Any]], told: Lossless) -> None:
    (row,) = rows
    assert (row["detect_ms"], row["restore_ms"], row["polling_ms"]) == told.watchdog


def headroom_agrees(rows: list[dict[str, Any]], name: str, told: Lossless) -> None:
    """Of a box that is told the number: each of the file is on the page, and nothing of this switch is beside it."""
    every = [row for row in rows if row["role"] in name]
    if any(row["by_switch"] for row in every):
        return
    own = {row["rendered"] for row in every if row["switches"] and is_named(name, row["switches"])}
    assert own <= told.headroom <= own | {row["rendered"] for row in every if not row["switches"]}
    if not own:
        assert told.headroom == {row["rendered"] for row in every if not row["switches"]}


def test_a_port_of_its_own_takes_no_row_from_the_others(tmp_path: Path) -> None:
    """One port of 16 has another headroom: both rows are there, each with how many ports it is of."""
    (h4,) = (one for one in SITES if one.system == "srlinux")
    rows = [row for row in page(write(h4, tmp_path))["headroom"] if (row["role"], row["length_m"]) == ("leaf", 5)]
    assert [(row["rendered"] == 700_000, row["ports"], row["switches"]) for row in rows] == [
        (False, 16, ""),
        (True, 1, "be-leaf-003"),
    ]


def with_overrides(folder: Path, *rows: str) -> Path:
    text = "\n".join(["overrides:", *(f"  {row}" for row in rows), ""])
    return write(Site("eos-4.34", "arista-7060x6-64pe", 5, 40, slots="0-7", waivers=text), folder)


def test_values_that_the_page_says_once_are_said_again_of_who_has_others(tmp_path: Path) -> None:
    intent = with_overrides(
        tmp_path / "site",
        'be-leaf-00[12]: {roce: {alpha: "1/8"}}',
        "be-leaf-003: {roce: {host_mtu: 7000}}",
        "be-leaf-000/Ethernet2/1: {mtu: 8950}",
    )
    shown = page(intent)
    assert (shown["alpha"], shown["mtu"], shown["host_mtu"]) == ("1", 9000, 8900)
    assert {(row["what"], row["value"], row["ports"], row["switches"]) for row in shown["apart"]} == {
        ("alpha", "1/8", 0, "be-leaf-001…002"),
        ("mtu", "8950", 1, "be-leaf-000"),
        ("host_mtu", "7000", 0, "be-leaf-003"),
    }
    text = call("plan", intent).stdout
    for line in (
        "alpha 1/8 on be-leaf-001…002",
        "MTU of server NICs 7000 on be-leaf-003",
        "MTU 8950 on 1 port of be-leaf-000",
    ):
        assert re.search(rf"^ +{re.escape(line)}$", text, re.MULTILINE)


def test_what_all_leaves_are_given_is_what_the_page_says(tmp_path: Path) -> None:
    """And the hosts: an override of all leaves names nobody, and the fabric's own value is nobody's."""
    intent = with_overrides(tmp_path / "site", '"be-leaf-*": {roce: {host_mtu: 4200, ecn: ' + ECN + "}}")
    shown = page(intent)
    assert (shown["host_mtu"], shown["apart"]) == (4200, [])
    (row,) = (row for row in shown["ecn"] if row["role"] == "leaf")
    assert (row["percent"], row["profile"], row["switches"]) == (33, "the intent", "")
    result = call("export", "hosts", intent, "-o", tmp_path / "hosts")
    assert result.exit_code == 0, result.output
    written = "\n".join(path.read_text() for path in (tmp_path / "hosts").rglob("*") if path.is_file())
    assert "4200" in written
    assert "8900" not in written


def test_a_site_without_overrides_names_nobody(tmp_path: Path) -> None:
    shown = page(write(SITES[0]._replace(waivers=""), tmp_path))
    assert shown["apart"] == []
    assert {row["switches"] for part in ("ecn", "headroom", "pools", "watchdogs") for row in shown[part]} == {""}
