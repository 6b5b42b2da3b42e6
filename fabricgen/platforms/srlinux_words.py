"""From Device to SR Linux's own words: what the templates print that is no Device field word for word."""

from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.management import Management, User
from fabricgen.platforms.srlinux_bgp import (
    GroupWords,
    InstanceFamily,
    LinkSession,
    Member,
    NeighborWords,
    NextHop,
    RouteWords,
    VlanWords,
    VrfWords,
    groups,
    instance_families,
    ip_vrfs,
    link_sessions,
    mac_vrfs,
    members,
    neighbors,
    next_hops,
    routes,
    watched,
)
from fabricgen.platforms.srlinux_policy import (
    CommunityWords,
    PolicyStatement,
    PrefixWords,
    community_words,
    policies,
    prefix_words,
    statements,
)
from fabricgen.platforms.srlinux_ports import (
    Cage,
    GatewayWords,
    LagWords,
    LoopbackWords,
    Port,
    Sub,
    cages,
    gateways,
    lags,
    loopbacks,
    ports,
    quoted,
    subinterfaces,
)
from fabricgen.platforms.srlinux_qos import QosWords, qos_words, reserve

OWN_ADMIN, OWN_LINUX = "admin", "linuxadmin"
CONTAINERS = {OWN_ADMIN: "admin-user", OWN_LINUX: "linuxadmin-user"}
"""Users that every SR Linux has by itself → the container of its model that has each (srl_nokia-aaa)."""
NONE = "none"


class UserWords(NamedTuple):
    """A local user: its container where it is the box's own; superuser as JSON text, empty where it has no role."""

    row: User
    container: str
    superuser: str


class RoleWords(NamedTuple):
    """A role: its privilege with TACACS+, what it may do to the configuration; `services`, `superuser` as JSON text."""

    name: str
    privilege: int
    action: str
    services: str
    superuser: str


ROLES = {
    "network-admin": RoleWords("network-admin", 15, "write", '["cli", "gnmi", "json-rpc"]', "true"),
    "network-operator": RoleWords("network-operator", 1, "read", '["cli", "gnmi"]', "false"),
}


class Collector(NamedTuple):
    """An sFlow collector with its number."""

    number: int
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """What SR Linux is told of one switch, in its order.

    roles        of local users, each once; with TACACS+ all, for its users have theirs by privilege
    location...  JSON text; empty where nothing is said
    bare         IPv4 comes over links without IPv4 addresses
    overlay      it has EVPN instances
    segments     it has Ethernet segments
    """

    name: str
    domain: str
    users: tuple[UserWords, ...]
    roles: tuple[RoleWords, ...]
    address: str
    location: str
    contact: str
    collectors: tuple[Collector, ...]
    cages: tuple[Cage, ...]
    ports: tuple[Port, ...]
    subs: tuple[Sub, ...]
    lags: tuple[LagWords, ...]
    loopbacks: tuple[LoopbackWords, ...]
    gateways: tuple[GatewayWords, ...]
    members: tuple[Member, ...]
    prefixes: tuple[PrefixWords, ...]
    communities: tuple[CommunityWords, ...]
    policies: tuple[str, ...]
    statements: tuple[PolicyStatement, ...]
    families: tuple[InstanceFamily, ...]
    groups: tuple[GroupWords, ...]
    neighbors: tuple[NeighborWords, ...]
    link_sessions: tuple[LinkSession, ...]
    watched: tuple[str, ...]
    next_hops: tuple[NextHop, ...]
    routes: tuple[RouteWords, ...]
    mac_vrfs: tuple[VlanWords, ...]
    ip_vrfs: tuple[VrfWords, ...]
    bare: bool
    segments: bool
    qos: QosWords | None


def spell(device: Device) -> Spelling:
    """SR Linux's words for one switch."""
    management = device.management
    sflow, snmp = management.sflow, management.snmp
    return Spelling(
        name=quoted(device.name),
        domain=quoted(management.domain),
        users=tuple(map(_user, management.users)),
        roles=_roles(management),
        address=management.address.partition("/")[0],
        location=quoted(snmp.location) if snmp and snmp.location else "",
        contact=quoted(snmp.contact) if snmp and snmp.contact else "",
        collectors=tuple(Collector(at, address) for at, address in enumerate(sflow.collectors if sflow else (), 1)),
        cages=cages(device),
        ports=tuple(ports(device)),
        subs=tuple(subinterfaces(device)),
        lags=tuple(lags(device)),
        loopbacks=tuple(loopbacks(device)),
        gateways=tuple(gateways(device)),
        members=tuple(members(device)),
        prefixes=tuple(prefix_words(device)),
        communities=tuple(community_words(device)),
        policies=policies(device),
        statements=tuple(statements(device)),
        families=tuple(instance_families(device)),
        groups=tuple(groups(device)),
        neighbors=tuple(neighbors(device)),
        link_sessions=tuple(link_sessions(device)),
        watched=watched(device),
        next_hops=next_hops(device),
        routes=tuple(routes(device)),
        mac_vrfs=tuple(mac_vrfs(device)),
        ip_vrfs=tuple(ip_vrfs(device)),
        bare=any(row.profile.unnumbered for row in device.interfaces.ethernet),
        segments=any(lag.esi for lag in device.interfaces.lags),
        qos=qos_words(device),
    )


def _user(user: User) -> UserWords:
    superuser = "" if user.name == OWN_LINUX else ROLES[user.role].superuser
    return UserWords(user, CONTAINERS.get(user.name, ""), superuser)


def _roles(management: Management) -> tuple[RoleWords, ...]:
    used = set(ROLES) if management.tacacs else {user.role for user in management.users}
    return tuple(ROLES[role] for role in sorted(used))


def derived(device: Device) -> dict[str, str]:
    """What SR Linux is told that depends on more than one part of a Device; it stands on every switch.

    The reserve is a share of the chip, and what is left of it is cut into as many parts as there are lossless ports.
    """
    words = qos_words(device)
    percent, _ = reserve(device)
    return {
        "PFC buffer reservation": f"{percent}%" if words else NONE,
        "PFC queue limit": str(words.limit) if words else NONE,
    }
