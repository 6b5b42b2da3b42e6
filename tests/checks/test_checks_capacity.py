"""The flow between two leaves against an independent max-flow, and which exceptions break 1:1."""

from collections import Counter, deque
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.checks.capacity.capacity import missing_links
from fabricgen.checks.capacity.flows import Flows, LostLinks
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import host_ports, uplinks
from tests.checks.intents import absent_slots, codes, only, plan, port_states

Node = object
Capacity = Mapping[tuple[Node, Node], int]

FABRIC = plan().fabrics["backend"]
LEAVES = tuple(place for place in places(FABRIC) if place.tier is Tier.LEAF)
SPINES = tuple(place for place in places(FABRIC) if place.tier is Tier.SPINE)
LINKS = tuple(link for leaf in LEAVES for link in uplinks(FABRIC, leaf))


def max_flow(capacity: Capacity, source: Node, sink: Node) -> int:
    """Edmonds and Karp: shortest augmenting paths until there is none."""
    left = Counter(dict(capacity))
    total = 0
    while path := shortest(left, source, sink):
        room = min(left[edge] for edge in path)
        for one, two in path:
            left[one, two] -= room
            left[two, one] += room
        total += room
    return total


def shortest(left: Mapping[tuple[Node, Node], int], source: Node, sink: Node) -> list[tuple[Node, Node]]:
    """Edges with room from source to sink, fewest first; empty where there is no way."""
    came: dict[Node, list[tuple[Node, Node]]] = {source: []}
    todo = deque([source])
    while todo and sink not in came:
        node = todo.popleft()
        for (one, other), room in left.items():
            if one == node and room > 0 and other not in came:
                came[other] = [*came[node], (node, other)]
                todo.append(other)
    return came.get(sink, [])


def network(missing: LostLinks, source: Place, sink: Place) -> Capacity:
    """Links of two leaves to the spines, up from one and down to the other."""
    found: dict[tuple[Node, Node], int] = {}
    for link in LINKS:
        if link in missing.links or link.upper in missing.drained:
            continue
        if link.lower == source:
            found[source, link.upper] = found.get((source, link.upper), 0) + 1
        if link.lower == sink:
            found[link.upper, sink] = found.get((link.upper, sink), 0) + 1
    return found


@settings(max_examples=25, deadline=None)
@given(lost=st.sets(st.sampled_from(LINKS), max_size=40), drained=st.sets(st.sampled_from(SPINES), max_size=3))
def test_flow_is_the_maximum(lost: set[object], drained: set[Place]) -> None:
    missing = LostLinks(frozenset(lost), frozenset(drained))  # type: ignore[arg-type]
    for other in LEAVES[1:3]:
        assert Flows(FABRIC, missing).between(LEAVES[0], other) == max_flow(
            network(missing, LEAVES[0], other), LEAVES[0], other
        )


def test_healthy_leaf_is_one_to_one_by_flow() -> None:
    """The oracle of the formula: every leaf pair carries all that the servers of one send."""
    nothing = LostLinks(frozenset(), frozenset())
    hosts = len(tuple(host_ports(FABRIC, LEAVES[0])))
    assert hosts == 64
    for one in LEAVES:
        for two in LEAVES:
            if one != two:
                assert max_flow(network(nothing, one, two), one, two) == hosts


ABSENT = port_states({("be-leaf-000", "Ethernet33/1"): "absent"})


def test_one_missing_link_is_told_with_numbers() -> None:
    problem = only(plan(exceptions=ABSENT))
    assert problem.code == "links-missing"
    assert problem.what == "be-leaf-000 keeps 25200 Gb/s to the other leaves; its servers need 25600 Gb/s"
    assert problem.why == (
        "its servers can send 25600 Gb/s, and the planned ratio is 1:1; overrides set the other "
        "links, ports or switches to absent or dead"
    )


def test_two_leaves_that_miss_links_to_different_spines_lose_both() -> None:
    """Uplink 0 of one leaf and 1 of another end on different spines, so 62 of 64 links are left between the two."""
    both = port_states({("be-leaf-000", "Ethernet33/1"): "absent", ("be-leaf-001", "Ethernet33/5"): "absent"})
    found = tuple(missing_links(plan(exceptions=both)))
    assert [problem.what for problem in found] == [
        "be-leaf-000 keeps 24800 Gb/s to be-leaf-001; its servers need 25600 Gb/s",
        "be-leaf-001 keeps 24800 Gb/s to be-leaf-000; its servers need 25600 Gb/s",
    ]


def test_the_spines_end_counts_as_much() -> None:
    far = port_states({("be-spine-00", "Ethernet1/1"): "absent"})
    assert codes(plan(exceptions=far)) == ["links-missing"]


def test_an_absent_server_makes_room() -> None:
    """Two rails of a server land on each leaf: one server less asks for two links less."""
    eased = Exceptions(ports=ABSENT.ports, slots=absent_slots("train", range(1)))
    assert codes(plan(exceptions=eased)) == []


def test_a_drained_spine_is_accepted_and_a_link_beside_it_is_not() -> None:
    assert codes(plan(exceptions=Exceptions(devices={"be-spine-03": "drained"}))) == []
    beside = Exceptions(devices={"be-spine-03": "drained"}, ports=ABSENT.ports)
    problem = only(plan(exceptions=beside))
    assert problem.what == "be-leaf-000 keeps 18800 Gb/s to the other leaves; its servers need 19200 Gb/s"
    under = Exceptions(
        devices={"be-spine-00": "drained"}, ports=ABSENT.ports
    )  # uplink 0 leads to the drained spine itself
    assert codes(plan(exceptions=under)) == []


def test_frontend_has_its_ratio_to_lose() -> None:
    """24 x 200G over 4 x 400G is 3:1 with nothing to spare; a leaf with fewer servers has."""
    gone = {PortKey("fe-leaf-002", "Ethernet32/1"): "absent"}
    assert codes(plan(exceptions=Exceptions(ports=gone))) == ["links-missing"]
    few = Exceptions(ports=gone, slots=absent_slots("train", range(6)))
    assert codes(plan(exceptions=few)) == []
    one_more = Exceptions(ports=gone, slots=absent_slots("train", range(5)))
    assert codes(plan(exceptions=one_more)) == ["links-missing"]


@pytest.mark.parametrize("count", [3, 4])
def test_one_spine_must_be_left(count: int) -> None:
    drained = {f"be-spine-{number:02d}": "drained" for number in range(count)}
    assert codes(plan(exceptions=Exceptions(devices=drained))) == (["spines-drained"] if count == 4 else [])
