"""Reachability and isolation of servers: the pings that test them, and what their answers mean.

Their number grows with tenants and leaves, never with pairs of servers: what holds for one server of a tenant on a leaf
holds for the next. Nothing is sent from here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from ipaddress import ip_interface
from itertools import combinations, pairwise, permutations
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.device.device import Device
from fabricgen.verify.finding import Finding, SwitchVerdict, Unchecked

PAIRS = 120
"""Maximum number of leaf pairs that are all tried (16 leaves have 120); with more, each leaf is tried with the next."""


class ServerInterface(NamedTuple):
    """One interface of a server with addresses.

    addresses  with their lengths, of either family
    tenant     empty on a routed port of a backend that tenants do not share
    imports    tenants whose routes its tenant imports, or that import its routes
    part       of its leaf, as `parts` names it: leaves of different parts share no spine
    mtu        octets of the largest IP packet; 0: no full-size ping
    is_shared  a routed port of a backend that tenants share
    """

    server: str
    fabric: str
    leaf: str
    label: str
    addresses: tuple[str, ...]
    tenant: str = ""
    imports: tuple[str, ...] = ()
    part: str = ""
    mtu: int = 0
    is_shared: bool = False


class Ping(NamedTuple):
    """One ping: from a server's own address to another server's. `about` says what it tests.

    size  octets of the whole IP packet, which must not be fragmented; 0: the smallest size
    """

    server: str
    source: str
    target: str
    address: str
    must_pass: bool
    about: str
    size: int = 0


class PingResult(NamedTuple):
    """Result of a ping. `error`: why it could not be tried, else empty."""

    sent: int
    received: int
    error: str = ""


def parts(devices: Iterable[Device]) -> dict[str, str]:
    """Leaf → the first leaf, by name, that it reaches through the switches above: planes are separate."""
    above: dict[str, set[str]] = {}
    for device in devices:
        uplinks = {row.peer for row in device.interfaces.ethernet if row.profile.role == "uplink"}
        if uplinks:
            above[device.name] = uplinks
    root: dict[str, str] = {}

    def find(name: str) -> str:
        while root.setdefault(name, name) != name:
            name = root[name]
        return name

    for name, fars in above.items():
        for far in fars:
            near_root, far_root = find(name), find(far)
            root[far_root] = near_root
    lowest = above.keys() - {far for fars in above.values() for far in fars}
    first: dict[str, str] = {}
    return {name: first.setdefault(find(name), name) for name in sorted(lowest)}


def pings(nics: Sequence[ServerInterface]) -> tuple[Ping, ...]:
    """The pings to try, each once. NICs without addresses are left out."""
    addressed = sorted(nic for nic in nics if nic.addresses)
    hosts = [nic for nic in addressed if nic.tenant]
    routed = [nic for nic in addressed if not nic.tenant]
    all_pings = [
        *_leaves(hosts),
        *_tenants(hosts),
        *_leaves(routed),
        *_rails(routed),
        *_apart(routed),
        *_away(hosts, routed),
    ]
    return tuple(dict.fromkeys(all_pings))


def _leaves(nics: Sequence[ServerInterface]) -> Iterator[Ping]:
    """Pings between leaves that serve the same tenant, or the same part of a backend."""
    groups: dict[tuple[str, str, str], dict[str, list[ServerInterface]]] = {}
    for nic in nics:
        groups.setdefault((nic.fabric, nic.tenant, nic.part), {}).setdefault(nic.leaf, []).append(nic)
    for (fabric, tenant, _), leaves in sorted(groups.items()):
        owner = f"tenant {tenant}" if tenant else fabric
        for near, far in leaf_pairs(sorted(leaves)):
            small = tuple(_first(leaves[near], leaves[far], True, f"{owner} between {near} and {far}"))
            yield from small
            yield from _full(small[:1], leaves[near], leaves[far])
        for leaf, leaf_nics in sorted(leaves.items()):
            yield from _first(leaf_nics, leaf_nics, True, f"{owner} within {leaf}")


def leaf_pairs(names: list[str]) -> Iterable[tuple[str, str]]:
    """Pairs of leaves that are tried: each with each or, with many leaves, each with the next."""
    pair_count = len(names) * (len(names) - 1) // 2
    return combinations(names, 2) if pair_count <= PAIRS else pairwise([*names, names[0]])


def _first(
    sources: Sequence[ServerInterface], targets: Sequence[ServerInterface], must_pass: bool, about: str
) -> Iterator[Ping]:
    """Pings of the first pair of different servers, in every family that both have."""
    pair = next(((near, far) for near in sources for far in targets if near.server != far.server), None)
    if pair is None:
        return
    near, far = pair
    by_version = {ip_interface(text).version: text for text in near.addresses}
    for text in far.addresses:
        source = by_version.get(ip_interface(text).version)
        if source:
            yield Ping(near.server, source.partition("/")[0], far.server, text.partition("/")[0], must_pass, about)


def _full(small: Iterable[Ping], near: Sequence[ServerInterface], far: Sequence[ServerInterface]) -> Iterator[Ping]:
    """The same pings with the largest packet that both accept; everything between, tunnels included, must pass it."""
    mtu = min(nic.mtu for nic in (*near, *far))
    for ping in small:
        if mtu:
            yield ping._replace(size=mtu, about=f"{ping.about}, {mtu} octets unfragmented")


def _tenants(nics: Sequence[ServerInterface]) -> Iterator[Ping]:
    """Pings from every tenant to every other one of the fabric: they must pass if one imports the other, else not."""
    groups = grouped(((nic.fabric, nic.tenant), nic) for nic in nics)
    reach = {key: {other for nic in tenant_nics for other in nic.imports} for key, tenant_nics in groups.items()}
    for near, far in permutations(sorted(groups), 2):
        if near[0] != far[0]:
            continue
        if far[1] in reach[near] or near[1] in reach[far]:
            small = tuple(_first(groups[near], groups[far], True, f"tenant {near[1]} reaches {far[1]}"))
            yield from small
            yield from _full(small[:1], groups[near], groups[far])
        else:
            reachable = [nic for tenant in (near[1], *reach[near]) for nic in groups.get((near[0], tenant), ())]
            foreign = [nic for nic in groups[far] if not _shared(nic, reachable)]
            yield from _first(groups[near], foreign, False, f"tenant {near[1]} is isolated from {far[1]}")


def _shared(nic: ServerInterface, others: Iterable[ServerInterface]) -> bool:
    """Whether one of its addresses is in a network of the others: isolated tenants may have the same addresses."""
    networks = [ip_interface(text).network for other in others for text in other.addresses]
    return any(ip_interface(text).ip in network for text in nic.addresses for network in networks)


def _rails(nics: Sequence[ServerInterface]) -> Iterator[Ping]:
    """Pings along each rail, and from each rail to the next, as collectives use both."""
    groups: dict[tuple[str, str], dict[str, list[ServerInterface]]] = {}
    for nic in nics:
        groups.setdefault((nic.fabric, nic.part), {}).setdefault(nic.label, []).append(nic)
    for rails in groups.values():
        names = sorted(rails)
        for name in names:
            yield from _first(rails[name], rails[name], True, f"rail of {name}")
        for rail, next_rail in pairwise(names):
            yield from _first(rails[rail], rails[next_rail], True, f"{rail} to {next_rail}")


def _apart(nics: Sequence[ServerInterface]) -> Iterator[Ping]:
    """Pings between parts of a backend that share no spine, which must not pass."""
    groups: dict[str, dict[str, list[ServerInterface]]] = {}
    for nic in nics:
        groups.setdefault(nic.fabric, {}).setdefault(nic.part, []).append(nic)
    for fabric, by_part in sorted(groups.items()):
        for part, next_part in pairwise(sorted(by_part)):
            yield from _first(
                by_part[part],
                by_part[next_part],
                False,
                f"{fabric}: the parts of {part} and {next_part} are isolated from each other",
            )


def _away(hosts: Sequence[ServerInterface], routed: Sequence[ServerInterface]) -> Iterator[Ping]:
    """Pings from each tenant into each backend but its own. Two frontends may use the same addresses."""
    fabrics = grouped((nic.fabric, nic) for nic in (*routed, *(nic for nic in hosts if nic.is_shared)))
    tenants = grouped(((nic.tenant, nic.fabric), nic) for nic in hosts)
    for (tenant, own_fabric), sources in sorted(tenants.items()):
        for fabric, targets in sorted(fabrics.items()):
            if fabric == own_fabric:
                continue
            yield from _first(sources, targets, False, f"tenant {tenant} is isolated from {fabric}")


def judge_pings(results: Mapping[Ping, PingResult]) -> tuple[SwitchVerdict, ...]:
    """One verdict per server that pings, by name. The silence of a server that answers nobody proves no isolation."""
    alive = {ping.address for ping, answer in results.items() if ping.must_pass and answer.received}
    alive |= {ping.source for ping, answer in results.items() if ping.must_pass and answer.received}
    servers = grouped((ping.server, (ping, answer)) for ping, answer in results.items())
    return tuple(_verdict(server, answers, alive) for server, answers in sorted(servers.items()))


def _verdict(server: str, answers: list[tuple[Ping, PingResult]], alive: set[str]) -> SwitchVerdict:
    findings, unchecked, passed = [], [], 0
    for ping, answer in answers:
        finding = _finding(ping, answer)
        if answer.error:
            reason = f"{ping.source} to {ping.address} was not tried: {answer.error}"
            unchecked.append(Unchecked(server, "pings", reason))
        elif finding is not None:
            findings.append(finding)
        elif not ping.must_pass and not {ping.source, ping.address} <= alive:
            reason = (
                f"{ping.source} or {ping.address} does not respond to any ping, so a missing answer between them "
                f"proves nothing"
            )
            unchecked.append(Unchecked(server, "pings", reason))
        else:
            passed += 1
    return SwitchVerdict(
        device=server,
        passed=(("pings", passed),) if passed else (),
        findings=tuple(findings),
        unchecked=tuple(unchecked),
    )


def _finding(ping: Ping, answer: PingResult) -> Finding | None:
    """None if a ping had the planned result, or was not tried."""
    make = partial(
        Finding,
        device=ping.server,
        check="pings",
        subject=f"ping {ping.source} to {ping.address} of {ping.target} ({ping.about})",
        actual=f"{answer.received} of {answer.sent} answers",
        between=(ping.source, ping.address),
    )
    if answer.error or answer.received == (answer.sent if ping.must_pass else 0):
        return None
    if not ping.must_pass:
        return make(code="ping-leak", problem="passes, but must not", expected="no answer")
    expected = f"{answer.sent} answers"
    if answer.received:
        return make(code="ping-loss", problem="loses packets", expected=expected)
    return make(code="ping-lost", problem="does not pass", expected=expected)
