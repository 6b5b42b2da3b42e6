"""Lines that drain what stands, against the drained artifact itself; and who is seen to have sent the community."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import make_plan, make_shapes
from fabricgen.platforms.base.live.reader import Drift, Output
from fabricgen.platforms.eos.live import drain as eos_drain
from fabricgen.platforms.eos.live.reader import EOS
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.platforms.linux.live import drain as frr_drain
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.source.document import read_document
from fabricgen.source.validate import validate
from tests.live.recorded import FABRIC, _files, archive

INVENTORIES = Path(__file__).parents[2] / "inventories"
SPINES, LEAVES = ("be-spine-00", "fe-spine-00"), ("be-leaf-000", "fe-leaf-000", "fe-border-00")
NAMES = (*SPINES, *LEAVES)


class System(NamedTuple):
    """One platform: an intent with it, its main file, how it drains, and what it differs in."""

    name: str
    intent: Path
    suffix: str
    drain: Callable[[Device, str], str]
    drift: Callable[[str, str], tuple[Drift, ...]]


SYSTEMS = (
    System("frr", INVENTORIES / "frr/intent.yaml", "frr.conf", frr_drain.drain, FRR.drift),
    System("eos", INVENTORIES / "demo/intent.yaml", "", eos_drain.drain, EOS.drift),
)


class Switch(NamedTuple):
    """One switch of one platform: its drained Device, the artifact of that, and that of the healthy one."""

    system: System
    device: Device
    drained: str
    healthy: str


@cache
def _texts(system: System, drained: bool) -> Mapping[str, tuple[Device, str]]:
    intent, catalog = validate(Intent, read_document(system.intent)), load_catalog(None)
    exceptions = Exceptions(devices=dict.fromkeys(NAMES, "drained")) if drained else Exceptions()
    plan, renderer = make_plan(intent, catalog, make_shapes(intent, catalog), Lock(), exceptions), Renderer()
    found = {}
    for device in devices(plan):
        if device.name in NAMES:
            (text,) = (file.text for file in renderer.render(device) if file.path.endswith(system.suffix))
            found[device.name] = (device, text)
    return found


def _switch(system: System, name: str) -> Switch:
    device, drained = _texts(system, drained=True)[name]
    return Switch(system, device, drained, _texts(system, drained=False)[name][1])


@pytest.fixture(params=SYSTEMS, ids=lambda system: system.name)
def system(request: pytest.FixtureRequest) -> System:
    found: System = request.param
    return found


@pytest.fixture
def spine(system: System) -> Switch:
    """A spine with no overlay; both families."""
    return _switch(system, SPINES[0])


def _absent(switch: Switch, text: str, base: str) -> set[tuple[tuple[str, ...], str]]:
    """Lines of a text, with their sections, that another has not, as the platform's own drift tells them."""
    return {(found.section, found.line) for found in switch.system.drift(text, base) if not found.present}


def _lines(switch: Switch, merged: str) -> set[tuple[tuple[str, ...], str]]:
    """Lines of neighbors among those that are merged, with their sections."""
    return {(section, line) for section, line in _absent(switch, merged, "") if line.startswith("neighbor ")}


@pytest.mark.parametrize("name", SPINES)
def test_a_spine_is_drained_by_just_what_its_artifacts_differ_in(system: System, name: str) -> None:
    switch = _switch(system, name)
    merged = switch.system.drain(switch.device, switch.healthy)
    sessions = 2 * sum(row.profile.role == "downlink" and row.peer != "" for row in switch.device.interfaces.ethernet)
    assert len(_lines(switch, merged)) == 2 * sessions > 0
    assert _lines(switch, merged) == _absent(switch, switch.drained, switch.healthy)


@pytest.mark.parametrize("name", NAMES)
def test_each_line_is_one_of_the_drained_artifact(system: System, name: str) -> None:
    """Also of a leaf, of which the artifact says more: ports that are shut, outside sessions."""
    switch = _switch(system, name)
    merged = switch.system.drain(switch.device, switch.healthy)
    assert _lines(switch, merged)
    assert _absent(switch, merged, switch.drained) == set()
    spelled = set(switch.drained.splitlines())
    assert {line for line in merged.splitlines() if line.strip() not in {"exit", "exit-address-family"}} <= spelled
    assert _lines(switch, merged) <= _absent(switch, switch.drained, switch.healthy)


