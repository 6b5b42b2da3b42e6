"""One backend fabric for all tools of bench/against.py: its intent, and what our plan makes of it in no tool's words.

Rail-optimized, 1:1, boxes of 128 ports of 400G, two rails a leaf: a scalable unit is 32 servers and 4 leaves. Up to
128 leaves it has two tiers; above, pods of 64 leaves and 64 spines, and superspines that join the pods.
"""

from pathlib import Path
from typing import NamedTuple

from fabricgen.plan.cabling import cables
from fabricgen.plan.links import SERVER_LEAF
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace

INTENT = Path(__file__).with_name("intent.yaml")
UNNUMBERED, NUMBERED = "unnumbered", "numbered"
FAMILIES = {UNNUMBERED: "[unnumbered]", NUMBERED: "[ipv4, ipv6]"}
"""Both carry IPv4 and IPv6: one session a link by RFC 8950, or one a family."""
SPINES, QUICK_SPINES = 64, 8
UNIT_LEAVES, UNIT_SERVERS = 4, 32
TWO_TIERS, MOST_LEAVES, POD_LEAVES = 128, 512, 64


class Switch(NamedTuple):
    """number: 1-based among those of its role; asn: its own; management: its address with length."""

    name: str
    role: str
    number: int
    asn: int
    management: str


class Link(NamedTuple):
    """A cable between two switches, the lower one first."""

    lower: str
    lower_port: str
    upper: str
    upper_port: str


class ServerPort(NamedTuple):
    """A routed port of a leaf towards one NIC; address: the leaf's, with length."""

    leaf: str
    port: str
    server: str
    nic: str
    address: str


class Fabric(NamedTuple):
    """What every tool is given."""

    switches: tuple[Switch, ...]
    links: tuple[Link, ...]
    ports: tuple[ServerPort, ...]


def intent_text(leaves: int, spines: int, links: str) -> str:
    """The intent of bench/intent.yaml with so many leaves. Raises ValueError for a number that no shape of ours has."""
    if leaves % UNIT_LEAVES or not UNIT_LEAVES <= leaves <= MOST_LEAVES:
        raise ValueError(f"{leaves} leaves: give a multiple of {UNIT_LEAVES}, at most {MOST_LEAVES}")
    topology = f"rails_per_leaf: 2, spines: {{now: {spines}, planned: {spines}}}"
    if leaves > TWO_TIERS:
        pods = -(-leaves // POD_LEAVES)
        above = 1 << max(0, (pods - 1).bit_length() - 1)
        topology += f", units_per_pod: {POD_LEAVES // UNIT_LEAVES}, superspines: {{now: {above}, planned: {above}}}"
    servers = leaves // UNIT_LEAVES * UNIT_SERVERS
    text = INTENT.read_text()
    for old, new in (
        ("slots: 0-1023, planned: 1024", f"slots: 0-{servers - 1}, planned: {servers}"),
        ("rails_per_leaf: 1, spines: {now: 64, planned: 64}", topology),
        ("links: [ipv4, ipv6]", f"links: {FAMILIES[links]}"),
        ("10.64.0.0/12", "10.64.0.0/11"),
    ):
        if text.count(old) != 1:
            raise ValueError(f"{INTENT} has no {old!r}")
        text = text.replace(old, new)
    if leaves > TWO_TIERS:
        text = text.replace(
            "    addressing:", "    superspine: {model: arista-7060x6-64pe, os: eos-4.34}\n    addressing:"
        )
    return text


def read_fabric(intent: Path) -> Fabric:
    """Switches, links and server ports of an intent's plan: what it is to cable, and who speaks as what."""
    plan = open_workspace(intent).plan
    switches: list[Switch] = []
    addresses: dict[tuple[str, str], str] = {}
    numbers: dict[str, int] = {}
    for device in devices(plan):
        number = numbers[device.role] = numbers.get(device.role, 0) + 1
        asn = device.routing.bgp.asn
        switches.append(Switch(device.name, device.role, number, asn, device.management.address))
        if device.role == "leaf":
            addresses |= {(device.name, row.name): row.ipv4 for row in device.interfaces.ethernet if row.ipv4}
    links: list[Link] = []
    ports: list[ServerPort] = []
    for cable in cables(plan):
        near, far = cable.near, cable.far
        if cable.kind == SERVER_LEAF:
            address = addresses[far.device, far.port]
            ports.append(ServerPort(far.device, far.port, near.device, near.port, address))
        else:
            links.append(Link(near.device, near.port, far.device, far.port))
    return Fabric(tuple(switches), tuple(links), tuple(ports))
