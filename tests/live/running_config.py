"""What recorded EOS configurations say, read by a small parser of their own that shares nothing with the driver.

It knows the lines that the recorded files have, and only of these: interfaces, static routes, prefix lists, the
route-map of connected routes, BGP, VXLAN.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, ip_interface, ip_network
from typing import NamedTuple

Block = dict[str, list[str]]
"""Line at the left edge → the lines below it, indentation kept."""


class Port(NamedTuple):
    """One interface. `addresses` with length; `routed` where it has its own MTU."""

    name: str
    shut: bool
    routed: bool
    mtu: int
    vrf: str
    addresses: tuple[str, ...]
    virtual: bool
    members: int


class Peer(NamedTuple):
    """One neighbor with what its group says."""

    vrf: str
    address: str
    remote_as: int
    families: tuple[str, ...]
    bfd: bool


class Tenant(NamedTuple):
    """A VRF in BGP, or a bundle of VLANs: RD and route target."""

    name: str
    rd: str
    target: str
    vlans: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """What one configuration says. `unnumbered`: ports with a session over link-local addresses, and the far AS."""

    name: str
    asn: int
    router_id: str
    ports: dict[str, Port]
    peers: tuple[Peer, ...]
    unnumbered: tuple[tuple[str, int], ...]
    networks: tuple[str, ...]
    connected: tuple[tuple[str, int, int], ...]
    paths: int
    vtep: str
    vlans: dict[int, int]
    vnis: dict[str, int]
    tenants: tuple[Tenant, ...]
    bundles: tuple[Tenant, ...]
    statics: tuple[tuple[str, str, str], ...]


def read(text: str) -> Switch:
    """Read one running-config."""
    blocks = _blocks(text)
    ports = {port.name: port for port in _ports(blocks)}
    head, bgp = next((head, body) for head, body in blocks.items() if head.startswith("router bgp "))
    vxlan = blocks.get("interface Vxlan1", [])
    source = _after(vxlan, "vxlan source-interface ")
    return Switch(
        name=next(head.split()[1] for head in blocks if head.startswith("hostname ")),
        asn=int(head.split()[2]),
        router_id=_after(bgp, "router-id ")[0],
        ports=ports,
        peers=tuple(_peers(bgp)),
        unnumbered=tuple(_unnumbered(bgp)),
        networks=tuple(line.split()[1] for line in map(str.strip, bgp) if re.match(r"network \d", line)),
        connected=tuple(_connected(blocks, bgp)),
        paths=int((_after(bgp, "maximum-paths ") or ["1"])[0].split()[0]),
        vtep=ports[source[0]].addresses[0].partition("/")[0] if source else "",
        vlans={int(v): int(n) for v, n in re.findall(r"vxlan vlan (\d+) vni (\d+)", "\n".join(vxlan))},
        vnis={v: int(n) for v, n in re.findall(r"vxlan vrf (\S+) vni (\d+)", "\n".join(vxlan))},
        tenants=tuple(_tenants(bgp, "vrf ")),
        bundles=tuple(_tenants(bgp, "vlan-aware-bundle ")),
        statics=tuple(re.findall(r"^ip route vrf (\S+) (\S+) (\S+)$", text, re.MULTILINE)),
    )


def _blocks(text: str) -> Block:
    found: Block = {}
    head = ""
    for line in text.splitlines():
        if line.startswith("   "):
            found[head].append(line)
        elif line.strip("! ") and not line.startswith("!"):
            head = line.rstrip()
            found.setdefault(head, [])
    return found


def _after(lines: Iterable[str], start: str) -> list[str]:
    return [line.strip().removeprefix(start) for line in lines if line.strip().startswith(start)]


def _ports(blocks: Block) -> Iterator[Port]:
    bundles = [number for body in blocks.values() for number in _after(body, "channel-group ")]
    for head, body in blocks.items():
        name = head.removeprefix("interface ")
        if head.startswith("interface ") and name != "Vxlan1":
            lines = [line.strip() for line in body]
            own, shared = _after(body, "ip address "), _after(body, "ip address virtual ")
            yield Port(
                name=name,
                shut="shutdown" in lines,
                routed="no switchport" in lines or not name.startswith(("Ethernet", "Port-Channel")),
                mtu=int((_after(body, "mtu ") or ["1500"])[0]),  # EOS's own, and the only one recorded
                vrf=(_after(body, "vrf ") or [""])[0],
                addresses=tuple(sorted([a.removeprefix("virtual ") for a in own] + _after(body, "ipv6 address "))),
                virtual=bool(shared),
                members=sum(number.split()[0] == name.removeprefix("Port-Channel") for number in bundles),
            )


def _connected(blocks: Block, bgp: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Prefixes whose connected routes BGP takes over, with the shortest and longest length."""
    if not any(line.strip().startswith("redistribute connected route-map") for line in bgp):
        return
    for head, body in blocks.items():
        for entry in _after(body, "seq ") if head.startswith("ip prefix-list ") else ():
            words = entry.split()
            length = int(words[2].partition("/")[2])
            how = words[3:5]
            yield words[2], int(how[1]) if how[0] == "eq" else length, int(how[1])