@pytest.mark.parametrize("name", NAMES)
def test_a_leaf_marks_what_it_announces_in_the_overlay_and_a_spine_does_not(system: System, name: str) -> None:
    """A leaf is a VTEP, so that routes of its own are worth another's; what it hears, and what a spine does, is not."""
    switch = _switch(system, name)
    lines = {line for _, line in _lines(switch, switch.system.drain(switch.device, switch.healthy))}
    bgp = switch.device.routing.bgp
    overlay = {group.name for group in bgp.groups if "evpn" in group.families} if name in LEAVES else set()
    peers = {row.address for row in bgp.neighbors if row.group in overlay}
    assert bool(peers) == (name in {"fe-leaf-000", "fe-border-00"})
    told = {line for line in lines if line.split()[1] in peers or "EVPN" in line}
    assert told == {f"neighbor {peer} route-map RM-SPINES-EVPN-DRAINED-OUT out" for peer in peers}


MARKS = r"^(route-map RM-SPINES-EVPN-DRAINED-OUT permit 20\n(?: .*\n)*?) +set community .*\n"


def test_a_leaf_whose_overlay_map_marks_nothing_is_not_drained_in_part(system: System) -> None:
    switch = _switch(system, "fe-leaf-000")
    for text in (
        _without(MARKS, switch.healthy, r"\1"),
        switch.healthy.replace("RM-SPINES-EVPN-DRAINED-OUT", "RM-OTHER"),
    ):
        assert switch.system.drain(switch.device, text) == ""


def test_a_switch_that_is_drained_already_is_told_the_same(spine: Switch) -> None:
    assert spine.system.drain(spine.device, spine.drained) == spine.system.drain(spine.device, spine.healthy) != ""


def test_a_session_that_does_not_stand_is_left_out(spine: Switch) -> None:
    gone = spine.device.routing.bgp.neighbors[0].address
    running = "\n".join(line for line in spine.healthy.splitlines() if f"neighbor {gone} " not in line)
    merged = spine.system.drain(spine.device, running)
    assert gone not in merged.split()
    assert len(_lines(spine, merged)) == len(_lines(spine, spine.system.drain(spine.device, spine.healthy))) - 2


def test_a_remainder_of_a_session_is_none(spine: Switch) -> None:
    """A description alone makes no neighbor."""
    gone = spine.device.routing.bgp.neighbors[0].address
    makes = re.compile(rf" *neighbor {re.escape(gone)} (?:remote-as|peer-group|peer group) ")
    running = "\n".join(line for line in spine.healthy.splitlines() if not makes.match(line))
    assert f"neighbor {gone} description" in running
    assert gone not in spine.system.drain(spine.device, running).split()


def test_a_session_that_is_not_drained_is_left_alone(spine: Switch) -> None:
    """As those of a switch of which one link is drained."""
    bgp = spine.device.routing.bgp
    first, *others = bgp.neighbors
    rest = tuple(row._replace(route_map_in="", route_map_out="") for row in others)
    linked = spine.device._replace(routing=spine.device.routing._replace(bgp=bgp._replace(neighbors=(first, *rest))))
    merged = spine.system.drain(linked, spine.healthy)
    assert {line.split()[1] for _, line in _lines(spine, merged)} == {first.address}
    assert len(_lines(spine, merged)) == 2


def test_one_family_alone_is_drained_alone(spine: Switch) -> None:
    """What runs has no IPv6 yet, so none of its maps need stand either."""
    sixes = {row.address for row in spine.device.routing.bgp.neighbors if ":" in row.address}
    running = "\n".join(line for line in spine.healthy.splitlines() if not sixes & set(line.split()))
    running = re.sub(r"^route-map RM-\S*IPV6.*\n(?: .*\n)*", "", running, flags=re.MULTILINE)
    merged = spine.system.drain(spine.device, running)
    assert merged
    assert not sixes & set(merged.split())
    assert "ipv6" not in merged.lower()


