"""The filter of what a switch itself takes, where the intent lists the sources of management: a table of nftables.

The table is in the file of ifupdown2, as a command in front of the first interface: one transaction, which replaces the
table that a former file has made. Nothing else of the host's firewall is touched. It filters packets to the switch, not
those that it forwards: VRFs keep tenants apart.

* What comes in over a VRF has the VRF's device as its input interface in the hook `input` (Linux, vrf.rst); the port
  itself is named too, so that the filter is right before the port is in its VRF.
* Rules keep no state: `ct` would have the kernel track every packet that the switch forwards.
* A TCP packet that opens no connection, an answer, passes: what no service waits for is answered by a reset.
* BGP and BFD come from planned neighbors alone, VXLAN over ports of the fabric alone, relayed DHCP where it is planned.

Sources: nft(8), kernel documentation networking/vrf.rst; measured on Linux 6.1 with VRF devices (tests/uml).
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from fabricgen.device.device import Device
from fabricgen.device.management import ServiceAccess
from fabricgen.platforms.linux.interfaces import management_vrf

TABLE = "inet fabricgen"
SSH_PORT = 22
BGP_PORT, BFD_PORTS, VXLAN_PORT = "179", "{ 3784, 4784 }", "4789"
FABRIC_ROLES = frozenset({"uplink", "downlink"})


def served(device: Device) -> tuple[ServiceAccess, ...]:
    """The rows of the services that a switch answers: SSH alone."""
    return tuple(row for row in device.management.access if row.service == "ssh")


def rules(device: Device) -> tuple[str, ...]:
    """Rules of the chain in their order; none where any source may come in."""
    rows = served(device)
    if not rows:
        return ()
    return tuple(chain(_always(), _management(device, rows[0]), _sessions(device), _overlay(device), ["counter drop"]))


def _always() -> Iterator[str]:
    yield 'iifname "lo" accept'
    yield "meta l4proto { icmp, ipv6-icmp } accept"
    yield "tcp flags & (syn | ack) != syn accept"


def _management(device: Device, ssh: ServiceAccess) -> Iterator[str]:
    """What comes over the management port: SSH from its sources, and answers of planned servers."""
    row = device.management
    port = f'iifname {{ "{management_vrf(device)}", "{row.port}" }}'
    yield f"{port} ip saddr {_set(ssh.prefixes)} ip daddr {row.address.partition('/')[0]} tcp dport {SSH_PORT} accept"
    for number, servers in ((53, row.dns), (123, row.ntp)):
        for family, found in _families(servers):
            yield f"{port} {family} saddr {_set(found)} udp sport {number} accept"
    yield f"{port} counter drop"


def _sessions(device: Device) -> Iterator[str]:
    """BGP, and BFD where a group has it, from each planned neighbor; over unnumbered links by the port."""
    bgp = device.routing.bgp
    inside = [row.address for row in bgp.neighbors if not row.interface]
    outside = [row.address for vrf in bgp.vrfs for row in vrf.neighbors]
    ports = [row.interface for row in bgp.neighbors if row.interface]
    watched = {group.name for group in bgp.groups if group.bfd}
    yield from _from(inside + outside, ports, f"tcp dport {BGP_PORT}")
    inside = [row.address for row in bgp.neighbors if row.group in watched and not row.interface]
    ports = [row.interface for row in bgp.neighbors if row.group in watched and row.interface]
    yield from _from(inside, ports, f"udp dport {BFD_PORTS}")


def _from(addresses: Iterable[str], ports: Iterable[str], match: str) -> Iterator[str]:
    for family, found in _families(addresses):
        yield f"{family} saddr {_set(found)} {match} accept"
    names = ", ".join(f'"{name}"' for name in ports)
    if names:
        yield f"iifname {{ {names} }} ip6 saddr fe80::/10 {match} accept"


def _overlay(device: Device) -> Iterator[str]:
    """VXLAN over ports of the fabric; DHCP of both families where a network relays it."""
    if device.evpn is None:
        return
    ports = [row.name for row in device.interfaces.ethernet if row.profile.role in FABRIC_ROLES]
    names = ", ".join(f'"{name}"' for name in ports)
    if names:
        yield f"iifname {{ {names} }} udp dport {VXLAN_PORT} accept"
    relaying = device.evpn.gateways
    if any(row.relays_ipv4 for row in relaying):
        yield "udp dport { 67, 68 } accept"
    if any(row.relays_ipv6 for row in relaying):
        yield "udp dport { 546, 547 } accept"


def _families(addresses: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Word of nft → its addresses, each once, in their order."""
    rows = list(dict.fromkeys(addresses))
    for family, found in (
        ("ip", [row for row in rows if ":" not in row]),
        ("ip6", [row for row in rows if ":" in row]),
    ):
        if found:
            yield family, found


def _set(values: Iterable[str]) -> str:
    return f"{{ {', '.join(values)} }}"
