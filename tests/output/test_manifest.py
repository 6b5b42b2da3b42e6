"""A manifest is sorted JSON, one entry a line; what is not as a render writes it is refused with the reason."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.errors import FabricError
from fabricgen.output.manifest import Manifest, digest, dump, load_manifest
from tests.some import rounds

SHA, OTHER = digest(b""), digest(b"other")
WHOLE = Manifest(
    release="1.0",
    made_by="export hosts",
    devices={"be-leaf-000": SHA, "be-leaf-001": OTHER},
    inputs={"intent.yaml": SHA, "ü.yaml": SHA},
    files={"all.csv": SHA, "be-leaf-000/startup.cfg": SHA, "be-leaf-001/startup.cfg": OTHER},
)


def refused(path: Path) -> str:
    """Why a manifest is refused."""
    with pytest.raises(FabricError) as error:
        load_manifest(path)
    (problem,) = error.value.problems
    assert problem.code == "output-manifest"
    return problem.why


NAMES = st.from_regex(r"[a-zé0-9-]{1,6}", fullmatch=True)
MAPS = st.dictionaries(NAMES, st.text(max_size=8), max_size=6)


@rounds(100)
@given(MAPS, MAPS, MAPS, st.text(max_size=8))
def test_what_was_written_is_read(
    tmp_path_factory: pytest.TempPathFactory,
    devices: dict[str, str],
    files: dict[str, str],
    inputs: dict[str, str],
    word: str,
) -> None:
    written = Manifest(release=word, made_by=word, devices=devices, inputs=inputs, files=files)
    path = tmp_path_factory.getbasetemp() / "manifest.json"
    path.write_bytes(dump(written))
    found = load_manifest(path)
    assert found == written
    assert found is not None
    assert list(found.files) == sorted(files)


def test_the_order_in_which_files_came_is_not_seen() -> None:
    other = Manifest(
        release=WHOLE.release,
        made_by=WHOLE.made_by,
        devices=dict(reversed([*WHOLE.devices.items()])),
        inputs=dict(reversed([*WHOLE.inputs.items()])),
        files=dict(reversed([*WHOLE.files.items()])),
    )
    assert dump(other) == dump(WHOLE)
    assert dump(WHOLE).count(b"\n") == 2 + 3 * 2 + 2 + 3 + 2 + 3  # braces, three maps, their entries, three words


def test_files_are_sorted_whatever_the_order_of_a_manifest_is(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    values = json.loads(dump(WHOLE))
    path.write_text(json.dumps(values | {"files": dict(reversed([*WHOLE.files.items()]))}))
    found = load_manifest(path)
    assert found is not None
    assert list(found.files) == sorted(WHOLE.files)


def test_a_manifest_that_ends_early_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    for end in range(len(dump(WHOLE).rstrip())):
        path.write_bytes(dump(WHOLE)[:end])
        assert refused(path) == "it is not JSON"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": 2}, "not of format 1"),
        ({"files": {"../a": SHA}}, "it lists a file that no render writes"),
        ({"files": {"a": 1}}, "of the wrong type"),
        ({"files": [SHA]}, "of the wrong type"),
        ({"devices": None}, "of the wrong type"),
        ({"inputs": {"/etc/passwd": SHA}}, "it lists a file that no render writes"),
        ({"release": 1}, "of the wrong type"),
    ],
)
def test_what_no_render_writes_is_refused(change: dict[str, object], why: str, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(json.loads(dump(WHOLE)) | change))
    assert why in refused(path)


def test_what_a_later_release_adds_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(json.loads(dump(WHOLE)) | {"later": 3}))
    assert load_manifest(path) == WHOLE


def test_there_may_be_none(tmp_path: Path) -> None:
    assert load_manifest(tmp_path / "manifest.json") is None
    assert load_manifest(tmp_path / "a" / "manifest.json") is None
