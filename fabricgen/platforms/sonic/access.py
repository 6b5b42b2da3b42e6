"""Sources of the management services, as ACL tables of the control plane.

caclmgrd makes iptables of them: what it lets in always (answers, ICMP, neighbor discovery, DHCP, BGP from all ports but
the one of management), then the rules of these tables, then a drop of all else, of both families.

* A table has one family, that of its first rule with an address. A rule is kept by its priority, so each has its own.
  Priorities are compared as text: those of four digits stand in front of 1.
* Each service ends in a drop of its own, of both families. Behind the tables caclmgrd accepts ports above 1024 with a
  TTL below 2, which any source can arrange: gNMI would answer it.
* A source may come to the address of management alone: in band nothing answers.
* Packets of FRR's BFD are none of what it lets in: it asks orchagent's sessions, which are others. A table of any
  service takes them by the neighbor's address, or by the port of an unnumbered link; its name comes last, and so do its
  rules, since the database hands its rows on by name.

Sources: sonic-net/sonic-host-services c2a4cdf, scripts/caclmgrd, get_acl_rules_and_translate_to_iptables_commands, and
branches 202505 (694a2c6), 202511 (8bece5c), 202605 (327d795), the same in this; sonic-swss-common 00b2c89,
common/configdb.cpp, get_table (a std::map); sonic-acl.yang; sonic-utilities, acl_loader, for names and priorities.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.management import Management, ServiceAccess

HIGHEST, LOWEST = 9999, 1
"""Priorities of the first rule and of the drop."""
REST_PORT = "443"
"""Port of SONiC's REST server, which nobody turns on: closed to everybody."""
BFD = "NEIGHBORS-BFD"


class AclRule(NamedTuple):
    """A row of ACL_RULE: its name behind that of the table, and its fields."""

    name: str
    fields: tuple[tuple[str, str], ...]


class AclTable(NamedTuple):
    """A row of ACL_TABLE of type CTRLPLANE with one service, and its rules."""

    name: str
    service: str
    rules: tuple[AclRule, ...]


def acl_tables(device: Device) -> tuple[AclTable, ...]:
    """Tables by name; none where the intent lists no sources."""
    management = device.management
    if not management.access:
        return ()
    sources = {row.service: row.prefixes for row in served(management)}
    address = f"{management.address.partition('/')[0]}/32"
    services = {"SSH": ("SSH", ""), "SNMP": ("SNMP", ""), "API": ("EXTERNAL_CLIENT", REST_PORT)}
    if management.gnmi is not None:
        services["GNMI"] = ("EXTERNAL_CLIENT", str(management.gnmi.port))
    found: list[AclTable] = []
    for name, (service, port) in services.items():
        end = {"L4_DST_PORT": port} if port else {}
        accepted = [{"SRC_IP": prefix, "DST_IP": address, **end} for prefix in sources.get(name.lower(), ())]
        found.append(_table(f"MANAGEMENT-{name}", service, accepted, {"SRC_IP": "0.0.0.0/0", **end}))
        found.append(_table(f"MANAGEMENT-{name}-IPV6", service, (), {"SRC_IPV6": "::/0", **end}))
    for family in ("", "-IPV6"):
        watched = [row for row in _bfd_sources(device) if ("SRC_IPV6" in row) == bool(family)]
        if watched:
            found.append(_table(f"{BFD}{family}", "ANY", watched))
    return tuple(sorted(found))


def served(management: Management) -> tuple[ServiceAccess, ...]:
    """The rows of the services that a switch answers: SONiC has no NETCONF, and no file turns its REST server on."""
    runs = {"ssh": True, "gnmi": management.gnmi is not None, "snmp": management.snmp is not None}
    return tuple(row for row in management.access if runs.get(row.service))


def _bfd_sources(device: Device) -> Iterator[dict[str, str]]:
    """Where packets of BFD come from: the neighbor's address, or a link-local one on the port of a bare link."""
    bgp = device.routing.bgp
    watched = {group.name for group in bgp.groups if group.bfd}
    for neighbor in bgp.neighbors:
        if neighbor.group in watched:
            if neighbor.interface:
                yield {"SRC_IPV6": "fe80::/10", "IN_PORTS": neighbor.interface}
            elif ":" in neighbor.address:
                yield {"SRC_IPV6": f"{neighbor.address}/128"}
            else:
                yield {"SRC_IP": f"{neighbor.address}/32"}


def _table(
    name: str, service: str, accepted: Iterable[Mapping[str, str]], dropped: Mapping[str, str] | None = None
) -> AclTable:
    rows = [("ACCEPT", HIGHEST - place, row) for place, row in enumerate(accepted)]
    if dropped is not None:
        rows.append(("DROP", LOWEST, dropped))
    return AclTable(
        name,
        service,
        tuple(
            AclRule(
                f"RULE_{place}",
                tuple(chain((("PACKET_ACTION", action), ("PRIORITY", str(priority))), sorted(match.items()))),
            )
            for place, (action, priority, match) in enumerate(rows, 1)
        ),
    )
