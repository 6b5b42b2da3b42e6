"""A switch whose disk is full, before a commit, in the middle and after it: a tiny file system that a test fills."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from napalm.base.exceptions import CommitError

from napalm_frr import FRRDriver, lifecycle
from tests.frr.waiting import becomes
from tests.napalm_frr import boxes, fabric, switches
from tests.napalm_frr.boxes import INTERFACES, SETTINGS, Box
from tests.some import some

ADDRESS = "10.88.0.1/24"
NEW = "network 10.88.0.0/24"
FILES = {
    INTERFACES: boxes.interfaces(f"    address {ADDRESS}"),
    SETTINGS: boxes.SYSCTL.replace("arp_announce = 2", "arp_announce = 1"),
}


@pytest.fixture
def box() -> Iterator[Box]:
    if boxes.available() is not None:
        pytest.skip(f"judge: {boxes.available()}")
    with boxes.started() as found:
        found.loaded.show("write memory")
        yield found


@pytest.fixture
def leaf(box: Box, tmp_path: Path) -> Iterator[FRRDriver]:
    """An open driver whose folder on the switch has 2 MB."""
    _tiny(box, tmp_path)
    with switches.opened(box.loaded, tmp_path, mount=str(box.mount)) as driver:
        driver.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
        driver.load_files(FILES)
        yield driver


def _tiny(box: Box, folder: Path) -> None:
    """Gives a folder of the switch a file system of its own, with what is in it."""
    script = (
        'cp -rp "$0" /mnt/kept && mount -t tmpfs -o size=2m tmpfs "$0" && cp -rp /mnt/kept/. "$0" && rm -r /mnt/kept'
    )
    box.run("sh", "-c", script, str(folder))


def _fill(box: Box, folder: Path | str) -> None:
    box.run("sh", "-c", 'cat /dev/zero >"$0/fill" 2>/dev/null; [ -s "$0/fill" ]', str(folder))


def _state(box: Box) -> tuple[object, ...]:
    startup = f"/etc/frr/{box.loaded.namespace}/frr.conf"
    return (
        box.loaded.show("show running-config"),
        box.addresses("swp1"),
        box.run("sysctl", "-n", "net.ipv4.conf.default.arp_announce"),
        *(box.run("cat", path) for path in (startup, INTERFACES, SETTINGS)),
    )


def _word(box: Box, state: Path) -> str:
    return box.run("sh", "-c", 'cat "$0/outcome" 2>/dev/null || true', str(state))


@pytest.mark.parametrize("revert_in", some([60, None], of=2))
def test_a_commit_does_not_begin_without_room(leaf: FRRDriver, box: Box, tmp_path: Path, revert_in: int | None) -> None:
    before = _state(box)
    _fill(box, tmp_path)
    with pytest.raises(CommitError, match=rf"leaf1: .*{tmp_path} on the switch cannot be written; is its disk full\?"):
        leaf.commit_config(revert_in=revert_in)
    assert _state(box) == before
    assert leaf.pending_message() is None
    box.run("rm", f"{tmp_path}/fill")
    leaf.commit_config()
    assert ADDRESS in box.addresses("swp1")


@pytest.mark.parametrize("step", some(["_hold", "_apply_files", "_apply"]))
def test_a_disk_that_is_full_in_the_middle_leaves_what_ran(
    leaf: FRRDriver, box: Box, tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _state(box)
    proper = getattr(lifecycle.Lifecycle, step)

    def full(*arguments: object) -> object:
        _fill(box, tmp_path)
        return proper(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(lifecycle.Lifecycle, step, full)
        with pytest.raises(CommitError, match=r"No space left on device.*what ran before was put back$"):
            leaf.commit_config(revert_in=60)
    assert _state(box) == before
    assert leaf.pending_message() is None


@pytest.mark.long
def test_a_timed_commit_is_put_back_on_a_full_disk(leaf: FRRDriver, box: Box, tmp_path: Path) -> None:
    before = _state(box)
    leaf.commit_config(revert_in=4)
    assert ADDRESS in box.addresses("swp1")
    _fill(box, tmp_path)
    becomes("reverted\n", _word, box, tmp_path)
    assert _state(box) == before


@pytest.mark.parametrize("folder", some(["/etc/frr/{}", "/etc/network", "/etc/sysctl.d"]))
@pytest.mark.parametrize("timed", [pytest.param(False, marks=pytest.mark.long), True])
def test_what_can_not_be_saved_is_put_back(leaf: FRRDriver, box: Box, folder: str, timed: bool) -> None:
    """To a startup file of which it wrote nothing, vtysh says OK. The copy that it keeps would leave it room."""
    before = _state(box)
    full = Path(folder.format(box.loaded.namespace))
    _tiny(box, full)
    box.run("rm", "-f", f"{full}/frr.conf.sav")
    _fill(box, full)
    if timed:
        leaf.commit_config(revert_in=60)
    keep = leaf.confirm_commit if timed else leaf.commit_config
    with pytest.raises(CommitError, match=r"startup file could not be written.*put back; is its disk full\?$"):
        keep()
    assert _state(box) == before
    assert leaf.pending_message() is None
