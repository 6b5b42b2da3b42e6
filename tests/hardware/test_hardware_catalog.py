"""The user's hardware beside ours: it wins, and every fault in it has a position."""

import os
from pathlib import Path

import pytest

import fabricgen.platforms
from fabricgen.errors import FabricError, Problem
from fabricgen.hardware import catalog as hardware
from fabricgen.hardware.catalog import OURS, load_catalog
from fabricgen.hardware.faults import NUMBERS
from fabricgen.hardware.headroom_faults import short_rows
from fabricgen.platforms import PLATFORMS, SYSTEMS
from fabricgen.platforms.spelling_keys import spelling_keys

ASIC = """\
name: mychip
title: A chip
sources:
  sheet: {title: Sheet, place: drawer, date: 2026-01-01}
cited: {terabits: sheet, queues: sheet}
terabits: 1.5
queues: 8
"""

SWITCH = """\
model: mybox
vendor: We
title: A box
sources:
  sheet: {title: Sheet, place: drawer, date: 2026-01-01}
asic: mychip
cages:
- cages: 1-4
  connector: qsfp28
  lanes: 4
  modes:
  - {parts: 1, speed_gbps: 100, lanes: 4}
  - {parts: 4, speed_gbps: 25, lanes: 1}
  source: sheet
port_names:
  frr: {whole: "swp{cage}", part: "swp{cage}s{part}"}
management_port: {frr: eth0}
mtu: 9000
"""


