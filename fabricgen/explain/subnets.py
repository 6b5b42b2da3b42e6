"""Addresses of tenants: gateways, hosts of a subnet, sources and servers of DHCP relay."""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address

from fabricgen.base.addresses import Network
from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.formula import TIER_WORDS
from fabricgen.explain.inverse import by_number, exists_today, fabric_of, seat_name
from fabricgen.explain.known import KnownSite, intent_origin
from fabricgen.explain.tenant import attached_networks, gateway_facts, network_facts, relay_facts, tenants_of
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import Tier
from fabricgen.plan.tenants import PlannedNetwork, PlannedTenant, relay_loopback

Ip = IPv4Address | IPv6Address


def subnet_answers(known: KnownSite, ip: Ip) -> Iterator[Answer]:
    """The use of an address by tenants; two may have the same subnet if neither imports the other."""
    for fabric, tenant in tenants_of(known):
        for network in tenant.networks:
            for subnet in network.subnets:
                if ip in subnet:
                    yield _in_subnet(known, fabric, tenant, network, subnet, ip)
        for prefix in tenant.relay_sources:
            if ip in prefix:
                yield _relay_source(known, fabric, tenant, prefix, ip)


def _in_subnet(
    known: KnownSite, fabric: FabricPlan, tenant: PlannedTenant, network: PlannedNetwork, subnet: Network, ip: Ip
) -> Answer:
    name = f"{tenant.name}/{network.name} on {fabric.name}"
    if ip == subnet.network_address + 1:
        facts = tuple(gateway_facts(known, fabric, tenant, network))
        return Answer("address", f"{ip}: gateway of {name}, VLAN {network.vlan_id}", facts)
    facts = tuple(network_facts(known, fabric, tenant, network))
    relayed = [
        f"{other.name}/{other_network.name}"
        for _, other in tenants_of(known)
        for other_network in other.networks
        if str(ip) in other_network.relays
    ]
    if relayed:
        facts = (AnswerLine("DHCP server", f"leaves relay to it from {', '.join(relayed)}"), *facts)
    return Answer("address", f"{ip}: a host of {name}: the plan assigns only the gateway of a subnet", facts)


def _relay_source(known: KnownSite, fabric: FabricPlan, tenant: PlannedTenant, prefix: Network, ip: Ip) -> Answer:
    number = int(ip) - int(prefix.network_address) - 1
    loopback = relay_loopback(tenant)
    pool = AnswerLine("prefix", str(prefix), "", intent_origin(known, ("tenants", tenant.name, "relay_sources")))
    seat = by_number(known.plan, fabric.name, Tier.LEAF, number) if number >= 0 else None
    if seat is None or fabric_of(known.plan, seat.segment) is None:
        return Answer("address", f"{ip}: free among the relay sources of {tenant.name}", (pool,))
    name = seat_name(known.plan, seat)
    facts = (pool, *relay_facts(known, fabric, tenant, seat))
    tenant_names = {tenant_here.name for tenant_here, _ in attached_networks(known, fabric, seat.place)}
    if exists_today(known.plan, seat) and tenant.name in tenant_names:
        return Answer("address", f"{ip}: {name} loopback {loopback}, the source of {tenant.name}'s DHCP relays", facts)
    return Answer(
        "address", f"{ip}: reserved for {TIER_WORDS[Tier.LEAF]} {name}, which has no server of {tenant.name}", facts
    )
