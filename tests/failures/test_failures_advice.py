"""Advice to drain: given where it leaves more, silent where it leaves less."""

from collections.abc import Mapping

import pytest
import yaml

from fabricgen.failures.advice import findings, remedy
from fabricgen.failures.measures import Measures
from fabricgen.failures.network import make_network
from fabricgen.failures.parts import HostLink, Lost, Unit, Wire
from fabricgen.plan.exceptions import Exceptions, PortKey, SlotKey
from fabricgen.plan.place import Place, Tier
from tests.failures.sites import (
    BACKEND,
    NO_EXCEPTIONS,
    RAIL_STORAGE,
    RAILS,
    Site,
    backend,
    frontend,
    plan_of,
    storage,
)

THREE_SPINES = {**RAILS, "servers_per_unit": 3, "spines": {"now": 3}}


def noted(topology: Mapping[str, object], exceptions: Exceptions = NO_EXCEPTIONS, **switches: object) -> list[str]:
    value = backend("0-2", topology)
    value["fabrics"]["backend"] |= switches
    plan = plan_of(Site("", value, exceptions=exceptions))
    network = make_network(plan, plan.fabrics["backend"])
    return [each.fix for each in findings(network, Measures(network)) if each.name == "one-link-worse"]


def test_a_pair_is_to_be_drained_where_the_other_spines_carry_more() -> None:
    """Three spines, two links to each: one link lost loads the other to 2, a spine lost the rest to 3/2.

    The lost link is drained, too: it would carry the share of both links if it came back alone.
    """
    (fix,) = noted(THREE_SPINES)
    overrides = yaml.safe_load(fix.partition("write overrides: ")[2])
    assert overrides == {key: {"state": "drained"} for key in ("be-leaf-000/Ethernet62/1", "be-leaf-000/Ethernet63/5")}


def test_the_note_names_the_link_loss_that_the_switches_support() -> None:
    """EOS has neither value, FRR has both (docs/platforms.md)."""
    frr = {**BACKEND, "os": "frr-8.4"}
    for switch, wanted in (
        (BACKEND, "until it is repaired, drain all links of that pair: write overrides: {"),
        (frr, "write fabrics.backend.link_loss: weighted or withdraw; or until it is "),
    ):
        (fix,) = noted(THREE_SPINES, leaf=switch, spine=switch)
        assert fix.startswith(wanted)


@pytest.mark.parametrize("spines", [1, 2])
def test_no_pair_is_to_be_drained_where_that_leaves_less(spines: int) -> None:
    """One spine, four links: without one 3/4 are left, without the spine nothing. Two, of two: 1/2 both ways."""
    assert noted({**RAILS, "spines": {"now": spines}}) == []


def test_no_pair_is_to_be_drained_to_a_spine_that_cannot_be_missed() -> None:
    """Of three spines only one is left."""
    assert noted(THREE_SPINES, Exceptions(devices={"be-spine-01": "dead", "be-spine-02": "drained"})) == []


def test_what_is_out_of_service_is_not_to_be_drained() -> None:
    """Four spines, two links to each: the first pair is drained already, so the second is the example."""
    drained = {PortKey("be-leaf-000", port): "drained" for port in ("Ethernet61/1", "Ethernet63/1")}
    (fix,) = noted({**RAILS, "servers_per_unit": 4, "spines": {"now": 4}}, Exceptions(ports=drained))
    assert fix.endswith(
        'write overrides: {"be-leaf-000/Ethernet61/5": {state: drained}, "be-leaf-000/Ethernet63/5": {state: drained}}'
    )


LEAVES = frozenset(Place("backend", Tier.LEAF, "train", 0, 0, su, rail, 0) for su in range(2) for rail in range(2))
SPINE = Place("backend", Tier.SPINE, "", 0, 0, 0, 0, 0)
SLOTS = frozenset(SlotKey("train", slot) for slot in (0, 1, 2, 10))


@pytest.mark.parametrize(
    ("lost", "wanted"),
    [
        (Lost(servers=SLOTS), "move jobs off train[0-2,10]"),
        (
            Lost(servers=SLOTS, switches=LEAVES),
            "move jobs off train[0-2,10] and the servers of be-leaf-000, be-leaf-001, be-leaf-002 and 1 more",
        ),
        (Lost(servers=SLOTS, switches=frozenset({SPINE})), "move jobs off train[0-2,10]"),
        (
            Lost(wires=frozenset(Wire(min(LEAVES), number) for number in range(8))),
            "move jobs off servers whose leaf has no uplink left",
        ),
    ],
    ids=["servers", "leaves", "a spine that others replace", "all uplinks of a leaf"],
)
def test_the_servers_to_move_are_all_that_are_cut_off(lost: Lost, wanted: str) -> None:
    """A spine has no servers, and four of 11 are not three of them."""
    topology = {**RAILS, "servers_per_unit": 4, "spines": {"now": 2}}
    plan = plan_of(Site("", backend("0-11", topology)))
    network = make_network(plan, plan.fabrics["backend"])
    measures = Measures(network)
    assert remedy(network, measures, lost, measures.of(lost), measures.base()) == wanted


