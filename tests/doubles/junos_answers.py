"""A double of what a Junos switch answers, spelled from what the plan says it must show.

Forms: as platforms/junos/live/reader.py cites them, in the reply that NAPALM's `cli` gives; none of it was said by a
switch. Beside what is planned stands what every recorded switch shows, too: ports inside the box, tables and units of
its own, paths that stand back.
"""

import re
from collections.abc import Iterable, Iterator

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.junos.live import reader as junos
from fabricgen.platforms.junos.live.reader import JUNOS
from fabricgen.state.state import EVPN, IPV4, IPV6, L2, L3, LOOPBACK, SVI
from fabricgen.verify.expect.model import Expected, ExpectedEvpnRoute, ExpectedRoute, ExpectedSession
from tests.doubles import junos_ports_shown
from tests.doubles.junos_elements import element, reply

NLRI = {IPV4: "inet-unicast", IPV6: "inet6-unicast", EVPN: "evpn"}
RIBS = {IPV4: "inet.0", IPV6: "inet6.0", EVPN: "bgp.evpn.0"}
REFUSAL = "RpcError(severity: error, bad_element: None, message: error: command is not valid on the qfx5230-64cd)"
FAR = "fe80::205:86ff:fe3d:{at:x}"
"""Address of the far end of a link without addresses."""


def answers(device: Device, expected: Expected, text: str) -> dict[str, Output]:
    """All that is asked of a switch that is as planned and runs this text."""
    fixed = {
        junos.VERSION: _version(device),
        junos.INTERFACES: junos_ports_shown.interfaces(expected),
        junos.INSTANCES: junos_ports_shown.instances(expected),
        junos.BUNDLES: junos_ports_shown.bundles(expected),
        junos.VLANS: junos_ports_shown.vlans(expected),
        junos.LLDP: junos_ports_shown.lldp(expected),
        junos.BGP: _bgp(device, expected),
        junos.BFD: _bfd(expected),
        junos.EVPN_ROUTES: _evpn(expected.evpn),
        junos.MAC_VRFS: _segments(expected),
        junos.L3_CONTEXTS: _contexts(expected),
        junos.RUNNING: running(text),
    }
    found = {command: Output(value) for command, value in fixed.items()}
    found[junos.EVPN_INSTANCES] = Output(None, REFUSAL)
    return found | dict(_tables(device, expected))


def _version(device: Device) -> str:
    return reply(
        element(
            "software-information",
            element("host-name", device.name),
            element("product-model", device.hardware.model),
            element("junos-version", "24.4R1.9-EVO"),
        )
    )


def _bgp(device: Device, expected: Expected) -> str:
    rows = [_peer(device, one, at) for at, one in enumerate(expected.sessions)]
    return reply(element("bgp-information", *rows))


def _peer(device: Device, one: ExpectedSession, at: int) -> str:
    link = one.peer.startswith("et-")
    far = f"{FAR.format(at=at)}%{one.peer}.0+50172" if link else f"{one.peer}+179"
    before = f"{one.vrf}." if one.vrf else ""
    ribs = [
        element(
            "bgp-rib",
            element("name", RIBS[family] if family == EVPN else before + RIBS[family]),
            element("active-prefix-count", 4),
            element("received-prefix-count", 5),
        )
        for family in one.families
    ]
    return element(
        "bgp-peer",
        element("peer-address", far),
        element("peer-as", one.remote_as),
        element("local-as", device.routing.bgp.asn),
        element("peer-cfg-rti", one.vrf or "master"),
        element("peer-state", "Established"),
        element("local-id", device.routing.bgp.router_id),
        element("local-interface-name", f"{one.peer}.0") if link else "",
        element("nlri-type-session", " ".join(NLRI[family] for family in one.families)),
        *ribs,
        style="detail",
    )


def _bfd(expected: Expected) -> str:
    rows = [
        element(
            "bfd-session",
            element("session-neighbor", FAR.format(at=at) if one.peer.startswith("et-") else one.peer),
            element("session-state", "Up"),
            element("session-interface", f"{one.peer}.0") if one.peer.startswith("et-") else "<session-interface/>",
            element("bfd-client", element("client-name", "BGP")),
        )
        for at, one in enumerate(expected.bfd)
    ]
    return reply(element("bfd-session-information", *rows, element("sessions", len(rows))))