def _sections(bgp: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Parts of `router bgp`: the first is its own lines."""
    head, body = "", []
    for line in bgp:
        text = line.strip()
        if line.startswith("      "):
            body.append(text)
        elif text.startswith(("address-family ", "vrf ", "vlan-aware-bundle ")):
            yield head, body
            head, body = text, []
        elif text != "!" and not head:
            body.append(text)
    yield head, body


def _peers(bgp: list[str]) -> Iterator[Peer]:
    sections = list(_sections(bgp))
    own = sections[0][1]
    told = _told(own)
    active = _activated(sections)
    by_default = [] if "no bgp default ipv4-unicast" in own else ["ipv4"]
    for head, body in sections:
        vrf = head.removeprefix("vrf ") if head.startswith("vrf ") else ""
        for address, group in _named(body, told) if not head or vrf else ():
            facts = {**told.get(group, {}), **told.get(address, {})}
            yield Peer(
                vrf=vrf,
                address=address,
                remote_as=int(facts["remote-as"]),
                families=tuple(sorted(active.get(group, by_default))),
                bfd="bfd" in facts,
            )


def _told(own: Iterable[str]) -> dict[str, dict[str, str]]:
    """Neighbor or group → what is said of it."""
    told: dict[str, dict[str, str]] = {}
    for line in own:
        match = re.match(r"neighbor (\S+) (peer group|remote-as|bfd)(?: (\S+))?$", line)
        if match:
            told.setdefault(match[1], {})[match[2]] = match[3] or "yes"
    return told


def _activated(sections: Iterable[tuple[str, list[str]]]) -> dict[str, list[str]]:
    """Neighbor or group → its families."""
    active: dict[str, list[str]] = {}
    for head, body in sections:
        for line in body if head.startswith("address-family ") else ():
            match = re.match(r"neighbor (\S+) activate", line)
            if match:
                active.setdefault(match[1], []).append(head.split()[1])
    return active


def _named(body: Iterable[str], told: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Addresses of neighbors, each once, with the group that they are in, or with themselves."""
    for line in body:
        match = re.match(r"neighbor ([\d.]+) (?:peer group (\S+)|remote-as \d+)$", line)
        if match and (match[2] or "peer group" not in told.get(match[1], {})):
            yield match[1], match[2] or match[1]


def _unnumbered(bgp: list[str]) -> Iterator[tuple[str, int]]:
    text = "\n".join(line.strip() for line in bgp)
    asns = dict(re.findall(r"^neighbor (\S+) remote-as (\d+)$", text, re.MULTILINE))
    for port, group in re.findall(r"^neighbor interface (\S+) peer-group (\S+)$", text, re.MULTILINE):
        yield port, int(asns[group])


def _tenants(bgp: Iterable[str], start: str) -> Iterator[Tenant]:
    for head, body in _sections(bgp):
        if head.startswith(start):
            targets = _after(body, "route-target both ") + _after(body, "route-target import evpn ")
            vlans = tuple(_numbers((_after(body, "vlan ") or [""])[0]))
            yield Tenant(head.removeprefix(start), _after(body, "rd ")[0], targets[0], vlans)


def _numbers(text: str) -> Iterator[int]:
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def subnets(switch: Switch, vrf: str) -> dict[str, Port]:
    """Connected prefix → port, of the ports of a VRF that are not shut."""
    return {
        str(ip_interface(address).network): port
        for port in switch.ports.values()
        if port.vrf == vrf and not port.shut
        for address in port.addresses
        if ":" not in address
    }


def announced(switch: Switch) -> set[str]:
    """What a switch brings into BGP of the default VRF."""
    here = subnets(switch, "")
    taken = {prefix for prefix in here if any(_within(prefix, rule) for rule in switch.connected)}
    return taken | {prefix for prefix in switch.networks if prefix in here}


def _within(prefix: str, rule: tuple[str, int, int]) -> bool:
    net, outer = IPv4Network(prefix), ip_network(rule[0])
    return isinstance(outer, IPv4Network) and net.subnet_of(outer) and rule[1] <= net.prefixlen <= rule[2]
