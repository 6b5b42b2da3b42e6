"""Values of a Device that NVUE does not support: they are refused before a switch is rendered, never left out."""

from collections.abc import Iterator

from fabricgen.base.ssh_key import ECDSA, ED25519, RSA
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.management import User
from fabricgen.device.qos import Qos
from fabricgen.errors import Problem
from fabricgen.platforms.base.limits import bfd_with_ttl
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.cumulus.interfaces import ports
from fabricgen.platforms.cumulus.names import RESERVED_VLANS, SELF_SIGNED

RESTORE_MS = 400
"""The intent's default."""
LEAST_DEPTH = 96
"""Octets at which a histogram's threshold begins (NVUE reference, Telemetry); the intent's maximum is within range."""
MOST_TACACS, MORE_TACACS = (7, 8), "5.12"
"""TACACS+ servers that the client supports, before that release and from it on (511 TACACS 0da900a5; 512, 514, 515)."""
KEY_TYPES = (ED25519, ECDSA[0], RSA)
"""Types of public keys: NVUE reference, User Account."""
ROOT = "root"
"""SSH lets root log in by key only: `permit-root-login prohibit-password` is the default (NVUE reference, SSH Server;
511 SSH for Remote Access), and a user of the intent has a password."""
OWN_USERS = (
    *("_apt", "backup", "bin", "daemon", "games", "irc", "list", "lp", "mail", "man", "news", "nobody", "nvue"),
    *("proxy", "sync", "sys", "uucp", "www-data"),
)
"""System accounts without a login: those of Debian's base-passwd, and `nvue` ("no logon privileges", Cumulus Linux 5.2
User Accounts)."""
BY_HAND = "override"
"""Basis of a headroom that is from no table: an explicit one, or one from a port's own MTU."""


def limits(device: Device) -> Iterator[Problem]:
    """Problems of this switch."""
    for part in (
        _watchdog,
        _restore,
        _monitor,
        _histograms,
        _headroom,
        _vlans,
        _relays,
        _duplicates,
        _api,
        _logins,
        _users,
    ):
        yield from part(device)
    yield from bfd_with_ttl(device, "Cumulus Linux")


def _watchdog(device: Device) -> Iterator[Problem]:
    if device.qos is not None and device.qos.watchdog.action != "drop":
        yield Problem(
            code="platform-cannot",
            what=f"the PFC watchdog of {device.name} does not support action: notify",
            where=("fabrics", device.fabric, "roce", "watchdog", "action"),
            why="Cumulus Linux always discards packets to the stuck queue (Quality of Service)",
            fix="write action: drop",
        )


def _restore(device: Device) -> Iterator[Problem]:
    """A time without pause before a queue is enabled again: the switch enables it when one poll finds no pause."""
    watchdog = device.qos.watchdog if device.qos is not None else None
    if watchdog is not None and watchdog.restore_ms != RESTORE_MS:
        yield Problem(
            code="platform-cannot",
            what=f"the PFC watchdog of {device.name} does not support restore_ms: {watchdog.restore_ms}",
            where=("fabrics", device.fabric, "roce", "watchdog", "restore_ms"),
            why="Cumulus Linux restores a queue when one poll finds no pause; there is no command for a longer time "
            "(Quality of Service, PFC watchdog)",
            fix="leave restore_ms out",
        )


def _duplicates(device: Device) -> Iterator[Problem]:
    """Detection on a leaf without bonds, in a fabric where other leaves have Ethernet segments."""
    if device.evpn is not None and device.evpn.duplicate_mac is not None and device.evpn.multihomed:
        yield Problem(
            code="platform-cannot",
            what=f"{device.name} cannot detect duplicate MAC addresses in a fabric with Ethernet segments",
            where=("fabrics", device.fabric, "duplicate_mac"),
            why="detection is off on each switch of a fabric with EVPN multihoming (EVPN Multihoming)",
            fix="write duplicate_mac: null",
        )


def _monitor(device: Device) -> Iterator[Problem]:
    monitor = device.telemetry.queue_monitor
    if monitor is not None and monitor.low:
        yield Problem(
            code="platform-cannot",
            what=f"the queue monitor of {device.name} has no lower threshold",
            where=("fabrics", device.fabric, "telemetry", "queue_monitor", "low"),
            why="a histogram of Cumulus Linux has one threshold, above which the depth is logged (ASIC Monitoring)",
            fix="leave low out",
        )
    if monitor is not None and 0 < monitor.high < LEAST_DEPTH:
        yield Problem(
            code="platform-cannot",
            what=f"the queue monitor of {device.name} cannot have the threshold {monitor.high}",
            where=("fabrics", device.fabric, "telemetry", "queue_monitor", "high"),
            why=f"the minimum on Cumulus Linux is {LEAST_DEPTH} octets (NVUE reference, Telemetry)",
            fix="write a depth in octets",
        )


def _histograms(device: Device) -> Iterator[Problem]:
    """More watched queues than ports: the limit is one per port on average."""
    rows = tuple(ports(device))
    watched = sum(len(row.watched) for row in rows)
    if watched > len(rows):
        yield Problem(
            code="platform-cannot",
            what=f"{device.name} cannot monitor {watched} queues on {len(rows)} ports",
            where=("fabrics", device.fabric, "telemetry", "queue_monitor"),
            why="Cumulus Linux has one histogram for each port on average (511 ASIC Monitoring, cos_list)",
            fix="turn queue monitoring off, or use one lossless priority",
        )


