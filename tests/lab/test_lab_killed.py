"""A lab that is ended half-way: by a signal it removes what it made, and after SIGKILL the next one does."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from fabricgen.lab.build.remove import processes
from fabricgen.lab.host.place import LabPlace, place_of
from fabricgen.lab.host.record import labs, read_record
from tests.lab.sites import SMALL, available, fabricgen, lab_verb, remains
from tests.some import LONG

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = ("--subset", "leaves=1,spines=1,links=1,servers=1,borders=0")
SECONDS = 300
POLL_SECONDS = 0.02


def _begin(folder: Path) -> subprocess.Popen[bytes]:
    words = fabricgen("lab", "up", SMALL, *SUBSET, "--dir", folder)
    with (folder.parent / "said").open("wb") as said:
        return subprocess.Popen(words, stdout=said, stderr=said)


def _until_begun(begun: subprocess.Popen[bytes], place: LabPlace, stage: str) -> None:
    """Wait until something of a stage is there: the first namespace, or the first daemon."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and begun.poll() is None:
        if stage == "namespaces" and list(place.netns()):
            return
        # All processes of the host are looked at only when a first daemon has its output opened.
        if stage == "daemons" and any(place.folder.glob("nodes/*/log/*.out")) and _has_daemon(place):
            return
        time.sleep(POLL_SECONDS)
    raise AssertionError(f"no {stage}: ended with {begun.poll()}")


def _has_daemon(place: LabPlace) -> bool:
    return any(_is_daemon(number) for number in processes(place.id, frozenset()))


def _is_daemon(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/comm").read_text().strip() in ("zebra", "bgpd")
    except OSError:
        return False


@pytest.mark.parametrize(
    ("number", "stage", "code"),
    [
        (signal.SIGTERM, "namespaces", 143),
        (signal.SIGINT, "daemons", 130),
        pytest.param(signal.SIGTERM, "daemons", 143, marks=LONG),
        pytest.param(signal.SIGHUP, "namespaces", 129, marks=LONG),
    ],
)
def test_a_signal_leaves_nothing(tmp_path: Path, number: signal.Signals, stage: str, code: int) -> None:
    folder = tmp_path / "lab"
    begun = _begin(folder)
    _until_begun(begun, place_of(folder), stage)
    begun.send_signal(number)
    assert begun.wait(SECONDS) == code, (tmp_path / "said").read_text()
    assert remains(place_of(folder)) == {}


@pytest.mark.parametrize("stage", ["daemons", pytest.param("namespaces", marks=LONG)])
def test_after_sigkill_down_finds_all_of_it(tmp_path: Path, stage: str) -> None:
    folder = tmp_path / "lab"
    begun = _begin(folder)
    _until_begun(begun, place_of(folder), stage)
    begun.kill()
    begun.wait(SECONDS)
    assert remains(place_of(folder))
    done = lab_verb("down", "--dir", folder)
    assert done.returncode == 0, done.stderr
    assert remains(place_of(folder)) == {}


def test_after_sigkill_the_next_one_begins_anew(tmp_path: Path) -> None:
    folder = tmp_path / "lab"
    begun = _begin(folder)
    _until_begun(begun, place_of(folder), "daemons")
    begun.kill()
    begun.wait(SECONDS)
    try:
        done = lab_verb("up", SMALL, *SUBSET, "--dir", folder, "--no-wait")
        assert done.returncode == 0, done.stderr
        record = read_record(place_of(folder))
        assert record is not None
        assert record.state == "up"
        assert place_of(folder) in [place for place, _ in labs()]
    finally:
        lab_verb("down", "--dir", folder)
    assert remains(place_of(folder)) == {}


def test_a_folder_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    done = lab_verb("up", SMALL, *SUBSET, "--dir", tmp_path)
    assert done.returncode == 1
    assert "error[lab-folder]" in done.stderr
    assert (tmp_path / "mine").read_text() == "mine"
    assert remains(place_of(tmp_path)) == {"folder": ["mine"]}


def test_what_a_lab_left_when_the_host_went_down_is_removed(tmp_path: Path) -> None:
    """A host that starts again has no namespaces and no record, but the lab's folder."""
    folder = tmp_path / "lab"
    (folder / "nodes" / "be-leaf-000").mkdir(parents=True)
    (folder / "lab.json").write_text("{}")
    done = lab_verb("down", "--dir", folder)
    assert done.returncode == 0, done.stderr
    assert not folder.exists()
    folder.mkdir()
    (folder / "lab.json").write_text("{}")
    (folder / "mine").write_text("mine")
    assert "no lab to remove" in lab_verb("down", "--dir", folder).stderr
    assert (folder / "lab.json").exists()


def test_down_without_a_lab_says_so(tmp_path: Path) -> None:
    done = lab_verb("down", "--dir", tmp_path)
    assert done.returncode == 0
    assert "no lab to remove" in done.stderr
    assert remains(place_of(tmp_path)) == {}
    done = lab_verb("status", "--dir", tmp_path)
    assert done.returncode == 1
    assert "error[no-lab]" in done.stderr
