"""Reader of Juniper Junos: commands through NAPALM's own driver, outputs as XML, and the State that they describe.

Each command is in Juniper's RPC models of QFX, 24.4R1. The forms of their outputs were recorded on other systems: on
Junos OS Evolved, which a QFX5130 to QFX5241 runs, and on an EX9214 with EVPN and VXLAN. The tag of each source is
explained in templates/junos/NOTES.md, "Read and pushed".
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.by_hand import PIPED_XML
from fabricgen.platforms.base.live.parts import Parts, answer
from fabricgen.platforms.base.live.reader import TEXT, XML, Outputs, ReadCommand, Reader
from fabricgen.platforms.base.live.values import NotUnderstoodError
from fabricgen.platforms.junos.context import MANAGEMENT
from fabricgen.platforms.junos.live import bgp, ports, routes, vnis
from fabricgen.platforms.junos.live.drift import drift
from fabricgen.platforms.junos.live.text import is_whole
from fabricgen.platforms.junos.live.xml import parsed
from fabricgen.platforms.junos.live.xml import text as word
from fabricgen.state.counts import PortCounter, not_read
from fabricgen.state.state import Facts, Interface, Route, State, Vni

T = TypeVar("T")

VERSION = "show version"
INTERFACES = "show interfaces"
INSTANCES = "show route instance detail"
BUNDLES = "show lacp interfaces"
VLANS = "show vlans"
LLDP = "show lldp neighbors"
BGP = "show bgp neighbor"
BFD = "show bfd session"
ROUTES_IPV4 = "show route table inet.0 active-path"
ROUTES_IPV6 = "show route table inet6.0 active-path"
VRF_IPV4 = "show route table {vrf}.inet.0 detail"
VRF_IPV6 = "show route table {vrf}.inet6.0 detail"
EVPN_ROUTES = routes.EVPN_ROUTES
EVPN_INSTANCES = "show evpn instance extensive"
MAC_VRFS = "show mac-vrf routing instance extensive"
L3_CONTEXTS = "show evpn l3-context"
RUNNING = "show configuration"


class CommandSource(NamedTuple):
    """Part, command, and source of the output's form."""

    part: str
    command: str
    source: str


SOURCES: tuple[CommandSource, ...] = (
    CommandSource("facts", VERSION, "recorded: Batfish lab"),
    CommandSource(
        "interfaces",
        INTERFACES,
        "recorded: Batfish lab and, with more, Evolved 25.2R1; flags of units that are down: NAPALM replies",
    ),
    CommandSource(
        "interfaces", INSTANCES, "Genie parsers, ShowRouteInstanceDetail; where it is refused, no interface can be read"
    ),
    CommandSource(
        "interfaces",
        BUNDLES,
        "Genie parsers, ShowLacpInterfacesInterface; where it is refused, bundles are not verified",
    ),
    CommandSource(
        "interfaces", VLANS, "NAPALM replies, test_get_vlans/vlan_l2ng; where it is refused, VLANs are not verified"
    ),
    CommandSource("lldp", LLDP, "NAPALM replies, test_get_lldp_neighbors"),
    CommandSource(
        "bgp",
        BGP,
        "recorded: Evolved 25.2R1; sessions over links: walk-throughs of links, junos_exporter's local-interface-name",
    ),
    CommandSource(
        "bfd",
        BFD,
        "Genie parsers, ShowBFDSessionDetail; junos_exporter reads the same names; Evolved 25.2R1 has the empty answer",
    ),
    CommandSource("routes", ROUTES_IPV4, "recorded: Batfish lab and Evolved 25.2R1, without `active-path`"),
    CommandSource("routes", ROUTES_IPV6, "recorded: Evolved 25.2R1; refused where nothing has IPv6"),
    CommandSource(
        "routes",
        VRF_IPV4,
        "recorded: Batfish lab in brief, of BGP in detail; that a route of EVPN has it too: public VTEP outputs (text)",
    ),
    CommandSource("routes", VRF_IPV6, "the form of IPv4; refused where the tenant has no IPv6"),
    CommandSource("evpn", EVPN_ROUTES, "recorded: Batfish lab, types 1, 2, 3, 5; type 4 in words: ES"),
    CommandSource("vnis", EVPN_INSTANCES, "recorded: Evolved 25.2R1 (MPLS), junos_exporter's tests of VXLAN"),
    CommandSource(
        "vnis", MAC_VRFS, "recorded Evolved 25.2R1: Evolved's name of the same answer; either may be refused"
    ),
    CommandSource("vnis", L3_CONTEXTS, "junos_exporter's tests; refused where there is no tenant"),
    CommandSource("running", RUNNING, "PyEZ, Device.cli; NAPALM replies, test_get_config"),
)

UNSEEN = {
    "startup": "Junos starts with the last commit: there is no other configuration to compare",
    "qos": "the format in which Junos shows PFC, ECN and the watchdog of the chip is undocumented: drift compares the "
    "lines",
    "counters": "Junos counts per queue, and no output shows which traffic class of the plan uses which queue; marked "
    "packets are counted per port, and the format of pause frames is undocumented",
}

EXTENSIVE = "`show interfaces extensive` has it; no answer of a QFX was recorded, so it is not read"
COUNTS = {
    PortCounter.DROPS: not_read(UNSEEN["counters"]),
    PortCounter.WATCHDOG: not_read("the format in which Junos shows storms of its PFC watchdog is undocumented"),
    PortCounter.CRC: not_read(EXTENSIVE),
    PortCounter.FEC: not_read(EXTENSIVE),
    PortCounter.FLAPS: not_read(EXTENSIVE),
    PortCounter.PFC: not_read(UNSEEN["counters"]),
    PortCounter.ECN: not_read(UNSEEN["counters"]),
}

