"""From a Device to the template context of SR Linux: values that templates cannot print straight from a field."""

import json
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.management import User
from fabricgen.platforms.srlinux.bgp import (
    GroupContext,
    InstanceFamily,
    LinkSession,
    Member,
    NeighborContext,
    NextHop,
    RouteContext,
    VlanContext,
    VrfContext,
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
from fabricgen.platforms.srlinux.control_plane import filter_entries
from fabricgen.platforms.srlinux.login import login_parts
from fabricgen.platforms.srlinux.policy import (
    CommunityContext,
    PolicyStatement,
    PrefixContext,
    community_words,
    policies,
    prefix_words,
    statements,
)
from fabricgen.platforms.srlinux.ports import (
    CageContext,
    GatewayContext,
    LagContext,
    LoopbackContext,
    PortContext,
    SubinterfaceContext,
    cages,
    gateways,
    lags,
    loopbacks,
    ports,
    quoted,
    subinterfaces,
)
from fabricgen.platforms.srlinux.qos import QosContext, qos_words, reserve
from fabricgen.platforms.srlinux.releases import is_newer

OWN_ADMIN, OWN_LINUX = "admin", "linuxadmin"
CONTAINERS = {OWN_ADMIN: "admin-user", OWN_LINUX: "linuxadmin-user"}
"""Predefined users of every SR Linux → the YANG container that holds each (srl_nokia-aaa)."""
NONE = "none"


class UserContext(NamedTuple):
    """A local user: its container if it is predefined; superuser and SSH keys as JSON text, empty if it has none."""

    row: User
    container: str
    superuser: str
    keys: str


class RoleContext(NamedTuple):
    """A role: its TACACS+ privilege, its access to the configuration; `services`, `superuser` as JSON text."""

    name: str
    privilege: int
    action: str
    services: str
    superuser: str


ROLES = {
    "network-admin": RoleContext("network-admin", 15, "write", '["cli", "gnmi", "json-rpc"]', "true"),
    "network-operator": RoleContext("network-operator", 1, "read", '["cli", "gnmi"]', "false"),
}


class CollectorContext(NamedTuple):
    """An sFlow collector with its number."""

    number: int
    address: str


class FilterContext(NamedTuple):
    """An entry of the control-plane filter; match and action as JSON text."""

    family: str
    number: int
    what: str
    match: str
    action: str


class DuplicatesContext(NamedTuple):
    """Detection of duplicate MAC addresses; `recovery_minutes` 0: SR Linux's own."""

    moves: int
    window_minutes: int
    recovery_minutes: int


SNMP_AUTH = {"sha": "hmac-sha1-96", "sha256": "hmac-sha2-256"}
SNMP_PRIVACY = {"aes128": "cfb128-aes-128", "aes256": "cfb128-aes-256"}
"""Algorithm of SNMP → Nokia's word (srl_nokia-system-snmp)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateContext:
    """What the templates of SR Linux print for one switch, in its order.

    login        JSON text of parts of `system` that say how operators log in
    roles        of local users, without duplicates; with TACACS+ all of them, since its users get theirs by privilege
    location...  JSON text; empty if not configured
    bare         IPv4 uses links without IPv4 addresses
    segments     it has Ethernet segments
    newer        it has the words that came with 25.3
    """

    name: str
    domain: str
    login: tuple[str, ...]
    users: tuple[UserContext, ...]
    roles: tuple[RoleContext, ...]
    address: str
    snmp_auth: str
    snmp_privacy: str
    location: str
    contact: str
    collectors: tuple[CollectorContext, ...]
    filter: tuple[FilterContext, ...]
    cages: tuple[CageContext, ...]
    ports: tuple[PortContext, ...]
    subs: tuple[SubinterfaceContext, ...]
    lags: tuple[LagContext, ...]
    loopbacks: tuple[LoopbackContext, ...]
    gateways: tuple[GatewayContext, ...]
    members: tuple[Member, ...]
    prefixes: tuple[PrefixContext, ...]
    communities: tuple[CommunityContext, ...]
    policies: tuple[str, ...]
    statements: tuple[PolicyStatement, ...]
    families: tuple[InstanceFamily, ...]
    groups: tuple[GroupContext, ...]
    neighbors: tuple[NeighborContext, ...]
    link_sessions: tuple[LinkSession, ...]
    watched: tuple[str, ...]
    next_hops: tuple[NextHop, ...]
    routes: tuple[RouteContext, ...]
    mac_vrfs: tuple[VlanContext, ...]
    duplicates: DuplicatesContext | None
    ip_vrfs: tuple[VrfContext, ...]
    bare: bool
    segments: bool
    newer: bool
    qos: QosContext | None


def template_context(device: Device) -> TemplateContext:
    """Return the template context of one switch."""
    management = device.management
    sflow, snmp = management.sflow, management.snmp
    used = set(ROLES) if management.tacacs else {user.role for user in management.users}
    return TemplateContext(
        name=quoted(device.name),
        domain=quoted(management.domain),
        login=tuple(login_parts(management.login, management.vrf)),
        users=tuple(map(_user, management.users)),
        roles=tuple(ROLES[role] for role in sorted(used)),
        address=management.address.partition("/")[0],
        snmp_auth=SNMP_AUTH[snmp.auth_algorithm] if snmp else "",
        snmp_privacy=SNMP_PRIVACY[snmp.privacy_algorithm] if snmp else "",
        location=quoted(snmp.location) if snmp and snmp.location else "",
        contact=quoted(snmp.contact) if snmp and snmp.contact else "",
        collectors=tuple(
            CollectorContext(number, address) for number, address in enumerate(sflow.collectors if sflow else (), 1)
        ),
        filter=tuple(
            FilterContext(row.family, row.number, row.what, json.dumps(row.match), json.dumps(row.action))
            for row in filter_entries(device)
        ),
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
        duplicates=_duplicates(device),
        ip_vrfs=tuple(ip_vrfs(device)),
        bare=any(row.profile.unnumbered for row in device.interfaces.ethernet),
        segments=any(lag.esi for lag in device.interfaces.lags),
        newer=is_newer(device.version),
        qos=qos_words(device),
    )


def _duplicates(device: Device) -> DuplicatesContext | None:
    found = device.evpn.duplicate_mac if device.evpn else None
    if found is None:
        return None
    return DuplicatesContext(found.moves, found.window_seconds // 60, found.recovery_seconds // 60)


def _user(user: User) -> UserContext:
    superuser = "" if user.name == OWN_LINUX else ROLES[user.role].superuser
    keys = ", ".join(json.dumps(key.line) for key in user.ssh_keys)
    return UserContext(user, CONTAINERS.get(user.name, ""), superuser, keys)


def derived(device: Device) -> dict[str, str]:
    """Return values that depend on several parts of a Device; every switch has them.

    The reserve is a percentage of the chip's memory; the rest is divided by the number of lossless ports.
    """
    qos = qos_words(device)
    percent, _ = reserve(device)
    return {
        "PFC buffer reservation": f"{percent}%" if qos else NONE,
        "PFC queue limit": str(qos.limit) if qos else NONE,
    }
