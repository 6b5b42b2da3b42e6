"""Which link or switch loses packets: the interval, the blame, the flows that are chosen, and what is told of it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from random import Random
from threading import Event
from zlib import crc32

import pytest
from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.cli.verify.paths import NO_LAB, prober
from fabricgen.operation.intended import IntendedSwitches
from fabricgen.verify.finding import FindingEnd, SwitchVerdict
from fabricgen.verify.probe.equal_cost_paths import A_WIRE, LEAST, Between, Endpoint, Flow, FlowChoice, choose, packets
from fabricgen.verify.probe.loss_location import CableDirection, PathResult, Suspect, Way, blame, interval
from fabricgen.verify.probe.paths import PacketCounts, Probed, judge_paths, sizes, still
from tests.lab.sites import SMALL

LEAVES, SPINES = [f"leaf-{n}" for n in range(4)], [f"spine-{n}" for n in range(4)]
SERVERS = {leaf: (f"a-{leaf}", f"b-{leaf}") for leaf in LEAVES}
HOSTS = frozenset(name for pair in SERVERS.values() for name in pair)


@pytest.mark.parametrize(
    ("lost", "sent", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_wilson_s(lost: int, sent: int, low: float, high: float) -> None:
    """Figures of Newcombe, Two-sided confidence intervals for the single proportion, Stat. Med. 17 (1998), table I."""
    assert interval(lost, sent) == pytest.approx((low, high), abs=5e-5)
    assert interval(sent - lost, sent) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_nothing_sent_says_nothing() -> None:
    assert interval(0, 0) == (0.0, 1.0)


def _wire(near: str, far: str) -> CableDirection:
    return CableDirection(FindingEnd(near, f"to-{far}"), FindingEnd(far, f"to-{near}"))


def _end(leaf: str, number: int) -> Endpoint:
    name = SERVERS[leaf][number]
    return Endpoint(name, f"10.0.{LEAVES.index(leaf)}.{number}", leaf, _wire(name, leaf), 9214)


def _inner(near: str, far: str) -> tuple[Way, ...]:
    return tuple((_wire(near, spine), _wire(spine, far)) for spine in SPINES)


PAIRS = tuple(
    Between((_end(near, 0), _end(near, 1)), (_end(far, 0), _end(far, 1)), _inner(near, far))
    for near, far in permutations(LEAVES, 2)
)


def _through(flow: Flow, spine: str) -> Way:
    one, two = flow.source, flow.target
    return (
        _wire(one.name, one.leaf),
        _wire(one.leaf, spine),
        _wire(spine, two.leaf),
        _wire(two.leaf, two.name),
    )


def _walk(flows: Sequence[Flow]) -> Mapping[Flow, Way]:
    """Leaves that hash addresses and ports."""
    return {flow: _through(flow, SPINES[_hash(flow) % 4]) for flow in flows}


def _hash(flow: Flow) -> int:
    return crc32(f"{flow.source.address} {flow.target.address} {flow.port}".encode())


CHOSEN = choose(PAIRS, _walk, HOSTS)
EACH = packets(CHOSEN.flows)


def test_each_path_has_one_flow_and_servers_take_turns() -> None:
    assert (len(CHOSEN.flows), CHOSEN.planned, CHOSEN.missed) == (48, 48, ())
    assert {flow.source.name for flow in CHOSEN.flows} == HOSTS
    assert len({way[1:3] for way in CHOSEN.flows.values()}) == 48
    over = [sum(EACH[flow] for flow, way in CHOSEN.flows.items() if wire in way) for wire in _wires()]
    assert min(over) >= A_WIRE


def test_packets_of_a_path_are_never_few() -> None:
    flow = next(iter(CHOSEN.flows))
    many = {flow._replace(port=number): CHOSEN.flows[flow] for number in range(1000)}
    assert set(packets(many).values()) == {LEAST}
    assert packets({}) == {}


def test_a_server_does_not_probe_itself() -> None:
    own = _end("leaf-0", 0)
    other = Endpoint(own.name, "10.0.1.0", "leaf-1", _wire(own.name, "leaf-1"), 9214)
    pair = Between((own,), (other, _end("leaf-1", 1)), _inner("leaf-0", "leaf-1"))
    assert pair.ends == [(own, _end("leaf-1", 1))]


def test_switches_that_hash_nothing_leave_paths_without_a_flow() -> None:
    chosen = choose(PAIRS, lambda flows: {flow: _through(flow, "spine-1") for flow in flows}, HOSTS)
    assert (len(chosen.flows), len(chosen.missed)) == (12, 36)
    verdict = judge_paths(_probed(chosen.flows, {}, missed=chosen.missed), HOSTS)
    assert {finding.code for finding in verdict.findings} == {"path-unused"}
    assert {(finding.device, finding.port) for finding in verdict.findings if "leaf" in finding.device} == {
        (leaf, f"to-{spine}") for leaf in LEAVES for spine in SPINES if spine != "spine-1"
    }
    assert not judge_paths(_probed(chosen.flows, {}, missed=chosen.missed), HOSTS, is_alike=True).findings


def test_flows_that_arrive_nowhere_are_told() -> None:
    chosen = choose(PAIRS[:1], lambda _: {}, HOSTS)
    (first, *_) = judge_paths(_probed({}, {}, missed=chosen.missed), HOSTS).findings
    assert first.code == "path-unused"
    assert first.expected == "one of 1 equal paths at least"


def _wires() -> Iterator[CableDirection]:
    for leaf in LEAVES:
        for spine in SPINES:
            yield from (_wire(leaf, spine), _wire(spine, leaf))


def _dice(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - the same each time


def _seen(chances: Mapping[CableDirection | str, float], random: Random) -> list[PathResult]:
    """Packets lost by chance on wires and in switches."""
    found = []
    for flow, way in CHOSEN.flows.items():
        passes = 1.0
        for wire in way:
            passes *= 1 - chances.get(wire, 0)
        for name in {wire.far.system for wire in way}:
            passes *= 1 - chances.get(name, 0)
        lost = sum(random.random() > passes for _ in range(EACH[flow]))
        found.append(PathResult(way, EACH[flow], lost))
    return found


def _both(near: str, far: str) -> Suspect:
    return Suspect(wire=CableDirection(*sorted(_wire(near, far))), both=True)


def _named(seen: Sequence[PathResult]) -> list[Suspect]:
    return [culprit.suspect for culprit in blame(seen, HOSTS)]


@pytest.mark.parametrize("seed", range(40))
def test_one_percent_on_one_of_sixteen_cables_is_named(seed: int) -> None:
    random = _dice(seed)
    leaf, spine = random.choice(LEAVES), random.choice(SPINES)
    seen = _seen({_wire(leaf, spine): 0.01, _wire(spine, leaf): 0.01}, random)
    (culprit,) = blame(seen, HOSTS)
    assert culprit.suspect == _both(leaf, spine)
    assert culprit.alike == ()
    low, high = interval(culprit.lost, culprit.sent)
    assert low < 0.02
    assert high > 0.005


@pytest.mark.parametrize("seed", range(10))
def test_one_direction_is_told_from_both(seed: int) -> None:
    random = _dice(seed)
    wire = random.choice(list(_wires()))
    assert _named(_seen({wire: 0.02}, random)) == [Suspect(wire=wire)]


@pytest.mark.parametrize("chance", [0.02, 0.3, 1.0])
def test_a_spine_that_drops_is_named_and_not_its_cables(chance: float) -> None:
    assert _named(_seen({"spine-2": chance}, _dice(5))) == [Suspect(switch="spine-2")]


def test_a_leaf_that_drops_is_told_from_the_cable_of_a_server() -> None:
    assert _named(_seen({"leaf-1": 0.05}, _dice(5))) == [Suspect(switch="leaf-1")]
    name = SERVERS["leaf-1"][0]
    assert _named(_seen({_wire(name, "leaf-1"): 0.05, _wire("leaf-1", name): 0.05}, _dice(5))) == [
        _both(name, "leaf-1")
    ]


def test_two_faults_are_two() -> None:
    chances: dict[CableDirection | str, float] = {
        _wire(*pair): 0.03 for pair in (("leaf-0", "spine-1"), ("spine-1", "leaf-0"))
    }
    chances[_wire("spine-3", "leaf-2")] = 0.03
    assert set(_named(_seen(chances, _dice(8)))) == {
        _both("leaf-0", "spine-1"),
        Suspect(wire=_wire("spine-3", "leaf-2")),
    }


@pytest.mark.parametrize("chance", [0.03, 1.0])
def test_two_cables_of_a_spine_are_not_the_spine(chance: float) -> None:
    """Ten of its twelve paths lose packets."""
    pairs = [(leaf, "spine-1") for leaf in LEAVES[:2]]
    chances: dict[CableDirection | str, float] = {_wire(*ends): chance for pair in pairs for ends in (pair, pair[::-1])}
    assert set(_named(_seen(chances, _dice(3)))) == {_both(*pair) for pair in pairs}


def test_a_fault_in_front_of_all_else_hides_nothing() -> None:
    """A spine that drops everything, and a cable elsewhere that drops a little."""
    chances: dict[CableDirection | str, float] = {"spine-0": 1.0, _wire("leaf-3", "spine-2"): 0.03}
    assert set(_named(_seen(chances, _dice(9)))) == {
        Suspect(switch="spine-0"),
        Suspect(wire=_wire("leaf-3", "spine-2")),
    }


@pytest.mark.parametrize("seed", range(20))
def test_strays_are_no_fault(seed: int) -> None:
    """One packet of a hundred thousand, anywhere."""
    random = _dice(seed)
    assert _named(_seen(dict.fromkeys(_wires(), 1e-5), random)) == []
    assert _named(_seen({}, random)) == []


def test_what_the_same_probes_pass_is_named_too() -> None:
    """One server at a leaf: its cable and the leaf cannot be told apart."""
    seen = [one for one in _seen({"leaf-1": 0.05}, _dice(5)) if not _names(one.path) & {"b-leaf-1"}]
    (culprit,) = blame(seen, HOSTS)
    assert {culprit.suspect, *culprit.alike} >= {_both("a-leaf-1", "leaf-1"), Suspect(switch="leaf-1")}


def _names(way: Way) -> set[str]:
    return {end.system for wire in way for end in wire}


def _probed(
    flows: Mapping[Flow, Way], lost: Mapping[CableDirection, int], missed: tuple[tuple[Between, Way], ...] = ()
) -> Probed:
    """Full-size packets lost, of those of each flow over a wire."""
    tallies = {}
    for flow, way in flows.items():
        gone = sum(lost.get(wire, 0) for wire in way)
        tallies[flow] = PacketCounts(500, 500, 500, 500 - gone)
    chosen = FlowChoice(flows=flows, planned=48, missed=missed, tried=96)
    return Probed(chosen, tallies, dict.fromkeys(flows, 9214))


def test_a_finding_says_where_how_much_and_of_which_size() -> None:
    near, far = _wire("leaf-0", "spine-1"), _wire("spine-1", "leaf-0")
    verdict = judge_paths(_probed(CHOSEN.flows, {near: 50, far: 50}), HOSTS)
    (finding,) = verdict.findings
    assert finding.code == "path-cable"
    assert (finding.device, finding.port, finding.far) == ("leaf-0", "to-spine-1", FindingEnd("spine-1", "to-leaf-0"))
    assert finding.subject == "cable leaf-0/to-spine-1 to spine-1/to-leaf-0"
    assert finding.problem == "loses packets both ways"
    assert finding.actual == (
        "300 of 6000 lost, 5.000% (95 % sure: 4.477% to 5.581%); 6 paths: small 0 of 3000, of 9214 octets 300 of 3000"
    )
    assert verdict.passed == (("paths", 42),)


def test_a_cable_of_a_server_is_found_at_its_leaf() -> None:
    name = SERVERS["leaf-1"][0]
    (finding,) = judge_paths(_probed(CHOSEN.flows, {_wire(name, "leaf-1"): 90}), HOSTS).findings
    assert (finding.device, finding.port) == ("leaf-1", f"to-{name}")
    assert finding.problem == "loses packets towards leaf-1"


def test_nothing_lost_is_right() -> None:
    verdict = judge_paths(_probed(CHOSEN.flows, {}), HOSTS, ["a doubt"])
    assert (verdict.passed, verdict.findings) == ((("paths", 48),), ())
    assert [one.reason for one in verdict.unchecked] == ["a doubt"]


def test_flows_that_moved_do_not_count() -> None:
    wire = _wire("leaf-0", "spine-1")
    probed = _probed(CHOSEN.flows, {wire: 400})
    moved = {flow: way for flow, way in CHOSEN.flows.items() if wire not in way}
    assert judge_paths(probed, HOSTS).findings
    assert not judge_paths(still(probed, moved), HOSTS).findings


def test_the_largest_packet_is_that_of_the_smallest_port() -> None:
    flow, way = next(iter(CHOSEN.flows.items()))
    assert sizes({flow: way}, {})[flow] == 9214
    assert sizes({flow: way}, {way[1].far: 4000, way[2].near: 9000})[flow] == 4000


def test_without_a_lab_it_is_told_why_nothing_is_sent() -> None:
    meant = IntendedSwitches(plan=None, names=("a", "b"), targets={}, lab=None)  # type: ignore[arg-type]
    (verdict,) = prober(meant, None, Event(), 0)()
    assert _reasons(verdict) == [NO_LAB]


def _reasons(verdict: SwitchVerdict) -> list[str]:
    return [one.reason for one in verdict.unchecked]


def test_words_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    for words, said in (
        (["-i", tmp_path, "--packets", "10"], "--packets requires --paths"),
        (["--from", tmp_path, "--paths"], "--paths queries live switches"),
        (["-i", tmp_path, "--paths", "--packets", "1"], "is not a whole number from 2 to 100,000"),
    ):
        done = CliRunner().invoke(main, ["verify", str(SMALL), *(str(word) for word in words)])
        assert done.exit_code == 2
        assert said in done.output
