"""Faults while a push runs: each is told, what was not confirmed goes back, and nothing beyond it changes."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from fabricgen.lab.host.place import place_of
from tests.frr.waiting import becomes
from tests.lab.faults import daemon_pid, signal_daemons
from tests.lab.pushing import LINE, QUICK, Ended, Pushing, approval_of, pushing, standing, trap
from tests.lab.sites import available
from tests.lab.test_drain_live import Site
from tests.napalm_frr.switches import serving

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "leaves=3,spines=2,links=1,servers=3"
CANARY, ONE, OTHER, SPINE = "be-leaf-002", "be-leaf-000", "be-leaf-001", "be-spine-00"
LEAVES = (CANARY, ONE, OTHER)
ACCEPTED = tuple(word for name in LEAVES for word in ("--accept-loss", name))
STATE, STARTUP = "/run/napalm-frr", "/etc/frr"
SECRET = "Xy7-" + "unheard-of"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Three leaves, of which the last is a canary and the others a wave."""
    with standing(tmp_path_factory.mktemp("lab"), SUBSET) as found:
        yield found


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    """The lab, as it was made before and after."""
    with pushing(site, tmp_path) as found:
        yield found


def _shows(lab: Pushing, ended: Ended, *words: str) -> None:
    missing = [word for word in words if word not in ended.text]
    assert not missing, ended.text


def test_a_canary_that_breaks_bgp_goes_back_and_nothing_beyond_it_changes(lab: Pushing) -> None:
    """A session shut on every leaf; it shows at once, and the checks name it."""
    before = lab.configs()
    broken = lab.intent(raw={name: _shut_session(lab, name) for name in LEAVES})
    ended = lab.push(broken, "--commit", *ACCEPTED, settings={**QUICK, "converge": 4})
    assert ended.code == 4, ended.text
    assert _same(lab, before)
    assert not any(lab.waits(name) for name in lab.names)
    address = _peer(lab, CANARY)
    wrong = f"{CANARY}: session {address} on "
    _shows(lab, ended, wrong, "is not established, with ", "1 new failure, with ", "reverted")
    touched = {device for device, _, step, _, _ in lab.events() if step == "commit"}
    assert touched == {CANARY}


def _peer(lab: Pushing, name: str) -> str:
    return lab.running.device(name).routing.bgp.neighbors[0].address


def _shut_session(lab: Pushing, name: str) -> tuple[str, ...]:
    return f"router bgp {lab.running.device(name).routing.bgp.asn}", f" neighbor {_peer(lab, name)} shutdown"


def _same(lab: Pushing, before: Mapping[str, tuple[str, str]]) -> bool:
    """FRR may print what was put back in another order of blocks."""
    now = lab.configs()
    for name, (runs, starts) in before.items():
        assert sorted(now[name][0].splitlines()) == sorted(runs.splitlines()), name
        assert now[name][1] == starts, name
    return True


@pytest.mark.long
@pytest.mark.parametrize(("at", "when"), [("apply", "before"), ("commit", "after")])
def test_a_switch_whose_bgpd_dies_mid_commit(lab: Pushing, at: str, when: str) -> None:
    """The other of its wave goes back, and it does so itself when bgpd is there again."""
    before = lab.configs()
    intent = lab.with_line("DYING", *LEAVES)
    settings = {**QUICK, "converge": 4, "confirm": 30}
    with lab.begun(intent, "--commit", *ACCEPTED, trap=trap(at, when, "wait", device=ONE), settings=settings) as child:
        child.reach()
        os.kill(daemon_pid(lab.running, ONE, "bgpd"), signal.SIGKILL)
        try:
            child.go()
            ended = child.end()
        finally:
            lab.running.inside(ONE, "/usr/lib/frr/bgpd", "-d", "-F", "datacenter")
            lab.running.inside(ONE, "vtysh", "-b")
    assert ended.code in (4, 5), ended.text
    _is_as_before(lab, before)
    _shows(lab, ended, f"{OTHER}: REVERTED", "could not be put back whole")
    assert f"{ONE}: FAILED" in ended.out, ended.text


