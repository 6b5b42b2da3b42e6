"""SONiC as it is read: a double that shows what was planned is right, and each seeded fault is found as what it is."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.sonic.live import asked
from fabricgen.platforms.sonic.live import counters as sonic_counters
from fabricgen.platforms.sonic.live.reader import SONIC
from fabricgen.resolve.device import devices
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.judge.device import judge
from tests.doubles.sonic_shown import outputs
from tests.sonic import sites
from tests.verify.seen import right_state

SITES = (("managed", "master"), ("tenants", "master"), ("bare", "202505"), ("drained", "202505"))
"""Tables and frr.conf, tenants, sessions over ports, drained switches."""


class Seen(NamedTuple):
    """One switch: what is planned of it, its VRFs, and what it shows."""

    expected: Expected
    vrfs: Mapping[str, str]
    said: dict[str, Output]


@cache
def site(name: str, release: str) -> tuple[Seen, ...]:
    """Every SONiC switch of a site, showing what was planned."""
    found = [device for device in devices(sites.planned(name, release)) if device.system == SONIC.system]
    texts = {device.name: sites.rendered(device)["config_db.json"] for device in found}
    names = {device.name: SONIC.vrf_names(device) for device in found}
    every = expectations(list(devices(sites.planned(name, release))), lambda device: texts.get(device.name, ""))
    return tuple(
        Seen(
            one,
            names[one.device],
            outputs(right_state(one), names[one.device], json.loads(sites.filled(texts[one.device]))),
        )
        for one in every
        if one.device in texts
    )


def of(name: str, release: str, device: str) -> Seen:
    """One switch, with answers that may be spoilt."""
    found = next(seen for seen in site(name, release) if seen.expected.device == device)
    return found._replace(said=json_copy(found.said))


def json_copy(said: Mapping[str, Output]) -> dict[str, Output]:
    """The same answers again."""
    return {command: Output(json.loads(json.dumps(output.value))) for command, output in said.items()}


def codes(seen: Seen) -> set[tuple[str, str]]:
    """Code and subject of each finding."""
    found = judge(seen.expected, SONIC.state(seen.said, seen.vrfs), SONIC.drift).findings
    return {(one.code, one.subject) for one in found}


@pytest.mark.parametrize(("name", "release"), SITES)
def test_what_shows_as_planned_is_right(name: str, release: str) -> None:
    for seen in site(name, release):
        state = SONIC.state(seen.said, seen.vrfs)
        assert set(state.unread) <= {*SONIC.unseen, "counters", "links"}, state.unread
        verdict = judge(seen.expected, state, SONIC.drift)
        assert verdict.findings == ()
        assert {"interfaces", "sessions", "routes", "drift"} <= {check for check, _ in verdict.passed}


Rows = Any
Edit = Callable[[dict[str, Output]], None]


def edit(command: str, change: Callable[[Rows], object]) -> Edit:
    """Change what one command says, in place."""

    def act(said: dict[str, Output]) -> None:
        change(said[command].value)

    return act


def test_the_route_that_ends_lookups_is_no_leak_and_a_way_out_is() -> None:
    """As `ip -j -N` of iproute2 6.1 shows unreachable routes (type 7); and a default route by an uplink."""
    table = {"dst": "default", "protocol": "196", "metric": 20, "flags": [], "table": "1002"}
    ends = [{**table, "type": "7"}, {**table, "type": "7", "dev": "lo", "pref": "medium"}]
    leak = {**table, "gateway": "10.128.0.17", "dev": "Ethernet192"}
    for more, wanted in ((ends, set()), ([leak], {("isolation-route", "VRF storage")})):
        seen = of("tenants", "master", "fe-leaf-000")
        rows: Rows = seen.said[asked.ROUTES].value
        rows.extend(more)
        assert codes(seen) == wanted


def put(rows: list[dict[str, Any]], key: str, value: str, **fields: object) -> None:
    """Set fields of the row whose `key` is `value`."""
    row = next(row for row in rows if row[key] == value)
    row.update(fields)


def without(rows: list[dict[str, Any]], key: str, value: str) -> None:
    """Drop that row."""
    rows.remove(next(row for row in rows if row[key] == value))


LEAF = of("managed", "master", "be-leaf-000")
UPLINK = next(one for one in LEAF.expected.interfaces if one.name == "Ethernet128")
PEER = LEAF.expected.sessions[0].peer
REMOTE = LEAF.expected.routes[0]
STORE = of("tenants", "master", "fe-leaf-000")
VNI = next(row for row in STORE.expected.vnis if row.kind == "l2")


def _flag(rows: Rows, name: str, flags: list[str]) -> None:
    put(rows, "ifname", name, flags=flags, operstate="DOWN")


def _queue(said: dict[str, Output]) -> None:
    shown = json.loads(str(said[sonic_counters.QUEUES].value))
    shown["Ethernet0"]["UC3"]["droppacket"] = "1,234"
    said[sonic_counters.QUEUES] = Output(json.dumps(shown))


def _swap(rows: Rows) -> None:
    listed = rows["lldp"][0]["interface"]
    names = [row["name"] for row in listed]
    for at, other in ((0, 1), (1, 0)):
        listed[at]["name"] = names[other]


DOWN = ["NO-CARRIER", "BROADCAST", "MULTICAST", "UP"]
FAULTS: Mapping[str, tuple[Edit, tuple[str, str]]] = {
    "port down": (
        edit(asked.ADDRESSES, lambda rows: _flag(rows, UPLINK.name, DOWN)),
        ("interface-down", f"port {UPLINK.name}"),
    ),
    "port shut": (
        edit(asked.ADDRESSES, lambda rows: _flag(rows, UPLINK.name, ["BROADCAST"])),
        ("interface-shut", f"port {UPLINK.name}"),
    ),
    "MTU": (
        edit(asked.ADDRESSES, lambda rows: put(rows, "ifname", UPLINK.name, mtu=1500)),
        ("mtu-wrong", f"port {UPLINK.name}"),
    ),
    "address": (
        edit(
            asked.ADDRESSES,
            lambda rows: put(
                rows,
                "ifname",
                UPLINK.name,
                addr_info=[{"family": "inet", "local": "10.99.0.0", "prefixlen": 31, "scope": "global"}],
            ),
        ),
        ("address-wrong", f"port {UPLINK.name}"),
    ),
    "an address that nobody planned": (
        edit(
            asked.ADDRESSES,
            lambda rows: put(
                rows,
                "ifname",
                "Bridge",
                addr_info=[{"family": "inet", "local": "10.99.0.1", "prefixlen": 24, "scope": "global"}],
            ),
        ),
        ("address-unexpected", "interface Bridge"),
    ),
    "neighbors swapped": (edit(asked.LLDP, _swap), ("lldp-wrong-peer", "port Ethernet0")),
    "session down": (
        edit(asked.NEIGHBORS, lambda rows: rows["default"][PEER].update(bgpState="Active")),
        ("session-down", PEER),
    ),
    "another AS": (
        edit(asked.NEIGHBORS, lambda rows: rows["default"][PEER].update(remoteAs=65999)),
        ("session-wrong-as", PEER),
    ),
    "no session": (edit(asked.NEIGHBORS, lambda rows: rows["default"].pop(PEER)), ("session-missing", PEER)),
    "a family is missing": (
        edit(
            asked.NEIGHBORS,
            lambda rows: rows["default"][PEER].update(
                neighborCapabilities={"multiprotocolExtensions": {"l2VpnEvpn": {"advertisedAndReceived": True}}}
            ),
        ),
        ("session-family-missing", PEER),
    ),
    "no route": (
        edit(asked.ROUTES, lambda rows: without(rows, "dst", REMOTE.prefix)),
        ("route-missing", REMOTE.prefix),
    ),
    "a next hop less": (
        edit(
            asked.ROUTES,
            lambda rows: put(
                rows,
                "dst",
                REMOTE.prefix,
                nexthops=next(row for row in rows if row["dst"] == REMOTE.prefix)["nexthops"][:1],
            ),
        ),
        ("route-width", REMOTE.prefix),
    ),
    "a route that nobody planned": (
        edit(asked.ROUTES, lambda rows: rows.append({"dst": "10.99.0.0/24", "protocol": "196", "dev": "Ethernet0"})),
        ("route-unexpected", "10.99.0.0/24"),
    ),
    "a rule": (
        edit(
            asked.RULES[0], lambda rows: rows.append({"priority": 100, "src": "10.0.0.0", "srclen": 8, "table": "77"})
        ),
        ("rule-unexpected", "rule 100"),
    ),
    "lossless drops": (_queue, ("qos-lossless-drops", "port Ethernet0")),
    "drift": (
        edit(asked.RUNNING, lambda rows: rows["PORT"]["Ethernet0"].update(mtu="1500")),
        ("drift-missing", "PORT / Ethernet0"),
    ),
    "drift beside": (
        edit(asked.RUNNING, lambda rows: rows.update(ACL_TABLE={"OURS": {"type": "L3"}})),
        ("drift-extra", "ACL_TABLE / OURS"),
    ),
    "another host name": (
        edit(asked.RUNNING, lambda rows: rows["DEVICE_METADATA"]["localhost"].update(hostname="sonic")),
        ("another-name", "the switch"),
    ),
    "bgpd is dead": (
        lambda said: said.update({asked.DAEMONS: Output(" zebra staticd bfdd\n")}),
        ("daemon-dead", "daemon bgpd"),
    ),
    "syncd is dead": (
        lambda said: said.update({asked.CONTAINERS: Output("bgp\nswss\nlldp\n")}),
        ("daemon-dead", "daemon syncd"),
    ),
    "FRR's container is dead": (
        lambda said: said.update({
            asked.CONTAINERS: Output("swss\nsyncd\n"), asked.DAEMONS: Output(None, "No such container: bgp")
        }),
        ("daemon-dead", "daemon zebra"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(name: str) -> None:
    change, (code, subject) = FAULTS[name]
    seen = LEAF._replace(said=json_copy(LEAF.said))
    change(seen.said)
    found = codes(seen)
    assert any(one == code and subject in other for one, other in found), found


BARE = of("bare", "202505", "be-leaf-000")
SPINE = BARE.expected.sessions[0].peer
LINK: Mapping[str, tuple[Edit, tuple[str, str]]] = {
    "BFD is down": (edit(asked.BFD, lambda rows: put(rows, "interface", SPINE, status="down")), ("bfd-down", SPINE)),
    "no BFD": (edit(asked.BFD, lambda rows: without(rows, "interface", SPINE)), ("bfd-", SPINE)),
    "a session in another VRF": (
        edit(asked.NEIGHBORS, lambda rows: rows.update(mgmt={"vrfName": "mgmt", SPINE: rows["default"].pop(SPINE)})),
        ("session-missing", SPINE),
    ),
    "another router id": (
        edit(
            asked.NEIGHBORS,
            lambda rows: [
                row.update(localRouterId="10.9.9.9") for row in rows["default"].values() if isinstance(row, dict)
            ],
        ),
        ("bgp-wrong-router-id", "BGP"),
    ),
    "a port in a VRF": (
        edit(asked.ADDRESSES, lambda rows: put(rows, "ifname", SPINE, master="mgmt")),
        ("interface-wrong-vrf", SPINE),
    ),
    "no loopback": (edit(asked.ADDRESSES, lambda rows: without(rows, "ifname", "Loopback0")), ("address-missing", "0")),
    "no watchdog": (edit(asked.RUNNING, lambda rows: rows["PFC_WD"].pop("GLOBAL")), ("drift-missing", "PFC_WD")),
}


@pytest.mark.parametrize("name", LINK)
def test_a_fault_of_an_unnumbered_link_is_found(name: str) -> None:
    change, (code, subject) = LINK[name]
    seen = BARE._replace(said=json_copy(BARE.said))
    change(seen.said)
    found = codes(seen)
    assert any(one.startswith(code) and subject in other for one, other in found), found


OVERLAY: Mapping[str, tuple[Edit, tuple[str, str]]] = {
    "VNI missing": (
        edit(asked.VNIS, lambda rows: without(rows, "vxlanInterface", f"VTEP-{VNI.vlan_id}")),
        ("vni-missing", f"VNI {VNI.vni}"),
    ),
    "VNI in another VRF": (
        edit(asked.VNIS, lambda rows: put(rows, "type", "L3", tenantVrf="mgmt")),
        ("vni-wrong-vrf", "VNI 10001"),
    ),
    "floods to nobody": (edit(asked.FLOOD, lambda rows: rows.clear()), ("vtep-missing", "VTEP 10.")),
    "EVPN routes of another leaf are gone": (
        edit(asked.EVPN_ROUTES, lambda rows: rows.pop(next(rd for rd, row in rows.items() if _far(row)))),
        ("evpn-missing", "type 3 of"),
    ),
    "a port in another VLAN": (
        edit(asked.BRIDGED, lambda rows: rows[0].update(vlans=[{"vlan": 99, "flags": ["PVID", "Egress Untagged"]}])),
        ("port-wrong-vlan", "port Ethernet0"),
    ),
}


def _far(block: object) -> bool:
    return isinstance(block, dict) and any(
        path["peerId"] != "(unspec)" for row in block.values() if isinstance(row, dict) for path in row["paths"]
    )


@pytest.mark.parametrize("name", OVERLAY)
def test_a_fault_of_the_overlay_is_found(name: str) -> None:
    change, (code, subject) = OVERLAY[name]
    seen = STORE._replace(said=json_copy(STORE.said))
    change(seen.said)
    found = codes(seen)
    assert any(one == code and subject in other for one, other in found), found


GARBAGE: tuple[Any, ...] = (
    None,
    "",
    "{",
    "[1]",
    "no such command",
    7,
    [],
    {},
    {"a": {"b": 1}},
    [{"ifname": 3}],
    [[[]]],
    "{" * 5000,
)


@pytest.mark.parametrize("command", [read.command for read in SONIC.reads(())])
def test_what_is_not_understood_is_never_right(command: str) -> None:
    """Cut, refused and foreign answers: nothing is raised, and what they are of does not pass where it was wrong."""
    part = next(read.part for read in SONIC.reads(()) if read.command == command)
    for value in GARBAGE:
        state = SONIC.state({**STORE.said, command: Output(value, "" if value is not None else "refused")}, STORE.vrfs)
        if part in ("facts", "running", "interfaces"):
            assert getattr(state, part) is None, (command, value)
            assert state.unread[part]
    judge(STORE.expected, state, SONIC.drift)


@pytest.mark.parametrize("command", [one for one in STORE.said if isinstance(STORE.said[one].value, dict | list)])
def test_what_is_cut_is_not_read(command: str) -> None:
    part = next(read.part for read in SONIC.reads(()) if read.command == command)
    text = json.dumps(STORE.said[command].value)
    for end in range(1, len(text), max(len(text) // 3, 1)):
        state = SONIC.state({**STORE.said, command: Output(text[:end])}, STORE.vrfs)
        assert getattr(state, part) is None


def test_nothing_said_is_nothing_seen() -> None:
    state = SONIC.state({}, {})
    parts = ("facts", "interfaces", "lldp", "bgp", "bfd", "routes", "vnis", "evpn", "counters", "running", "daemons")
    assert all(getattr(state, part) is None and state.unread[part] for part in parts)
    assert SONIC.unseen.keys() <= state.unread.keys()
