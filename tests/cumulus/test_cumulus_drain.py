"""Draining on Cumulus Linux: the patch is a part of the drained file, and is made only where all it names stands."""

from collections.abc import Iterator
from functools import cache

import pytest

from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.cumulus.live.drain import SIGNS, drain, seen
from fabricgen.platforms.cumulus.live.tree import leaves, tree
from fabricgen.resolve.device import devices
from tests.cumulus import intents
from tests.cumulus.fleet import render

SWITCHES = ("be-spine-00", "be-leaf-000", "fe-leaf-000")
EDITS = {"numbered": {}, "unnumbered": intents.UNNUMBERED}


@cache
def sides(kind: str, name: str) -> tuple[Device, Device]:
    """A switch in service, and drained."""
    intent = intents.intent(**EDITS[kind])
    drained = Exceptions(devices={name: "drained"})
    found = (intents.planned(intent), intents.planned(intent, drained))
    return tuple(next(one for one in devices(plan) if one.name == name) for plan in found)  # type: ignore[return-value]


CASES = (*(("numbered", name) for name in SWITCHES), ("unnumbered", "be-spine-00"))


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_the_patch_is_what_the_drained_file_has_more(kind: str, name: str) -> None:
    """Nothing else makes the difference between both files but the state of what drained ports are told."""
    active, drained = sides(kind, name)
    running = render(active)
    patch = drain(drained, running)
    whole, before, merged = ({*leaves(tree(text))} for text in (render(drained), running, patch))
    assert merged
    assert merged <= whole
    maps = {leaf for leaf in whole - before if "neighbor" in leaf.section and "route-map" in leaf.line}
    assert maps
    assert maps <= merged
    assert drain(drained, render(drained)) == patch


def test_every_underlay_session_of_a_spine_is_drained_both_ways() -> None:
    active, drained = sides("numbered", "be-spine-00")
    found = tree(drain(drained, render(active)))["vrf"]["default"]["router"]["bgp"]["neighbor"]
    own = {row.peer for row in drained.routing.bgp.neighbors if row.route_map_out}
    assert found.keys() == own
    assert len(own) > 3
    for row in found.values():
        for family in row["address-family"].values():
            assert family["policy"].keys() == {"inbound", "outbound"}


def _spoilt(text: str) -> Iterator[str]:
    yield text.replace("            route-map", "            routemap")  # the snippet's maps
    yield text.replace("        community-list:\n", "        as-path-list:\n")
    yield text.replace("                  local-preference: 0", "                  local-preference: 5")
    yield "nonsense"
    yield ""
    yield "- set:\n    system: {hostname: a}\n"


def test_nothing_is_merged_where_a_map_does_not_stand_whole() -> None:
    active, drained = sides("numbered", "be-spine-00")
    running = render(active)
    for text in _spoilt(running):
        assert text != running
        assert drain(drained, text) == ""
    assert drain(active, running) == ""


def test_sessions_that_do_not_stand_are_left_out() -> None:
    active, drained = sides("numbered", "be-spine-00")
    first = drained.routing.bgp.neighbors[0]
    fewer = active.routing.bgp._replace(neighbors=active.routing.bgp.neighbors[1:])
    device = active._replace(routing=active.routing._replace(bgp=fewer))
    found = drain(drained, render(device))
    assert f"'{first.peer}'" not in found
    assert f"'{drained.routing.bgp.neighbors[1].peer}'" in found


def test_who_sends_routes_with_the_community() -> None:
    table = {"routes": {"10.0.0.1/32": [{"peerId": "10.64.0.1", "valid": True}, {"peerId": "fe80::1"}]}}
    neighbors = {"default": {"vrfName": "default", "swp1": {"bgpNeighborAddr": "fe80::1"}}}
    said = {"show bgp ipv4 unicast community 65535:0 json": Output(table)}
    said |= {"show bgp ipv6 unicast community 65535:0 json": Output(None, "bgpd is not running")}
    said |= {"show bgp vrf all neighbors json": Output(neighbors)}
    assert {read.command for read in SIGNS} == said.keys()
    assert seen(said) == {"10.64.0.1", "swp1"}
    assert seen({}) == frozenset()