FRONT = [Place("frontend", Tier.LEAF, "train", 0, 0, 0, 0, index) for index in range(2)]
"""The leaves of the first unit: every server has a port at both."""
FIRST = Lost(hosts=frozenset({HostLink(0, "train", 0, 1)}))
"""The port of train[0] at the second leaf."""


@pytest.mark.parametrize(
    ("lost", "wanted"),
    [
        (
            Lost(switches=frozenset(FRONT[:1]), servers=frozenset({SlotKey("train", 0)})),
            "move jobs off train[0]; replace fe-leaf-000: the other servers keep their other leaf",
        ),
        (
            Lost(switches=frozenset(FRONT[:1]), servers=frozenset({SlotKey("train", 25)})),
            "move jobs off train[25]; replace fe-leaf-000: servers keep their other leaf",
        ),
        (
            FIRST._replace(switches=frozenset(FRONT[:1])),
            "move jobs off train[0]; replace fe-leaf-000: the other servers keep their other leaf",
        ),
        (
            Lost(switches=frozenset(FRONT), servers=frozenset({SlotKey("train", 25)})),
            "move jobs off train[25] and the servers of fe-leaf-000, fe-leaf-001",
        ),
        (
            Lost(switches=frozenset({SPINE._replace(fabric="frontend")}), servers=frozenset({SlotKey("train", 25)})),
            "move jobs off train[25]; replace fe-spine-00",
        ),
        (
            Lost(switches=frozenset(SPINE._replace(fabric="frontend", index=index) for index in range(2))),
            "move jobs off servers whose leaf has no uplink left",
        ),
    ],
    ids=["its server", "another server", "its server's other port", "both leaves", "a spine", "all spines"],
)
def test_each_part_of_a_combination_has_advice_that_is_true_of_it(lost: Lost, wanted: str) -> None:
    plan = plan_of(Site("", frontend("0-25", {"oversubscription": "3:1"}), "frontend"))
    network = make_network(plan, plan.fabrics["frontend"])
    measures = Measures(network)
    assert remedy(network, measures, lost, measures.of(lost), measures.base(), joint=True) == wanted


def test_a_cage_of_what_is_dead_takes_nothing() -> None:
    """Leaf 0 is dead, and with it one end of the first cages of both spines."""
    exceptions = Exceptions(devices={"be-leaf-000": "dead"})
    plan = plan_of(Site("", backend("0-3", RAILS), exceptions=exceptions))
    network = make_network(plan, plan.fabrics["backend"])
    (what,) = (each.what for each in findings(network, Measures(network)) if each.name == "shared-cage")
    assert "be-leaf-001" in what
    assert "be-leaf-000" not in what


@pytest.mark.parametrize("planes", [{}, {"rails_per_plane": 1}])
def test_jobs_leave_servers_without_storage_alone(planes: Mapping[str, object]) -> None:
    """Two servers of 8 GPUs and two ports, two storage nodes: one port is enough, and all nodes are needed by all."""
    plan = plan_of(Site("", storage("0-1", "0-1", {**RAIL_STORAGE, **planes})))
    network = make_network(plan, plan.fabrics["backend"])
    measures = Measures(network)
    other = 1 if planes else 0
    for lost, gpus, narrowed, do in (
        (Lost(hosts=frozenset({HostLink(0, "train", 0, 0)})), 0, 8, "replace it: servers keep their other port"),
        (
            Lost(hosts=frozenset({HostLink(0, "train", 0, 0), HostLink(other, "train", 0, 1)})),
            8,
            0,
            "move jobs off train[0]",
        ),
        (Lost(servers=frozenset({SlotKey("store", 1)})), 0, 0, "replace it"),
        (
            Lost(units=frozenset({Unit(0, "store", 0)})),
            16,
            0,
            "move jobs off all servers: no storage node is left",
        ),
    ):
        outcome = measures.of(lost)
        assert (outcome.gpus, outcome.narrowed) == (gpus, narrowed)
        assert remedy(network, measures, lost, outcome, measures.base()) == do
