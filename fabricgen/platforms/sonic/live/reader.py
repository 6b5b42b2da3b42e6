"""Reader of community SONiC: its commands, through the driver `napalm_sonic`, and the State in their outputs.

SONiC is Linux with FRR in a container: kernel and vtysh get the same commands as FRR alone, and `linux/live/` parses
the outputs (`asked.py` has what differs). SONiC's own commands give the release, CONFIG_DB, containers and counters.
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
"""Part, command, encoding, and source of the output's form. Read on 2026-11-22; what is read of an output has the same
form in sonic-utilities of branches 202505, 202511 and 202605."""

UNSEEN = {
    "static_neighbors": "manual entries in the kernel's MAC and neighbor tables are not read",
    "startup": "the startup configuration, /etc/sonic/config_db.json, is not read: a push saves it when it confirms",
    "qos": "SONiC's commands show the rows of CONFIG_DB, which drift compares; none shows the state of the chip",
    "beside": "only config_db.json is compared; frr.conf, on switches that have one, is compared by push only",
}

REFUSED = frozenset({"lldp", "bfd", "counters", "links"})
"""Parts whose command may fail if the switch has nothing to show: each is a call of its own."""
CONTAINERS = (("swss", ("routes", "vnis")), ("syncd", ("routes", "vnis")))
"""Container → parts that depend on it: the kernel's routes reach the chip through both (sonic-swss)."""
FRR_CONTAINER = "bgp"
_RELEASE = re.compile(r"^SONiC Software Version: SONiC(?:-OS-|\.)(\S+)", re.MULTILINE)
_SKU = re.compile(r"^HwSKU: (\S+)", re.MULTILINE)
_SERIAL = re.compile(r"^Serial Number: (\S+)", re.MULTILINE)


def reads(vrfs: Iterable[str]) -> tuple[ReadCommand, ...]:
    """Return every command. None depends on the VRFs, which are kernel devices."""
    del vrfs
    return tuple(
        ReadCommand(part, command, encoding, 0 if part in REFUSED else 1) for part, command, encoding, _ in SOURCES
    )


def vrf_names(device: Device) -> Mapping[str, str]:
    """Return every VRF of a switch, management included: name on SONiC → name in the plan."""
    names = {vrf_name(row.name, row.vni): row.name for row in device.evpn.vrfs} if device.evpn else {}
    return {**names, MANAGEMENT: device.management.vrf} if device.management.vrf else names


def state(outputs: Outputs, names: Mapping[str, str]) -> State:
    """Return the State that the outputs describe.

    Never raises: a part not understood is None, its reason in `unread`.
    """
    linux_outputs, parts = asked.answers(outputs, names), Parts(dict(UNSEEN))

    config = _config(outputs)
    return State(
        facts=parts.take("facts", _facts, outputs, config),
        interfaces=parts.take("interfaces", asked.interfaces, linux_outputs),
        lldp=parts.take("lldp", frr_daemons.lldp, linux_outputs),
        bgp=parts.take("bgp", frr_daemons.bgp, linux_outputs),
        bfd=parts.take("bfd", frr_daemons.bfd, linux_outputs),
        routes=parts.take("routes", asked.routes, linux_outputs),
        vnis=parts.take("vnis", overlay.vnis, linux_outputs),
        evpn=parts.take("evpn", overlay.evpn, linux_outputs),
        counters=parts.take("counters", counters.counters, outputs, config, parts.unread),
        links=parts.take("links", links.link_counters, outputs, parts.unread),
        running=parts.take("running", _running, outputs),
        rules=parts.take("rules", system.rules, linux_outputs),
        daemons=parts.take("daemons", _daemons, linux_outputs, outputs),
        unread=parts.unread,
    )


def _facts(outputs: Outputs, config: Tables | None) -> Facts:
    """Return release and model. The hostname comes from CONFIG_DB, since `show version` has none."""
    text = asked.text(outputs, VERSION)
    release_match = _RELEASE.search(text)
    if release_match is None:
        raise Misread(f"`{VERSION}` does not name a release of SONiC")
    host = (config or {}).get("DEVICE_METADATA", {}).get("localhost", {}).get("hostname", "")
    sku, serial = (match[1] if match else "" for match in (_SKU.search(text), _SERIAL.search(text)))
    return Facts(hostname=str(host), version=release_match[1], model=sku, serial="" if serial == "N/A" else serial)


def _config(outputs: Outputs) -> Tables | None:
    try:
        return tables_in(CommandOutputs(outputs, {}).value(RUNNING))
    except (ValueError, RecursionError):  # of json and Misread
        return None


def _running(outputs: Outputs) -> str:
    """Return CONFIG_DB without secrets, together with FRR's text."""
    value = CommandOutputs(outputs, {}).value(RUNNING)
    tables = tables_in(value)
    if "DEVICE_METADATA" not in tables:
        raise Misread(f"`{RUNNING}` has no DEVICE_METADATA")
    frr_text = value.get(FRR_RUNNING) if isinstance(value, dict) else None
    frr_part = {FRR_RUNNING: frr_text} if isinstance(frr_text, str) else {}
    return text_of({**masked(tables), **frr_part})


def _daemons(linux_outputs: CommandOutputs, outputs: Outputs) -> tuple[Daemon, ...]:
    """Return FRR's daemons and SONiC's containers. If FRR's container is down, none of its daemons runs."""
    running = asked.containers(outputs)
    if FRR_CONTAINER in running:
        daemons = system.daemons(linux_outputs)
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
"""Reader of SONiC 202505 to master."""
