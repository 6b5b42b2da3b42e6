"""A double of a SONiC switch that is read: the State of a switch, spelled as its commands print it.

No switch is at hand. The forms are iproute2's and lldpd's as recorded (tests/live/frr_kernel.py, frr_said.py), those
of FRR 10.3 where it differs from 8.4 (`tenantVrf`: zebra/zebra_evpn.c), and of SONiC's own commands as their source and
tests print them (sonic-utilities 691b1bbc: show/main.py; tests/pfcstat_test.py, queuestat_input, wred_queue_counter_
test.py). What a real switch has beside a plan is there too: docker0, the dummy port of the bridge, SONiC's rules.
"""

import json
from collections.abc import Iterable, Mapping
from ipaddress import ip_interface
from typing import Any

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.sonic.live import asked as sonic_asked
from fabricgen.platforms.sonic.live import counters as sonic_counters
from fabricgen.state.state import (
    L2,
    LOOPBACK,
    SUBINTERFACE,
    SVI,
    BfdSession,
    EvpnRoute,
    Interface,
    PortCounters,
    Route,
    Session,
    State,
    Vni,
)

UP, DOWN = ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"], ["BROADCAST", "MULTICAST"]
TABLES = 1001
"""Routing table of the first VRF device."""

VERSION = """
SONiC Software Version: SONiC.{release}.1022-f0a1
SONiC OS Version: 12
Distribution: Debian 12.11
Kernel: 6.1.0-29-2-amd64
Build commit: f0a1c2d3e
Build date: Fri Jul 31 04:11:20 UTC 2026
Built by: builder@host

Platform: x86_64-mlnx_msn4700-r0
HwSKU: ACS-MSN4700
ASIC: mellanox
ASIC Count: 1
Serial Number: MT2000X00000
Model Number: MSN4700-WS2F
Hardware Revision: A1
Uptime: 06:02:11 up 3 days,  1:02,  1 user,  load average: 1.00, 1.00, 1.00
Date: Sat 01 Aug 2026 06:02:11
"""
DAEMONS = " zebra bgpd bfdd staticd fpm watchfrr\n"
CONTAINERS = "snmp\npmon\nlldp\nbgp\nradv\nsyncd\nteamd\nswss\ndatabase\n"
FAMILIES = {"ipv4": "ipv4Unicast", "ipv6": "ipv6Unicast", "evpn": "l2VpnEvpn"}
SONIC_RULES = [
    {"priority": 1000, "src": "all", "l3mdev": None},
    {"priority": 1001, "src": "all", "table": "local"},
    {"priority": 32765, "src": "10.0.0.16", "table": "5000"},
    {"priority": 32766, "src": "all", "table": "main"},
    {"priority": 32767, "src": "all", "table": "default"},
]


def outputs(state: State, vrfs: Mapping[str, str], tables: Mapping[str, Any], bgpraw: str = "") -> dict[str, Output]:
    """What a switch in this state prints. vrfs: VRF on the switch → VRF of the plan; tables: its CONFIG_DB."""
    names = {plan: name for name, plan in vrfs.items()}
    numbers = {name: TABLES + at for at, name in enumerate(vrfs)}
    said: dict[str, object] = {
        sonic_asked.VERSION: VERSION.format(release="202505"),
        sonic_asked.ADDRESSES: devices(state.interfaces or (), names, numbers) + tunnels(state.vnis or ()),
        sonic_asked.LLDP: {"lldp": [{"interface": [_neighbor(*row) for row in state.lldp or ()]}]},
        sonic_asked.NEIGHBORS: neighbors(state, names),
        sonic_asked.BFD: [_bfd(row) for row in state.bfd or ()],
        sonic_asked.ROUTES: [row for route in state.routes or () for row in _route(route, names, numbers)],
        sonic_asked.VNIS: [_vni(row, names) for row in state.vnis or ()],
        sonic_asked.FLOOD: [
            {"mac": "00:00:00:00:00:00", "ifname": f"VTEP-{row.vlan_id}", "dst": vtep, "flags": ["self"]}
            for row in state.vnis or ()
            for vtep in row.vteps
        ],
        sonic_asked.BRIDGED: [_vlans(row.name, row.vlans) for row in state.interfaces or () if row.vlans]
        + [_vlans(f"VTEP-{row.vlan_id}", ((0, row.vlan_id),)) for row in state.vnis or ()],
        sonic_asked.EVPN_ROUTES: evpn(state.evpn or ()),
        **dict.fromkeys(sonic_asked.RULES, SONIC_RULES),
        sonic_asked.DAEMONS: DAEMONS,
        sonic_asked.CONTAINERS: CONTAINERS,
        **counted(state.counters or ()),
        sonic_asked.RUNNING: {**tables, "bgpraw": bgpraw},
    }
    return {command: Output(json.loads(json.dumps(value))) for command, value in said.items()}


