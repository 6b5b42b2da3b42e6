"""Values that an operating system does not support, as problems, and the limits that several systems have."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.errors import FabricError, IntentPath, Problem


def cannot(what: str, why: str, fix: str, where: IntentPath) -> Problem:
    """Return the problem of a value that an operating system does not support."""
    return Problem(code="platform-cannot", what=what, where=where, why=why, fix=fix)


def refuse(problems: Iterable[Problem]) -> None:
    """Raise FabricError with all problems, if there is any."""
    found = tuple(problems)
    if found:
        raise FabricError(found)


class MostServers(NamedTuple):
    """Largest numbers of servers of one kind that a system takes, with their source; None: no limit is known."""

    system: str
    source: str
    dns: int | None = None
    ntp: int | None = None
    syslog: int | None = None
    tacacs: int | None = None
    traps: int | None = None
    collectors: int | None = None


def too_many_servers(device: Device, most: MostServers) -> Iterator[Problem]:
    """Yield a problem for each list of servers that is longer than a system takes."""
    management = device.management
    tacacs, snmp, sflow = management.tacacs, management.snmp, management.sflow
    rows = (
        ("name servers", ("dns",), management.dns, most.dns),
        ("NTP servers", ("ntp",), management.ntp, most.ntp),
        ("syslog servers", ("syslog",), management.syslog, most.syslog),
        ("TACACS+ servers", ("aaa", "tacacs"), tacacs.servers if tacacs else (), most.tacacs),
        ("receivers of traps", ("snmp", "traps"), snmp.traps if snmp else (), most.traps),
        ("sFlow collectors", ("sflow", "collectors"), sflow.collectors if sflow else (), most.collectors),
    )
    for title, path, servers, number in rows:
        if number is not None and len(servers) > number:
            yield cannot(
                f"{device.name} cannot have {len(servers)} {title}",
                f"{most.system} takes {number} ({most.source})",
                f"list {number} at most",
                ("management", *path),
            )


def sampling_rate(device: Device, rates: range, reason: str) -> Iterator[Problem]:
    """Yield a problem if sFlow samples one packet in a number outside these."""
    sflow = device.management.sflow
    if sflow is not None and sflow.sample not in rates:
        nearest = min(max(sflow.sample, rates[0]), rates[-1])
        what = f"{device.name} cannot sample one packet in {sflow.sample}"
        yield cannot(what, reason, f"write sample: {nearest}", ("management", "sflow", "sample"))


def bfd_with_ttl(device: Device, system: str) -> Iterator[Problem]:
    """Yield a problem for BFD on direct sessions that send a TTL of 255, on systems whose BGP is FRR's.

    Source: FRR 8.4.4 between namespaces, 2026-12-01: bgpd then asks for BFD over several hops, which on a numbered link
    comes up with another FRR alone, and on an unnumbered one not at all.
    """
    groups = device.routing.bgp.groups
    if any(group.bfd and group.ttl_security and not group.multihop for group in groups):
        yield cannot(
            f"{device.name} cannot have BFD beside TTL security",
            f"bgpd of {system} asks for BFD over several hops where packets leave with TTL 255, and the far end for "
            "BFD of the link",
            "write bgp: {ttl_security: none}, or {bfd: false}",
            ("fabrics", device.fabric, "bgp", "ttl_security"),
        )
