"""What SR Linux cannot be configured to do on one switch: problems with their place in the intent.

Ranges, counts and reserved names are those of Nokia's YANG of 25.3.1; if a `must` refuses a value, the switch refuses
the whole file.
"""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.platforms.base.limits import MostServers, cannot, sampling_rate, too_many_servers
from fabricgen.platforms.srlinux.bgp import instance
from fabricgen.platforms.srlinux.context import OWN_LINUX
from fabricgen.platforms.srlinux.ports import FRAME, PAM4_GBPS, TAG, fec_word
from fabricgen.platforms.srlinux.qos import DETECT_MS, RESTORE_MS, qos_words
from fabricgen.platforms.srlinux.releases import NEWER, is_newer

LARGEST_FRAME, SMALLEST_PACKET = 9412, 1280
"""Largest frame of a 7220 IXR port in octets without FCS, and smallest `ip-mtu` of a subinterface."""
LARGEST_PACKET = LARGEST_FRAME - FRAME - TAG
"""Octets of the largest packet in a tagged frame."""
OWN_USERS = ("root", "srlinux")
"""A `must` of the list of users refuses them; `admin` and `linuxadmin`, which it refuses too, have their own
containers."""
FECS = {25: ("disabled", "base-r", "rs-528"), 100: ("disabled", "rs-528")}
"""Speed in Gb/s → FEC that a port with NRZ lanes accepts; at other speeds, and with PAM4, configuring it keeps the port
down."""
MOST_IN_TABLE = 250_000
"""MAC addresses in the bridge table of a mac-vrf (srl_nokia-bridge-table-mac-limit, maximum-entries)."""
SAMPLES = range(1, 2_000_001)
POLLING_SECONDS = 20
"""Default of an intent."""
PATHS_BEFORE = 64
MANY = 1000
"""Number of servers allowed here if the models have no maximum."""
SERVERS = MostServers("SR Linux", "YANG of 25.3.1", dns=3, ntp=MANY, syslog=MANY, tacacs=5, traps=16, collectors=8)


def limits(device: Device) -> Iterator[Problem]:
    """Yield every Problem of this switch."""
    yield from too_many_servers(device, SERVERS)
    yield from sampling_rate(device, SAMPLES, f"sample-rate takes up to {SAMPLES[-1]}")
    for part in (
        _paths,
        _instances,
        _users,
        _polling,
        _snmp_key,
        _frames,
        _packets,
        _outside,
        _tables,
        _imports_on_one_leaf,
        _fecs,
        _marks,
        _watchdog,
    ):
        yield from part(device)


def _paths(device: Device) -> Iterator[Problem]:
    """Yield a problem of more equal paths than every chassis takes before 25.3 (srl_nokia-bgp of 24.10.3, a `must`)."""
    most = max(device.routing.bgp.maximum_paths, device.routing.bgp.overlay_paths)
    if most > PATHS_BEFORE and not is_newer(device.version):
        yield cannot(
            f"{device.name} cannot have {most} equal paths",
            f"before {NEWER} a family has at most {PATHS_BEFORE}; the models do not say which chassis have more",
            f"plan at most {PATHS_BEFORE} uplinks per switch, or write os: srlinux-{NEWER}",
            ("fabrics", device.fabric, "topology"),
        )


def _instances(device: Device) -> Iterator[Problem]:
    """Yield a problem if the management VRF has the name of a VLAN's network instance (srl_nokia-network-instance).

    A tenant's VRF is a network instance too; its name is in lower case, unlike those of VLANs.
    """
    management_vrf = device.management.vrf
    for vlan in device.evpn.vlans if device.evpn else ():
        if instance(vlan.vlan_id) == management_vrf:
            yield cannot(
                f"management of {device.name} cannot be in the VRF {management_vrf}",
                f"on SR Linux the network instance of VLAN {vlan.vlan_id} ({vlan.name}) has this name, and names are "
                f"unique (srl_nokia-network-instance)",
                "write another name, e.g. MGMT",
                ("management", "vrf"),
            )


def _users(device: Device) -> Iterator[Problem]:
    for user in device.management.users:
        if user.name in OWN_USERS:
            yield cannot(
                f"{device.name} cannot have the user {user.name}",
                f"{', '.join(OWN_USERS)} are accounts of SR Linux itself, which its list of users does not accept",
                "use another user name",
                ("management", "users", user.name),
            )
        elif user.name == OWN_LINUX and user.role != "network-admin":
            yield cannot(
                f"{OWN_LINUX} of {device.name} cannot be a {user.role}",
                f"{OWN_LINUX} is the Linux account of SR Linux, with sudo: it has a password, but no role",
                "write role: network-admin",
                ("management", "users", user.name, "role"),
            )


def _snmp_key(device: Device) -> Iterator[Problem]:
    """Yield a problem of AES-256 with SHA-1, whose 20 octets are no key of 32 (a `must` of srl_nokia-system-snmp)."""
    snmp = device.management.snmp
    if snmp is not None and (snmp.auth_algorithm, snmp.privacy_algorithm) == ("sha", "aes256"):
        yield cannot(
            f"{device.name} does not support privacy_algorithm: aes256 with auth_algorithm: sha",
            "the key of AES-256 has 32 octets and is made by the hash of the authentication, and SHA-1 has 20 "
            "(srl_nokia-system-snmp)",
            "write auth_algorithm: sha256",
            ("management", "snmp", "privacy_algorithm"),
        )


