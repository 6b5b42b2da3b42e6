"""The list of seeded faults fits what is rendered: each row hits its place, and the edited text can be read."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from tests.audit.seeded import sites
from tests.audit.seeded.__main__ import table
from tests.audit.seeded.catalogue import CANNOT, HARMLESS, ROWS, SYSTEMS, site_of
from tests.audit.seeded.row import KINDS, FitError, Place, Seeded, edited, file_of, places

Site = Mapping[str, Mapping[str, str]]
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Of libyaml where PyYAML has it: ten times faster."""
CLI = {"be-leaf-000": {"config": "one 1\nport A\n  mtu 9\n  up\nport B\n  mtu 9\n  up\nlast\n"}}


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def rendered(system: str, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Site]:
    """The sites of a platform, by variant."""
    firsts = {row.variant: row for row in (*ROWS[system], *HARMLESS[system])}
    found = {}
    for variant, row in firsts.items():
        folder = tmp_path_factory.mktemp(f"{system}{variant}")
        found[variant] = sites.render(site_of(row, folder), folder / "out")
    return found


def files_of(row: Seeded, rendered: Mapping[str, Site]) -> Mapping[str, str]:
    return rendered[row.variant][row.switch]


def test_every_row_hits_what_it_was_written_for(system: str, rendered: Mapping[str, Site]) -> None:
    for row in (*ROWS[system], *HARMLESS[system]):
        before = files_of(row, rendered)
        after = edited(row, before)
        changed = [name for name in before if before[name] != after[name]]
        assert changed == [file_of(row, before)], row
        assert _complaints(after[changed[0]], changed[0]) == [], row


def test_every_place_is_a_few_lines_of_the_edited_file(system: str, rendered: Mapping[str, Site]) -> None:
    for row in ROWS[system]:
        before = files_of(row, rendered)
        after, found = edited(row, before), places(row, before)
        assert found, row
        for place in found:
            assert 1 <= place.first <= place.last <= len(after[place.file].splitlines()), row
            assert place.last - place.first < 10, row


def test_no_two_rows_are_the_same_edit(system: str, rendered: Mapping[str, Site]) -> None:
    rows = (*ROWS[system], *HARMLESS[system])
    seen = {(row.variant, row.switch, *sorted(edited(row, files_of(row, rendered)).items())) for row in rows}
    assert len(seen) == len(rows)


def test_a_row_that_fits_another_text_fails() -> None:
    row = Seeded("eos", "mtu", "be-leaf-000", r"mtu 9$", "mtu 8", "why")
    for wrong in (
        row,
        row._replace(pattern="mtu 10"),
        row._replace(under=("port C",)),
        row._replace(under=("port A",), instead="mtu 9"),
        row._replace(under=("port A",), file="other"),
    ):
        with pytest.raises(FitError):
            edited(wrong, CLI["be-leaf-000"])
    with pytest.raises(FitError):
        places(row._replace(under=("port A",), also=("port C",)), CLI["be-leaf-000"])


@pytest.mark.parametrize(
    ("pattern", "instead", "under", "wanted"),
    [
        (r"mtu 9", "mtu 8", ("port B",), [(6, 6)]),
        (r"^  mtu 9\n", "", ("port B",), [(5, 5), (5, 6)]),
        (r"^last$", r"new\nlast", (), [(8, 8)]),
        (r"^last\n", "", (), [(7, 7), (7, 7)]),
        (r"(?s)(A)(.*)(B)", r"\3\2\1", (), [(2, 2), (5, 5)]),
        (r"^port A\n(?:  .*\n)+", "", (), [(1, 1), (1, 2)]),
    ],
)
def test_places_are_those_of_the_edit(
    pattern: str, instead: str, under: tuple[str, ...], wanted: list[tuple[int, int]]
) -> None:
    row = Seeded("eos", "mtu", "be-leaf-000", pattern, instead, "why", under=under)
    assert list(places(row, CLI["be-leaf-000"])) == [Place("config", *lines) for lines in wanted]


def test_a_place_may_be_another_line_too() -> None:
    row = Seeded("eos", "mtu", "be-leaf-000", r"mtu 9", "mtu 8", "why", under=("port B",), also=("^last$",))
    assert places(row, CLI["be-leaf-000"]) == (Place("config", 6, 6), Place("config", 8, 8))


def test_entries_of_lists_are_found_by_their_key() -> None:
    text = json.dumps({"port": [{"name": "a", "mtu": 9}, {"name": "b", "mtu": 9}]}, indent=2)
    row = Seeded("srlinux", "mtu", "leaf", '"mtu": 9', '"mtu": 8', "why", under=("port", "@name=b"))
    assert places(row, {"config.json": text}) == (Place("config.json", 9, 9),)


def test_there_are_enough_of_every_kind() -> None:
    assert sum(len(rows) for rows in ROWS.values()) >= 200
    for name in SYSTEMS:
        assert len(ROWS[name]) >= 25, name
        assert len(HARMLESS[name]) >= 8, name
        kinds = {row.kind for row in ROWS[name]}
        assert kinds <= KINDS.keys(), name
        assert not kinds & CANNOT[name].keys(), name
        assert kinds | CANNOT[name].keys() == KINDS.keys(), name


def test_every_row_says_why() -> None:
    for name in SYSTEMS:
        for row in ROWS[name]:
            assert row.system == name, row
            assert re.fullmatch(r"[A-Z][^\n]+\.", row.why), row
        for row in HARMLESS[name]:
            assert row.system == name, row
            assert len(row.why) > 10, row


def test_the_table_has_every_kind_and_every_platform() -> None:
    lines = table().splitlines()
    assert [line.split(" | ")[0].strip("| *") for line in lines[2:]] == [*KINDS, "faults", "harmless"]
    assert [cell.strip() for cell in lines[0].strip("|").split("|")] == ["kind", *SYSTEMS]


def _complaints(text: str, name: str) -> list[str]:
    """Why a file of this name cannot be read, whatever it says."""
    if Path(name).suffix == ".json":
        found: list[str] = []
        json.loads(text, object_pairs_hook=lambda pairs: found.extend(_twice([key for key, _ in pairs])))
        return found
    if Path(name).suffix == ".yaml":
        return [word for document in yaml.compose_all(text, LOADER) for word in _twice_in(document)]
    if name == "juniper.conf":
        code = re.sub(r"/\*.*?\*/|##.*|\"[^\"\n]*\"", "", text)
        return [] if code.count("{") == code.count("}") else ["braces"]
    return []


def _twice(keys: list[str]) -> list[str]:
    return [f"{key} twice" for key in set(keys) if keys.count(key) > 1]


def _twice_in(node: yaml.Node | None) -> list[str]:
    if isinstance(node, yaml.MappingNode):
        inside = [word for _, value in node.value for word in _twice_in(value)]
        return [*_twice([key.value for key, _ in node.value]), *inside]
    if isinstance(node, yaml.SequenceNode):
        return [word for value in node.value for word in _twice_in(value)]
    return []
