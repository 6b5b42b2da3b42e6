"""What changes cost on real FRR, measured again: labels of tests/diff/corpus/frr.yaml that say "measured".

Each trial makes one change while packets run, by frr-reload.py or by a command of the switch, and puts it back.
"""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.lab import risk_probe
from tests.lab.risk_fabric import LOOPBACK, edited, peer, text
from tests.lab.risk_probe import POLICY_SECONDS, Fabric, Seen, measured, settle

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(risk_probe.available() is not None, reason=str(risk_probe.available())),
]

QUIET_SECONDS = 1.0
TRIES = 3
"""Measurements, until one has fewer packets lost than a tenth where the other spine carries on.

A busy host took 150 ms of the second to turn to it, once; where nothing carries on, nearly all is lost each time.
"""
WEST = peer("north", "west")
TIMER = " neighbor FABRIC timers connect 1\n"
MAP_OUT = "  neighbor FABRIC route-map RM-OUT out\n"
ABOUT = f" neighbor {WEST} description west\n"
STATEMENT = "route-map RM-OUT permit 10\n match ip address prefix-list PL-FABRIC\n"

NOBODY: frozenset[str] = frozenset()
BOTH_ENDS = frozenset({"north", "west"})
ALL_OF_NORTH = frozenset({"north", "west", "east"})


class Trial(NamedTuple):
    """A change of one switch's frr.conf: pieces of its text and what replaces them.

    fallen   switches that have an end of a session that falls
    is_lost  whether packets are lost
    """

    name: str
    switch: str
    edits: tuple[tuple[str, str], ...]
    fallen: frozenset[str] = NOBODY
    is_lost: bool = False
    quiet: float = QUIET_SECONDS


TRIALS = (
    Trial("nothing", "north", ()),
    Trial("neighbor description", "north", (("description west", "description far"),)),
    Trial("timers", "north", ((" timers bgp 10 30\n", " timers bgp 20 60\n"),)),
    Trial("map of one neighbor", "north", ((MAP_OUT, f"{MAP_OUT}  neighbor {WEST} route-map RM-DRAIN out\n"),)),
    Trial(
        "statement drains",
        "north",
        ((STATEMENT, f"{STATEMENT} set community graceful-shutdown\n"),),
        quiet=POLICY_SECONDS,
    ),
    Trial("AS number of a neighbor", "north", ((f"{WEST} remote-as 65001", f"{WEST} remote-as 65009"),), BOTH_ENDS),
    Trial(
        "another peer group",
        "north",
        (
            (" neighbor FABRIC peer-group\n", " neighbor FABRIC peer-group\n neighbor DRAIN peer-group\n"),
            (f"{WEST} peer-group FABRIC", f"{WEST} peer-group DRAIN"),
            ("  neighbor FABRIC activate\n", "  neighbor DRAIN activate\n  neighbor FABRIC activate\n"),
        ),
        BOTH_ENDS,
    ),
    Trial("password", "north", ((ABOUT, f"{ABOUT} neighbor {WEST} password other\n"),), BOTH_ENDS),
    Trial("source of a group", "north", ((TIMER, f"{TIMER} neighbor FABRIC update-source lo\n"),), ALL_OF_NORTH),
    Trial("router id", "north", (("bgp router-id 10.9.0.3", "bgp router-id 10.9.0.33"),), ALL_OF_NORTH),
    Trial("prefix announced no more", "east", ((f"  network {LOOPBACK['east']}/32\n", ""),), is_lost=True),
)


@pytest.fixture(scope="module")
def fabric() -> Iterator[Fabric]:
    """One fabric for all: a trial waits until the last one is undone."""
    with risk_probe.built() as found:
        yield found


def _fallen(seen: Seen) -> frozenset[str]:
    return frozenset(end.partition(" ")[0] for end in seen.fell)


@pytest.mark.parametrize("trial", TRIALS, ids=[trial.name for trial in TRIALS])
def test_a_change_of_the_configuration(fabric: Fabric, trial: Trial) -> None:
    settle(fabric)
    switch = fabric[trial.switch]
    try:
        seen = measured(fabric, lambda _: switch.reload(edited(trial.switch, *trial.edits)), trial.quiet)
    finally:
        switch.reload(text(trial.switch))
    print(f"{trial.name}: {seen}")  # noqa: T201 (pytest -s)
    assert seen.said == "0"
    assert _fallen(seen) == trial.fallen
    assert seen.restarted == ()
    if trial.is_lost:
        assert seen.lost > seen.sent // 10
    elif not trial.fallen:
        assert seen.lost == 0
    else:  # the other spine carries on: what was under way on the one that fell at most
        assert seen.lost < seen.sent // 10


def _shut(fabric: Fabric) -> Seen:
    """Shut a link while packets run, and open it again."""
    settle(fabric)
    north = fabric["north"]
    try:
        return measured(fabric, lambda _: north.run("ip", "link", "set", "dev", "to-west", "down"), QUIET_SECONDS)
    finally:
        north.run("ip", "link", "set", "dev", "to-west", "up")


def test_a_link_that_is_shut_takes_its_session_and_packets(fabric: Fabric) -> None:
    for _ in range(TRIES):
        seen = _shut(fabric)
        assert _fallen(seen) == BOTH_ENDS
        assert seen.lost > 0
        if seen.lost < seen.sent // 10:
            break
    assert seen.lost < seen.sent // 10


def test_a_daemon_that_starts_anew_takes_every_session_of_its_switch(fabric: Fabric) -> None:
    settle(fabric)
    seen = measured(fabric, lambda _: fabric["north"].restart("bgpd"), QUIET_SECONDS)
    assert _fallen(seen) == ALL_OF_NORTH
    assert seen.restarted == ("north bgpd",)
    settle(fabric)
