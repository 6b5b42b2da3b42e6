"""Probes over every equal-cost path: the endpoints, and what losses mean."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.verify.finding import Finding, FindingEnd, SwitchVerdict, Unchecked
from fabricgen.verify.probe.equal_cost_paths import Between, Endpoint, Flow, FlowChoice, SitePaths, family_of
from fabricgen.verify.probe.loss_location import CableDirection, Culprit, PathResult, Suspect, Way, blame, interval
from fabricgen.verify.probe.pings import leaf_pairs, parts

CHECK = "paths"
AT_A_LEAF = 2
"""Servers of a leaf that probe: with one, its cable could not be distinguished from its leaf."""


class PacketCounts(NamedTuple):
    """Packets of one flow: small ones, and those of full size, each sent and received."""

    small_sent: int
    small: int
    full_sent: int
    full: int

    @property
    def sent(self) -> int:
        """All sent packets."""
        return self.small_sent + self.full_sent

    @property
    def lost(self) -> int:
        """Packets that did not arrive."""
        return self.sent - self.small - self.full


class Probed(NamedTuple):
    """Result of a round of probes. sizes: flow → octets of its full-size packets."""

    chosen: FlowChoice
    tallies: Mapping[Flow, PacketCounts]
    sizes: Mapping[Flow, int]

    @property
    def lost(self) -> int:
        """Packets that did not arrive, of all flows."""
        return sum(self.tallies[flow].lost for flow in self.chosen.flows)


def pairs(devices: Sequence[Device], ways: SitePaths, servers: Iterable[Endpoint]) -> tuple[Between, ...]:
    """Pairs of leaves in both directions: in each part of a backend between servers, in an overlay between VTEPs."""
    return (*_rails(devices, ways, servers), *_overlays(devices, ways))


def _rails(devices: Sequence[Device], ways: SitePaths, servers: Iterable[Endpoint]) -> Iterator[Between]:
    part, fabric = parts(devices), {device.name: device.fabric for device in devices}
    groups: dict[tuple[str, str], dict[str, list[Endpoint]]] = {}
    for server in sorted(servers):
        if server.leaf in fabric:
            chosen = groups.setdefault((fabric[server.leaf], part.get(server.leaf, server.leaf)), {}).setdefault(
                server.leaf, []
            )
            if len(chosen) < AT_A_LEAF and server.name not in {other.name for other in chosen}:
                chosen.append(server)
    for _, leaves in sorted(groups.items()):
        yield from _both_ways(leaves, ways)


def _overlays(devices: Sequence[Device], ways: SitePaths) -> Iterator[Between]:
    fabrics: dict[str, dict[str, list[Endpoint]]] = {}
    vteps: set[str] = set()
    for device in devices:
        if device.evpn is not None and device.evpn.vtep not in vteps:  # both leaves of a pair may share one address
            vteps.add(device.evpn.vtep)
            endpoint = Endpoint(device.name, device.evpn.vtep, device.name)
            fabrics.setdefault(device.fabric, {})[device.name] = [endpoint]
    for _, leaves in sorted(fabrics.items()):
        yield from _both_ways(leaves, ways)


def _both_ways(leaves: Mapping[str, Sequence[Endpoint]], ways: SitePaths) -> Iterator[Between]:
    for pair in leaf_pairs(sorted(leaves)):
        for near, far in (pair, pair[::-1]):
            family = family_of(leaves[near][0].address)
            paths = ways.between(near, far, family)
            targets = tuple(endpoint for endpoint in leaves[far] if family_of(endpoint.address) == family)
            sources = tuple(endpoint for endpoint in leaves[near] if family_of(endpoint.address) == family)
            if near != far and paths and targets:
                yield Between(sources, targets, paths)


def sizes(flows: Mapping[Flow, Way], mtus: Mapping[FindingEnd, int]) -> dict[Flow, int]:
    """Octets of the largest IP packet that every port on the path accepts by the plan. `mtus`: of switches' ports."""
    octets = {}
    for flow, path in flows.items():
        path_mtus = [mtus[end] for wire in path for end in wire if end in mtus]
        octets[flow] = min([*path_mtus, *(endpoint.mtu for endpoint in (flow.source, flow.target) if endpoint.mtu)])
    return octets


def still(probed: Probed, ways: Mapping[Flow, Way]) -> Probed:
    """The result without flows whose path has changed since: their losses say nothing about either path."""
    flows = {flow: way for flow, way in probed.chosen.flows.items() if ways.get(flow) == way}
    return probed._replace(chosen=replace(probed.chosen, flows=flows))


def judge_paths(
    probed: Probed, hosts: frozenset[str], doubts: Iterable[str] = (), *, is_alike: bool = False
) -> SwitchVerdict:
    """Verdict on losses and their location, and on paths that no flow took.

    hosts     servers
    doubts    why not all paths could be judged
    is_alike  all switches use the same hash, so that a path without a flow is not a fault
    """
    flows = probed.chosen.flows
    results = [PathResult(path, probed.tallies[flow].sent, probed.tallies[flow].lost) for flow, path in flows.items()]
    culprits = blame(results, hosts)
    missed = () if is_alike else tuple(_missed(probed.chosen))
    findings = (*(_finding(item, probed, hosts) for item in culprits), *missed)
    lossy = {
        number
        for number, item in enumerate(results)
        if any(_is_over(culprit.suspect, item.path) for culprit in culprits)
    }
    passed = len(results) - len(lossy)
    unchecked = tuple(Unchecked(CHECK, CHECK, reason) for reason in doubts)
    return SwitchVerdict(
        device=CHECK, passed=((CHECK, passed),) if passed else (), findings=findings, unchecked=unchecked
    )


