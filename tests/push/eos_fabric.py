"""A small fabric of EOS switches, each a double of eAPI with configuration sessions: two spines and four leaves.

They are no EOS. What each runs decides what all show: a port is up where both ends of its cable are enabled, a session
stands where both ends have it with the right AS and network, and a peer sees the graceful-shutdown community only on
routes of a session whose outbound map sets it. Ports carry traffic until then. Forms: as tests/doubles/eapi_sessions.py
and platforms/eos/live/{reader,bgp,interfaces,drain}.py cite them; what is not shown here is refused, as EOS
refuses what it does not know.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_interface
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch

from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from tests.doubles.certificate import authority, certificate
from tests.doubles.eapi_near import near
from tests.doubles.eapi_sessions import switch
from tests.doubles.eos_sessions import NEW, Cli, Switch
from tests.doubles.eos_tree import Tree, copied, grown

HASH = f"$6$c4n4ry$0a1b2c3d4e5f6071{'x' * 70}"
PASSWORD = "c4n4ry-77ab1-push"  # noqa: S105 - of doubles
LOGIN = f"admin:{PASSWORD}"
ENVIRONMENT = {"ADMIN_HASH": HASH, "EOS_PASSWORD": PASSWORD}
SPINES = ("be-spine-00", "be-spine-01")
LEAVES = ("be-leaf-000", "be-leaf-001", "be-leaf-002", "be-leaf-003")
NAMES = (*SPINES, *LEAVES)
WATCHDOG, DROPS = "show priority-flow-control counters watchdog", "show interfaces counters queue detail"
CERTIFICATES = "show management security ssl certificate"
LOUD, STILL = 10**9, 100
"""Octets that a port counts from one read to the next."""

INTENT = """\
fabricgen: 1
site: dc1
cables: {default: {server_leaf: 5, leaf_spine: 40}}
management:
  vrf: MGMT
  oob: 10.0.0.0/24
  gateway: 10.0.0.1
  users: {admin: {role: network-admin, password: "${env:ADMIN_HASH}"}}
  eapi: {certificate: fabric}
servers:
  train: {model: dgx-h100, slots: 0-1}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {train: compute}
    topology: {design: rail-optimized, rails_per_leaf: 2, servers_per_unit: 2, spines: {now: 2, planned: 2}}
    leaf: {model: arista-7060dx5-32, os: eos-4.33}
    spine: {model: arista-7060dx5-32, os: eos-4.33}
    addressing: {links: [ipv4], hosts: ipv4, ipv4: 10.64.0.0/12}
    asns: 4201000000-4201999999
    transport: roce-lossless
    roce: {marking: nvidia, ecn: formula}
    load_balancing: dlb-flowlet
