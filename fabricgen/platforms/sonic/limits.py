"""What SONiC cannot be configured to do on one switch, as problems with their place in the intent."""

import re
from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.errors import Problem
from fabricgen.platforms.base.limits import MostServers, bfd_with_ttl, cannot, sampling_rate, too_many_servers
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.sonic.ports import number, panel, unknown_unicast_kbps
from fabricgen.platforms.sonic.releases import has_tables

POLLING = 5
"""Smallest polling interval of counters in seconds (sonic-sflow.yang)."""
USER = range(4, 33)
"""Lengths of an SNMP user's name (sonic-snmp.yang)."""
CERTIFICATE = re.compile(r"[a-zA-Z0-9_-]+")
"""Name of a file with a certificate, without its `.cer` (sonic-gnmi.yang)."""
FRR_CONF = "frr.conf"
NEEDED = ("platform", "hwsku", "lanes", "lanes_a_cage")
"""Keys of spellings.sonic that the hardware file of every switch needs."""
PER_CAGE = ("lanes_a_cage", "names_a_cage", "cage_lanes")
"""Keys of it with one number for all cages, or one for each."""
LOSSLESS = ("buffers", "pool")
"""Keys that a switch with a lossless class needs, too."""
OPTIONAL = (
    *("cage_lanes", "cell_octets", "eight_lanes_gbps", "first_index", "first_port", "lossy_alpha", "lossy_size"),
    *("names_a_cage", "on_tile_octets_per_gbps", "pg_size", "pg_xon", "pipeline_octets", "release", "splits"),
)
"""Keys that some switches have."""
BUFFERS = ("traditional", "dynamic")
"""Buffer models of SONiC: sizes as written, or sizes that the switch computes."""
PORT = re.compile(r"Ethernet[0-9]{1,6}")
MODELS = "SONiC's YANG models of 202505 to master"
SERVERS = MostServers("SONiC", MODELS, dns=3, ntp=10, tacacs=8, collectors=2)
"""Rows of DNS_NAMESERVER, NTP_SERVER, TACPLUS_SERVER and SFLOW_COLLECTOR: `max-elements` of the models."""
MOST_KBPS = 100_000_000
"""Largest limit of storm control (sonic-storm-control.yang)."""
SAMPLES = range(256, 8388609)
"""Sampling rates (sonic-sflow.yang)."""


def limits(device: Device) -> Iterator[Problem]:
    """Yield a problem for everything that the model of a table refuses or that no table can express."""
    yield from _box(device)
    yield from _overlay(device)
    yield from _storms(device)
    yield from too_many_servers(device, SERVERS)
    yield from _names(device)
    yield from _sflow(device)
    yield from _snmp(device)
    yield from bfd_with_ttl(device, "SONiC")
    yield from _passwords(device)
    monitor = device.telemetry.queue_monitor
    if monitor is not None and (monitor.high or monitor.low):
        problem, reason = "SONiC has watermarks of queues, and no thresholds of events", "FLEX_COUNTER_TABLE has none"
        location = ("fabrics", device.fabric, "telemetry", "queue_monitor", "high" if monitor.high else "low")
        yield cannot(problem, reason, "remove the thresholds", location)
    yield from _raw(device)


def _passwords(device: Device) -> Iterator[Problem]:
    """Yield a problem for a password that only a table can have."""
    is_guarded = any(group.password is not None for group in device.routing.bgp.groups)
    if is_guarded and device.evpn is None and has_tables(device.version):
        yield cannot(
            f"{device.name} cannot have the password of its sessions under SONiC {device.version}",
            "its BGP is in tables, and of `auth_password` frrcfgd makes `password X encrypted`: FRR takes all of that "
            "for the password (sonic-buildimage issue 19946, open)",
            "remove bgp.password, or write os: sonic-202505, whose BGP is in frr.conf",
            ("fabrics", device.fabric, "bgp", "password"),
        )


def _box(device: Device) -> Iterator[Problem]:
    spellings, location = device.hardware.spellings, ("fabrics", device.fabric, _role(device), "model")
    title = f"{device.hardware.model} under SONiC {device.version}"
    since = spellings.get("release", device.version)
    if not is_at_least(device.version, since):
        reason = f"sonic-buildimage has its platform folder from {since} on"
        yield cannot(f"{title} is not supported", reason, f"write os: sonic-{since}", location)
    if device.qos is not None and "buffers" not in spellings:
        yield cannot(
            f"{title} has no lossless class",
            f"the hardware file of {device.hardware.model} has no SONiC buffers: spellings.sonic, buffers and pool",
            "write transport: best-effort, or add them to a hardware file of your own, with their source",
            ("fabrics", device.fabric, "transport"),
        )
    yield from _words(device)
    split = [row.name for row in device.interfaces.ethernet if row.profile.parts > 1]
    if split and "splits" not in spellings:
        yield cannot(
            f"{title} cannot split ports, and {split[0]} of {device.name} is split",
            "its platform.json in sonic-buildimage lists no break-out mode",
            "use unsplit cages, or another model",
            location,
        )