REFUSED = "RpcError("
"""First characters of PyEZ's error if the switch refused, and never if the connection failed (jnpr/junos/exception.py,
2.8.2)."""


def reads(vrfs: Iterable[str]) -> tuple[ReadCommand, ...]:
    """Return every command; those for tables of tenants once per tenant."""
    tenants = sorted(name for name in vrfs if name != MANAGEMENT)
    return tuple(
        ReadCommand(row.part, command, TEXT if row.command == RUNNING else XML)
        for row in SOURCES
        for command in ([row.command.format(vrf=vrf) for vrf in tenants] if "{vrf}" in row.command else [row.command])
    )


def state(outputs: Outputs, names: Mapping[str, str]) -> State:
    """Return the State in the outputs of `reads`. Total: a part missing or of another form is None and in `unread`."""
    parts = Parts(dict(UNSEEN))

    return State(
        facts=parts.take("facts", answer, outputs, VERSION, _facts),
        interfaces=parts.take("interfaces", _interfaces, outputs, names),
        lldp=parts.take("lldp", answer, outputs, LLDP, ports.adjacencies),
        bgp=parts.take("bgp", answer, outputs, BGP, lambda shown: bgp.bgp(shown, names)),
        bfd=parts.take("bfd", answer, outputs, BFD, bgp.bfd),
        routes=parts.take("routes", _routes, outputs, names),
        vnis=parts.take("vnis", _vnis, outputs, names),
        evpn=parts.take("evpn", answer, outputs, EVPN_ROUTES, routes.evpn),
        running=parts.take("running", answer, outputs, RUNNING, _running),
        unread=parts.unread,
    )


def _refused(outputs: Outputs, command: str) -> bool:
    """Return whether the switch refused the command or printed nothing, as it does if it has nothing to show."""
    output = outputs.get(command)
    return output is not None and (output.error.startswith(REFUSED) or output.value == "")


def _perhaps(outputs: Outputs, command: str, read: Callable[[object], tuple[T, ...]]) -> tuple[T, ...]:
    """Return an answer; () if the switch refuses the command because it has nothing to show."""
    return () if _refused(outputs, command) else answer(outputs, command, read)


def _facts(shown: object) -> Facts:
    information = parsed(shown, "software-information")[0]
    return Facts(
        word(information, "host-name", ""),
        word(information, "junos-version"),
        word(information, "product-model", ""),
        "",
    )


def _running(shown: object) -> str:
    if not isinstance(shown, str) or not shown.strip():
        raise NotUnderstoodError("no text")
    if not is_whole(shown):
        raise NotUnderstoodError("it is cut; where the switch warns of a license, PyEZ gives what stands before that")
    return shown


def _interfaces(outputs: Outputs, names: Mapping[str, str]) -> tuple[Interface, ...]:
    other_outputs = ports.OtherOutputs(
        vrfs=answer(outputs, INSTANCES, lambda shown: ports.instances(shown, names)),
        members=_answer_or_none(outputs, BUNDLES, ports.members),
        vlans=_answer_or_none(outputs, VLANS, ports.vlans),
    )
    return answer(outputs, INTERFACES, lambda shown: ports.interfaces(shown, other_outputs))


def _answer_or_none(outputs: Outputs, command: str, read: Callable[[object], T]) -> T | None:
    """Return an answer; None if it cannot be read, which is reported for each port that should have it."""
    try:
        return answer(outputs, command, read)
    except NotUnderstoodError:
        return None


def _routes(outputs: Outputs, names: Mapping[str, str]) -> tuple[Route, ...]:
    """Return routes of both families of the default table and of each tenant; a missing table has no routes."""

    def table(shown: object) -> tuple[Route, ...]:
        return routes.routes(shown, names)

    all_routes = [*answer(outputs, ROUTES_IPV4, table), *_perhaps(outputs, ROUTES_IPV6, table)]
    for vrf in sorted(name for name in names if name != MANAGEMENT):
        all_routes += answer(outputs, VRF_IPV4.format(vrf=vrf), table)
        all_routes += _perhaps(outputs, VRF_IPV6.format(vrf=vrf), table)
    return tuple(sorted(all_routes))


def _vnis(outputs: Outputs, names: Mapping[str, str]) -> tuple[Vni, ...]:
    """Return VNIs of both kinds. Two commands have the same output under different names; one is enough."""

    def l2(shown: object) -> tuple[Vni, ...]:
        return vnis.l2(shown, names)

    commands = [command for command in (EVPN_INSTANCES, MAC_VRFS) if not _refused(outputs, command)]
    segments = {vni for command in commands for vni in answer(outputs, command, l2)}
    tenants = _perhaps(outputs, L3_CONTEXTS, lambda shown: vnis.l3(shown, names))
    return tuple(sorted({*segments, *tenants}))


def _vrf_names(device: Device) -> Mapping[str, str]:
    """Return the names of VRFs: the management instance has a fixed name, those of tenants are the plan's."""
    return {vrf.name: vrf.name for vrf in device.routing.bgp.vrfs} | {MANAGEMENT: device.management.vrf}


JUNOS = Reader(
    system="junos",
    driver="junos",
    vrf_names=_vrf_names,
    reads=reads,
    state=state,
    drift=drift,
    unseen=UNSEEN,
    by_hand=PIPED_XML,
    counts=COUNTS,
)
