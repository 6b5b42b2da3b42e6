"""A manifest is written in pieces; together they are what the standard library writes of it at once."""

import json

from hypothesis import given
from hypothesis import strategies as st

from fabricgen.output.digests import Gathered, packed
from fabricgen.output.manifest import AT_ONCE, Manifest, dump, dumped

MAPS = st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=6)


def at_once(manifest: Manifest) -> bytes:
    values = {
        "devices": dict(manifest.devices),
        "files": dict(manifest.files),
        "format": 1,
        "inputs": dict(manifest.inputs),
        "made_by": manifest.made_by,
        "release": manifest.release,
    }
    return (json.dumps(values, indent=1, sort_keys=True) + "\n").encode()


@given(MAPS, MAPS, MAPS, st.text(max_size=8))
def test_the_same_octets(devices: dict[str, str], files: dict[str, str], inputs: dict[str, str], word: str) -> None:
    manifest = Manifest(release=word, made_by=word, devices=packed(devices), inputs=inputs, files=packed(files))
    assert dump(manifest) == at_once(manifest)


def test_no_piece_has_more_than_some_lines() -> None:
    files = {f"be-leaf-{number}/startup-config": "0" * 64 for number in range(3 * AT_ONCE)}
    manifest = Manifest(release="1", made_by="", devices=packed({}), inputs={}, files=packed(files))
    pieces = list(dumped(manifest))
    assert max(piece.count(b"\n") for piece in pieces) <= AT_ONCE
    assert b"".join(pieces) == at_once(manifest)


NAMES = st.text(st.sampled_from("ab/0-\ud800é"), max_size=4)


@given(st.dictionaries(NAMES, NAMES, max_size=8), st.lists(NAMES, max_size=12))
def test_packed_names_are_found_as_in_a_dictionary(entries: dict[str, str], asked: list[str]) -> None:
    """In any order of the questions: what is asked for next is looked for beside what was asked for last."""
    found = packed(entries)
    assert dict(found) == entries
    assert list(found) == sorted(entries)
    for name in (*asked, *sorted(entries), *sorted(entries, reverse=True)):
        assert found.get(name) == entries.get(name)
        number = found.number(name)
        assert number == (sorted(entries).index(name) if name in entries else None)
        below = [path for path in sorted(entries) if path.startswith(f"{name}/")]
        assert [path for _, path in found.below(name)] == below
        assert [found.digest(at) for at, _ in found.below(name)] == [entries[path] for path in below]


@given(
    st.dictionaries(st.from_regex(r"[a-z0-9./-]{1,6}", fullmatch=True), st.from_regex(r"[0-9a-f]{4}", fullmatch=True))
)
def test_what_is_gathered_in_any_order_is_sorted(entries: dict[str, str]) -> None:
    gathered = Gathered()
    for name, digest in entries.items():
        gathered.add(name, digest)
    found = gathered.digests()
    assert list(found.pairs()) == sorted(entries.items())
    assert found == packed(entries)
    assert {name: found[name] for name in entries} == entries
    assert all(name in found for name in entries)
    assert "~" not in found