def _is_as_before(lab: Pushing, before: Mapping[str, tuple[str, str]]) -> None:
    """Both of the wave; the canary stays changed."""
    becomes(False, lab.waits, ONE)
    becomes(sorted(before[ONE][0].splitlines()), lambda: sorted(lab.runs(ONE).splitlines()))
    after = lab.configs()
    assert sorted(after[OTHER][0].splitlines()) == sorted(before[OTHER][0].splitlines())
    assert {name: after[name][1] for name in (ONE, OTHER)} == {name: before[name][1] for name in (ONE, OTHER)}
    assert lab.has(CANARY, "DYING") == (True, True)


@pytest.mark.long
@pytest.mark.long
def test_a_switch_that_freezes_mid_commit(lab: Pushing) -> None:
    """Nothing on it answers: it is told, and reverts by itself once it thaws."""
    before, frozen = lab.configs(), ("bgpd", "zebra")
    settings = {**QUICK, "converge": 2, "confirm": 15}
    held = trap("commit", "after", "wait", device=ONE)
    intent, inventory = lab.with_line("DYING", *LEAVES), _impatient(lab)
    with lab.begun(intent, "--commit", *ACCEPTED, trap=held, settings=settings, inventory=inventory) as child:
        child.reach()
        signal_daemons(lab.running, ONE, frozen, signal.SIGSTOP)
        try:
            child.go()
            ended = child.end()
        finally:
            signal_daemons(lab.running, ONE, frozen, signal.SIGCONT)
    assert ended.code in (4, 5), ended.text
    _is_as_before(lab, before)
    _shows(lab, ended, f"{OTHER}: REVERTED", ONE)


def _impatient(lab: Pushing) -> Path:
    """The inventory, with little patience for what hangs."""
    folder = lab.folder / "impatient"
    shutil.copytree(lab.inventory, folder)
    hosts = yaml.safe_load((folder / "hosts.yaml").read_text())
    for host in hosts.values():
        host["connection_options"]["napalm"]["extras"]["timeout"] = 5
    (folder / "hosts.yaml").write_text(yaml.safe_dump(hosts))
    return folder


@contextmanager
def _full(lab: Pushing, name: str, folder: str) -> Iterator[None]:
    """A folder of a switch on a disk of its own that is full."""
    script = (
        'mkdir -p "$0" && rm -rf /run/kept && cp -rp "$0" /run/kept && mount -t tmpfs -o size=1m tmpfs "$0" && '
        'cp -rp /run/kept/. "$0" && chown frr:frr "$0" && rm -f "$0"/*.sav && '
        '{ cat /dev/zero >"$0/fill" 2>/dev/null; [ -s "$0/fill" ]; }'
    )
    lab.running.inside(name, "sh", "-c", script, folder)
    try:
        yield
    finally:
        lab.running.inside(name, "sh", "-c", 'umount -l "$0"; rm -rf /run/kept', folder)


@pytest.mark.long
def test_a_disk_of_the_switch_is_full_before_anything_begins(lab: Pushing) -> None:
    before = lab.configs()
    with _full(lab, CANARY, STATE):
        ended = lab.push(lab.with_line("FULL", *LEAVES), "--commit", *ACCEPTED)
        assert _same(lab, before)
        assert not any(lab.waits(name) for name in lab.names)
    assert ended.code == 5, ended.text
    _shows(lab, ended, CANARY, "is its disk full")


@pytest.mark.long
def test_a_disk_of_the_switch_is_full_when_its_startup_file_is_written(lab: Pushing) -> None:
    """Of one in a wave: it goes back. The other is kept at the same moment, and is told as what it is."""
    before = lab.configs()
    with _full(lab, ONE, STARTUP):
        ended = lab.push(lab.with_line("FULL", *LEAVES), "--commit", *ACCEPTED)
        after = lab.configs()
        assert not any(lab.waits(name) for name in lab.names)
    assert ended.code == 5, ended.text
    _shows(lab, ended, ONE, "is its disk full")
    assert sorted(after[ONE][0].splitlines()) == sorted(before[ONE][0].splitlines())
    assert after[ONE][1] == before[ONE][1]
    assert lab.has(CANARY, "FULL") == (True, True)
    assert lab.has(OTHER, "FULL") in ((True, True), (False, False))