"""
THRESHOLDS = "{minimum_octets: 160000, maximum_octets: 640000, probability_percent: 20}"
ECN = INTENT.replace("ecn: formula", f"ecn: {THRESHOLDS}")
"""Other ECN thresholds everywhere: hitless, by the table of prices."""

RAW = INTENT + 'raw:\n- {system: eos, fabric: backend, role: spine, lines: ["errdisable recovery cause stuck-queue"]}\n'
"""A line on the spines that no table knows: its risk is unknown, and unknown counts as loss."""


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
            device.name: next(iter(renderer.render(device))).text.replace("${env:ADMIN_HASH}", HASH)
            for device in devices(open_workspace(intent).plan)
        }


class Address(NamedTuple):
    """An address of a port, and its network: taken apart once, as each answer of a switch asks for all of its own."""

    text: str
    network: str
    length: int


@cache
def _address(text: str) -> Address:
    found = ip_interface(text)
    return Address(str(found.ip), str(found.network), found.network.prefixlen)


class Port:
    """One port of a switch, by what the switch runs."""

    def __init__(self, name: str, lines: Tree) -> None:
        self.name = name
        addresses = [line.split()[2] for line in lines if line.startswith("ip address ")]
        self.address = _address(addresses[0]) if addresses else None
        self.is_enabled = "no shutdown" in lines
        mtus = [int(line.split()[1]) for line in lines if line.startswith("mtu ")]
        self.mtu = mtus[0] if mtus else 1500


class End(NamedTuple):
    """A cable from one side. address: of the port at the other end."""

    port: str
    far: str
    far_port: str
    address: str
    is_up: bool


Links = dict[str, dict[str, End]]
"""Switch and address of its port → the cable there."""


@dataclass(repr=False)
class Fabric:
    """All switches.

    deaf   peers that show no community, whatever they hear
    loud   switches whose ports carry traffic although they are drained
    cut    switches that no session stands with
    octets what each port has counted
    counts of a switch and port, what it counts beside: changes (of its link), fcs, stuck (queues), drops (of class 3);
           None: a release that counts none of it
    files  certificates on every switch; None: a release that does not list them
    """

    switches: dict[str, Switch]
    deaf: set[str] = field(default_factory=set)
    loud: set[str] = field(default_factory=set)
    cut: set[str] = field(default_factory=set)
    octets: dict[tuple[str, str], int] = field(default_factory=dict)
    counts: Callable[[str, str], Mapping[str, int]] | None = None
    files: frozenset[str] | None = frozenset({"fabric.crt"})
    _known: tuple[dict[str, Tree], Links] | None = None

    def running(self, name: str) -> Tree:
        """What a switch runs now."""
        box = self.switches[name]
        with box.lock:
            box.tick()
            return copied(box.running)

    def asked(self, name: str) -> list[str]:
        """What was asked of a switch that changes something there, without the lines of sessions."""
        words = ("configure session", "copy ", "write ")
        return [one for one in self.switches[name].asked if one.startswith(words)]

    def name_of(self, box: Switch) -> str:
        """Name of a switch."""
        return next(name for name, one in self.switches.items() if one is box)

    def drained(self, name: str) -> bool:
        """Whether every session of a switch tells its peer that it is going away."""
        running = self.switches[name].running
        return bool(_neighbors(_bgp(running))) and _drained_hops(running) >= _neighbors(_bgp(running)).keys()

    def shown(self, box: Switch, command: str) -> object:
        """What a switch shows as JSON; None for what it does not know."""
        name = self.name_of(box)
        answers: Mapping[str, Callable[[str], object]] = {
            "show version": lambda name: {"version": NEW, "modelName": "DCS-7060DX5-32", "uptime": time.monotonic()},
            "show hostname": lambda name: {"hostname": _word(box.running, "hostname "), "fqdn": ""},
            "show vrf": lambda name: {"vrfs": {"default": {"interfaces": [one.name for one in _ports(box.running)]}}},
            "show interfaces": self._interfaces,
            "show lldp neighbors detail": self._lldp,
            "show bgp summary vrf all": self._summary,
            **({} if self.counts is None else {WATCHDOG: self._stuck, DROPS: self._drops}),
            **({} if self.files is None else {CERTIFICATES: self._certificates}),
            "show bfd peers": lambda name: {"vrfs": {}},
            "show ip bgp community 65535:0": self._community,
        }
        return answers[command](name) if command in answers else None

    def _certificates(self, name: str) -> object:
        del name
        return {"certificates": {file: {"notAfter": 7127810715} for file in sorted(self.files or ())}}

    def _links(self) -> Links:
        """Two addresses of one /31 are a cable."""
        running = {name: box.running for name, box in self.switches.items()}
        if self._known is None or any(self._known[0][name] is not tree for name, tree in running.items()):
            self._known = running, _links(running)
        return self._known[1]

    def _interfaces(self, name: str) -> object:
        ends, own = self._links().get(name, {}), _drained_hops(self.switches[name].running)
        theirs = {far: _drained_hops(self.switches[far].running) for far in {end.far for end in ends.values()}}
        rows = {}
        for port in _ports(self.switches[name].running):
            text = port.address.text if port.address is not None else "0.0.0.0"  # noqa: S104 - as EOS writes none
            up = ends[text].is_up if text in ends else port.is_enabled
            status = ("connected" if up else "notconnect") if port.is_enabled else "disabled"
            mask = port.address.length if port.address is not None else 0
            is_drained = text in ends and (ends[text].address in own or text in theirs[ends[text].far])
            more = STILL if is_drained and name not in self.loud else LOUD
            counted = self.octets[name, port.name] = self.octets.get((name, port.name), 0) + more
            rows[port.name] = {
                "hardware": "ethernet", "forwardingModel": "routed", "mtu": port.mtu, "interfaceStatus": status,
                "lineProtocolStatus": "up" if up else "down",
                "interfaceCounters": {"inOctets": counted, "outOctets": counted, **self._errors(name, port.name)},
                "interfaceAddress": [{"primaryIp": {"address": text, "maskLen": mask}}],
            }  # fmt: skip
        return {"interfaces": rows}

    def _errors(self, name: str, port: str) -> dict[str, object]:
        found = self.counts(name, port) if self.counts is not None else None
        if found is None:
            return {}
        return {"linkStatusChanges": found.get("changes", 0), "inputErrorsDetail": {"fcsErrors": found.get("fcs", 0)}}

    def _stuck(self, name: str) -> object:
        """Only ports and queues that had an event are shown."""
        counts = self.counts or (lambda name, port: {})
        found = {port.name: counts(name, port.name).get("stuck", 0) for port in _ports(self.switches[name].running)}
        queue = {port: {"3": {"stuckCount": number, "recoveryCount": 0}} for port, number in found.items() if number}
        return {"interfaces": {port: {"txQueues": row} for port, row in queue.items()}}

    def _drops(self, name: str) -> object:
        counts = self.counts or (lambda name, port: {})
        found = {port.name: counts(name, port.name).get("drops", 0) for port in _ports(self.switches[name].running)}
        rows = {
            port: {"ucastQueues": {"trafficClasses": {"TC3": {"dropPrecedences": {"DP0": {"droppedPackets": number}}}}}}
            for port, number in found.items()
            if port.startswith("Ethernet")
        }
        return {"egressQueueCounters": {"interfaces": rows}}

    def _lldp(self, name: str) -> object:
        rows = {
            end.port: {"systemName": end.far, "neighborInterfaceInfo": {"interfaceId_v2": end.far_port}}
            for end in self._links().get(name, {}).values()
            if end.is_up
        }
        return {"lldpNeighbors": {port: {"lldpNeighborInfo": [row]} for port, row in rows.items()}}

    def _stands(self, name: str) -> dict[str, str]:
        """Peers of a switch whose sessions stand → switch at the other end."""
        own, found = self.switches[name].running, {}
        wanted, asn = _neighbors(_bgp(own)), _word(own, "router bgp ")
        theirs = {far: box.running for far, box in self.switches.items() if not {name, far} & self.cut}
        peering = {far: (_neighbors(_bgp(tree)), _word(tree, "router bgp ")) for far, tree in theirs.items()}
        for address, end in self._links().get(name, {}).items():
            if end.far in peering and end.is_up:
                back, as_there = peering[end.far]
                if back.get(address) == asn and wanted.get(end.address) == as_there:
                    found[end.address] = end.far
        return found

    def _summary(self, name: str) -> object:
        own, stands = self.switches[name].running, self._stands(name)
        peers = {}
        for peer, asn in _neighbors(_bgp(own)).items():
            state = "Established" if peer in stands else "Active"
            family = {"afiSafiState": "negotiated" if peer in stands else "", "nlrisReceived": 5}
            peers[peer] = {"peerState": state, "peerAsn": asn, "ipv4Unicast": family}
        asn = _word(own, "router bgp ")
        return {"vrfs": {"default": {"asn": asn, "routerId": _word(_bgp(own), "router-id "), "peers": peers}}}

    def _community(self, name: str) -> object:
        stands = self._stands(name) if name not in self.deaf else {}
        shut = {far: _drained_hops(self.switches[far].running) for far in set(stands.values())}
        paths = [
            {"peerEntry": {"peerAddr": end.address}, "routeDetail": {"communityList": ["65535:0"]}}
            for address, end in self._links()[name].items()
            if end.address in stands and address in shut[end.far]
        ]
        return {"vrfs": {"default": {"bgpRouteEntries": {"10.76.0.8/32": {"bgpRoutePaths": paths}}}}}


def _word(lines: Tree, start: str) -> str:
    return next((line.removeprefix(start) for line in lines if line.startswith(start)), "")


def _bgp(running: Tree) -> Tree:
    return next((below for line, below in running.items() if line.startswith("router bgp ")), {})


def _neighbors(bgp: Tree) -> dict[str, str]:
    """Address of each neighbor → its AS."""
    return dict(filter(None, map(_neighbor, bgp)))


@cache
def _neighbor(line: str) -> tuple[str, str] | None:
    """Address and AS where a line names a neighbor. Each answer of a switch asks it of the lines of all."""
    found = re.fullmatch(r"neighbor ([\d.]+) remote-as (\d+)", line)
    return (found[1], found[2]) if found else None


def _drained_hops(running: Tree) -> set[str]:
    """Peers that are sent nothing without the community: by the neighbor's own map, else its group's."""
    bgp = _bgp(running)
    groups = {line.split()[1]: line.split()[-1] for line in bgp if re.fullmatch(r"neighbor \S+ peer group \S+", line)}
    maps = {line.split()[1]: line.split()[3] for line in bgp if re.fullmatch(r"neighbor \S+ route-map \S+ out", line)}
    tells = {name for name in maps.values() if _tells(running, name)}
    return {peer for peer in _neighbors(bgp) if maps.get(peer, maps.get(groups.get(peer, ""), "")) in tells}


def _tells(running: Tree, name: str) -> bool:
    """Whether a map sets the community on all that it lets out."""
    permits = [below for line, below in running.items() if line.startswith(f"route-map {name} permit ")]
    return bool(permits) and all(any("GSHUT" in line for line in below) for below in permits)


def _links(running: Mapping[str, Tree]) -> Links:
    ends: dict[str, list[tuple[str, Port]]] = {}
    for name, tree in running.items():
        for port in _ports(tree):
            if port.address is not None and port.address.length == 31:
                ends.setdefault(port.address.network, []).append((name, port))
    found: dict[str, dict[str, End]] = {}
    for pair in (pair for pair in ends.values() if len(pair) == 2):
        is_up = all(port.is_enabled for _, port in pair)
        for (name, port), (far, other) in (pair, pair[::-1]):
            assert port.address is not None
            assert other.address is not None
            end = End(port.name, far, other.name, other.address.text, is_up)
            found.setdefault(name, {})[port.address.text] = end
    return found


def _ports(running: Tree) -> list[Port]:
    return [
        Port(line.removeprefix("interface "), below)
        for line, below in running.items()
        if line.startswith(("interface Ethernet", "interface Loopback", "interface Management"))
    ]


@contextmanager
def fabric(folder: Path, texts: Mapping[str, str], *, is_tls: bool = True) -> Iterator[Fabric]:
    """Serve switches that run these texts, and write an inventory of them into a folder.

    is_tls  as a switch does; without, this process asks over no network: a driver connects again for each command
    """
    folder.mkdir()
    tls = certificate(folder / "switch.pem", authority(folder / "authority.pem")) if is_tls else None
    with ExitStack() as stack:
        found = Fabric(
            {name: stack.enter_context(switch(text, tls=tls, login=LOGIN, release=NEW)) for name, text in texts.items()}
        )
        plain = Cli._shown

        def shown(cli: Cli, command: str, style: str) -> object:
            is_own = any(one is cli._box for one in found.switches.values())
            answer = found.shown(cli._box, command) if is_own and style == "json" else None
            return plain(cli, command, style) if answer is None else answer

        stack.enter_context(patch.object(Cli, "_shown", shown))
        if not is_tls:
            stack.enter_context(near({box.port: box for box in found.switches.values()}, LOGIN))
        inventory(folder, {name: box.port for name, box in found.switches.items()}, is_tls=is_tls)
        yield found


def inventory(folder: Path, ports: Mapping[str, int], *, is_tls: bool = True) -> None:
    """Write an inventory of ports on loopback."""
    rows = [f"{name}: {{hostname: 127.0.0.1, port: {port}, platform: eos}}\n" for name, port in ports.items()]
    (folder / "hosts.yaml").write_text("".join(rows))
    how = "ca_file: authority.pem" if is_tls else "transport: http"
    options = f"{{napalm: {{extras: {{timeout: 20, optional_args: {{{how}}}}}}}}}"
    (folder / "defaults.yaml").write_text(
        f'username: admin\npassword: "${{env:EOS_PASSWORD}}"\nconnection_options: {options}\n'
    )


def trees(texts: Mapping[str, str]) -> dict[str, Tree]:
    """Texts as the doubles keep them."""
    return {name: grown(text) for name, text in texts.items()}
