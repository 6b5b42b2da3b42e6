"""A small fabric of SR Linux, each switch a double of its JSON-RPC server: two spines and four leaves.

They are no SR Linux. What a switch runs decides its answers (tests/srlinux/shown.py); a peer sees the graceful-shutdown
community only on routes of a session whose far end names a drained policy, and ports carry traffic until then.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fabricgen.platforms.srlinux.live import drain as srlinux_drain
from fabricgen.platforms.srlinux.live import reader as srlinux
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.expect.speakers import far_address
from tests.doubles.certificate import authority, certificate
from tests.doubles.srlinux_rpc import switch
from tests.doubles.srlinux_switch import Switch
from tests.doubles.srlinux_tree import Tree
from tests.srlinux.shown import NI, RIB, answers
from tests.srlinux.shown_routes import Answers

HASH = f"$y$j9T$c4n4ry0a1b2c3d4e5f${'x' * 43}"
PASSWORD = "c4n4ry-77ab1-push"  # noqa: S105 - of doubles
LOGIN = f"admin:{PASSWORD}"
ENVIRONMENT = {"ADMIN_HASH": HASH, "SRL_PASSWORD": PASSWORD}
SPINES = ("be-spine-00", "be-spine-01")
LEAVES = ("be-leaf-000", "be-leaf-001", "be-leaf-002", "be-leaf-003")
NAMES = (*SPINES, *LEAVES)
LOUD, STILL = 10**9, 100
"""Octets that a port counts from one read to the next."""
SYSTEM = "srl_nokia-system:system"
OWNED = {
    "srl_nokia-json-rpc:json-rpc-server": {"admin-state": "enable"},
    "srl_nokia-tls:tls": {"server-profile": [{"name": "own", "key": "$aes1$c4n4rykey"}]},
}
"""What the box has beside what is rendered."""

INTENT = """\
fabricgen: 1
site: dc1
cables: {default: {server_leaf: 5, leaf_spine: 40}}
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
    topology: {design: rail-optimized, rails_per_leaf: 2, spines: {now: 2, planned: 2}}
    leaf: {model: nokia-7220-ixr-d5, os: srlinux-25.3}
    spine: {model: nokia-7220-ixr-d5, os: srlinux-25.3}
    addressing: {links: [ipv4], hosts: ipv4, ipv4: 10.64.0.0/12}
    asns: 4201000000-4201999999
    transport: best-effort
