"""Replace, merge, commit, confirm, rollback on live switches, seen from the switch and from across the fabric."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from napalm.base.exceptions import (
    CommitConfirmException,
    CommitError,
    LockError,
    MergeConfigException,
    ReplaceConfigException,
)

from napalm_frr import FRRDriver
from tests.frr.waiting import becomes
from tests.judges.frr import Loaded
from tests.napalm_frr import fabric, switches

Fabric = Mapping[str, Loaded]
PREFIX = "10.99.0.0/24"
NEW = f"network {PREFIX}"
MERGE = f"router bgp {fabric.ASN['leaf1']}\n address-family ipv4 unicast\n  {NEW}\n exit-address-family\nexit\n"


def _far_ports(wired: Fabric) -> set[str]:
    return switches.devices(wired["leaf2"], PREFIX)


def _running(driver: FRRDriver) -> str:
    return str(driver.get_config("running")["running"])


def _startup(driver: FRRDriver) -> str:
    return str(driver.get_config("startup")["startup"])


def test_its_own_text_is_no_difference(leaf: FRRDriver) -> None:
    leaf.load_replace_candidate(config=fabric.text("leaf1"))
    assert leaf.compare_config() == ""


def test_the_difference_is_shown_in_its_section(leaf: FRRDriver) -> None:
    text = fabric.text("leaf1", (NEW,)).replace("description first port of leaf1", "description uplink")
    leaf.load_replace_candidate(config=text)
    assert leaf.compare_config().splitlines() == [
        " interface swp1",
        "- description first port of leaf1",
        "+ description uplink",
        " router bgp 65101",
        "  address-family ipv4 unicast",
        f"+  {NEW}",
    ]


def test_replace_reaches_the_far_switch_and_rollback_takes_it_away(leaf: FRRDriver, wired: Fabric) -> None:
    before = _running(leaf)
    leaf.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
    assert PREFIX not in _running(leaf)
    leaf.commit_config(message="one network more")
    assert NEW in _running(leaf)
    assert NEW in _startup(leaf)
    assert leaf.compare_config() == ""
    becomes({"swp1", "swp2"}, _far_ports, wired)
    leaf.rollback()
    assert _running(leaf) == before
    assert NEW not in _startup(leaf)
    becomes(set(), _far_ports, wired)
    leaf.rollback()
    assert _running(leaf) == before


def test_a_timed_commit_reverts_by_itself_with_the_driver_closed(wired: Fabric, tmp_path: Path) -> None:
    switch = wired["leaf1"]
    with switches.opened(switch, tmp_path) as driver:
        before, startup = _running(driver), _startup(driver)
        driver.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
        driver.commit_config(message="timed", revert_in=3)
        assert driver.has_pending_commit()
        assert NEW in _running(driver)
        assert _startup(driver) == startup
    assert NEW in switch.show("show running-config")
    becomes(False, lambda: NEW in switch.show("show running-config"))
    with switches.opened(switch, tmp_path) as driver:
        becomes(False, driver.has_pending_commit)
        assert _running(driver) == before
        assert _startup(driver) == startup
        with pytest.raises(CommitConfirmException, match="leaf1"):
            driver.confirm_commit()
        with pytest.raises(CommitError, match="no commit to roll back"):
            driver.rollback()
    log = (tmp_path / "commit.log").read_text()
    assert "timed" in log
    assert log.splitlines()[-1].endswith("reverted")


def test_only_a_confirmation_reaches_the_startup_file(leaf: FRRDriver, wired: Fabric, tmp_path: Path) -> None:
    leaf.load_replace_candidate(config=fabric.text("leaf1", (NEW,)))
    leaf.commit_config(revert_in=300)
    assert NEW not in _startup(leaf)
    with switches.opened(wired["leaf1"], tmp_path / "state") as other:
        assert other.has_pending_commit()
        other.confirm_commit()
        assert not other.has_pending_commit()
    assert not leaf.has_pending_commit()
    assert NEW in _startup(leaf)
    assert NEW in _running(leaf)


def test_rollback_ends_a_timed_commit(leaf: FRRDriver) -> None:
    """And no more: the commit before it, which was kept, stays."""
    leaf.load_replace_candidate(config=fabric.text("leaf1").replace("description first port", "description port"))
    leaf.commit_config()
    before = _running(leaf)
    leaf.load_merge_candidate(config=MERGE)
    leaf.commit_config(revert_in=300)
    leaf.rollback()
    assert not leaf.has_pending_commit()
    assert _running(leaf) == before
    with pytest.raises(CommitError, match="no commit to roll back"):
        leaf.rollback()


def test_a_timed_commit_is_cancelled_and_no_other(leaf: FRRDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where its own timer has reverted it between the question and the answer."""
    leaf.load_replace_candidate(config=fabric.text("leaf1").replace("description first port", "description port"))
    leaf.commit_config()
    before = _running(leaf)
    leaf.load_merge_candidate(config=MERGE)
    leaf.commit_config(revert_in=300)
    waiting = leaf.run_marks()
    leaf.cancel_commit()
    assert _running(leaf) == before
    with pytest.raises(CommitConfirmException, match="no commit waits"):
        leaf.cancel_commit()
    monkeypatch.setattr(leaf._lifecycle, "run_marks", lambda: waiting)
    leaf.cancel_commit()
    assert _running(leaf) == before


