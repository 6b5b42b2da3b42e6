"""A double of what NX-OS shows: answers in the recorded forms, made of what one switch is expected to show.

Objects stand for what `| json native` prints (suzieq, tests/integration/sqcmds/nxos-input, 9.3(4)), lists of lines for
text (batfish/lab-validation, 9.2(3); genieparser). A test may change either before `outputs` writes them out. Servers
are on and speak LLDP; addresses of the management port, routes of its VRF and what else no plan has stand there too.
"""

import json
from collections.abc import Iterable, Mapping
from ipaddress import ip_interface
from typing import Any

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.nxos.live import reader as nxos
from fabricgen.state.state import ETHERNET, EVPN, IPV4, LOOPBACK, SUBINTERFACE, SVI
from fabricgen.verify.expect.model import Expected, ExpectedEvpnRoute, ExpectedInterface, ExpectedRoute, ExpectedVni

Shown = dict[str, Any]
"""Command → object, or lines; an Output stands for itself."""
IDS = {IPV4: (1, 1), "ipv6": (2, 1), EVPN: (25, 70)}
NAMES = {IPV4: "IPv4 Unicast", "ipv6": "IPv6 Unicast", EVPN: "L2VPN EVPN"}
EVPN_HEAD = (
    "BGP routing table information for VRF default, address family L2VPN EVPN",
    "BGP table version is 24, Local Router ID is 10.0.0.1",
    "Status: s-suppressed, x-deleted, S-stale, d-dampened, h-history, *-valid, >-best",
    "Path type: i-internal, e-external, c-confed, l-local, a-aggregate, r-redist, I-injected",
    "Origin codes: i - IGP, e - EGP, ? - incomplete, | - multipath, & - backup, 2 - best2",
    "",
    "   Network            Next Hop            Metric     LocPrf     Weight Path",
)
FLOOD_HEAD = (
    "Interface VNI      Replication List  Source  Up Time",
    "--------- -------- ----------------- ------- -------",
)


def refused(command: str) -> Output:
    """What NAPALM says of a command that NX-OS does not know (napalm/nxapi_plumbing/errors.py)."""
    return Output(None, f'The command "{command}" gave the error "% Invalid command\n".')


def shown(expected: Expected, running: str) -> Shown:
    """Everything that a switch in order shows. What has no feature in `running` is refused."""
    found: Shown = {
        nxos.VERSION: {"nxos_ver_str": "10.5(2)", "chassis_id": "Nexus9000 C9364D-GX2A chassis",
                       "proc_board_id": "FDO00000000", "host_name": expected.device},
        nxos.INTERFACES: table("interface", [*map(_interface, expected.interfaces), MANAGEMENT]),
        nxos.ADDRESSES_IPV4: table("intf", list(_addresses_ipv4(expected.interfaces))),
        nxos.ADDRESSES_IPV6: table("intf", list(_addresses_ipv6(expected.interfaces))),
        nxos.VRFS: table("if", [
            {"if_name": name_of(one), "vrf_name": one.vrf or "default", "vrf_id": 1, "soo": "--"}
            for one in expected.interfaces if one.addresses
        ]),
        nxos.SWITCHPORTS: table("interface", [_switchport(one) for one in expected.interfaces if one.kind == ETHERNET]),
        nxos.LLDP: table("nbor_detail", [
            {"chassis_type": "7", "chassis_id": "0000.0000.0001", "l_port_id": one.port.replace("Ethernet", "Eth"),
             "port_type": "5", "port_id": one.port_id, "sys_name": one.system}
            for one in expected.adjacencies
        ]),
        nxos.BGP_SUMMARY: table("vrf", list(_summary(expected))),
        nxos.BGP_NEIGHBORS: table("neighbor", list(_neighbors(expected))),
        nxos.BFD_IPV4: table("bfdNeighbor", [_bfd(one.peer) for one in expected.bfd if ":" not in one.peer]),
        nxos.BFD_IPV6: table("bfdNeighbor", [_bfd(one.peer) for one in expected.bfd if ":" in one.peer]),
        nxos.ROUTES_IPV4: table("vrf", list(_routes(expected, 4))),
        nxos.ROUTES_IPV6: table("vrf", list(_routes(expected, 6))),
        nxos.VNIS: table("nve_vni", list(map(_vni, expected.vnis))),
        nxos.FLOODS: [*FLOOD_HEAD, *(line for one in expected.vnis if one.vteps for line in _floods(one))],
        nxos.EVPN_ROUTES: [*EVPN_HEAD, *(line for one in expected.evpn for line in _evpn(one))],
        nxos.QUEUES: table("module", [{"module_number": 1, **table("queuing_interface", [
            _queues(one.name, direction) for one in expected.interfaces if one.kind == ETHERNET
            for direction in ("Egress", "Ingress")
        ])}]),
        nxos.MODE: {"system_mode": "Normal"},
        nxos.RUNNING: running.splitlines(),
    }  # fmt: skip
    for command, feature in nxos.FEATURES.items():
        if feature not in running.splitlines():
            found[command] = refused(command)
    return found


