"""Which servers must reach each other, and which must not: the pings that show it, and what their answers mean.

Their number grows with tenants and leaves, never with pairs of servers: what holds for one server of a tenant on a
leaf holds for the next. Nothing is sent from here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from ipaddress import ip_interface
from itertools import combinations, pairwise, permutations
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.verify.finding import Finding, SwitchVerdict, Unchecked

PAIRS = 120
"""Pairs of leaves that are tried one by one, sixteen leaves' worth; of more each leaf is tried with the next."""


class ServerInterface(NamedTuple):
    """One addressed interface of a server.

    addresses  with their lengths, of either family
    tenant     empty on a routed port of a backend that nobody shares
    imports    tenants whose routes its tenant takes over, or that take over its own
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
    """One ping: from a server's own address to another server's. `about` says what it shows.

    size  octets of the whole IP packet, which must not be fragmented; 0: as small as it comes
    """

    server: str
    source: str
    target: str
    address: str
    must_pass: bool
    about: str
    size: int = 0


class PingResult(NamedTuple):
    """What came of a ping. `error`: why it could not be tried at all, else empty."""

    sent: int
    received: int
    error: str = ""


def parts(devices: Iterable[Device]) -> dict[str, str]:
    """Leaf → the first leaf, by name, that it has a way to through what is above them: planes stay apart."""
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
            one, two = find(name), find(far)
            root[two] = one
    lowest = above.keys() - {far for fars in above.values() for far in fars}
    first: dict[str, str] = {}
    return {name: first.setdefault(find(name), name) for name in sorted(lowest)}


def pings(nics: Sequence[ServerInterface]) -> tuple[Ping, ...]:
    """What to try, each once. NICs without addresses are left out."""
    there = sorted(nic for nic in nics if nic.addresses)
    hosts = [nic for nic in there if nic.tenant]
    routed = [nic for nic in there if not nic.tenant]
    found = [
        *_leaves(hosts),
        *_tenants(hosts),
        *_leaves(routed),
        *_rails(routed),
        *_apart(routed),
        *_away(hosts, routed),
    ]
    return tuple(dict.fromkeys(found))


def _leaves(nics: Sequence[ServerInterface]) -> Iterator[Ping]:
    """Between leaves that serve the same tenant, or the same part of a backend."""
    groups: dict[tuple[str, str, str], dict[str, list[ServerInterface]]] = {}
    for nic in nics:
        groups.setdefault((nic.fabric, nic.tenant, nic.part), {}).setdefault(nic.leaf, []).append(nic)
    for (fabric, tenant, _), leaves in sorted(groups.items()):
        whose = f"tenant {tenant}" if tenant else fabric
        for one, two in leaf_pairs(sorted(leaves)):
            small = tuple(_first(leaves[one], leaves[two], True, f"{whose} between {one} and {two}"))
            yield from small
            yield from _full(small[:1], leaves[one], leaves[two])
        for leaf, found in sorted(leaves.items()):
            yield from _first(found, found, True, f"{whose} within {leaf}")


def leaf_pairs(names: list[str]) -> Iterable[tuple[str, str]]:
    """Pairs of leaves that are tried: each with each, or of many each with the next."""
    every = len(names) * (len(names) - 1) // 2
    return combinations(names, 2) if every <= PAIRS else pairwise([*names, names[0]])


def _first(
    ones: Sequence[ServerInterface], twos: Sequence[ServerInterface], must_pass: bool, about: str
) -> Iterator[Ping]:
    """First pair of different servers, in every family that both have."""
    pair = next(((one, two) for one in ones for two in twos if one.server != two.server), None)
    if pair is None:
        return
    one, two = pair
    own = {ip_interface(text).version: text for text in one.addresses}
    for text in two.addresses:
        source = own.get(ip_interface(text).version)
        if source:
            yield Ping(one.server, source.partition("/")[0], two.server, text.partition("/")[0], must_pass, about)


def _full(small: Iterable[Ping], ones: Sequence[ServerInterface], twos: Sequence[ServerInterface]) -> Iterator[Ping]:
    """The same with the largest packet that both take: what lies between must take it too, its tunnels among it."""
    mtu = min(nic.mtu for nic in (*ones, *twos))
    for one in small:
        if mtu:
            yield one._replace(size=mtu, about=f"{one.about}, {mtu} octets unfragmented")


def _tenants(nics: Sequence[ServerInterface]) -> Iterator[Ping]:
    """Every tenant towards every other of the fabric: those that import each other must pass, all others must not."""
    groups: dict[tuple[str, str], list[ServerInterface]] = {}
    for nic in nics:
        groups.setdefault((nic.fabric, nic.tenant), []).append(nic)
    reach = {key: {other for nic in found for other in nic.imports} for key, found in groups.items()}
    for one, two in permutations(sorted(groups), 2):
        if one[0] != two[0]:
            continue
        if two[1] in reach[one] or one[1] in reach[two]:
            small = tuple(_first(groups[one], groups[two], True, f"tenant {one[1]} reaches {two[1]}"))
            yield from small
            yield from _full(small[:1], groups[one], groups[two])
        else:
            own = [nic for tenant in (one[1], *reach[one]) for nic in groups.get((one[0], tenant), ())]
            foreign = [nic for nic in groups[two] if not _shared(nic, own)]
            yield from _first(groups[one], foreign, False, f"tenant {one[1]} is kept from {two[1]}")


def _shared(nic: ServerInterface, own: Iterable[ServerInterface]) -> bool:
    """Whether an address of it is also one in a network of the others: tenants that never meet may have the same."""
    networks = [ip_interface(text).network for other in own for text in other.addresses]
    return any(ip_interface(text).ip in network for text in nic.addresses for network in networks)


def _rails(nics: Sequence[ServerInterface]) -> Iterator[Ping]:
    """Along each rail, and from each rail to the next: collectives do both."""
    groups: dict[tuple[str, str], dict[str, list[ServerInterface]]] = {}
    for nic in nics:
        groups.setdefault((nic.fabric, nic.part), {}).setdefault(nic.label, []).append(nic)
    for rails in groups.values():
        names = sorted(rails)
        for name in names:
            yield from _first(rails[name], rails[name], True, f"rail of {name}")
        for one, two in pairwise(names):
            yield from _first(rails[one], rails[two], True, f"{one} to {two}")


def _apart(nics: Sequence[ServerInterface]) -> Iterator[Ping]:
    """Parts of a backend that share no spine."""
    groups: dict[str, dict[str, list[ServerInterface]]] = {}
    for nic in nics:
        groups.setdefault(nic.fabric, {}).setdefault(nic.part, []).append(nic)
    for fabric, found in sorted(groups.items()):
        for one, two in pairwise(sorted(found)):
            yield from _first(found[one], found[two], False, f"{fabric}: the parts of {one} and {two} are apart")


def _away(hosts: Sequence[ServerInterface], routed: Sequence[ServerInterface]) -> Iterator[Ping]:
    """From each tenant into each backend but its own. What two frontends carry may have the same addresses."""
    fabrics: dict[str, list[ServerInterface]] = {}
    for nic in (*routed, *(nic for nic in hosts if nic.is_shared)):
        fabrics.setdefault(nic.fabric, []).append(nic)
    tenants: dict[tuple[str, str], list[ServerInterface]] = {}
    for nic in hosts:
        tenants.setdefault((nic.tenant, nic.fabric), []).append(nic)
    for (tenant, own), ones in sorted(tenants.items()):
        for fabric, twos in sorted(fabrics.items()):
            if fabric == own:
                continue
            yield from _first(ones, twos, False, f"tenant {tenant} is kept from {fabric}")


def judge_pings(results: Mapping[Ping, PingResult]) -> tuple[SwitchVerdict, ...]:
    """One verdict a server that pings, by name. Silence of a server that answers nobody shows no isolation."""
    alive = {ping.address for ping, answer in results.items() if ping.must_pass and answer.received}
    alive |= {ping.source for ping, answer in results.items() if ping.must_pass and answer.received}
    servers: dict[str, list[tuple[Ping, PingResult]]] = {}
    for ping, answer in results.items():
        servers.setdefault(ping.server, []).append((ping, answer))
    return tuple(_verdict(server, found, alive) for server, found in sorted(servers.items()))


def _verdict(server: str, found: list[tuple[Ping, PingResult]], alive: set[str]) -> SwitchVerdict:
    findings, unchecked, passed = [], [], 0
    for ping, answer in found:
        wrong = _finding(ping, answer)
        if answer.error:
            reason = f"{ping.source} to {ping.address} was not tried: {answer.error}"
            unchecked.append(Unchecked(server, "pings", reason))
        elif wrong is not None:
            findings.append(wrong)
        elif not ping.must_pass and not {ping.source, ping.address} <= alive:
            reason = f"{ping.source} or {ping.address} answers nobody, so that silence between them shows nothing"
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
    """None where a ping did as it should, or was not tried."""
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
        return make(code="ping-leak", problem="passes and must not", expected="no answer")
    wanted = f"{answer.sent} answers"
    if answer.received:
        return make(code="ping-loss", problem="loses packets", expected=wanted)
    return make(code="ping-lost", problem="does not pass", expected=wanted)