def _tables(device: Device, expected: Expected) -> Iterator[tuple[str, Output]]:
    tables: dict[str, list[str]] = {}
    for read in JUNOS.reads(JUNOS.vrf_names(device)):
        if read.part == "routes":
            tables[read.command] = []
    for one in expected.routes:
        family = "inet6.0" if ":" in one.prefix else "inet.0"
        command = f"show route table {one.vrf + '.' if one.vrf else ''}{family} "
        name = next(found for found in tables if found.startswith(command))
        tables[name].append(_route(one, detailed=bool(one.vrf)))
    for command, rows in tables.items():
        table = command.split()[3]
        if rows or not table.endswith("inet6.0"):
            yield command, Output(_information(table, [*rows, *_own(table), *_locals(expected, table)]))
        else:
            yield command, Output("") if "." not in table.removesuffix(".0") else Output(None, REFUSAL)


def _information(table: str, rows: Iterable[str]) -> str:
    return reply(element("route-information", element("route-table", element("table-name", table), *rows)))


def _own(table: str) -> Iterator[str]:
    """What a switch has without having been told."""
    if table == "inet.0":
        yield _rt("224.0.0.5/32", [_entry("*", "OSPF", ["<nh-type>MultiRecv</nh-type>"])])
    if table == "inet6.0":
        for prefix in ("fe80::/64", "ff02::2/128"):
            yield _rt(
                prefix, [_entry("*", "INET6", [element("nh", "<nh-local-interface>et-0/0/0.0</nh-local-interface>")])]
            )


def _locals(expected: Expected, table: str) -> Iterator[str]:
    """Each address of an interface is a route of its own."""
    for one in expected.interfaces:
        unit = f"irb.{one.vlan_id}" if one.kind == SVI else one.name if "." in one.name else f"{one.name}.0"
        for address in one.addresses if one.kind != LOOPBACK else ():
            host, name = address.partition("/")[0], "inet6.0" if ":" in address else "inet.0"
            if table == (f"{one.vrf}.{name}" if one.vrf else name):
                hop = element("nh", element("nh-local-interface", unit))
                length = "128" if ":" in host else "32"
                yield _rt(f"{host}/{length}", [_entry("*", "Local", ["<nh-type>Local</nh-type>", hop])])


def _rt(prefix: str, entries: Iterable[str], *, detailed: bool = False) -> str:
    host, _, length = prefix.partition("/")
    where = [element("rt-destination", host), element("rt-prefix-length", length)]
    return element("rt", *(where if detailed else [element("rt-destination", prefix)]), *entries)


def _entry(mark: str, protocol: str, hops: Iterable[str]) -> str:
    tag = element("active-tag", mark) if mark else "<active-tag/>"
    return element("rt-entry", tag, element("protocol-name", protocol), *hops)


def _nh(address: str, unit: str) -> str:
    return element("nh", element("to", address) if address else "", element("via", unit))


def _route(one: ExpectedRoute, *, detailed: bool) -> str:
    """A route; behind it a path that stands back."""
    if one.discard:
        return _rt(one.prefix, [_entry("*", "Static", ["<nh-type>Discard</nh-type>"])], detailed=detailed)
    if one.vlan_id or not (one.interfaces or one.addresses):
        unit = f"irb.{one.vlan_id or 20}"
        return _rt(one.prefix, [_entry("*", "Direct", [_nh("", unit)])], detailed=detailed)
    if not one.interfaces:
        return _rt(one.prefix, _tunnelled(one), detailed=detailed)
    pairs = list(zip(one.interfaces, one.addresses or ("",) * len(one.interfaces), strict=False))
    hops = [_nh(address, f"{port}.0") for port, address in pairs[: one.width or None]]
    protocol = "BGP" if any(address for _, address in pairs) else "Direct"
    second = [_entry("", "BGP", [_nh("10.255.255.1", "et-0/0/63.0")])]
    return _rt(one.prefix, [_entry("*", protocol, hops), *second], detailed=detailed)


def _tunnelled(one: ExpectedRoute) -> list[str]:
    """A prefix of one leaf, or of several: then an entry of its own is for forwarding alone."""
    below = [_nh("10.128.0.9", "et-0/0/29.0"), _nh("10.128.0.11", "et-0/0/30.0")]
    vteps = [element("protocol-nh", element("to", vtep)) for vtep in one.addresses]
    if len(vteps) == 1:
        return [_entry("*", "EVPN", [*below, *vteps])]
    parts = [_entry("@" if not at else "", "EVPN", [*below, vtep]) for at, vtep in enumerate(vteps)]
    return [*parts, _entry("#", "Multipath", [*(below * len(vteps)), *vteps])]


