"""How NVIDIA Cumulus Linux is read: the kernel, FRR by vtysh, lldpd, and NVUE for what none of those shows.

The parsers of the platform `frr` read the outputs of FRR, the kernel and lldpd; the other modules of this folder have
what differs on Cumulus. The driver runs vtysh, iproute2 and lldpcli with sudo, and `nv` as the user who logs in.
"""

from collections.abc import Iterable, Mapping

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.by_hand import VTYSH
from fabricgen.platforms.base.live.parts import Parts
from fabricgen.platforms.base.live.reader import JSON, TEXT, Outputs, ReadCommand, Reader
from fabricgen.platforms.cumulus.live.drift import drift
from fabricgen.platforms.cumulus.live.kernel import ADDRESSES, NEXTHOPS, ROUTES, interfaces, routes, rules
from fabricgen.platforms.cumulus.live.system import (
    MAINTENANCE,
    NEIGHBORS,
    RUNNING,
    SYSTEM,
    bfd,
    daemons,
    facts,
    maintenance,
)
from fabricgen.platforms.cumulus.names import vrf_names as tenant_vrfs
from fabricgen.platforms.linux.live.bridging import BRIDGED
from fabricgen.platforms.linux.live.counters import COUNTED, FLAPS, link_counters
from fabricgen.platforms.linux.live.daemons import LLDP, bgp, lldp
from fabricgen.platforms.linux.live.decode import CommandOutputs
from fabricgen.platforms.linux.live.overlay import EVPN_ROUTES, FLOOD, VNIS, evpn, vnis
from fabricgen.platforms.linux.live.system import DAEMONS, RULES
from fabricgen.state.counts import PortCounter, not_read
from fabricgen.state.state import LinkCounters, State

TOGETHER = 1
"""Call number of vtysh's commands and the programs; each call of `nv` is its own."""

DOCS = "github.com/CumulusNetworks/docs, 2026-11-22: "
FRR_FORM = "FRR's own, as the platform frr reads it"
SUZIEQ = "github.com/netenglabs/suzieq, suzieq/config (24faf597), which asks it of Cumulus"

SOURCES: tuple[tuple[str, str, str], ...] = (
    ("facts", SYSTEM, "github.com/NVIDIA/nv-config-manager, its client of Cumulus: hostname, product-release of 5.11"),
    ("interfaces", ADDRESSES, "iproute2 6.1.0, seen; Cumulus 5.11 has Debian 12's"),
    ("lldp", LLDP, "lldpd's json0, as the platform frr reads it; lldpd is Cumulus' own (511 LLDP 34f2d641)"),
    ("bgp", NEIGHBORS, f"{FRR_FORM}; {SUZIEQ}"),
    ("bfd", NEIGHBORS, f"{DOCS}511 BFD, Show BFD with BGP; FRR's lib/bfd.c and topotests (fbfc8222)"),
    ("routes", ROUTES, "iproute2 6.1.0, seen"),
    ("routes", NEXTHOPS, "iproute2 6.1.0, seen; of use where routes name objects alone"),
    ("vnis", VNIS, f"{DOCS}511 EVPN, show evpn vni detail; {SUZIEQ}"),
    ("vnis", FLOOD, f"{DOCS}511 EVPN, bridge fdb show of single VXLAN devices; iproute2 6.1.0, seen"),
    ("vnis", BRIDGED, "iproute2 6.1.0 on a VLAN-aware bridge, as the platform frr reads it"),
    ("evpn", EVPN_ROUTES, FRR_FORM),
    ("running", RUNNING, f"{DOCS}511 NVUE CLI (0bbf81aa), NVUE reference Config Commands (0defdbf3)"),
    ("rules", RULES[0], f"iproute2 6.1.0, seen; {DOCS}511 Management VRF (34821c20) for the system's own"),
    ("rules", RULES[1], "as for IPv4"),
    ("daemons", DAEMONS, FRR_FORM),
    ("links", COUNTED, "iproute2 6.1.0, seen; switchd gives the kernel the state of each port"),
    ("maintenance", MAINTENANCE, f"{DOCS}NVUE reference, System: words of the table; that of its JSON was not seen"),
    ("maintenance", RUNNING, f"{DOCS}514 Maintenance Mode 41fa58e7, 513 What's New 0369ee4d: configured from 5.13 on"),
)
"""Part, command, and the source of its form."""

TEXTS = frozenset({VNIS, RUNNING, DAEMONS})
"""Read as text; VNIs because zebra prints nothing at all, not even JSON, without a VTEP."""

UNSEEN = {
    "static_neighbors": "manual entries in the kernel's MAC and neighbor tables are not read",
    "startup": "the startup configuration, /etc/nvue.d/startup.yaml, is not read: a push saves it when it confirms",
    "qos": "NVUE shows PFC, ECN and the watchdog per port, in undocumented JSON: drift compares the applied "
    "configuration",
    "counters": "pause frames and marks are shown per port (`nv show interface swp1 counters qos`), in undocumented "
    "JSON",
}

NVUE_ALONE = UNSEEN["counters"]
COUNTS = {
    PortCounter.DROPS: not_read(NVUE_ALONE),
    PortCounter.WATCHDOG: not_read(NVUE_ALONE),
    PortCounter.CRC: not_read(
        "switchd adds hardware errors to the kernel's counters; no source says which counter has which errors"
    ),
    PortCounter.FEC: not_read("`nv show interface swp1 link phy` shows it per port, in undocumented JSON"),
    PortCounter.FLAPS: FLAPS,
    PortCounter.PFC: not_read(NVUE_ALONE),
    PortCounter.ECN: not_read(NVUE_ALONE),
}


def vrf_names(device: Device) -> Mapping[str, str]:
    """VRFs of a switch, including management: name on the switch → name in the plan."""
    names = {device_name: tenant for tenant, device_name in tenant_vrfs(device).items()}
    return {**names, "mgmt": device.management.vrf or "mgmt"}


def reads(vrfs: Iterable[str]) -> tuple[ReadCommand, ...]:
    """Every command; none depends on the VRFs, which are devices of one kernel."""
    del vrfs
    parts = {command: part for part, command, _ in reversed(SOURCES)}
    return tuple(_read(parts[command], command) for command in dict.fromkeys(command for _, command, _ in SOURCES))


def _read(part: str, command: str) -> ReadCommand:
    encoding = TEXT if command in TEXTS else JSON
    return ReadCommand(part, command, encoding, 0 if command.startswith("nv ") else TOGETHER)


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
        vnis=parts.take("vnis", vnis, answers, shared_device=True),
        evpn=parts.take("evpn", evpn, answers),
        running=parts.take("running", answers.text, RUNNING),
        rules=parts.take("rules", rules, answers),
        daemons=parts.take("daemons", daemons, answers),
        maintenance=parts.take("maintenance", maintenance, answers),
        links=parts.take("links", _link_counters, answers),
        unread=parts.unread,
    )


def _link_counters(answers: CommandOutputs) -> tuple[LinkCounters, ...]:
    """Link changes only."""
    return tuple(counters._replace(crc=None) for counters in link_counters(answers))


CUMULUS = Reader(
    system="cumulus",
    driver="cumulus",
    vrf_names=vrf_names,
    reads=reads,
    state=state,
    drift=drift,
    unseen=UNSEEN,
    by_hand=VTYSH,
    counts=COUNTS,
)
"""Reader of Cumulus Linux 5.11. It has no `lines`: no kind of change has a cost here (platforms/base/unpriced.py)."""