@pytest.mark.long
@pytest.mark.long
def test_a_full_disk_of_the_journal(lab: Pushing) -> None:
    """Nothing can be written down: so nothing goes on, what waits on the switch reverts, and later the run goes on."""
    before = lab.configs()
    lab.journal.parent.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", lab.journal.parent], check=True)
    fill = lab.journal.parent / "fill"
    try:
        intent = lab.with_line("NOTED", CANARY)
        words = (intent, "--commit", "--accept-loss", CANARY)
        with lab.begun(
            *words, trap=trap("commit", "after", "wait", device=CANARY), settings={**QUICK, "confirm": 6}
        ) as child:
            child.reach()
            subprocess.run(["dd", "if=/dev/zero", f"of={fill}", "bs=4k"], check=False, capture_output=True)
            child.go()
            ended = child.end()
        assert ended.code not in (0, 3, 4), ended.text
        _shows(lab, ended, "journal-write")
        assert "Traceback" not in ended.text
        becomes(False, lab.waits, CANARY)
        assert _same(lab, before)
        fill.unlink()
        ended = lab.push(*words)
        assert ended.code == 0, ended.text
        assert lab.has(CANARY, "NOTED") == (True, True)
    finally:
        subprocess.run(["umount", "-l", lab.journal.parent], check=True)


class Door(NamedTuple):
    """sshd of a switch, for root, at a port of this host."""

    port: int
    folder: Path


@pytest.fixture
def door(site: Site, tmp_path: Path) -> Iterator[Door]:
    """A real sshd in the canary."""
    for name in ("host", "user", "other"):
        keygen = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(tmp_path / name)]
        subprocess.run(keygen, check=True, capture_output=True, timeout=120)
    (tmp_path / "config").write_text(
        f"HostKey {tmp_path}/host\nAuthorizedKeysFile {tmp_path}/user.pub\nPermitRootLogin yes\nUsePAM no\n"
        "StrictModes no\nPidFile none\nPasswordAuthentication yes\nSetEnv SHLVL=1\n"
    )
    space = place_of(site.folder).space(CANARY)
    script = 'mkdir -p -m 755 /run/sshd && exec /usr/sbin/sshd -i -e -f "$0"'
    with serving(space.enter("sh", "-c", script, str(tmp_path / "config")), tmp_path / "log") as port:
        for file, key in (("known", "host"), ("wrong", "other")):
            words = (tmp_path / f"{key}.pub").read_text().split()[:2]
            (tmp_path / file).write_text(f"[127.0.0.1]:{port} {' '.join(words)}\n")
        yield Door(port, tmp_path)


def _by_ssh(lab: Pushing, door: Door, known: str, key: str | None) -> Path:
    """An inventory in which the canary is reached by SSH: with a key, or with a password by reference."""
    folder = lab.folder / f"inventory-{known}-{key}"
    shutil.copytree(lab.inventory, folder)
    hosts = yaml.safe_load((folder / "hosts.yaml").read_text())
    arguments = {"known_hosts": str(door.folder / known), "state_dir": STATE}
    if key is not None:
        arguments["key_file"] = str(door.folder / key)
    napalm = {
        "hostname": "127.0.0.1",
        "port": door.port,
        "username": "root",
        "extras": {"optional_args": arguments},
        **({"password": "${env:DOOR}"} if key is None else {}),
    }
    hosts[CANARY]["connection_options"]["napalm"] = napalm
    (folder / "hosts.yaml").write_text(yaml.safe_dump(hosts))
    return folder


def test_a_wrong_host_key_and_a_wrong_password(lab: Pushing, door: Door) -> None:
    before = lab.configs()
    intent = lab.with_line("LOCKED", CANARY)
    words, env = (intent, "--accept-loss", CANARY, "--devices", CANARY), {"DOOR": SECRET}
    shown = lab.push(*words, inventory=_by_ssh(lab, door, "known", "user"), env=env)
    assert shown.code == 3, shown.text  # by the right key it is read
    for known, key, told in (("wrong", "user", "certificate or host key not trusted"), ("known", None, "login")):
        ended = lab.push(*words, "--commit", inventory=_by_ssh(lab, door, known, key), env=env)
        assert ended.code == 5, ended.text
        _shows(lab, ended, CANARY, f"({told})", "nothing was changed")
        assert SECRET not in ended.text + lab.kept()
        assert "Traceback" not in ended.text
    assert lab.configs() == before


