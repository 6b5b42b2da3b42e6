"""Why PFC cannot deadlock a fabric, or how it can: the graph of buffers, its premises, and what one stuck NIC stops.

The graph is of the text that is rendered: every switch is rendered and read back. A premise that does not hold, or a
line that nobody understands, leaves the answer open. Source of the conditions: Dally and Seitz, IEEE Trans. Computers
C-36 (1987); Guo et al., SIGCOMM 2016 (flooding and pause storms); Hu et al., HotNets 2016 (a circle of buffers is
necessary for a deadlock).
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from fabricgen.audit.buffers import Proof, prove
from fabricgen.audit.gathered import GatheredSite
from fabricgen.audit.nics import SERVER_ROLES
from fabricgen.audit.onward import DISCARD, Layers, port_to
from fabricgen.audit.parts import parts_of
from fabricgen.audit.representatives import sample
from fabricgen.audit.site_view import End, SiteView
from fabricgen.audit.switch import audited
from fabricgen.audit.views import TIERS, Lossless
from fabricgen.base.text import counted, listed
from fabricgen.checks.lossless.lossless_switches import LosslessSwitch, boxes
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.errors import FabricError, Problem
from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.lossless import RenderedLossless, RenderedWatchdog
from fabricgen.policy.buffers import queue_limit_octets
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.resolve.lossless import CONGESTED_QUEUES
from fabricgen.resolve.profiles import LINK_ROLES

LAYERS = (
    ("the AS-loop check", Layers(marks=False, prefixes=False)),
    ("routes from above are marked and not sent up", Layers(loop_check=False, prefixes=False)),
    ("a leaf announces only its own prefixes", Layers(loop_check=False, marks=False)),
)
"""What keeps routes from going up again, each left alone."""
STAGES = (
    ("leaf", "its leaf pauses the ports on which packets to it arrive"),
    ("spine", "spines pause the ports of leaves that send to it"),
    ("superspine", "superspines pause spines"),
)
"""Tiers in the order in which they stand still."""
WATCHDOG = "pfc-watchdog"
"""The capability of a system."""
JUDGED_BY = "fabricgen render INTENT -o FOLDER --audit"
"""What reads raw lines, too."""
OCTET, GIGA = 8, 10**9
MILLI = 1000


@dataclass(frozen=True)
class _Fabric:
    """A fabric with a lossless class. site: by the rendered text; odd: switches whose text is not what is planned."""

    name: str
    switches: list[Device]
    site: SiteView
    odd: list[str]

    @cached_property
    def ports(self) -> list[Ethernet]:
        """Ports of the lossless class."""
        return [
            port
            for device in self.switches
            for port in device.interfaces.ethernet
            if port.headroom_octets or port.profile.qos
        ]

    @cached_property
    def maps(self) -> set[Lossless]:
        """Maps of DSCP, queue and priority of all lossless ports."""
        switches = self.site.switches.values()
        return {port.lossless for switch in switches for port in switch.ports.values() if port.lossless[0]}

    @cached_property
    def through_servers(self) -> list[str]:
        """Sessions and static routes over a lossless port to no switch: the switch, and the peer or the prefix."""
        return [*_through_servers(self.site)]

    @cached_property
    def rendered(self) -> dict[str, RenderedLossless]:
        """Switch → its lossless class as its system rounds it."""
        return {device.name: rendered for device in self.switches if (rendered := _rendered(device)) is not None}


def lossless_answers(plan: Plan) -> tuple[Answer, ...]:
    """An answer for each fabric with a lossless class, and for each other one whose switches have raw lines.

    Raises FabricError where no fabric has a lossless class.
    """
    by_fabric: dict[str, list[Device]] = {}
    raw: Counter[str] = Counter()
    for device in devices(plan):
        if device.qos is not None:
            by_fabric.setdefault(device.fabric, []).append(device)
        raw[device.fabric] += bool(device.raw)
    lossless = {name: found for name, found in by_fabric.items() if _has_class(found)}
    added = {name: count for name, count in raw.items() if count and name not in lossless}
    if not lossless:
        raise FabricError([_nothing_planned(added)])
    answers = (_answer(plan, _read(plan.fabrics[name], name, found)) for name, found in lossless.items())
    return (*answers, *(_not_judged(name, count) for name, count in added.items()))


def _nothing_planned(added: Collection[str]) -> Problem:
    """No fabric has a lossless class. added: those whose switches have raw lines."""
    why, fix = "no fabric plans PFC: nothing to prove", "omit --lossless, or set transport: roce-lossless in a fabric"
    if added:
        names = listed(added)
        why += f". Lines of the intent's own (`raw`) may turn PFC on in {names}: this proof does not read them there"
        fix += f"; for {names} type `{JUDGED_BY}`"
    return Problem(code="no-lossless", what="the intent has no lossless class", why=why, fix=fix)


def _not_judged(fabric: str, count: int) -> Answer:
    """A fabric that plans no PFC, with as many switches that have raw lines."""
    which = f"{counted(count, 'switch')} with lines of the intent's own (`raw`), which may turn PFC on"
    lines = (AnswerLine("not judged", which), AnswerLine("judged by", JUDGED_BY, "property no-buffer-cycle"))
    return Answer("lossless", f"{fabric}: no PFC is planned; raw lines are no part of this proof", lines)


def _has_class(switches: list[Device]) -> bool:
    return any(profile.lossless_priorities for device in switches if device.qos for profile in device.qos.profiles)


def _read(fabric: FabricPlan, name: str, switches: list[Device]) -> _Fabric:
    """Render all switches of a fabric with the built-in templates, and read them back."""
    renderer, site, odd = Renderer(), GatheredSite(), list[str]()
    names = frozenset(device.name for device in switches)
    for device in switches:
        audit = audited(device, {file.name: file.text for file in renderer.render(device)}, filled=False)
        site.add(fabric, device, audit, names)
        odd += [] if audit.is_exact else [device.name]
    return _Fabric(name, switches, site.sides()[0], odd)


def _answer(plan: Plan, fabric: _Fabric) -> Answer:
    part = sample(fabric.site)
    proof = prove(part.site, fabric.name, bridged=False)
    open_points = tuple(_open_points(fabric, part.site, proof))
    lines = (
        *_graph(proof, part.examined, part.switches),
        *_layers(part.site, fabric.name),
        *(AnswerLine("not proven", point) for point in open_points),
        *_conditions(fabric),
        *_watchdogs(fabric),
        *_stuck_nic(plan, fabric),
    )
    return Answer("lossless", f"{fabric.name}: {_verdict(proof, open_points)}", lines)


def _verdict(proof: Proof, open_points: tuple[str, ...]) -> str:
    if proof.cycle is not None:
        return "PFC can deadlock"
    if open_points:
        return "no cycle of buffers, but that PFC cannot deadlock is not proven"
    return "PFC cannot deadlock while every NIC takes its packets"


def _open_points(fabric: _Fabric, site: SiteView, proof: Proof) -> Iterator[str]:
    """What keeps a graph without a circle from being a proof. site: the switches of which the graph is made."""
    if not proof.channels and fabric.site.cables:
        yield "no route leads from switch to switch, though cables do"
    if fabric.odd:
        yield f"text of {listed(fabric.odd)}: it differs from the plan, or nobody understands it all (see `audit`)"
    switched = _switched_links(fabric.ports)
    if switched:
        yield f"{counted(switched, 'port')} of the class are switched: a flooded packet goes where no route leads"
    turned = prove(site, fabric.name).cycle if proof.cycle is None else None
    if turned is not None:
        yield (
            f"a network is a VLAN of several leaves: a packet to a server whose host route is missing, as that of one "
            f"that was silent or has moved, may come down to one of them and go up to another: {turned.text}"
        )
    if len(fabric.maps) > 1:
        yield f"{len(fabric.maps)} maps of DSCP, queue and priority: a packet may change its class on the way"
    if fabric.through_servers:
        yield f"a session or route leads through a server port: {listed(fabric.through_servers)}"


def _through_servers(site: SiteView) -> Iterator[str]:
    """Sessions and static routes over a lossless port to no switch: the switch, and the peer or the prefix."""
    for switch in site.switches.values():
        servers = {
            name
            for name, port in switch.ports.items()
            if port.lossless[0] and End(switch.name, name) not in site.cables
        }
        joined = {(row.near.vrf, row.near.peer): row.over for row in site.sessions_of(switch.name)}
        peers = ((row.vrf, joined.get((row.vrf, row.peer), row.peer), row.peer) for row in switch.sessions)
        hops = ((vrf, hop, prefix) for (vrf, prefix), (hop, _) in switch.statics.items() if hop != DISCARD)
        yield from (
            f"{switch.name} {what}"
            for vrf, hop, what in chain(peers, hops)
            if hop and port_to(switch, vrf, hop) in servers
        )


def _graph(proof: Proof, examined: int, switches: int) -> Iterator[AnswerLine]:
    of = f"two switches of each kind, {examined} of {switches}" if examined < switches else f"all {switches} switches"
    verdict = "no cycle" if proof.cycle is None else f"a cycle: {proof.cycle.text}"
    if not proof.channels:
        verdict += ": no route leads from switch to switch"
    formula = (
        f"from the rendered text of {of}: every route that a policy lets through at any moment, whatever has failed"
    )
    yield AnswerLine(
        "graph",
        f"{proof.channels} buffers, {proof.edges} {'dependency' if proof.edges == 1 else 'dependencies'}, {verdict}",
        formula,
    )
    if proof.cycle is not None:
        at = f"{proof.cycle.at.file}:{proof.cycle.at.line}"
        yield AnswerLine("turn", f"{proof.cycle.turn} sends up again what came down: its line {at} permits it")


def _layers(site: SiteView, fabric: str) -> Iterator[AnswerLine]:
    """Which of the three layers is enough alone, and what happens without each of those that are needed."""
    alone = [name for name, layers in LAYERS if prove(site, fabric, layers, bridged=False).cycle is None]
    words = f"each of these rules alone is enough: {', '.join(alone)}" if alone else "no rule alone is enough"
    yield AnswerLine(
        "no way up", words, f"{len(alone)} of {len(LAYERS)} rules by which a packet that came down never goes up again"
    )
    without = prove(site, fabric, Layers(loop_check=False), bridged=False).cycle
    if without is not None:
        why = "a moment after a link is lost, before its routes are withdrawn"
        yield AnswerLine("no way up", f"the AS-loop check is needed; without it {without.text}", why)


def _conditions(fabric: _Fabric) -> Iterator[AnswerLine]:
    """What must hold besides, for a graph without a circle to mean that there is no deadlock."""
    ports, site = fabric.ports, fabric.site
    switched = sum(port.switching is not None for port in ports)
    to_switches = _switched_links(ports)
    if switched > to_switches:
        yield AnswerLine(
            "switched",
            f"{len(ports):,} ports of the class, {switched:,} of them switch packets, {to_switches} towards switches",
            "what a server floods leaves by server ports and tunnels; what comes by a tunnel by server ports alone "
            "(split horizon). One slow server of a VLAN then pauses all that flood to it",
        )
    else:
        yield AnswerLine(
            "routed only",
            f"{len(ports):,} ports of the class, {switched} of them switch packets",
            "a port that switches could flood a packet to where no route leads (check lossless-bridged)",
        )
    priorities = {row.lossless_priorities for device in fabric.switches if device.qos for row in device.qos.profiles}
    words = ", ".join(" ".join(map(str, sorted(row))) for row in sorted(priorities) if row)
    shared = any(len(row) > 1 for row in priorities)
    yield AnswerLine(
        "own buffers",
        f"lossless priority {words}" + (", more than one in a port" if shared else ""),
        "headroom per port and priority; two classes in one pool could wait for each other",
    )
    yield AnswerLine(
        "same class",
        f"{counted(len(fabric.maps), 'map')} of DSCP, queue and priority on all ports",
        "with one map a packet keeps its class on the way, so one graph is enough (check marking-differs)",
    )
    servers = sum(port.profile.role in SERVER_ROLES and port.enabled for port in ports)
    yield AnswerLine(
        "hosts",
        f"{servers:,} server ports in service, {len(fabric.through_servers)} BGP sessions or routes to a server",
        "a server forwards no packets; for a server that accepts none, see watchdog",
    )
    level = sum(site.switches[near.switch].tier == site.switches[far.switch].tier for near, far in site.cables.items())
    yield AnswerLine("within a tier", f"{level // 2} links", "such a link would be one more way for packets")
    yield AnswerLine(
        "not shown here",
        "what a chip does with a packet of the class whose ARP entry is incomplete: it must drop it, not flood it",
        "Guo et al., SIGCOMM 2016",
    )


def _switched_links(ports: list[Ethernet]) -> int:
    """Ports of the class between switches that switch packets."""
    return sum(port.switching is not None and port.profile.role in LINK_ROLES for port in ports)


def _rendered(device: Device) -> RenderedLossless | None:
    """The lossless class as the system of a switch rounds it; None without one."""
    if device.qos is None:
        return None
    mtu = max((port.profile.mtu for port in device.interfaces.ethernet), default=0)
    return PLATFORMS[device.system].rendered(device.hardware, device.qos, mtu)


def _watchdogs(fabric: _Fabric) -> Iterator[AnswerLine]:
    """What ends the pauses of a NIC that takes nothing any more, and after how long; other times and systems apart."""
    systems = {device.name: device.system for device in fabric.switches}
    kinds = Counter((systems[name], rendered.watchdog) for name, rendered in fabric.rendered.items())
    for (system, times), count in kinds.most_common():
        platform = PLATFORMS[system]
        where = f"{count} of {len(fabric.switches)} switches ({platform.title}): " if len(kinds) > 1 else ""
        yield AnswerLine("watchdog", where + _watchdog(times), _watchdog_times(times))
    for system in dict.fromkeys(system for system, _ in kinds):
        support = PLATFORMS[system].can(WATCHDOG)
        if support is not None and support.unproven:
            yield AnswerLine("watchdog", f"unproven on {PLATFORMS[system].title}: {support.unproven}")


def _watchdog(times: RenderedWatchdog) -> str:
    if times.detect_ms is None:
        after = "after a time of the system's own"
    elif times.polling_ms is None:
        after = f"after {times.detect_ms} ms and a polling interval of the system's own"
    else:
        after = f"after {times.detect_ms} to {times.detect_ms + times.polling_ms} ms"
    if times.action == "drop":
        return f"the switch no longer waits for the NIC {after}"
    return f"the switch reports it {after}, and waits: a stuck NIC stops all that send to it"


def _watchdog_times(times: RenderedWatchdog) -> str:
    named = (("detection", times.detect_ms), ("polling", times.polling_ms), ("restoration", times.restore_ms))
    return ", ".join(f"{name} {value} ms" if value is not None else f"{name} by the system" for name, value in named)


class _Stage(NamedTuple):
    """A tier that stands still: who pauses, and the earliest and latest time of that after the one before, seconds."""

    who: str
    earliest: Fraction
    latest: Fraction
    gpus: int


def _stuck_nic(plan: Plan, fabric: _Fabric) -> Iterator[AnswerLine]:
    """How far pauses of one NIC that takes nothing any more spread before the watchdog acts."""
    chassis = {box.role: box for box in boxes(plan) if box.name == fabric.name and box.role in dict(STAGES)}
    stages = list(_stages(chassis, fabric))
    if not stages:
        yield AnswerLine("stuck NIC", "cannot be computed: the size of the buffer is not published")
        return
    earliest = latest = Fraction(0)
    for stage in stages:
        earliest, latest = earliest + stage.earliest, latest + stage.latest
        when = f"after {_milliseconds(earliest)} to {_milliseconds(latest)} ms"
        yield AnswerLine("stuck NIC", f"{when}: {stage.who}", f"{stage.gpus:,} NICs may stand still")
    if len(stages) < len(chassis):
        yield AnswerLine("stuck NIC", "of the tiers above it is unknown: the size of their buffer is not published")


def _stages(chassis: dict[str, LosslessSwitch], fabric: _Fabric) -> Iterator[_Stage]:
    """A queue fills at the speed of one sender at the latest, and at that of all uplinks at the earliest."""
    for role, who in STAGES:
        box = chassis.get(role)
        if box is None:
            continue
        limits = [*_limits(box, fabric, role)]
        if not limits:
            return
        speeds = sorted((speed, count) for (speed, _), count in box.links.items())
        everything = sum(speed * count for speed, count in speeds)
        earliest = min(
            Fraction(row.first * OCTET, (speeds[-1][0] if row.by_port else everything) * GIGA) for row in limits
        )
        latest = max(Fraction(row.last * OCTET, speeds[0][0] * GIGA) for row in limits)
        yield _Stage(who, earliest, latest, _most_nics(fabric, role))


class _Limit(NamedTuple):
    """Octets at which a switch pauses its senders at the earliest and at the latest.

    by_port  the first is what came in by one port, a fixed number; else the queue holds it, of all ports together
    """

    first: int
    last: int
    by_port: bool


def _limits(box: LosslessSwitch, fabric: _Fabric, role: str) -> Iterator[_Limit]:
    """Limits of the switches of a tier, each once; none where the size of the buffer is not published."""
    pool = box.lossless.pool
    if pool is None:
        return
    devices = (device for device in fabric.switches if device.role == role)
    rows = ((fabric.rendered[device.name], Fraction(device.qos.alpha)) for device in devices if device.qos is not None)
    for rendered, alpha in dict.fromkeys(rows):
        share = int(queue_limit_octets(pool.shared_octets, alpha, CONGESTED_QUEUES))
        last = rendered.queue_limit_octets or share
        yield _Limit(rendered.pause_octets or share, last, by_port=rendered.pause_octets is not None)


def _most_nics(fabric: _Fabric, role: str) -> int:
    """NICs behind the leaves that switches up to a tier join: the most of any such part of the fabric."""
    nics = {
        device.name: sum(port.profile.role in SERVER_ROLES and port.enabled for port in device.interfaces.ethernet)
        for device in fabric.switches
        if device.role == "leaf"
    }
    switches = fabric.site.switches
    far: dict[str, list[str]] = {name: [] for name in switches}
    for near, other in fabric.site.cables.items():
        if max(switches[end.switch].tier for end in (near, other)) <= TIERS[role]:
            far[near.switch].append(other.switch)
    counts: Counter[str] = Counter()
    for name, part in parts_of(far).items():
        counts[part] += nics.get(name, 0)
    return max(counts.values())


def _milliseconds(seconds: Fraction) -> str:
    return f"{float(seconds * MILLI):.3g}"
