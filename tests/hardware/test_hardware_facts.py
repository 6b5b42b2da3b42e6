"""Our hardware files: all load, every fact has a source or is marked unsure, and literal values are the sources'."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from fabricgen.hardware.catalog import OURS, Catalog, hardware_faults, load_catalog
from fabricgen.hardware.faults import leads_somewhere, media_faults
from fabricgen.hardware.headroom_faults import contradictions, fit_faults
from fabricgen.hardware.model import Asic, Media, ServerModel, SwitchModel
from fabricgen.policy.headroom import HeadroomFacts, bare_fit
from fabricgen.policy.headroom_fit import HeadroomInput
from fabricgen.source.document import read_document

FILES = sorted(OURS.glob("*/*.yaml"))
HEAD = frozenset({"sources", "cited", "unsure", "model", "name", "title", "vendor"})

Thing = SwitchModel | Asic | ServerModel | Media


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(None)


def load(catalog: Catalog, path: Path) -> Thing:
    shelves: dict[str, Mapping[str, Thing]] = {
        "switches": catalog.switches,
        "asics": catalog.asics,
        "servers": catalog.servers,
    }
    return catalog.media if path.name == "media.yaml" else shelves[path.parent.name][path.stem]


def used_sources(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, below in value.items():
            if key == "source":
                yield below
            elif key not in ("sources", "unsure"):
                yield from used_sources(below)
    elif isinstance(value, tuple | list):
        for below in value:
            yield from used_sources(below)


def facts(value: object, path: str) -> Iterator[str]:
    """Paths of all written facts that have no `source` beside or above them."""
    if isinstance(value, dict):
        if "source" in value:
            return
        for key, below in value.items():
            yield from facts(below, f"{path}.{key}" if path else key)
    elif isinstance(value, tuple | list) and value and isinstance(value[0], dict):
        for below in value:
            yield from facts(below, path)
    else:
        yield path


def orphans(thing: Thing) -> set[str]:
    """Facts that neither a source beside them, nor `cited`, nor `unsure` accounts for."""
    written = {key: value for key, value in thing.model_dump(exclude_unset=True).items() if key not in HEAD}
    covered = (*thing.cited, *thing.unsure)
    return {
        fact for fact in facts(written, "") if not any(fact == path or fact.startswith(f"{path}.") for path in covered)
    }


@pytest.mark.parametrize("path", [*FILES, OURS / "media.yaml"], ids=lambda path: path.stem)
def test_every_fact_has_a_source_and_every_source_is_used(catalog: Catalog, path: Path) -> None:
    thing = load(catalog, path)
    document = read_document(path)
    found = (
        list(media_faults(thing, document))
        if isinstance(thing, Media)
        else list(hardware_faults(thing, path.stem, document, catalog))
    )
    assert found == []
    dump = thing.model_dump()
    assert {*used_sources(dump), *thing.cited.values()} == set(thing.sources)
    assert orphans(thing) == set()


def test_a_fact_without_a_source_is_seen(catalog: Catalog) -> None:
    asic = catalog.asics["tomahawk5"]
    cited = {path: key for path, key in asic.cited.items() if path != "terabits"}
    assert orphans(asic.model_copy(update={"cited": cited})) == {"terabits"}


def test_paths_name_items_of_lists() -> None:
    value = {"copper": ({"name": "dac", "reach_m": 2},), "cages": [{"cages": "1-64", "lanes": 8}]}
    assert leads_somewhere(value, "copper.dac.reach_m")
    assert leads_somewhere(value, "cages.1-64.lanes")
    assert not leads_somewhere(value, "copper.dac.reach")
    assert not leads_somewhere(value, "copper.0")
    assert not leads_somewhere(value, "cages.1-64.lanes.more")


def test_no_file_of_ours_is_left_out(catalog: Catalog) -> None:
    """Each file is read, under its own name."""
    read = {"switches": [*catalog.switches], "asics": [*catalog.asics], "servers": [*catalog.servers]}
    assert {folder: sorted(names) for folder, names in read.items()} == {
        folder: sorted(path.stem for path in FILES if path.parent.name == folder) for folder in read
    }
    assert sum(len(names) for names in read.values()) == len(FILES)


# Read in the tables of sonic-buildimage 086b03bd, column xoff.
PUBLISHED = {
    "tomahawk5": {  # Dell-Z9864f-O64
        (100, 5): 147066, (100, 300): 258572, (200, 40): 255778, (400, 5): 393192, (400, 40): 446024,
        (400, 300): 839216, (800, 5): 729488, (800, 40): 835406, (800, 300): 1621536,
        (400, 150): 611328, (400, 500): 1136396,  # Arista-7060X6-64PE-B-O128
    },
    "tomahawk5-25t6": {(100, 5): 147066, (400, 40): 446024, (800, 300): 1621536},  # Dell-Z9864f-O64
    "tomahawk6": {  # NH-4210-F-P128
        (25, 300): 254940, (100, 5): 229740, (200, 40): 412860, (400, 30): 712740, (400, 500): 1887900,
        (800, 5): 1249080, (800, 40): 1424220, (800, 500): 3724140,
    },
    "tomahawk2": {(40, 5): 29536, (100, 5): 54080, (100, 40): 59696, (100, 300): 101088},  # profile th2/7260
    "tomahawk4": {(100, 5): 129032, (200, 300): 437134, (400, 40): 424434, (400, 300): 817372},
    "trident4-bcm56780": {(100, 40): 181896, (200, 5): 273162, (400, 5): 470004, (400, 300): 1028412},
    "spectrum3": {  # Mellanox-SN4700-C128
        (10, 300): 30720, (100, 5): 59392, (100, 40): 66560, (200, 40): 80896, (200, 300): 188416,
        (400, 5): 115712, (400, 40): 144384, (400, 300): 358400,
    },
    "spectrum4": {  # ACS-SN5600
        (10, 5): 45056, (100, 40): 126976, (400, 5): 231424, (400, 40): 283648, (400, 300): 677888,
        (800, 5): 257024, (800, 40): 362496, (800, 300): 1150976,
    },
    "spectrum1": {(10, 300): 36864, (100, 5): 30720, (100, 40): 38912, (100, 300): 104448},  # ACS-SN2201
    "spectrum2": {(25, 40): 35840, (100, 40): 44032, (200, 5): 35840, (200, 300): 203776},  # ACS-MSN3700
    "spectrum6": {  # ACS-SN6600_LD
        (100, 40): 48128, (400, 5): 81920, (400, 300): 244736, (800, 5): 147456, (800, 40): 186368, (800, 300): 473088,
    },
    "tomahawk3": {(100, 40): 74422, (400, 5): 178562, (400, 300): 373888, (400, 2000): 1498092},  # DellEMC-Z9332f-O32
    "trident3": {(10, 5): 46080, (25, 40): 67840, (100, 5): 162048, (100, 300): 272640},  # DellEMC-S5232f-C32
}  # fmt: skip


@pytest.mark.parametrize("chip", PUBLISHED)
def test_headroom_rows_are_the_vendors(catalog: Catalog, chip: str) -> None:
    rows = {(row.speed_gbps, row.length_m): row.xoff_octets for row in catalog.asics[chip].headroom}
    assert {key: rows[key] for key in PUBLISHED[chip]} == PUBLISHED[chip]
    assert len(rows) == len(catalog.asics[chip].headroom)


@pytest.mark.parametrize(
    ("chip", "worst_percent"),
    [
        ("tomahawk5", 0.1),
        ("tomahawk5-25t6", 0.1),
        ("tomahawk6", 3.2),
        ("tomahawk4", 0.6),
        ("trident4-bcm56780", 1.9),
        ("spectrum4", 0.5),
        ("spectrum3", 0.3),
    ],
)
def test_fits_reproduce_the_rows_they_were_made_for(catalog: Catalog, chip: str, worst_percent: float) -> None:
    asic = catalog.asics[chip]
    table = HeadroomFacts(asic_rows=asic.headroom, fit=asic.fit, cell_octets=asic.cell_octets)
    assert fit_faults(asic.fit, asic.cell_octets) == ()
    assert contradictions(enumerate(asic.headroom)) == {}
    assert asic.fit is not None
    mtu = {"tomahawk-wire": 9216, "sonic-dynamic": 9100}[asic.fit.formula]
    for row in asic.headroom:
        if row.speed_gbps < 400 or row.source == "64pe-b":
            continue
        fitted = bare_fit(table, HeadroomInput(row.speed_gbps, row.length_m, mtu))
        assert fitted is not None
        assert abs(fitted / row.xoff_octets - 1) * 100 <= worst_percent


@pytest.mark.parametrize(
    ("chip", "source", "rows", "broken"),
    [
        ("tomahawk3", "z9332f", 10, 0),
        ("tomahawk4", "z9664f", 21, 0),
        ("tomahawk5", "z9864f", 24, 0),
        ("tomahawk6", "nh4210", 28, 0),
        ("trident3", "s5232f", 15, 0),
        ("trident4-bcm56780", "s5448f", 21, 3),  # 40G and 50G at 40 m are one octet off, 100G at 300 m is 134
    ],
)
def test_published_octets_are_whole_cells(catalog: Catalog, chip: str, source: str, rows: int, broken: int) -> None:
    asic = catalog.asics[chip]
    cell = asic.cell_octets
    assert cell is not None
    own = [row for row in asic.headroom if row.source == source]
    assert len(own) == rows
    assert sum(row.xoff_octets % cell != 0 for row in own) == broken
    assert [pool for pool in (asic.buffer_octets, asic.headroom_pool_octets) if pool and pool % cell] == []


def test_headroom_of_the_very_model(catalog: Catalog) -> None:
    switch = catalog.switches["arista-7060x6-64pe"]
    rows = {(row.speed_gbps, row.length_m): row.xoff_octets for row in switch.headroom}
    assert rows == {
        **dict.fromkeys([(400, 5), (400, 40), (400, 150)], 612140),
        **dict.fromkeys([(100, 5), (100, 40), (200, 5), (200, 40)], 300990),
    }
    assert switch.headroom_pool_octets == 29423360
    assert contradictions(enumerate(switch.headroom)) == {}


def test_chips_and_sizes(catalog: Catalog) -> None:
    """By the makers' data sheets. A model that is not here is held to the source that its own file names."""
    chips = {
        "arista-7050cx4-24d8": "trident4-bcm56780",
        "arista-7050dx4-32s": "trident4-bcm56880",
        "arista-7060dx5-32": "tomahawk4",
        "arista-7060dx5-64s": "tomahawk4",
        "arista-7060x6-32pe": "tomahawk5-25t6",
        "arista-7060x6-64de": "tomahawk5",
        "arista-7060x6-64pe": "tomahawk5",
        "arista-7060x6-64pe-b": "tomahawk5",
        "arista-7260cx3-64": "tomahawk2",
        "arista-7388x5-8dr": "tomahawk4",
        "celestica-silverstone": "tomahawk3",
        "cisco-n93180yc-fx3": "cloudscale-fx3",
        "cisco-n9332d-gx2b": "cloudscale-gx2b",
        "cisco-n9336c-fx2": "cloudscale-fx2",
        "cisco-n9364d-gx2a": "cloudscale-gx2a",
        "cisco-n9364e-sg2-o": "silicon-one-g200",
        "dell-z9332f-on": "tomahawk3",
        "dell-z9432f-on": "trident4-bcm56880",
        "cisco-n9364e-sg2-q": "silicon-one-g200",
        "dell-z9664f-on": "tomahawk4",
        "dell-z9864f-on": "tomahawk5",
        "juniper-qfx5130-32cd": "trident4-bcm56880",
        "juniper-qfx5220-128c": "tomahawk3",
        "juniper-qfx5220-32cd": "tomahawk3",
        "juniper-qfx5230-64cd": "tomahawk4",
        "juniper-qfx5240-64od": "tomahawk5",
        "juniper-qfx5241-64od": "tomahawk5",
        "edgecore-as9716-32d": "tomahawk3",
        "micas-m2-w6940-64oc": "tomahawk5",
        "micas-m2-w6950-128oc": "tomahawk6",
        "nexthop-4010": "tomahawk5",
        "nexthop-4020": "tomahawk5",
        "nexthop-4210": "tomahawk6",
        "nexthop-4220": "tomahawk6",
        "juniper-qfx5240-64qd": "tomahawk5",
        "nokia-7220-ixr-d2l": "trident3",
        "nokia-7220-ixr-d3l": "trident3",
        "nokia-7220-ixr-d4": "trident4-bcm56780",
        "nokia-7220-ixr-d5": "trident4-bcm56880",
        "nokia-7220-ixr-h3": "tomahawk3",
        "nokia-7220-ixr-h4": "tomahawk4",
        "nokia-7220-ixr-h4-32d": "tomahawk4-12t8",
        "nokia-7220-ixr-h5-32d": "tomahawk5-25t6",
        "nokia-7220-ixr-h5-64d": "tomahawk5",
        "nokia-7220-ixr-h5-64o": "tomahawk5",
        "nokia-7220-ixr-h6-128": "tomahawk6",
        "nokia-7220-ixr-h6-64": "tomahawk6",
        "nvidia-sn2201": "spectrum1",
        "nvidia-sn3420": "spectrum2",
        "nvidia-sn3700": "spectrum2",
        "nvidia-sn3700c": "spectrum2",
        "nvidia-sn4410": "spectrum3",
        "nvidia-sn4600": "spectrum3",
        "nvidia-sn4600c": "spectrum3",
        "nvidia-sn4700": "spectrum3",
        "nvidia-sn5400": "spectrum4",
        "nvidia-sn5600": "spectrum4",
        "nvidia-sn5600d": "spectrum4",
        "nvidia-sn5610": "spectrum4",
        "nvidia-sn5640": "spectrum5",
        "supermicro-sse-t8164": "tomahawk5",
        "nvidia-sn6600-ld": "spectrum6",
    }
    assert {name: catalog.switches[name].asic for name in chips} == chips
    tomahawk5 = catalog.asics["tomahawk5"]
    assert (tomahawk5.cell_octets, tomahawk5.headroom_pool_octets) == (254, 33374584)
    assert {
        switch.spellings["eos"]["speed_400_8"]
        for switch in catalog.switches.values()
        if "arista-7060dx5" in switch.model
    } == {"400g-8"}
    assert [name for name, asic in catalog.asics.items() if "eos" in asic.spellings] == [
        "tomahawk2",
        "tomahawk4",
        "tomahawk5",
        "tomahawk5-25t6",
        "trident4-bcm56780",
    ]
    assert all(
        asic.spellings["eos"]["transmit_queue"] == "uc-tx-queue"
        for asic in catalog.asics.values()
        if "eos" in asic.spellings
    )