def _without(pattern: str, text: str, by: str = "") -> str:
    changed = re.sub(pattern, by, text, flags=re.MULTILINE)
    assert changed != text
    return changed


IN_LAST = r"^route-map RM-LEAVES-IPV4-DRAINED-IN permit 20\n(?: .*\n)*"
BROKEN: tuple[tuple[str, str, str], ...] = (
    ("a map is missing", r"^route-map RM-LEAVES-IPV6-DRAINED-OUT permit 10\n(?: .*\n)*", ""),
    ("a statement is missing", IN_LAST, ""),
    ("a statement denies", r"^(route-map RM-LEAVES-IPV4-DRAINED-IN) permit 20$", r"\1 deny 20"),
    (
        "what comes in is not last",
        r"^(route-map RM-LEAVES-IPV4-DRAINED-IN permit 20\n(?: .*\n)*?) .*preference 0\n",
        r"\1",
    ),
    ("what goes out is not marked", r"(DRAINED-OUT permit 10\n(?: .*\n)*? +set community 65000:1) \S+", r"\1"),
    (
        "a statement more lets routes through unmarked",
        r"^(route-map RM-LEAVES-IPV4-DRAINED-OUT) permit 10$",
        r"\1 permit 5\n\1 permit 10",
    ),
    ("the community list is missing", r"^(bgp|ip) community-list .*\n", ""),
    ("a prefix list is missing", r"^ipv6 prefix-list PL-FABRIC-IPV6.*\n", ""),
    ("only a longer name stands", r"^(ip prefix-list PL-FABRIC-IPV4)\b", r"\1-OLD"),
    ("another AS", r"^router bgp \d+$", "router bgp 65001"),
    ("sessions of a VRF alone", r"^(router bgp \d+)$", r"\1 vrf red"),
)


@pytest.mark.parametrize(("pattern", "by"), [pytest.param(*row[1:], id=row[0]) for row in BROKEN])
def test_what_could_deny_routes_or_drain_nothing_is_refused(spine: Switch, pattern: str, by: str) -> None:
    assert spine.system.drain(spine.device, _without(pattern, spine.healthy, by)) == ""


def test_nothing_comes_of_nothing(spine: Switch) -> None:
    healthy = _texts(spine.system, drained=False)[SPINES[0]][0]
    assert spine.system.drain(spine.device, "") == ""
    assert spine.system.drain(healthy, spine.healthy) == ""
    flat = "\n".join(line.strip() for line in spine.healthy.splitlines())
    assert spine.system.drain(spine.device, flat) == ""


def test_a_neighbor_of_a_vrf_is_no_session_of_the_underlay(spine: Switch) -> None:
    """The same address under a section in `router bgp` is another session."""
    gone = spine.device.routing.bgp.neighbors[0].address
    running = "\n".join(line for line in spine.healthy.splitlines() if f"neighbor {gone} " not in line)
    section = f"router bgp {spine.device.routing.bgp.asn}"
    running = running.replace(f"\n{section}\n", f"\n{section}\n   vrf red\n      neighbor {gone} remote-as 65009\n")
    assert gone not in spine.system.drain(spine.device, running).split()


def test_lines_that_a_hand_added_are_no_hindrance(spine: Switch) -> None:
    """Remarks, also where they break the indentation, other maps, other sessions."""
    section = f"\nrouter bgp {spine.device.routing.bgp.asn}\n"
    running = (
        spine.healthy.replace(section, f"{section}! by hand\n")
        + "route-map MINE deny 10\n!\nrouter bgp 65009 vrf red\n"
    )
    assert spine.system.drain(spine.device, running) == spine.system.drain(spine.device, spine.healthy)


