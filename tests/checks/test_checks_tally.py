"""Switches looked at one by one, by several watches, and after others of their like: always the same verdict."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest

from fabricgen.checks.routing.isolation import accepted_prefixes, carried_out
from fabricgen.checks.routing.valleys import Turns, bouncing, cycle
from fabricgen.checks.switches.link_consistency import LinkConsistency, doubted, drawn, settled
from fabricgen.checks.switches.link_ends import differing, link_ends, paired
from fabricgen.checks.switches.observe import Observer
from fabricgen.checks.switches.tally import Leader, Tally
from fabricgen.checks.switches.tally_json import dumped, loaded
from fabricgen.checks.switches.watch import Watch
from fabricgen.device.device import Device
from fabricgen.errors import Problem
from fabricgen.intent.fabric import Backend, overlay_of
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.fabric import place_of
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.resolve.device import devices
from tests.checks.cases import one_seed, other_marking, rows_edited, wide_gateways
from tests.checks.devices import OPEN, Edit, bgp_edited, map_replaced, strangers, turns
from tests.checks.intents import as_built
from tests.checks.intents import plan as demo
from tests.checks.shared import exposed, meeting, shared
from tests.resolve import tiers


def overridden(overrides: object) -> Plan:
    made = demo({"overrides": overrides})
    return with_exceptions(made, resolve_inputs(made.intent, made.fabrics))


@cache
def plans() -> dict[str, Plan]:
    return {
        "demo": demo(),
        "shared": shared(),
        "tiers": tiers.lossless(),
        "drained": tiers.lossless(Exceptions(devices={"be-spine-01": "drained"})),
        "planes": tiers.planes(count=3),
        "borders and pods": tiers.overlay(),
        "as built": demo(exceptions=as_built({("be-leaf-000", "Ethernet33/1"): 2000.0})),
        "a leaf of its own": overridden({"be-leaf-000": {"mtu": 9050}}),
        "leaves of their own": overridden({"be-leaf-00[0-2]": {"mtu": 9050}, "fe-spine-*": {"mtu": 9100}}),
        "a port of its own": overridden({"be-leaf-001/Ethernet33/1": {"mtu": 9050}, "be-spine-00": {"mtu": 9150}}),
    }


@cache
def switches_of(name: str) -> tuple[Device, ...]:
    return tuple(devices(plans()[name]))


@pytest.mark.parametrize("name", plans())
def test_what_is_remembered_of_its_like_is_what_a_switch_shows_by_itself(name: str) -> None:
    plan = plans()[name]
    observers = {fabric: Observer(plan, fabric) for fabric in plan.fabrics}
    for device in switches_of(name):
        fabric = plan.intent.fabrics[device.fabric]
        prefixes = tuple(found for found in (fabric.addressing.ipv4, fabric.addressing.ipv6) if found is not None)
        seen = observers[device.fabric].observe(device)
        assert seen.turns == turns(device)
        carried = carried_out(device, prefixes, shared=overlay_of(fabric) is not None)
        assert seen.openings == (
            (*carried, *accepted_prefixes(device, prefixes)) if isinstance(fabric, Backend) else ()
        )
        rows = device.interfaces.ethernet
        assert seen.mtus == {row.profile.mtu for row in rows if row.profile.role in ("uplink", "downlink")}
        lengths = {row.length_m for row in rows if row.profile.role == "uplink"}
        assert seen.lengths == ((min(lengths), max(lengths)) if lengths else ())


def stranger(device: Device) -> Device:
    """A session with a switch of the last plane, and no cable to it."""
    first, *others = device.routing.bgp.neighbors
    return bgp_edited(neighbors=(first._replace(description="be-spine-05 Ethernet1/1"), *others))(device)


def is_shared_leaf(device: Device) -> bool:
    return device.kind == "backend" and device.role == "leaf" and bool(device.routing.bgp.vrfs)


EDITS: dict[str, Edit] = {
    "open": map_replaced("RM-SPINES-IPV4-OUT", OPEN),
    "open above": map_replaced("RM-SUPERSPINES-IPV4-OUT", OPEN),
    "default": bgp_edited(networks_ipv4=("0.0.0.0/0",)),
    "marking": lambda device: other_marking(device) if device.qos else device,
    "seed": one_seed,
    "mtu": rows_edited(mtu=9000),
    "bridged": rows_edited(qos="ROCE-200G"),
    "gateways": wide_gateways,
    "stranger": stranger,
    "meeting": lambda device: meeting(device) if len(device.routing.bgp.vrfs) > 1 else device,
    "exposed": lambda device: exposed(device) if is_shared_leaf(device) else device,
}


def broken(name: str, random: Random, *keys: str) -> tuple[Device, ...]:
    """The switches of a plan, some of them with one of these faults, or of three of all."""
    edits = [EDITS[key] for key in keys or random.sample(sorted(EDITS), 3)]

    def edited(device: Device) -> Device:
        return random.choice(edits)(device) if random.random() < 0.5 else device

    return tuple(edited(device) for device in switches_of(name))


def said(plan: Plan, *runs: tuple[Device, ...]) -> list[Problem]:
    """Problems of switches that are looked at by one watch a run, all told to the first as a process sends them."""
    watches = []
    for run in runs:
        watch = Watch(plan)
        for device in run:
            watch.add_switch(device)
        watches.append(watch)
    first, *others = watches
    for watch in others:
        first.join(loaded(dumped(watch.tallies)))
    assert first.switches == sum(map(len, runs))
    return list(first.problems())


@pytest.mark.parametrize("name", plans())
def test_several_watches_say_together_what_one_says(name: str) -> None:
    plan, random = plans()[name], Random(name)  # noqa: S311 - a sample, no secret
    told = 0
    for _ in range(4):
        found = broken(name, random)
        one, two = sorted(random.sample(range(len(found) + 1), 2))
        whole = said(plan, found)
        assert said(plan, found[:one], found[one:two], found[two:]) == whole
        told += len(whole)
    assert told


def valley_words(name: str, found: tuple[Device, ...]) -> tuple[int, str, tuple[str, ...]]:
    """How many switches bounce, the first of them and the loop, from the turns of every switch of the backend."""
    every = tuple(turns(device) for device in found if device.fabric == "backend")
    bad = bouncing(every)
    return len(bad), bad[0].name if bad else "", cycle(bad, every) if bad else ()


@pytest.mark.parametrize("name", ["demo", "tiers", "drained", "planes"])
def test_two_of_a_herd_stand_for_all(name: str) -> None:
    """The verdict on valleys of all switches, one by one, is that of the two that are kept of each herd."""
    plan, random = plans()[name], Random(name)  # noqa: S311
    loops = 0
    for _ in range(8):
        found = broken(name, random, "open", "open above")
        count, first, loop = valley_words(name, found)
        problems = [p for p in said(plan, found) if p.code in ("valley-path", "buffer-cycle")]
        own = [problem for problem in problems if problem.where == ("fabrics", "backend")]
        assert len(own) == bool(count)
        for problem in own:
            assert f" at {count} of " in problem.what
            assert problem.what.endswith(f"first {first}")
            assert problem.why.endswith(" > ".join(loop))
            assert (problem.code == "buffer-cycle") == bool(loop)
            loops += bool(loop)
    assert loops


def test_what_is_kept_does_not_grow_with_leaves() -> None:
    """A thousand leaves under the same spines are two of them and a number."""
    plan = plans()["demo"]
    leaf = next(device for device in switches_of("demo") if device.name == "be-leaf-000")
    watch = Watch(plan)
    watch.add_switch(leaf)
    watch.add_switch(leaf)
    small = len(dumped(watch.tallies))
    for number in range(1000):
        watch.add_switch(leaf._replace(name=f"be-leaf-{number:03d}"))
    assert watch.switches == 1002
    assert len(dumped(watch.tallies)) < small + 100


def test_planes_that_speak_are_counted_with_those_that_do() -> None:
    plan = plans()["planes"]
    found = tuple(stranger(device) if device.name == "be-leaf-000" else device for device in switches_of("planes"))
    (problem,) = (problem for problem in said(plan, found) if problem.code == "planes-speak")
    assert problem.what == ("planes of backend are connected by 1 pair of switches, first be-leaf-000 and be-spine-05")
    fabric = plan.fabrics["backend"]
    far = place_of(fabric, "be-spine-05")
    assert far is not None
    assert far.plane == 2
    assert strangers(next(device for device in found if device.name == "be-leaf-000")) == ("be-spine-05",)


def counting(calls: list[str]) -> Callable[[Plan], Iterator[Device]]:
    def again(plan: Plan) -> Iterator[Device]:
        for device in devices(plan):
            calls.append(device.name)
            yield device

    return again


@pytest.mark.parametrize(
    ("name", "again"), [("demo", False), ("a leaf of its own", True), ("leaves of their own", True)]
)
def test_links_are_gone_through_only_where_their_ends_are_in_doubt(
    name: str, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    monkeypatch.setattr("fabricgen.checks.switches.watch.devices", counting(calls))
    problems = said(plans()[name], switches_of(name))
    assert bool(calls) == again
    assert ("mtu-differs" in {problem.code for problem in problems}) == again


@pytest.mark.parametrize("name", ["a leaf of its own", "leaves of their own", "a port of its own"])
def test_one_end_of_a_link_tells_what_both_tell(name: str) -> None:
    """Where what upper ends have is known by kind, no end is kept; the problems are those of all ends, paired."""
    plan = plans()[name]
    watch = Watch(plan)
    for device in switches_of(name):
        watch.add_switch(device)
    told = 0
    for fabric in plan.fabrics.values():
        own = [device for device in switches_of(name) if device.fabric == fabric.name]
        knots = watch.tallies[fabric.name].knots
        weave, kinds = LinkConsistency(fabric), doubted(knots)
        strands = [strand for device in own for strand in weave.strands(device, kinds)]
        streamed = list(differing(fabric, drawn(strands, settled(knots))))
        assert streamed == list(differing(fabric, paired(end for device in own for end in link_ends(device))))
        assert all(strand.joint in settled(knots) for strand in strands if strand.joint is not None)
        told += len(streamed)
    assert told


def test_switches_of_two_kinds_keep_their_order_over_two_runs() -> None:
    one, other = (Turns("", (), frozenset((known,)), frozenset(), frozenset(), frozenset()) for known in ("1:1", "2:2"))
    first = Tally(switches=3, upper={one: [Leader(0, "a", ()), Leader(2, "c", ())], other: [Leader(1, "b", ())]})
    first.join(Tally(switches=2, upper={other: [Leader(0, "d", ())], one: [Leader(1, "e", ())]}))
    assert [herd.turns.name for herd in first.herds()] == ["a", "b", "c", "d", "e"]
