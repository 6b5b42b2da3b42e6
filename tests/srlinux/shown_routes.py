"""Route tables of a switch with SR Linux as it shows them: see shown.py."""

import json
from ipaddress import ip_interface, ip_network
from itertools import count
from typing import Any

from fabricgen.state.state import SVI
from fabricgen.verify.expect.model import Expected, ExpectedRoute

Answers = dict[str, Any]
"""JSON."""
TABLES = "srl_nokia-ip-route-tables"
ENTRY = 0
UNNUMBERED = "fe80::fa:ff:fe00:a"
"""Address of each far end of an unnumbered link."""


class _Hops:
    """Groups and next hops of one route table, numbered as they come."""

    def __init__(self) -> None:
        self.groups: list[Answers] = []
        self.ends: list[Answers] = []
        self._numbers = count(16357608989)

    def end(self, kind: str, **more: Any) -> str:  # noqa: ANN401 - JSON
        number = str(next(self._numbers))
        self.ends.append({"index": number, "type": f"{TABLES}:{kind}", **more})
        return number

    def group(self, ends: list[str]) -> str:
        number = str(next(self._numbers))
        listed = [{"id": at, "next-hop": end, "resolved": "true"} for at, end in enumerate(ends)]
        self.groups.append({"index": number, "next-hop": listed})
        return number

    def link(self, address: str, port: str) -> str:
        """Next hop behind a port: link-local ones are on it, others are reached by the port's own route."""
        if address.startswith("fe80"):
            return self.end("direct", **{"ip-address": address, "subinterface": f"{port}.0"})
        own = self.group([self.end("direct", **{"ip-address": "192.0.2.9", "subinterface": f"{port}.0"})])
        under = {"next-hop-group": own, "route-type": "srl_nokia-common:local", "route-owner": "net_inst_mgr"}
        return self.end("indirect", **{"ip-address": address, "indirect": {"resolved": True, "resolving-route": under}})

    def tunnel(self, vtep: str) -> str:
        over = {"ip-prefix": f"{vtep}/32", "tunnel-type": "srl_nokia-common:vxlan", "tunnel-owner": "vxlan_mgr"}
        return self.end("indirect", indirect={"resolved": True, "resolving-tunnel": over})


def before_25_3(answer: Answers) -> Answers:
    """Route tables as releases before 25.3 show them: what resolves a next hop is in the next hop itself."""
    older: Answers = json.loads(json.dumps(answer))
    for instance in older["srl_nokia-network-instance:network-instance"]:
        for end in instance["route-table"].get(f"{TABLES}:next-hop", ()):
            end.update({key: value for key, value in end.pop("indirect", {}).items() if key != "resolved"})
    return older


def table(name: str, expected: Expected) -> Answers:
    """Route table of a network instance."""
    vrf, hops = "" if name == "default" else name, _Hops()
    found: Answers = {f"{TABLES}:ipv4-unicast": {"route": []}, f"{TABLES}:ipv6-unicast": {"route": []}}
    for one in (one for one in expected.routes if one.vrf == vrf):
        family = "ipv6" if ":" in one.prefix else "ipv4"
        kind, group = _leaving(one, hops, expected)
        found[f"{TABLES}:{family}-unicast"]["route"].append(_route(family, one.prefix, kind, group, name))
    for port in (port for port in expected.interfaces if port.vrf == vrf):
        for address in map(ip_interface, port.addresses):
            family = f"ipv{address.version}"
            own = _route(family, str(ip_network(address.ip)), "host", hops.group([hops.end("extract")]), name)
            found[f"{TABLES}:{family}-unicast"]["route"].append(own)
    return {**found, f"{TABLES}:next-hop-group": hops.groups, f"{TABLES}:next-hop": hops.ends}


def _leaving(one: ExpectedRoute, hops: _Hops, expected: Expected) -> tuple[str, str]:
    if one.discard:
        return "static", hops.group([hops.end("discard")])
    if one.vlan_id or (one.interfaces and one.addresses == ("",)):
        port = f"irb0.{one.vlan_id}" if one.vlan_id else f"{one.interfaces[0]}.0"
        return "local", hops.group([hops.end("direct", **{"ip-address": "192.0.2.9", "subinterface": port})])
    if one.interfaces:
        ends = [hops.link(_far(address), port) for address, port in zip(one.addresses, one.interfaces, strict=True)]
        return "bgp", hops.group(ends[: one.width])
    if one.addresses:
        return "bgp-evpn", hops.group([hops.tunnel(vtep) for vtep in one.addresses[: one.width]])
    port = next(f"irb0.{sub.vlan_id}" for sub in expected.interfaces if sub.kind == SVI)
    return "local", hops.group([hops.end("direct", **{"ip-address": "192.0.2.9", "subinterface": port})])


def _far(address: str) -> str:
    return UNNUMBERED if address == "fe80::" else address


def _route(family: str, prefix: str, kind: str, group: str, instance: str) -> Answers:
    return {
        f"{family}-prefix": prefix, "id": ENTRY, "route-type": f"srl_nokia-common:{kind}", "route-owner": "bgp_mgr",
        "origin-network-instance": instance, "active": True, "next-hop-group": group,
        "next-hop-group-network-instance": instance,
        "fib-programming": {
            "suppressed": False, "last-successful-operation-type": "add", "pending-operation-type": "none",
            "last-failed-operation-type": "none",
        },
    }  # fmt: skip
