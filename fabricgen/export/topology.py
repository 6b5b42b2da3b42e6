"""The topology file: nodes, kinds and links in containerlab's schema, and checks that this schema does not make.

Link ends must be ports of nodes of the file, each once, with names that Linux accepts (at most 15 octets, neither space
nor slash); node names, labels and addresses are checked too. Source: schemas/clab.schema.json 39ff2b7, which
accepts any text for an end.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_address
from itertools import chain
from typing import Any, NamedTuple

from fabricgen.base.packed import Packed
from fabricgen.base.text import natural
from fabricgen.errors import FabricError, Problem
from fabricgen.export.addresses import ManagementNetwork, NodeAddresses
from fabricgen.export.expansion import has_traps
from fabricgen.export.nodes import Node
from fabricgen.export.words import indented, yaml_text
from fabricgen.lab.model.lab import LabLink

NODE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._|-]*")
PORT_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
LONGEST_PORT = 15
"""Octets of an interface name (Linux IFNAMSIZ 16, with the terminating zero)."""
MANAGEMENT = "eth0"
"""The port that containerlab itself gives each node."""

Document = dict[str, Any]


def lab_name(site: str) -> str:
    """Name of the topology: without hyphens, which separate it from a node's name."""
    return site.replace("-", "_")


class ContainerPort(NamedTuple):
    """A port in its container: name, and octets of its largest IP packet; 0 for a server's port."""

    name: str
    mtu: int


Joints = Mapping[str, ContainerPort]
"""Port of the plan → port in the container."""


class Topology:
    """Collects nodes and links, and writes the topology file.

    Nodes keep their order; links follow the order of their near ends, those of a node in the natural order of its
    ports. To save memory, the text and links of a node are packed, and nodes with the same ports share one mapping.
    """

    def __init__(self, site: str, network: ManagementNetwork) -> None:
        self._name, self._network = lab_name(site), network
        self._kinds: Document = {}
        self._nodes, self._links = Packed[str](), Packed[LabLink]()
        self._joints: dict[str, Joints] = {}
        self._alike: dict[tuple[tuple[str, ContainerPort], ...], Joints] = {}
        self._faults = TopologyFaults()

    def add(self, node: Node, addresses: NodeAddresses, links: Iterable[LabLink], mtus: Mapping[str, int]) -> None:
        """Add a node, and the links that it is the near end of.

        mtus  octets of the largest IP packet of each port of a switch
        """
        if node.shared and node.kind not in self._kinds:
            startup = f"__clabNodeName__/{node.container.startup}"
            starts = {"startup-config": startup, "enforce-startup-config": True} if node.container.startup else {}
            self._kinds[node.kind] = {"image": node.image} | starts
        entry = _node(node, addresses)
        self._faults.node(node.name, entry)
        self._nodes.add(yaml_text({node.name: entry}))
        for link in sorted(links, key=lambda link: natural(link.near.interface)):
            self._links.add(link)
        joints = {port: ContainerPort(name, mtus.get(port, 0)) for port, name in node.container.ports.items()}
        self._joints[node.name] = self._alike.setdefault(tuple(joints.items()), joints)

    def text(self) -> Iterator[str]:
        """Pieces of the file, once. Raises FabricError at the end with everything that would be refused."""
        head = self._head()
        self._faults.texts(head)
        yield yaml_text(head)
        if not self._joints:
            yield yaml_text({"topology": {}})
            return
        yield "topology:\n"
        if self._kinds:
            self._faults.texts(self._kinds, "/topology/kinds")
            yield from indented([yaml_text({"kinds": self._kinds})])
        yield "  nodes:\n"
        yield from indented(self._nodes, 2)
        self._faults.addresses_done()
        yield from indented(self._cables())
        if self._faults.found:
            raise FabricError(self._faults.found)
        # Free the memory: the files that follow, and the commit of all files, need it.
        self._nodes, self._links, self._joints, self._faults = Packed(), Packed(), {}, TopologyFaults()

    def _head(self) -> Document:
        ipv4, ipv6, gateway = self._network
        prefixes = {
            "ipv4-subnet": str(ipv4),
            **({"ipv4-gw": str(gateway)} if gateway else {}),
            "ipv6-subnet": str(ipv6),
        }
        return {"name": self._name, "mgmt": {"network": f"{self._name}_mgmt", **prefixes}}

    def _cables(self) -> Iterator[str]:
        title = "links:\n"
        for link in self._links:
            ends = [(end.owner, self._joints[end.owner][end.interface]) for end in link]
            entry = {
                "type": "veth",
                "endpoints": [{"node": owner, "interface": joint.name} for owner, joint in ends],
                "mtu": max(joint.mtu for _, joint in ends),
            }
            self._faults.link(entry)
            yield title + yaml_text([entry])
            title = ""


