"""What SONiC cannot be told of one switch, found when its tables are written: problems at the intent's own line."""

import re
from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.errors import IntentPath, Problem
from fabricgen.platforms.sonic.ports import number

NTP_SERVERS, NAMESERVERS, TACACS_SERVERS, COLLECTORS = 10, 3, 8, 2
"""Most rows of NTP_SERVER, DNS_NAMESERVER, TACPLUS_SERVER and SFLOW_COLLECTOR: `max-elements` of the models."""
SAMPLE = 8388608
"""Largest sampling rate (sonic-sflow.yang); the least, 256, is below what an intent may ask."""
POLLING = 5
"""Least polling interval of counters in seconds (sonic-sflow.yang)."""
USER = range(4, 33)
"""Lengths of an SNMP user's name (sonic-snmp.yang)."""
CERTIFICATE = re.compile(r"[a-zA-Z0-9_-]+")
"""Name of a file with a certificate, without its `.cer` (sonic-gnmi.yang)."""
TABLES = "master"
"""Release whose daemon reads prefix sets as its own model writes them."""
FRR_CONF = "frr.conf"
NEEDED = ("platform", "hwsku", "lanes", "lanes_a_cage")
"""Words of a hardware file that every box needs."""
BUFFERS = ("traditional", "dynamic")
"""Buffer models of SONiC: sizes as written, or computed by the switch."""
PORT = re.compile(r"Ethernet[0-9]{1,6}")
SCOPED = "master"
"""Release whose gNMI has a VRF of its own, and whose resolver has a search domain (sonic-gnmi.yang, sonic-dns.yang)."""
GATEWAYS = "master"
"""Release whose models have static anycast gateways."""
MODELS = "SONiC's YANG models of 202505 and master"


def limits(device: Device) -> Iterator[Problem]:
    """Everything that a table's model refuses, or that no table can say."""
    yield from _box(device)
    yield from _overlay(device)
    yield from _services(device)
    yield from _names(device)
    yield from _sflow(device)
    yield from _snmp(device)
    monitor = device.telemetry.queue_monitor
    if monitor is not None and (monitor.high or monitor.low):
        what, why = "SONiC has watermarks of queues, and no thresholds of events", "FLEX_COUNTER_TABLE has none"
        where = ("fabrics", device.fabric, "telemetry", "queue_monitor", "high" if monitor.high else "low")
        yield _cannot(what, why, "remove the thresholds", where)
    yield from _raw(device)


def _box(device: Device) -> Iterator[Problem]:
    words, where = device.hardware.spellings, ("fabrics", device.fabric, _role(device), "model")
    title = f"{device.hardware.model} under SONiC {device.version}"
    if words.get("release", device.version) != device.version:
        yield _cannot(
            f"{title} is not supported",
            f"its platform folder is in sonic-buildimage of {words['release']} only",
            f"write os: sonic-{words['release']}",
            where,
        )
    if device.qos is not None and "buffers" not in words:
        yield _cannot(
            f"{title} has no lossless class",
            "its hardware file does not say which buffers SONiC gives it: spellings.sonic, buffers and pool",
            "write transport: best-effort, or add them to a hardware file of your own, with their source",
            ("fabrics", device.fabric, "transport"),
        )
    yield from _words(device)
    split = [row.name for row in device.interfaces.ethernet if row.profile.parts > 1]
    if split and "splits" not in words:
        yield _cannot(
            f"{title} has no split ports, and {split[0]} of {device.name} is one",
            "its platform.json in sonic-buildimage lists no break-out mode",
            "use whole cages, or another model",
            where,
        )


def _words(device: Device) -> Iterator[Problem]:
    """What the hardware file must say of the box, and does not."""
    words, where = device.hardware.spellings, ("fabrics", device.fabric, _role(device), "model")
    needed = (*NEEDED, "pool") if device.qos is not None and "buffers" in words else NEEDED
    missing = [word for word in needed if not words.get(word)]
    for word in missing[:1]:
        yield _cannot(
            f"{device.hardware.model} cannot be rendered: its hardware file has no spellings.sonic.{word}",
            "config_db.json has the platform, the sku, the lanes of each port and the pool as sonic-buildimage does",
            f"add {word} under spellings.sonic of the hardware file, with its source, or choose another model",
            where,
        )
    if words.get("buffers", BUFFERS[0]) not in BUFFERS:
        yield _cannot(
            f"{device.hardware.model} has the buffers {words['buffers'][:40]!r}",
            f"spellings.sonic.buffers is one of {', '.join(BUFFERS)}",
            f"write buffers: {' or '.join(BUFFERS)} in the hardware file",
            where,
        )
    if not missing:
        yield from _ports(device)


