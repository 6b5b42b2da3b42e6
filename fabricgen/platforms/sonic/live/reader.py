"""Community SONiC: what it is asked through the driver `napalm_sonic`, and what the answers mean.

Linux with FRR in a container: the kernel and vtysh are asked as on FRR alone, and `linux/live/` reads the answers
(`asked.py` has what differs). SONiC's own commands are asked for the release, CONFIG_DB, containers and counters.
"""

import re
from collections.abc import Iterable, Mapping

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.by_hand import SHELL
from fabricgen.platforms.base.live.parts import Parts
from fabricgen.platforms.base.live.reader import JSON, TEXT, Outputs, ReadCommand, Reader
from fabricgen.platforms.linux.live import daemons as frr_daemons
from fabricgen.platforms.linux.live import overlay, system
from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread
from fabricgen.platforms.sonic.live import asked, counters, links
from fabricgen.platforms.sonic.live.asked import RUNNING, VERSION
from fabricgen.platforms.sonic.live.drift import drift
from fabricgen.platforms.sonic.live.values import FRR_RUNNING, Tables, masked, tables_in, text_of
from fabricgen.platforms.sonic.overlay import MANAGEMENT, vrf_name
from fabricgen.state.state import Daemon, Facts, State

FRR_SOURCE = "FRR's own source at 10.3 and 10.5.2, held against the recorded form of 8.4.4"
SOURCES: tuple[tuple[str, str, str, str], ...] = (
    ("facts", VERSION, TEXT, "sonic-utilities 691b1bbc and branch 202505, show/main.py, version"),
    ("interfaces", asked.ADDRESSES, JSON, "iproute2: recorded (platforms/linux/live/interfaces.py)"),
    ("lldp", asked.LLDP, JSON, "lldpd in its container: sonic-utilities, scripts/lldpshow; json0: recorded"),
    ("bgp", asked.NEIGHBORS, JSON, f"{FRR_SOURCE}: bgpd/bgp_vty.c, bgp_show_all_instances_neighbors_vty"),
    ("bfd", asked.BFD, JSON, "recorded with FRR 8.4.4"),
    ("routes", asked.ROUTES, JSON, "iproute2: recorded (platforms/linux/live/routes.py)"),
    ("vnis", asked.VNIS, JSON, f"{FRR_SOURCE}: zebra/zebra_evpn.c, zebra_vxlan.c"),
    ("vnis", asked.FLOOD, JSON, "iproute2: recorded (platforms/linux/live/overlay.py)"),
    ("vnis", asked.BRIDGED, JSON, "iproute2: recorded (platforms/linux/live/bridging.py)"),
    ("evpn", asked.EVPN_ROUTES, JSON, f"{FRR_SOURCE}: bgpd/bgp_evpn_vty.c"),
    *(("rules", rule, JSON, "iproute2: recorded (platforms/linux/live/system.py)") for rule in asked.RULES),
    ("daemons", asked.DAEMONS, TEXT, "sonic-buildimage ff3c0c9f, src/sonic-bgpcfgd/bgpcfgd/frr.py asks the same"),
    ("daemons", asked.CONTAINERS, TEXT, "sonic-utilities, show/main.py, services"),
    ("counters", counters.PFC, TEXT, "sonic-utilities, tests/pfcstat_test.py"),
    ("counters", counters.QUEUES, TEXT, "sonic-utilities, tests/queuestat_input/assert_show_output.py"),
    ("counters", counters.MARKED, TEXT, "sonic-utilities, tests/wred_queue_counter_test.py"),
    *(("links", command, TEXT, source) for command, source in links.READS),
    ("running", RUNNING, JSON, "sonic-utilities 691b1bbc and branch 202505, show/main.py, runningconfiguration all"),
)
"""Part, command, encoding, and where the answer's form is known from. Read on 2026-11-22."""

UNSEEN = {
    "static_neighbors": "what somebody sets by hand in the kernel's tables of MAC addresses and neighbors is not read",
    "startup": "what SONiC would start with, /etc/sonic/config_db.json, is not read: a push saves what it confirms",
    "qos": "SONiC's commands show the rows of CONFIG_DB again, which drift compares; none shows what the chip took",
    "beside": "only config_db.json is compared; frr.conf, of the switches that have one, is compared by a push alone",
}

