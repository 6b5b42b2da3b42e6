"""Why PFC cannot deadlock a fabric, or how it can: the graph of buffers, its premises, and what one stuck NIC stops.

The graph is of the text that is rendered: the switches that it is made of are rendered and read back. What no text can
show is said as such. Source of the conditions: Dally and Seitz, IEEE Trans. Computers C-36 (1987); Guo et al., SIGCOMM
2016 (flooding and pause storms); Hu et al., HotNets 2016 (a circle of buffers is necessary for a deadlock).
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from fabricgen.audit.buffers import Proof, prove
from fabricgen.audit.onward import Layers
from fabricgen.audit.representatives import sample
from fabricgen.audit.site_view import End, SiteView, cables_of
from fabricgen.audit.views import SwitchView, planned_rows, view_of
from fabricgen.checks.lossless.lossless_switches import LosslessSwitch, boxes
from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.plan.plan import Plan
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices

LAYERS = (
    ("AS-loop check", Layers(marks=False, prefixes=False)),
    ("marks of routes from above", Layers(loop_check=False, prefixes=False)),
    ("own prefixes only", Layers(loop_check=False, marks=False)),
)
"""What keeps routes from going up again, each left alone."""
OCTET, GIGA = 8, 10**9
MILLI = 1000


def lossless_answers(plan: Plan) -> tuple[Answer, ...]:
    """An answer for each fabric with a lossless class. Raises FabricError where there is none."""
    switches = [device for device in devices(plan) if device.qos is not None]
    by_fabric: dict[str, list[Device]] = {}
    for device in switches:
        by_fabric.setdefault(device.fabric, []).append(device)
    answers = [_answer(plan, name, found) for name, found in by_fabric.items() if _has_class(found)]
    if not answers:
        problem = Problem(
            code="no-lossless",
            what="the intent has no lossless class",
            why="PFC pauses no port of its fabrics, so that there is nothing to prove",
            fix="omit --lossless, or set transport: roce-lossless in a backend",
        )
        raise FabricError([problem])
    return tuple(answers)


def _has_class(switches: list[Device]) -> bool:
    return any(profile.lossless_priorities for device in switches if device.qos for profile in device.qos.profiles)


def _answer(plan: Plan, fabric: str, switches: list[Device]) -> Answer:
    names = frozenset(device.name for device in switches)
    cables: dict[End, End] = {}
    for device in switches:
        cables |= cables_of(device, names)
    planned = SiteView([_planned(device) for device in switches], cables, frozenset(), {})
    part = sample(planned)
    renderer, wanted = Renderer(), part.site.switches
    read = SiteView([_read(renderer, device) for device in switches if device.name in wanted], cables, frozenset(), {})
    proof = prove(read, fabric)
    title = f"{fabric}: PFC cannot deadlock" if proof.cycle is None else f"{fabric}: PFC can deadlock"
    lines = (
        *_graph(proof, part.examined, part.switches),
        *_layers(read, fabric),
        *_conditions(planned, switches),
        *_stuck_nic(plan, fabric, switches),
    )
    return Answer("lossless", title, lines)


def _planned(device: Device) -> SwitchView:
    return view_of(device, planned_rows(READBACKS[device.system].planned(device)))


def _read(renderer: Renderer, device: Device) -> SwitchView:
    """A switch by its rendered text; what that does not show is as planned."""
    files = {file.name: file.text for file in renderer.render(device)}
    rows = planned_rows(READBACKS[device.system].planned(device))
    return view_of(device, {**rows, **READBACKS[device.system].read(files).rows})


def _graph(proof: Proof, examined: int, switches: int) -> Iterator[AnswerLine]:
    of = f"two switches of each kind, {examined} of {switches}" if examined < switches else f"all {switches} switches"
    verdict = "no circle" if proof.cycle is None else f"a circle: {proof.cycle.text}"
    formula = (
        f"from the rendered text of {of}: every route that a policy lets through at any moment, whatever has failed"
    )
    yield AnswerLine("graph", f"{proof.channels} buffers, {proof.edges} waits, {verdict}", formula)
    if proof.cycle is not None:
        at = f"{proof.cycle.at.file}:{proof.cycle.at.line}"
        yield AnswerLine("turn", f"{proof.cycle.turn} sends up again what came down: its session at {at} permits it")


def _layers(site: SiteView, fabric: str) -> Iterator[AnswerLine]:
    """Which of the three layers is enough alone, and what happens without each of those that are needed."""
    alone = [name for name, layers in LAYERS if prove(site, fabric, layers).cycle is None]
    yield AnswerLine("margin", f"enough alone: {', '.join(alone) or 'none'}", f"{len(alone)} of {len(LAYERS)} layers")
    without = prove(site, fabric, Layers(loop_check=False)).cycle
    if without is not None:
        why = "a moment after a link is lost, before its routes are withdrawn"
        yield AnswerLine("margin", f"needed: AS-loop check; without it {without.text}", why)


def _conditions(site: SiteView, switches: list[Device]) -> Iterator[AnswerLine]:
    """What must hold besides, for a graph without a circle to mean that there is no deadlock."""
    ports = [
        port for device in switches for port in device.interfaces.ethernet if port.headroom_octets or port.profile.qos
    ]
    switched = [port for port in ports if port.switching is not None]
    yield AnswerLine(
        "routed only",
        f"{len(ports):,} ports of the class, {len(switched)} of them switched",
        "a flooded packet goes where no route leads (check lossless-bridged)",
    )
    priorities = {profile.lossless_priorities for device in switches if device.qos for profile in device.qos.profiles}
    words = ", ".join(" ".join(map(str, sorted(row))) for row in sorted(priorities) if row)
    shared = any(len(row) > 1 for row in priorities)
    yield AnswerLine(
        "own buffers",
        f"lossless priority {words}" + (", more than one in a port" if shared else ""),
        "headroom per port and priority; two classes in one pool could wait for each other",
    )
    maps = {view.lossless for switch in site.switches.values() for view in switch.ports.values() if view.lossless[0]}
    yield AnswerLine(
        "same class",
        f"{len(maps)} map{'s' if len(maps) != 1 else ''} of DSCP, queue and priority on all ports",
        "a packet that changes its class on the way is in another graph (check marking-differs)",
    )
    hosts = [port for port in ports if port.profile.role == "host"]
    joined = sum(len(site.sessions_of(name)) for name in site.switches)
    sessions = sum(len(switch.sessions) for switch in site.switches.values())
    routes = sum(1 for switch in site.switches.values() for hop, _ in switch.statics.values() if hop != "discard")
    through = sessions - joined + routes
    unguarded = sum(1 for device in switches if device.qos and not device.qos.watchdog.detect_ms)
    yield AnswerLine(
        "hosts",
        f"{len(hosts):,} server ports, {through} sessions or routes through one",
        "a server takes packets or is cut off by the watchdog; it hands none on",
    )
    tiers = sum(
        1 for near, far in site.cables.items() if site.switches[near.switch].role == site.switches[far.switch].role
    )
    yield AnswerLine("within a tier", f"{tiers // 2} links", "a link within a tier would be one more channel")
    if unguarded:
        yield AnswerLine(
            "watchdog", f"{unguarded} switches have none", "a stuck NIC stops all that sends to it for ever"
        )
    yield AnswerLine(
        "not shown here",
        "what a chip does with a packet of the class whose ARP entry is incomplete: it must drop it, not flood it",
        "Guo et al., SIGCOMM 2016",
    )


class _Stage(NamedTuple):
    """A tier that stands still: who pauses, and the earliest and latest time of that after the one before, seconds."""

    who: str
    earliest: Fraction
    latest: Fraction
    gpus: int


def _stuck_nic(plan: Plan, fabric: str, switches: list[Device]) -> Iterator[AnswerLine]:
    """How far pauses of one NIC that takes nothing any more spread before the watchdog acts."""
    chassis = {box.role: box for box in boxes(plan) if box.name == fabric}
    stages = list(_stages(chassis, switches))
    if not stages:
        yield AnswerLine("stuck NIC", "cannot be computed: the size of the buffer is not published")
        return
    earliest = latest = Fraction(0)
    for stage in stages:
        earliest, latest = earliest + stage.earliest, latest + stage.latest
        when = f"after {_milliseconds(earliest)} to {_milliseconds(latest)} ms"
        yield AnswerLine("stuck NIC", f"{when}: {stage.who}", f"{stage.gpus:,} NICs may stand still")
    times = next(device.qos.watchdog for device in switches if device.qos)
    at_most = times.detect_ms + times.polling_ms
    yield AnswerLine(
        "watchdog",
        f"{times.action}s the queue of the NIC after {times.detect_ms} to {at_most} ms",
        f"detect {times.detect_ms} ms, polled every {times.polling_ms} ms; restored after {times.restore_ms} ms",
    )


def _stages(chassis: dict[str, LosslessSwitch], switches: list[Device]) -> Iterator[_Stage]:
    """A queue fills at the speed of one sender at the latest, and at that of all uplinks at the earliest."""
    leaf = next((device for device in switches if device.role == "leaf"), None)
    if leaf is None:
        return
    nics = {role: _nics(switches, role) for role in ("leaf", "all")}
    for role, who, key in (
        ("leaf", "its leaf pauses the ports that packets to it come in by", "leaf"),
        ("spine", "spines pause the ports of leaves that send to it", "all"),
        ("superspine", "superspines pause spines", "all"),
    ):
        box = chassis.get(role)
        if box is None:
            continue
        limit = box.lossless.queue_limit
        if limit is None:
            return
        speeds = sorted((speed, count) for (speed, _), count in box.links.items())
        slowest, everything = speeds[0][0], sum(speed * count for speed, count in speeds)
        bits = Fraction(limit * OCTET)
        yield _Stage(who, bits / (everything * GIGA), bits / (slowest * GIGA), nics[key])


def _nics(switches: list[Device], which: str) -> int:
    """NICs at one leaf, or at all leaves."""
    counts = [
        sum(1 for port in device.interfaces.ethernet if port.profile.role == "host" and port.enabled)
        for device in switches
        if device.role == "leaf"
    ]
    return max(counts) if which == "leaf" else sum(counts)


def _milliseconds(seconds: Fraction) -> str:
    return f"{float(seconds * MILLI):.3g}"
