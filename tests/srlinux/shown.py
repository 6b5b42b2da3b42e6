"""What a switch with SR Linux shows: answers to the reader's paths, in the forms that srlinux/live/reader.py cites.

Interfaces, instances, sessions and VNIs are those of the rendered file; what only the rest of the fabric decides (who
is heard, which routes arrive and over what) is as the plan expects it. That the names of members and the values are
those of Nokia's YANG is judged by tests/srlinux/test_srlinux_reader_models.py.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from fabricgen.platforms.srlinux.live import reader as srlinux
from fabricgen.state.state import LAG
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected
from tests.srlinux.shown_routes import UNNUMBERED, Answers, table
from tests.srlinux.sites import fleet, render

NI = "srl_nokia-network-instance:network-instance"
SYSTEM, IF = "srl_nokia-system:system", "srl_nokia-interfaces:interface"
RIB = "srl_nokia-rib-bgp:bgp-rib"
AT = "2026-06-12T14:43:55.672Z"
MAC = "02:FA:00:00:00:0A"


@cache
def _site(site: str) -> Mapping[str, Expected]:
    return {one.device: one for one in expectations(fleet(site))}


@cache
def plan(site: str, name: str) -> Expected:
    """What a switch of a site must show, with its configuration."""
    device = next(one for one in fleet(site) if one.name == name)
    return replace(_site(site)[name], configuration=render(device))


@cache
def _text(site: str, name: str) -> str:
    expected = plan(site, name)
    return json.dumps(answers(json.loads(expected.configuration or ""), expected))


def healthy(site: str, name: str) -> Answers:
    """Answers of a switch in order, each time again."""
    found: Answers = json.loads(_text(site, name))
    return found


def answers(tree: Answers, expected: Expected) -> Answers:
    """Answers of a switch that runs this file."""
    instances = tree[NI]
    return {
        srlinux.INFORMATION: {"description": "SRLinux-v25.3.1-149-gd8b9bc97eb", "version": "v25.3.1-149-gd8b9bc97eb"},
        srlinux.HOSTNAME: tree[SYSTEM]["srl_nokia-system-name:name"]["host-name"],
        srlinux.CHASSIS: {"type": "7220 IXR-H5-64D", "serial-number": "NS000000001", "oper-state": "up"},
        srlinux.INTERFACES: {IF: [_interface(row, expected) for row in tree[IF]]},
        srlinux.KINDS: {NI: [{"name": row["name"], "type": row["type"]} for row in instances]},
        srlinux.MEMBERS: {NI: [{"name": row["name"], "interface": row.get("interface", [])} for row in instances]},
        srlinux.TUNNELS: {NI: [_kept(row, "vxlan-interface") for row in instances if "vxlan-interface" in row]},
        srlinux.LLDP: {"admin-state": "enable", "interface": list(_heard(expected))},
        srlinux.BGP: {NI: [found for row in instances for found in _speaking(row, expected)]},
        srlinux.BFD: {"network-instance": [{"name": "default", "peer": list(_watched(expected))}]},
        srlinux.ROUTES: {NI: [{"name": row["name"], "route-table": table(row["name"], expected)} for row in instances]},
        srlinux.VNIS: _tunnels(tree, expected),
        srlinux.EVPN_ROUTES: {NI: [{"name": "default", RIB: {"afi-safi": [_evpn(expected)]}}]},
        srlinux.ATTRIBUTES: {NI: [{"name": "default", RIB: {"attr-sets": {"attr-set": list(_sets(expected))}}}]},
        srlinux.QOS: {"interface": [row for port in expected.queues for row in _rows(port.port, expected)]},
        srlinux.MAINTENANCE: {},
        srlinux.RUNNING: expected.configuration or "",
    }


def _kept(row: Answers, name: str) -> Answers:
    return {"name": row["name"], name: row[name]}


def _interface(row: Answers, expected: Expected) -> Answers:
    """The configuration of an interface with the state of it; ports that the plan has are up where it says so."""
    planned = {one.name: one for one in expected.interfaces}
    one = planned.get(row["name"])
    is_up = row["admin-state"] == "enable" and (one is None or one.up is not False)
    state = {"oper-state": "up" if is_up else "down", "ifindex": 16382, "last-change": AT}
    found = {**row, **state, "statistics": {"in-octets": "48049", "out-octets": "50229", "in-packets": "443"}}
    if "subinterface" in row:
        found["subinterface"] = [_subinterface(row["name"], sub, is_up) for sub in row["subinterface"]]
    if row["name"].startswith("lag"):
        found["srl_nokia-interfaces-lag:lag"] = {
            **row["srl_nokia-interfaces-lag:lag"],
            "member": [{"name": name, "oper-state": "up"} for name in _members(row["name"], expected)],
        }
    return found


def _members(name: str, expected: Expected) -> tuple[str, ...]:
    number = int(name.removeprefix("lag"))
    return next(one.members for one in expected.interfaces if one.kind == LAG and one.name == f"lag {number}")


def _subinterface(parent: str, sub: Answers, is_up: bool) -> Answers:
    found = {**sub, "name": f"{parent}.{sub['index']}", "oper-state": "up" if is_up else "down", "last-change": AT}
    found.setdefault("type", "srl_nokia-interfaces:routed")
    if "ipv6" in sub:
        link_local = {"ip-prefix": f"{UNNUMBERED}/64", "origin": "link-layer", "status": "preferred"}
        found["ipv6"] = {**sub["ipv6"], "address": [*sub["ipv6"].get("address", []), link_local]}
    return found


def _heard(expected: Expected) -> Iterator[Answers]:
    for one in expected.adjacencies:
        neighbor = {"id": MAC, "system-name": one.system, "chassis-id": MAC, "chassis-id-type": "MAC_ADDRESS"}
        named = {"port-id": one.port_id, "port-id-type": "INTERFACE_NAME"}
        yield {"name": one.port, "admin-state": "enable", "oper-state": "up", "neighbor": [{**neighbor, **named}]}


FAMILY_WORDS = {"ipv4": "ipv4-unicast", "ipv6": "ipv6-unicast", "evpn": "evpn"}


def _speaking(row: Answers, expected: Expected) -> Iterator[Answers]:
    """The speaker of an instance that has one; its sessions are those of the plan."""
    said = row.get("protocols", {}).get("srl_nokia-bgp:bgp")
    if said is None:
        return
    vrf = "" if row["name"] == "default" else row["name"]
    sessions = [one for one in expected.sessions if one.vrf == vrf]
    neighbors = [_neighbor(one.peer, one.remote_as, one.families) for one in sessions]
    bgp = {
        "admin-state": "enable", "oper-state": "up",
        "autonomous-system": said["autonomous-system"], "router-id": said["router-id"], "neighbor": neighbors,
    }  # fmt: skip
    yield {"name": row["name"], "protocols": {"srl_nokia-bgp:bgp": bgp}}


def _neighbor(peer: str, remote_as: int, families: tuple[str, ...]) -> Answers:
    name = f"{UNNUMBERED}%{peer}.0" if peer.startswith("ethernet") else peer
    listed = [
        {
            "afi-safi-name": f"srl_nokia-common:{shown}", "admin-state": "enable" if family in families else "disable",
            "oper-state": "up" if family in families else "down",
            **({"received-routes": 5} if family in families else {}),
        }
        for family, shown in FAMILY_WORDS.items()
    ]  # fmt: skip
    return {
        "peer-address": name, "admin-state": "enable", "peer-type": "ebgp", "peer-as": remote_as,
        "session-state": "established", "last-state": "active", "afi-safi": listed,
    }  # fmt: skip


def _watched(expected: Expected) -> Iterator[Answers]:
    for number, one in enumerate(expected.bfd, 16385):
        is_link = one.peer.startswith("ethernet")
        far = {"remote-address": UNNUMBERED if is_link else one.peer}
        port = {"ipv6-link-local-interface": f"{one.peer}.0"} if is_link else {}
        yield {"local-discriminator": number, "oper-state": "up", **port, **far, "session-state": "UP"}


def _tunnels(tree: Answers, expected: Expected) -> Answers:
    key = "srl_nokia-tunnel-interfaces:tunnel-interface"
    planned = {one.vni: one for one in expected.vnis}
    found = []
    for tunnel in tree.get(key, []):
        rows = []
        for row in tunnel["vxlan-interface"]:
            vteps = planned[row["ingress"]["vni"]].vteps
            floods = [{"vtep": vtep, "vni": row["ingress"]["vni"], "multicast-forwarding": "BUM"} for vtep in vteps]
            module = "srl_nokia-tunnel-interfaces-vxlan-interface-bridge-table-multicast-destinations"
            bridging = {f"{module}:multicast-destinations": {"destination": floods}} if floods else {}
            rows.append({**row, "oper-state": "up", **({"bridge-table": bridging} if bridging else {})})
        found.append({"name": tunnel["name"], "vxlan-interface": rows})
    return {key: found} if found else {}


EVPN_LISTS = {1: "ethernet-ad-route", 3: "imet-route", 4: "ethernet-segment-route", 5: "ip-prefix-route"}


def _evpn(expected: Expected) -> Answers:
    """The local RIB: attribute set 9 has the switch's own next hop, those from 10 on the VTEPs."""
    vteps = _vteps(expected)
    lists: dict[str, list[Answers]] = {}
    for one in expected.evpn:
        common = {
            "route-distinguisher": one.rd or "10.0.0.1:1", "path-id": 0, "valid-route": True, "best-route": True,
            "neighbor": "192.0.2.1" if one.next_hop else "0.0.0.0",  # noqa: S104 - as SR Linux has its own
            "attr-id": str(vteps.index(one.next_hop) + 10) if one.next_hop else "9",
        }  # fmt: skip
        lists.setdefault(EVPN_LISTS[one.route_type], []).append({**common, **_key(one.route_type, one.key)})
    return {"afi-safi-name": "srl_nokia-common:evpn", "evpn": {"local-rib": lists}}