REFUSED = frozenset({"lldp", "bfd", "counters", "links"})
"""Parts that a switch refuses to show where it has nothing of them: they are asked alone."""
CONTAINERS = (("swss", ("routes", "vnis")), ("syncd", ("routes", "vnis")))
"""Container → what is planned of it: what the kernel routes reaches the chip through both (sonic-swss)."""
FRR_CONTAINER = "bgp"
_RELEASE = re.compile(r"^SONiC Software Version: SONiC\.(\S+)", re.MULTILINE)
_SKU = re.compile(r"^HwSKU: (\S+)", re.MULTILINE)
_SERIAL = re.compile(r"^Serial Number: (\S+)", re.MULTILINE)


def reads(vrfs: Iterable[str]) -> tuple[ReadCommand, ...]:
    """Every command; none depends on the VRFs, which are devices of the kernel."""
    del vrfs
    return tuple(
        ReadCommand(part, command, encoding, 0 if part in REFUSED else 1) for part, command, encoding, _ in SOURCES
    )


def vrf_names(device: Device) -> Mapping[str, str]:
    """Every VRF of a switch, management among them: SONiC's name → name in the plan."""
    names = {vrf_name(row.name, row.vni): row.name for row in device.evpn.vrfs} if device.evpn else {}
    return {**names, MANAGEMENT: device.management.vrf} if device.management.vrf else names


def state(outputs: Outputs, names: Mapping[str, str]) -> State:
    """What the answers mean. Never raises: a part that is not understood is None, and `unread` says why."""
    found, parts = asked.answers(outputs, names), Parts(dict(UNSEEN))

    config = _config(outputs)
    return State(
        facts=parts.take("facts", _facts, outputs, config),
        interfaces=parts.take("interfaces", asked.interfaces, found),
        lldp=parts.take("lldp", frr_daemons.lldp, found),
        bgp=parts.take("bgp", frr_daemons.bgp, found),
        bfd=parts.take("bfd", frr_daemons.bfd, found),
        routes=parts.take("routes", asked.routes, found),
        vnis=parts.take("vnis", overlay.vnis, found),
        evpn=parts.take("evpn", overlay.evpn, found),
        counters=parts.take("counters", counters.counters, outputs, config, parts.unread),
        links=parts.take("links", links.link_counters, outputs, parts.unread),
        running=parts.take("running", _running, outputs),
        rules=parts.take("rules", system.rules, found),
        daemons=parts.take("daemons", _daemons, found, outputs),
        unread=parts.unread,
    )


def _facts(outputs: Outputs, config: Tables | None) -> Facts:
    """Release and box; the name is CONFIG_DB's, since `show version` has none."""
    text = asked.text(outputs, VERSION)
    release = _RELEASE.search(text)
    if release is None:
        raise Misread(f"`{VERSION}` does not name a release of SONiC")
    host = (config or {}).get("DEVICE_METADATA", {}).get("localhost", {}).get("hostname", "")
    sku, serial = (match[1] if match else "" for match in (_SKU.search(text), _SERIAL.search(text)))
    return Facts(hostname=str(host), version=release[1], model=sku, serial="" if serial == "N/A" else serial)


def _config(outputs: Outputs) -> Tables | None:
    try:
        return tables_in(CommandOutputs(outputs, {}).value(RUNNING))
    except (ValueError, RecursionError):  # of json and Misread
        return None


def _running(outputs: Outputs) -> str:
    """CONFIG_DB without secrets, and FRR's text beside it."""
    value = CommandOutputs(outputs, {}).value(RUNNING)
    found = tables_in(value)
    if "DEVICE_METADATA" not in found:
        raise Misread(f"`{RUNNING}` has no DEVICE_METADATA")
    said = value.get(FRR_RUNNING) if isinstance(value, dict) else None
    beside = {FRR_RUNNING: said} if isinstance(said, str) else {}
    return text_of({**masked(found), **beside})


def _daemons(answers: CommandOutputs, outputs: Outputs) -> tuple[Daemon, ...]:
    """FRR's daemons and SONiC's containers. Where FRR's container is down, none of its daemons runs."""
    running = asked.containers(outputs)
    if FRR_CONTAINER in running:
        daemons = system.daemons(answers)
    else:
        daemons = tuple(Daemon(name, running=False, serves=serves) for name, serves in system.SERVES)
    return (*daemons, *(Daemon(name, name in running, serves) for name, serves in CONTAINERS))


SONIC = Reader(
    system="sonic",
    driver="sonic",
    vrf_names=vrf_names,
    reads=reads,
    state=state,
    drift=drift,
    unseen=UNSEEN,
    by_hand=SHELL,
    counts=links.COUNTS,
)
"""Reader of SONiC 202505 and master."""
