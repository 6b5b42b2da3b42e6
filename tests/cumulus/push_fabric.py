"""A small fabric of Cumulus switches: doubles of NVUE behind SSH, two spines and two leaves.

They are no switches. What each has applied decides what all show: a session stands where both ends have it with the
right AS, and a peer sees the graceful-shutdown community only on routes of a session whose outbound map sets it. Ports
carry traffic until then. Forms: as platforms/cumulus/live/reader.py cites them; what is not shown here is refused.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_interface
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from tests.cumulus.reading import Node, at
from tests.doubles.cumulus_nvue import Switch, paths, tree
from tests.doubles.ssh_server import Server, serving
from tests.live.frr_kernel import address, device

HASH = f"$6$c4n4ry$0a1b2c3d4e5f6071{'x' * 70}"
PASSWORD = "c4n4ry-77ab1-push"  # noqa: S105 - of doubles
ENVIRONMENT = {"ADMIN_HASH": HASH, "CUMULUS_PASSWORD": PASSWORD}
SPINES = ("be-spine-00", "be-spine-01")
LEAVES = ("be-leaf-000", "be-leaf-001")
NAMES = (*SPINES, *LEAVES)
LOUD, STILL = 10**9, 100
"""Octets that a port counts from one read to the next."""
COMMUNITY = "65535:0"

INTENT = """\
fabricgen: 1
site: dc1
cables: {default: {server_leaf: 5, leaf_spine: 20}}
management:
  vrf: mgmt
  oob: 10.0.0.0/24
  gateway: 10.0.0.1
  users: {admin: {role: network-admin, password: "${env:ADMIN_HASH}"}}
servers:
  train: {model: dgx-h100, slots: 0-3}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {train: compute}
    topology: {design: rail-optimized, rails_per_leaf: 4, spines: {now: 2, planned: 2}}
    leaf: {model: nvidia-sn5400, os: cumulus-5.11}
    spine: {model: nvidia-sn5400, os: cumulus-5.11}
    addressing: {links: [ipv4], hosts: ipv4, ipv4: 10.64.0.0/16}
    asns: 4201000000-4201999999
    transport: best-effort
    load_balancing: ecmp
