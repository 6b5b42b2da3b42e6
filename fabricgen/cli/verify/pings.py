"""Pings between a lab's servers: chosen from the plan, sent in their namespaces, judged like other state."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from fabricgen.errors import FabricError
from fabricgen.lab.model.lab import Lab
from fabricgen.lab.operate.run import ping, ping_full
from fabricgen.operation.intended import IntendedSwitches
from fabricgen.verify.collect.store_lab import read_pings, write_pings
from fabricgen.verify.finding import SwitchVerdict, Unchecked
from fabricgen.verify.probe.pings import Ping, PingResult, ServerInterface, judge_pings, parts, pings

AT_ONCE = 16
COUNT = 2

NO_LAB = "possible in a lab only"
PART = "only some of the switches are queried"
NOT_SENT = "the collection has none"


def not_sent(reason: str) -> tuple[SwitchVerdict, ...]:
    """Verdict if no ping was sent."""
    return (
        SwitchVerdict(device="servers", passed=(), findings=(), unchecked=(Unchecked("servers", "pings", reason),)),
    )


def sender(
    switches: IntendedSwitches, folder: Path | None, kept: Path, stop: Event
) -> Callable[[], tuple[SwitchVerdict, ...]]:
    """Function that sends a round of pings, saves the results and judges them.

    folder  of the running lab; kept: of the collection
    """

    def round_of() -> tuple[SwitchVerdict, ...]:
        if switches.lab is None or folder is None:
            return not_sent(NO_LAB)
        if not switches.is_whole or stop.is_set():
            return not_sent(NOT_SENT if switches.is_whole else PART)
        results = send(switches.lab, folder, stop)
        write_pings(kept, results)
        return judge_pings(results)

    return round_of


def sent_before(switches: IntendedSwitches, kept: Path) -> tuple[SwitchVerdict, ...]:
    """Judge the pings of a collection."""
    if switches.lab is None:
        return not_sent(NO_LAB)
    if not switches.is_whole:
        return not_sent(PART)
    results = read_pings(kept)
    return not_sent(NOT_SENT) if results is None else judge_pings(results)


def nics(lab: Lab) -> Iterator[ServerInterface]:
    """Interfaces of a lab's servers, in the form that verify needs."""
    part = parts(lab.devices)
    reaches = {(name, row.name): row.reaches for name, tenants in lab.plan.tenants.items() for row in tenants}
    for server in lab.servers:
        for nic in server.nics:
            tenant = server.tenant if nic.vlan_id else nic.tenant
            yield ServerInterface(
                server=server.name,
                fabric=nic.fabric,
                leaf=nic.switch,
                label=nic.label,
                addresses=tuple(str(address) for address in (nic.ipv4, nic.ipv6) if address),
                tenant=tenant,
                imports=reaches.get((nic.fabric, tenant), ()),
                part=part.get(nic.switch, ""),
                mtu=nic.mtu,
                is_shared=bool(nic.tenant),
            )


def send(lab: Lab, folder: Path, stop: Event) -> dict[Ping, PingResult]:
    """Send all pings of the lab in a folder, some in parallel; none after a stop."""

    def sent(item: Ping) -> PingResult:
        if stop.is_set():
            return PingResult(0, 0, "interrupted")
        try:
            if item.size:
                return PingResult(
                    COUNT, ping_full(folder, item.server, item.address, item.size, count=COUNT, source=item.source)
                )
            return PingResult(COUNT, ping(folder, item.server, item.address, count=COUNT, source=item.source))
        except FabricError as error:
            return PingResult(0, 0, error.problems[0].what)

    all_pings = pings(tuple(nics(lab)))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(all_pings, pool.map(sent, all_pings), strict=True))
