"""Rules for DHCP relays: each is in an address family of its network, and each leaf has an address to relay from."""

from collections.abc import Callable, Iterator
from ipaddress import IPv4Address, IPv6Address

from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.external_rules import refused_range
from fabricgen.intent.model import Intent

EXAMPLES = {4: "172.30.0.0/24", 6: '"fd5e:8c1f:2a00:2f80::/64"'}
"""Example prefix by address family."""


def relays_have_sources(intent: Intent) -> Iterator[Problem]:
    """A relay is in an address family of its network, and its tenant has addresses of that family to relay from.

    Every leaf has the same gateway, so an answer to the gateway's address may reach another leaf than the one that
    asked; by RFC 2131 section 4.1 the server answers to the relay's own address.
    """
    for name, tenant in intent.tenants.items():
        source_versions = {prefix.version for prefix in tenant.relay_sources}
        for network, body in tenant.networks.items():
            versions = {subnet.version for subnet in body.subnets}
            for position, relay in enumerate(body.dhcp_relay):
                where: IntentPath = ("tenants", name, "networks", network, "dhcp_relay", position)
                if relay.version not in versions:
                    yield _no_subnet(f"{network} of {name}", relay, where)
                elif relay.version not in source_versions:
                    source_versions.add(relay.version)
                    yield Problem(
                        code="relay-source",
                        what=f"{name} relays DHCP to {relay} and has no IPv{relay.version} relay_sources",
                        where=where,
                        why="all leaves share the gateway's address, so a reply to it may reach another leaf "
                        "than the one that relayed",
                        fix=f"write relay_sources: [{EXAMPLES[relay.version]}] or another free prefix, "
                        "one address per leaf",
                    )


def _no_subnet(title: str, relay: IPv4Address | IPv6Address, where: IntentPath) -> Problem:
    return Problem(
        code="relay-family",
        what=f"{title} relays DHCP to {relay} and has no IPv{relay.version} subnet",
        where=where,
        why="a relay forwards from the gateway of the same family",
        fix=f"add an IPv{relay.version} subnet, or remove it",
    )


def relay_sources(intent: Intent) -> Iterator[Problem]:
    """A tenant has one prefix of relay addresses per family, of unicast addresses."""
    for name, tenant in intent.tenants.items():
        versions = [prefix.version for prefix in tenant.relay_sources]
        if len(set(versions)) < len(versions):
            yield Problem(
                code="family-twice",
                what=f"{name} has two IPv{versions[0]} prefixes in relay_sources",
                where=("tenants", name, "relay_sources", 1),
                why="a leaf has one relay source per family",
                fix="keep one prefix with an address for every planned leaf",
            )
        for position, prefix in enumerate(tenant.relay_sources):
            kind = refused_range(prefix)
            if kind:
                yield Problem(
                    code="bad-range",
                    what=f"the relays of {name}: {prefix} is {kind}",
                    where=("tenants", name, "relay_sources", position),
                    why="the DHCP server replies to the relay's unicast address",
                    fix=f"write a unicast prefix, e.g. {EXAMPLES[prefix.version]}",
                )


RELAY_RULES: tuple[Callable[[Intent], Iterator[Problem]], ...] = (relays_have_sources, relay_sources)