FRR_SHOWN = """{
 "vrfId": 0,
 "vrfName": "default",
 "tableVersion": 11,
 "routerId": "10.64.192.0",
 "defaultLocPrf": 100,
 "localAS": 4201000000,
 "routes": { "10.64.1.0/25": [{"valid":true,"pathFrom":"external","prefix":"10.64.1.0","prefixLen":25,\
"network":"10.64.1.0/25","version":9,"locPrf":0,"weight":0,"peerId":"10.64.0.129","path":"4201000004 4201000001",\
"origin":"IGP","nexthops":[{"ip":"10.64.0.129","hostname":"be-spine-00","afi":"ipv4","used":true}]}]
,"10.64.192.8/32": [{"valid":true,"bestpath":true,"selectionReason":"First path received","pathFrom":"external",\
"prefix":"10.64.192.8","prefixLen":32,"network":"10.64.192.8/32","version":11,"metric":0,"locPrf":0,"weight":0,\
"peerId":"10.64.0.129","path":"4201000004","origin":"IGP","nexthops":[{"ip":"10.64.0.129","hostname":"be-spine-00",\
"afi":"ipv4","used":true}]}]
 }  } """
"""`show bgp ipv4 unicast community 65535:0 json` of FRR 8.4.4, a leaf of which one spine was drained."""
FRR_SHOWN_IPV6 = """{
 "routes": { "fd5e:8c1f:2a00:c00::8/128": [{"valid":true,"bestpath":true,"pathFrom":"external","locPrf":0,\
"peerId":"fd5e:8c1f:2a00::81","path":"4201000004","nexthops":[{"ip":"fd5e:8c1f:2a00::81","afi":"ipv6",\
"scope":"global"},{"ip":"fe80::98dc:7dff:fe80:db16","afi":"ipv6","scope":"link-local","used":true}]}]
 }  } """
FRR_IPV4, FRR_IPV6 = (read.command for read in frr_drain.TABLES)


def test_frr_shows_peers_of_both_families() -> None:
    outputs = {FRR_IPV4: Output(json.loads(FRR_SHOWN)), FRR_IPV6: Output(FRR_SHOWN_IPV6)}
    assert frr_drain.draining_peers(outputs) == {"10.64.0.129", "fd5e:8c1f:2a00::81"}


def test_frr_own_routes_have_no_sender() -> None:
    own = FRR_SHOWN.replace('"peerId":"10.64.0.129"', '"peerId":"(unspec)"', 1)
    assert own.count("(unspec)") == 1
    assert frr_drain.draining_peers({FRR_IPV4: Output(own)}) == {"10.64.0.129"}


GARBAGE: tuple[object, ...] = (
    None,
    "",
    "% BGP instance not found",
    "{",
    [],
    7,
    {},
    {"routes": []},
    {"routes": {"10.0.0.0/8": {}}},
    {"routes": {"10.0.0.0/8": [{"peerId": 7}]}},
    {"routes": {"10.0.0.0/8": [{"peerId": "spine1"}]}},
    {"vrfs": {"default": []}},
    {"vrfs": {"default": {"bgpRouteEntries": []}}},
    {"vrfs": {"default": {"bgpRouteEntries": {"10.0.0.0/8": {"bgpRoutePaths": {}}}}}},
    {
        "vrfs": {
            "default": {"bgpRouteEntries": {"10.0.0.0/8": {"bgpRoutePaths": [{"nextHop": 7, "localPreference": 0}]}}}
        }
    },
    {
        "vrfs": {
            "default": {"bgpRouteEntries": {"10.0.0.0/8": {"bgpRoutePaths": [{"nextHop": "x", "localPreference": 0}]}}}
        }
    },
)


@pytest.mark.parametrize("value", GARBAGE)
def test_what_is_not_understood_has_shown_nothing(value: object) -> None:
    for module in (frr_drain, eos_drain):
        outputs = {read.command: Output(value, "" if value is not None else "Invalid command") for read in module.SIGNS}
        assert module.draining_peers(outputs) == frozenset()
        assert module.draining_peers({}) == frozenset()


def test_one_family_that_fails_does_not_hide_the_other() -> None:
    assert frr_drain.draining_peers(
        {FRR_IPV4: Output(None, "bgpd is not running"), FRR_IPV6: Output(FRR_SHOWN_IPV6)}
    ) == {"fd5e:8c1f:2a00::81"}
    shown = _eos(_path(nextHop="10.0.0.1", localPreference=0))
    four, *sixes = (read.command for read in eos_drain.SIGNS)
    refused = {command: Output(None, "Invalid command") for command in sixes}
    assert eos_drain.draining_peers({four: Output(shown), **refused}) == {"10.0.0.1"}


