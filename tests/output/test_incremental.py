"""A render over a tree that stands writes what one into an empty folder would, octet for octet, and says the same.

What stands is kept by its key alone; the oracle is the same render without anything to keep.
"""

import errno
import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.device.device import Device
from fabricgen.output import memory
from fabricgen.output.commit import AllFiles, commit
from fabricgen.output.manifest import Maker
from fabricgen.output.memory import RenderNotes
from fabricgen.output.previous_render import Before
from fabricgen.output.stamps import NO_STAMP, TICK, is_settled, now_of, stamp_of
from fabricgen.plan.place import Place
from fabricgen.render import tree as pressed
from fabricgen.site.workspace import open_workspace
from fabricgen.workers import tree as runs
from fabricgen.workers import units as of_units
from fabricgen.workers.tasks import Made, Task, Worker
from tests.cli.sites import DEMO, edit, stamps, tree
from tests.some import LONG, some
from tests.stability.live_edits import Random, edited, first, write

STEPS = pytest.mark.parametrize("steps", [5, pytest.param(10, marks=LONG)])
"""Edits of one history, refused ones among them."""


@pytest.fixture(autouse=True)
def _small_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_units, "PLACES", 4)


@pytest.fixture(autouse=True)
def _own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Trees are remembered in a folder of the test's own."""
    folder = tmp_path / "remembered"
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(memory, "cache_folder", lambda name: folder)
    return folder