def outputs(found: Shown) -> dict[str, Output]:
    """As NAPALM's `cli` gives them: all of it text."""
    return {command: _output(value) for command, value in found.items()}


def _output(value: object) -> Output:
    if isinstance(value, Output):
        return value
    if isinstance(value, list):
        return Output("".join(f"{line}\n" for line in value))
    return Output(f"{json.dumps(value, separators=(',', ':'))}\n")


def table(name: str, found: list[Any]) -> dict[str, object]:
    """A table with rows."""
    return {f"TABLE_{name}": {f"ROW_{name}": found}}


def single(value: Any) -> Any:  # noqa: ANN401 - what json gives
    """The same answer as `| json` prints it: one row is no list, and numbers are text."""
    match value:
        case dict():
            return {
                key: single(item[0] if key.startswith("ROW_") and isinstance(item, list) and len(item) == 1 else item)
                for key, item in value.items()
            }
        case list():
            return [single(item) for item in value]
        case bool() | None:
            return value
        case int():
            return str(value)
        case _:
            return value


MANAGEMENT = {"interface": "mgmt0", "state": "up", "admin_state": "up", "eth_mtu": 1500}


def name_of(one: ExpectedInterface) -> str:
    """What NX-OS calls an interface."""
    number = one.name.rpartition(" ")[2]
    return {LOOPBACK: f"loopback{number}", SVI: f"Vlan{one.vlan_id}"}.get(one.kind, one.name)


def _interface(one: ExpectedInterface) -> dict[str, object]:
    up = one.up is not False
    word = "up" if up else "down"
    if one.kind == SVI:
        return {"interface": name_of(one), "svi_admin_state": word, "svi_line_proto": word, "svi_mtu": one.mtu}
    row: dict[str, object] = {"interface": name_of(one), "state": word, "admin_state": word}
    if not up:
        row["state_rsn_desc"] = "Administratively down"
    row["eth_mtu"] = 9216 if one.vlans else one.mtu or 1500
    return row


def _addresses_ipv4(found: Iterable[ExpectedInterface]) -> Iterable[dict[str, object]]:
    for one in found:
        for text in one.addresses:
            if ":" not in text:
                host, _, length = text.partition("/")
                yield {"vrf-name-out": one.vrf or "default", "intf-name": name_of(one), "proto-state": "up",
                       "admin-state": "up", "prefix": host, "masklen": int(length), "mtu": one.mtu}  # fmt: skip


def _addresses_ipv6(found: Iterable[ExpectedInterface]) -> Iterable[dict[str, object]]:
    for one in found:
        rows = [{"addr": text} for text in one.addresses if ":" in text]
        if rows:
            yield {"vrf-name-out": one.vrf or "default", "intf-name": name_of(one), "proto-state": "up",
                   **table("addr", rows), "linklocal-addr": "fe80::1"}  # fmt: skip


def _switchport(one: ExpectedInterface) -> dict[str, object]:
    if one.vlans is None:
        return {"interface": one.name, "switchport": "Disabled"}
    untagged = next((vlan for tag, vlan in one.vlans if not tag), 1)
    tagged = [vlan for tag, vlan in one.vlans if tag]
    return {
        "interface": one.name,
        "switchport": "Enabled",
        "oper_mode": "trunk" if tagged else "access",
        "access_vlan": untagged,
        "native_vlan": 1,
        "trunk_vlans": ",".join(map(str, tagged)) or "1-4094",
    }


