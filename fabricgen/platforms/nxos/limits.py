"""What NX-OS cannot be configured to do on one switch: problems with their place in the intent."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.errors import IntentPath, Problem
from fabricgen.platforms.base.limits import MostServers, cannot, sampling_rate, too_many_servers
from fabricgen.policy.ecn import KMAX_KMIN

LAST_VLAN = 3967
"""The highest VLAN for tenants: NX-OS reserves 3968 to 4094."""
LOSSLESS_METRES = 100
"""Longest cable for which NX-OS reserves PFC headroom by itself."""
ALPHA, WATCHDOG_MS = "1", (200, 400)
"""Defaults of an intent: with these, NX-OS's own values apply."""
LONGEST_NAME = 63
"""Characters of a route map's and a prefix list's name (Batfish's ranges of NX-OS)."""
PARTS = " ;"
"""Separates two commands of one line; NX-OS would execute what follows it in a text."""
MULTIPLIERS = (
    "NX-OS counts in multiples of its own interval (NX-OS QoS guide 10.5, PFC watchdog), and the multiples and ranges "
    "of this release are undocumented, so the NX-OS defaults stay"
)
FIRST_PORT = 1024
"""The lowest port of the gRPC agent (NX-OS programmability guide)."""
LOAD_SECONDS = 300
"""The longest interval of rates (NX-OS command reference, load-interval)."""
SFLOW = "NX-OS system management guide, sFlow"
SERVERS = MostServers("NX-OS", f"one `sflow collector-ip`: {SFLOW}", collectors=1)
SAMPLES = range(4096, 1_000_000_001)
OWN_USERS = (
    *("adm", "bin", "daemon", "ftp", "ftpuser", "games", "gdm", "gopher", "halt", "lp", "mail", "mailnull", "man"),
    *("mtsuser", "news", "nobody", "nscd", "operator", "root", "rpc", "rpcuser", "shutdown", "sync", "sys", "uucp"),
    "xfs",
)
"""Reserved words that cannot be user names (Cisco Nexus 9000 security guide 10.4(x), User Accounts)."""


def limits(device: Device) -> Iterator[Problem]:
    """Yield every Problem of this switch."""
    yield from too_many_servers(device, SERVERS)
    rates = f"`sflow sampling-rate` takes {SAMPLES[0]} to {SAMPLES[-1]} ({SFLOW})"
    yield from sampling_rate(device, SAMPLES, rates)
    for check in (_vlans, _cables, _marks, _numbers, _names, _texts, _hops, _telemetry, _users, _bfd):
        yield from check(device)


def _bfd(device: Device) -> Iterator[Problem]:
    """Yield a problem for BFD on a link whose session is configured as if its peer were farther away."""
    groups = device.routing.bgp.groups
    if any(group.bfd and group.ttl_security == "send" and not group.multihop for group in groups):
        yield cannot(
            f"{device.name} cannot have BFD where sessions send a TTL of 255 and do not check it",
            "`ebgp-multihop 255` sends it, and no source says which BFD NX-OS then asks for on a link",
            "write bgp: {bfd: false} until ttl_security is check",
            ("fabrics", device.fabric, "bgp", "ttl_security"),
        )


def _vlans(device: Device) -> Iterator[Problem]:
    for vlan in device.evpn.vlans if device.evpn else ():
        if vlan.vlan_id > LAST_VLAN:
            yield cannot(
                f"VLAN {vlan.vlan_id} ({vlan.name}) cannot be created on {device.name}",
                f"NX-OS reserves VLANs {LAST_VLAN + 1} to 4094 (NX-OS Layer 2 guide, reserved VLANs)",
                f"write a VLAN from 2 to {LAST_VLAN}",
                ("tenants", vlan.vrf, "networks"),
            )


def _cables(device: Device) -> Iterator[Problem]:
    lossless = {profile.name for profile in device.qos.profiles if profile.lossless_priorities} if device.qos else set()
    for row in device.interfaces.ethernet:
        if row.profile.qos in lossless and row.length_m > LOSSLESS_METRES:
            yield cannot(
                f"{device.name} {row.name} is not lossless over {row.length_m:g} m",
                f"NX-OS reserves headroom itself up to {LOSSLESS_METRES} m; above, `pause buffer-size` needs numbers "
                f"that Cisco does not publish for any chip of the library (NX-OS QoS guide 10.5, priority flow "
                f"control)",
                f"use a cable of at most {LOSSLESS_METRES} m, or write transport: best-effort",
                ("fabrics", device.fabric, "transport"),
            )


def _marks(device: Device) -> Iterator[Problem]:
    """Yield problems of marking that ends before it starts.

    For a chip of unknown buffer size, Kmax is four times Kmin.
    """
    for profile in device.qos.profiles if device.qos else ():
        for queue in profile.queues:
            if queue.ecn and queue.ecn.maximum_octets <= queue.ecn.minimum_octets:
                yield cannot(
                    f"ECN thresholds of queue {queue.queue} on {device.name} are not valid",
                    f"the maximum, {queue.ecn.maximum_octets} octets, is not above the minimum, "
                    f"{queue.ecn.minimum_octets}",
                    f"write ecn: {{minimum_octets: {queue.ecn.minimum_octets}, "
                    f"maximum_octets: {KMAX_KMIN * queue.ecn.minimum_octets}, "
                    f"probability_percent: {queue.ecn.probability_percent}}}",
                    ("fabrics", device.fabric, "roce", "ecn"),
                )


