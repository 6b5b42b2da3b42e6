"""How Arista EOS is read: commands for NAPALM's own driver, and how their outputs are parsed.

NAPALM uses version 1 of eAPI, which is the first revision of every command's model (ANTA, docs/advanced_usages/
custom-tests.md). Its `cli` hides why a switch refused a command, so all refusals look the same here.

Not read: `show vxlan config-sanity`, whose categories no source lists, and what EOS shows as text only: thresholds of
ECN, PFC by port, the watchdog. The lines that set those are compared as drift; whether the chip accepted them is not
visible.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from fabricgen.platforms.base.live.by_hand import PIPED_JSON
from fabricgen.platforms.base.live.parts import Parts, answer
from fabricgen.platforms.base.live.reader import JSON, TEXT, Outputs, ReadCommand, Reader
from fabricgen.platforms.base.live.values import NotUnderstoodError, table, whole_text, word
from fabricgen.platforms.eos.live import bgp, counters, interfaces, routing
from fabricgen.platforms.eos.live.drift import drift
from fabricgen.platforms.eos.live.lines import LINES
from fabricgen.platforms.eos.live.switchport import Vlans, switchports
from fabricgen.state.state import (
    LINKS,
    MARKS,
    QUEUE_DROPS,
    BgpState,
    Facts,
    Interface,
    LinkCounters,
    PortCounters,
    Route,
    State,
)

T = TypeVar("T")

VERSION = "show version"
HOSTNAME = "show hostname"
INTERFACES = "show interfaces"
INTERFACES_IPV6 = "show ipv6 interface"
VRFS = "show vrf"
SWITCHPORTS = "show interfaces switchport"
LLDP = "show lldp neighbors detail"
BGP_SUMMARY = "show bgp summary vrf all"
BGP_IPV4 = "show ip bgp neighbors vrf all"
BGP_IPV6 = "show ipv6 bgp peers vrf all"
BFD = "show bfd peers"
ROUTES_IPV4 = "show ip route vrf all"
ROUTES_IPV6 = "show ipv6 route vrf all"
EVPN_ROUTES = "show bgp evpn"
PFC = "show priority-flow-control counters"
ECN = "show qos interfaces ecn counters queue"
FIXED_DROPS = "show interfaces counters queue detail"
VIRTUAL_DROPS = "show interfaces counters queue drops"
WATCHDOG = "show priority-flow-control counters watchdog"
MAINTENANCE = "show maintenance"
RUNNING = "show running-config sanitized"

SOURCES: tuple[tuple[str, str, str], ...] = (
    ("facts", VERSION, "recorded"),
    ("facts", HOSTNAME, "NAPALM's own get_facts"),
    ("interfaces", INTERFACES, "recorded; VNIs too"),
    ("interfaces", INTERFACES_IPV6, "NAPALM's own get_interfaces_ip: refused where no interface has IPv6"),
    ("interfaces", VRFS, "recorded"),
    ("interfaces", SWITCHPORTS, "internap/fake-switches, tests/arista; where it is refused, VLANs are not verified"),
    ("lldp", LLDP, "ANTA VerifyLLDPNeighbors, revision 1; NAPALM's get_lldp_neighbors_detail"),
    ("bgp", BGP_SUMMARY, "ANTA VerifyBGPPeerCount, revision 1"),
    ("bgp", BGP_IPV4, "recorded; peers with IPv4 addresses only"),
    ("bgp", BGP_IPV6, "NAPALM's own get_bgp_neighbors"),
    ("bfd", BFD, "ANTA VerifyBFDPeersHealth, revision 1"),
    ("routes", ROUTES_IPV4, "recorded"),
    ("routes", ROUTES_IPV6, "a public tool's driver checked on cEOS 4.34.8M: the form of IPv4"),
    ("evpn", EVPN_ROUTES, "recorded for types 3 and 5; the others by the text of their keys"),
    ("counters", PFC, "ANTA VerifyInterfacesPFCCounters, revision 3; the first one's form was not seen"),
    ("counters", ECN, "ANTA VerifyInterfacesECNCounters, revision 1"),
    ("counters", FIXED_DROPS, "ANTA VerifyInterfacesEgressQueueDrops, revision 1"),
    ("counters", VIRTUAL_DROPS, "ANTA VerifyInterfacesVoqAndEgressQueueDrops, revision 1"),
    ("links", WATCHDOG, "facebook/DNE-TaaC, its check of the PFC watchdog; unsure: no recorded answer"),
    ("maintenance", MAINTENANCE, "ANTA VerifyMaintenance, revision 1"),
    ("running", RUNNING, "NAPALM's own get_config"),
)
"""Part, command, and the source of its form. Recorded: batfish/lab-validation, EOS 4.23.0.1F and 4.36.0.1F."""

UNSEEN = {
    "startup": "the startup configuration of EOS is not read: a push saves what it confirms",
    "qos": "EOS shows PFC settings and ECN thresholds only as text of an undocumented format: drift compares their "
    "lines, and counters show whether a queue marks at all",
}

OUT_OF_SERVICE = ("underMaintenance", "maintenanceModeEnter")
"""States of a maintenance unit (ANTA VerifyMaintenance)."""

_REFUSED = "Invalid command"
"""Message of NAPALM's `cli` if the switch refused, and never if the transport failed."""


