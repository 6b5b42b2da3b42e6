"""A user's file over ours of the same name: what it says counts, all else is ours, and it is checked like ours."""

from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.hardware.catalog import OURS, load_catalog
from fabricgen.hardware.model import Mode

SOURCES = "sources: {sheet: {title: Sheet of ours, place: drawer, date: 2026-11-01}}\n"
BOX = "arista-7060x6-64pe"


def put(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def refused(root: Path) -> list[tuple[str, str, int, str]]:
    """Code, file, line and text of each problem."""
    with pytest.raises(FabricError) as error:
        load_catalog(root)
    rows = [(problem, problem.at) for problem in error.value.problems]
    return [(row.code, Path(at.file).name, at.line, row.what) for row, at in rows if at is not None]


def test_a_chip_differs_in_one_value(tmp_path: Path) -> None:
    ours = load_catalog(None).asics["tomahawk5"]
    put(tmp_path, "asics/tomahawk5.yaml", f"name: tomahawk5\n{SOURCES}cited: {{ecmp_width: sheet}}\necmp_width: 512\n")
    chip = load_catalog(tmp_path).asics["tomahawk5"]
    assert (chip.ecmp_width, ours.ecmp_width) == (512, 128)
    assert chip.cited["ecmp_width"] == "sheet"
    assert "ecmp_width" not in chip.unsure
    assert chip.sources.keys() == ours.sources.keys() | {"sheet"}
    same = {"ecmp_width", "cited", "unsure", "sources"}
    assert chip.model_dump(exclude=same) == ours.model_dump(exclude=same)
    assert chip.cited == {**ours.cited, "ecmp_width": "sheet"}
    assert chip.unsure == {path: why for path, why in ours.unsure.items() if path != "ecmp_width"}


def test_our_source_is_not_given_for_a_value_of_the_user(tmp_path: Path) -> None:
    put(tmp_path, "asics/tomahawk5.yaml", "name: tomahawk5\ncell_octets: 256\n")
    chip = load_catalog(tmp_path).asics["tomahawk5"]
    assert chip.cell_octets == 256
    assert "cell_octets" not in chip.cited
    assert load_catalog(None).asics["tomahawk5"].cited["cell_octets"] == "fboss"


def test_a_row_of_headroom_is_added_and_one_is_changed(tmp_path: Path) -> None:
    rows = [(800, 300, 1700000), (800, 500, 2600000)]
    text = "".join(
        f"- {{speed_gbps: {speed}, length_m: {metres}, xoff_octets: {octets}, source: sheet}}\n"
        for speed, metres, octets in rows
    )
    put(tmp_path, "asics/tomahawk5.yaml", f"name: tomahawk5\n{SOURCES}headroom:\n{text}")
    ours = {(row.speed_gbps, row.length_m): row.xoff_octets for row in load_catalog(None).asics["tomahawk5"].headroom}
    found = {(row.speed_gbps, row.length_m): row for row in load_catalog(tmp_path).asics["tomahawk5"].headroom}
    assert {key: row.xoff_octets for key, row in found.items()} == {**ours, (800, 300): 1700000, (800, 500): 2600000}
    assert {row.source for key, row in found.items() if key[1] in (300, 500) and key[0] == 800} == {"sheet"}


def test_a_mode_is_added_to_a_run_of_cages(tmp_path: Path) -> None:
    (first, *others) = load_catalog(None).switches[BOX].cages
    mode = "{parts: 2, speed_gbps: 100, lanes: 4}"
    put(tmp_path, f"switches/{BOX}.yaml", f"model: {BOX}\ncages:\n- cages: {first.cages}\n  modes: [{mode}]\n")
    found = load_catalog(tmp_path).switches[BOX].cages
    assert found[0].modes == (*first.modes, Mode(parts=2, speed_gbps=100, lanes=4))
    assert found[0].model_dump(exclude={"modes"}) == first.model_dump(exclude={"modes"})
    assert [*found[1:]] == others


def test_runs_of_other_ends_replace_the_run(tmp_path: Path) -> None:
    runs = "".join(
        f"- {{cages: {cages}, connector: osfp, lanes: 8, source: sheet, modes: [{{parts: 1, speed_gbps: {speed}, "
        "lanes: 8}]}\n"
        for cages, speed in (("1-32", 800), ("33-64", 400))
    )
    put(tmp_path, f"switches/{BOX}.yaml", f"model: {BOX}\n{SOURCES}cages:\n{runs}")
    switch = load_catalog(tmp_path).switches[BOX]
    ours = load_catalog(None).switches[BOX]
    assert sorted(run.cages for run in switch.cages) == sorted(
        {"1-32", "33-64", *(run.cages for run in ours.cages if run.service)}
    )
    assert not [path for path in (*switch.cited, *switch.unsure) if path.startswith("cages.1-64")]


def test_a_server_gets_its_pci_addresses(tmp_path: Path) -> None:
    addresses = [f"0000:{number:02x}:00.0" for number in range(1, 9)]
    words = ", ".join(f'"{address}"' for address in addresses)
    put(tmp_path, "servers/hgx-b200.yaml", f"model: hgx-b200\nnics: {{compute: {{pci_addresses: [{words}]}}}}\n")
    found = load_catalog(tmp_path).servers["hgx-b200"].nics
    ours = load_catalog(None).servers["hgx-b200"].nics
    assert found["compute"] == ours["compute"].model_copy(update={"pci_addresses": tuple(addresses)})
    assert found["frontend"] == ours["frontend"]


def test_what_is_left_out_is_not_there(tmp_path: Path) -> None:
    ours = load_catalog(None).switches[BOX]
    assert {"eos", "frr"} <= ours.port_names.keys()
    left_out = "[port_names.frr, management_port.frr, watts, watts]"
    put(tmp_path, f"switches/{BOX}.yaml", f"model: {BOX}\nwithout: {left_out}\n")
    switch = load_catalog(tmp_path).switches[BOX]
    assert switch.port_names.keys() == ours.port_names.keys() - {"frr"}
    assert switch.watts is None
    assert not [path for path in (*switch.cited, *switch.unsure) if path.split(".")[-1] == "frr"]


def test_a_whole_file_of_ours_changes_nothing(tmp_path: Path) -> None:
    for folder in ("asics", "switches", "servers"):
        for path in (OURS / folder).glob("*.yaml"):
            put(tmp_path, f"{folder}/{path.name}", path.read_text())
    ours, found = load_catalog(None), load_catalog(tmp_path)
    for one, other in ((ours.switches, found.switches), (ours.asics, found.asics), (ours.servers, found.servers)):
        assert dict(one) == dict(other)


FAULTS = {
    "a wrong value": ("asics/tomahawk5.yaml", "name: tomahawk5\ncell_octets: 7\n", ("tomahawk5.yaml", 2)),
    "a source that nobody gives": (
        "asics/tomahawk5.yaml",
        "name: tomahawk5\ncited: {queues: sheet}\n",
        ("tomahawk5.yaml", 2),
    ),
    "a path that is not ours": (
        f"switches/{BOX}.yaml",
        f"model: {BOX}\nwithout:\n- watts\n- cages.1-63\n",
        (f"{BOX}.yaml", 4),
    ),
    "a part of a run of cages": (
        f"switches/{BOX}.yaml",
        f"model: {BOX}\n{SOURCES}cages:\n- {{cages: 1-32, connector: osfp, lanes: 8, source: sheet, modes: ["
        "{parts: 1, speed_gbps: 800, lanes: 8}]}\n",
        (f"{BOX}.yaml", 4),
    ),
    "no list of paths": (f"switches/{BOX}.yaml", f"model: {BOX}\nwithout: watts\n", (f"{BOX}.yaml", 2)),
    "a key that nothing has": ("servers/dgx-h100.yaml", "model: dgx-h100\ngpu: 9\n", ("dgx-h100.yaml", 2)),
    "an empty value": ("asics/tomahawk5.yaml", "name: tomahawk5\nterabits:\n", ("tomahawk5.yaml", 2)),
    "a list for a mapping": ("servers/dgx-h100.yaml", "model: dgx-h100\nnics: [compute]\n", ("dgx-h100.yaml", 2)),
    "no mapping": ("servers/dgx-h100.yaml", "- dgx-h100\n", ("dgx-h100.yaml", 1)),
    "a row without its name": ("asics/tomahawk5.yaml", "name: tomahawk5\nheadroom:\n- 7\n", ("tomahawk5.yaml", 3)),
    "a run that is none": (f"switches/{BOX}.yaml", f"model: {BOX}\ncages:\n- cages: x\n", (f"{BOX}.yaml", 3)),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_stands_in_the_file_of_the_user(tmp_path: Path, name: str) -> None:
    path, text, place = FAULTS[name]
    put(tmp_path, path, text)
    assert {row[1:3] for row in refused(tmp_path)} >= {place}


def test_paths_that_are_not_ours_are_told_together_with_those_that_are(tmp_path: Path) -> None:
    put(tmp_path, f"switches/{BOX}.yaml", f"model: {BOX}\nwithout: [port_names.fr, wats]\n")
    with pytest.raises(FabricError) as error:
        load_catalog(tmp_path)
    assert [problem.fix for problem in error.value.problems] == ["did you mean port_names.frr?", "did you mean watts?"]


def test_a_system_needs_both_tables(tmp_path: Path) -> None:
    put(tmp_path, f"switches/{BOX}.yaml", f"model: {BOX}\nwithout: [management_port.eos]\n")
    ((code, _, _, what),) = refused(tmp_path)
    assert (code, what) == ("hardware-systems", "management_port has no eos")


def test_watts_of_the_user_are_not_unsure_for_our_reason(tmp_path: Path) -> None:
    name = "arista-7050cx4-24d8"
    assert "watts" in load_catalog(None).switches[name].unsure
    put(tmp_path, f"switches/{name}.yaml", f"model: {name}\n{SOURCES}watts: {{typical: 300, source: sheet}}\n")
    switch = load_catalog(tmp_path).switches[name]
    assert switch.watts is not None
    assert (switch.watts.typical, switch.watts.source) == (300, "sheet")
    assert "watts" not in switch.unsure


def test_parts_of_ours_stay_unsure_beside_a_media_file(tmp_path: Path) -> None:
    ours = load_catalog(None).media
    put(tmp_path, "media.yaml", "sources: {}\nwithout: [osfp-2x400g-fr4]\n")
    found = load_catalog(tmp_path).media
    assert "transceivers.osfp-2x400g-fr4" in ours.unsure
    assert found.unsure == {path: why for path, why in ours.unsure.items() if "osfp-2x400g-fr4" not in path.split(".")}


def test_a_run_that_is_written_twice_is_not_lost(tmp_path: Path) -> None:
    run = "{cages: 1-64, connector: osfp, lanes: 8, source: sheet, modes: [{parts: 1, speed_gbps: 800, lanes: 8}]}"
    put(tmp_path, f"switches/{BOX}.yaml", f"model: {BOX}\n{SOURCES}cages:\n- {run}\n- {run}\n")
    assert ("hardware-cages", f"{BOX}.yaml", 5, "cage 1 is described twice") in refused(tmp_path)


@pytest.mark.parametrize(
    ("octets", "what", "fix"),
    [
        (1000000, "which contradicts 6 other rows", "at most 446024 fits the other rows"),
        (39319, "which contradicts 6 other rows", "at least 229362 fits the other rows"),
        (450000, "400G at 5 m has more headroom than 400G at 40 m", "in both rows"),
    ],
)
def test_one_wrong_row_of_headroom_is_one_problem_at_the_row(tmp_path: Path, octets: int, what: str, fix: str) -> None:
    """The library's rows for 400G: 393192 octets at 5 m, 446024 at 40 m; 229362 for 200G at 5 m."""
    row = f"{{speed_gbps: 400, length_m: 5, xoff_octets: {octets}, source: sheet}}"
    put(tmp_path, "asics/tomahawk5.yaml", f"{SOURCES}headroom:\n- {row}\n")
    with pytest.raises(FabricError) as error:
        load_catalog(tmp_path)
    [problem] = error.value.problems
    assert problem.at is not None
    assert (Path(problem.at.file), problem.at.line) == (tmp_path / "asics/tomahawk5.yaml", 3)
    assert (what in problem.what, fix in problem.fix) == (True, True), problem


def test_of_a_table_of_the_user_the_fewest_rows_are_wrong(tmp_path: Path) -> None:
    """The second of four rows, which is above both longer ones; each other row agrees with the rest."""
    octets = (100_000, 900_000, 300_000, 400_000)
    rows = "".join(
        f"- {{speed_gbps: 400, length_m: {10 * (at + 1)}, xoff_octets: {each}, source: sheet}}\n"
        for at, each in enumerate(octets)
    )
    put(
        tmp_path,
        "asics/mychip.yaml",
        f"name: mychip\ntitle: A chip\n{SOURCES}terabits: 1.5\nqueues: 8\nheadroom:\n{rows}",
    )
    [(code, file, line, _)] = refused(tmp_path)
    assert (code, file, line) == ("hardware-headroom", "mychip.yaml", 8)


@pytest.mark.parametrize(
    ("name", "text", "line", "fix"),
    [
        ("switches/arista-7060x6-64p.yaml", "mtu: 9000\n", 1,
         "rename it to arista-7060x6-64pe.yaml, or write all of these keys"),
        ("servers/dgx-h100.yaml", "nics:\n  comput: {planes: 2}\n", 2, "did you mean compute? Or write them"),
        ("asics/tomahawk5.yaml", "headroom:\n- {speed_gbps: 400, length_m: 6}\n", 2,
         "did you mean speed_gbps: 400, length_m: 60? Or write them"),
        (f"switches/{BOX}.yaml", "cages:\n- {cages: 1-64, modes: [{parts: 3, speed_gbps: 400, every: 2}]}\n", 2,
         "did you mean parts: 1, speed_gbps: 400? Or write it"),
    ],
)  # fmt: skip
def test_a_name_that_lies_over_nothing_is_one_problem(
    tmp_path: Path, name: str, text: str, line: int, fix: str
) -> None:
    put(tmp_path, name, text + SOURCES)
    with pytest.raises(FabricError) as error:
        load_catalog(tmp_path)
    [problem] = error.value.problems
    assert problem.at is not None
    assert (problem.code, problem.at.line, problem.fix) == ("hardware-overlay", line, fix)


def test_a_key_that_is_left_out_of_a_group_of_ours_is_no_misspelt_name(tmp_path: Path) -> None:
    put(tmp_path, "servers/dgx-h100.yaml", "without: [nics.compute.connector]\n")
    assert [row[0] for row in refused(tmp_path)] == ["hardware-path"]


def test_a_connector_has_a_cage_and_a_cable(tmp_path: Path) -> None:
    """A new one is known when a media file of the user has a part for it, and a switch of the user a cage."""
    part = (
        "{name: xd, connector: osfp-xd, speed_gbps: 1600, links: 1, reach: dr8, reach_m: 500, watts: 30, source: sheet}"
    )
    put(tmp_path, "media.yaml", f"{SOURCES}transceivers:\n- {part}\n")
    assert [row[:3] for row in refused(tmp_path)] == [("hardware-word", "media.yaml", 3)]
    put(tmp_path, f"switches/{BOX}.yaml", "cages:\n- {cages: 1-64, connector: osfp-xd}\n")
    assert load_catalog(tmp_path).switches[BOX].cages[0].connector == "osfp-xd"
    put(tmp_path, "media.yaml", SOURCES)
    assert [row[:3] for row in refused(tmp_path)] == [("hardware-word", f"{BOX}.yaml", 2)]


@pytest.mark.parametrize("path", ["cages.1-64.modes", "mtu"])
def test_a_needed_fact_that_is_left_out_is_told_at_the_users_line(tmp_path: Path, path: str) -> None:
    put(tmp_path, f"switches/{BOX}.yaml", f"watts: {{typical: 700, source: sheet}}\n{SOURCES}without: [{path}]\n")
    what = f"without leaves out {path}, which every such row or file has"
    assert refused(tmp_path) == [("hardware-path", f"{BOX}.yaml", 3, what)]
    with pytest.raises(FabricError) as error:
        load_catalog(tmp_path)
    place = error.value.problems[0].at
    assert place is not None
    assert Path(place.file).is_relative_to(tmp_path)


def test_a_module_of_more_links_than_a_cage_has_is_refused(tmp_path: Path) -> None:
    """No panel of the library is split into more than eight: an OSFP cage has eight lanes."""
    row = "{name: own, connector: osfp, speed_gbps: 100, links: %d, reach: sr4, reach_m: 50, watts: 9, source: sheet}"
    put(tmp_path, "media.yaml", f"{SOURCES}transceivers:\n- {row % 20}\n")
    assert refused(tmp_path) == [("hardware-cable", "media.yaml", 3, "own carries 20 links")]
    put(tmp_path, "media.yaml", f"{SOURCES}transceivers:\n- {row % 8}\n")
    load_catalog(tmp_path)
