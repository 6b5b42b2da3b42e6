"""Headroom of NVIDIA boxes under SONiC: the maker's formula against the maker's tables, fed with what we render."""

import json
from math import ceil
from pathlib import Path

import pytest

from fabricgen.hardware.catalog import load_catalog
from fabricgen.platforms.sonic.lossless import Packets, xoff_octets
from tests.rendered.sites import Site, files, page, write

SPECTRUM4 = load_catalog(None).asics["spectrum4"].spellings["sonic"]
QUANTA = {100: 394, 200: 453, 400: 905, 800: 905}
"""IEEE 802.3 31B.3.7, as the switch has them."""


@pytest.mark.parametrize(
    ("speed", "length", "octets"),
    # ACS-SN5600, pg_profile_lookup.ini: made with an MTU of 9100 and lossless packets of 1024, and rounded up once more
    # in some rows.
    [(400, 40, 283_648), (400, 300, 677_888), (800, 300, 1_150_976), (200, 300, 355_328), (100, 40, 126_976)],
)
def test_the_formula_gives_the_makers_table(speed: int, length: int, octets: int) -> None:
    assert octets - xoff_octets(SPECTRUM4, speed, length, Packets(9100, 1024, 100)) in (0, 1024)


def test_fewer_small_packets_need_less_and_are_made_up_for() -> None:
    """Without a shared headroom pool the switch adds 2 KiB to a headroom for half as many small packets."""
    whole = xoff_octets(SPECTRUM4, 400, 40, Packets(9100, 1024, 100))
    half = xoff_octets(SPECTRUM4, 400, 40, Packets(9100, 1024, 50))
    # By octets 11.76 % are in 64-octet packets: 1024 + 94,394 x 1.1176 x ... rounded up, and 2 KiB.
    by_octets = 100 * 64 / ((50 * 64 + 50 * 1024) / 100)
    delay = 9100 + 2 * 40 * 400e3 * 1e9 / 198e6 / 8000 + 0.8 * 1024 + 905 * 64 + 400 * 15
    assert half == ceil((1024 + delay * (100 - by_octets + 3 * by_octets) / 100) / 1024) * 1024 + 2048
    assert half < whole


@pytest.mark.parametrize("near", [5, 40, 300])
def test_the_page_shows_what_the_switch_computes_of_the_files(near: int, tmp_path: Path) -> None:
    intent = write(Site("sonic-202505", "nvidia-sn4700", near, 40), tmp_path / "site")
    shown, rendered = page(intent), files(intent, tmp_path / "out")
    tables = json.loads(rendered["be-leaf-000"]["config_db.json"])
    (pattern,) = tables["LOSSLESS_TRAFFIC_PATTERN"].values()
    assert pattern["small_packet_percentage"] == "100"
    assert "xoff" not in tables["BUFFER_POOL"]["ingress_lossless_pool"], "a shared pool is computed otherwise"
    mtus = {int(row["mtu"]) for name, row in tables["PORT"].items() if f"{name}" in str(tables["CABLE_LENGTH"])}
    (mtu,) = mtus
    rows = {row["length_m"]: row["rendered"] for row in shown["headroom"] if row["role"] == "leaf"}
    for metres, octets in rows.items():
        # 144-octet cells: three for two packets of 64 octets and more, rounded up.
        delay = mtu + 2 * metres * 400e3 * 1e9 / 198e6 / 8000 + 0.8 * 1024 + QUANTA[400] * 64
        assert octets == ceil((int(pattern["mtu"]) + delay * 3) / 1024) * 1024
    (pool,) = [row for row in shown["pools"] if row["role"] == "leaf"]
    assert pool["rendered"] is None
