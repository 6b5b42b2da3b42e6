"""What Junos cannot be configured to do on one switch: problems with their place in the intent."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.qos import Qos
from fabricgen.errors import IntentPath, Problem
from fabricgen.platforms.base.limits import MostServers, cannot, sampling_rate, too_many_servers
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.junos.interfaces import PHYSICAL_MTU, frame_octets
from fabricgen.platforms.junos.qos import fill_percent, queue_limit, watchdog_words

KEEPALIVES = 3
"""Keepalives per hold time: "the hold time is three times the interval" (Juniper, hold-time of BGP)."""
WATCHDOG_MS = 200
"""Two polls of 100 ms, and the same for recovery: Junos' defaults (Juniper, PFC watchdog). No source has shorter
ones."""
BOUNDED = "23.4R2"
"""The release from which on Juniper's YANG has no ranges for the watchdog."""
MOST_PERIODS, MOST_RECOVERY_MS = 10, 1000
"""Ends of its ranges before that (Juniper's YANG of 23.4R1, pfc-watchdog). The polls are half of the shorter time."""
BY_HAND = "override"
"""Basis of a headroom that no table gives: an override, or the port's own MTU."""
FITTED = "fit"
"""First word of the basis of a headroom that is interpolated between the rows of a table, or extrapolated."""
MASTER, ROOT = "master", "root"
"""Predefined names: the routing instance (Juniper, routing instances overview) and the user (user accounts
overview)."""
SERVERS = MostServers("Junos", "overview of sFlow technology, QFX", collectors=4)
SAMPLES = range(1, 16777216)
"""sample-rate of QFX."""
QUOTES = ('"', "\\")
"""Characters that end a quoted text, or might: Juniper documents them inside one for login messages only."""


def limits(device: Device) -> Iterator[Problem]:
    """Yield every problem of this switch."""
    yield from too_many_servers(device, SERVERS)
    yield from sampling_rate(device, SAMPLES, f"sample-rate takes up to {SAMPLES[-1]} (sFlow statements of QFX)")
    for check in (_timers, _names, _texts, _frames, _ttl):
        yield from check(device)
    if device.qos is not None:
        for qos_check in (_watchdog, _headroom, _marks):
            yield from qos_check(device, device.qos)


def _ttl(device: Device) -> Iterator[Problem]:
    """Yield a problem for a TTL of 255 over unnumbered links: Juniper's models have `ttl` at a group alone."""
    bare = {row.group for row in device.routing.bgp.neighbors if row.interface}
    if any(group.ttl_security and group.name in bare for group in device.routing.bgp.groups):
        yield cannot(
            f"{device.name} cannot send a TTL of 255 over unnumbered links",
            "no source says that `ttl` of a group reaches a dynamic-neighbor: who checks would drop its packets",
            "write ttl_security: none, or addressing: {links: [ipv4]}",
            ("fabrics", device.fabric, "bgp", "ttl_security"),
        )


def _timers(device: Device) -> Iterator[Problem]:
    bgp = device.routing.bgp
    if bgp.hold_seconds != KEEPALIVES * bgp.keepalive_seconds:
        yield cannot(
            f"{device.name} cannot send keepalives every {bgp.keepalive_seconds} s with a hold time of "
            f"{bgp.hold_seconds} s",
            "on Junos the keepalive time is always a third of the hold time (hold-time of BGP)",
            f"write hold_seconds: {KEEPALIVES * bgp.keepalive_seconds}",
            ("fabrics", device.fabric, "bgp", "keepalive_seconds"),
        )


def _names(device: Device) -> Iterator[Problem]:
    for vrf in device.routing.bgp.vrfs:
        if vrf.name == MASTER:
            yield cannot(
                f"tenant {MASTER} cannot have an instance of its name on {device.name}",
                "it is the name of the default instance of Junos (routing instances overview)",
                "use another tenant name",
                ("tenants", MASTER),
            )
    for user in device.management.users:
        if user.name == ROOT:
            yield cannot(
                f"{device.name} cannot have the user {ROOT}",
                "it always exists, outside the login block, and has no password login (user accounts overview)",
                "use another user name",
                ("management", "users", ROOT),
            )


def _texts(device: Device) -> Iterator[Problem]:
    snmp = device.management.snmp
    quoted_texts: list[tuple[str, str, IntentPath]] = []
    if snmp is not None:
        quoted_texts.append(("the location", snmp.location, ("management", "snmp", "location")))
        quoted_texts.append(("the contact", snmp.contact, ("management", "snmp", "contact")))
    ports = [(row.name, row.description) for row in device.interfaces.ethernet]
    ports += [(f"ae{lag.number}", lag.description) for lag in device.interfaces.lags]
    quoted_texts += [(f"the description of {name}", text, ("overrides",)) for name, text in ports]
    for title, text, location in quoted_texts:
        if any(mark in text for mark in QUOTES):
            yield cannot(
                f"{title} of {device.name} has a quotation mark or a backslash",
                "texts are in quotation marks, and no source shows these two characters inside",
                "write it without them",
                location,
            )