def test_sizes_of_the_spectrum_chips(catalog: Catalog) -> None:
    """Cells of platform/mellanox/asic_table.j2; egress lossless pools of ACS-MSN2700, ACS-MSN3700 and ACS-SN6600_LD.

    Pools of SN4700-C128 and -O32 (t1), SN5600-V256, SN5640-O128X2.
    """
    found = {
        name: (asic.terabits, asic.cell_octets, asic.buffer_octets, asic.headroom_pool_octets)
        for name, asic in catalog.asics.items()
        if name.startswith("spectrum")
    }
    assert found == {
        "spectrum1": (3.2, 96, 13945824, None),
        "spectrum2": (6.4, 144, 34287552, None),
        "spectrum3": (12.8, 144, 60817392, 9682944),
        "spectrum4": (51.2, 192, 158229504, 60293120),
        "spectrum5": (51.2, 192, 136209408, None),
        "spectrum6": (102.4, 256, 226492416, None),
    }


def test_sizes_of_half_a_chip(catalog: Catalog) -> None:
    """Pools of Nokia-IXR7220-H4-32D and -H5-32D in SONiC, half of the lanes in their port tables; cells of FBOSS."""
    names = ("tomahawk4-12t8", "tomahawk5-25t6")
    found = {
        name: (asic.terabits, asic.cell_octets, asic.buffer_octets)
        for name, asic in ((name, catalog.asics[name]) for name in names)
    }
    assert found == {"tomahawk4-12t8": (12.8, 254, 57482232), "tomahawk5-25t6": (25.6, 254, 80424520)}


