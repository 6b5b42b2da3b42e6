"""What somebody wrote into the kernel's tables of MAC addresses and neighbors by hand, beside what was learned.

Forms: `bridge -j fdb show` and `ip -j neigh show` of iproute2 6.1.0 on Linux 6.18, 2026-11-23. zebra marks what EVPN
tells it with `extern_learn`, or in a tunnel with `sticky` where it must not move, and the next hop of links without
addresses with its protocol. On a bond it binds MAC addresses that a peer of the Ethernet segment has, without a mark
that iproute2 shows (netlink_macfdb_update_ctx and netlink_neigh_update of zebra/rt_netlink.c).

A neighbor without ARP (`noarp`) is the kernel's own for groups, for broadcast, and on devices that ask nobody, with the
MAC address of the device itself (arp_constructor of net/ipv4/arp.c, ndisc_constructor of net/ipv6/ndisc.c; seen so on
6.18, 2026-11-28).
"""

from collections.abc import Iterator
from ipaddress import ip_address

from fabricgen.platforms.linux.live.decode import CommandOutputs, Row, canonical, number, word, words
from fabricgen.platforms.linux.live.interfaces import NetDevices, kind_word, links, spaces
from fabricgen.platforms.linux.live.overlay import FLOOD, FLOODED
from fabricgen.state.state import StaticMac, StaticNeighbor

NEIGHBORS = "ip -j neigh show nud permanent nud noarp"
"""Both states: each is asked for nothing and never aged, and `ip neigh add … nud noarp` sets the second by hand."""

BY_HAND = frozenset(("static", "permanent"))
"""States of an entry that does not age: bound to a port, and the box's own (bridge(8))."""
TOLD, STICKY = "extern_learn", "sticky"
ZEBRA = "zebra"
NOARP = "NOARP"
NOBODY, EVERYBODY = "00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff"


def macs(answers: CommandOutputs) -> tuple[StaticMac, ...]:
    """Entries of bridges and tunnels that neither the kernel nor EVPN made; those of bonds are not told apart.

    The kernel keeps one of each interface's own address, and, beside bridges, one of each group that is listened to:
    only a tunnel's entries lead somewhere there.
    """
    held = links(answers)
    own = {word(link.row, "address", "") for link in held.found}
    bonds = {word(link.row, "ifname") for link in held.found if kind_word(link.row) == "bond"}
    return tuple(
        sorted(
            {one for row in _entries(answers, held) if (one := _mac(row)).mac not in own and one.interface not in bonds}
        )
    )


def _entries(answers: CommandOutputs, held: NetDevices) -> Iterator[Row]:
    for _, rows in spaces(answers, FLOOD, held.devices):
        for row in rows:
            in_tunnel, flags = "dst" in row, words(row, "flags")
            leads = "master" in row or (in_tunnel and word(row, "mac") != FLOODED)
            is_told = TOLD in flags or (in_tunnel and STICKY in flags)
            if leads and word(row, "state", "") in BY_HAND and not is_told:
                yield row


def _mac(row: Row) -> StaticMac:
    return StaticMac(word(row, "ifname"), number(row, "vlan", 0), word(row, "mac").lower())


def neighbors(answers: CommandOutputs) -> tuple[StaticNeighbor, ...]:
    """Entries of ARP and IPv6 neighbor discovery that never age, and that neither EVPN, zebra nor the kernel made."""
    held = links(answers)
    rows = {(link.space, word(link.row, "ifname")): link.row for link in held.found}
    return tuple(sorted(set(_neighbors(answers, held, rows))))


def _neighbors(
    answers: CommandOutputs, held: NetDevices, links_: dict[tuple[str, str], Row]
) -> Iterator[StaticNeighbor]:
    for space, rows in spaces(answers, NEIGHBORS, held.devices):
        for row in rows:
            name = word(row, "dev")
            link = links_.get((space, name), {})
            if TOLD in row or word(row, "protocol", "") == ZEBRA or "lladdr" not in row or _of_kernel(row, link):
                continue
            master = word(link, "master", "")
            vrf = answers.vrf(master if master in held.devices else space)
            yield StaticNeighbor(vrf, name, canonical(word(row, "dst")), word(row, "lladdr").lower())


def _of_kernel(row: Row, link: Row) -> bool:
    """Whether the kernel made an entry by itself, since nobody need be asked."""
    mac = word(row, "lladdr").lower()
    of_device = mac in (NOBODY, EVERYBODY, word(link, "address", "").lower())
    return NOARP in words(row, "state") and (of_device or ip_address(word(row, "dst")).is_multicast)
