"""Interfaces and settings beside frr.conf, on a live switch: one commit takes all of them, or leaves all."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from napalm.base.exceptions import CommandErrorException, CommitError, ReplaceConfigException

from napalm_frr import FRRDriver, lifecycle
from tests.frr.waiting import becomes
from tests.napalm_frr import boxes, fabric, switches
from tests.napalm_frr.boxes import INTERFACES, SETTINGS, Box
from tests.napalm_frr.clients import Client, begin, end, killed
from tests.some import some

LONG = pytest.mark.long

ADDRESS, PREFIX = "10.88.0.1/24", "10.88.0.0/24"
NEW = f"network {PREFIX}"
FORWARDS, ANNOUNCES = "net.ipv4.conf.default.arp_announce", "net.ipv4.conf.default.arp_ignore"
WANTED = boxes.interfaces(
    f"    address {ADDRESS}", "", "auto br7", "iface br7", "    bridge-ports none", "    mtu 1400"
)
SYSCTL = boxes.SYSCTL.replace("arp_announce = 2", "arp_announce = 1") + "net.ipv4.conf.default.arp_ignore = 1\n"
FILES = {INTERFACES: WANTED, SETTINGS: SYSCTL}
TEXT = fabric.text("leaf1", (NEW,))


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    if boxes.available() is not None:
        pytest.skip(f"judge: {boxes.available()}")
    with boxes.started() as found:
        found.loaded.show("write memory")
        yield found


def _settings(box: Box) -> tuple[str, ...]:
    return tuple(box.run("sysctl", "-n", name).strip() for name in (FORWARDS, ANNOUNCES))


def _state(box: Box) -> dict[str, object]:
    """All that a commit of FILES and TEXT changes, read from kernel, daemons and disk."""
    links = json.loads(box.run("ip", "-j", "link", "show"))
    return {
        "addresses": box.addresses("swp1"),
        "devices": {link["ifname"]: link["mtu"] for link in links},
        "settings": _settings(box),
        "frr": box.loaded.show("show running-config"),
        "interfaces": box.file(INTERFACES).read_text(),
        "sysctl": box.file(SETTINGS).read_text() if box.file(SETTINGS).exists() else None,
        "startup": Path(f"/etc/frr/{box.loaded.namespace}/frr.conf").read_text(),
        "beside": sorted(path.name for folder in (INTERFACES, SETTINGS) for path in box.file(folder).parent.iterdir()),
    }


ON_DISK = ("interfaces", "sysctl", "startup", "beside")


def _arguments(box: Box, state: Path, **more: object) -> dict[str, object]:
    return switches.arguments(box.loaded, state, mount=str(box.mount), **more)


@pytest.fixture
def leaf(box: Box, tmp_path: Path) -> Iterator[FRRDriver]:
    """An open driver of the switch, which runs and has saved its own files before and after."""
    with switches.opened(box.loaded, tmp_path / "state", mount=str(box.mount)) as driver:
        _settle(driver, box)
        yield driver
        _settle(driver, box)
        assert box.addresses("swp1") == {"172.16.11.1/31"}


def _settle(driver: FRRDriver, box: Box) -> None:
    if driver.has_pending_commit():
        driver.rollback()
    _load(driver, fabric.text("leaf1"), {INTERFACES: boxes.interfaces(), SETTINGS: boxes.SYSCTL})
    if driver.compare_config():
        driver.commit_config()
    driver.discard_config()
    box.run("sysctl", "-q", "-w", f"{ANNOUNCES}=0")


def _load(driver: FRRDriver, text: str = TEXT, files: dict[str, str] = FILES) -> None:
    driver.load_replace_candidate(config=text)
    driver.load_files(files)


def _is_applied(box: Box) -> None:
    found = _state(box)
    assert found["addresses"] == {"172.16.11.1/31", ADDRESS}
    assert found["devices"]["br7"] == 1400  # type: ignore[index]
    assert found["settings"] == ("1", "1")
    assert NEW in str(found["frr"])


def test_a_commit_takes_all_and_rollback_takes_all_away(leaf: FRRDriver, box: Box) -> None:
    before = _state(box)
    assert box.file(INTERFACES).stat().st_mode & 0o777 == 0o644
    _load(leaf)
    assert _state(box) == before
    leaf.commit_config(message="a network more")
    _is_applied(box)
    after = _state(box)
    assert (after["interfaces"], after["sysctl"]) == (WANTED, SYSCTL)
    assert NEW in str(after["startup"])
    assert after["beside"] == before["beside"]
    assert box.file(INTERFACES).stat().st_mode & 0o777 == 0o644
    assert leaf.compare_config() == ""
    leaf.rollback()
    assert _state(box) == before
    leaf.rollback()
    assert _state(box) == before


def test_the_difference_is_shown_under_the_path(leaf: FRRDriver) -> None:
    _load(leaf, fabric.text("leaf1"))
    told = leaf.compare_config().splitlines()
    assert f" {INTERFACES}" in told
    assert told[told.index(f" {INTERFACES}") + 1].startswith("@@")
    assert f"+    address {ADDRESS}" in told
    assert f" {SETTINGS}" in told
    assert "-net.ipv4.conf.default.arp_announce = 2" in told
    assert "+net.ipv4.conf.default.arp_announce = 1" in told
    leaf.discard_config()
    assert leaf.compare_config() == ""
    leaf.load_replace_candidate(config=fabric.text("leaf1"))
    assert leaf.compare_config() == ""


def test_a_timed_commit_leaves_what_the_switch_starts_with_until_it_is_confirmed(leaf: FRRDriver, box: Box) -> None:
    before = _state(box)
    assert leaf.pending_message() is None
    _load(leaf)
    leaf.commit_config(message="token 17", revert_in=300)
    _is_applied(box)
    assert {name: _state(box)[name] for name in ON_DISK} == {name: before[name] for name in ON_DISK}
    assert leaf.pending_message() == "token 17"
    assert leaf.read_files(FILES) == FILES
    _load(leaf)
    assert leaf.compare_config() == ""
    leaf.confirm_commit()
    assert leaf.pending_message() is None
    _is_applied(box)
    after = _state(box)
    assert (after["interfaces"], after["sysctl"]) == (WANTED, SYSCTL)
    assert NEW in str(after["startup"])
    leaf.rollback()
    assert _state(box) == before


@pytest.mark.long
def test_a_deadline_puts_all_back_with_the_driver_closed(leaf: FRRDriver, box: Box, tmp_path: Path) -> None:
    before = _state(box)
    with switches.opened(box.loaded, tmp_path / "state", mount=str(box.mount)) as other:
        _load(other)
        other.commit_config(revert_in=4)
        _is_applied(box)
    becomes("reverted\n", lambda: _word(tmp_path / "state"))
    assert _state(box) == before
    assert leaf.pending_message() is None
    assert leaf.read_files(FILES) == {INTERFACES: before["interfaces"], SETTINGS: before["sysctl"]}


def _word(state: Path) -> str:
    outcome = state / "outcome"
    return outcome.read_text() if outcome.exists() else ""


@pytest.mark.long
def test_rollback_ends_a_timed_commit(leaf: FRRDriver, box: Box) -> None:
    before = _state(box)
    _load(leaf)
    leaf.commit_config(revert_in=300)
    leaf.rollback()
    assert _state(box) == before
    with pytest.raises(CommitError, match="no commit to roll back"):
        leaf.rollback()


@pytest.mark.long
def test_a_settings_file_that_was_not_there_is_none_again(leaf: FRRDriver, box: Box) -> None:
    box.file(SETTINGS).unlink()
    before = _state(box)
    assert leaf.read_files([SETTINGS]) == {SETTINGS: ""}
    _load(leaf, files={SETTINGS: SYSCTL})
    leaf.commit_config()
    assert box.file(SETTINGS).read_text() == SYSCTL
    assert box.file(SETTINGS).stat().st_mode & 0o777 == 0o644
    leaf.rollback()
    assert _state(box) == before


REFUSED = (
    ({"/etc/passwd": "root::0:0::/:/bin/sh\n"}, "/etc/passwd: only"),
    ({INTERFACES: "\n"}, "it is empty"),
    ({INTERFACES: boxes.interfaces("    address 10.0.0.300/24")}, "10.0.0.300"),
    ({INTERFACES: boxes.interfaces("    adress 10.0.0.3/24")}, "adress"),
    ({INTERFACES: boxes.interfaces("    mtu 99999999")}, "99999999"),
    ({SETTINGS: "net.ipv4.ip_forward\n"}, "line 1: 'net.ipv4.ip_forward': no setting"),
    ({SETTINGS: "net/../../etc/passwd = x\n"}, "no setting"),
)


@pytest.mark.parametrize(("files", "told"), some(REFUSED))
def test_a_file_that_is_wrong_is_refused_before_anything_changes(
    leaf: FRRDriver, box: Box, tmp_path: Path, files: dict[str, str], told: str
) -> None:
    before = _state(box)
    leaf.load_replace_candidate(config=fabric.text("leaf1"))
    with pytest.raises(ReplaceConfigException, match=told):
        leaf.load_files(files)
    assert leaf.compare_config() == ""
    assert _state(box) == before


def test_files_go_with_a_candidate_to_replace_with(leaf: FRRDriver) -> None:
    with pytest.raises(ReplaceConfigException, match="load it first"):
        leaf.load_files(FILES)
    leaf.load_merge_candidate(config="interface swp1\n description x\n")
    with pytest.raises(ReplaceConfigException, match="load it first"):
        leaf.load_files(FILES)
    with pytest.raises(CommandErrorException, match="/etc/passwd"):
        leaf.read_files(["/etc/passwd"])


# Files that pass the syntax check, and what the switch then has against them.
FAILING = (
    ({INTERFACES: boxes.interfaces(f"    address {ADDRESS}", "    address 10.1.0.1/33")}, r"10\.1\.0\.1/33"),
    ({INTERFACES: WANTED + "\nauto swp9\niface swp9\n    address 10.9.0.1/24\n"}, "swp9"),
    ({INTERFACES: WANTED.replace("bridge-ports none", "bridge-ports none\n    post-up false")}, "post-up"),
    ({**FILES, SETTINGS: SYSCTL + "net.ipv4.no_such_thing = 1\n"}, "no_such_thing"),
    ({SETTINGS: SYSCTL.replace("arp_announce = 1", "arp_announce = many")}, "arp_announce"),
)


@pytest.mark.parametrize("revert_in", [pytest.param(None, marks=LONG), 300])
@pytest.mark.parametrize(("files", "told"), some(FAILING, of=5))
def test_a_file_that_the_switch_does_not_come_to_is_put_back(
    leaf: FRRDriver, box: Box, files: dict[str, str], told: str, revert_in: int | None
) -> None:
    before = _state(box)
    _load(leaf, files=files)
    with pytest.raises(CommitError, match=rf"leaf1: .*{told}.*; what ran before was put back$"):
        leaf.commit_config(revert_in=revert_in)
    assert _state(box) == before
    assert leaf.pending_message() is None


@pytest.mark.long
def test_what_was_wrong_before_is_no_fault_of_the_commit(leaf: FRRDriver, box: Box) -> None:
    """A port that is not there, and a setting that the kernel does not have, in the old file and in the new one."""
    files = {path: box.file(path).read_text() for path in FILES}
    box.file(INTERFACES).write_text(files[INTERFACES] + "\nauto swp9\niface swp9\n    address 10.9.0.1/24\n")
    box.file(SETTINGS).write_text("net.ipv4.no_such_thing = 1\n" + files[SETTINGS])
    _load(leaf, files={path: box.file(path).read_text().replace("# of the test", "# new") for path in FILES})
    _load(
        leaf,
        files={
            INTERFACES: WANTED + "\nauto swp9\niface swp9\n    address 10.9.0.1/24\n",
            SETTINGS: SYSCTL + "net.ipv4.no_such_thing = 1\n",
        },
    )
    leaf.commit_config()
    _is_applied(box)


def test_a_line_that_frr_refuses_puts_the_interfaces_back(leaf: FRRDriver, box: Box) -> None:
    before = _state(box)
    bad = "neighbor 192.0.2.1 peer-group NOBODY"
    _load(leaf, TEXT.replace(" !\n address-family ipv4", f" {bad}\n !\n address-family ipv4"))
    with pytest.raises(CommitError, match=rf"'{bad}'.*; what ran before was put back$"):
        leaf.commit_config()
    assert _state(box) == before


def _killed(box: Box, state: Path, step: str, seconds: int, revert_in: str) -> None:
    """Have a client commit, that kills itself at this step."""
    arguments = _arguments(box, state, commit_seconds=seconds)
    killed(Client(arguments, step, TEXT, FILES, int(revert_in) if revert_in else None))


def _over(state: Path) -> None:
    """Has the time of a commit come to its end."""
    (state / "over").write_text("0\n")
    (state / "over").replace(state / "deadline")


@pytest.mark.parametrize(
    "step", ["_apply_files", "_hold", *(pytest.param(one, marks=LONG) for one in ("_apply", "remainder"))]
)
def test_a_client_killed_at_any_step_leaves_nothing(leaf: FRRDriver, box: Box, tmp_path: Path, step: str) -> None:
    before, state = _state(box), tmp_path / "state"
    _killed(box, state, step, 60, "60")
    if step != "_apply_files":
        assert ADDRESS in box.addresses("swp1")
    _over(state)
    becomes("reverted\n", _word, state)
    assert _state(box) == before


@pytest.mark.long
def test_a_guard_waits_for_an_ifreload_that_a_killed_client_left(leaf: FRRDriver, box: Box, tmp_path: Path) -> None:
    before, state = _state(box), tmp_path / "state"
    program = box.file("/usr/local/sbin/ifreload")
    proper, done = program.read_text(), box.root / "done"
    program.write_text(f"{proper.replace('exec ', 'sleep 2; ')}code=$?; echo >>{done}; exit $code\n")
    try:
        client = begin(Client(_arguments(box, state), "", TEXT, {INTERFACES: WANTED}))
        try:
            becomes(True, (state / "touched").exists)
        finally:
            os.kill(client, signal.SIGKILL)
            end(client)
        assert ADDRESS not in box.addresses("swp1")
        runs = done.read_text()
        _over(state)
        becomes(True, lambda: len(done.read_text()) > len(runs))
        becomes("reverted\n", _word, state)
        assert _state(box) == before
    finally:
        program.write_text(proper)


@pytest.mark.long
def test_a_client_killed_after_its_decision_leaves_all(leaf: FRRDriver, box: Box, tmp_path: Path) -> None:
    _killed(box, tmp_path / "state", "_check_confirmed", 60, "")
    becomes("kept\n", _word, tmp_path / "state")
    _is_applied(box)
    assert box.file(INTERFACES).read_text() == WANTED


def _kill_guard(state: Path) -> None:
    """Kill it, and wait until what it had started is gone too."""

    def try_lock() -> int:
        return subprocess.run(["flock", "-n", str(state / "lock"), "true"], check=False, timeout=120).returncode

    os.kill(int((state / "guard.pid").read_text()), signal.SIGKILL)
    becomes(0, try_lock)


@pytest.mark.parametrize("step", [pytest.param(one, marks=LONG) for one in ("_apply", "remainder", "_hold")])
def test_rollback_ends_a_commit_whose_client_and_guard_were_killed(
    leaf: FRRDriver, box: Box, tmp_path: Path, step: str
) -> None:
    before = _state(box)
    _killed(box, tmp_path / "state", step, 600, "600")
    _kill_guard(tmp_path / "state")
    assert leaf.pending_message() == ""
    _load(leaf)
    with pytest.raises(CommitError, match=r"nobody ended.*rollback\(\)"):
        leaf.commit_config()
    leaf.rollback()
    assert _state(box) == before


@pytest.mark.parametrize("there", some([True, False], of=2))
def test_rollback_puts_back_what_a_guard_killed_while_it_kept_had_moved(
    leaf: FRRDriver, box: Box, tmp_path: Path, there: bool
) -> None:
    """Its last steps are done by hand here: the decision, and one of the two files, which was there or not."""
    if not there:
        box.file(SETTINGS).unlink()
    before = _state(box)
    _load(leaf)
    leaf.commit_config(message="kept by half", revert_in=600)
    _kill_guard(tmp_path / "state")
    assert leaf.pending_message() == "kept by half"
    (tmp_path / "state" / "decision").write_text("keep\n")
    box.file(SETTINGS).write_text(SYSCTL)
    box.file(INTERFACES + ".new").write_text(WANTED[:40])
    leaf.rollback()
    assert _state(box) == before


@pytest.mark.long
def test_after_a_restart_of_the_switch_nothing_is_in_the_way(leaf: FRRDriver, box: Box, tmp_path: Path) -> None:
    """A restart, done by hand: the guard is gone, and all is made again from what is on the disk."""
    before = _state(box)
    _load(leaf)
    leaf.commit_config(revert_in=600)
    _kill_guard(tmp_path / "state")
    box.run("ip", "link", "delete", "br7")
    box.run("/usr/local/sbin/ifreload", "-a")
    box.run("sysctl", "-q", "-w", f"{FORWARDS}=2", f"{ANNOUNCES}=0")
    lines = ("configure", f"router bgp {fabric.ASN['leaf1']}", "address-family ipv4 unicast", f"no {NEW}")
    assert box.loaded.configure(lines) == ""
    assert _state(box) == before
    _load(leaf)
    leaf.commit_config()
    _is_applied(box)


@pytest.mark.long
def test_a_device_that_a_killed_ifreload_left_is_taken_away(
    leaf: FRRDriver, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It writes down what it made when it is done, so the next one knows nothing of it."""
    before = _state(box)
    noted = box.root / "var/tmp/network/ifstatenew"
    state = noted.read_bytes()

    def forget(*_: object) -> str:
        noted.write_bytes(state)
        return "interface swp1\n+ description x"

    _load(leaf)
    with monkeypatch.context() as patched:
        patched.setattr(lifecycle, "remainder", forget)
        with pytest.raises(CommitError, match=r"what ran before was put back$"):
            leaf.commit_config()
    assert _state(box) == before