def test_mtu_of_the_other_makers(catalog: Catalog) -> None:
    """9216 is the default of Cumulus Linux, and the most that SONiC's YANG model of a port takes.

    9202 of Juniper is 9216 less a header of 14 (Juniper/jvd at 005ab34).
    9398 of Nokia is the 9412 of a port that is not tagged, less 14 (nokia/srlinux-yang-models at 97b373e); a box of
    Nokia that runs SONiC, too, has the least of both.
    """
    most = {"NVIDIA": 9216, "Dell": 9216, "Cisco": 9216, "Juniper": 9202, "Nokia": 9398}
    boxes = [switch for switch in catalog.switches.values() if switch.vendor in most]
    found = {(switch.vendor, switch.mtu) for switch in boxes if "sonic" not in switch.port_names}
    assert found | {("Dell", 9216)} == set(most.items())
    sonic = [switch for switch in catalog.switches.values() if "sonic" in switch.port_names]
    assert {switch.mtu for switch in sonic if "eos" not in switch.port_names} == {9216}
    assert {switch.mtu for switch in catalog.switches.values() if "eos" in switch.port_names} == {9214}


def test_a_chip_without_lossless_rows_asks_for_the_worst_case(catalog: Catalog) -> None:
    """All SN5640 skus are lossy only, with 104448 at 400G and 40 m; ACS-SN5600, of the same cell, has 283648."""
    asic = catalog.asics["spectrum5"]
    assert asic.headroom == ()
    table = HeadroomFacts(asic_rows=asic.headroom, fit=asic.fit, cell_octets=asic.cell_octets)
    fitted = bare_fit(table, HeadroomInput(400, 40, 9100))
    assert fitted is not None
    assert abs(fitted / 283648 - 1) < 0.005