def _summary(expected: Expected) -> Iterable[dict[str, object]]:
    for vrf in dict.fromkeys(["", *(one.vrf for one in expected.sessions)]):
        families = []
        for family, (afi, safi) in IDS.items():
            rows = [
                {"neighborid": one.peer, "neighborversion": 4, "neighboras": str(one.remote_as), "time": "P1DT2H",
                 "state": "Established", "prefixreceived": 5}
                for one in expected.sessions if one.vrf == vrf and family in one.families
            ]  # fmt: skip
            inside: dict[str, object] = {"safi": safi, "af-name": NAMES[family]}
            families.append({"af-id": afi, **table("saf", [{**inside, **(table("neighbor", rows) if rows else {})}])})
        yield {"vrf-name-out": vrf or "default", "vrf-router-id": expected.router_id,
               "vrf-local-as": str(expected.asn), **table("af", families)}  # fmt: skip


def _neighbors(expected: Expected) -> Iterable[dict[str, object]]:
    for one in expected.sessions:
        families = [
            {"af-afi": IDS[family][0], **table("saf", [
                {"af-safi": IDS[family][1], "af-advertised": "true", "af-recvd": "true", "af-name": NAMES[family]}
            ])}
            for family in one.families
        ]  # fmt: skip
        key = "ipv6neighbor" if ":" in one.peer else "neighbor"
        yield {key: one.peer, "remoteas": str(one.remote_as), "state": "Established", "up": "true",
               "vrf": one.vrf or "default", **table("af", families)}  # fmt: skip


def _bfd(peer: str) -> dict[str, object]:
    four, six = ("0.0.0.0", peer) if ":" in peer else (peer, "0::")  # noqa: S104 -- how NX-OS writes none
    return {
        "local_disc": "1090519041",
        "vrf_name": "default",
        "dest_ip_addr": four,
        "dest_ipv6_addr": six,
        "local_state": "Up",
        "remote_state": "Up",
        "intf": "Ethernet1/1",
    }


def _routes(expected: Expected, family: int) -> Iterable[dict[str, object]]:
    """The planned routes, and what a switch has beside them: its own addresses as hosts, and its links."""
    planned: dict[str, dict[str, list[dict[str, object]]]] = {"": {}}
    for one in expected.routes:
        if (":" in one.prefix) == (family == 6):
            planned.setdefault(one.vrf, {})[one.prefix] = [{**path, "ubest": "true"} for path in _paths(one)]
    for interface in expected.interfaces:
        for text in interface.addresses if interface.up is not False else ():
            host, _, length = text.partition("/")
            if (":" in host) == (family == 6) and interface.kind != SUBINTERFACE:
                path: dict[str, object] = {
                    "ipnexthop": host,
                    "ifname": _short(name_of(interface)),
                    "clientname": "local",
                    "ubest": "true",
                }
                bits = "128" if family == 6 else "32"
                link = {**path, "clientname": "direct"}
                rows = planned.setdefault(interface.vrf, {})
                rows[f"{host}/{bits}"] = [path, link] if length == bits else [path]
                if length != bits:
                    rows[str(ip_interface(text).network)] = [link]
    for vrf, rows in planned.items():
        prefixes = [
            {"ipprefix": prefix, "ucast-nhops": len(paths), **table("path", paths)} for prefix, paths in rows.items()
        ]
        yield {"vrf-name-out": vrf or "default",
               **table("addrf", [{"addrf": f"ipv{family}", **table("prefix", prefixes)}])}  # fmt: skip


def _paths(one: ExpectedRoute) -> Iterable[dict[str, object]]:
    if one.discard:
        yield {"ifname": "Null0", "clientname": "static"}
    elif one.vlan_id:
        yield {"ipnexthop": one.prefix.partition("/")[0], "ifname": f"Vlan{one.vlan_id}", "clientname": "direct"}
    elif one.interfaces:
        for name, far in zip(one.interfaces, one.addresses or ("",) * len(one.interfaces), strict=True):
            if far:  # without an interface, as recorded
                yield {"ipnexthop": far, "clientname": "bgp-65001", "type": "external"}
            else:
                link = {"ipnexthop": one.prefix.partition("/")[0], "clientname": "direct"}
                yield {**link, "ifname": _short(name)}
    elif one.addresses:
        mapped = "::ffff:" if ":" in one.prefix else ""  # a VTEP, as genieparser's ShowIpv6Route has it
        for far in one.addresses:
            yield {"ipnexthop": f"{mapped}{far}", "nexthop-vrf-name": "default", "clientname": "bgp-65001"}
    else:
        yield {"ipnexthop": one.prefix.partition("/")[0], "ifname": "Eth1/1.900", "clientname": "direct"}