def _ports(device: Device) -> Iterator[Problem]:
    """Ports whose name is no number, or whose cage is behind the last one of `lanes`."""
    words, where = device.hardware.spellings, ("fabrics", device.fabric, _role(device), "model")
    cages = len(words["lanes"].split())
    for row in (*device.interfaces.ethernet, *device.interfaces.idle):
        if not PORT.fullmatch(row.name) or number(row.name) // int(words["lanes_a_cage"]) >= cages:
            yield _cannot(
                f"SONiC cannot have a port {row.name} on {device.hardware.model}",
                f"a name is Ethernet with a number, and spellings.sonic has the lanes of {cages} cages",
                "correct port_names.sonic, lanes or lanes_a_cage in the hardware file",
                where,
            )
            return


def _role(device: Device) -> str:
    return "leaf" if device.role == "border-leaf" else device.role


def _overlay(device: Device) -> Iterator[Problem]:
    where = ("fabrics", device.fabric)
    if device.evpn is not None and device.evpn.gateways and device.version != GATEWAYS:
        what = f"SONiC {device.version} has no gateway that is the same on every leaf, and {device.name} needs one"
        why = f"SAG and static_anycast_gateway are in the models of {GATEWAYS} only"
        yield _cannot(what, why, f"write os: sonic-{GATEWAYS}", (*where, _role(device), "os"))
    if device.interfaces.lags:
        why = "aggregates come with Ethernet segments of two leaves, which its capability table refuses"
        what = f"SONiC is told of no aggregates, and {device.name} has some"
        yield _cannot(what, why, "write multihoming: active-backup", (*where, "server_ports", "multihoming"))


def _services(device: Device) -> Iterator[Problem]:
    management = device.management
    servers = management.tacacs.servers if management.tacacs else ()
    rows = (
        ("NTP servers", "ntp", len(management.ntp), NTP_SERVERS),
        ("name servers", "dns", len(management.dns), NAMESERVERS),
        ("TACACS+ servers", "aaa", len(servers), TACACS_SERVERS),
    )
    for what, key, count, most in rows:
        if count > most:
            yield _cannot(f"SONiC takes {most} {what}, not {count}", MODELS, f"list {most}", ("management", key))


def _names(device: Device) -> Iterator[Problem]:
    management = device.management
    if management.domain and device.version != SCOPED:
        what = f"SONiC {device.version} cannot be told to search the domain {management.domain}"
        why = f"DNS_OPTIONS is in the models of {SCOPED} only"
        fix = f"write os: sonic-{SCOPED}, or domain: null in an override of the fabric's management"
        yield _cannot(what, why, fix, ("management", "domain"))
    if management.gnmi is not None and not CERTIFICATE.fullmatch(management.gnmi.certificate):
        what = f"SONiC takes no certificate of the name {management.gnmi.certificate}"
        fix = "choose a name of letters, digits, _ and -"
        yield _cannot(what, MODELS, fix, ("management", "gnmi", "certificate"))


def _sflow(device: Device) -> Iterator[Problem]:
    sflow, where = device.management.sflow, ("management", "sflow")
    if sflow is None:
        return
    if len(sflow.collectors) > COLLECTORS:
        what = f"SONiC takes {COLLECTORS} collectors, not {len(sflow.collectors)}"
        yield _cannot(what, MODELS, f"list {COLLECTORS}", (*where, "collectors"))
    if sflow.sample > SAMPLE:
        what = f"SONiC samples one packet in {SAMPLE} at least, not in {sflow.sample}"
        yield _cannot(what, MODELS, f"write sample: {SAMPLE}", (*where, "sample"))
    if sflow.polling_seconds < POLLING:
        what = f"SONiC polls counters every {POLLING} s at most, not every {sflow.polling_seconds} s"
        yield _cannot(what, MODELS, f"write polling_seconds: {POLLING}", (*where, "polling_seconds"))


def _snmp(device: Device) -> Iterator[Problem]:
    snmp, where = device.management.snmp, ("management", "snmp")
    if snmp is None:
        return
    if snmp.traps:
        why = "SNMP_TRAP_CONFIG has no model in either release"
        yield _cannot("SONiC cannot be told where to send traps", why, "remove traps:", (*where, "traps"))
    if len(snmp.user) not in USER:
        lengths = f"{USER[0]} to {USER[-1]} letters"
        what = f"SONiC wants {lengths} in the name of an SNMP user, and {snmp.user} has {len(snmp.user)}"
        yield _cannot(what, MODELS, f"choose a name of {lengths}", (*where, "user"))


def _raw(device: Device) -> Iterator[Problem]:
    """Lines for a file that the switch itself makes: the bgp container writes it again when it starts."""
    if device.version != TABLES or device.evpn is not None:
        return
    for lines in device.raw:
        if lines.artifact == FRR_CONF:
            what = f"raw lines for {FRR_CONF} would be lost on {device.name}"
            why = f"its BGP is in tables, and the switch makes {FRR_CONF} of them ({lines.where})"
            yield _cannot(what, why, "write them as objects for config_db.json", ("raw",))


def _cannot(what: str, why: str, fix: str, where: IntentPath) -> Problem:
    return Problem(code="platform-cannot", what=what, where=where, why=why, fix=fix)