def test_speeds_are_spelled_for_each_mode(catalog: Catalog) -> None:
    """Accepted by PyAVD 6.4.0's schema: 100g-1, 100g-2, 100g-4, 200g-2, 200g-4, 400g-4, 400g-8, 800g-8."""
    accepted = {"100g-1", "100g-2", "100g-4", "200g-2", "200g-4", "400g-4", "400g-8", "800g-8"}
    boxes = [switch for switch in catalog.switches.values() if "eos" in switch.port_names]
    assert {switch.vendor for switch in boxes} == {"Arista"}
    for switch in boxes:
        words = switch.spellings["eos"]
        modes = {mode for run in switch.cages if not run.service for mode in run.modes}
        assert {f"speed_{mode.speed_gbps}_{mode.lanes}" for mode in modes} <= set(words)
        assert {word for key, word in words.items() if key.startswith("speed_")} <= accepted


def test_dgx_h100_ports_are_in_the_order_of_gpus(catalog: Catalog) -> None:
    """Table 6 of the user guide: port, GPU, default RDMA name."""
    guide = {
        "OSFP1P1": (7, "mlx5_11"),
        "OSFP1P2": (4, "mlx5_6"),
        "OSFP2P1": (6, "mlx5_10"),
        "OSFP2P2": (5, "mlx5_9"),
        "OSFP3P1": (2, "mlx5_4"),
        "OSFP3P2": (1, "mlx5_3"),
        "OSFP4P1": (3, "mlx5_5"),
        "OSFP4P2": (0, "mlx5_0"),
    }
    compute = catalog.servers["dgx-h100"].nics["compute"]
    assert {
        port.name: (port.rail, device) for port, device in zip(compute.ports, compute.device_names, strict=True)
    } == guide
    assert [port.rail for port in compute.ports] == list(range(8))
    assert all(port.name.startswith(port.cage) for port in compute.ports)


