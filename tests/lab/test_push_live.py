"""Pushes that do what they are to do, with traffic across: no packet is lost; and what stops one before it begins."""

import json
from collections.abc import Iterator
from ipaddress import ip_interface
from pathlib import Path

import pytest

from tests.lab.pushing import QUICK, Pushing, approval_of, pushing, shut, trap
from tests.lab.sites import available
from tests.lab.test_drain_live import LEAVES, SPINES, Site, _over, _running, _sessions, _traffic, site

__all__ = ("site",)

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

FIRST, LAST = SPINES
STREAM = 9
DOWN = "swp1s0"
"""Port of either spine to the first leaf."""


@pytest.fixture
def lab(site: Site, tmp_path: Path) -> Iterator[Pushing]:
    """The lab, healthy and with nothing to push, before and after."""
    with pushing(site, tmp_path) as found:
        yield found
    _over(site, *SPINES)


@pytest.mark.parametrize("is_quick", [True, pytest.param(False, marks=pytest.mark.long)], ids=["quick", "real times"])
def test_shown_approved_committed_and_then_there_is_nothing_to_do(site: Site, lab: Pushing, *, is_quick: bool) -> None:
    before, sessions = lab.configs(), _sessions(site)
    drained, settings = lab.intent({FIRST: "drained"}), QUICK if is_quick else None
    shown = lab.push(drained, settings=settings)
    assert shown.code == 3, shown.text
    assert lab.configs() == before
    reports = [lab.folder / f"report{suffix}" for suffix in (".md", ".json", ".txt")]
    words = [word for path in reports for word in ("--report", path)]
    with _traffic(site):
        ended = lab.push(drained, "--commit", "--approval", approval_of(shown), *words, settings=settings)
        assert ended.code == 0, ended.text
        _over(site, LAST)
        again = lab.push(drained, "--commit")
        assert (again.code, "nothing to push" in again.text) == (0, True), again.text
    assert _sessions(site) == sessions
    _all_tell(reports)


@pytest.mark.long
def test_a_drained_spine_then_a_link_in_its_place_then_nothing(site: Site, lab: Pushing) -> None:
    """Each is one line of intent and one command."""
    sessions, drained = _sessions(site), lab.intent({FIRST: "drained"})
    with _traffic(site):
        ended = lab.push(drained, "--commit")
        assert ended.code == 0, ended.text
        _over(site, LAST)
        link = lab.intent({f"{LAST}/{DOWN}": "drained"})
        ended = lab.push(link, "--commit")
        assert ended.code == 0, ended.text
        ended = lab.push(site.intent, "--commit")
        assert ended.code == 0, ended.text
        _over(site, *SPINES)
    assert _sessions(site) == sessions


def _all_tell(reports: list[Path]) -> None:
    for path in reports:
        text = path.read_text()
        assert FIRST in text
        assert "RM-LEAVES-IPV4-DRAINED-OUT" in text
    told = json.loads(reports[1].read_text())
    assert told["outcome"] == "done"


def test_a_spine_is_drained_changed_and_brought_back_without_loss(site: Site, lab: Pushing) -> None:
    """At the change its sessions fall: FRR resets a peer that is made passive (bgpd.c, peer_flag_action_list)."""
    asn, groups = lab.running.device(FIRST).routing.bgp.asn, ("LEAVES-IPV4", "LEAVES-IPV6")
    lines = (f"router bgp {asn}", *(f" neighbor {group} passive" for group in groups))
    intent, sessions = lab.intent(raw={FIRST: lines}), _sessions(site)
    with _traffic(site):
        ended = lab.push(intent, "--commit")
        assert ended.code == 0, ended.text
        _over(site, *SPINES)
    assert lab.has(FIRST, "neighbor LEAVES-IPV4 passive") == (True, True)
    after = _sessions(site)
    assert after.keys() == sessions.keys()
    fell = {key for key, ports in sessions.items() if after[key] != ports}
    assert fell == {key for key in sessions if key[0] == FIRST or _at(lab, key[1]) == FIRST}
    steps = [(stage, step) for device, stage, step, how, _ in lab.events() if (device, how) == (FIRST, "ended")]
    wanted = [
        ("drain", "commit"),
        ("drain", "quiet"),
        ("drain", "confirm"),
        ("change", "commit"),
        ("change", "check"),
        ("change", "confirm"),
        ("undrain", "commit"),
        ("undrain", "check"),
        ("undrain", "confirm"),
    ]
    assert [step for step in steps if step in wanted] == wanted