"""
BANNER = '{"srl_nokia-system:system": {"srl_nokia-system-banner:banner": {"login-banner": "keep out"}}}'
RAW = INTENT + f"raw:\n- {{system: srlinux, fabric: backend, role: spine, lines: ['{BANNER}']}}\n"
"""A line on the spines that no table knows: its risk is unknown, and unknown counts as loss."""


@cache
def planned(text: str) -> Mapping[str, tuple[Tree, Expected]]:
    """What each switch runs by an intent, secrets in place, with what it must show."""
    with TemporaryDirectory(prefix="fabricgen-rendered-") as folder:
        intent = Path(folder) / "intent.yaml"
        intent.write_text(text)
        found = tuple(devices(open_workspace(intent).plan))
        renderer = Renderer()
        texts = {one.name: next(iter(renderer.render(one))).text for one in found}
    expected = {one.device: one for one in expectations(found)}
    filled = {name: text.replace("${env:ADMIN_HASH}", HASH) for name, text in texts.items()}
    return {name: (_owning(json.loads(filled[name])), expected[name]) for name in texts}


def _owning(tree: Tree) -> Tree:
    return {**tree, SYSTEM: {**tree[SYSTEM], **OWNED}}


@dataclass(repr=False)
class Fabric:
    """All switches.

    deaf   peers that show no community, whatever they hear
    known  switch → what it ran when it was last asked, and its answers then
    """

    switches: dict[str, Switch]
    expected: Mapping[str, Expected]
    deaf: set[str] = field(default_factory=set)
    octets: dict[tuple[str, str], int] = field(default_factory=dict)
    known: dict[str, tuple[Tree, Answers]] = field(default_factory=dict)

    def changes(self, name: str) -> list[str]:
        """What a switch was told that changes something there."""
        return [one for one in self.switches[name].asked if one.startswith(("set", "tools", "cli"))]

    def shut(self, name: str) -> set[str]:
        """Peers of a switch that are sent nothing without the community."""
        (speaker,) = (row for row in self.switches[name].running[NI] if row["name"] == "default")
        rows = speaker["protocols"]["srl_nokia-bgp:bgp"]["neighbor"]
        return {row["peer-address"] for row in rows if "DRAINED-OUT" in str(row.get("export-policy"))}

    def drained(self, name: str) -> bool:
        """Whether every session of a switch tells its peer that it is going away."""
        return self.shut(name) >= {one.peer for one in self.expected[name].sessions}

    def shown(self, path: str, name: str) -> object:
        """Answer of a switch in the datastore `state`; None for what it does not know."""
        box, expected = self.switches[name], self.expected[name]
        if path == srlinux_drain.ARRIVED["ipv4"]:
            return self._arrived(name)
        if path == srlinux_drain.ARRIVED["ipv6"]:
            return {}
        held = self.known.get(name)
        if held is None or held[0] is not box.running:
            held = self.known[name] = box.running, answers(box.running, expected)
        found = held[1]
        if path == srlinux.ATTRIBUTES:
            sets = [{"index": "7", "communities": {"community": ["65535:0"]}}]
            return {NI: [{"name": "default", RIB: {"attr-sets": {"attr-set": sets}}}]}
        if path == srlinux.INTERFACES:
            self._count(name, found[path]["srl_nokia-interfaces:interface"])
        return found.get(path)

    def _arrived(self, name: str) -> object:
        """Routes of peers that are shut towards this switch."""
        senders = self._heard(name) if name not in self.deaf else ()
        routes = [{"prefix": "10.76.0.8/32", "neighbor": peer, "path-id": 0, "attr-id": "7"} for peer in senders]
        family = {"afi-safi-name": "srl_nokia-common:ipv4-unicast"}
        table = {"ipv4-unicast": {"rib-in-out": {"rib-in-post": {"route": routes}}}}
        return {NI: [{"name": "default", RIB: {"afi-safi": [{**family, **table}]}}]}

    def _heard(self, name: str) -> Iterator[str]:
        for one in self.expected[name].sessions:
            if self._own(one.peer) in self.shut(one.far.system):
                yield one.peer

    @staticmethod
    def _own(peer: str) -> str:
        return far_address(f"{peer}/31")

    def _count(self, name: str, rows: list[Any]) -> None:
        own, heard = self.shut(name), set(self._heard(name))
        still = {
            port.name
            for port in self.expected[name].interfaces
            for address in port.addresses
            if far_address(address) in own | heard
        }
        for row in rows:
            more = STILL if row["name"] in still else LOUD
            counted = self.octets[name, row["name"]] = self.octets.get((name, row["name"]), 0) + more
            row["statistics"] = {"in-octets": str(counted), "out-octets": str(counted)}


@contextmanager
def fabric(folder: Path, found: Mapping[str, tuple[Tree, Expected]]) -> Iterator[Fabric]:
    """Serve these switches over TLS, and write an inventory of them into a folder."""
    folder.mkdir()
    tls = certificate(folder / "switch.pem", authority(folder / "authority.pem"))
    with ExitStack() as stack:
        boxes = {name: stack.enter_context(switch(tree, tls=tls, login=LOGIN)) for name, (tree, _) in found.items()}
        made = Fabric(boxes, {name: expected for name, (_, expected) in found.items()})
        for name, box in boxes.items():
            box.shown = partial(made.shown, name=name)
        rows = [
            f"{name}: {{hostname: 127.0.0.1, port: {box.port}, platform: srlinux}}\n" for name, box in boxes.items()
        ]
        (folder / "hosts.yaml").write_text("".join(rows))
        options = "{napalm: {extras: {timeout: 20, optional_args: {ca_file: authority.pem}}}}"
        (folder / "defaults.yaml").write_text(
            f'username: admin\npassword: "${{env:SRL_PASSWORD}}"\nconnection_options: {options}\n'
        )
        yield made