def test_dgx_h200_is_cabled_as_dgx_h100(catalog: Catalog) -> None:
    """Table 5 of the user guide of both: port, PCI bus, RDMA name."""
    guide = {
        "OSFP1P1": ("0000:dc:00.0", "mlx5_11"),
        "OSFP1P2": ("0000:9a:00.0", "mlx5_6"),
        "OSFP2P1": ("0000:ce:00.0", "mlx5_10"),
        "OSFP2P2": ("0000:c0:00.0", "mlx5_9"),
        "OSFP3P1": ("0000:4f:00.0", "mlx5_4"),
        "OSFP3P2": ("0000:40:00.0", "mlx5_3"),
        "OSFP4P1": ("0000:5e:00.0", "mlx5_5"),
        "OSFP4P2": ("0000:18:00.0", "mlx5_0"),
        "Slot1 port 1": ("0000:aa:00.0", "mlx5_7"),
        "Slot1 port 2": ("0000:aa:00.1", "mlx5_8"),
        "Slot2 port 1": ("0000:29:00.0", "mlx5_1"),
        "Slot2 port 2": ("0000:29:00.1", "mlx5_2"),
    }
    groups = catalog.servers["dgx-h200"].nics.values()
    rows = [zip(group.ports, group.pci_addresses, group.device_names, strict=True) for group in groups]
    assert {port.name: (address, device) for row in rows for port, address, device in row} == guide
    assert catalog.servers["dgx-h200"].nics["compute"].ports == catalog.servers["dgx-h100"].nics["compute"].ports


def test_gb200_tray(catalog: Catalog) -> None:
    """Table of the GB200 compute tray in the Mission Control guide: port, PCIe bus, RDMA name."""
    nics = catalog.servers["gb200-nvl72"].nics
    found = {
        port.name: (address, device)
        for group in (nics["compute"], nics["frontend"])
        for port, address, device in zip(group.ports, group.pci_addresses, group.device_names, strict=True)
    }
    assert found == {
        "Left Bay OSFP P3": ("0000:03:00.0", "mlx5_0"),
        "Left Bay OSFP P4": ("0002:03:00.0", "mlx5_1"),
        "Right Bay OSFP P3": ("0010:03:00.0", "mlx5_4"),
        "Right Bay OSFP P4": ("0012:03:00.0", "mlx5_5"),
        "Left Bay BF3 P1": ("0006:03:00.0", "mlx5_2"),
        "Right Bay BF3 P1": ("0016:03:00.0", "mlx5_6"),
    }