def _numbers(device: Device) -> Iterator[Problem]:
    """Yield problems of numbers in the intent for which no NX-OS command is known."""
    qos = device.qos
    if qos is None:
        return
    location: IntentPath = ("fabrics", device.fabric, "roce")
    reason = (
        "no configuration with an NX-OS command for it was found, so the NX-OS default stays (NX-OS QoS guide 10.5)"
    )
    if qos.alpha != ALPHA:
        problem = f"{device.name} cannot be configured with the dynamic threshold (alpha) {qos.alpha}"
        yield cannot(problem, reason, "leave alpha out", (*location, "alpha"))
    watchdog = qos.watchdog
    if (watchdog.detect_ms, watchdog.restore_ms) != WATCHDOG_MS:
        problem = (
            f"the PFC watchdog of {device.name} does not support {watchdog.detect_ms} and {watchdog.restore_ms} ms"
        )
        yield cannot(problem, MULTIPLIERS, "remove detect_ms and restore_ms", (*location, "watchdog"))
    if any(row.basis == "override" for row in qos.headroom):
        problem = f"{device.name} cannot be configured with the headroom of a port"
        yield cannot(problem, "`pause buffer-size` also needs thresholds", "leave headroom_octets out", ("overrides",))


def _names(device: Device) -> Iterator[Problem]:
    for vrf in device.routing.bgp.vrfs:
        if vrf.name in ("management", "default"):
            yield cannot(
                f"tenant {vrf.name} cannot have a VRF of its name on {device.name}",
                "NX-OS already has a VRF of that name",
                "use another tenant name",
                ("tenants", vrf.name),
            )
        for neighbor in vrf.neighbors:
            longest = max(neighbor.route_map_in, neighbor.route_map_out, key=len)
            if len(longest) > LONGEST_NAME:
                yield cannot(
                    f"{device.name} cannot have a route map with the name {longest}",
                    f"the limit of NX-OS is {LONGEST_NAME} characters, and this name has {len(longest)}",
                    "use a shorter name of the tenant or the peer",
                    ("tenants", vrf.name, "external"),
                )


def _texts(device: Device) -> Iterator[Problem]:
    """Yield problems of the free texts of an intent: descriptions of ports, SNMP location and contact."""
    snmp = device.management.snmp
    texts: list[tuple[str, IntentPath]] = [(row.description, ("overrides",)) for row in device.interfaces.ethernet]
    texts += [(row.description, ("overrides",)) for row in device.interfaces.idle]
    if snmp:
        texts += [
            (snmp.location, ("management", "snmp", "location")),
            (snmp.contact, ("management", "snmp", "contact")),
        ]
    for text, location in texts:
        if PARTS in text:
            yield cannot(
                f"{device.name} cannot be told the text {text!r}",
                "a blank and a semicolon separate commands on NX-OS (NX-OS programmability guide, NX-API)",
                "write the semicolon without a blank before it",
                location,
            )


def _hops(device: Device) -> Iterator[Problem]:
    for route in device.routing.static_routes:
        if route.next_hop and (":" in route.next_hop) != (route.family == "ipv6"):
            yield cannot(
                f"{device.name} cannot route {route.prefix} to {route.next_hop}",
                "`ip route` of NX-OS needs a next hop of the same address family",
                "write a gateway of the family of the management prefix",
                ("management", "gateway"),
            )


def _telemetry(device: Device) -> Iterator[Problem]:
    gnmi, seconds = device.management.gnmi, device.telemetry.load_interval_seconds
    if gnmi is not None and gnmi.port < FIRST_PORT:
        yield cannot(
            f"{device.name} cannot use port {gnmi.port} for gNMI",
            f"`grpc port` is {FIRST_PORT} to 65535 (NX-OS programmability guide, gRPC agent)",
            f"write a port of at least {FIRST_PORT}",
            ("management", "gnmi", "port"),
        )
    if seconds > LOAD_SECONDS:
        yield cannot(
            f"{device.name} cannot average rates over {seconds} s",
            f"`load-interval` is 5 to {LOAD_SECONDS} s (NX-OS command reference)",
            f"write at most {LOAD_SECONDS}",
            ("fabrics", device.fabric, "telemetry", "load_interval"),
        )


def _users(device: Device) -> Iterator[Problem]:
    """Yield problems of reserved names, and names of digits only: NX-OS would not create the account."""
    for user in device.management.users:
        reason = ""
        if user.name in OWN_USERS:
            reason = (
                f"NX-OS reserves the name: {', '.join(OWN_USERS)} (Nexus 9000 security guide 10.4(x), User Accounts)"
            )
        elif user.name.isdecimal():
            # Cisco's guides of the Nexus 5000 (4.0) and 7000; that of the Nexus 9000 does not say so: unsure there.
            reason = (
                "NX-OS does not create a local user whose name has only digits (Nexus 5000 CLI guide, User Accounts)"
            )
        if reason:
            yield cannot(
                f"{device.name} cannot have the user {user.name}",
                reason,
                "use another user name",
                ("management", "users", user.name),
            )
        if len(user.ssh_keys) > 1:
            yield cannot(
                f"{device.name} cannot have {len(user.ssh_keys)} SSH keys of {user.name}",
                "`username ... sshkey` is one key of a user: another line replaces it",
                "list one, and give other people users of their own",
                ("management", "users", user.name, "ssh_keys"),
            )