def _at(lab: Pushing, address: str) -> str:
    """The switch that has an address."""
    return next(
        device.name
        for device in lab.site.lab.devices
        for row in device.interfaces.ethernet
        if address in {str(text).partition("/")[0] for text in (row.ipv4, row.ipv6)}
    )


@pytest.mark.long
def test_traffic_that_does_not_leave_stops_it(site: Site, lab: Pushing) -> None:
    """Packets between the spine and a leaf themselves have no other way: undrained again, and nothing changed."""
    before, starts = {name: sorted(lab.runs(name).splitlines()) for name in lab.names}, lab.starts(FIRST)
    leaf, spine = _link(lab)
    with _traffic(site), _running(site, FIRST, "echo", spine, STREAM) as echo:
        assert echo.stdout is not None
        assert echo.stdout.readline() == "ready\n"
        with _running(site, LEAVES[0], "send", leaf, spine, STREAM):
            limit = ("--quiet-below", 10_000)  # BGP has less
            ended = lab.push(lab.with_line("LOUD", FIRST), "--commit", *limit, settings={**QUICK, "quiet": 6})
            _over(site, *SPINES)
    assert ended.code in (4, 5), ended.text
    assert "still carry traffic" in ended.out, ended.text
    assert {name: sorted(lab.runs(name).splitlines()) for name in lab.names} == before
    assert lab.starts(FIRST) == starts
    assert not any(lab.waits(name) for name in lab.names)
    assert ended.code == 4, ended.text


def _link(lab: Pushing) -> tuple[str, str]:
    """Addresses of the first leaf and the first spine on their link."""
    ports = ((LEAVES[0], FIRST), (FIRST, LEAVES[0]))
    rows = (row for name, peer in ports for row in lab.running.device(name).interfaces.ethernet if row.peer == peer)
    by_network: dict[object, list[str]] = {}
    for row in rows:
        address = ip_interface(str(row.ipv4))
        by_network.setdefault(address.network, []).append(str(address.ip))
    leaf, spine = next(pair for pair in by_network.values() if len(pair) == 2)
    return leaf, spine


@pytest.mark.long
def test_a_floor_that_is_not_kept_live_refuses_it(site: Site, lab: Pushing) -> None:
    """The leaf's link to the other spine is down: without this one it would have none."""
    before = lab.configs()
    with shut(site, LAST, DOWN):
        ended = lab.push(lab.with_line("FLOOR", FIRST), "--commit")
        assert lab.configs() == before
    assert ended.code not in (0, 3), ended.text
    assert "push-floor-live" in ended.text
    assert LEAVES[0] in ended.text


@pytest.mark.long
def test_a_floor_that_is_lost_between_two_waves_stops_it_there(lab: Pushing) -> None:
    """What the first wave did is reported."""
    before = lab.configs()
    late = trap("note", "before", "wait", step="done", how="ended", device=LAST)
    with lab.begun(lab.with_line("BETWEEN", *SPINES), "--commit", trap=late) as child:
        child.reach()
        with shut(lab.site, LAST, DOWN):
            child.go()
            ended = child.end()
    assert ended.code not in (0, 3), ended.text
    assert "push-floor-live" in ended.text
    assert lab.configs()[FIRST] == before[FIRST]
    assert lab.has(LAST, "BETWEEN") == (True, True)
    assert f"{LAST}: done" in ended.out, ended.text