@pytest.mark.long
def test_two_pushes_at_once(lab: Pushing) -> None:
    """A journal has one push; by another journal the lease on the switch says whose push it is, and what it does."""
    one, other = lab.with_line("FIRST", CANARY), lab.with_line("SECOND", CANARY)
    words = ("--commit", "--accept-loss", CANARY)
    with lab.begun(one, *words, trap=trap("apply", "before", "wait", device=CANARY)) as child:
        child.reach()
        same = lab.push(other, *words)
        assert same.code not in (0, 3, 4, 5), same.text
        _shows(lab, same, "push-running")
        elsewhere = lab.push(other, *words, journal=lab.folder / "other.sqlite")
        assert elsewhere.code not in (0, 3, 4, 5), elsewhere.text
        _shows(lab, elsewhere, "push-leased", f"another push is running on {CANARY}", "run 1 of ", "--take-over")
        child.go()
        assert child.end().code == 0
    assert lab.has(CANARY, "FIRST") == (True, True)
    assert lab.has(CANARY, "SECOND") == (False, False)


@pytest.mark.long
@pytest.mark.long
def test_a_push_while_anothers_commit_waits(lab: Pushing) -> None:
    one, other = lab.with_line("FIRST", CANARY), lab.with_line("SECOND", CANARY)
    words = ("--commit", "--accept-loss", CANARY)
    with lab.begun(one, *words, trap=trap("commit", "after", "wait", device=CANARY)) as child:
        child.reach()
        ended = lab.push(other, *words, journal=lab.folder / "other.sqlite")
        assert ended.code not in (0, 3, 4, 5), ended.text
        _shows(lab, ended, "push-leased", f"another push is running on {CANARY}", "run 1 of ", "--take-over")
        child.go()
        assert child.end().code == 0
    assert lab.has(CANARY, "FIRST") == (True, True)
    assert lab.has(CANARY, "SECOND") == (False, False)


@pytest.mark.long
def test_a_hand_made_change_voids_the_approval_and_stops_a_later_wave(lab: Pushing) -> None:
    by_hand, intent = LINE.format("BY-HAND"), lab.with_line("APPROVED", *LEAVES)
    shown = lab.push(intent, *ACCEPTED)
    assert shown.code == 3, shown.text
    lab.running.typed(ONE, by_hand)
    typed = lab.configs()
    ended = lab.push(intent, *ACCEPTED, "--commit", "--approval", approval_of(shown))
    assert ended.code not in (0, 3, 4, 5), ended.text
    _shows(lab, ended, ONE, "approval")
    assert OTHER not in ended.text
    assert lab.configs() == typed
    lab.running.typed(ONE, f"no {by_hand}")
    late = trap("note", "before", "wait", step="done", how="ended", device=CANARY)
    with lab.begun(intent, *ACCEPTED, "--commit", "--approval", approval_of(shown), trap=late) as child:
        child.reach()
        lab.running.typed(ONE, by_hand)
        child.go()
        ended = child.end()
    assert ended.code == 5, ended.text
    _shows(lab, ended, ONE, "it runs something else than when this was approved")
    assert lab.has(CANARY, "APPROVED") == (True, True)
    assert lab.has(ONE, "BY-HAND") == (True, False)
    assert not any(word in "".join(lab.configs()[OTHER]) for word in ("APPROVED",))
    assert not any(lab.waits(name) for name in lab.names)


def test_a_secret_of_the_intent_reaches_the_switch_and_nothing_else(lab: Pushing) -> None:
    asn = lab.running.device(CANARY).routing.bgp.asn
    lines = (f"router bgp {asn}", " neighbor OUTSIDE peer-group", " neighbor OUTSIDE password ${env:OUTSIDE_KEY}")
    intent, env = lab.intent(raw={CANARY: lines}), {"OUTSIDE_KEY": SECRET}
    reports = [lab.folder / f"report{suffix}" for suffix in (".md", ".json", ".txt")]
    words = ("--accept-loss", CANARY, "-v")
    shown = lab.push(intent, *words, env=env)
    assert shown.code == 3, shown.text
    held = trap("note", "before", "wait", step="confirm", how="begun", device=CANARY)
    files = [word for path in reports for word in ("--report", path)]
    with lab.begun(intent, "--commit", *words, *files, trap=held, env=env) as child:
        child.reach()
        looks = lab.kept()
        child.go()
        ended = child.end()
    assert ended.code == 0, ended.text
    assert lab.has(CANARY, SECRET) == (True, True)
    told = [shown.text, ended.text, looks, lab.kept(), *(path.read_text() for path in reports)]
    assert all(told)
    assert "neighbor OUTSIDE password" in looks  # what the switch said is among them
    assert not [text for text in told if SECRET in text]
