"""Which way flows take through a running lab, asked of the switches: the kernel looks each up as it would forward it.

`ip route get` with a port to come in by, protocol and ports gives what the packet's own hash gives (ip-route(8); Linux,
inet_rtm_getroute of net/ipv4/route.c). Boxes have commands of their own for it; no driver here sends them.
"""

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from fabricgen.lab.host.inventory import RunningLab
from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.host.shell import WORKERS, LabShell
from fabricgen.verify.finding import FindingEnd
from fabricgen.verify.probe.equal_cost_paths import Flow
from fabricgen.verify.probe.loss_location import CableDirection, Way

PORT = 49193
"""Where probes go; of the ports that nobody registers (RFC 6335)."""
HOPS = 12
"""Longest way that is followed."""
FAILED = re.compile(r"^Command failed -:(\d+)$", re.MULTILINE)
DEVICE = re.compile(r"^(?P<local>local )?.*?\bdev (?P<port>\S+)")
ARRIVED = ""


class _Step(NamedTuple):
    """A flow on its way: the switch where it is, the port it came in by, and the wires so far."""

    flow: Flow
    switch: str
    port: str
    path: Way


def walk(place: LabPlace, standing: RunningLab, flows: Sequence[Flow]) -> Mapping[Flow, Way]:
    """Flows that arrive, each with the way that it takes."""
    cables = {FindingEnd(*one): FindingEnd(*two) for link in standing.links for one, two in (link, link[::-1])}
    steps = [_begin(flow) for flow in flows]
    found: dict[Flow, Way] = {}
    with ThreadPoolExecutor(WORKERS) as pool:
        for _ in range(HOPS):
            groups: dict[str, list[_Step]] = {}
            for step in steps:
                groups.setdefault(step.switch, []).append(step)
            asked = pool.map(lambda item: _ask(place, *item), groups.items())
            steps = []
            for step, port in (pair for pairs in asked for pair in pairs):
                if port == ARRIVED:
                    found[step.flow] = step.path
                    continue
                near = FindingEnd(step.switch, port)
                far = cables.get(near)
                if far is None:
                    continue
                path = (*step.path, CableDirection(near, far))
                if step.flow.target.first is not None and far == step.flow.target.first.near:
                    found[step.flow] = path
                elif far.system not in standing.servers:
                    steps.append(_Step(step.flow, far.system, far.port, path))
    return found


def _begin(flow: Flow) -> _Step:
    first = flow.source.first
    if first is None:
        return _Step(flow, flow.source.leaf, "", ())
    return _Step(flow, first.far.system, first.far.port, (first,))


def _ask(place: LabPlace, switch: str, steps: Sequence[_Step]) -> list[tuple[_Step, str]]:
    """The port by which each leaves a switch, ARRIVED where it is for the switch itself; no way, no answer."""
    words = place.space(switch).enter("ip", "-o", "-force", "-batch", "-")
    done = LabShell(place.id).run(words, "".join(f"{_question(step)}\n" for step in steps))
    failed = {int(number) for number in FAILED.findall(done.stderr)}
    asked = [step for number, step in enumerate(steps, start=1) if number not in failed]
    lines = done.stdout.splitlines()
    if len(lines) != len(asked):
        return []
    found = zip(asked, map(DEVICE.match, lines), strict=True)
    return [(step, ARRIVED if row["local"] else row["port"]) for step, row in found if row]


def _question(step: _Step) -> str:
    source, target, port = step.flow
    into = f" iif {step.port}" if step.port else ""
    return f"route get {target.address} from {source.address}{into} ipproto udp sport {port} dport {PORT}"
