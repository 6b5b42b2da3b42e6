"""A small fabric of Junos switches for a push: two leaves and three spines, each a double behind NETCONF.

What a switch answers is what the plan says it must show; what it runs decides two things: a peer shows routes with the
graceful-shutdown community where the policy of a session sets it, and ports carry traffic until both ends are drained.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.junos.live import reader as junos
from fabricgen.platforms.junos.live.drain import SIGNS
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from fabricgen.verify.expect.derive import expectations
from tests.doubles.junos_answers import answers
from tests.doubles.junos_elements import element, reply
from tests.doubles.junos_netconf import Switch, Tree, grown, network

HASH = f"$6$c4n4ry$0a1b2c3d4e5f6071{'x' * 70}"
PASSWORD = "c4n4ry-77ab1-push"  # noqa: S105 - of doubles
ENVIRONMENT = {"ADMIN_HASH": HASH, "JUNOS_PASSWORD": PASSWORD}
SPINES = ("fe-spine-00", "fe-spine-01", "fe-spine-02")
LEAVES = ("fe-leaf-000", "fe-leaf-001")
LOUD, STILL = 10**9, 100
"""Octets that a port counts from one read to the next."""

INTENT = """\
fabricgen: 1
site: dc1
management:
  vrf: OOB
  oob: 10.0.0.0/20
  gateway: 10.0.0.1
  users: {admin: {role: network-admin, password: "${env:ADMIN_HASH}"}}
servers: {web: {model: cpu-2x100, slots: 0-7}}
fabrics:
  frontend:
    kind: frontend
    prefix: fe
    connects: {web: frontend}
    topology: {design: leaf-spine, oversubscription: "3:1", border_leaves: 0}
    leaf: {model: juniper-qfx5130-32cd, os: junos-24.4}
    spine: {model: juniper-qfx5130-32cd, os: junos-24.4}
    addressing: {links: [ipv4], ipv4: 10.128.0.0/12}
    asns: 4202000000-4202999999
    mtu: 9202
    server_ports: {multihoming: active-backup, lacp_fallback: false, storm_control: null}
tenants:
  one: {servers: ["web[0-3]"], networks: {hosts: {vlan: 110, subnets: [172.18.0.0/20]}}}
