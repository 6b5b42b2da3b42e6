"""Models are found, unpacked for a while and read; libyang says what is wrong with a document, or why it cannot."""

import importlib.util
import io
import tarfile
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from tests.judges import junos, models, sonic, srlinux, yang

needs_libyang = pytest.mark.skipif(yang.available() is not None, reason=f"judge: {yang.available()}")

MODEL = """\
module port {
  namespace "urn:port";
  prefix p;
  feature breakout;
  feature optics;
  container port {
    leaf mtu { type uint16 { range "68..9216"; } must "../name" { error-message "no name"; } }
    leaf name { type string; }
    leaf lanes { if-feature breakout; type uint8; }
    leaf module { if-feature "optics"; type empty; }
    leaf of { type leafref { path "/port/name"; } }
  }
}
"""


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for FABRICGEN_MODELS, with one archive of one file."""
    monkeypatch.setenv("FABRICGEN_MODELS", str(tmp_path))
    _pack(tmp_path / models.ARCHIVES["junos"], "models/port.yang")
    return tmp_path


def test_models_are_looked_for_in_the_folder_named(packed: Path) -> None:
    assert models.available("junos") is None
    (packed / models.ARCHIVES["junos"]).unlink()
    assert models.available("junos") == (
        "no junos-qfx-yang-24.4R1.tar.xz in ../shared/data beside the checkout nor in FABRICGEN_MODELS"
    )


def test_models_are_looked_for_beside_the_checkout(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FABRICGEN_MODELS")
    monkeypatch.setattr(models, "BESIDE", packed)
    assert models.available("junos") is None
    assert "sonic-yang-202505.tar.xz" in str(models.available("sonic-202505"))


def test_unpacked_models_are_gone_after_use(packed: Path) -> None:
    with models.unpacked("junos") as folder:
        assert (folder / "models/port.yang").read_text() == MODEL
        assert packed not in folder.parents
    assert not folder.exists()


@pytest.mark.usefixtures("packed")
def test_unpacked_models_are_gone_after_a_failure() -> None:
    folders: list[Path] = []
    with pytest.raises(ZeroDivisionError):
        _unpack_and_fail(folders)
    assert not folders[0].exists()


def test_an_archive_writes_nowhere_else(packed: Path) -> None:
    _pack(packed / models.ARCHIVES["junos"], "../outside.yang")
    with pytest.raises(FabricError, match="outside"), models.unpacked("junos"):
        pass


def test_an_unknown_name_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        models.available("windows")


def test_judges_say_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABRICGEN_MODELS", str(tmp_path))
    monkeypatch.setattr(yang, "available", lambda: None)
    for judge, archive in ((sonic, "sonic-yang"), (srlinux, "srlinux-yang"), (junos, "junos-qfx-yang")):
        assert archive in str(judge.available())


def test_judges_say_that_libyang_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    for judge in (sonic, srlinux, junos):
        assert "make judges" in str(judge.available())


@needs_libyang
@pytest.mark.parametrize(
    ("document", "said"),
    [
        ('{"port:port": {"name": "a", "mtu": 9216, "of": "a"}}', ""),
        ("{}", ""),
        ('{"port:port": {"name": "a", "mtu": 9217}}', 'value "9217" is out of the allowed range'),
        ('{"port:port": {"mtu": 9216}}', "no name"),
        ('{"port:port": {"speed": 9216}}', 'Node "speed" not found'),
        ('{"port:port": {"name": "a", "of": "b"}}', 'Invalid leafref value "b"'),
        ('{"port:port": {"lanes": 4}}', 'Node "lanes" not found'),
        ('{"port:port": {"module": [null]}}', ""),
    ],
)
def test_libyang_judges_a_document(document: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "port.yang"
    path.write_text(MODEL)
    context = yang.read(tmp_path, [path], without_features=["breakout"])
    found = yang.faults(context, document, "json")
    assert bool(found) == bool(said)
    assert said in "\n".join(found)


def test_musts_are_taken_out_and_all_else_stays() -> None:
    assert 'type uint16 { range "68..9216"; }  }' in yang.without_musts(MODEL)
    assert MODEL.replace(' must "../name" { error-message "no name"; }', " ") == yang.without_musts(MODEL)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("leaf a { must 'b;c'; type d; }", "leaf a {  type d; }"),
        ('leaf a { must "b" + " }" { error-message \'{\'; } }', "leaf a {  }"),
        ("leaf must { description must; }", "leaf must { description must; }"),
        ("// must be\nleaf a { description 'you must;'; }", "// must be\nleaf a { description 'you must;'; }"),
    ],
)
def test_what_is_a_must(text: str, left: str) -> None:
    assert yang.without_musts(text) == left


def _pack(archive: Path, name: str) -> None:
    with tarfile.open(archive, "w:xz") as made:
        member = tarfile.TarInfo(name)
        member.size = len(MODEL)
        made.addfile(member, io.BytesIO(MODEL.encode()))


def _unpack_and_fail(folders: list[Path]) -> None:
    with models.unpacked("junos") as folder:
        folders.append(folder)
        raise ZeroDivisionError
