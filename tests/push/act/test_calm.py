"""When the traffic of drained switches has gone. Boxes are doubles: what they have heard and count, a test says."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import Any, TypeVar, cast

import pytest

from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.plan import with_exceptions
from fabricgen.platforms.base.live.marks import ByHop, Marks
from fabricgen.platforms.base.live.reader import Output, Outputs, ReadCommand
from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.wait_drained import DrainWait
from fabricgen.push.act.work import Failed, Means, RunSettings, RunStopped, Snapshots, SwitchWork
from fabricgen.push.journal.journal import Journal
from fabricgen.push.model import StepName, StepState
from fabricgen.push.prove.idle_ports import drained_ports, drained_sessions, overlay_peers, peers_of
from fabricgen.push.report.steps import _quiet
from fabricgen.push.switch.switch import Octets, SwitchError
from fabricgen.resolve.device import devices
from tests.eos.fleet import fleet, planned
from tests.push.paper import MANNER, SEEN, Clock

T = TypeVar("T")

SPINE = "be-spine-00"
MUTE = MANNER
HEARING = MANNER._replace(
    signs=(SEEN,), draining_peers=lambda outputs: frozenset(str(outputs[SEEN.command].value).split())
)  # fmt: skip


EVPN = ReadCommand("overlay", "whose EVPN routes are marked", "json")


def _marks(outputs: Outputs) -> ByHop | None:
    value = outputs[EVPN.command].value
    return cast("ByHop", value) if isinstance(value, dict) else None


SHOWING = HEARING._replace(overlay=(EVPN,), marks=_marks)
LEAF = "fe-leaf-000"
SPINES = [f"fe-spine-0{number}" for number in range(4)]


@pytest.fixture(scope="module")
def leaf() -> Device:
    """A leaf of tenants that is drained: all spines hear its EVPN routes."""
    plan = with_exceptions(planned("demo"), Exceptions(devices={LEAF: "drained"}))
    return next(device for device in devices(plan) if device.name == LEAF)


@pytest.fixture(scope="module")
def spine() -> Device:
    """A spine of the demo that is drained."""
    return next(device for device in fleet("drained") if device.name == SPINE)


@dataclass
class Site:
    """Doubles of the peers and of the drained switch.

    heard   peer → addresses of which it has routes with the community, as often as it was asked; None: it is silent
    counts  octets that every port of the spine counts from one read to the next
    asked   peers, in order
    shown   peer → EVPN routes by next hop, as often as it was asked for them; None: they cannot be read
    viewed  peers that were asked for them
    """

    heard: dict[str, Callable[[int], Iterable[str] | None]]
    counts: Callable[[str], int] = lambda port: 10
    ports: tuple[str, ...] = ()
    profile: Any = HEARING
    clock: Clock = field(default_factory=Clock)
    stop: Event = field(default_factory=Event)
    asked: list[str] = field(default_factory=list)
    notes: list[tuple[StepName, StepState, str, str, dict[str, object]]] = field(default_factory=list)
    octets: dict[str, int] = field(default_factory=dict)
    reads: int = 0
    shown: dict[str, Callable[[int], ByHop | None]] = field(default_factory=dict)
    viewed: list[str] = field(default_factory=list)

    def each(self, names: Iterable[str], act: Callable[[Any], T]) -> dict[str, T | SwitchError]:
        found: dict[str, T | SwitchError] = {}
        for name in names:
            try:
                found[name] = act(_Box(self, name))
            except SwitchError as error:
                found[name] = error
        return found

    def note(self, run: int, step: StepName, how: StepState, **more: Any) -> None:  # noqa: ANN401
        del run
        self.notes.append((step, how, more["device"], more["stage"], dict(more["detail"])))

    def work(self, name: str) -> SwitchWork:
        """Nobody asks for it."""
        raise LookupError(name)

    def calm(self, device: Device, established: Iterable[str] | None = None, **more: Any) -> DrainWait:  # noqa: ANN401
        """What waits for the traffic of one drained switch."""
        stood = (
            frozenset(row.far for row in drained_sessions(device)) if established is None else frozenset(established)
        )
        self.ports = tuple(drained_ports(device, stood))
        means = Means(
            fleet=self, journal=cast("Journal", self), checks=cast("Snapshots", None), work=self.work,
            floor=lambda wave, findings: (), settings=RunSettings(quiet=20, polls=2, interval=0.01), stop=self.stop,
            print_line=lambda line: None, wait=self.clock.wait, clock=self.clock, interruption=lambda planned: None,
            added=lambda planned: frozenset(),
        )  # fmt: skip
        return DrainWait(means, RunSteps(means, 1), {device.name: device}, {device.name: stood}, **more)


class _Box:
    def __init__(self, site: Site, name: str) -> None:
        self._site, self.name, self.profile = site, name, site.profile

    def ask(self, reads: tuple[ReadCommand, ...]) -> Outputs:
        site = self._site
        if EVPN in reads:
            site.viewed.append(self.name)
            return {EVPN.command: Output(cast("Any", site.shown[self.name](site.viewed.count(self.name))))}
        site.asked.append(self.name)
        heard = site.heard[self.name](site.asked.count(self.name))
        if heard is None:
            raise SwitchError("unreachable", "no route to host")
        return {read.command: Output(" ".join(heard)) for read in reads}

    def counters(self) -> Mapping[str, Octets]:
        site = self._site
        site.reads += 1
        for port in site.ports:
            site.octets[port] = site.octets.get(port, 0) + site.counts(port)
        return {port: Octets(site.octets[port], 0) for port in site.ports}


def hearing(device: Device) -> dict[str, Callable[[int], Iterable[str] | None]]:
    """Peers that have heard of every session."""
    return {peer: lambda asked, found=found: found for peer, found in peers_of(device).items()}  # type: ignore[misc]


def test_heard_and_quiet_is_calm(spine: Device) -> None:
    site = Site(hearing(spine))
    site.calm(spine).wait()
    assert sorted(site.asked) == sorted(peers_of(spine))
    assert len(site.asked) > 1
    (_, begun, device, stage, _), (step, ended, _, _, detail) = site.notes
    assert (step, begun, ended, device, stage) == (StepName.QUIET, StepState.BEGUN, StepState.ENDED, SPINE, "drain")
    assert set(cast("dict[str, int]", detail["ports"])) == set(site.ports)
    assert detail["limit"] == 100_000
    assert cast("int", detail["polls"]) >= 2


def test_the_stage_is_that_which_was_given(spine: Device) -> None:
    site = Site(hearing(spine))
    site.calm(spine, stage="").wait()
    assert {stage for _, _, _, stage, _ in site.notes} == {""}


def test_nothing_is_measured_before_every_peer_has_heard(spine: Device) -> None:
    """A router takes its time: the third look finds it."""
    slow = "be-leaf-003"
    own = peers_of(spine)[slow]
    site = Site(hearing(spine) | {slow: lambda asked: own if asked >= 3 else ()})
    site.calm(spine).wait()
    assert site.asked.count(slow) == 3
    assert site.reads > 0
    assert site.clock.now >= 1002.0  # a second between two looks


def test_one_session_of_many_that_was_not_heard_of_holds_it_up(spine: Device) -> None:
    peer = "be-leaf-003"
    own = sorted(peers_of(spine)[peer])
    assert len(own) > 1
    site = Site(hearing(spine) | {peer: lambda asked: own[1:]})
    with pytest.raises(Failed) as caught:
        site.calm(spine).wait()
    assert caught.value.reasons == {SPINE: f"{peer} has no route of {own[0]} with the drain community"}
    assert site.reads == 0
    assert site.clock.now >= 1020.0  # all the time that there was


def test_that_it_was_not_heard_is_a_proof_that_failed(spine: Device) -> None:
    """A report and the exit code go by the events: 4 is a proof that does not hold, 5 a switch that cannot."""
    site = Site(hearing(spine) | {"be-leaf-003": lambda asked: ()})
    with pytest.raises(Failed):
        site.calm(spine).wait()
    assert [(step, how, device) for step, how, device, _, _ in site.notes][-1] == (
        StepName.QUIET,
        StepState.FAILED,
        SPINE,
    )


def test_a_peer_that_can_not_be_asked_is_named_with_why(spine: Device) -> None:
    site = Site(hearing(spine) | {"be-leaf-003": lambda asked: None})
    with pytest.raises(Failed) as caught:
        site.calm(spine).wait()
    assert "cannot query be-leaf-003 for the routes of the drained switch" in caught.value.reasons[SPINE]
    assert "no route to host" in caught.value.reasons[SPINE]
    assert site.reads == 0


def test_peers_without_a_command_that_tells_are_not_waited_for(spine: Device) -> None:
    site = Site({}, profile=MUTE)
    site.calm(spine).wait()
    assert site.asked == []
    assert site.reads > 0


def test_only_sessions_that_stood_are_waited_for(spine: Device) -> None:
    """One leaf was down before: it hears nothing, and its ports carry nothing of ours."""
    dead = "be-leaf-003"
    stood = {row.far for row in drained_sessions(spine) if row.peer != dead}
    site = Site({peer: found for peer, found in hearing(spine).items() if peer != dead})
    site.calm(spine, stood).wait()
    assert dead not in site.asked
    assert site.notes[-1][1] is StepState.ENDED


def test_a_port_that_stays_loud_is_named(spine: Device) -> None:
    loud = next(iter(drained_ports(spine)))
    site = Site(hearing(spine), counts=lambda port: 10**9 if port == loud else 10)
    site.clock.wait = lambda seconds: None  # type: ignore[method-assign]
    calm = site.calm(spine)
    calm._until = site.clock() + 0.3
    with pytest.raises(Failed) as caught:
        calm.wait()
    assert caught.value.reasons[SPINE].startswith(f"1 of its ports still carry traffic, e.g. {loud} with ")
    assert caught.value.reasons[SPINE].endswith(" bit/s: the limit is 100000")


def test_that_ports_stay_loud_is_a_step_that_failed(spine: Device) -> None:
    site = Site(hearing(spine), counts=lambda port: 10**9)
    calm = site.calm(spine)
    calm._until = site.clock() + 0.3
    with pytest.raises(Failed):
        calm.wait()
    assert [how for _, how, _, _, _ in site.notes] == [StepState.BEGUN, StepState.FAILED]


def test_counters_that_are_not_there_are_not_quiet(spine: Device) -> None:
    site = Site(hearing(spine))
    calm = site.calm(spine)
    calm._until = site.clock() + 0.2
    site.ports = site.ports[1:]
    with pytest.raises(Failed) as caught:
        calm.wait()
    assert "1 of its ports still carry traffic" in caught.value.reasons[SPINE]
    assert "an unknown rate" in caught.value.reasons[SPINE]


def test_a_person_may_stop_it_while_it_waits_to_be_heard(spine: Device) -> None:
    site = Site(hearing(spine))

    def stopping(asked: int) -> tuple[str, ...]:
        del asked
        site.stop.set()
        return ()

    site.heard["be-leaf-003"] = stopping
    with pytest.raises(RunStopped):
        site.calm(spine).wait()
    assert site.reads == 0


def test_a_person_may_stop_it_while_ports_are_measured(spine: Device) -> None:
    def stopping(port: str) -> int:
        site.stop.set()
        return 10**9

    site = Site(hearing(spine), counts=stopping)
    with pytest.raises(RunStopped):
        site.calm(spine).wait()
    assert site.reads <= 2


def test_a_switch_on_which_no_session_stood_is_calm(spine: Device) -> None:
    """Nothing goes over it: one that is broken must be open to the push that mends it."""
    site = Site(hearing(spine))
    calm = site.calm(spine, ())
    calm._until = site.clock() + 0.1
    calm.wait()
    assert site.asked == []


def _overlay(device: Device, counts: Marks) -> Site:
    """A leaf whose underlay all peers have heard of, and whose EVPN routes they show so."""
    assert device.evpn is not None
    vtep = device.evpn.vtep
    showing = {peer: lambda asked: {vtep: counts, "10.9.9.9": Marks(4, 0)} for peer in overlay_peers(device)}
    return Site(hearing(device), profile=SHOWING, shown=showing)  # type: ignore[arg-type]


def _all(device: Device) -> set[str]:
    """Addresses of all its peers."""
    return {row.peer for row in device.routing.bgp.neighbors}


def test_a_leaf_whose_every_route_is_marked_at_all_spines_is_calm(leaf: Device) -> None:
    """Routes of another leaf, which is not drained, tell nothing of this one."""
    site = _overlay(leaf, Marks(7, 7))
    site.calm(leaf, _all(leaf)).wait()
    assert sorted(site.viewed) == SPINES
    assert site.notes[-1][1] is StepState.ENDED
    assert "unproven" not in site.notes[-1][4]


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (Marks(7, 0), "has 7 of 7 EVPN routes of {vtep} without the drain community"),
        (Marks(7, 6), "has 1 of 7 EVPN routes of {vtep} without the drain community"),
        (None, "shows its EVPN routes in an unknown format"),
        ({}, "has no EVPN route of {vtep}, so none with the drain community"),
    ],
)
def test_a_leaf_that_does_not_mark_its_overlay_is_not_drained(leaf: Device, shown: object, words: str) -> None:
    """Its underlay is marked, and one spine of four hears EVPN routes without the community."""
    assert leaf.evpn is not None
    site = _overlay(leaf, Marks(7, 7))
    answer = {leaf.evpn.vtep: shown} if isinstance(shown, Marks) else shown
    site.shown["fe-spine-01"] = lambda asked: cast("ByHop | None", answer)
    with pytest.raises(Failed) as caught:
        site.calm(leaf, _all(leaf)).wait()
    assert caught.value.reasons == {LEAF: f"fe-spine-01 {words.format(vtep=leaf.evpn.vtep)}"}
    assert site.reads == 0
    assert site.notes[-1][:3] == (StepName.QUIET, StepState.FAILED, LEAF)


def test_a_leafs_marks_are_waited_for(leaf: Device) -> None:
    site = _overlay(leaf, Marks(7, 7))
    assert leaf.evpn is not None
    vtep = leaf.evpn.vtep
    site.shown["fe-spine-00"] = lambda asked: {vtep: Marks(7, 7 if asked > 2 else 0)}
    site.calm(leaf, _all(leaf)).wait()
    assert site.viewed.count("fe-spine-00") == 3


def test_peers_that_cannot_show_marks_are_named_in_the_report(leaf: Device) -> None:
    site = Site(hearing(leaf))
    site.calm(leaf, _all(leaf)).wait()
    detail = site.notes[-1][4]
    assert detail["unproven"] == SPINES
    words = _quiet(detail)
    assert words.endswith(f"not verified, as {', '.join(SPINES)} cannot show it: the drain community in EVPN routes")


def test_overlay_sessions_that_did_not_stand_are_not_asked(leaf: Device, spine: Device) -> None:
    """Nor is anything of a spine: what it passes on is of leaves."""
    one = next(row for row in leaf.routing.bgp.neighbors if row.description == "fe-spine-00")
    assert overlay_peers(leaf, {one.address}) == {"fe-spine-00"}
    assert overlay_peers(spine) == frozenset()