def test_planes_of_the_servers(catalog: Catalog) -> None:
    """B300, GB300, Rubin: two planes of 400G; the NIC configuration operator takes 1, 2 or 4. All others are whole."""
    divided = {
        (name, key): (group.planes, group.plane_choices)
        for name, server in catalog.servers.items()
        for key, group in server.nics.items()
        if group.planes > 1 or group.plane_choices
    }
    assert divided == dict.fromkeys(
        [(name, "compute") for name in ("dgx-b300", "gb300-nvl72", "hgx-b300", "vr-nvl72")], (2, (1, 2, 4))
    )


RAILS = {
    "gaudi3-hls3": [module for module in range(8) for _ in range(3)],  # three ports of each accelerator
    "pcie-2-4-3-200": [0, 1],  # one SuperNIC for two GPUs, here and in the next two
    "pcie-2-8-5-200": [0, 1, 2, 3],
    "rtx-pro-6000-2-8-5-200": [0, 1, 2, 3],
    "vr-nvl72": [0, 1, 2, 3, 4, 5, 6, 7],  # two NICs for one GPU; eight rails in the reference architecture
}
"""Rails of the servers that do not have one NIC a GPU."""


def test_gpus_and_rails(catalog: Catalog) -> None:
    """A NIC a GPU, `RAILS` excepted: 72 GPUs are 18 trays of four."""
    for name, server in catalog.servers.items():
        if "compute" in server.nics:
            assert server.gpus == (4 if "nvl72" in name or name == "pcie-2-4-3-200" else 8)
            rails = [port.rail for port in server.nics["compute"].ports]
            assert rails == RAILS.get(name, list(range(server.gpus)))


def test_marking_follows_the_maker_of_the_nic(catalog: Catalog) -> None:
    makers = {name: server.nics["compute"].vendor for name, server in catalog.servers.items() if server.gpus}
    others = {name: maker for name, maker in makers.items() if maker != "nvidia"}
    assert others == {
        "gaudi3-hls3": "intel",
        **{f"{gpu}-pollara": "amd" for gpu in ("mi300x", "mi325x", "mi355x")},
        **{f"{gpu}-thor2": "broadcom" for gpu in ("mi300x", "mi325x", "mi355x")},
    }


