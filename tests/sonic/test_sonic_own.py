"""config_db.json with something of a user's own in it: raw lines, and templates in place of ours."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fabricgen.device.device import Device, RawLines
from fabricgen.errors import FabricError
from fabricgen.platforms.base.platform import Section
from fabricgen.platforms.sonic.document import document, merged
from fabricgen.platforms.sonic.platform import CONFIG_DB
from fabricgen.render.folder import templates_folder
from fabricgen.render.render import Renderer
from tests.some import some
from tests.sonic import sites

FOLDER = templates_folder() / "sonic"
FILE = "config_db.json"
Part = Any
"""Of a Device: its rows are of many types."""


def switch() -> Device:
    """A leaf with most tables."""
    return sites.fleet("managed", "master")[0]


def with_raw(*parts: str) -> str:
    """config_db.json of the switch with raw lines."""
    raw = tuple(RawLines("", tuple(part.split("\n")), f"raw[{at}]") for at, part in enumerate(parts))
    return sites.rendered(switch()._replace(raw=raw))[FILE]


def by(folder: Path, device: Device, texts: Mapping[str, str]) -> str:
    """config_db.json of a switch by templates of a user's own."""
    for name, text in texts.items():
        (folder / "sonic").mkdir(exist_ok=True)
        (folder / "sonic" / name).write_text(text)
    return next(found.text for found in Renderer(folder).render(device) if found.path.endswith(FILE))


@pytest.mark.parametrize(("name", "release"), sites.CASES)
def test_what_templates_print_is_sorted_and_a_table_stands_in_one(name: str, release: str) -> None:
    """The file that is put side by side is the one that is read, merged and sorted."""
    for index in range(len(sites.fleet(name, release))):
        text = sites.files(name, release, index)[FILE]
        assert merged(text) == text


def upside_down(value: Part) -> Part:
    """A part of a Device with all its rows and texts the other way round, and IPv6 addresses below the others."""
    if isinstance(value, str):
        return type(value)(value.replace("fd5e:", "2:"))
    if not isinstance(value, tuple):
        return value
    found = [upside_down(part) for part in value]
    return type(value)(*found) if hasattr(value, "_fields") else tuple(reversed(found))


@pytest.mark.parametrize(("name", "release"), some(sites.CASES))
def test_rows_are_sorted_whatever_the_order_of_the_device(name: str, release: str) -> None:
    for device in sites.fleet(name, release):
        text = sites.rendered(upside_down(device))[FILE]
        assert merged(text) == text


@pytest.mark.parametrize(
    ("name", "release"), some([("managed", "master"), ("drained", "master"), ("tenants", "master")])
)
def test_a_copy_of_our_templates_renders_what_ours_do(tmp_path: Path, name: str, release: str) -> None:
    copied = {path.name: path.read_text() for path in FOLDER.glob("*.j2")}
    for index, device in enumerate(sites.fleet(name, release)):
        assert by(tmp_path, device, copied) == sites.files(name, release, index)[FILE]


def test_raw_lines_are_merged_into_the_tables_that_they_name() -> None:
    before = json.loads(sites.rendered(switch())[FILE])
    row = {"type": "CTRLPLANE", "services": ["SSH"]}
    text = with_raw(
        json.dumps({"ACL_TABLE": {"SSH": row}, "PORT": {"Ethernet0": {"autoneg": "on"}}}),
        '{"PORT":\n// a remark\n{"Ethernet8": {"autoneg": "off"}}}',
    )
    after = json.loads(text)
    assert after["ACL_TABLE"].pop("SSH") == row
    assert after["PORT"]["Ethernet0"].pop("autoneg") == "on"
    assert after["PORT"]["Ethernet8"].pop("autoneg") == "off"
    assert after == before
    assert merged(text) == text


def test_a_raw_row_of_several_ports_is_one_for_each() -> None:
    after = json.loads(with_raw('{"PORT": {"Ethernet0,Ethernet8": {"autoneg": "on"}}}'))["PORT"]
    assert {name for name, row in after.items() if "autoneg" in row} == {"Ethernet0", "Ethernet8"}
    assert not any("," in name for name in after)


def test_raw_lines_may_say_what_stands_already_and_nothing_else_of_it() -> None:
    name = switch().name
    told = {"DEVICE_METADATA": {"localhost": {"hostname": name}}}
    assert with_raw(json.dumps(told)) == sites.rendered(switch())[FILE]
    with pytest.raises(FabricError) as caught:
        with_raw(json.dumps(told).replace(name, "other"))
    (problem,) = caught.value.problems
    assert problem.code == "raw-syntax"
    assert f"/DEVICE_METADATA/localhost/hostname is '{name}' and 'other'" in problem.why


def test_a_table_that_no_raw_line_names_is_not_read() -> None:
    """It may be long: only what a user has written is worth the time."""
    ours = '{"A": {\n        "x": no JSON,\n}}\n{"B": {\n        "y": {},\n}}\n'
    found = document((Section(ours), Section('{"B": {"z": {}}}')))
    assert '"x": no JSON\n' in found
    assert json.loads(found.replace("no JSON", "1")) == {"A": {"x": 1}, "B": {"y": {}, "z": {}}}


def test_a_template_of_a_user_may_print_objects_of_any_form(tmp_path: Path) -> None:
    lines = (
        '{% for port in context.ports %}\n{"PORT": {"{{ port.row.name }}": {"mtu": "1500"}}}\n{% endfor %}\n'
        '{"PORT": {"Ethernet0": {"autoneg": "on"}}} {"LAST": {"x10": {}, "x9": {"y": ["1"]}}}\n'
    )
    before, text = json.loads(sites.rendered(switch())[FILE]), by(tmp_path, switch(), {"ports.j2": lines})
    after = json.loads(text)
    assert list(after.pop("LAST")) == ["x9", "x10"]
    assert after["PORT"] == {name: {"mtu": "1500"} for name in before["PORT"]} | {
        "Ethernet0": {"autoneg": "on", "mtu": "1500"}
    }
    assert {**after, "PORT": 0} == {**before, "PORT": 0}
    assert merged(text) == text


def test_each_row_and_table_of_ours_is_where_a_user_reads_it() -> None:
    """A comma may stand behind the last field of a row, and behind the last row of a table, in a user's copy, too."""
    text = '{"A": {\n        "x": {\n            "y": "1",\n        },\n}}\n'
    for own in (True, False):
        assert json.loads(document((Section(text, own), Section("")))) == {"A": {"x": {"y": "1"}}}


def test_raw_lines_are_the_last_section() -> None:
    assert CONFIG_DB[-1] == "raw.j2"