def test_nobody_commits_while_one_is_pending(leaf: FRRDriver, wired: Fabric, tmp_path: Path) -> None:
    leaf.load_merge_candidate(config=MERGE)
    leaf.commit_config(message="the first", revert_in=300)
    with switches.opened(wired["leaf1"], tmp_path / "state") as other:
        for driver in (leaf, other):
            driver.load_replace_candidate(config=fabric.text("leaf1"))
            with pytest.raises(LockError, match=r"leaf1: another commit.* begins: the first$"):
                driver.commit_config()
    assert leaf.has_pending_commit()
    assert NEW in _running(leaf)


def test_merge_adds_and_takes_away(leaf: FRRDriver) -> None:
    leaf.load_merge_candidate(config=MERGE)
    assert leaf.compare_config().splitlines() == [
        " router bgp 65101",
        "  address-family ipv4 unicast",
        f"+  {NEW}",
    ]
    leaf.commit_config()
    assert leaf.compare_config() == ""
    assert NEW in _startup(leaf)
    leaf.load_merge_candidate(config=MERGE.replace(NEW, f"no {NEW}"))
    assert f"-  {NEW}" in leaf.compare_config().splitlines()
    leaf.commit_config()
    assert NEW not in _running(leaf)


def test_merges_add_up_until_they_are_discarded(leaf: FRRDriver) -> None:
    leaf.load_merge_candidate(config=MERGE)
    leaf.load_merge_candidate(config=MERGE.replace("10.99", "10.98"))
    assert leaf.compare_config().count("+") == 2
    with_two = leaf.get_config("candidate")["candidate"]
    assert "10.99.0.0/24" in with_two
    assert "10.98.0.0/24" in with_two
    leaf.discard_config()
    assert leaf.compare_config() == ""
    assert leaf.get_config("candidate")["candidate"] == ""
    with pytest.raises(CommitError, match="nothing is loaded"):
        leaf.commit_config()


def test_a_candidate_is_read_from_a_file_too(leaf: FRRDriver, tmp_path: Path) -> None:
    (tmp_path / "frr.conf").write_text(fabric.text("leaf1", (NEW,)))
    leaf.load_replace_candidate(filename=str(tmp_path / "frr.conf"), config="nonsense")
    assert f"+  {NEW}" in leaf.compare_config().splitlines()


def test_a_neighbor_changes_its_group_by_replace(leaf: FRRDriver, wired: Fabric) -> None:
    """FRR refuses another group as long as there is one; a replace takes the first away before."""
    address = next(address for address, _ in fabric.neighbors("leaf1"))
    moved = f"neighbor {address} peer-group OTHER"
    typed = ("configure terminal", "router bgp 65101", "neighbor OTHER peer-group", moved)
    assert "Cannot change the peer-group. Deconfigure first" in wired["leaf1"].configure(typed)
    text = fabric.text("leaf1").replace(f"neighbor {address} peer-group FABRIC", moved)
    text = text.replace(" neighbor FABRIC peer-group\n", " neighbor FABRIC peer-group\n neighbor OTHER peer-group\n")
    leaf.load_replace_candidate(config=text)
    leaf.commit_config()
    assert moved in _running(leaf)


def test_a_merge_of_all_that_runs_and_a_line_more_comes_through(leaf: FRRDriver) -> None:
    leaf.load_merge_candidate(config=fabric.text("leaf1", (NEW,)))
    assert leaf.compare_config().count("\n") == 2
    leaf.commit_config()
    assert NEW in _running(leaf)