def _words(device: Device) -> Iterator[Problem]:
    """Yield a problem for what the hardware file must say of the switch and does not."""
    spellings, location = device.hardware.spellings, ("fabrics", device.fabric, _role(device), "model")
    required = (*NEEDED, *LOSSLESS) if device.qos is not None and "buffers" in spellings else NEEDED
    missing_keys = [key for key in required if not spellings.get(key)]
    for key in missing_keys[:1]:
        yield cannot(
            f"{device.hardware.model} cannot be rendered: its hardware file has no spellings.sonic.{key}",
            "config_db.json needs the platform, the SKU, the lanes of each port and the pool as in sonic-buildimage",
            f"add {key} under spellings.sonic of the hardware file, with its source, or choose another model",
            location,
        )
    if spellings.get("buffers", BUFFERS[0]) not in BUFFERS:
        yield cannot(
            f"{device.hardware.model} has unknown buffers {spellings['buffers'][:40]!r}",
            f"spellings.sonic.buffers is one of {', '.join(BUFFERS)}",
            f"write buffers: {' or '.join(BUFFERS)} in the hardware file",
            location,
        )
    if not missing_keys:
        yield from _ports(device)


def _ports(device: Device) -> Iterator[Problem]:
    """Yield a problem for the first port whose name has no number, or the number of no cage of `lanes`."""
    spellings, location = device.hardware.spellings, ("fabrics", device.fabric, _role(device), "model")
    cages = len(spellings["lanes"].split())
    try:
        box = panel(spellings)
    except ValueError as error:
        yield cannot(
            f"{device.hardware.model} cannot be rendered: words of spellings.sonic do not fit each other",
            f"{error}: lanes has one number per cage, and {', '.join(PER_CAGE)} have one for all cages or one for each",
            "correct them in the hardware file",
            location,
        )
        return
    for row in (*device.interfaces.ethernet, *device.interfaces.idle):
        if not PORT.fullmatch(row.name) or box.of_port(number(row.name)) is None:
            yield cannot(
                f"SONiC cannot have a port {row.name} on {device.hardware.model}",
                f"a name is Ethernet with a number, and spellings.sonic has the lanes of {cages} cages",
                "correct port_names.sonic, lanes or lanes_a_cage in the hardware file",
                location,
            )
            return


def _role(device: Device) -> str:
    return "leaf" if device.role == "border-leaf" else device.role


def _overlay(device: Device) -> Iterator[Problem]:
    if device.interfaces.lags:
        location = ("fabrics", device.fabric, "server_ports", "multihoming")
        reason = "port channels need Ethernet segments of two leaves, which are not supported on SONiC"
        problem = f"port channels are not supported on SONiC, and {device.name} has some"
        yield cannot(problem, reason, "write multihoming: active-backup", location)


def _storms(device: Device) -> Iterator[Problem]:
    """Yield a problem for the first port whose storm control is more than the model takes."""
    for row in device.interfaces.ethernet:
        kbps = unknown_unicast_kbps(row)
        if row.switching and kbps > MOST_KBPS:
            percent = row.switching.unknown_unicast_percent
            most = MOST_KBPS // (kbps // percent)
            yield cannot(
                f"storm control of SONiC is 100 Gb/s at most, and {percent} % of {row.name} of {device.name} is "
                f"{kbps // 1_000_000} Gb/s",
                f"kbps of PORT_STORM_CONTROL ({MODELS})",
                f"write unknown_unicast_percent: {most}",
                ("fabrics", device.fabric, "server_ports", "storm_control", "unknown_unicast_percent"),
            )
            return


def _names(device: Device) -> Iterator[Problem]:
    management = device.management
    if management.gnmi is not None and not CERTIFICATE.fullmatch(management.gnmi.certificate):
        problem = f"SONiC does not support the certificate name {management.gnmi.certificate}"
        fix = "choose a name of letters, digits, _ and -"
        yield cannot(problem, MODELS, fix, ("management", "gnmi", "certificate"))


def _sflow(device: Device) -> Iterator[Problem]:
    yield from sampling_rate(device, SAMPLES, f"SONiC takes 1 in {SAMPLES[0]} to {SAMPLES[-1]} ({MODELS})")
    sflow = device.management.sflow
    if sflow is not None and sflow.polling_seconds < POLLING:
        problem = f"the shortest polling interval of SONiC is {POLLING} s, not {sflow.polling_seconds} s"
        location = ("management", "sflow", "polling_seconds")
        yield cannot(problem, MODELS, f"write polling_seconds: {POLLING}", location)


def _snmp(device: Device) -> Iterator[Problem]:
    snmp, location = device.management.snmp, ("management", "snmp")
    if snmp is None:
        return
    if snmp.traps:
        reason = "SNMP_TRAP_CONFIG has no YANG model in any release"
        yield cannot("SNMP traps are not supported on SONiC", reason, "remove traps:", (*location, "traps"))
    if len(snmp.user) not in USER:
        lengths = f"{USER[0]} to {USER[-1]} letters"
        problem = f"an SNMP user name on SONiC has {lengths}, and {snmp.user} has {len(snmp.user)}"
        yield cannot(problem, MODELS, f"choose a name of {lengths}", (*location, "user"))


def _raw(device: Device) -> Iterator[Problem]:
    """Yield a problem for raw lines of a file that the bgp container overwrites when it starts."""
    if not has_tables(device.version) or device.evpn is not None:
        return
    for lines in device.raw:
        if lines.artifact == FRR_CONF:
            problem = f"raw lines for {FRR_CONF} would be lost on {device.name}"
            reason = f"its BGP is in tables, and the switch generates {FRR_CONF} from them ({lines.where})"
            yield cannot(problem, reason, "write them as objects for config_db.json", ("raw",))