@pytest.fixture
def pressings(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often switches were resolved, rendered and cabled."""
    counted: Counter[str] = Counter()

    class Counting(pressed.DeviceRenderer):
        def device(self, fabric: str, place: Place) -> Device:
            counted["resolved"] += 1
            return super().device(fabric, place)

        def files(self, device: Device) -> Iterator[tuple[str, bytes]]:
            counted["rendered"] += 1
            return super().files(device)

        def cabling(self, fabric: str, every: Iterable[Place]) -> Iterator[str]:
            found = tuple(every)
            counted["cabled"] += len(found)
            return super().cabling(fabric, found)

    monkeypatch.setattr("fabricgen.workers.tasks.DeviceRenderer", Counting)
    return counted


def render(intent: Path, out: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["render", str(intent), "-o", str(out), *words], catch_exceptions=False)


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    """The demo, without a lock."""
    path = tmp_path / "site/intent.yaml"
    path.parent.mkdir()
    path.write_text(DEMO.read_text())
    return path


@STEPS
@pytest.mark.parametrize("name", some(["demo", "lab", "three-tiers"]))
def test_over_a_tree_as_into_an_empty_folder(name: str, steps: int, tmp_path: Path, pressings: Counter[str]) -> None:
    dice, site = Random(f"{name} by hand"), first(name)
    intent = write(site, tmp_path / "site")
    out, told = tmp_path / "out", Counter[str]()
    assert render(intent, out).exit_code == 0
    plan = open_workspace(intent).plan
    for step in range(steps):
        turned = edited(site, plan, dice)
        write(turned, tmp_path / "site")
        lock = (tmp_path / "site/fabricgen.lock").read_bytes()
        pressings.clear()
        over = render(intent, out)
        told["over"] += pressings["rendered"]
        (tmp_path / "site/fabricgen.lock").write_bytes(lock)
        pressings.clear()
        empty = render(intent, tmp_path / f"empty-{step}")
        told["empty"] += pressings["rendered"]
        assert over.exit_code == empty.exit_code
        if over.exit_code == 0:
            site, plan = turned, open_workspace(intent).plan
            assert tree(out) == tree(tmp_path / f"empty-{step}")
            assert over.stderr.splitlines()[:-1] == empty.stderr.splitlines()[:-1]
            told["accepted"] += 1
        else:
            assert over.stderr.replace(str(out), "") == empty.stderr.replace(str(tmp_path / f"empty-{step}"), "")
        shutil.rmtree(tmp_path / f"empty-{step}", ignore_errors=True)
    assert told["accepted"] > steps / 3
    assert told["over"] < told["empty"] * 2 / 3, told


def test_nothing_to_do_is_nothing_done(intent: Path, tmp_path: Path, pressings: Counter[str]) -> None:
    out = tmp_path / "out"
    assert render(intent, out).exit_code == 0
    before = stamps(out)
    pressings.clear()
    done = render(intent, out)
    assert done.exit_code == 0
    assert pressings == {}
    assert stamps(out) == before
    assert " 0 files written" in done.stderr


def test_an_edit_of_one_leaf_writes_what_it_touches_and_looks_no_further(
    intent: Path, tmp_path: Path, pressings: Counter[str]
) -> None:
    """A drain is on the leaf and in the cabling plan, and nowhere else."""
    out = tmp_path / "out"
    assert render(intent, out).exit_code == 0
    before, switches = stamps(out), pressings["rendered"]
    pressings.clear()
    intent.write_text(intent.read_text() + "overrides: {be-leaf-001: {state: drained}}\n")
    assert render(intent, out).exit_code == 0
    changed = {path for path, stamp in stamps(out).items() if stamp != before.get(path)}
    own = {".fabricgen/manifest.json", ".fabricgen/inputs/intent.yaml", ".fabricgen/inputs/fabricgen.lock"}
    assert changed - own == {"be-leaf-001/startup-config", "cabling.csv"}
    assert pressings["rendered"] == 1
    assert pressings["cabled"] < switches


def test_what_a_hand_has_changed_is_found_whatever_its_times_say(
    intent: Path, tmp_path: Path, pressings: Counter[str]
) -> None:
    """The same size, and the time of the last change set back, as `touch -d` does; nobody can set back st_ctime."""
    out = tmp_path / "out"
    assert render(intent, out).exit_code == 0
    assert render(intent, out).exit_code == 0
    whole, file = tree(out), out / "be-leaf-003/startup-config"
    found = file.stat()
    with file.open("r+b") as handle:
        handle.write(b"?")
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))
    pressings.clear()
    done = render(intent, out)
    assert f"{file}: manual edit overwritten" in done.stderr
    assert pressings["rendered"] == 1
    assert tree(out) == whole


@pytest.mark.parametrize("how", ["gone", "cut short", "of another tree", "not ours"])
def test_without_a_memory_of_the_very_tree_all_is_made_anew(
    how: str, intent: Path, tmp_path: Path, pressings: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A manifest by itself is not believed: it may have come with the tree, and say of any file that it is right."""
    out = tmp_path / "out"
    assert render(intent, out).exit_code == 0
    whole, switches = tree(out), pressings["rendered"]
    (remembered,) = (tmp_path / "remembered").iterdir()
    if how == "gone":
        remembered.unlink()
    elif how == "cut short":
        remembered.write_bytes(remembered.read_bytes()[:-1])
    elif how == "not ours":
        monkeypatch.setattr(memory, "cache_folder", lambda name: None)
    else:
        file, manifest = out / "be-leaf-000/startup-config", out / ".fabricgen/manifest.json"
        right = sha256(file.read_bytes()).hexdigest()
        file.write_text("hostname mine\n")
        manifest.write_text(manifest.read_text().replace(right, sha256(file.read_bytes()).hexdigest()))
    pressings.clear()
    done = render(intent, out)
    assert done.exit_code == 0
    assert pressings["rendered"] == switches
    assert tree(out) == whole


def test_what_the_switches_show_together_is_told_again_each_time(intent: Path, tmp_path: Path) -> None:
    """Ends of one cable in two units: one is changed, the other is kept, and the problem is of both."""
    out = tmp_path / "out"
    assert render(intent, out).exit_code == 0
    whole = tree(out)
    intent.write_text(intent.read_text() + "overrides: {be-leaf-001: {mtu: 9100}}\n")
    first_time, again, elsewhere = (render(intent, each) for each in (out, out, tmp_path / "empty"))
    assert "error[mtu-differs]" in first_time.stderr
    assert first_time.stderr == again.stderr == elsewhere.stderr
    assert tree(out) == whole


def test_several_processes_keep_what_stands_too(intent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "LEAST", 1)
    out = tmp_path / "out"
    assert render(intent, out, "--jobs", "2").exit_code == 0
    edit(intent, "vlan: 110", "vlan: 112")
    over = render(intent, out, "--jobs", "2")
    assert over.exit_code == 0
    assert render(intent, tmp_path / "empty", "--jobs", "1").exit_code == 0
    assert tree(out) == tree(tmp_path / "empty")
    assert not over.stderr.endswith(" 0 unchanged, 0 removed\n")


def test_no_more_trees_are_remembered_than_some(intent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MOST", 2)
    for at in range(4):
        assert render(intent, tmp_path / f"out-{at}").exit_code == 0
    assert len(list((tmp_path / "remembered").iterdir())) == 2


def test_a_stamp_tells_a_change_only_where_the_clock_has_moved_on(tmp_path: Path) -> None:
    """Two changes within one tick of the kernel's clock have one time."""
    file = tmp_path / "file"
    file.write_text("one")
    found = file.stat()
    assert not is_settled(found, now_of(tmp_path))
    assert is_settled(found, found.st_ctime_ns + TICK + 1)
    assert not is_settled(found, found.st_ctime_ns + TICK)


@pytest.mark.parametrize("what", ["a folder", "a link"])
def test_what_is_no_file_has_no_stamp(what: str, tmp_path: Path) -> None:
    place = tmp_path / "place"
    if what == "a folder":
        place.mkdir()
    else:
        place.symlink_to(tmp_path)
    assert stamp_of(place.lstat()) == NO_STAMP


def test_a_folder_that_has_moved_and_left_a_link_is_refused(intent: Path, tmp_path: Path) -> None:
    """Stamps of the files in it do not tell: they are the same files."""
    out = tmp_path / "out"
    assert render(intent, out).exit_code == 0
    time.sleep(2 * TICK / 1e9)
    assert render(intent, out).exit_code == 0
    (out / "be-leaf-003").rename(tmp_path / "moved")
    (out / "be-leaf-003").symlink_to(tmp_path / "moved")
    done = render(intent, out)
    assert done.exit_code == 1
    assert "error[output-link]" in done.stderr


@pytest.mark.parametrize("how", ["another order", "a key twice", "no end of line", "a byte order mark"])
def test_a_manifest_is_as_into_an_empty_folder_whatever_a_hand_has_made_of_it(
    how: str, intent: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert render(intent, out).exit_code == 0
    whole, manifest = tree(out), out / ".fabricgen/manifest.json"
    text = manifest.read_text()
    changed = {
        "another order": json.dumps(dict(reversed(json.loads(text).items()))),
        "a key twice": text.replace("{", '{"release": "0", ', 1),
        "no end of line": text.rstrip(),
        "a byte order mark": f"\ufeff{text}",
    }
    manifest.write_text(changed[how])
    assert render(intent, out).exit_code == 0
    assert tree(out) == whole


def test_a_manifest_that_is_a_link_is_believed_as_little_as_one_from_anywhere(intent: Path, tmp_path: Path) -> None:
    """What it leads to may change, and has no digest that a memory could be of."""
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere.json"
    assert render(intent, out).exit_code == 0
    whole, manifest = tree(out), out / ".fabricgen/manifest.json"
    manifest.rename(elsewhere)
    manifest.symlink_to(elsewhere)
    time.sleep(2 * TICK / 1e9)
    assert render(intent, out).exit_code == 0
    right = sha256((out / "be-leaf-000/startup-config").read_bytes()).hexdigest()
    elsewhere.write_text(elsewhere.read_text().replace(right, "0" * 64))
    assert render(intent, out).exit_code == 0
    assert not manifest.is_symlink()
    assert tree(out) == whole


@pytest.mark.parametrize("when", ["at creation", "at a write", "at the end"])
def test_a_disk_that_is_full_for_lines_of_cables_is_told_as_that_of_the_tree(
    when: str, intent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They wait in a file beside the tree: it needs no other place, and the problem names the one that is full."""
    out, full = tmp_path / "out", OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    class Full(BytesIO):
        def write(self, octets: object) -> int:
            if when == "at a write":
                raise full
            return super().write(octets)  # type: ignore[arg-type]

        def seek(self, *place: int) -> int:
            raise full

        def close(self) -> None:
            super().close()
            raise full

    def opened(dir: Path) -> Full:
        if when == "at creation":
            raise full
        assert dir == out / ".fabricgen"
        return Full()

    monkeypatch.setattr(runs, "TemporaryFile", opened)
    done = render(intent, out)
    assert done.exit_code == 1
    assert f"error[output-write]: cannot write to {out}\n  why: No space left on device" in done.stderr
    assert not out.exists()


def test_a_cabling_plan_that_changes_while_it_is_read_is_none_to_take_lines_from(
    intent: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert render(intent, out).exit_code == 0
    before = tree(out)
    intent.write_text(intent.read_text() + "overrides: {be-leaf-001: {state: drained}}\n")
    do, cabling = Worker.do, out / "cabling.csv"

    def do_while_a_hand_is_at_it(worker: Worker, task: Task) -> Made:
        cabling.write_bytes(before["cabling.csv"].swapcase())
        return do(worker, task)

    monkeypatch.setattr(Worker, "do", do_while_a_hand_is_at_it)
    done = render(intent, out)
    assert done.exit_code == 1
    assert f"error[output-busy]: {cabling} was changed while its lines were read" in done.stderr
    monkeypatch.undo()
    assert render(intent, out).exit_code == render(intent, tmp_path / "empty").exit_code == 0
    assert tree(out) == tree(tmp_path / "empty")


def test_what_changed_twice_within_a_tick_and_was_read_in_between_is_read_again(tmp_path: Path) -> None:
    """The second change has the time of the first: only what had settled when it was read is known by its stamp."""
    out, file = tmp_path / "out", "be-leaf-000/startup-config"
    maker, notes = Maker("1"), RenderNotes(check_results={"look": "seen"})

    class Slow(AllFiles):
        def notes(self) -> RenderNotes:
            time.sleep(2 * TICK / 1e9)
            return notes

    commit(out, AllFiles([(file, b"one")]), {}, maker)
    (out / file).write_bytes(b"one")
    commit(out, Slow([(file, b"one")]), {}, maker)
    found = Before(out)
    assert found.memory is not None
    assert found.memory.notes == notes
    assert found.memory.stamps == (NO_STAMP,)