def _evpn(routes: Iterable[ExpectedEvpnRoute]) -> str:
    rows = []
    for one in routes:
        rd, esi = one.rd or "10.140.0.3:0", re.sub("^(00)+", "", one.key.replace(":", ""))
        texts = {
            1: f"1:{rd}::{esi}::FFFF:FFFF",
            3: f"3:{rd}::10007::{one.key}",
            4: f"4:{rd}::{esi}:10.140.0.3",
            5: f"5:{rd}::0::{one.key.replace('/', '::')}",
        }
        protocol = ("BGP", [element("protocol-nh", element("to", one.next_hop))]) if one.next_hop else ("EVPN", [])
        lengths = {1: "192 AD/ESI", 3: "248 IM", 4: "296 ES", 5: "248"}
        where = [element("rt-destination", texts[one.route_type])]
        where.append(element("rt-prefix-length", lengths[one.route_type], emit="emit"))
        rows.append(element("rt", *where, _entry("*", *protocol)))
    mac = "2:10.140.0.3:7::10007::2c:6b:f5:af:4e:f0::172.17.0.9"
    rows.append(element("rt", element("rt-destination", mac), _entry("*", "EVPN", [])))
    return _information("bgp.evpn.0", rows)


def _segments(expected: Expected) -> str:
    rows = []
    for one in (one for one in expected.vnis if one.kind == L2):
        irb = [
            element("irb-interface-name", f"irb.{one.vlan_id}"),
            element("irb-interface-vni-id", one.vni),
            element("irb-interface-status", "Up"),
            element("irb-interface-l3-context", one.vrf),
        ]
        domain = [
            element("vlan-id", one.vlan_id),
            element("domain-id", one.vni),
            element("irb-interface", f"irb.{one.vlan_id}"),
        ]
        neighbors = [
            element(
                "evpn-neighbor",
                element(
                    "evpn-neighbor-route-information",
                    element("evpn-neighbor-address", vtep),
                    element("evpn-num-inclusive-multicast-routes", 1),
                ),
            )
            for vtep in one.vteps
        ]
        silent = element(
            "evpn-neighbor-route-information",
            element("evpn-neighbor-address", "10.140.0.99"),
            element("evpn-num-inclusive-multicast-routes", 0),
        )
        rows.append(
            element(
                "evpn-instance",
                element("evpn-instance-name", f"MAC-VRF-{one.vlan_id}"),
                element("irb-interface-status-table", element("irb-interface", *irb)),
                element("bridge-domain-status-table", element("bridge-domain", *domain)),
                *neighbors,
                element("evpn-neighbor", silent),
                element("core-isolated-state", "N"),
            )
        )
    rows.append(element("evpn-instance", element("evpn-instance-name", "__default_evpn__")))
    return reply(element("evpn-instance-information", *rows))


def _contexts(expected: Expected) -> str:
    rows = [
        element(
            "evpn-l3-context",
            element("context-name", one.vrf),
            element("context-type", "cfg"),
            element("context-encapsulation", "VXLAN"),
            element("context-vni", one.vni),
        )
        for one in expected.vnis
        if one.kind == L3
    ]
    return reply(element("evpn-l3-context-information", *rows))


def running(text: str) -> str:
    """A configuration as Junos shows it: no remarks, quotation marks where something needs them, lists of one bare."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    shown = [_shown(line) for line in lines]
    return "\n".join(["", "## Last commit: 2026-11-22 05:30:00 UTC by push", "version 24.4R1.9-EVO;", *shown, ""])


_SECRET = re.compile(r'((?:encrypted-password|secret|authentication-key|\w+-password) )"[^"]*";')


def _shown(line: str) -> str:
    line = line.removesuffix(" ## SECRET-DATA")
    line = re.sub(r'"([\w.-]+)"', r"\1", line)
    line = re.sub(r"\[ (\S+) \]", r"\1", line)
    return _SECRET.sub(r'\1"$9$c4n4ry-7f3a9"; ## SECRET-DATA', line)