def test_server_groups(catalog: Catalog) -> None:
    groups = {
        (name, key): (group.speed_gbps, len(group.ports), group.connector)
        for name, server in catalog.servers.items()
        for key, group in server.nics.items()
    }
    assert groups == {
        ("cpu-2x100", "frontend"): (100, 2, "qsfp28"),
        ("ddn-ai400x2", "data"): (200, 8, "qsfp56"),
        ("ddn-ai400x3", "data"): (400, 4, "osfp-rhs"),
        ("dgx-b200", "compute"): (400, 8, "osfp-rhs"),
        ("dgx-b200", "frontend"): (200, 2, "qsfp112"),
        ("dgx-b200", "storage"): (200, 2, "qsfp112"),
        ("dgx-b300", "compute"): (800, 8, "osfp-rhs"),
        ("dgx-b300", "frontend"): (400, 2, "qsfp112"),
        ("dgx-h100", "compute"): (400, 8, "osfp-rhs"),
        ("dgx-h100", "frontend"): (200, 2, "qsfp112"),
        ("dgx-h100", "storage"): (200, 2, "qsfp112"),
        ("dgx-h200", "compute"): (400, 8, "osfp-rhs"),
        ("dgx-h200", "frontend"): (200, 2, "qsfp112"),
        ("dgx-h200", "storage"): (200, 2, "qsfp112"),
        ("gaudi3-hls3", "compute"): (200, 24, "osfp"),
        ("gaudi3-hls3", "frontend"): (200, 2, "qsfp112"),
        ("gb200-nvl72", "compute"): (400, 4, "osfp-rhs"),
        ("gb200-nvl72", "frontend"): (200, 2, "qsfp112"),
        ("gb200-nvl72", "storage"): (200, 2, "qsfp112"),
        ("gb300-nvl72", "compute"): (800, 4, "osfp-rhs"),
        ("gb300-nvl72", "frontend"): (400, 2, "qsfp112"),
        ("hgx-b200", "compute"): (400, 8, "qsfp112"),
        ("hgx-b200", "frontend"): (200, 2, "qsfp112"),
        ("hgx-b300", "compute"): (800, 8, "osfp-rhs"),
        ("hgx-b300", "frontend"): (400, 2, "qsfp112"),
        ("hgx-h100", "compute"): (400, 8, "qsfp112"),
        ("hgx-h100", "frontend"): (200, 2, "qsfp112"),
        ("hgx-h200", "compute"): (400, 8, "qsfp112"),
        ("hgx-h200", "frontend"): (200, 2, "qsfp112"),
        ("mgmt-2x200", "frontend"): (200, 2, "qsfp112"),
        ("mi300x-cx7", "compute"): (400, 8, "qsfp112"),
        ("mi300x-cx7", "frontend"): (200, 2, "qsfp112"),
        ("mi300x-pollara", "compute"): (400, 8, "qsfp112"),
        ("mi300x-pollara", "frontend"): (200, 2, "qsfp112"),
        ("mi300x-thor2", "compute"): (400, 8, "qsfp112"),
        ("mi300x-thor2", "frontend"): (200, 2, "qsfp112"),
        ("mi325x-cx7", "compute"): (400, 8, "qsfp112"),
        ("mi325x-cx7", "frontend"): (200, 2, "qsfp112"),
        ("mi325x-pollara", "compute"): (400, 8, "qsfp112"),
        ("mi325x-pollara", "frontend"): (200, 2, "qsfp112"),
        ("mi325x-thor2", "compute"): (400, 8, "qsfp112"),
        ("mi325x-thor2", "frontend"): (200, 2, "qsfp112"),
        ("mi355x-cx7", "compute"): (400, 8, "qsfp112"),
        ("mi355x-cx7", "frontend"): (200, 2, "qsfp112"),
        ("mi355x-pollara", "compute"): (400, 8, "qsfp112"),
        ("mi355x-pollara", "frontend"): (200, 2, "qsfp112"),
        ("mi355x-thor2", "compute"): (400, 8, "qsfp112"),
        ("mi355x-thor2", "frontend"): (200, 2, "qsfp112"),
        ("netapp-aff-a1k", "data"): (100, 2, "qsfp28"),
        ("netapp-aff-a90", "data"): (200, 8, "qsfp56"),
        ("netapp-aff-a90", "frontend"): (200, 4, "qsfp56"),
        ("netapp-afx-1k", "data"): (100, 4, "qsfp28"),
        ("netapp-afx-2k", "data"): (400, 4, "qsfp112"),
        ("pcie-2-4-3-200", "compute"): (400, 2, "qsfp112"),
        ("pcie-2-4-3-200", "frontend"): (200, 2, "qsfp112"),
        ("pcie-2-8-5-200", "compute"): (400, 4, "qsfp112"),
        ("pcie-2-8-5-200", "frontend"): (200, 2, "qsfp112"),
        ("powerscale-f210", "data"): (100, 2, "qsfp28"),
        ("rtx-pro-6000-2-8-5-200", "compute"): (400, 4, "qsfp112"),
        ("rtx-pro-6000-2-8-5-200", "frontend"): (200, 2, "qsfp112"),
        ("sr675-v3-rtx-pro-6000", "compute"): (200, 8, "qsfp112"),
        ("sr675-v3-rtx-pro-6000", "frontend"): (200, 2, "qsfp112"),
        ("sr680a-v3-h200", "compute"): (400, 8, "qsfp112"),
        ("sr680a-v3-h200", "frontend"): (200, 2, "qsfp112"),
        ("storage-2x200", "data"): (200, 2, "qsfp56"),
        ("ucs-c885a-m8-h200", "compute"): (400, 8, "qsfp112"),
        ("ucs-c885a-m8-h200", "frontend"): (200, 2, "qsfp112"),
        ("vr-nvl72", "compute"): (800, 8, "osfp-rhs"),
        ("xe9680-h200", "compute"): (400, 8, "qsfp112"),
        ("xe9680-h200", "frontend"): (200, 2, "qsfp112"),
    }