def _address(text: str) -> dict[str, Any]:
    found = ip_interface(text)
    return {
        "family": "inet" if found.version == 4 else "inet6",
        "local": str(found.ip),
        "prefixlen": found.network.prefixlen,
        "scope": "global",
    }


def _device(name: str, state: str, mtu: int, addresses: Iterable[str] = (), **more: Any) -> dict[str, Any]:  # noqa: ANN401 - of the kernel
    return {
        "ifname": name,
        "flags": UP if state == "UP" else DOWN,
        "mtu": mtu,
        "operstate": state,
        "link_type": "ether",
        "addr_info": [_address(one) for one in addresses],
        **more,
    }


def _state(up: bool) -> str:
    return "UP" if up else "DOWN"


def _link(kind: str, **data: object) -> dict[str, Any]:
    return {"linkinfo": {"info_kind": kind, "info_data": data}}


def devices(found: Iterable[Interface], names: Mapping[str, str], numbers: Mapping[str, int]) -> list[object]:
    """`ip -j -d addr show`."""
    rows: list[object] = [
        {**_device("lo", "UP", 65536, ("127.0.0.1/16",)), "link_type": "loopback", "operstate": "UNKNOWN"},
        _device("docker0", "DOWN", 1500, ("240.127.1.1/24",), **_link("bridge")),
        _device("Bridge", "UP", 9100, **_link("bridge", vlan_filtering=1)),
        _device("dummy", "UP", 1500, master="Bridge", **_link("dummy")),
        *(_device(name, "UP", 65575, **_link("vrf", table=number)) for name, number in numbers.items()),
        _device("eth0", "UP", 1500, ("10.0.0.16/20",), master="mgmt"),
    ]
    for one in found:
        if one.name != "lo":
            rows.append(_row(one, names))
    return rows


def tunnels(found: Iterable[Vni]) -> list[object]:
    """VXLAN devices, each a port of the bridge."""
    vxlan: dict[str, Any] = {"master": "Bridge", **_link("vxlan", id=0)}
    return [_device(f"VTEP-{row.vlan_id}", _state(row.up), 9100, **vxlan) for row in found]


def _row(one: Interface, names: Mapping[str, str]) -> dict[str, Any]:
    more: dict[str, Any] = {"master": names[one.vrf]} if one.vrf else {}
    if one.vlans:
        more = {"master": "Bridge"}
    if one.kind == LOOPBACK:
        more |= _link("dummy")
    if one.kind == SVI:
        return _device(
            one.name, _state(one.oper_up), 9100, one.addresses, link="Bridge", **_link("vlan", id=one.vlan_id), **more
        )
    if one.kind == SUBINTERFACE:
        parent, _, number = one.name.partition(".")
        short = f"Eth{parent.removeprefix('Ethernet')}.{number}"
        more |= _link("vlan", id=one.vlan_id) | {"link": parent}
        return _device(short, _state(one.oper_up), one.mtu, one.addresses, **more)
    row = _device(one.name, _state(one.oper_up), one.mtu, one.addresses, **more)
    if one.admin_up and not one.oper_up:
        row["flags"] = ["NO-CARRIER", "BROADCAST", "MULTICAST", "UP"]
    return row


def _vlans(name: str, found: Iterable[tuple[int, int]] | None) -> dict[str, Any]:
    flags = ["PVID", "Egress Untagged"]
    rows = [{"vlan": vlan, "flags": flags if tag == 0 else []} for tag, vlan in found or ()]
    return {"ifname": name, "vlans": rows}


def _bfd(row: BfdSession) -> dict[str, Any]:
    """A session over a port has the peer's address of the link, which no plan knows."""
    port = {} if ":" in row.peer or "." in row.peer else {"peer": "fe80::7", "interface": row.peer}
    shown = {"multihop": False, "peer": row.peer, "vrf": "default", "status": "up" if row.up else "down"}
    return {**shown, **port}


def _neighbor(port: str, system: str, port_id: str) -> dict[str, Any]:
    return {
        "name": port,
        "via": "LLDP",
        "chassis": [{"name": [{"value": system}]}],
        "port": [{"id": [{"type": "local", "value": port_id}]}],
    }


def neighbors(state: State, names: Mapping[str, str]) -> dict[str, Any]:
    """`show bgp vrf all neighbors json`."""
    found: dict[str, dict[str, object]] = {"default": {"vrfId": 0, "vrfName": "default"}}
    if state.bgp is None:
        return dict(found)
    for row in state.bgp.sessions:
        name = names[row.vrf] if row.vrf else "default"
        shown = _session(row, state.bgp.asn, state.bgp.router_id)
        found.setdefault(name, {"vrfId": 7, "vrfName": name})[row.peer] = shown
    return dict(found)