def _key(kind: int, key: str) -> Answers:
    if kind == 3:
        return {"originating-router": key, "ethernet-tag-id": 0}
    if kind == 5:
        return {"ip-prefix": key, "ip-prefix-length": int(key.partition("/")[2]), "ethernet-tag-id": 0}
    octets = key.replace(":", "")
    segment = {"esi": ":".join(octets[at : at + 2] for at in range(0, 20, 2))}
    return {**segment, "ethernet-tag-id": 0} if kind == 1 else {**segment, "originating-router": "10.0.0.1"}


def _vteps(expected: Expected) -> list[str]:
    return sorted({one.next_hop for one in expected.evpn if one.next_hop})


def _sets(expected: Expected) -> Iterator[Answers]:
    yield {"index": "9", "origin": "igp", "next-hop": "0.0.0.0"}  # noqa: S104
    for number, vtep in enumerate(_vteps(expected), 10):
        yield {"index": str(number), "origin": "igp", "next-hop": vtep}


def _rows(port: str, expected: Expected) -> Iterator[Answers]:
    """A port, and its subinterface, which classifies."""
    yield _queues(port, expected)
    classifying = {"classifiers": {"dscp-policy": "ROCE"}}
    about = {"interface": port, "subinterface": 0}
    yield {"interface-id": f"{port}.0", "interface-ref": about, "input": classifying}


def _queues(port: str, expected: Expected) -> Answers:
    """Counters and settings of the queues of one port, all counters at nought."""
    marks = {mark.queue: mark for one in expected.qos if one.port == port for mark in one.ecn}
    queues = [
        {
            "queue-name": f"unicast-{number}", "forwarding-class": [f"fc{number}"],
            "active-queue-management": {
                "wred-slope": [
                    {
                        "traffic-type": "all", "drop-probability": "all", "enable-ecn": True,
                        "min-threshold-bytes": marks[number].minimum_octets,
                        "max-threshold-bytes": marks[number].maximum_octets,
                        "max-probability": marks[number].probability_percent,
                    }
                ] if number in marks else []
            },
            "queue-statistics": {"aggregate-statistics": {"dropped-packets": "0", "ecn-marked-packets": "0"}},
        }
        for number in range(8)
    ]  # fmt: skip
    counted = {"total-pfc-pause-frames-received": "0", "total-pfc-pause-frames-generated": "0"}
    return {
        "interface-id": port, "interface-ref": {"interface": port},
        "pfc": {"pfc-enable": True, "deadlock-detection-timer": 200, "statistics": counted},
        "output": {"queues": {"queue": queues}},
    }  # fmt: skip