"""
LINE = ["- set:", "    system: {message: {pre-login: in-change}}"]
RAW = INTENT + f"raw:\n- {{system: cumulus, fabric: backend, role: spine, lines: {LINE}}}\n"
"""A line on the spines: what it costs is known to nobody."""


def rendered(intent: Path) -> dict[str, str]:
    """Text of each switch, secrets in place."""
    return dict(_texts(intent.read_text()))


@cache
def _texts(text: str) -> Mapping[str, str]:
    """The same text is rendered once; the verb under test renders by itself."""
    with TemporaryDirectory(prefix="fabricgen-rendered-") as folder:
        intent = Path(folder) / "intent.yaml"
        intent.write_text(text)
        renderer = Renderer()
        return {
            one.name: next(iter(renderer.render(one))).text.replace("${env:ADMIN_HASH}", HASH)
            for one in devices(open_workspace(intent).plan)
        }


class End(NamedTuple):
    """A cable from one side: own port and address, the switch, port and address at the other end."""

    port: str
    own: str
    far: str
    far_port: str
    address: str


@dataclass(repr=False)
class Fabric:
    """All switches.

    cut    switches that no session stands with
    octets what each port has counted
    """

    switches: dict[str, Switch] = field(default_factory=dict)
    servers: dict[str, Server] = field(default_factory=dict)
    links: dict[str, tuple[End, ...]] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    octets: dict[tuple[str, str], int] = field(default_factory=dict)

    def applied(self, name: str) -> set[tuple[str, ...]]:
        """Leaves of what a switch runs now."""
        box = self.switches[name]
        box.waiting()
        return set(paths(box.applied))

    def asked(self, name: str) -> list[str]:
        """What was asked of a switch that changes something there."""
        return [one for one in self.switches[name].asked if one.startswith(("nv config apply", "nv config save"))]

    def shut(self, name: str) -> set[str]:
        """Peers to which a switch sends nothing without the community."""
        node = self._node(name)
        groups = at(node, "vrf", "default", "router", "bgp", "peer-group")
        found = set()
        for peer, row in _bgp(node).get("neighbor", {}).items():
            maps = [_outbound(row), _outbound(groups.get(row.get("peer-group", ""), {}))]
            if _tells(node, next((one for one in maps if one), "")):
                found.add(peer)
        return found

    def drained(self, name: str) -> bool:
        """Whether every session of a switch tells its peer that it is going away."""
        peers = set(_bgp(self._node(name)).get("neighbor", {}))
        return bool(peers) and self.shut(name) >= peers

    def shown(self, name: str) -> Callable[[str], object]:
        """What a switch shows, by command."""
        answers: Mapping[str, Callable[[str], object]] = {
            "nv show system -o json": lambda name: {"hostname": name, "product-release": "5.11.0"},
            "show daemons": lambda name: " zebra bgpd watchfrr staticd\n",
            "ip -j -d addr show": self._devices,
            "bridge -j vlan show": lambda name: [],
            "ip -j -s link show": self._counters,
            "lldpcli -f json0 show neighbors details": self._lldp,
            "show bgp vrf all neighbors json": self._neighbors,
            f"show bgp ipv4 unicast community {COMMUNITY} json": self._community,
            f"show bgp ipv6 unicast community {COMMUNITY} json": lambda name: {"routes": {}},
        }
        return lambda command: answers[command](name) if command in answers else None

    def _node(self, name: str) -> Node:
        return tree(self.switches[name].applied)

    def _devices(self, name: str) -> object:
        rows = [
            device("lo", link_type="loopback", operstate="UNKNOWN", mtu=65536),
            device("mgmt", "vrf", info={"table": 1001}),
        ]
        for port, row in self._node(name)["interface"].items():
            if "breakout" in row.get("link", {}) or not port.startswith("swp"):
                continue
            down = "down" in row.get("link", {}).get("state", {})
            more: dict[str, Any] = {"flags": ["BROADCAST"], "operstate": "DOWN"} if down else {}
            own = [address(one) for one in at(row, "ip", "address")]
            rows.append(device(port, mtu=int(row["link"].get("mtu", 9216)), addr_info=own, **more))
        return rows

    def _counters(self, name: str) -> object:
        rows = []
        for end in self.links[name]:
            quiet = end.address in self.shut(name) or end.own in self.shut(end.far)
            counted = self.octets[name, end.port] = self.octets.get((name, end.port), 0) + (STILL if quiet else LOUD)
            rows.append({"ifname": end.port, "stats64": {"rx": {"bytes": counted}, "tx": {"bytes": counted}}})
        return rows

    def _lldp(self, name: str) -> object:
        rows = [
            {
                "name": end.port,
                "via": "LLDP",
                "chassis": [{"name": [{"value": end.far}]}],
                "port": [{"id": [{"type": "ifname", "value": end.far_port}]}],
            }
            for end in self.links[name]
        ]
        return {"lldp": [{"interface": rows}]}

    def _stands(self, name: str, end: End) -> bool:
        if {name, end.far} & self.cut:
            return False
        ours, theirs = self._node(name), self._node(end.far)
        there, here = _bgp(theirs).get("neighbor", {}), _bgp(ours).get("neighbor", {})
        return bool(
            here.get(end.address, {}).get("remote-as") == _asn(theirs)
            and there.get(end.own, {}).get("remote-as") == _asn(ours)
        )

    def _neighbors(self, name: str) -> object:
        ends, node = {end.address: end for end in self.links[name]}, self._node(name)
        found: dict[str, Any] = {"vrfName": "default"}
        for peer, row in _bgp(node)["neighbor"].items():
            stands = peer in ends and self._stands(name, ends[peer])
            unicast = {"ipv4Unicast": {"advertisedAndReceived": True}} if stands else {}
            found[peer] = {
                "remoteAs": int(row["remote-as"]),
                "localAs": int(_asn(node)),
                "localRouterId": at(node, "router", "bgp")["router-id"],
                "bgpState": "Established" if stands else "Active",
                "neighborCapabilities": {"multiprotocolExtensions": unicast},
                "addressFamilyInfo": {"ipv4Unicast": {"acceptedPrefixCounter": 5}},
            }
        return {"default": found}

    def _community(self, name: str) -> object:
        heard = [end for end in self.links[name] if self._stands(name, end) and end.own in self.shut(end.far)]
        return {"routes": {"10.76.0.8/32": [{"peerId": end.address, "valid": True} for end in heard]}}


def _bgp(node: Node) -> Node:
    return at(node, "vrf", "default", "router", "bgp")


def _asn(node: Node) -> str:
    return str(at(node, "router", "bgp")["autonomous-system"])


def _outbound(row: Node) -> str:
    return str(at(row, "address-family", "ipv4-unicast", "policy", "outbound").get("route-map", ""))


def _tells(node: Node, name: str) -> bool:
    """Whether each rule of a map that lets routes go sets the community, itself or in the snippet."""
    rules = at(node, "router", "policy", "route-map", name, "rule")
    snippet = str(at(node, "system", "config", "snippet").get("frr.conf", ""))
    added = {
        one[1] for one in re.finditer(rf"route-map {name} permit (\d+)\n set community [^\n]*{COMMUNITY}", snippet)
    }
    native = {number for number, row in rules.items() if COMMUNITY in at(row, "set", "community")}
    permits = {number for number, row in rules.items() if "permit" in row.get("action", {})}
    return bool(permits) and permits <= added | native


def _links(texts: Mapping[str, str]) -> dict[str, tuple[End, ...]]:
    """Two addresses of one /31 are a cable."""
    owner = {}
    for name, text in texts.items():
        for port, row in tree(text)["interface"].items():
            for one in at(row, "ip", "address"):
                if port.startswith("swp") and ":" not in one:
                    owner[ip_interface(one)] = (name, port)
    found: dict[str, list[End]] = {name: [] for name in texts}
    for here, (name, port) in owner.items():
        for there, (far, far_port) in owner.items():
            if here.network == there.network and here != there:
                found[name].append(End(port, str(here.ip), far, far_port, str(there.ip)))
    return {name: tuple(ends) for name, ends in found.items()}


@contextmanager
def fabric(folder: Path, texts: Mapping[str, str]) -> Iterator[Fabric]:
    """Doubles that run these texts, and an inventory that leads to them."""
    folder.mkdir(parents=True)
    site = Fabric(links=_links(texts))
    with ExitStack() as stack:
        hosts = known = ""
        for name, text in texts.items():
            site.switches[name] = switch = Switch(text, minute=60.0)
            switch.shows = site.shown(name)
            server = site.servers[name] = stack.enter_context(serving(f"admin:{PASSWORD}", switch.run))
            known += server.known(folder / "known_hosts").read_text()
            hosts += f"{name}: {{hostname: 127.0.0.1, port: {server.port}, platform: cumulus}}\n"
        (folder / "known_hosts").write_text(known)
        (folder / "hosts.yaml").write_text(hosts)
        (folder / "defaults.yaml").write_text(
            'username: admin\npassword: "${env:CUMULUS_PASSWORD}"\n'
            f"connection_options: {{napalm: {{extras: {{timeout: 20, optional_args: "
            f"{{known_hosts: {folder / 'known_hosts'}}}}}}}}}\n"
        )
        yield site
