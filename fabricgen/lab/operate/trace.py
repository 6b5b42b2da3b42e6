"""Paths of flows through a running lab, from the kernels: each looks up a route as it would forward the packet.

`ip route get` with an input port, protocol and ports gives the result of the packet's own hash (ip-route(8); Linux,
inet_rtm_getroute of net/ipv4/route.c). Real switches have their own commands for it; no driver here sends them.
"""

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.lab.host.inventory import RunningLab
from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.host.shell import WORKERS, LabShell
from fabricgen.verify.finding import FindingEnd
from fabricgen.verify.probe.equal_cost_paths import Flow
from fabricgen.verify.probe.loss_location import CableDirection, Way

PORT = 49193
"""Destination port of probes; one of the ports that are never assigned (RFC 6335)."""
HOPS = 12
"""Longest path that is followed."""
FAILED = re.compile(r"^Command failed -:(\d+)$", re.MULTILINE)
DEVICE = re.compile(r"^(?P<local>local )?.*?\bdev (?P<port>\S+)")
ARRIVED = ""


class _Step(NamedTuple):
    """A flow on its way: its current switch, the input port, and the cables so far."""

    flow: Flow
    switch: str
    port: str
    path: Way


def walk(place: LabPlace, running: RunningLab, flows: Sequence[Flow]) -> Mapping[Flow, Way]:
    """Flows that arrive, each with its path."""
    cables = {FindingEnd(*end): FindingEnd(*other) for link in running.links for end, other in (link, link[::-1])}
    steps = [_begin(flow) for flow in flows]
    paths: dict[Flow, Way] = {}
    with ThreadPoolExecutor(WORKERS) as pool:
        for _ in range(HOPS):
            groups = grouped((step.switch, step) for step in steps)
            answers = pool.map(lambda item: _ask(place, *item), groups.items())
            steps = []
            for step, port in (pair for pairs in answers for pair in pairs):
                if port == ARRIVED:
                    paths[step.flow] = step.path
                    continue
                near = FindingEnd(step.switch, port)
                far = cables.get(near)
                if far is None:
                    continue
                path = (*step.path, CableDirection(near, far))
                if step.flow.target.first is not None and far == step.flow.target.first.near:
                    paths[step.flow] = path
                elif far.system not in running.servers:
                    steps.append(_Step(step.flow, far.system, far.port, path))
    return paths


def _begin(flow: Flow) -> _Step:
    first = flow.source.first
    if first is None:
        return _Step(flow, flow.source.leaf, "", ())
    return _Step(flow, first.far.system, first.far.port, (first,))


def _ask(place: LabPlace, switch: str, steps: Sequence[_Step]) -> list[tuple[_Step, str]]:
    """The output port of each flow on a switch, ARRIVED for the switch itself; flows without a route are omitted."""
    argv = place.space(switch).enter("ip", "-o", "-force", "-batch", "-")
    result = LabShell(place.id).run(argv, "".join(f"{_question(step)}\n" for step in steps))
    failed = {int(number) for number in FAILED.findall(result.stderr)}
    answered = [step for number, step in enumerate(steps, start=1) if number not in failed]
    lines = result.stdout.splitlines()
    if len(lines) != len(answered):
        return []
    rows = zip(answered, map(DEVICE.match, lines), strict=True)
    return [(step, ARRIVED if row["local"] else row["port"]) for step, row in rows if row]


def _question(step: _Step) -> str:
    source, target, port = step.flow
    into = f" iif {step.port}" if step.port else ""
    return f"route get {target.address} from {source.address}{into} ipproto udp sport {port} dport {PORT}"
