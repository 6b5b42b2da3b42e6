"""Entries in the kernel's tables of MAC addresses and neighbors that somebody added by hand.

Forms: `bridge -j fdb show` and `ip -j neigh show` of iproute2 6.1.0 on Linux 6.18, 2026-11-23. zebra marks entries from
EVPN with `extern_learn`, or in a tunnel with `sticky` if they must not move, and the next hop of links without
addresses with its protocol. On a bond it binds MAC addresses that a peer of the Ethernet segment has, without a mark
that iproute2 shows (netlink_macfdb_update_ctx and netlink_neigh_update of zebra/rt_netlink.c).

A neighbor without ARP (`noarp`) is the kernel's own for multicast, for broadcast, and on devices without address
resolution, with the MAC address of the device itself (arp_constructor of net/ipv4/arp.c, ndisc_constructor of
net/ipv6/ndisc.c; seen so on 6.18, 2026-11-28).
"""

from collections.abc import Iterator
from ipaddress import ip_address

from fabricgen.platforms.linux.live.decode import CommandOutputs, Row, canonical, number, word, words
from fabricgen.platforms.linux.live.interfaces import NetDevices, kind_word, links, spaces
from fabricgen.platforms.linux.live.overlay import FLOOD, FLOODED
from fabricgen.state.state import StaticMac, StaticNeighbor

NEIGHBORS = "ip -j neigh show nud permanent nud noarp"
"""Both states: such entries are never resolved and never age; `ip neigh add … nud noarp` sets the second by hand."""

BY_HAND = frozenset(("static", "permanent"))
"""States of an entry that does not age: bound to a port, and the switch's own (bridge(8))."""
EXTERNAL, STICKY = "extern_learn", "sticky"
ZEBRA = "zebra"
NOARP = "NOARP"
ZERO_MAC, BROADCAST_MAC = "00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff"


def macs(answers: CommandOutputs) -> tuple[StaticMac, ...]:
    """Entries of bridges and tunnels that neither the kernel nor EVPN created; none of bonds, as zebra adds some there.

    The kernel has an entry for each interface's own address and, outside bridges, for each multicast group that is
    joined: outside bridges only a tunnel's entries lead somewhere.
    """
    devices = links(answers)
    device_macs = {word(link.row, "address", "") for link in devices.found}
    bonds = {word(link.row, "ifname") for link in devices.found if kind_word(link.row) == "bond"}
    return tuple(
        sorted(
            {
                entry
                for row in _entries(answers, devices)
                if (entry := _mac(row)).mac not in device_macs and entry.interface not in bonds
            }
        )
    )


def _entries(answers: CommandOutputs, devices: NetDevices) -> Iterator[Row]:
    for _, rows in spaces(answers, FLOOD, devices.devices):
        for row in rows:
            in_tunnel, flags = "dst" in row, words(row, "flags")
            leads = "master" in row or (in_tunnel and word(row, "mac") != FLOODED)
            is_learned = EXTERNAL in flags or (in_tunnel and STICKY in flags)
            if leads and word(row, "state", "") in BY_HAND and not is_learned:
                yield row


def _mac(row: Row) -> StaticMac:
    return StaticMac(word(row, "ifname"), number(row, "vlan", 0), word(row, "mac").lower())


def neighbors(answers: CommandOutputs) -> tuple[StaticNeighbor, ...]:
    """Entries of ARP and IPv6 neighbor discovery that never age and that were added by hand."""
    devices = links(answers)
    rows = {(link.space, word(link.row, "ifname")): link.row for link in devices.found}
    return tuple(sorted(set(_neighbors(answers, devices, rows))))


def _neighbors(
    answers: CommandOutputs, devices: NetDevices, links_: dict[tuple[str, str], Row]
) -> Iterator[StaticNeighbor]:
    for space, rows in spaces(answers, NEIGHBORS, devices.devices):
        for row in rows:
            name = word(row, "dev")
            link = links_.get((space, name), {})
            if EXTERNAL in row or word(row, "protocol", "") == ZEBRA or "lladdr" not in row or _of_kernel(row, link):
                continue
            master = word(link, "master", "")
            vrf = answers.vrf(master if master in devices.devices else space)
            yield StaticNeighbor(vrf, name, canonical(word(row, "dst")), word(row, "lladdr").lower())


def _of_kernel(row: Row, link: Row) -> bool:
    """Whether the kernel created an entry itself, for an address that needs no resolution."""
    mac = word(row, "lladdr").lower()
    of_device = mac in (ZERO_MAC, BROADCAST_MAC, word(link, "address", "").lower())
    return NOARP in words(row, "state") and (of_device or ip_address(word(row, "dst")).is_multicast)
