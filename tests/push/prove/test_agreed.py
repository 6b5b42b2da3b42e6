"""A switch that does not run what was committed, on doubles of each driver: the comparison names the lines.

tests/long/test_push_agrees_live.py has FRR, with real daemons.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from fabricgen.platforms.base.live.commit_profile import Respelled
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.push.prove.runs_committed import DIFFERS, SHOWN, must_agree, unlike
from fabricgen.push.switch.switch import Candidate
from tests.cumulus import driven
from tests.doubles import eos_sessions, sonic_box, srlinux_rpc
from tests.doubles.eapi_sessions import switch as eos_switch
from tests.doubles.eos_tree import grown
from tests.doubles.sonic_ssh import sshd
from tests.push.boxed import LOGIN, at, committing, fleet, inventory, refused
from tests.push.switch import test_box_eos, test_box_junos
from tests.sonic import test_sonic_driver as sonic
from tests.srlinux import running as srlinux

MESSAGE = "run 7f3a leaf change"


class Stand(NamedTuple):
    """One switch. wanted: what is committed; lose: it silently runs something else; lost: a word of what differs."""

    folder: Path
    wanted: Candidate
    lose: Callable[[], object]
    lost: str


@contextmanager
def _eos(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Stand]:
    del patch
    with eos_switch(test_box_eos.BEFORE, login=LOGIN, release=eos_sessions.NEW) as box:
        site = inventory(folder, {"leaf": box.port}, "eos", transport="http")
        kept = test_box_eos.AFTER.replace("   router-id 10.0.0.1\n", "")
        wanted = Candidate(test_box_eos.AFTER, {})
        yield Stand(site, wanted, lambda: setattr(box, "running", grown(kept)), "router-id 10.0.0.1")


@contextmanager
def _junos(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Stand]:
    box = test_box_junos.Junos()
    for where in ("napalm.junos.junos.Device", "fabricgen.platforms.junos.napalm_driver.Device"):
        patch.setattr(where, lambda *_, **__: box)

    def lose() -> None:
        box.active = box.candidate = test_box_junos.BEFORE

    yield Stand(inventory(folder, {"leaf": 830}, "junos"), Candidate(test_box_junos.AFTER, {}), lose, "leaf-1")


@contextmanager
def _sonic(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Stand]:
    del patch
    with sshd(sonic_box.box(folder / "leaf", sonic.RUNS, sonic.FRR + sonic_box.APPENDED), LOGIN) as leaf:
        options = {"known_hosts": leaf.known(folder / "known"), "root": leaf.box.root, "commit_seconds": 20}
        site = inventory(folder / "site", {"leaf": leaf.port}, "sonic", **options)
        wanted = Candidate(sonic.changed(), {sonic.FRR_CONF: sonic.FRR})
        yield Stand(site, wanted, lambda: (leaf.box.root / "db.json").write_text(json.dumps(sonic.RUNS)), "mtu: 9100")


@contextmanager
def _sonic_lines(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Stand]:
    """Lines that are added to what its FRR runs, as a drain does."""
    with _sonic(folder, patch) as found:
        line = " neighbor 10.0.0.1 route-map DRAINED-OUT out"
        runs = folder / "leaf/frr.running"
        wanted = Candidate(f"router bgp 65001\n{line}\n", {}, merge=True)
        yield Stand(found.folder, wanted, lambda: runs.write_text(sonic.FRR), line.strip())


@contextmanager
def _cumulus(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Stand]:
    del patch
    with driven.standing(folder / "switch") as stand:
        options = {"known_hosts": stand.known, "settle_seconds": 2}
        site = inventory(folder / "site", {"leaf": stand.server.port}, "cumulus", **options)
        wanted = Candidate(driven.AFTER, {})
        yield Stand(site, wanted, lambda: setattr(stand.switch, "applied", driven.BEFORE), driven.ADDED)


@contextmanager
def _srlinux(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Stand]:
    del patch
    with srlinux_rpc.switch(srlinux.BEFORE, login=LOGIN) as box:
        box.shown = srlinux.shown
        site = inventory(folder, {"leaf": box.port}, "srlinux", transport="http")
        wanted = Candidate(srlinux.WHOLE, {}, hidden=(srlinux.HASH,))
        yield Stand(site, wanted, lambda: setattr(box, "running", srlinux.BEFORE), "to the spine")


STANDS = {
    "eos": _eos,
    "junos": _junos,
    "sonic": _sonic,
    "sonic, lines": _sonic_lines,
    "cumulus": _cumulus,
    "srlinux": _srlinux,
}


@pytest.mark.parametrize("which", STANDS)
def test_what_was_committed_is_compared_while_it_waits_and_what_is_gone_is_named(
    which: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with STANDS[which](tmp_path, monkeypatch) as stand, fleet(stand.folder, which.partition(",")[0]) as found:
        token = at(found, committing(stand.wanted, MESSAGE, 60))
        at(found, lambda box: must_agree(box, stand.wanted))
        assert at(found, lambda box: box.pending()) == token
        stand.lose()
        error = refused(found, lambda box: must_agree(box, stand.wanted))
        assert error.kind == DIFFERS
        assert stand.lost in error.reason
        assert srlinux.HASH not in error.reason


SPELT = (Respelled(r"password", "a test"),)
RESPELT = "-   neighbor 10.0.0.1 password 7 <removed>\n+   neighbor 10.0.0.1 password <removed>"


def test_only_a_known_secret_that_is_spelled_anew_is_normal() -> None:
    around = " router bgp 65001\n"
    assert unlike("") == unlike("--- a\n+++ b\n@@ -1 +1 @@\n") == ()
    assert unlike(around + RESPELT, SPELT) == ()
    told = ("router bgp 65001", *(f"{line[0]} {line[1:].strip()}" for line in RESPELT.splitlines()))
    assert unlike(around + RESPELT) == told
    assert len(unlike(around + RESPELT + "\n+   maximum-paths 64", SPELT)) == 2
    assert unlike("+   neighbor 10.0.0.1 password <removed>", SPELT)  # it is not there at all
    assert unlike("- set:\n    interface: {}") == ("- set:", "interface: {}")


COMMUNITY = "snmp-server community <removed>"


@pytest.mark.parametrize(
    ("difference", "left"),
    [
        ((f"-{COMMUNITY} rw", f"+{COMMUNITY} ro"), 2),  # what is behind the secret differs
        ((f"-{COMMUNITY} ro", f"-{COMMUNITY} rw", f"+{COMMUNITY} ro"), 1),
        ((f"-{COMMUNITY} ro", f"-{COMMUNITY} ro", f"+{COMMUNITY} ro"), 1),  # one too many
        ((f"-{COMMUNITY} ro", f"+{COMMUNITY} ro"), 0),
        (("-tacacs-server host A key 7 <removed>", "+tacacs-server host A key <removed>"), 0),
        (("-tacacs-server host A key 7 <removed>", "+tacacs-server host B key <removed>"), 2),
        (("@@ -1 +1 @@", "--------"), 1),  # a line of dashes
        (("--- a", "+++ b", "@@ -1 +1 @@", "---", "+++"), 2),
        (("--- a", "+++ b"), 0),
        (("@@ -1 +1 @@", "+x", "--- a", "+++ b", "@@ -1 +1 @@"), 1),  # the head of a second file
    ],
)
def test_each_line_is_held_against_one_line(difference: tuple[str, ...], left: int) -> None:
    assert len(unlike("\n".join(difference), COMMIT_PROFILES["eos"].respelled)) == left


def test_each_difference_that_is_called_normal_has_a_source() -> None:
    assert {name for name, profile in COMMIT_PROFILES.items() if profile.respelled} == {"eos", "junos", "srlinux"}
    assert all(row.line and row.source for profile in COMMIT_PROFILES.values() for row in profile.respelled)


def test_of_a_long_difference_the_first_lines_are_told() -> None:
    class Long:
        """A double of a box that runs nothing of what it was to."""

        profile = COMMIT_PROFILES["frr"]

        def compare(self, candidate: Candidate) -> str:
            return "\n".join(f"+line {number}" for number in range(SHOWN + 7))

    with pytest.raises(Exception, match=f"line {SHOWN - 1} and 7 more") as raised:
        must_agree(Long(), Candidate("", {}))  # type: ignore[arg-type]
    assert f"line {SHOWN}" not in str(raised.value)
