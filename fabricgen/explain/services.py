"""Addresses that the intent itself has: management services and external sessions."""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address

from fabricgen.errors import IntentPath
from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.known import KnownSite, intent_origin
from fabricgen.explain.tenant import outside_facts, outside_port, tenants_of
from fabricgen.plan.place import Place, Tier
from fabricgen.resolve.evpn import other_end

Ip = IPv4Address | IPv6Address


def service_answers(known: KnownSite, ip: Ip) -> Iterator[Answer]:
    """Management services, and both ends of external sessions."""
    for description, path, address in _services(known):
        if address == ip:
            intent_key = ".".join(map(str, path[:2]))
            yield Answer(
                "address",
                f"{ip}: {description}",
                (AnswerLine("written", intent_key, "", intent_origin(known, path, intent_key)),),
            )
    for fabric, tenant in tenants_of(known):
        for index, external in enumerate(tenant.external):
            ours = [str(end.address) for end in external.addresses]
            theirs = [other_end(end.address) for end in external.addresses]
            if str(ip) not in (*ours, *theirs):
                continue
            border = Place(fabric.name, Tier.BORDER, "", 0, 0, 0, 0, external.border)
            key = outside_port(fabric, border, external.port)
            description = f"{key.device} {key.port}.{external.vlan}, towards {external.peer}"
            if str(ip) in theirs:
                description = f"{external.peer}, at {key.device} {key.port}.{external.vlan}"
            facts = tuple(outside_facts(known, fabric, tenant, index, ""))
            yield Answer("address", f"{ip}: {description} in {tenant.name}", facts)


def _services(known: KnownSite) -> Iterator[tuple[str, IntentPath, Ip]]:
    management = known.plan.intent.management
    yield "gateway of the management network", ("management", "gateway"), management.gateway
    lists: tuple[tuple[str, IntentPath, tuple[Ip, ...]], ...] = (
        ("DNS server", ("management", "dns"), management.dns),
        ("NTP server", ("management", "ntp"), management.ntp),
        ("syslog server", ("management", "syslog"), management.syslog),
        ("TACACS+ server", ("management", "aaa", "tacacs"), management.aaa.tacacs if management.aaa else ()),
        ("SNMP trap receiver", ("management", "snmp", "traps"), management.snmp.traps if management.snmp else ()),
        (
            "sFlow collector",
            ("management", "sflow", "collectors"),
            management.sflow.collectors if management.sflow else (),
        ),
    )
    for description, path, addresses in lists:
        for index, address in enumerate(addresses):
            yield description, (*path, index), address
