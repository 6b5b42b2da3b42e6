"""What drains a switch with SR Linux, and where its peers see it."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.srlinux.live import drain as srlinux_drain
from fabricgen.platforms.srlinux.live import reader as srlinux
from fabricgen.resolve.device import devices
from tests.srlinux.push_fabric import INTENT
from tests.srlinux.shown import NI, RIB
from tests.srlinux.sites import intent, plan_of, read, render

SPINE = "be-spine-00"
POLICY = "srl_nokia-routing-policy:routing-policy"


SITES = {"numbered": INTENT, "bare": INTENT.replace("links: [ipv4]", "links: [unnumbered]")}


@cache
def _spine(site: str, state: str) -> Device:
    exceptions = Exceptions(devices={SPINE: "drained"}) if state else Exceptions()
    return next(one for one in devices(plan_of(read(SITES[site]), exceptions)) if one.name == SPINE)


def drained(site: str) -> Device:
    """A spine that is declared drained."""
    return _spine(site, "drained")


@cache
def text_of(site: str, state: str = "") -> str:
    """What the spine runs before, or once it is drained."""
    return render(_spine(site, state))


def running(site: str) -> Any:  # noqa: ANN401 - JSON
    """What the spine runs before."""
    return json.loads(text_of(site))


def speaker(tree: Any) -> Any:  # noqa: ANN401
    return next(one for one in tree[NI] if one["name"] == "default")["protocols"]["srl_nokia-bgp:bgp"]


@pytest.mark.parametrize(
    ("site", "listed", "key"), [("numbered", "neighbor", "peer-address"), ("bare", "group", "group-name")]
)
def test_each_session_names_its_drained_policies_and_keeps_what_else_it_has(site: str, listed: str, key: str) -> None:
    before = running(site)
    found = json.loads(srlinux_drain.drain(drained(site), json.dumps(before)))
    wanted = {row[key]: row for row in speaker(json.loads(text_of(site, "drained")))[listed]}
    stand = {row[key]: row for row in speaker(before)[listed]}
    assert list(found) == ["replaces"]
    by_path = {one["path"]: one["value"] for one in found["replaces"]}
    speaks = "/network-instance[name=default]/protocols/bgp"
    assert set(by_path) == {f"{speaks}/{listed}[{key}={name}]" for name in stand}
    for one in by_path.values():
        assert one == wanted[one[key]]
        policies = ("import-policy", "export-policy")
        assert {name: value for name, value in one.items() if name not in policies} == {
            name: value for name, value in stand[one[key]].items() if name not in policies
        }
        assert all("DRAINED" in one[name][0] for name in policies)


def test_only_sessions_that_stand_are_drained() -> None:
    tree = running("numbered")
    rows = speaker(tree)["neighbor"]
    del rows[1:]
    found = json.loads(srlinux_drain.drain(drained("numbered"), json.dumps(tree)))
    assert [one["value"]["peer-address"] for one in found["replaces"]] == [rows[0]["peer-address"]]
    rows.clear()
    assert srlinux_drain.drain(drained("numbered"), json.dumps(tree)) == ""


def policy(tree: Any, name: str) -> Any:  # noqa: ANN401
    return next(one for one in tree[POLICY]["policy"] if one["name"] == name)


INWARDS, OUTWARDS = "RM-LEAVES-IPV4-DRAINED-IN", "RM-LEAVES-IPV4-DRAINED-OUT"
BROKEN: dict[str, Callable[[Any], object]] = {
    "no policy": lambda it: policy(it, INWARDS).update(name="RM-OTHER"),
    "no statement": lambda it: policy(it, OUTWARDS)["statement"].pop(),
    "another preference": lambda it: policy(it, INWARDS)["statement"][1]["action"]["bgp"]["local-preference"].update(
        set=100
    ),
    "no preference": lambda it: policy(it, INWARDS)["statement"][1]["action"].pop("bgp"),
    "no community": lambda it: policy(it, OUTWARDS)["statement"][0]["action"]["bgp"].pop("communities"),
    "another community": lambda it: policy(it, OUTWARDS)["statement"][0]["action"]["bgp"]["communities"].update(
        add="SET-65000:1"
    ),
    "no set": lambda it: it[POLICY]["community-set"].clear(),
    "no prefixes": lambda it: it[POLICY]["prefix-set"].clear(),
    "lets the rest out": lambda it: policy(it, OUTWARDS)["default-action"].update({"policy-result": "accept"}),
    "a secret that is hidden": lambda it: speaker(it)["neighbor"][0].update(
        {"authentication": {"password": "<removed>"}}
    ),
    "another form": lambda it: it.update({NI: 7}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_nothing_is_merged_where_a_policy_is_not_whole(name: str) -> None:
    tree = running("numbered")
    assert srlinux_drain.drain(drained("numbered"), json.dumps(tree)) != ""
    BROKEN[name](tree)
    assert srlinux_drain.drain(drained("numbered"), json.dumps(tree)) == ""


@pytest.mark.parametrize("text", ["", "no JSON", "[]", "7", "{}"])
def test_nothing_is_merged_into_garbage(text: str) -> None:
    assert srlinux_drain.drain(drained("numbered"), text) == ""


def answers(*communities: str, number: str = "14") -> dict[str, Any]:
    """Peers' routes of both families, with one attribute set."""

    def of(family: str, neighbor: str) -> dict[str, Any]:
        table = {"rib-in-out": {"rib-in-post": {"route": [
            {"prefix": "10.0.0.0/24", "neighbor": neighbor, "path-id": 0, "attr-id": number},
            {"prefix": "10.0.1.0/24", "neighbor": "192.0.2.99", "path-id": 0, "attr-id": "15"}]}}}  # fmt: skip
        row = {"afi-safi-name": f"srl_nokia-common:{family}-unicast", f"{family}-unicast": table}
        return {NI: [{"name": "default", RIB: {"afi-safi": [row]}}]}

    sets = [{"index": "14", "communities": {"community": list(communities)}}, {"index": "15", "next-hop": "10.0.0.2"}]
    return {
        srlinux_drain.ARRIVED["ipv4"]: of("ipv4", "10.0.0.1"),
        srlinux_drain.ARRIVED["ipv6"]: of("ipv6", "fe80::1%ethernet-1/49.0"),
        srlinux.ATTRIBUTES: {NI: [{"name": "default", RIB: {"attr-sets": {"attr-set": sets}}}]},
    }


