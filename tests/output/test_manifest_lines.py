"""A manifest as it was written is read line by line; any other as a whole, and both say the same of it."""

from itertools import product
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricgen.errors import FabricError
from fabricgen.output import manifest as of
from fabricgen.output.digests import packed
from fabricgen.output.manifest import Manifest, digest, dump, load_manifest

SHA, OTHER = digest(b""), digest(b"other")
FILES = {"all.csv": SHA, "be-leaf-000/startup.cfg": SHA, "be-leaf-001/startup.cfg": OTHER}
WHOLE = Manifest(
    release="1.0",
    made_by="export hosts",
    devices=packed({"be-leaf-000": SHA, "be-leaf-001": OTHER}),
    inputs={"intent.yaml": SHA, "ü.yaml": SHA},
    files=packed(FILES),
)
LINES = dump(WHOLE).splitlines(keepends=True)


def told(path: Path) -> object:
    """The manifest, or why there is none."""
    try:
        return load_manifest(path)
    except FabricError as error:
        return str(error)


def as_a_whole(path: Path) -> object:
    """The same by the standard library alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of, "_as_dumped", lambda _: None)
        return told(path)


@pytest.mark.parametrize("devices", [{}, {"a": SHA}, {f"be-leaf-{number:04}": SHA for number in range(600)}])
@pytest.mark.parametrize("files", [{}, {"all.csv": SHA}, FILES])
def test_what_was_written_is_read_line_by_line(
    devices: dict[str, str], files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> NoReturn:
        raise AssertionError("read as a whole")

    monkeypatch.setattr(of, "_parsed", never)
    written = Manifest(release="1", made_by="", devices=packed(devices), inputs={"ü": SHA}, files=packed(files))
    (tmp_path / "manifest.json").write_bytes(dump(written))
    assert load_manifest(tmp_path / "manifest.json") == written


ROWS = st.integers(0, len(LINES) - 1)
MORE = (
    *LINES,
    b"",
    b"\n",
    b'  "be-leaf-000/startup.cfg": "0"\n',
    b'  "z": "' + SHA.upper().encode() + b'"\n',
    b'  "\\u0061ll.csv": "0",\n',
    b' "files": {},\n',
    b' "f\\u0069les": {},\n',
    b' "files": {"a": "b"},\n',
    b' "format": 2,\n',
    b' "later": 3,\n',
    b'  "../a": "0",\n',
    b"\xff\n",
    b"}",
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=400)
@given(st.lists(st.tuples(ROWS, st.sampled_from(("out", "in", "for")), st.sampled_from(MORE)), max_size=3))
def test_what_a_hand_has_changed_is_read_as_a_whole(tmp_path: Path, changes: list[tuple[int, str, bytes]]) -> None:
    lines = list(LINES)
    for row, how, line in changes:
        lines[row : row + (how != "in")] = [line] if how != "out" else []
    path = tmp_path / "manifest.json"
    path.write_bytes(b"".join(lines))
    assert told(path) == as_a_whole(path)


@pytest.mark.parametrize("row", range(len(LINES)))
def test_any_one_line_may_be_another_or_gone(row: int, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    for more, behind in product(MORE, (LINES[row:], LINES[row + 1 :])):
        path.write_bytes(b"".join((*LINES[:row], more, *behind)))
        assert told(path) == as_a_whole(path), more


def test_a_manifest_that_ends_early_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    for end in range(len(dump(WHOLE).rstrip())):
        path.write_bytes(dump(WHOLE)[:end])
        assert told(path) == as_a_whole(path)
        assert "output-manifest" in str(told(path))
