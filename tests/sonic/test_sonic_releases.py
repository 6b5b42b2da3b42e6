"""Texts of neighboring releases differ in the lines that the table of releases names, and in no other."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import pytest

from fabricgen.device.device import Device
from fabricgen.device.needs import needs_of
from fabricgen.platforms.base.release import Difference, came_between
from fabricgen.platforms.linux.frr_releases import OLDEST
from fabricgen.platforms.sonic.platform import SONIC
from fabricgen.platforms.sonic.releases import frr_release
from tests.sonic import sites

FRR_CONF = "frr.conf"
Lines = frozenset[str]


class Change(NamedTuple):
    """Lines of one switch in an older and in a newer release, where they differ."""

    gone: Lines
    new: Lines


@cache
def devices(name: str) -> tuple[tuple[Device, ...], ...]:
    """Switches of a site in each release. All have what every release has: no search domain."""
    text, exceptions = sites.text_of(name, "202505"), sites.EXCEPTIONS.get(name)
    texts = (text.replace("sonic-202505", f"sonic-{release}") for release in sites.RELEASES)
    return tuple(sites.sonic_of(sites.plan_of(text, exceptions)) for text in texts)


def lines(device: Device) -> Lines:
    """Each field of config_db.json with its table and row, and each line of frr.conf that is no remark."""
    files = sites.rendered(device)
    rows = json.loads(files["config_db.json"])
    frr = files[FRR_CONF].splitlines()
    return frozenset((*_fields(rows), *(f"{FRR_CONF}: {line}" for line in frr if not line.startswith("!"))))


def _fields(tables: Mapping[str, Mapping[str, Mapping[str, object]]]) -> Iterator[str]:
    for table, rows in tables.items():
        for key, row in rows.items():
            yield f"{table} {key}"
            yield from (f"{table} {key} {field}: {value}" for field, value in row.items())


@cache
def changes(at: int) -> tuple[Change, ...]:
    """What differs on every switch between a release and the next; switches that one of both refuses are left out."""
    found = []
    for name in sites.NAMES:
        for older, newer in zip(devices(name)[at], devices(name)[at + 1], strict=True):
            if is_supported(older) and is_supported(newer):
                before, after = lines(older), lines(newer)
                found.append(Change(before - after, after - before))
    return tuple(found)


def is_supported(device: Device) -> bool:
    """Whether its release has all features that it needs."""
    rows = (SONIC.can(feature, device.version) for feature in needs_of(device))
    return all(row is not None and (not row.refusal or row.instead or row.vouched) for row in rows)


def is_of(line: str, words: str) -> bool:
    """Whether a line is one that a table's text names: itself, any of a file, or any of a list of tables."""
    if words == FRR_CONF:
        return line.startswith(f"{FRR_CONF}: ")
    tables = re.findall(r"[A-Z_]{5,}", words.partition("tables of config_db.json: ")[2])
    return line == words or line.partition(" ")[0] in tables


@pytest.mark.parametrize("at", range(len(sites.RELEASES) - 1))
def test_two_releases_differ_in_what_the_table_names(at: int) -> None:
    older, newer = SONIC.releases[at : at + 2]
    rows = [row for row in SONIC.differences if came_between(row.since, older, newer)]
    assert rows
    gone = frozenset[str]().union(*(change.gone for change in changes(at)))
    new = frozenset[str]().union(*(change.new for change in changes(at)))
    assert [line for line in gone if not any(is_of(line, row.before) for row in rows)] == []
    assert [line for line in new if not any(is_of(line, row.after) for row in rows)] == []
    for row in rows:
        assert any(is_of(line, row.before) for line in gone) == bool(row.before)
        assert named(row) <= {line.partition(" ")[0] for line in new}


def named(row: Difference) -> frozenset[str]:
    """Tables that a row names."""
    return frozenset(re.findall(r"\b[A-Z]+(?:_[A-Z]+)*\b(?= |,|$)", row.after))


def test_the_routing_of_a_vtep_is_in_frr_conf_in_every_release() -> None:
    borders = [next(row for row in found if row.role == "border-leaf") for found in devices("tenants")]
    texts = [sites.rendered(border)[FRR_CONF] for border in borders]
    assert "router bgp" in texts[0]
    assert texts == [texts[0]] * len(sites.RELEASES)


@pytest.mark.parametrize(
    ("version", "wanted"),
    [("202405", OLDEST), ("202411", OLDEST), ("202505", "10.3"), ("202511.1", "10.4.1"), ("202605", "10.5.4"),
     ("master", "10.5.4")],
)  # fmt: skip
def test_frr_conf_is_written_for_the_frr_of_the_release(version: str, wanted: str) -> None:
    assert frr_release(version) == wanted
    assert all(row.source.endswith(f"FRR {frr_release(row.name)}") for row in SONIC.releases)


def test_evpn_routes_are_limited_where_frr_can() -> None:
    """202411 has FRR 10.0.1, which takes the line into another family."""
    spine = sites.fleet("frontend", "202505")[0]
    limit = re.compile(r"address-family l2vpn evpn\n(?:  .*\n)*  neighbor LEAVES-EVPN maximum-prefix \d+ restart 5\n")
    assert limit.search(sites.rendered(spine)[FRR_CONF])
    older = spine._replace(version="202411")
    assert "EVPN maximum-prefix" not in sites.rendered(older)[FRR_CONF]
    row = SONIC.can("evpn-limit", older.version)
    assert row is not None
    assert row.refusal == "community SONiC has it from 202505 on, and these switches run 202411"
    assert row.instead


def test_every_row_of_the_table_is_between_two_releases() -> None:
    pairs = list(pairwise(SONIC.releases))
    assert all(any(came_between(row.since, *pair) for pair in pairs) for row in SONIC.differences)


@pytest.mark.parametrize("at", range(len(sites.RELEASES) - 1))
def test_the_same_switch_has_the_same_device_in_both(at: int) -> None:
    """What differs is the text alone: numbers and names do not depend on the release."""
    for name in sites.NAMES:
        for older, newer in zip(devices(name)[at], devices(name)[at + 1], strict=True):
            assert older._replace(version=newer.version) == newer
