"""A push and `napalm_frr` on real daemons, in namespaces of their own.

No file beside frr.conf is committed here: the switches of this fabric have no /etc of their own, so it would be this
host's.
"""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from fabricgen.platforms.base.live.reader import JSON, ReadCommand
from fabricgen.platforms.frr.live.commit_profile import FRR
from fabricgen.platforms.linux.live.commit import CHANGED
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate
from tests.judges import frr as judge
from tests.judges.frr import Loaded
from tests.napalm_frr import fabric, switches
from tests.napalm_frr.switches import Server
from tests.push.boxed import USER, at, committing, fleet, inventory, refused

SECONDS = 30
MESSAGE = "run 7f3a leaf1 change"
NETWORK = "network 10.77.0.0/24"
BEFORE = fabric.text("leaf1")
AFTER = fabric.text("leaf1", (NETWORK,))


@pytest.fixture(scope="module")
def wired() -> Iterator[Mapping[str, Loaded]]:
    """Two spines, two leaves."""
    if judge.available() is not None:
        pytest.skip(f"judge: {judge.available()}")
    with fabric.wired() as found:
        yield found


@pytest.fixture
def site(wired: Mapping[str, Loaded], tmp_path: Path) -> Iterator[Path]:
    """An inventory with one leaf, which runs its own text before and after."""
    options = switches.arguments(wired["leaf1"], tmp_path / "state")
    yield inventory(tmp_path / "site", {"leaf": 22}, "frr", **options)
    with switches.opened(wired["leaf1"], tmp_path / "state") as driver:
        if driver.has_pending_commit():
            driver.rollback()
        driver.load_replace_candidate(config=BEFORE)
        if driver.compare_config():
            driver.commit_config()


def runs(frr: NapalmFleet) -> bool:
    """Whether it announces the network."""
    return NETWORK in at(frr, lambda it: it.running())


def test_a_timed_commit_is_known_by_its_message_and_confirmed_by_another_process(site: Path) -> None:
    with fleet(site, "frr") as frr:
        assert at(frr, lambda it: it.compare(Candidate(BEFORE, {}))) == ""
        assert NETWORK in at(frr, lambda it: it.compare(Candidate(AFTER, {})))
        assert at(frr, lambda it: it.pending()) is None
        token = at(frr, committing(Candidate(AFTER, {}), f"{MESSAGE}\n", 60))
    with fleet(site, "frr") as frr:
        assert (token, at(frr, lambda it: it.pending())) == (f"{MESSAGE} ", f"{MESSAGE} ")
        assert refused(frr, lambda it: it.load(Candidate(BEFORE, {}), "another")).kind == "locked"
        assert refused(frr, lambda it: it.confirm("another")).kind == "gone"
        at(frr, lambda it: it.confirm(token))
        assert at(frr, lambda it: it.pending()) is None
        assert refused(frr, lambda it: it.confirm(token)).kind == "gone"
        assert refused(frr, lambda it: it.revert(token)).kind == "gone"
        assert runs(frr)


def test_a_commit_that_nobody_confirms_reverts_by_itself(site: Path) -> None:
    with fleet(site, "frr") as frr:
        at(frr, committing(Candidate(AFTER, {}), MESSAGE, 2))
        deadline = time.monotonic() + SECONDS
        while at(frr, lambda it: it.pending()) is not None:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        assert not runs(frr)


def test_a_commit_is_reverted_at_once(site: Path) -> None:
    with fleet(site, "frr") as frr:
        token = at(frr, committing(Candidate(AFTER, {}), MESSAGE, 60))
        assert runs(frr)
        at(frr, lambda it: it.revert(token))
        assert not runs(frr)


BY_HAND = "ip prefix-list BY-HAND seq 5 permit 10.99.0.0/16"


@pytest.mark.parametrize("is_typed", [True, False])
def test_what_a_hand_types_right_before_a_commit_is_seen_behind_it_and_comes_back(
    site: Path, wired: Mapping[str, Loaded], *, is_typed: bool
) -> None:
    with fleet(site, "frr") as frr:
        token = at(frr, lambda it: it.load(Candidate(AFTER, {}), MESSAGE))
        mark = at(frr, lambda it: it.mark())
        if is_typed:
            assert wired["leaf1"].configure(["configure terminal", BY_HAND]) == ""
        at(frr, lambda it: it.commit(60))
        assert BY_HAND not in at(frr, lambda it: it.running())
        assert at(frr, lambda it: it.meanwhile(token, mark)) == (CHANGED if is_typed else "")
        at(frr, lambda it: it.revert(token))
        assert (BY_HAND in at(frr, lambda it: it.running())) is is_typed
        assert not runs(frr)


def test_lines_are_merged(site: Path) -> None:
    lines = f"router bgp {fabric.ASN['leaf1']}\n address-family ipv4 unicast\n  {NETWORK}\n"
    with fleet(site, "frr") as frr:
        at(frr, committing(Candidate(lines, {}, merge=True), MESSAGE, None))
        assert runs(frr)