def _path(**changes: object) -> dict[str, Any]:
    """One path of EOS, recorded in batfish/lab-validation of `show ip bgp vrf all`; fields that matter."""
    return {
        "asPathEntry": {"asPath": "65001 i", "asPathType": "External"},
        "med": 0,
        "localPreference": 100,
        "weight": 0,
        "reasonNotBestpath": "noReason",
        "nextHop": "172.31.255.24",
        "routeType": {"valid": True, "active": True},
        **changes,
    }


def _eos(*paths: object) -> dict[str, Any]:
    entry = {"address": "172.31.255.12", "maskLength": 31, "totalPaths": len(paths), "bgpRoutePaths": list(paths)}
    vrf = {
        "routerId": "192.168.255.9",
        "vrf": "default",
        "asn": "65104",
        "bgpRouteEntries": {"172.31.255.12/31": entry},
    }
    return {"vrfs": {"default": vrf}}


def _peer(address: str) -> dict[str, str]:
    """Peer of a path, hyperglass/models/parsing/arista_route.json."""
    return {"peerRouterId": "198.18.0.2", "peerAddr": address}


def _seen_by_eos(*paths: object) -> frozenset[str]:
    return eos_drain.draining_peers({eos_drain.SIGNS[0].command: Output(_eos(*paths))})


def test_eos_paths_with_details_count_by_their_communities() -> None:
    assert _seen_by_eos(
        _path(peerEntry=_peer("10.0.0.1"), routeDetail={"communityList": ["65000:1", "GSHUT"]}),
        _path(peerEntry=_peer("10.0.0.3"), routeDetail={"communityList": ["65535:0"]}),
        _path(peerEntry=_peer("10.0.0.5"), routeDetail={"communityList": ["65000:1"]}, localPreference=0),
        _path(peerEntry=_peer("10.0.0.7"), routeDetail={"communityList": []}, localPreference=0),
    ) == {"10.0.0.1", "10.0.0.3"}


def test_eos_paths_without_details_count_by_the_preference_of_the_inbound_map() -> None:
    """RFC 8326 section 4.2: local preference 0. The peer is the next hop where the list leaves it away."""
    assert _seen_by_eos(
        _path(nextHop="10.0.0.1", localPreference=0),
        _path(nextHop="10.0.0.3", localPreference=0, peerEntry={}),
        _path(nextHop="fe80::1", localPreference=0, peerEntry=_peer("FD00:0::5")),
        _path(nextHop="10.0.0.7", localPreference=100),
        _path(nextHop="", localPreference=0),
    ) == {"10.0.0.1", "10.0.0.3", "fd00::5"}
    missing = _path(nextHop="10.0.0.9")
    del missing["localPreference"]
    assert _seen_by_eos(missing) == frozenset()


def test_eos_paths_of_another_vrf_are_none_of_the_underlay() -> None:
    shown = _eos(_path(localPreference=0))
    assert (
        eos_drain.draining_peers({eos_drain.SIGNS[0].command: Output({"vrfs": {"red": shown["vrfs"]["default"]}})})
        == frozenset()
    )


TABLE = "/show_ip_bgp_vrf_all_|_json.txt"


def test_a_recorded_table_has_the_form_that_is_read() -> None:
    """A double of the answer by community: a recorded table, in which a map then has made every path the last one."""
    files = [text for path, text in _files(archive()).items() if path.startswith(FABRIC) and path.endswith(TABLE)]
    tables = [json.loads(text) for text in files if text.startswith("{")]
    assert len(tables) == 9
    for shown in tables:
        assert eos_drain.draining_peers({eos_drain.SIGNS[0].command: Output(shown)}) == frozenset()
        paths = [
            path for entry in shown["vrfs"]["default"]["bgpRouteEntries"].values() for path in entry["bgpRoutePaths"]
        ]
        for path in paths:
            path["localPreference"] = 0
        senders = {path["nextHop"] for path in paths} - {""}
        assert senders
        assert eos_drain.draining_peers({eos_drain.SIGNS[0].command: Output(shown)}) == senders