SYNTAX = (
    ("router bgp 65101\n nonsense here\n", r"line 2: 'nonsense here'"),
    ("interface swp1\n description x\nip prefix-list A seq 5 permit 10.0.0.0/64\n", r"line 3: 'ip prefix-list A"),
    ("router bgp 65101\n bgp router-id\n", r"line 2: 'bgp router-id'"),
    ("\n \n", "empty"),
    ("hostname a\0b\n", "NUL"),
)


@pytest.mark.parametrize(("text", "told"), SYNTAX)
def test_a_line_that_frr_does_not_know_is_refused_before_anything_changes(
    leaf: FRRDriver, text: str, told: str
) -> None:
    before = _running(leaf)
    with pytest.raises(ReplaceConfigException, match=told):
        leaf.load_replace_candidate(config=text)
    with pytest.raises(MergeConfigException, match=told):
        leaf.load_merge_candidate(config=text)
    assert leaf.compare_config() == ""
    assert _running(leaf) == before


def test_the_refusal_does_not_tell_a_secret(leaf: FRRDriver) -> None:
    text = "router bgp 65101\n neighbor 172.16.11.0 passwrd x password Tr0ub4dor\n"
    with pytest.raises(ReplaceConfigException, match="line 2") as raised:
        leaf.load_replace_candidate(config=text)
    assert "Tr0ub4dor" not in str(raised.value)


@pytest.mark.parametrize("merge", [False, True])
def test_a_line_that_a_daemon_refuses_restores_all(leaf: FRRDriver, wired: Fabric, merge: bool) -> None:
    before, startup = _running(leaf), _startup(leaf)
    bad = "neighbor 192.0.2.1 peer-group NOBODY"
    if merge:
        leaf.load_merge_candidate(config=f"{MERGE}router bgp 65101\n {bad}\nexit\n")
    else:
        text = fabric.text("leaf1", (NEW,)).replace(" !\n address-family ipv4", f" {bad}\n !\n address-family ipv4")
        leaf.load_replace_candidate(config=text)
    with pytest.raises(CommitError, match=rf"leaf1: line \d+: '{bad}': Configure the peer-group first"):
        leaf.commit_config()
    assert _running(leaf) == before
    assert _startup(leaf) == startup
    assert not leaf.has_pending_commit()
    becomes(set(), _far_ports, wired)


def test_secrets_are_masked_in_differences_and_compared(leaf: FRRDriver) -> None:
    text = fabric.text("leaf1").replace(" !\n", " neighbor 192.0.2.9 remote-as 5\n !\n", 1)
    words = " neighbor 192.0.2.9 remote-as 5\n neighbor 192.0.2.9 password {}\n"
    first, second = (text.replace(" neighbor 192.0.2.9 remote-as 5\n", words.format(word)) for word in ("a1b2", "c3d4"))
    leaf.load_replace_candidate(config=first)
    leaf.commit_config()
    leaf.load_replace_candidate(config=second)
    told = leaf.compare_config().splitlines()
    assert told == [
        " router bgp 65101",
        "- neighbor 192.0.2.9 password <removed>",
        "+ neighbor 192.0.2.9 password <removed>",
    ]
    assert "a1b2" not in leaf.get_config("running", sanitized=True)["running"]
    assert "a1b2" in _running(leaf)


BLUE = """router bgp {asn} vrf blue
 address-family ipv4 unicast
  redistribute connected{more}
 exit-address-family
exit
"""
RED = """router bgp {asn} vrf red
 address-family ipv4 unicast
  redistribute connected
 exit-address-family
exit
"""


def test_a_vrf_goes_that_another_imports_from(leaf: FRRDriver) -> None:
    """frr-reload.py 8.4.4 deletes the instance first and the import behind it, which makes the instance again."""
    base = fabric.text("leaf1")
    found = re.search(r"(?m)^router bgp (\d+)$", base)
    assert found is not None
    blue, red = BLUE.format(asn=found[1], more="\n  import vrf red"), RED.format(asn=found[1])
    leaf.load_replace_candidate(config=base + blue + red)
    leaf.commit_config()
    assert f"router bgp {found[1]} vrf red" in _running(leaf)
    leaf.load_replace_candidate(config=base + BLUE.format(asn=found[1], more=""))
    leaf.commit_config()
    assert " vrf red" not in _running(leaf)
    assert leaf.compare_config() == ""
