"""The topology file: nodes, kinds and links as containerlab's schema has them, and what that schema does not look for.

Link ends must be ports of nodes of the file, each once, with names that Linux takes (at most 15 octets, neither space
nor slash); node names, labels and addresses are looked at too. Source: schemas/clab.schema.json 39ff2b7, which
takes any text for an end.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from fabricgen.errors import FabricError, Problem
from fabricgen.export.addresses import Network
from fabricgen.export.expansion import has_traps
from fabricgen.export.nodes import Node, mgmt_keys
from fabricgen.lab.model import Lab, Link
from fabricgen.wording import natural

NODE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._|-]*")
PORT_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
LONGEST_PORT = 15
"""Octets of an interface name (Linux IFNAMSIZ 16 with its end)."""
MANAGEMENT = "eth0"
"""The port that containerlab gives each node itself."""

Document = dict[str, Any]


def lab_name(site: str) -> str:
    """Name of the topology: without hyphens, which separate it from a node's name."""
    return site.replace("-", "_")


def topology(part: Lab, nodes: Sequence[Node], network: Network) -> Document:
    """The whole file. Raises FabricError with everything that containerlab, or Linux, would refuse."""
    name, mtus = lab_name(part.name), _mtus(part)
    ports = {node.name: node.container.ports for node in nodes}
    found: Document = {
        "name": name,
        "mgmt": {
            "network": f"{name}_mgmt",
            "ipv4-subnet": str(network.ipv4),
            **({"ipv4-gw": str(network.gateway)} if network.gateway else {}),
            "ipv6-subnet": str(network.ipv6),
        },
        "topology": {
            "kinds": _kinds(nodes),
            "nodes": {node.name: _node(node, network) for node in nodes},
            "links": [_veth(link, ports, mtus) for link in sorted_links(part.links)],
        },
    }
    found["topology"] = {key: value for key, value in found["topology"].items() if value}
    problems = tuple(faults(found, nodes))
    if problems:
        raise FabricError(problems)
    return found


def _kinds(nodes: Iterable[Node]) -> Document:
    """What all nodes of a kind share."""
    found: Document = {}
    for node in nodes:
        if node.shared and node.kind not in found:
            startup = f"__clabNodeName__/{node.container.startup}"
            starts = {"startup-config": startup, "enforce-startup-config": True} if node.container.startup else {}
            found[node.kind] = {"image": node.image} | starts
    return found


def _node(node: Node, network: Network) -> Document:
    container = node.container
    own: Document = {"kind": node.kind} | ({} if node.shared else {"image": node.image})
    own |= {"group": node.group} | mgmt_keys(network, node.name)
    if container.binds:
        own["binds"] = [
            f"{node.name}/{bind.file}:{bind.path}{':ro' if bind.read_only else ''}" for bind in container.binds
        ]
    own |= dict(container.keys)
    if container.execs:
        own["exec"] = list(container.execs)
    return own | {"labels": dict(node.labels)}


def _mtus(part: Lab) -> dict[tuple[str, str], int]:
    """Octets of the largest IP packet of each switch port."""
    return {(device.name, row.name): row.profile.mtu for device in part.devices for row in device.interfaces.ethernet}


def sorted_links(links: Iterable[Link]) -> list[Link]:
    """Links in natural order of both ends."""
    return sorted(links, key=lambda link: [natural(word) for word in (*link.near, *link.far)])


def _veth(link: Link, ports: Mapping[str, Mapping[str, str]], mtus: Mapping[tuple[str, str], int]) -> Document:
    ends = (link.near, link.far)
    names = [ports[end.owner][end.interface] for end in ends]
    mtu = max(mtus[found] for end in ends if (found := (end.owner, end.interface)) in mtus)
    return {
        "type": "veth",
        "endpoints": [{"node": end.owner, "interface": name} for end, name in zip(ends, names, strict=True)],
        "mtu": mtu,
    }


def faults(document: Document, nodes: Sequence[Node]) -> Iterator[Problem]:
    """What is wrong with a topology, whoever made it."""
    topology = document["topology"]
    yield from (_fault(f"{name!r} can not be the name of a node") for name in _bad_nodes(topology["nodes"]))
    yield from _link_faults(topology.get("links", ()), frozenset(topology["nodes"]))
    yield from _address_faults(topology["nodes"])
    for place, text in _texts(document):
        if has_traps(text):
            yield _fault(f"{place}: containerlab would expand {text!r}")
    yield from (_fault(f"{node.name} has a label without a value") for node in nodes if not all(node.labels.values()))


def _bad_nodes(names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if not NODE_NAME.fullmatch(name))


def _link_faults(links: Iterable[Document], nodes: frozenset[str]) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for link in links:
        ends = [(end["node"], end["interface"]) for end in link["endpoints"]]
        if len(ends) != 2:
            yield _fault(f"a link has {len(ends)} ends: {ends}")
        for node, port in ends:
            if node not in nodes:
                yield _fault(f"a link ends at {node}, which is no node")
            if (node, port) in seen:
                yield _fault(f"two links end at {node} {port}")
            seen.add((node, port))
            yield from _port_faults(node, port)


def _port_faults(node: str, port: str) -> Iterator[Problem]:
    if len(port.encode()) > LONGEST_PORT or not PORT_NAME.fullmatch(port):
        yield _fault(f"{node}: {port!r} can not be the name of an interface on Linux")
    elif port == MANAGEMENT:
        yield _fault(f"{node}: {port} is containerlab's own")


def _address_faults(nodes: Mapping[str, Document]) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for name, node in nodes.items():
        for address in (node["mgmt-ipv4"], node["mgmt-ipv6"]):
            if address in seen:
                yield _fault(f"{name} and {seen[address]} both have the management address {address}")
            seen[address] = name


def _texts(value: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a document, keys too, with its place."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from chain(_texts(key, place), _texts(item, f"{place}/{key}"))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _texts(item, f"{place}/{number}")


def _fault(what: str) -> Problem:
    return Problem(
        code="export-topology",
        what=what,
        why="containerlab or Linux refuses it",
        fix="give the thing another name in the intent, or the image another with --image",
    )