def summary(probed: Probed, seconds: float) -> str:
    """One line about a round."""
    tallies = tuple(probed.tallies.values())
    sent, lost = sum(counts.sent for counts in tallies), sum(counts.lost for counts in tallies)
    numbers = sorted({counts.sent for counts in tallies}) or [0]
    number_text = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    return (
        f"paths: {len(probed.chosen.flows)} of {probed.chosen.planned} probed, {probed.chosen.tried} flows tried;"
        f" {number_text} packets each, half of them of full size; {_rate(lost, sent)}; {seconds:.1f} s"
    )


def _rate(lost: int, sent: int) -> str:
    """Loss in words, with its confidence interval."""
    low, high = interval(lost, sent)
    rate = lost / sent if sent else 0.0
    return f"{lost} of {sent} lost, {rate:.3%} (95 % sure: {low:.3%} to {high:.3%})"


def _is_over(suspect: Suspect, path: Way) -> bool:
    if suspect.switch:
        return any(suspect.switch == end.system for wire in path for end in wire)
    wire = suspect.wire
    return wire in path or (suspect.both and wire is not None and CableDirection(wire.far, wire.near) in path)


def _finding(culprit: Culprit, probed: Probed, hosts: frozenset[str]) -> Finding:
    suspect = culprit.suspect
    affected = [flow for flow, path in probed.chosen.flows.items() if _is_over(suspect, path)]
    actual = f"{_rate(culprit.lost, culprit.sent)}; {len(affected)} paths: {_by_size(affected, probed)}"
    explained = f"the same probes also pass {', '.join(map(_words, culprit.alike))}" if culprit.alike else ""
    make = partial(Finding, check=CHECK, expected="no packet lost", actual=actual, explained=explained)
    if suspect.wire is None:
        subject, problem = "the switch", "loses packets"
        return make(device=suspect.switch, code="path-switch", subject=subject, problem=problem)
    near, far = (
        suspect.wire if suspect.wire.near.system not in hosts else CableDirection(suspect.wire.far, suspect.wire.near)
    )
    problem = "loses packets both ways" if suspect.both else f"loses packets towards {suspect.wire.far.system}"
    subject = f"cable {near.system}/{near.port} to {far.system}/{far.port}"
    return make(device=near.system, code="path-cable", subject=subject, problem=problem, port=near.port, far=far)


def _words(suspect: Suspect) -> str:
    if suspect.wire is None:
        return suspect.switch
    near, far = suspect.wire
    return f"{near.system}/{near.port} to {far.system}/{far.port}" + (" and back" if suspect.both else "")


def _by_size(flows: Iterable[Flow], probed: Probed) -> str:
    all_flows = tuple(flows)
    tallies = [probed.tallies[flow] for flow in all_flows]
    small_sent, full_sent = sum(counts.small_sent for counts in tallies), sum(counts.full_sent for counts in tallies)
    small, full = sum(counts.small for counts in tallies), sum(counts.full for counts in tallies)
    octets = sorted({probed.sizes[flow] for flow in all_flows})
    size = f"{octets[0]}" if len(octets) == 1 else f"{octets[0]} to {octets[-1]}"
    return f"small {small_sent - small} of {small_sent}, of {size} octets {full_sent - full} of {full_sent}"


def _missed(chosen: FlowChoice) -> Iterator[Finding]:
    """Cables of paths that no flow took; if other paths over them were taken, pairs of leaves."""
    taken = {wire for path in chosen.flows.values() for wire in path}
    wires: dict[CableDirection, int] = {}
    ends: dict[tuple[str, str], list[Way]] = {}
    for between, path in chosen.missed:
        unused = next((wire for wire in path if wire not in taken), None)
        if unused is not None:
            wires[unused] = wires.get(unused, 0) + 1
        else:
            ends.setdefault((between.sources[0].leaf, between.targets[0].leaf), []).append(path)
    for wire, count in wires.items():
        yield Finding(
            device=wire.near.system,
            check=CHECK,
            code="path-unused",
            subject=f"cable {_words(Suspect(wire=wire))}",
            problem="is not used by any flow",
            expected=f"one of {count} equal paths at least",
            actual=f"none of {chosen.tried} flows took it, or these did not arrive",
            port=wire.near.port,
            far=wire.far,
        )
    for (near, far), paths in ends.items():
        yield Finding(
            device=near,
            check=CHECK,
            code="path-unused",
            subject=f"{len(paths)} equal paths to {far}",
            problem="are not used by any flow",
            expected="a flow on each",
            actual=f"none, for example through {', '.join(wire.near.system for wire in paths[0][1:])}",
        )