def _node(node: Node, addresses: NodeAddresses) -> Document:
    container = node.container
    entry: Document = {"kind": node.kind} | ({} if node.shared else {"image": node.image})
    entry |= {"group": node.group, "mgmt-ipv4": str(addresses.ipv4), "mgmt-ipv6": str(addresses.ipv6)}
    if container.binds:
        entry["binds"] = [
            f"{node.name}/{bind.file}:{bind.path}{':ro' if bind.read_only else ''}" for bind in container.binds
        ]
    entry |= dict(container.keys)
    if container.execs:
        entry["exec"] = list(container.execs)
    return entry | {"labels": dict(node.labels)}


class TopologyFaults:
    """Problems of a topology. Nodes must be checked before links."""

    def __init__(self) -> None:
        self.found: list[Problem] = []
        self._owners: dict[int, str] = {}
        # Ports in use as the bits of an integer: a fabric has many ports, but few port names.
        self._used: dict[str, int] = {}
        self._bits: dict[str, int] = {}

    def texts(self, document: Document, place: str = "") -> None:
        """Check every text of a document, including keys. place: its path in the file."""
        for path, text in _texts(document, place):
            if has_traps(text):
                self._add(f"{path}: containerlab would expand {text!r}")

    def node(self, name: str, entry: Document) -> None:
        """Check a node."""
        self._used[name] = 0
        if not NODE_NAME.fullmatch(name):
            self._add(f"{name!r} cannot be the name of a node")
        for address in (entry["mgmt-ipv4"], entry["mgmt-ipv6"]):
            owner = self._owners.setdefault(int(ip_address(address)), name)
            if owner != name:
                self._add(f"{name} and {owner} both have the management address {address}")
        self.texts({name: entry}, "/topology/nodes")
        if not all(entry["labels"].values()):
            self._add(f"{name} has a label without a value")

    def addresses_done(self) -> None:
        """Drop the owners of addresses after all nodes have been checked."""
        self._owners.clear()

    def link(self, link: Document) -> None:
        """Check a link."""
        ends = [(end["node"], end["interface"]) for end in link["endpoints"]]
        if len(ends) != 2:
            self._add(f"a link has {len(ends)} ends: {ends}")
        for node, port in ends:
            self._end(node, port)
        self.texts(link, "/topology/links")

    def _end(self, node: str, port: str) -> None:
        if node not in self._used:
            self._add(f"a link ends at the unknown node {node}")
        bit = 1 << self._bits.setdefault(port, len(self._bits))
        if self._used.get(node, 0) & bit:
            self._add(f"two links end at {node} {port}")
        self._used[node] = self._used.get(node, 0) | bit
        if len(port.encode()) > LONGEST_PORT or not PORT_NAME.fullmatch(port):
            self._add(f"{node}: {port!r} cannot be the name of an interface on Linux")
        elif port == MANAGEMENT:
            self._add(f"{node}: {port} is reserved for containerlab")

    def _add(self, what: str) -> None:
        self.found.append(
            Problem(
                code="export-topology",
                what=what,
                why="containerlab or Linux rejects it",
                fix="use another name in the intent, or another image with --image",
            )
        )


def _texts(value: object, place: str) -> Iterator[tuple[str, str]]:
    """Every text of a document, including keys, with its path."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from chain(_texts(key, place), _texts(item, f"{place}/{key}"))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _texts(item, f"{place}/{number}")