def _polling(device: Device) -> Iterator[Problem]:
    sflow = device.management.sflow
    if sflow is not None and sflow.polling_seconds != POLLING_SECONDS:
        yield cannot(
            f"{device.name} does not support polling_seconds: {sflow.polling_seconds}",
            "the YANG models have no polling interval, so the SR Linux default stays (srl_nokia-sflow)",
            "leave polling_seconds out",
            ("management", "sflow", "polling_seconds"),
        )


def _frames(device: Device) -> Iterator[Problem]:
    """Yield a problem if a tagged frame to a server has no room for the largest packet of its port."""
    largest = max((row.profile.mtu for row in device.interfaces.ethernet if row.switching is not None), default=0)
    if largest > LARGEST_PACKET:
        yield cannot(
            f"{device.name} cannot send packets of {largest} octets to a server",
            f"with a VLAN tag the frames have {largest + FRAME + TAG} octets, and the maximum is {LARGEST_FRAME}",
            f"write mtu: {LARGEST_PACKET} or less",
            ("fabrics", device.fabric, "mtu"),
        )


def _packets(device: Device) -> Iterator[Problem]:
    routed_profiles = (row.profile for row in device.interfaces.ethernet if row.profile.routed)
    gateways = device.evpn.gateways if device.evpn else ()
    mtus = (*(profile.mtu for profile in routed_profiles if profile.role != "external"), *(row.mtu for row in gateways))
    smallest = min(mtus, default=SMALLEST_PACKET)
    if smallest < SMALLEST_PACKET:
        yield cannot(
            f"{device.name} cannot have an MTU of {smallest} octets",
            f"the minimum ip-mtu is {SMALLEST_PACKET}",
            f"write an mtu that is larger by {SMALLEST_PACKET - smallest}, or more",
            ("fabrics", device.fabric, "mtu"),
        )


def _outside(device: Device) -> Iterator[Problem]:
    for row in device.interfaces.subinterfaces:
        if not SMALLEST_PACKET <= row.mtu <= LARGEST_PACKET:
            yield cannot(
                f"{device.name} {row.parent} cannot have an MTU of {row.mtu} octets for VLAN {row.vlan_id}",
                f"the minimum ip-mtu is {SMALLEST_PACKET}, and the maximum frame of a port is {LARGEST_FRAME}",
                f"write an mtu from {SMALLEST_PACKET} to {LARGEST_PACKET}",
                ("tenants", row.vrf, "external"),
            )


def _tables(device: Device) -> Iterator[Problem]:
    for vlan in device.evpn.vlans if device.evpn else ():
        if vlan.macs > MOST_IN_TABLE:
            yield cannot(
                f"VLAN {vlan.vlan_id} ({vlan.name}) cannot have {vlan.macs} MAC addresses on {device.name}",
                f"the servers of {vlan.vrf} and their guests have so many, and maximum-entries is at most "
                f"{MOST_IN_TABLE}",
                f"plan fewer guests_per_server, or split the servers of {vlan.vrf} into several tenants",
                ("fabrics", device.fabric, "server_ports", "guests_per_server"),
            )


def _imports_on_one_leaf(device: Device) -> Iterator[Problem]:
    """Yield a problem for two tenants with subnets on one leaf if one imports the other's routes.

    A VRF imports what other leaves announce. No source says that it imports what another VRF of the same switch
    announces: SR Linux leaks between instances by prefix and not by community (netlab pull request 1137, read
    2026-11-22), and needs the hosts' own routes for it (3531).
    """
    local_vrfs = {vrf.name: vrf for vrf in device.routing.bgp.vrfs if vrf.networks_ipv4 or vrf.networks_ipv6}
    pairs = {
        tuple(sorted((vrf.name, other))) for vrf in local_vrfs.values() for other in vrf.imports if other in local_vrfs
    }
    for first, second in sorted(pairs):
        yield cannot(
            f"{first} and {second} reach each other, and both have servers on {device.name}",
            "no source shows that a VRF of SR Linux imports routes of another VRF on the same leaf",
            "move their servers to different leaves, or merge the two tenants",
            ("tenants", first, "imports"),
        )


def _fecs(device: Device) -> Iterator[Problem]:
    for row in device.interfaces.ethernet:
        profile, fec = row.profile, fec_word(row.profile)
        has_choice = profile.speed_gbps // profile.lanes < PAM4_GBPS
        if fec and fec not in (FECS.get(profile.speed_gbps, ()) if has_choice else ()):
            yield cannot(
                f"{device.name} {row.name} does not support fec: {profile.fec} at {profile.speed_gbps}G",
                "IEEE 802.3 has only one FEC for this speed, and SR Linux keeps the port down with another one",
                "remove fec from the override of this port",
                ("overrides",),
            )


def _marks(device: Device) -> Iterator[Problem]:
    """Yield the problem of a queue that would pause before it marks; `qos_words` detects it."""
    try:
        qos_words(device)
    except FabricError as error:
        yield from error.problems


def _watchdog(device: Device) -> Iterator[Problem]:
    if device.qos is None or device.qos.watchdog.action != "drop":
        return
    watchdog = device.qos.watchdog
    for key, value, bounds in (
        ("detect_ms", watchdog.detect_ms, DETECT_MS),
        ("restore_ms", watchdog.restore_ms, RESTORE_MS),
    ):
        if not bounds[0] <= value <= bounds[1]:
            yield cannot(
                f"the PFC watchdog of {device.name} does not support {key}: {value}",
                f"the range on SR Linux is {bounds[0]} to {bounds[1]} ms",
                f"write {key}: {min(max(value, bounds[0]), bounds[1])}",
                ("fabrics", device.fabric, "roce", "watchdog", key),
            )