def _short(name: str) -> str:
    return name.replace("Ethernet", "Eth").replace("loopback", "Lo")


def _queues(port: str, direction: str) -> dict[str, object]:
    """Counters of a port that has dropped nothing (nxapi-netbox; show commands reference 9.3(x), `show queuing`)."""
    row: dict[str, object] = {"dir": direction, "if_name_str": port}
    if direction == "Ingress":
        return {**row, **table("pfc_stats", [{"cos": 3, "tx-pause-state": "Inactive", "tx-pause-count": 7,
                                              "rx-pause-state": "Inactive", "rx-pause-count": 5}])}  # fmt: skip
    entries = [
        {"eq-stat-type": kind, "eq-stat-units": unit, "eq-uc-stat-value": count, "eq-mc-stat-value": 0}
        for kind, unit, count in (
            ("Tx", "Pkts", 9),
            ("Tx", "Byts", 900),
            ("WD & Tail Drop", "Pkts", 0),
            ("ECN", "Pkts", 0),
        )
    ]
    groups = [{"eq-qosgrp": group, **table("qosgrp_egress_stats_entry", [dict(one) for one in entries])}
              for group in (*map(str, range(8)), "CONTROL", "SPAN")]  # fmt: skip
    return {**row, **table("qosgrp_egress_stats", groups)}


def _vni(one: ExpectedVni) -> dict[str, object]:
    layer = f"L3 [{one.vrf}]" if one.kind == "l3" else f"L2 [{one.vlan_id}]"
    return {"if-name": "nve1", "vni": one.vni, "mcast": "n/a" if one.kind == "l3" else "UnicastBGP",
            "vni-state": "Up", "mode": "control-plane", "type": layer, "flags": ""}  # fmt: skip


def _floods(one: ExpectedVni) -> Iterable[str]:
    first, *others = one.vteps
    yield f"nve1      {one.vni:<8} {first:<20} BGP-IMET 1d02h"
    for vtep in others:
        yield f"                   {vtep:<20} BGP-IMET 03:21:19"


def _evpn(one: ExpectedEvpnRoute) -> Iterable[str]:
    """As recorded: the RD, the network with its signs, and the next hop on a line of its own."""
    host, _, length = one.key.partition("/")
    bits = "416" if ":" in host else "224"
    network = f"[5]:[0]:[0]:[{length}]:[{host}]/{bits}" if one.route_type == 5 else f"[3]:[0]:[32]:[{host}]/88"
    yield f"Route Distinguisher: {one.rd}" + ("" if one.next_hop else "    (L3VNI 10005)")
    yield f"*>{'e' if one.next_hop else 'l'}{network}"
    yield f"                      {one.next_hop or '10.140.0.5'}                  0        100          0 65001 i"
    yield ""


def changed(found: Shown, command: str, change: Mapping[str, object], **where: object) -> None:
    """Change those rows of an answer, at any depth, whose fields are as told; at least one is."""
    hit = list(_matching(found[command], where))
    assert hit, (command, where)
    for row in hit:
        row.update(change)


def dropped(found: Shown, command: str, **where: object) -> None:
    """Leave away those rows."""
    assert _drop(found[command], where), (command, where)


def _is(row: object, where: Mapping[str, object]) -> bool:
    return isinstance(row, dict) and all(row.get(key.replace("__", "-")) == value for key, value in where.items())


def _matching(value: Any, where: Mapping[str, object]) -> Iterable[dict[str, object]]:  # noqa: ANN401
    if _is(value, where):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _matching(item, where)


def _drop(value: Any, where: Mapping[str, object]) -> int:  # noqa: ANN401
    if isinstance(value, list):
        gone = [item for item in value if _is(item, where)]
        value[:] = [item for item in value if item not in gone]
        return len(gone) + sum(_drop(item, where) for item in value)
    return sum(_drop(item, where) for item in value.values()) if isinstance(value, dict) else 0