def _session(row: Session, asn: int, router_id: str) -> dict[str, Any]:
    announced = {FAMILIES[one.name]: {"advertisedAndReceived": True} for one in row.families}
    return {
        "remoteAs": row.remote_as,
        "localAs": asn,
        "localRouterId": router_id,
        "bgpState": row.state,
        "neighborCapabilities": {"multiprotocolExtensions": announced},
        "addressFamilyInfo": {
            FAMILIES[one.name]: {"acceptedPrefixCounter": one.received} for one in row.families if one.received >= 0
        },
    }


def _route(row: Route, names: Mapping[str, str], numbers: Mapping[str, int]) -> list[dict[str, object]]:
    protocol = {"bgp": "186", "static": "196", "connected": "2"}[row.protocol]
    found: dict[str, object] = {"dst": row.prefix, "protocol": protocol, "metric": 20, "flags": []}
    if row.vrf:
        found["table"] = str(numbers[names[row.vrf]])
    if not row.hops:
        return [{**found, "type": "6"}]
    hops = [_hop(hop.address, hop.interface, row.prefix) for hop in row.hops]
    if len(hops) == 1:
        return [{**found, **hops[0]}]
    return [{**found, "nexthops": [{**hop, "weight": 1, "flags": []} for hop in hops]}]


def _hop(address: str, interface: str, prefix: str) -> dict[str, Any]:
    if not address:
        return {"dev": interface}
    if (":" in address) != (":" in prefix):
        return {"via": {"family": "inet6", "host": address}, "dev": interface}
    return {"gateway": address, "dev": interface}


def _vni(row: Vni, names: Mapping[str, str]) -> dict[str, Any]:
    vrf = names.get(row.vrf, "default")
    if row.kind == L2:
        return {
            "vni": row.vni,
            "type": "L2",
            "tenantVrf": vrf,
            "vxlanInterface": f"VTEP-{row.vlan_id}",
            "sviInterface": f"Vlan{row.vlan_id}",
        }
    state = "Up" if row.up else "Down"
    return {
        "vni": row.vni,
        "type": "L3",
        "tenantVrf": vrf,
        "vxlanIntf": f"VTEP-{row.vlan_id}",
        "sviIntf": f"Vlan{row.vlan_id}",
        "state": state,
    }


def evpn(found: Iterable[EvpnRoute]) -> dict[str, Any]:
    """`show bgp l2vpn evpn json`, of types 3 and 5."""
    blocks: dict[str, dict[str, Any]] = {}
    for row in found:
        if row.route_type == 5:
            address, _, length = row.key.partition("/")
            name = f"[5]:[0]:[{length}]:[{address}]"
        else:
            name = f"[{row.route_type}]:[0]:[32]:[{row.key}]"
        paths = blocks.setdefault(row.rd, {"rd": row.rd}).setdefault(name, {"paths": []})["paths"]
        peer = row.next_hop or "(unspec)"
        paths.append({"valid": True, "peerId": peer, "nexthops": [{"ip": row.next_hop or "0.0.0.0"}]})  # noqa: S104
    return {"bgpTableVersion": 1, **blocks}


def counted(found: Iterable[PortCounters]) -> dict[str, str]:
    """`pfcstat`, `queuestat -j` and `wredstat -j`. Multicast queues and what is not counted are N/A."""
    rows = list(found)
    header = "    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7\n---------  ------\n"
    zeros = "       0" * 7
    received = "".join(f"{row.port}   {max(row.pfc_received, 0):,}{zeros}\n" for row in rows)
    sent = "".join(f"{row.port}   {max(row.pfc_sent, 0):,}{zeros}\n" for row in rows)
    drops, marks = {}, {}
    for row in rows:
        lost = {queue: drop.packets for drop in row.dropped for queue in drop.classes}
        drops[row.port] = {
            "time": "2026-08-01 06:02:11",
            **{f"UC{queue}": _queue(lost.get(queue, 0)) for queue in range(8)},
            **{f"MC{queue}": _queue("N/A") for queue in range(8, 16)},
        }
        marked = dict(row.ecn_marked)
        marks[row.port] = {f"UC{queue}": _marked(marked.get(queue) or 0) for queue in range(8)}
    return {
        sonic_counters.PFC: f"  Port Rx{header}{received}\n  Port Tx{header}{sent}",
        sonic_counters.QUEUES: json.dumps(drops, indent=2),
        sonic_counters.MARKED: json.dumps(marks, indent=2),
    }


def _queue(lost: object) -> dict[str, str]:
    return {"totalpacket": "68", "totalbytes": "30", "droppacket": str(lost), "dropbytes": "74"}


def _marked(packets: int) -> dict[str, str]:
    return {"wreddroppacket": "0", "wreddropbytes": "0", "ecnmarkedpacket": f"{packets:,}", "ecnmarkedbytes": "0"}
