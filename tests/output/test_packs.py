"""Texts that are packed come back as they were, in order, and what is kept of a file is little."""

import tracemalloc
from pathlib import Path

import pytest

from fabricgen.output import packs
from fabricgen.output.before import Before
from fabricgen.output.digests import packed
from fabricgen.output.manifest import FOLDER, Maker, digest
from fabricgen.output.packs import AT_ONCE, Lines, Packs, Texts, octets_of
from fabricgen.output.stage import Stage
from fabricgen.output.staging import STAGE, Staged

COUNTS = (0, 1, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE)


def names(count: int) -> list[str]:
    return sorted(f"train-{number}/é{number % 7}" for number in range(count))


@pytest.mark.parametrize("count", COUNTS)
def test_each_is_found_by_its_number_and_its_place(count: int) -> None:
    every = [octets_of(name) for name in names(count)]
    found = Packs(every)
    assert list(found) == every
    assert len(found) == count
    asked = sorted(enumerate(every), key=lambda each: digest(each[1]))
    for number, each in (*enumerate(every), *asked):
        assert found[number] == each
        assert found.place(each) == number
        assert found.place(each + b"0") == number + 1
    assert found.place(b"") == 0
    assert found.place(b"~") == count


@pytest.mark.parametrize("count", COUNTS)
def test_texts_are_equal_to_a_tuple_of_the_same(count: int) -> None:
    every = tuple(names(count))
    found = Texts(every)
    assert found == every
    assert every == found
    assert found == Texts(every)
    assert found != (*every, "one more")
    assert found != Texts((*every, "one more"))
    assert found != every[1:] or not every
    assert len(found) == count
    assert all(name in found for name in every[:2])
    assert "one more" not in found


@pytest.mark.parametrize("run", [1, 100, 10_000, packs.RUN])
def test_lines_of_any_order_are_sorted(run: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "RUN", run)
    every = sorted((*names(1000), *names(10)), key=lambda name: digest(name.encode()))
    lines = Lines()
    for line in every:
        lines.add(line)
    assert list(lines) == sorted(every)
    assert list(lines) == sorted(every)


SHA = digest(b"")


@pytest.mark.parametrize("other", [SHA.upper(), SHA[1:], f"{SHA}0", f" {SHA[1:]}", f"{SHA}\n", f"g{SHA[1:]}", "0" * 64])
def test_what_is_no_sha_256_is_kept_as_it_stands(other: str) -> None:
    entries = {"a": SHA, "b": other, "c": SHA}
    found = packed(entries)
    assert dict(found) == entries
    assert found != packed(entries | {"b": SHA})
    assert found != packed(entries | {"b": ""})


def test_what_is_kept_of_a_file_is_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Octets of memory for each file more, from its staging to the end of the commit: its digest alone has 32."""
    monkeypatch.setattr(packs, "RUN", 1 << 18)
    few, many = 4_000, 20_000
    octets = _most(tmp_path / "many", many) - _most(tmp_path / "few", few)
    assert octets / (many - few) < 200


def _most(out: Path, files: int) -> int:
    """Most memory that a commit of files that stand has held."""
    (out / FOLDER).mkdir(parents=True)
    stage = Stage(out=out, root=f"{out}/{FOLDER}/{STAGE}", before=Before(out))
    tracemalloc.start()
    for number in range(files):
        path = f"train-{number // 10:05}/etc/systemd/network/10-fabricgen-rail{number % 10}.link"
        stage.take(Staged(path, digest(path.encode()), written=False, edited=False, mark=hash(path)))
    outcome = stage.close({}, Maker("1"), {}, lambda: None)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(outcome.unchanged) == files
    return most