def test_a_port_that_no_file_named_is_as_it_was(leaf: FRRDriver, box: Box) -> None:
    """Once ifupdown2 has had it, it takes the port down, and keeps its MTU."""
    box.run("ip", "link", "add", "swp7", "mtu", "1450", "type", "veth", "peer", "name", "far7")
    try:
        box.run("ip", "addr", "add", "10.66.0.1/24", "dev", "swp7")
        box.run("ip", "link", "set", "swp7", "up")
        _load(leaf, files={INTERFACES: WANTED + "\nauto swp7\niface swp7\n    mtu 1300\n    address 10.67.0.1/24\n"})
        leaf.commit_config(revert_in=300)
        assert box.addresses("swp7") == {"10.67.0.1/24"}
        leaf.rollback()
        assert box.addresses("swp7") == {"10.66.0.1/24"}
        (link,) = json.loads(box.run("ip", "-j", "link", "show", "swp7"))
        assert link["mtu"] == 1450
        assert "UP" in link["flags"]
    finally:
        box.run("ip", "link", "delete", "swp7")


@pytest.mark.long
def test_a_commit_without_files_leaves_files_alone(leaf: FRRDriver, box: Box) -> None:
    """And a rollback of it does not reach for the files of the one before."""
    _load(leaf)
    leaf.commit_config()
    box.run("ip", "addr", "add", "10.77.0.1/24", "dev", "br7")
    leaf.load_replace_candidate(config=fabric.text("leaf1"))
    leaf.commit_config()
    leaf.rollback()
    assert box.file(INTERFACES).read_text() == WANTED
    assert box.addresses("br7") == {"10.77.0.1/24"}
    _is_applied(box)