"""
RAW = INTENT + 'raw:\n- {system: junos, role: spine, lines: ["system {", "    commit synchronize;", "}"]}\n'
"""Lines on the spines that no table knows: their risk is unknown, and unknown counts as loss."""


@cache
def planned(text: str) -> Mapping[str, tuple[Device, str]]:
    """Each switch of an intent and its file, secrets in place."""
    with TemporaryDirectory(prefix="fabricgen-rendered-") as folder:
        intent = Path(folder) / "intent.yaml"
        intent.write_text(text)
        renderer = Renderer()
        return {
            device.name: (device, next(iter(renderer.render(device))).text.replace("${env:ADMIN_HASH}", HASH))
            for device in devices(open_workspace(intent).plan)
        }


def trees(text: str) -> dict[str, Tree]:
    """What each switch of an intent runs."""
    return {name: grown(file) for name, (_, file) in planned(text).items()}


@dataclass(repr=False)
class Fabric:
    """All switches.

    deaf   peers that show no community, whatever they hear
    cut    switches that no session stands with
    octets what each port has counted
    """

    switches: dict[str, Switch] = field(default_factory=dict)
    deaf: set[str] = field(default_factory=set)
    cut: set[str] = field(default_factory=set)
    octets: dict[tuple[str, str], int] = field(default_factory=dict)
    _answers: dict[str, Mapping[str, Output]] = field(default_factory=dict)

    def add(self, device: Device, found: Mapping[str, Output], text: str) -> None:
        """One switch."""
        self._answers[device.name] = found
        one = Switch(device.name, grown(text), lambda command: self.shown(device, command), PASSWORD)
        self.switches[device.name] = one

    def shown(self, device: Device, command: str) -> str | None:
        """What a switch says."""
        if command == "counters":
            return self._counters(device)
        if command == SIGNS[0].command:
            return self._signs(device)
        found = self._answers[device.name].get(command, Output(None)).value
        if command == junos.BGP and (device.name in self.cut or self.cut):
            return _without_sessions(device, str(found), self.cut)
        return None if found is None else str(found)

    def drained(self, name: str) -> bool:
        """Whether a switch tells on every session of the underlay that it goes away."""
        return all(
            self._shut(name, row.address) for row in self._device(name).routing.bgp.neighbors if _below(row.group)
        )

    def _device(self, name: str) -> Device:
        return planned(INTENT)[name][0]

    def _shut(self, name: str, peer: str) -> bool:
        """Whether the policy that a session follows is a drained one: its own, or its group's."""
        groups = self.switches[name].active["protocols"]["bgp"]
        group = next(below for below in groups.values() if f"neighbor {peer}" in below)
        own = [line for line in group[f"neighbor {peer}"] if line.startswith("export ")]
        return any("DRAINED-OUT" in line for line in own or [line for line in group if line.startswith("export ")])

    def _far(self, device: Device) -> Iterator[tuple[str, str, str, str]]:
        """Port, far switch, its address there, and the own address."""
        for row in device.interfaces.ethernet:
            far = self.switches.get(row.peer)
            if far is not None and row.ipv4:
                theirs = next(one for one in self._device(row.peer).interfaces.ethernet if one.name == row.peer_port)
                yield row.name, row.peer, theirs.ipv4.partition("/")[0], row.ipv4.partition("/")[0]

    def _signs(self, device: Device) -> str:
        rows = []
        for port, far, address, own in self._far(device):
            if device.name not in self.deaf and self._shut(far, own):
                hop = element("nh", element("to", address), element("via", f"{port}.0"))
                entry = element("rt-entry", "<active-tag/>", element("protocol-name", "BGP"), hop)
                rows.append(element("rt", element("rt-destination", "10.140.0.1/32"), entry))
        return reply(element("route-information", element("route-table", element("table-name", "inet.0"), *rows)))

    def _counters(self, device: Device) -> str:
        rows = []
        for port, far, address, own in self._far(device):
            still = self._shut(far, own) or self._shut(device.name, address)
            counted = self.octets[device.name, port] = self.octets.get((device.name, port), 0) + (
                STILL if still else LOUD
            )
            stats = [element("input-bytes", counted), element("output-bytes", counted)]
            rows.append(element("physical-interface", element("name", port), element("traffic-statistics", *stats)))
        return reply(element("interface-information", *rows))


def _below(group: str) -> bool:
    return "EVPN" not in group


def _without_sessions(device: Device, text: str, cut: set[str]) -> str:
    """Sessions with, or of, a switch that is cut off are down."""
    gone = {
        row.address
        for row in device.routing.bgp.neighbors
        if device.name in cut or any(row.description.startswith(name) for name in cut)
    }
    for peer in gone:
        head, _, rest = text.partition(f"<peer-address>{peer}+179<")
        text = f"{head}<peer-address>{peer}+179<" + rest.replace("Established", "Active", 1)
    return text


@contextmanager
def fabric(folder: Path) -> Iterator[Fabric]:
    """Serve switches that run what the intent says, and write an inventory of them into a folder."""
    folder.mkdir()
    plan = planned(INTENT)
    found = Fabric()
    for one in expectations(tuple(device for device, _ in plan.values())):
        device, text = plan[one.device]
        found.add(device, answers(device, one, text), text)
    ports = {name: 1001 + at for at, name in enumerate(found.switches)}
    rows = [f"{name}: {{hostname: 127.0.0.1, port: {port}, platform: junos}}\n" for name, port in ports.items()]
    (folder / "hosts.yaml").write_text("".join(rows))
    (folder / "defaults.yaml").write_text('username: admin\npassword: "${env:JUNOS_PASSWORD}"\n')
    with network({ports[name]: one for name, one in found.switches.items()}):
        yield found