def reads(vrfs: Iterable[str]) -> tuple[ReadCommand, ...]:
    """Every command; none depends on the VRFs, because EOS shows them all at once."""
    del vrfs
    return tuple(ReadCommand(part, command, TEXT if command == RUNNING else JSON) for part, command, _ in SOURCES)


def state(outputs: Outputs, names: Mapping[str, str]) -> State:
    """State from the outputs of `reads`. Never raises: a part that is not understood is None and in `unread`."""
    parts = Parts(dict(UNSEEN))

    return State(
        facts=parts.take("facts", _facts, outputs),
        interfaces=parts.take("interfaces", _interfaces, outputs, names),
        lldp=parts.take("lldp", _parsed, outputs, LLDP, interfaces.adjacencies),
        bgp=parts.take("bgp", _bgp, outputs, names),
        bfd=parts.take("bfd", _parsed, outputs, BFD, lambda output: routing.bfd(output, names)),
        routes=parts.take("routes", _routes, outputs, names),
        vnis=parts.take("vnis", _parsed, outputs, INTERFACES, lambda output: interfaces.vnis(output, names)),
        evpn=parts.take("evpn", _parsed, outputs, EVPN_ROUTES, routing.evpn),
        counters=parts.take("counters", _counters, outputs, parts.unread),
        links=parts.take("links", _links, outputs, parts.unread),
        maintenance=parts.take("maintenance", _maintenance, outputs),
        running=parts.take("running", _parsed, outputs, RUNNING, whole_text),
        unread=parts.unread,
    )


def _parsed(outputs: Outputs, command: str, read: Callable[[object], T]) -> T:
    """What `read` makes of one output. Raises NotUnderstoodError, naming the command."""
    if _refused(outputs, command):
        raise NotUnderstoodError(f"{command}: the switch refused it")
    return answer(outputs, command, read)


def _same(output: object) -> object:
    return output


def _refused(outputs: Outputs, command: str) -> bool:
    """Whether the switch itself refused, as it does if it has nothing to show."""
    output = outputs.get(command)
    return output is not None and _REFUSED in output.error


def _facts(outputs: Outputs) -> Facts:
    """Host name, release and model. Without `show hostname`, the name is from the configuration."""
    version = _parsed(outputs, VERSION, _same)
    host = outputs.get(HOSTNAME)
    name = word(host.value, "hostname", "") if host is not None and isinstance(host.value, Mapping) else ""
    running = outputs.get(RUNNING)
    if not name and running is not None and isinstance(running.value, str):
        name = next((line[9:].strip() for line in running.value.splitlines() if line.startswith("hostname ")), "")
    return Facts(name, word(version, "version"), word(version, "modelName", ""), word(version, "serialNumber", ""))


def _interfaces(outputs: Outputs, names: Mapping[str, str]) -> tuple[Interface, ...]:
    vrfs = _parsed(outputs, VRFS, _same)
    ipv6 = {} if _refused(outputs, INTERFACES_IPV6) else _parsed(outputs, INTERFACES_IPV6, _same)
    ports = _parsed(outputs, INTERFACES, lambda output: interfaces.interfaces(output, ipv6, vrfs, names))
    vlans = _switchports(outputs)
    return tuple(port._replace(vlans=vlans.get(port.name)) for port in ports)


