"""Addresses and routes of a server: each NIC answers for itself, from its own table.

Towards the routed fabric each NIC has a rule for its address and a table with its own link and the fabric's prefix
through its leaf; packets without a source address use the first NIC that reaches their destination. Towards tenants'
networks the first gateway is the default, and each network has the same rule and table.
Source: Linux, ip-rule(8); arp_ignore and arp_announce as ip-sysctl advises for several interfaces.
"""

from collections.abc import Iterable, Iterator
from ipaddress import ip_interface
from typing import TYPE_CHECKING

from fabricgen.lab.host.place import Space
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.host.spaces import apply_settings
from fabricgen.lab.model.lab import FULL, Lab, LabNic, LabServer
from fabricgen.plan.fabric import place_of
from fabricgen.plan.plane_prefixes import reachable_prefixes

if TYPE_CHECKING:  # as in lab.py: this module may be imported without a plan
    from fabricgen.plan.plan import Plan

FIRST_TABLE = 100
SETTINGS = {
    "net.ipv4.conf.all.rp_filter": "0",
    "net.ipv4.conf.default.rp_filter": "0",
    "net.ipv4.conf.all.arp_ignore": "1",
    "net.ipv4.conf.all.arp_announce": "2",
    "net.ipv6.conf.all.accept_dad": "0",
    "net.ipv6.conf.default.accept_dad": "0",
    "net.ipv6.conf.all.accept_ra": "0",
    "net.ipv6.conf.default.accept_ra": "0",
}


def build_host(shell: LabShell, lab: Lab, server: LabServer, space: Space, kind: str) -> None:
    """Configure addresses and routes of a server. Its ports exist, and on a plain kernel its tagged VLANs."""
    apply_settings(shell, space.enter(), SETTINGS, doing=f"settings of {server.name}")
    tagged = [nic for nic in server.nics if nic.parent and kind == FULL]
    vlan_links = [f"link add link {nic.parent} name {nic.name} type vlan id {nic.vlan_id}" for nic in tagged]
    shell.batch(space, (*vlan_links, *lines(lab.plan, server)), doing=f"NICs of {server.name}")
    shell.must(space.enter("ip", "-6", "-batch", "-"), _text(rules6(server)), doing=f"NICs of {server.name}")


def clear_host(shell: LabShell, nics: tuple[LabNic, ...], space: Space, kind: str) -> None:
    """Remove a server's addresses, routes and rules, and VLANs that it made itself; its ports remain.

    nics  as `build_host` had them; those that no longer exist are ignored
    """
    shell.run(space.enter("ip", "-force", "-batch", "-"), _text(_cleared(nics)))
    shell.run(space.enter("ip", "-6", "-force", "-batch", "-"), _text(_cleared6(nics)))
    vlan_removals = (f"link del dev {nic.name}" for nic in nics if nic.parent and kind == FULL)
    shell.run(space.enter("ip", "-force", "-batch", "-"), _text(vlan_removals))


def _cleared(nics: tuple[LabNic, ...]) -> Iterator[str]:
    for table, nic in enumerate(nics, start=FIRST_TABLE):
        if nic.ipv4 and nic.gateway4:
            yield f"rule del from {nic.ipv4.partition('/')[0]} lookup {table}"
        yield f"address flush dev {nic.name} scope global"


def _cleared6(nics: tuple[LabNic, ...]) -> Iterator[str]:
    """Lines for `ip -6`. Unlike in IPv4, routes through a gateway remain after the last address is removed."""
    for table, nic in enumerate(nics, start=FIRST_TABLE):
        if nic.ipv6 and nic.gateway6:
            yield f"rule del from {nic.ipv6.partition('/')[0]} lookup {table}"
            yield f"route flush table {table}"
        yield f"route flush dev {nic.name} proto boot"


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def rules6(server: LabServer) -> Iterator[str]:
    """Lines for `ip -6`: only this option sets the family of a rule."""
    for table, nic in enumerate(server.nics, start=FIRST_TABLE):
        if nic.ipv6 and nic.gateway6:
            yield f"rule add from {nic.ipv6.partition('/')[0]} lookup {table}"


def lines(plan: "Plan", server: LabServer) -> Iterator[str]:
    """Lines for `ip`: all addresses come before all routes."""
    for nic in server.nics:
        yield f"link set dev {nic.name} mtu {nic.mtu}"
        yield f"link set dev {nic.name} up"
        yield from (f"address add {ip} dev {nic.name}" for ip in (nic.ipv4, nic.ipv6) if ip)
    main_routes: set[tuple[str, bool]] = set()
    for table, nic in enumerate(server.nics, start=FIRST_TABLE):
        for address, gateway in ((nic.ipv4, nic.gateway4), (nic.ipv6, nic.gateway6)):
            if address and gateway:
                yield from _routes(plan, nic, address, gateway, table, main_routes)


def _routes(
    plan: "Plan", nic: LabNic, address: str, gateway: str, table: int, main_routes: set[tuple[str, bool]]
) -> Iterator[str]:
    """A NIC's own table and rule; of each prefix and family the first NIC's route in the main table.

    main_routes  prefixes that the main table has, and whether they are IPv6
    """
    way = f"via {gateway} dev {nic.name}"
    for prefix in _reached(plan, nic, address):
        if (prefix, ":" in address) not in main_routes:
            main_routes.add((prefix, ":" in address))
            yield f"route add {prefix} {way}"
    yield f"route add {ip_interface(address).network} dev {nic.name} table {table}"
    yield f"route add {_prefix(plan, nic, address)} {way} table {table}"
    if ":" not in address:
        yield f"rule add from {address.partition('/')[0]} lookup {table}"


def _reached(plan: "Plan", nic: LabNic, address: str) -> tuple[str, ...]:
    """Prefixes that a NIC's gateway leads to: the fabric's, or those of its plane, or everything."""
    fabric = plan.fabrics[nic.fabric]
    leaf = None if nic.vlan_id else place_of(fabric, nic.switch)
    if leaf is None:
        return (_prefix(plan, nic, address),)
    return reachable_prefixes(fabric, leaf, "ipv6" if ":" in address else "ipv4")


def _prefix(plan: "Plan", nic: LabNic, address: str) -> str:
    """Prefix that packets from a NIC's address take its gateway to."""
    if nic.vlan_id:
        return "default"
    addressing = plan.fabrics[nic.fabric].fabric.addressing
    return str(addressing.ipv6 if ":" in address else addressing.ipv4)