def test_what_frr_does_not_take_is_refused(site: Path) -> None:
    with fleet(site, "frr") as frr:
        found = refused(frr, lambda it: it.load(Candidate(f"{BEFORE}frobnicate\n", {}), MESSAGE))
        assert (found.kind, "frobnicate" in found.reason) == ("refused", True)
        wrong = BEFORE.replace(f"bgp router-id {fabric.LOOPBACK['leaf1']}", "neighbor NOBODY activate")
        found = refused(frr, committing(Candidate(wrong, {}), MESSAGE, 60))
        assert found.kind == "refused"
        assert at(frr, lambda it: it.compare(Candidate(BEFORE, {}))) == ""


def test_counters_and_commands_are_answered(site: Path) -> None:
    with fleet(site, "frr") as frr:
        counters = at(frr, lambda it: it.counters())
        assert {"swp1", "swp2"} <= set(counters)
        outputs = at(
            frr, lambda it: it.ask((ReadCommand("x", "show interface json", JSON), ReadCommand("x", "configure", JSON)))
        )
        assert isinstance(outputs["show interface json"].value, dict)
        assert outputs["configure"].error != ""


def test_a_namespace_that_is_gone(site: Path) -> None:
    text = (site / "defaults.yaml").read_text().replace("namespace: ", "namespace: none-")
    (site / "defaults.yaml").write_text(text)
    with fleet(site, "frr") as frr:
        assert refused(frr, lambda it: it.running()).kind == "unreachable"


@pytest.fixture(scope="module")
def server(wired: Mapping[str, Loaded]) -> Iterator[Server]:
    """A real sshd in the leaf."""
    with switches.sshd(wired["leaf1"]) as found:
        yield found


def over_ssh(server: Server, wired: Mapping[str, Loaded], folder: Path, **options: object) -> Path:
    """An inventory with the leaf over SSH; it is root who logs in, with a key unless the options say otherwise."""
    state = {"pathspace": wired["leaf1"].namespace, "state_dir": str(folder / "state")}
    inventory(folder / "site", {"leaf": server.port}, "frr", **{"known_hosts": server.known, **state, **options})
    defaults = folder / "site" / "defaults.yaml"
    defaults.write_text(defaults.read_text().replace(f"username: {USER}", "username: root"))
    return folder / "site"


def test_over_ssh_a_commit_is_reverted_by_another_process(
    server: Server, wired: Mapping[str, Loaded], tmp_path: Path
) -> None:
    site = over_ssh(server, wired, tmp_path, key_file=server.key)
    token = at(fleet(site, "frr"), committing(Candidate(AFTER, {}), MESSAGE, 60))
    with fleet(site, "frr") as frr:
        assert runs(frr)
        at(frr, lambda it: it.revert(token))
        assert not runs(frr)


def test_over_ssh_a_connection_that_went_away_is_opened_again(
    server: Server, wired: Mapping[str, Loaded], tmp_path: Path
) -> None:
    with fleet(over_ssh(server, wired, tmp_path, key_file=server.key), "frr") as frr:
        token = at(frr, committing(Candidate(AFTER, {}), MESSAGE, 60))
        frr._lines["leaf"].driver._transport.close()
        at(frr, lambda it: it.revert(token))
        assert not runs(frr)


def test_over_ssh_a_wrong_password_and_the_wrong_switch(
    server: Server, wired: Mapping[str, Loaded], tmp_path: Path
) -> None:
    with fleet(over_ssh(server, wired, tmp_path / "password"), "frr") as frr:
        assert refused(frr, lambda it: it.running()).kind == "login"
    wrong = over_ssh(server, wired, tmp_path / "key", key_file=server.key, known_hosts=server.wrong)
    with fleet(wrong, "frr") as frr:
        assert refused(frr, lambda it: it.running()).kind == "host-key"
    (tmp_path / "none").touch()
    unknown = over_ssh(server, wired, tmp_path / "unknown", key_file=server.key, known_hosts=tmp_path / "none")
    with fleet(unknown, "frr") as frr:
        assert refused(frr, lambda it: it.running()).kind == "host-key"


def test_files_are_read_and_one_that_is_not_there_is_none(site: Path) -> None:
    """Of this host: the fabric's switches see its /etc."""
    paths = tuple(FRR.files.values())
    there = {path: Path(path).read_text(encoding="utf-8") if Path(path).exists() else "" for path in paths}
    with fleet(site, "frr") as frr:
        assert at(frr, lambda it: it.files(paths)) == there
        snapshot = at(frr, lambda it: it.snapshot())
        assert snapshot.files == {path: text for path, text in there.items() if text}
        assert snapshot.merge is False
        assert f"router bgp {fabric.ASN['leaf1']}" in snapshot.text
        running = at(frr, lambda it: it.running())
        assert [path in running.splitlines() for path in paths] == [bool(there[path]) for path in paths]