def _frames(device: Device) -> Iterator[Problem]:
    """Yield a problem for tagged ports whose MTU exceeds the largest: tags add eight octets to the fabric's MTU."""
    for row in device.interfaces.ethernet:
        octets = frame_octets(row.profile)
        if row.profile.role == "external" and octets > PHYSICAL_MTU:
            vrfs = sorted({sub.vrf for sub in device.interfaces.subinterfaces if sub.parent == row.name})
            yield cannot(
                f"{device.name} {row.name} cannot have an MTU of {row.profile.mtu} octets towards an external peer",
                f"with two tags they are frames of {octets}, and {PHYSICAL_MTU} is the largest MTU in Juniper's "
                f"designs",
                f"write mtu: {row.profile.mtu + PHYSICAL_MTU - octets}, or less",
                ("tenants", vrfs[0], "external") if vrfs else ("tenants",),
            )


def _watchdog(device: Device, qos: Qos) -> Iterator[Problem]:
    watchdog, location = qos.watchdog, ("fabrics", device.fabric, "roce", "watchdog")
    if watchdog.action != "drop":
        yield cannot(
            f"the PFC watchdog of {device.name} does not support action: notify",
            "it drops the queued packets, or forwards them despite the pauses; there is no other action "
            "(congestion-notification-profile, pfc-watchdog)",
            "write action: drop",
            (*location, "action"),
        )
    for key, value in (("detect_ms", watchdog.detect_ms), ("restore_ms", watchdog.restore_ms)):
        if value < WATCHDOG_MS:
            yield cannot(
                f"the PFC watchdog of {device.name} does not support {key}: {value}",
                f"the Junos default is {WATCHDOG_MS} ms, and a shorter time is undocumented (PFC watchdog)",
                f"write {key}: {WATCHDOG_MS}, or more",
                (*location, key),
            )
    if not is_at_least(device.version, BOUNDED):
        yield from _watchdog_ranges(device, qos, location)


def _watchdog_ranges(device: Device, qos: Qos, location: IntentPath) -> Iterator[Problem]:
    words = watchdog_words(qos.watchdog)
    for key, milliseconds, most in (
        ("detect_ms", qos.watchdog.detect_ms, words.poll * MOST_PERIODS),
        ("restore_ms", qos.watchdog.restore_ms, MOST_RECOVERY_MS),
    ):
        if milliseconds > most:
            yield cannot(
                f"the PFC watchdog of {device.name} does not support {key}: {milliseconds}",
                f"before {BOUNDED} Junos takes at most {MOST_PERIODS} polls of here {words.poll} ms to detect a storm, "
                f"and {MOST_RECOVERY_MS} ms to recover (pfc-watchdog), and this switch runs {device.version}",
                f"write {key}: {most}, or os: junos-{BOUNDED}",
                (*location, key),
            )


def _headroom(device: Device, qos: Qos) -> Iterator[Problem]:
    for row in device.interfaces.ethernet:
        if row.headroom_octets and _is_given(qos, row):
            yield cannot(
                f"the PFC headroom of {device.name} {row.name} cannot be given in octets",
                "Junos computes it from the cable length and the largest frame (cable-length, mru)",
                "remove headroom_octets, and write length_m of the cable",
                ("overrides",),
            )


def _is_given(qos: Qos, row: Ethernet) -> bool:
    """Return whether the port's headroom is an override: neither a table nor the port's own MTU gives it.

    A port's own MTU is in the name of its profile, and affects only a fitted headroom: rows of a table hold for all
    MTUs.
    """
    length = int(-(-row.length_m // 1))  # rounded up, as in the headroom table
    headroom_rows = [
        headroom_row
        for headroom_row in qos.headroom
        if (headroom_row.speed_gbps, headroom_row.length_m) == (row.profile.speed_gbps, length)
    ]
    bases = {headroom_row.basis for headroom_row in headroom_rows if headroom_row.octets == row.headroom_octets}
    is_fitted = all(headroom_row.basis.startswith((FITTED, BY_HAND)) for headroom_row in headroom_rows)
    return bases == {BY_HAND} and not (is_fitted and f"mtu{row.profile.mtu}" in row.profile.name.split("-"))


def _marks(device: Device, qos: Qos) -> Iterator[Problem]:
    """Yield problems of ECN thresholds. Junos takes them as percentages of a queue's limit, which must be known."""
    limit = queue_limit(qos, device.hardware.spellings)
    ecn_profiles = [queue.ecn for profile in qos.profiles for queue in profile.queues if queue.ecn is not None]
    if ecn_profiles and not limit:
        yield cannot(
            f"{device.name} has no ECN thresholds: the queue limit of {device.hardware.model} is unknown",
            "on Junos thresholds are percent of it (fill-level), and the hardware file has no "
            "spellings.junos.buffer_octets",
            "write transport: best-effort, or a hardware file of your own with the buffer's size and its source",
            ("fabrics", device.fabric, "transport"),
        )
    lowest = min((ecn.minimum_octets for ecn in ecn_profiles), default=0)
    if limit and ecn_profiles and not fill_percent(lowest, limit):
        yield cannot(
            f"{device.name} would start ECN marking at 0 octets, not at {lowest}",
            f"on Junos thresholds are whole percent of the queue limit (fill-level): 1 % of {limit} octets is "
            f"{limit // 100}",
            f"write ecn: published, or minimum_octets: {limit // 100 + 1} or more",
            ("fabrics", device.fabric, "roce", "ecn"),
        )
    if limit and any(fill_percent(ecn.maximum_octets, limit) > 100 for ecn in ecn_profiles):
        yield cannot(
            f"the ECN threshold of {device.name} is above its queue limit",
            f"the queue limit is {limit} octets, and a threshold is at most 100 % of it (fill-level)",
            f"write maximum_octets: {limit}, or less",
            ("fabrics", device.fabric, "roce", "ecn"),
        )