def seen(shown: dict[str, Any]) -> frozenset[str]:
    return srlinux_drain.draining_peers({path: Output(value) for path, value in shown.items()})


def test_peers_whose_routes_carry_the_community_are_seen() -> None:
    assert seen(answers("65000:1", "65535:0")) == {"10.0.0.1", "ethernet-1/49"}
    assert seen(answers("graceful-shutdown")) == {"10.0.0.1", "ethernet-1/49"}
    assert seen(answers("65000:1")) == frozenset()
    assert seen(answers("65535:0", number="16")) == frozenset()
    assert seen({}) == frozenset()
    for path in srlinux_drain.ARRIVED.values():
        assert seen({**answers("65535:0"), path: {NI: 7}}) == frozenset()
    refused = {path: Output(None, "refused") for path in answers()}
    assert srlinux_drain.draining_peers(refused) == frozenset()


LEAF, SPINE_ABOVE = "fe-leaf-000", "fe-spine-00"


@cache
def _front(name: str, state: str) -> Device:
    exceptions = Exceptions(devices={name: state} if state else {})
    return next(one for one in devices(plan_of(intent("demo"), exceptions)) if one.name == name)


@pytest.mark.parametrize("name", [LEAF, SPINE_ABOVE])
def test_a_leaf_marks_what_it_announces_in_the_overlay_and_a_spine_does_not(name: str) -> None:
    device = _front(name, "drained")
    merged = json.loads(srlinux_drain.drain(device, render(_front(name, ""))))
    wanted = {row["peer-address"]: row for row in speaker(json.loads(render(device)))["neighbor"]}
    found = {one["value"]["peer-address"]: one["value"] for one in merged["replaces"]}
    groups = {group.name for group in device.routing.bgp.groups if "evpn" in group.families}
    overlay = {row.address for row in device.routing.bgp.neighbors if row.group in groups}
    assert overlay
    assert {address: wanted[address] for address in found} == found
    assert found.keys() == wanted.keys() - (set() if name == LEAF else overlay)
    for address in overlay & found.keys():
        assert found[address]["export-policy"] == ["RM-SPINES-EVPN-DRAINED-OUT"]
        assert "import-policy" not in found[address]


def test_a_leaf_whose_overlay_policy_is_not_there_is_not_drained_in_part() -> None:
    tree = json.loads(render(_front(LEAF, "")))
    policy(tree, "RM-SPINES-EVPN-DRAINED-OUT").update(name="RM-OTHER")
    assert srlinux_drain.drain(_front(LEAF, "drained"), json.dumps(tree)) == ""