def put(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def problems(root: Path) -> list[Problem]:
    with pytest.raises(FabricError) as caught:
        load_catalog(root)
    return list(caught.value.problems)


def only(root: Path) -> Problem:
    (problem,) = problems(root)
    assert problem.at is not None
    assert problem.what
    assert problem.why
    assert problem.fix
    return problem


def at(problem: Problem) -> tuple[str, int, int]:
    assert problem.at is not None
    return Path(problem.at.file).name, problem.at.line, problem.at.column


@pytest.mark.parametrize(
    ("file", "said", "told"),
    [
        ("switches/arista-7060x6-64pe.yaml", "model: arista-7060x6-64pe\nspellings:\n  eos: {mmuu: x}\n", "mean mmu?"),
        ("asics/tomahawk5.yaml", 'name: tomahawk5\nspellings:\n  sonic: {polo: "1"}\n', "did you mean pool?"),
        (
            "asics/tomahawk5.yaml",
            "name: tomahawk5\nspellings:\n  eos: {speed_400: x}\n",
            "choose one of cluster, ecn_count",
        ),
        ("asics/tomahawk5.yaml", "name: tomahawk5\nspellings:\n  frr: {mmu: x}\n", "remove mmu"),
    ],
)
def test_a_key_that_a_system_does_not_read_is_told(tmp_path: Path, file: str, said: str, told: str) -> None:
    put(tmp_path, file, said)
    with pytest.raises(FabricError) as caught:
        load_catalog(tmp_path, spelling_keys)
    (problem,) = caught.value.problems
    assert problem.code == "unknown-name"
    assert at(problem) == (Path(file).name, 3, said.splitlines()[2].index("{") + 2)
    assert told in problem.fix


def test_systems_read_all_keys_of_the_library_and_have_no_other() -> None:
    """A key that a platform lists is in its code once more, where it is read; the library's keys are listed."""
    library = load_catalog(None)
    for system in SYSTEMS:
        code = "".join(path.read_text() for path in (Path(fabricgen.platforms.__file__).parent / system).rglob("*.py"))
        listed = (*PLATFORMS[system].hardware_keys, *PLATFORMS[system].lossless_keys)
        assert [key for key in listed if code.count(f'"{key.partition("<")[0]}') < 2] == []
        spellings = [thing.spellings for thing in library.switches.values()]
        spellings += [thing.spellings for thing in library.asics.values()]
        used = {key for said in spellings for key in said.get(system, {}) if not key.startswith("speed_")}
        assert used <= set(spelling_keys(system) or ())


def test_without_a_directory_ours_is_all(tmp_path: Path) -> None:
    assert list(load_catalog(tmp_path / "hardware").switches) == list(load_catalog(None).switches)


def test_a_users_box_joins_ours(tmp_path: Path) -> None:
    put(tmp_path, "asics/mychip.yaml", ASIC)
    put(tmp_path, "switches/mybox.yaml", SWITCH)
    catalog = load_catalog(tmp_path)
    assert catalog.switches["mybox"].asic == "mychip"
    assert catalog.asics["mychip"].terabits == 1.5
    assert "arista-7060x6-64pe" in catalog.switches
    assert list(catalog.switches) == sorted(catalog.switches)
    assert len(catalog.switches) == len(load_catalog(None).switches) + 1
    assert "no-such-box" not in catalog.switches
    with pytest.raises(KeyError):
        catalog.switches["no-such-box"]


def test_a_users_file_wins_over_ours(tmp_path: Path) -> None:
    put(tmp_path, "asics/tomahawk5.yaml", ASIC.replace("mychip", "tomahawk5").replace("1.5", "50.5"))
    assert load_catalog(tmp_path).asics["tomahawk5"].terabits == 50.5
    assert load_catalog(None).asics["tomahawk5"].terabits == 51.2


OWN_MEDIA = """\
sources: {a: {title: Sheet, place: drawer, date: 2026-01-01}}
copper:
- {name: dac-osfp-800g, kind: dac, ends: [osfp, osfp], speed_gbps: 800, links: 1, reach_m: 3, end_watts: 0.2, source: a}
- {name: our-own, kind: aec, ends: [osfp, osfp], speed_gbps: 800, links: 1, reach_m: 7, end_watts: 9, source: a}
fits: {qsfp28: [sfp28]}
without: [osfp-2x400g-sr4]
"""


def test_rows_of_users_media_are_added_and_stand_in_for_ours(tmp_path: Path) -> None:
    """Ours has dac-osfp-800g of 2 m, and osfp-2x400g-sr4 at three speeds."""
    ours = load_catalog(None).media
    put(tmp_path, "media.yaml", OWN_MEDIA)
    found = load_catalog(tmp_path).media
    assert {row.name for row in found.copper} == {row.name for row in ours.copper} | {"our-own"}
    assert [row.reach_m for row in found.copper if row.name == "dac-osfp-800g"] == [3]
    gone = [row for row in ours.transceivers if row.name == "osfp-2x400g-sr4"]
    assert len(gone) == 3
    assert found.transceivers == tuple(row for row in ours.transceivers if row not in gone)
    assert found.fits == {**ours.fits, "qsfp28": ("sfp28",)}


def test_an_empty_media_file_changes_nothing(tmp_path: Path) -> None:
    put(tmp_path, "media.yaml", "sources: {}\n")
    assert load_catalog(tmp_path).media.copper == load_catalog(None).media.copper


def test_a_part_that_is_left_out_is_one_of_ours(tmp_path: Path) -> None:
    put(tmp_path, "media.yaml", "sources: {}\nwithout: [osfp-2x400g-sr5]\n")
    problem = only(tmp_path)
    assert (problem.code, at(problem)) == ("unknown-name", ("media.yaml", 2, 11))
    assert problem.fix == "did you mean osfp-2x400g-sr4?"


def test_only_what_is_asked_for_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    opened = Path.open

    def watched(self: Path, *args: str, **options: str) -> object:
        if self.is_relative_to(OURS):
            read.append(self.name)
        return opened(self, *args, **options)  # type: ignore[call-overload]  # passed through as it came

    monkeypatch.setattr(Path, "open", watched)
    hardware._of_library.cache_clear()  # another test has read the library in this process
    hardware._of_model.cache_clear()
    catalog = load_catalog(None)
    assert "tomahawk5" in catalog.asics
    assert read == []
    first = catalog.asics["tomahawk5"]
    assert catalog.asics["tomahawk5"] is first
    assert read == ["tomahawk5.yaml"]
    assert catalog.media is catalog.media
    assert read == ["tomahawk5.yaml", "media.yaml"]


def test_a_catalog_does_not_change() -> None:
    catalog = load_catalog(None)
    with pytest.raises(AttributeError):
        catalog.asics = catalog.asics  # type: ignore[misc]  # that it is refused is what is tested


@pytest.mark.parametrize(
    ("before", "after", "code", "line", "column"),
    [
        ("mtu: 9000", "mtu: ninethousand", "wrong-type", 18, 6),
        ("mtu: 9000", "mtuu: 9000", "unknown-key", 18, 1),
        ("lanes: 4\n", "lanes: 0\n", "out-of-range", 10, 10),
        ("source: sheet", "source: sheat", "hardware-source", 14, 11),
        ("asic: mychip", "asic: mychop", "unknown-name", 6, 7),
        ("model: mybox", "model: mybix", "hardware-name", 1, 8),
        ("frr: eth0", "frr: swp2", "hardware-port-name", 17, 24),
        ("cages: 1-4", "cages: 4-1", "hardware-cages", 8, 10),
        ("cages: 1-4", "cages: one", "bad-pattern", 8, 10),
        ("parts: 4, speed_gbps: 25, lanes: 1", "parts: 4, speed_gbps: 25, lanes: 2", "hardware-lanes", 13, 5),
        ('whole: "swp{cage}"', "whole: swp", "hardware-port-name", 16, 16),
        ('whole: "swp{cage}"', 'whole: "swp{cage}{port}"', "hardware-port-name", 16, 16),
        ('whole: "swp{cage}"', 'whole: "swp{cage"', "hardware-port-name", 16, 16),
        ('whole: "swp{cage}"', 'whole: "swp{cage.real}"', "hardware-port-name", 16, 16),
        ('whole: "swp{cage}"', 'whole: "swp{cage:>9}"', "hardware-port-name", 16, 16),
        ('part: "swp{cage}s{part}"', 'part: "swp{cage}"', "hardware-port-name", 16, 35),
        ("asic: mychip", "asic: mychip\ncited: {mtu: shoot}", "hardware-source", 7, 14),
        ("asic: mychip", "asic: mychip\ncited: {mto: sheet}", "hardware-path", 7, 14),
        ("asic: mychip", "asic: mychip\nunsure: {cages.5: why}", "hardware-path", 7, 19),
        ("vendor: We", "vendor: [We", "yaml-syntax", 3, 6),
        ('whole: "swp{cage}"', 'whole: "swp{cage};reboot"', "hardware-port-name", 16, 16),
        ('whole: "swp{cage}"', 'whole: "swp{cage}\\n"', "bad-pattern", 16, 16),
        ("management_port: {frr: eth0}", 'management_port: {frr: "eth0\\nhostname x"}', "bad-pattern", 17, 24),
        ("mtu: 9000", "mtu: 90000", "out-of-range", 18, 6),
        ("connector: qsfp28", "connector: qfsp28", "hardware-word", 9, 14),
        ("speed_gbps: 100", "speed_gbps: 1000000", "out-of-range", 12, 28),
        ("mtu: 9000", "mtu: 9000\ncites: 1", "unknown-key", 19, 1),
        ("mtu: 9000", 'mtu: 9000\nspellings: {sonic: {pool: "a lot"}}', "hardware-number", 19, 27),
        ("mtu: 9000", 'mtu: 9000\nspellings: {sonic: {lanes: "0 8 #464"}}', "hardware-number", 19, 28),
        ("mtu: 9000", 'mtu: 9000\nspellings: {sonic: {lanes_a_cage: "0"}}', "hardware-number", 19, 35),
        ("mtu: 9000", 'mtu: 9000\nspellings: {sonic: {lanes_a_cage: "999999999"}}', "hardware-number", 19, 35),
        ("mtu: 9000", 'mtu: 9000\nspellings: {sonic: {cell_octets: "0"}}', "hardware-number", 19, 34),
        ("mtu: 9000", 'mtu: 9000\nspellings: {sonic: {hwsku: "a\\nb"}}', "bad-pattern", 19, 28),
        ('part: "swp{cage}s{part}"}\nmanagement_port: {frr: eth0}',
         'part: "swp{cage}s{part}"}\n  eos: {whole: "Et{number}", part: "Et{number}"}\n'
         "management_port: {frr: eth0, eos: Management1}", "hardware-port-name", 8, 3),
        ("management_port: {frr: eth0}", "management_port: {frr: eth0, eos: Management1}", "hardware-systems", 17, 35),
        ("management_port: {frr: eth0}", "management_port: {frr: eth0}\nspellings: {eoss: {}}", "unknown-name", 18, 19),
        ("management_port: {frr: eth0}", "management_port: {frr: eth0}\nwatts: {typical: 9, maximum: 5, source: sheet}",
         "hardware-watts", 18, 18),
    ],
)  # fmt: skip
def test_faults_of_a_users_switch(tmp_path: Path, before: str, after: str, code: str, line: int, column: int) -> None:
    put(tmp_path, "asics/mychip.yaml", ASIC)
    assert SWITCH.count(before) == 1 or before == "lanes: 4\n"
    put(tmp_path, "switches/mybox.yaml", SWITCH.replace(before, after, 1))
    found = problems(tmp_path)
    assert found[0].code == code
    assert at(found[0]) == ("mybox.yaml", line, column)
    assert found[0].what
    assert found[0].why
    assert found[0].fix


ROWS = """\
headroom:
- {speed_gbps: 400, length_m: 5, xoff_octets: 600000, source: sheet}
- {speed_gbps: 400, length_m: 40, xoff_octets: 612140, source: sheet}
"""


@pytest.mark.parametrize(
    ("folder", "text"), [("switches", SWITCH + ROWS), ("asics", ASIC + ROWS)], ids=["switch", "chip"]
)
def test_rows_of_headroom_that_can_not_be(tmp_path: Path, folder: str, text: str) -> None:
    """A row 100 times too small, one below a shorter one's, and two for one link."""
    put(tmp_path, "asics/mychip.yaml", ASIC)
    name = {"switches": "mybox", "asics": "mychip"}[folder]
    start = text[: text.index("headroom:")].count("\n")
    file = f"{folder}/{name}.yaml"
    put(tmp_path, file, text)
    load_catalog(tmp_path)
    put(tmp_path, file, text.replace("612140", "6121"))
    short, place = only(tmp_path), (f"{name}.yaml", start + 3, 48)
    assert (short.code, at(short)) == ("hardware-headroom", place)
    assert short.why.startswith("at least 38200 arrive before the peer stops")
    put(tmp_path, file, text.replace("612140", "61214"))
    assert at(only(tmp_path)) == place
    put(tmp_path, file, text.replace("length_m: 40", "length_m: 5"))
    assert only(tmp_path).code == "hardware-headroom"


def test_every_row_of_ours_is_above_the_least() -> None:
    ours = load_catalog(None)
    tables = [switch.headroom for switch in ours.switches.values()]
    tables += [asic.headroom for asic in ours.asics.values()]
    assert sum(map(len, tables)) > 100
    assert [row for rows in tables for row in short_rows(rows)] == []


@pytest.mark.parametrize(
    ("more", "code", "why"),
    [
        ("fit: {formula: guess, constants: {}, source: sheet}", "hardware-fit", "formula guess is none of"),
        ("fit: {formula: tomahawk-wire, constants: {reaction_seconds: 1.0e-6}, source: sheet}\ncell_octets: 254",
         "hardware-fit", "the fit lacks metres_per_second"),
        ("fit: {formula: tomahawk-wire, constants: {reaction_seconds: 1.0e-6, metres_per_second: 2.0e8}, "
         "source: sheet}", "hardware-fit", "the fit needs cell_octets"),
        ("load_balancing: [ecmp, dlb-flowlett]", "hardware-word",
         "it must be one of ecmp, dlb-flowlet, dlb-per-packet"),
        ("buffer_octets: 1000000000000001", "out-of-range", "ports share) is 1000000000000000 octets"),
        ("ecn_units: [kbytes, cell]", "hardware-word",
         "it must be one of kbytes, bytes, mbytes, segments, milliseconds"),
        ('spellings: {junos: {chip_octets: "1e9"}}', "hardware-number", "it is a number from 0 to 1000000000000"),
    ],
)  # fmt: skip
def test_faults_of_a_users_chip(tmp_path: Path, more: str, code: str, why: str) -> None:
    put(tmp_path, "asics/mychip.yaml", ASIC + more + "\n")
    problem = only(tmp_path)
    assert (problem.code, at(problem)[:2]) == (code, ("mychip.yaml", 8))
    assert why in problem.why


def test_numbers_among_spellings_are_those_of_ours() -> None:
    ours = load_catalog(None)
    words: dict[str, list[str]] = {}
    spelled = [switch.spellings for switch in ours.switches.values()]
    spelled += [asic.spellings for asic in ours.asics.values()]
    for spellings in spelled:
        for system in spellings.values():
            for key, word in system.items():
                words.setdefault(key, []).append(word)
    numbers = {key for key, found in words.items() if all(word.lstrip("-").isdigit() for word in found)}
    assert numbers <= {*NUMBERS, "release"}
    assert set(NUMBERS) <= set(words)


@pytest.mark.parametrize("kind", ["file", "loop"])
@pytest.mark.parametrize("name", ["", "switches", "asics", "servers"])
def test_what_stands_in_the_place_of_a_folder(tmp_path: Path, kind: str, name: str) -> None:
    path = tmp_path / "hardware" / name
    path.parent.mkdir(exist_ok=True)
    if kind == "file":
        path.write_text("x")
    else:
        path.symlink_to(path.name)
    problem = only(tmp_path / "hardware")
    assert (problem.code, problem.at and problem.at.file) == ("hardware-stray-file", str(path))


@pytest.mark.parametrize("name", ["media.yaml", "switches/a.yaml"])
def test_what_stands_in_the_place_of_a_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir(parents=True)
    assert only(tmp_path).code == "file-directory"
    (tmp_path / name).rmdir()
    os.mkfifo(tmp_path / name)
    assert only(tmp_path).code == "file-unreadable"


def test_a_missing_key_stands_at_its_mapping(tmp_path: Path) -> None:
    put(tmp_path, "asics/mychip.yaml", ASIC.replace("queues: 8\n", ""))
    codes = {problem.code for problem in problems(tmp_path)}
    assert codes == {"missing-key"}


def test_overlapping_cages(tmp_path: Path) -> None:
    put(tmp_path, "asics/mychip.yaml", ASIC)
    more = SWITCH.replace(
        "port_names:\n", SWITCH[SWITCH.index("- cages") : SWITCH.index("port_names")] + "port_names:\n"
    )
    put(tmp_path, "switches/mybox.yaml", more)
    problem = only(tmp_path)
    assert (problem.code, at(problem)) == ("hardware-cages", ("mybox.yaml", 15, 10))


@pytest.mark.parametrize(("key", "value"), [("first_release", '"10.4"'), ("release_trains", "[23.4X100]")])
def test_releases_of_a_system_that_the_box_does_not_run(tmp_path: Path, key: str, value: str) -> None:
    put(tmp_path, "asics/mychip.yaml", ASIC)
    put(tmp_path, "switches/mybox.yaml", SWITCH + f"{key}: {{fr: {value}}}\n")
    problem = only(tmp_path)
    assert problem.code == "unknown-name"
    assert at(problem)[:2] == ("mybox.yaml", 19)
    assert "frr" in problem.fix


def test_faults_of_a_users_server(tmp_path: Path) -> None:
    text = """\
model: myhost
vendor: We
title: A host
sources: {sheet: {title: Sheet, place: drawer, date: 2026-01-01}}
gpus: 0
nics:
  data: {speed_gbps: 100, connector: qsfp28, ports: [], vendor: nvidia, source: sheet}
  more: {speed_gbps: 100, connector: qsfp28, ports: [{name: a}], vendor: nvidia, device_names: [x, y], source: sheet}
"""
    put(tmp_path, "servers/myhost.yaml", text)
    assert [(problem.code, at(problem)) for problem in problems(tmp_path)] == [
        ("hardware-ports", ("myhost.yaml", 7, 9)),
        ("hardware-ports", ("myhost.yaml", 8, 96)),
    ]


def test_a_rail_that_no_server_has_is_out_of_range(tmp_path: Path) -> None:
    """More rails than a number of ports can be counted in would be divided for hours."""
    put(tmp_path, "servers/myhost.yaml", HOST.replace("{name: a}", "{name: a, rail: 4294967296}"))
    assert only(tmp_path).code == "out-of-range"


HOST = """\
model: myhost
vendor: We
title: A host
sources: {sheet: {title: Sheet, place: drawer, date: 2026-01-01}}
gpus: 0
nics:
  data:
    speed_gbps: 800
    connector: osfp-rhs
    ports: [{name: a}, {name: b}]
    planes: 2
    plane_choices: [1, 2, 4]
    vendor: nvidia
    pci_addresses: ["0000:18:00.0", "0000:18:00.1"]
    source: sheet
"""


def test_a_host_that_is_right(tmp_path: Path) -> None:
    put(tmp_path, "servers/myhost.yaml", HOST)
    group = load_catalog(tmp_path).servers["myhost"].nics["data"]
    assert (group.planes, group.plane_choices) == (2, (1, 2, 4))
    assert group.pci_addresses == ("0000:18:00.0", "0000:18:00.1")


@pytest.mark.parametrize(
    ("before", "after", "code", "line", "column"),
    [
        (', "0000:18:00.1"]', "]", "hardware-ports", 14, 20),
        ("18:00.1", "18:00.0", "hardware-ports", 14, 20),
        ("{name: b}", "{name: a}", "hardware-ports", 10, 31),
        ("18:00.1", "18:00.8", "bad-pattern", 14, 37),
        ("18:00.1", "1C:00.1", "bad-pattern", 14, 37),
        ('pci_addresses: ["0000:18:00.0", "0000:18:00.1"]', "device_names: [x, x]", "hardware-ports", 14, 19),
        ("planes: 2", "planes: 8", "hardware-planes", 11, 13),
        ("    planes: 2\n    plane_choices: [1, 2, 4]", "    plane_choices: [2, 4]", "hardware-planes", 11, 20),
        ("[1, 2, 4]", "[1, 2, 3]", "hardware-planes", 12, 20),
        ("    planes: 2\n    plane_choices: [1, 2, 4]", "    planes: 3", "hardware-planes", 11, 13),
        ("[1, 2, 4]", "[0, 2]", "out-of-range", 12, 21),
        ("gpus: 0", "gpus: 0\nwatts: {source: sheet}", "hardware-watts", 6, 8),
    ],
)
def test_faults_of_a_users_nic(tmp_path: Path, before: str, after: str, code: str, line: int, column: int) -> None:
    assert HOST.count(before) == 1
    put(tmp_path, "servers/myhost.yaml", HOST.replace(before, after))
    problem = only(tmp_path)
    assert (problem.code, at(problem)) == (code, ("myhost.yaml", line, column))


def test_no_box_draws_nothing(tmp_path: Path) -> None:
    put(tmp_path, "asics/mychip.yaml", ASIC)
    put(tmp_path, "switches/mybox.yaml", SWITCH + "watts: {source: sheet}\n")
    assert only(tmp_path).code == "hardware-watts"
    put(tmp_path, "switches/mybox.yaml", SWITCH + "watts: {typical: 700, source: sheet}\n")
    assert load_catalog(tmp_path).switches["mybox"].watts is not None


def test_faults_of_users_media(tmp_path: Path) -> None:
    text = """\
sources: {a: {title: Sheet, place: drawer, date: 2026-01-01}}
copper:
- {name: y, kind: dac, ends: [osfp, osfp], speed_gbps: 400, links: 4, far_plugs: 3, reach_m: 2, end_watts: 1, source: a}
- {name: z, kind: rope, ends: [osfp, osfp], speed_gbps: 400, links: 1, reach_m: 2, end_watts: 1, source: a}
"""
    put(tmp_path, "media.yaml", text)
    problem = only(tmp_path)
    assert (problem.code, at(problem)) == ("bad-choice", ("media.yaml", 4, 19))
    put(tmp_path, "media.yaml", text.replace("rope", "aec"))
    problem = only(tmp_path)
    assert (problem.code, at(problem)) == ("hardware-cable", ("media.yaml", 3, 82))


def test_all_files_speak_at_once(tmp_path: Path) -> None:
    put(tmp_path, "asics/mychip.yaml", ASIC.replace("queues: 8", "queues: many"))
    put(tmp_path, "asics/second.yaml", ASIC)
    put(tmp_path, "switches/mybox.yaml", SWITCH.replace("mtu: 9000", "mtu: none"))
    assert {(problem.code, at(problem)[0]) for problem in problems(tmp_path)} == {
        ("wrong-type", "mychip.yaml"),
        ("hardware-name", "second.yaml"),
        ("wrong-type", "mybox.yaml"),
    }


def test_files_that_would_never_be_read(tmp_path: Path) -> None:
    put(tmp_path, "switch/mybox.yaml", SWITCH)
    put(tmp_path, "asics/mychip.yml", ASIC)
    put(tmp_path, "asics/.mychip.yaml.swp", "")
    found = problems(tmp_path)
    assert [(problem.code, Path(problem.at.file).name) for problem in found if problem.at] == [
        ("hardware-stray-file", "mychip.yml"),
        ("hardware-stray-file", "switch"),
    ]
    assert found[1].fix == "did you mean switches?"


def test_not_utf_8(tmp_path: Path) -> None:
    put(tmp_path, "asics/mychip.yaml", ASIC).write_bytes(ASIC.encode() + b"# \xff\n")
    assert at(only(tmp_path)) == ("mychip.yaml", 8, 3)