def _switchports(outputs: Outputs) -> Mapping[str, Vlans]:
    """VLANs by port; empty if unreadable: then a finding is reported for each port that should have VLANs."""
    try:
        return _parsed(outputs, SWITCHPORTS, switchports)
    except NotUnderstoodError:
        return {}


def _bgp(outputs: Outputs, names: Mapping[str, str]) -> BgpState:
    """Sessions from the summary; a release that refuses it has the lists of both families."""
    if not _refused(outputs, BGP_SUMMARY):
        return _parsed(outputs, BGP_SUMMARY, lambda output: bgp.from_summary(output, names))
    lists = tuple(_parsed(outputs, command, _same) for command in (BGP_IPV4, BGP_IPV6))
    try:
        return bgp.from_neighbors(lists, names)
    except NotUnderstoodError as problem:
        raise NotUnderstoodError(f"{BGP_IPV4}, {BGP_IPV6}: {problem}") from None


def _routes(outputs: Outputs, names: Mapping[str, str]) -> tuple[Route, ...]:
    """Routes of both families; a switch that refuses the IPv6 command has no IPv6 routes."""

    def family(output: object) -> tuple[Route, ...]:
        return routing.routes(output, names)

    ipv4 = _parsed(outputs, ROUTES_IPV4, family)
    ipv6 = () if _refused(outputs, ROUTES_IPV6) else _parsed(outputs, ROUTES_IPV6, family)
    return tuple(sorted((*ipv4, *ipv6)))


def _counters(outputs: Outputs, unread: dict[str, str]) -> tuple[PortCounters, ...]:
    """Counters of queues. A chip refuses what it does not count, so a refused command has no counters.

    unread  gets the reason for marks or drops, if only one of both could not be read
    """
    # A virtual switch has no queues, whatever it shows; one without a model name counts as hardware.
    version_output = outputs.get(VERSION)
    version = version_output.value if version_output is not None else None
    if isinstance(version, Mapping) and version.get("modelName") in counters.VIRTUAL:
        return ()
    frames, _ = _counted(outputs, {PFC: counters.frames})
    marks, no_marks = _counted(outputs, {ECN: counters.marks})
    drops, no_drops = _counted(outputs, {FIXED_DROPS: counters.fixed_drops, VIRTUAL_DROPS: counters.virtual_drops})
    if no_marks and no_drops:
        raise NotUnderstoodError(f"{no_marks}; {no_drops}")
    unread |= {part: reason for part, reason in ((MARKS, no_marks), (QUEUE_DROPS, no_drops)) if reason}
    return counters.counters(counters.joined(frames), counters.joined(marks), counters.worst(drops))


def _links(outputs: Outputs, unread: dict[str, str]) -> tuple[LinkCounters, ...]:
    """Counters of links. unread: gets the reason if the watchdog could not be read."""
    try:
        stuck = _parsed(outputs, WATCHDOG, counters.stuck)
    except NotUnderstoodError as problem:
        unread[LINKS["watchdog"]] = str(problem)
        stuck = None
    return _parsed(outputs, INTERFACES, lambda output: counters.links(output, stuck))


def _counted(
    outputs: Outputs, reads: Mapping[str, Callable[[object], Mapping[str, T]]]
) -> tuple[list[Mapping[str, T]], str]:
    """Tables by port of the commands that worked; if all are empty, why others failed that were not refused."""
    tables: list[Mapping[str, T]] = []
    reasons: list[str] = []
    for command, read in reads.items():
        try:
            if not _refused(outputs, command):
                tables.append(_parsed(outputs, command, read))
        except NotUnderstoodError as problem:
            reasons.append(str(problem))
    return tables, "" if any(tables) else "; ".join(reasons)


def _maintenance(outputs: Outputs) -> tuple[str, ...] | None:
    """Units that are out of service or about to be, with their state. Old releases refuse the command: None."""
    if _refused(outputs, MAINTENANCE):
        return None
    states = _parsed(
        outputs,
        MAINTENANCE,
        lambda output: {name: word(unit, "state") for name, unit in table(output, "units").items()},
    )
    return tuple(sorted(f"unit {name}: {state}" for name, state in states.items() if state in OUT_OF_SERVICE))


EOS = Reader(
    system="eos",
    driver="eos",
    reads=reads,
    state=state,
    drift=drift,
    lines=LINES,
    unseen=UNSEEN,
    by_hand=PIPED_JSON,
    counts=counters.COUNTS,
)