def _headroom(device: Device) -> Iterator[Problem]:
    qos = device.qos
    if qos is None:
        return
    common = {row.profile.mtu for row in device.interfaces.ethernet if row.headroom_octets and not _by_hand(qos, row)}
    for row in device.interfaces.ethernet:
        if row.headroom_octets and _by_hand(qos, row) and row.profile.mtu in common:
            yield Problem(
                code="platform-cannot",
                what=f"the PFC headroom of {device.name} {row.name} cannot be given in octets",
                where=("overrides",),
                why="Cumulus Linux computes it from the length of the cable (Quality of Service)",
                fix="remove headroom_octets, and write the length of the cable",
            )


def _by_hand(qos: Qos, row: Ethernet) -> bool:
    """Whether no table gives a port its headroom."""
    port_headroom = (row.profile.speed_gbps, row.headroom_octets)
    return all(
        profile.basis == BY_HAND for profile in qos.headroom if (profile.speed_gbps, profile.octets) == port_headroom
    )


def _vlans(device: Device) -> Iterator[Problem]:
    """VLANs of tenants and of external neighbors that the chip reserves."""
    used = {(row.vlan_id, row.vrf) for row in device.interfaces.subinterfaces}
    used |= {(row.vlan_id, row.vrf) for row in (device.evpn.vlans if device.evpn else ())}
    for vlan, vrf in sorted(used):
        if vlan in RESERVED_VLANS:
            yield Problem(
                code="platform-cannot",
                what=f"VLAN {vlan} of {device.name} is reserved by the chip",
                where=("tenants", vrf),
                why="Cumulus Linux reserves VLANs 3725-3999 (VLAN-aware Bridge Mode)",
                fix="take another VLAN",
            )


def _relays(device: Device) -> Iterator[Problem]:
    """Tenants with more than one IPv6 DHCP server, or with one that is also a DNS server of the switch."""
    servers_of: dict[str, set[str]] = {}
    for row in device.evpn.gateways if device.evpn else ():
        servers_of.setdefault(row.vrf, set()).update(row.relays_ipv6)
        for server in sorted({*row.relays_ipv4, *row.relays_ipv6} & set(device.management.dns)):
            yield Problem(
                code="platform-cannot",
                what=f"{device.name} cannot use {server} as DNS server and as DHCP server of {row.vrf}",
                where=("tenants", row.vrf),
                why="Cumulus Linux sends all packets to a management DNS server through eth0 (Management VRF)",
                fix="use different addresses for the two servers",
            )
    for vrf, servers in servers_of.items():
        if len(servers) > 1:
            yield Problem(
                code="platform-cannot",
                what=f"the DHCP relay of {vrf} on {device.name} cannot have {len(servers)} IPv6 servers",
                where=("tenants", vrf),
                why="an upstream interface of Cumulus Linux has one server address, and only the interface of the VRF "
                "reaches all (DHCP Relays)",
                fix="write one IPv6 server",
            )


def _api(device: Device) -> Iterator[Problem]:
    if device.management.eapi_certificate == SELF_SIGNED:
        yield Problem(
            code="platform-cannot",
            what=f"{device.name} cannot use a certificate with the name {SELF_SIGNED}",
            where=("management", "eapi", "certificate"),
            why="its API has this name for the certificate that the switch makes for itself (NVUE reference, API)",
            fix="leave management.eapi out, or write the name of a certificate that you import",
        )


def _logins(device: Device) -> Iterator[Problem]:
    tacacs = device.management.tacacs
    most = MOST_TACACS[is_at_least(device.version, MORE_TACACS)]
    if tacacs is not None and len(tacacs.servers) > most:
        yield Problem(
            code="platform-cannot",
            what=f"{device.name} cannot have {len(tacacs.servers)} TACACS+ servers",
            where=("management", "aaa", "tacacs"),
            why=f"Cumulus Linux {device.version} supports {most} (TACACS)",
            fix=f"write at most {most}",
        )


def _users(device: Device) -> Iterator[Problem]:
    """Users with the name of a system account that has no login by password."""
    for user in device.management.users:
        reason = ""
        if user.name == ROOT:
            reason = (
                "root can log in over SSH with a key only: `permit-root-login` is `prohibit-password` (SSH for "
                "Remote Access)"
            )
        elif user.name in OWN_USERS:
            reason = "it is a system account without a login (Debian base-passwd; User Accounts)"
        if reason:
            yield Problem(
                code="platform-cannot",
                what=f"{device.name} cannot have the user {user.name}",
                where=("management", "users", user.name),
                why=reason,
                fix="use another user name",
            )
        yield from _key_types(device, user)


def _key_types(device: Device, user: User) -> Iterator[Problem]:
    """Public keys of a type that the reference does not list."""
    for number, key in enumerate(user.ssh_keys):
        if key.type not in KEY_TYPES:
            yield Problem(
                code="platform-cannot",
                what=f"{device.name} cannot have a key of type {key.type} of {user.name}",
                where=("management", "users", user.name, "ssh_keys", number),
                why=f"Cumulus Linux takes {', '.join(KEY_TYPES)} (NVUE reference, User Account)",
                fix="make a key with ssh-keygen -t ed25519",
            )
