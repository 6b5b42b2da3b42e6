"""Labs on a host that has network namespaces of others: `ip netns add` binds /run/netns upon itself.

Each case has a /run of its own, in a mount namespace of its own. Linux 6.18 counts namespaces by processor, and holds
a mount namespace only for one with a lower number (mnt_ns_loop of fs/namespace.c), so each case keeps to one processor.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.lab.build.remove import end_processes, processes, remove
from fabricgen.lab.host.place import place_of
from fabricgen.lab.host.record import UP, Record, read_record, write_record
from fabricgen.lab.host.shell import LabShell
from tests.lab.sites import SMALL, available

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "leaves=1,spines=1,links=1,servers=1,borders=0"
BEGIN = """
set -e
mount -t tmpfs -o mode=755 tmpfs /run
mount --make-{propagation} /run
{before}
"$1" -m fabricgen lab up "$2" --subset "$3" --dir "$4" --no-wait >&2
{meanwhile}
"$1" -m fabricgen lab down --dir "$4" >&2
if [ -e /run/fabricgen ]; then echo "/run/fabricgen stays"; fi
{after}
"""
OTHER = "ip netns add other; ip -n other link add name mine type veth peer name x"
STANDS = "ls /run/netns; ip -n other -br link show dev mine | cut -d@ -f1"
COVER = "mount -t tmpfs tmpfs /run/netns; touch /run/netns/theirs"
REMOVE = """
import sys
from pathlib import Path
from fabricgen.lab.host.place import place_of
from fabricgen.lab.build.remove import remove
remove(place_of(Path(sys.argv[1])))
"""
UNCOVER = "ls /run/netns; umount /run/netns; ls /run/netns"


@pytest.mark.parametrize(
    ("propagation", "before", "meanwhile", "after", "left"),
    [
        ("private", OTHER, "ip netns add another", STANDS, ["another", "other", "mine"]),
        ("private", "", COVER, UNCOVER, ["theirs"]),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in (
                ("private", "", OTHER, STANDS, ["other", "mine"]),
                ("shared", "", OTHER, STANDS, ["other", "mine"]),
                ("shared", OTHER, "", STANDS, ["other", "mine"]),
                ("private", "mkdir /run/netns; mount --bind /run/netns /run/netns", OTHER, STANDS, ["other", "mine"]),
                ("private", "", "", "ls /run/netns", []),
            )
        ),
    ],
)
def test_a_lab_goes_and_namespaces_of_others_stay(
    tmp_path: Path, propagation: str, before: str, meanwhile: str, after: str, left: list[str]
) -> None:
    folder = tmp_path / "lab"
    place = place_of(folder)
    script = BEGIN.format(propagation=propagation, before=before, meanwhile=meanwhile, after=after)
    words = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", sys.executable]
    processor = str(min(os.sched_getaffinity(0)))
    try:
        done = subprocess.run(
            ["taskset", "-c", processor, *words, str(SMALL), SUBSET, str(folder)],
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == left
        assert list(processes(place.id, frozenset())) == []
        assert not folder.exists()
    finally:
        end_processes(place)


def test_what_can_not_be_removed_is_told_and_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder stands where a namespace's file should: `rm` refuses it."""
    for module in ("host.place", "build.remove"):
        monkeypatch.setattr(f"fabricgen.lab.{module}.NETNS", tmp_path / "netns")
    for module in ("host.place", "host.record", "host.neighbors"):
        monkeypatch.setattr(f"fabricgen.lab.{module}.RUN", tmp_path / "run", raising=False)
    place = place_of(tmp_path / "lab")
    (tmp_path / "netns" / f"{place.prefix}be-leaf-000").mkdir(parents=True)
    write_record(place, Record(folder=str(place.folder), intent="", subset="", state=UP))
    with pytest.raises(FabricError) as caught:
        remove(place)
    assert [problem.code for problem in caught.value.problems] == ["lab-stuck"]
    assert f"{place.prefix}be-leaf-000" in caught.value.problems[0].why
    assert read_record(place) is not None


def test_what_a_killed_lab_still_makes_while_it_is_taken_down_goes_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that was forked and not begun when `lab up` was killed has no mark yet, and runs then."""
    place = place_of(tmp_path / "lab")
    late: list[str] = []
    run = LabShell.run

    def with_late(shell: LabShell, words: list[str], text: str = "", seconds: float = 120) -> object:
        done = run(shell, words, text, seconds)
        if words[0] == "unshare" and not late:
            late.append(f"{place.prefix}late")
            subprocess.run(["ip", "netns", "add", late[0]], check=True)
        return done

    monkeypatch.setattr(LabShell, "run", with_late)
    subprocess.run(["ip", "netns", "add", f"{place.prefix}early"], check=True)
    remove(place)
    assert late
    assert list(place.netns()) == []


@pytest.mark.parametrize("count", [1, 2, 3])
def test_any_number_of_namespaces_goes_at_once(tmp_path: Path, count: int) -> None:
    """Debian 12's umount adds up what its arguments failed with: two that fail with 32 give the 64 of a success."""
    place = place_of(tmp_path / "lab")
    words = "".join(f"netns add {place.prefix}{number}\n" for number in range(count))
    subprocess.run(["ip", "-batch", "-"], input=words, text=True, check=True)
    try:
        subprocess.run([sys.executable, "-c", REMOVE, place.folder], check=True, timeout=60)
        assert list(place.netns()) == []
    finally:
        end_processes(place)
        for name in place.netns():
            subprocess.run(["ip", "netns", "delete", name], check=True)
