"""FRR on Linux: its read commands, and how their outputs are parsed."""

from collections.abc import Iterable, Mapping

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.by_hand import VTYSH
from fabricgen.platforms.base.live.parts import Parts
from fabricgen.platforms.base.live.reader import JSON, TEXT, Outputs, ReadCommand, Reader
from fabricgen.platforms.frr.live.drift import drift
from fabricgen.platforms.frr.live.files import (
    FILES,
    QUEUES,
    READ_FILES,
    SETTINGS,
    STARTUP,
    files,
    settings,
    shapers,
    startup,
)
from fabricgen.platforms.frr.live.lines import LINES
from fabricgen.platforms.frr.live.tables import NEIGHBORS as STATIC_NEIGHBORS
from fabricgen.platforms.frr.live.tables import macs, neighbors
from fabricgen.platforms.linux.interfaces import management_vrf, vrf_devices
from fabricgen.platforms.linux.live.bridging import BRIDGED
from fabricgen.platforms.linux.live.counters import COUNTED, COUNTS, link_counters
from fabricgen.platforms.linux.live.daemons import BFD, LLDP, NEIGHBORS, VERSION, bfd, bgp, facts, lldp
from fabricgen.platforms.linux.live.decode import CommandOutputs
from fabricgen.platforms.linux.live.interfaces import ADDRESSES, interfaces, within
from fabricgen.platforms.linux.live.overlay import EVPN_ROUTES, FLOOD, VNIS, evpn, vnis
from fabricgen.platforms.linux.live.routes import ROUTES, routes
from fabricgen.platforms.linux.live.system import DAEMONS, RULES, daemons, rules
from fabricgen.state.state import State

RUNNING = "show running-config no-header"

FIRST, SECOND = 1, 2
"""Calls: of the switch, and of its VRFs; the second fails as a whole if a VRF is a device."""

READS = (
    ReadCommand("facts", VERSION, TEXT, FIRST),
    ReadCommand("interfaces", ADDRESSES, JSON, FIRST),
    ReadCommand("lldp", LLDP, JSON, FIRST),
    ReadCommand("bgp", NEIGHBORS, JSON, FIRST),
    ReadCommand("routes", ROUTES, JSON, FIRST),
    ReadCommand("vnis", VNIS, TEXT, FIRST),  # nothing at all, not even JSON, where there is no VTEP
    ReadCommand("vnis", FLOOD, JSON, FIRST),
    ReadCommand("vnis", BRIDGED, JSON, FIRST),
    ReadCommand("evpn", EVPN_ROUTES, JSON, FIRST),
    ReadCommand("running", RUNNING, TEXT, FIRST),
    *(ReadCommand("rules", command, JSON, FIRST) for command in RULES),
    ReadCommand("daemons", DAEMONS, TEXT, FIRST),
    ReadCommand("startup", STARTUP, TEXT, FIRST),
    *(ReadCommand("files", command, TEXT, FIRST) for command in READ_FILES),
    ReadCommand("settings", SETTINGS, TEXT, FIRST),
    ReadCommand("shapers", QUEUES, JSON, FIRST),
    ReadCommand("links", COUNTED, JSON, FIRST),
    ReadCommand("static_neighbors", STATIC_NEIGHBORS, JSON, FIRST),
    ReadCommand("bfd", BFD, JSON),  # an error without bfdd, after which vtysh shows nothing more
)
PER_VRF = (
    ("interfaces", ADDRESSES),
    ("routes", ROUTES),
    ("vnis", FLOOD),
    *(("rules", rule) for rule in RULES),
    ("shapers", QUEUES),
    ("static_neighbors", STATIC_NEIGHBORS),
)
"""Sent again for each VRF, which may be a network namespace. If it is a device, they cause an expected error."""

UNSEEN = {
    "qos": "priority flow control and marking are the port driver's on Linux, and no file of this platform sets them",
    "counters": "Linux counts neither pause frames nor marks by priority in a way that all drivers share",
    "beside": "only frr.conf, interfaces and sysctl.conf are compared; daemons, lldpd.conf and other files are not",
}


def vrf_names(device: Device) -> Mapping[str, str]:
    """Every VRF of a switch, including management: device name → name in the plan."""
    names = {row.name: row.tenant for row in vrf_devices(device)}
    if device.management.vrf:
        names[management_vrf(device)] = device.management.vrf
    return names


def reads(vrfs: Iterable[str]) -> tuple[ReadCommand, ...]:
    """Commands for a switch with these VRFs."""
    per_vrf = [ReadCommand(part, within(command, vrf), JSON, SECOND) for vrf in vrfs for part, command in PER_VRF]
    return (*READS, *per_vrf)


def state(outputs: Outputs, names: Mapping[str, str]) -> State:
    """State from the outputs. Never raises: a part that is not understood is None, and `unread` says why."""
    answers, parts = CommandOutputs(outputs, names), Parts(dict(UNSEEN))

    return State(
        facts=parts.take("facts", facts, answers),
        interfaces=parts.take("interfaces", interfaces, answers),
        lldp=parts.take("lldp", lldp, answers),
        bgp=parts.take("bgp", bgp, answers),
        bfd=parts.take("bfd", bfd, answers),
        routes=parts.take("routes", routes, answers),
        vnis=parts.take("vnis", vnis, answers),
        evpn=parts.take("evpn", evpn, answers),
        running=parts.take("running", answers.text, RUNNING),
        rules=parts.take("rules", rules, answers),
        daemons=parts.take("daemons", daemons, answers),
        startup=parts.take("startup", startup, answers),
        files=parts.take("files", files, answers),
        settings=parts.take("settings", settings, answers),
        shapers=parts.take("shapers", shapers, answers),
        links=parts.take("links", link_counters, answers),
        static_macs=parts.take("static_macs", macs, answers),
        static_neighbors=parts.take("static_neighbors", neighbors, answers),
        unread=parts.unread,
    )


FRR = Reader(
    system="frr",
    driver="frr",
    vrf_names=vrf_names,
    reads=reads,
    state=state,
    drift=drift,
    lines=LINES,
    unseen=UNSEEN,
    files=tuple(FILES),
    by_hand=VTYSH,
    counts=COUNTS,
)
"""Reader of FRR 8.4 on Linux."""
