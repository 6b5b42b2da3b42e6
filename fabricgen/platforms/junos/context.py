"""From a Device to the template context of Junos: values that templates cannot print straight from a Device field."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.base.addresses import Prefix
from fabricgen.base.ssh_key import SshKey
from fabricgen.device.device import Device
from fabricgen.device.evpn import DuplicateMac
from fabricgen.device.management import User
from fabricgen.device.routing import StaticRoute
from fabricgen.platforms.base.limits import refuse
from fabricgen.platforms.junos.access import AccessContext, access_words
from fabricgen.platforms.junos.bgp import PRECISE_BELOW, GroupContext, groups_of
from fabricgen.platforms.junos.interfaces import InterfaceContext, interface_words
from fabricgen.platforms.junos.limits import limits
from fabricgen.platforms.junos.login import login_lines, ssh_lines
from fabricgen.platforms.junos.overlay import MacVrf, VrfContext, mac_vrfs, vrfs
from fabricgen.platforms.junos.policy import PolicyContext, policy_words
from fabricgen.platforms.junos.qos import QosContext, qos_words

MANAGEMENT = "mgmt_junos"
"""The only name that Junos allows for the routing instance of its management port."""
CLASSES = {"network-admin": "super-user", "network-operator": "operator"}
"""Login class of a role; Junos predefines both."""
WIDTHS = (16, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512)
"""Numbers of equal paths that Junos accepts (junos-qfx 24.4R1, chassis maximum-ecmp); larger ones become the last."""


DYNAMIC = ("dlb-flowlet", "dlb-global", "dlb-per-packet")
"""Load-balancing modes in which the chip measures the load of its links."""


class KeyContext(NamedTuple):
    """A public key of a user: the statement for its type, and the key as in `authorized_keys`."""

    word: str
    line: str


class UserContext(NamedTuple):
    """A local user, the login class of its role, and its SSH keys."""

    row: User
    login_class: str
    keys: tuple[KeyContext, ...]


class Advertisement(NamedTuple):
    """A unit that sends router advertisements: of an unnumbered link, or for hosts that use DHCPv6 (`managed`)."""

    interface: str
    managed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateContext:
    """Values that Junos expresses in its own way.

    access       sources of the management services; None: any source is let in
    logs_in      `system login` has statements
    login_lines  those beside the users; ssh_lines: statements of the SSH server
    ecmp         equal paths that the tables may hold
    dynamic      paths are chosen by the load of their links
    rebalances   flowlets move to a better link before they pause
    shares_load  part of global load balancing: helper-only tells the load of links, load-balancer-only uses it
    monitored    the peak depth of each queue is recorded
    precise      BGP timers run in a thread of their own
    sampled      ports with sFlow
    edges        server ports with BPDU guard
    isolates     server ports follow the state of the overlay
    statics...   discarded prefixes of the default table, by family
    """

    management: str
    access: AccessContext | None
    ecmp: int
    precise: bool
    monitored: bool
    dynamic: bool
    rebalances: bool
    shares_load: str
    users: tuple[UserContext, ...]
    logs_in: bool
    login_lines: tuple[str, ...]
    ssh_lines: tuple[str, ...]
    interfaces: InterfaceContext
    policy: PolicyContext
    qos: QosContext | None
    groups: tuple[GroupContext, ...]
    mac_vrfs: tuple[MacVrf, ...]
    duplicates: DuplicateMac | None
    recovery_minutes: int
    vrfs: tuple[VrfContext, ...]
    management_routes: tuple[StaticRoute, ...]
    statics_ipv4: tuple[Prefix, ...]
    statics_ipv6: tuple[Prefix, ...]
    advertisements: tuple[Advertisement, ...]
    sampled: tuple[str, ...]
    source: str
    relays_ipv4: bool
    relays_ipv6: bool
    edges: tuple[str, ...]
    isolates: bool


def _user(user: User) -> UserContext:
    return UserContext(user, CLASSES[user.role], tuple(map(_key, user.ssh_keys)))


def _key(key: SshKey) -> KeyContext:
    """Junos has one list for all ECDSA keys (YANG, system login user authentication)."""
    return KeyContext("ssh-ecdsa" if key.type.startswith("ecdsa-") else key.type, key.line)


def template_context(device: Device) -> TemplateContext:
    """The template context of one switch. Raises FabricError for what cannot be configured."""
    refuse(limits(device))
    bgp, management = device.routing.bgp, device.management
    lags = device.interfaces.lags
    gateways = device.evpn.gateways if device.evpn else ()
    rows = device.interfaces.ethernet
    duplicates = device.evpn.duplicate_mac if device.evpn else None
    return TemplateContext(
        management=MANAGEMENT,
        access=access_words(management),
        ecmp=width(device),
        precise=bgp.hold_seconds < PRECISE_BELOW,
        monitored=device.telemetry.queue_monitor is not None,
        dynamic=device.load_balancing.mode in DYNAMIC,
        rebalances="rebalancing" in device.hardware.spellings,
        shares_load=_part(device) if device.load_balancing.mode == "dlb-global" else "",
        users=tuple(_user(user) for user in management.users),
        logs_in=bool(management.users or login_lines(management.login)),
        login_lines=login_lines(management.login),
        ssh_lines=ssh_lines(management.login),
        interfaces=interface_words(device),
        policy=policy_words(device),
        qos=qos_words(device, device.qos) if device.qos and device.qos.profiles else None,
        groups=tuple(groups_of(device)),
        mac_vrfs=tuple(mac_vrfs(device)),
        duplicates=duplicates,
        recovery_minutes=duplicates.recovery_seconds // 60 if duplicates else 0,
        vrfs=tuple(vrfs(device)),
        management_routes=tuple(route for route in device.routing.static_routes if route.vrf),
        statics_ipv4=_statics(device, "ipv4"),
        statics_ipv6=_statics(device, "ipv6"),
        advertisements=tuple(_advertisements(device)),
        sampled=tuple(_sampled(device)),
        source=management.address.partition("/")[0],
        relays_ipv4=any(gateway.relays_ipv4 for gateway in gateways),
        relays_ipv6=any(gateway.relays_ipv6 for gateway in gateways),
        edges=tuple(_edges(device)),
        isolates=any(row.profile.tracking == "downstream" for row in rows) or any(lag.tracking for lag in lags),
    )


def _part(device: Device) -> str:
    """Spines have the links that leaves cannot see (manual, global load balancing)."""
    return "helper-only" if device.role == "spine" else "load-balancer-only"


def derived(device: Device) -> dict[str, str]:
    """The width that Junos has for all tables together, from paths of the underlay and of the overlay."""
    return {"equal paths": str(width(device))}


def width(device: Device) -> int:
    """The smallest number of equal paths that Junos accepts and that covers the underlay and the VRFs."""
    bgp = device.routing.bgp
    required = max(bgp.maximum_paths, bgp.overlay_paths if bgp.vrfs else 0)
    return next((paths for paths in WIDTHS if paths >= required), WIDTHS[-1])


def _statics(device: Device, family: str) -> tuple[Prefix, ...]:
    return tuple(
        route.prefix
        for route in device.routing.static_routes
        if not route.vrf and not route.next_hop and route.family == family
    )


def _advertisements(device: Device) -> Iterator[Advertisement]:
    for row in device.interfaces.ethernet:
        if row.profile.unnumbered:
            yield Advertisement(f"{row.name}.0", managed=False)
    for gateway in device.evpn.gateways if device.evpn else ():
        if gateway.relays_ipv6:
            yield Advertisement(f"irb.{gateway.vlan_id}", managed=True)


def _sampled(device: Device) -> Iterator[str]:
    """Yield unit 0 of each sampled port, as in Juniper's designs, also with tagged units only or in an aggregate."""
    if device.management.sflow is not None:
        yield from (f"{row.name}.0" for row in device.interfaces.ethernet if row.profile.sflow)


def _edges(device: Device) -> Iterator[str]:
    for row in device.interfaces.ethernet:
        if row.switching and row.switching.bpdu_guard and not row.lag:
            yield row.name
    for lag in device.interfaces.lags:
        if lag.switching.bpdu_guard:
            yield f"ae{lag.number}"