def test_makers_systems_are_as_nvidias_launch_kit_has_them(catalog: Catalog) -> None:
    """Presets of NVIDIA/k8s-launch-kit: PCI bus of rails 0 to 7, and of the north-south card; devices by bus."""
    presets = {
        "xe9680-h200": ("1a 3c 4d 5e 9c bc cc dc", "9d"),
        "sr680a-v3-h200": ("19 2a 3b 4c 9b ab c1 cb", "d8"),
        "ucs-c885a-m8-h200": ("09 23 53 69 8f 9c cd f1", "35"),
    }
    for name, (buses, card) in presets.items():
        nics = catalog.servers[name].nics
        assert nics["compute"].pci_addresses == tuple(f"0000:{bus}:00.0" for bus in buses.split())
        assert nics["compute"].device_names == tuple(f"rocep{int(bus, 16)}s0f0" for bus in buses.split())
        assert nics["frontend"].pci_addresses == (f"0000:{card}:00.0", f"0000:{card}:00.1")


def test_sr675_has_two_rails_a_card(catalog: Catalog) -> None:
    """The same kit's preset of the SR675 V3 with RTX PRO 6000: rail, PCI address, device."""
    compute = catalog.servers["sr675-v3-rtx-pro-6000"].nics["compute"]
    found = list(zip(compute.pci_addresses, compute.device_names, strict=True))
    assert found == [
        ("0000:21:00.0", "mlx5_2"),
        ("0000:21:00.1", "mlx5_3"),
        ("0000:65:00.0", "mlx5_6"),
        ("0000:65:00.1", "mlx5_7"),
        ("0000:c1:00.0", "mlx5_8"),
        ("0000:c1:00.1", "mlx5_9"),
        ("0000:e5:00.0", "mlx5_4"),
        ("0000:e5:00.1", "mlx5_5"),
    ]


def test_slots_are_those_of_nvidias_wire_maps(catalog: Catalog) -> None:
    """NVIDIA/enterprise-ras, wire maps of 2-4-3-200, 2-8-5-200 and 2-8-9-400."""
    maps = {
        "pcie-2-4-3-200": ("B3140 Slot 2, B3140 Slot 5", "B3220 Slot 6 Port 1, B3220 Slot 6 Port 2"),
        "pcie-2-8-5-200": (
            "B3140 Slot 15, B3140 Slot 16, B3140 Slot 20, B3140 Slot 21",
            "B3220 Slot 1 Port 1, B3220 Slot 1 Port 2",
        ),
        "hgx-h100": (
            ", ".join(f"B3140 SL{slot} P1" for slot in range(1, 9)),
            "B3220 SL9 P1, B3220 SL9 P2",
        ),
    }
    for name, groups in maps.items():
        nics = catalog.servers[name].nics
        found = tuple(", ".join(port.name for port in nics[key].ports) for key in ("compute", "frontend"))
        assert found == groups


def test_gaudi_ports_that_leave_the_box(catalog: Catalog) -> None:
    """HabanaAI/HCL, connectivity_autogen_HLS3.cpp: scale-out NICs by module. Six cages hold four ports each."""
    ports = catalog.servers["gaudi3-hls3"].nics["compute"].ports
    outside = ["17 20 21", "5 8 9", "5 8 9", "17 20 21", "14 15 19", "2 3 7", "2 3 7", "14 15 19"]
    assert [port.name for port in ports] == [
        f"module {module} NIC {nic}" for module, nics in enumerate(outside) for nic in nics.split()
    ]
    cages = [port.cage for port in ports]
    assert {cages.count(cage) for cage in cages} == {4}


def test_ports_of_netapp_alternate_between_two_switches(catalog: Catalog) -> None:
    """Cabling tables of NetApp: ports a go to one switch, ports b to the other."""
    names = {
        "netapp-aff-a1k": "e9a e9b",
        "netapp-aff-a90": "A e6a, A e6b, A e11a, A e11b, B e6a, B e6b, B e11a, B e11b",
        "netapp-afx-1k": "e2a e2b e3a e3b",
        "netapp-afx-2k": "e3a e3b e9a e9b",
    }
    for name, ports in names.items():
        found = [port.name for port in catalog.servers[name].nics["data"].ports]
        assert found == (ports.split(", ") if "," in ports else ports.split())
        assert "".join(port[-1] for port in found) == "ab" * (len(found) // 2)


def test_in_band_ports_of_dgx_b200(catalog: Catalog) -> None:
    """Base Command Manager's bond of a DGX B200: enp170s0f1np1 and enp41s0f1np1, buses aa and 29."""
    nics = catalog.servers["dgx-b200"].nics
    assert nics["frontend"].pci_addresses == tuple(f"0000:{bus:x}:00.1" for bus in (170, 41))
    assert nics["storage"].pci_addresses == tuple(f"0000:{bus:x}:00.0" for bus in (170, 41))
