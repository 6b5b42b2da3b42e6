"""Wait until the traffic of drained switches has gone: peers have the drained routes, and the ports are idle."""

from collections.abc import Callable, Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.marks import ByHop
from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.work import Failed, Means, RunStopped
from fabricgen.push.model import StageName, StepName, StepState
from fabricgen.push.prove.idle_ports import (
    BITS,
    Bounds,
    QuietResult,
    drained_ports,
    overlay_peers,
    peers_of,
    vtep_of,
    wait_quiet,
)
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import SwitchError

PAUSE_SECONDS = 1.0
"""Seconds between two reads of the community at peers."""


class DrainWait:
    """Switches that were just drained.

    drained      name → drained Device
    established  name → addresses of the peers whose sessions were up before; None: not read, all peers count
    stage        of the steps in the journal; "" after all stages
    """

    def __init__(
        self,
        means: Means,
        steps: RunSteps,
        drained: Mapping[str, Device],
        established: Mapping[str, frozenset[str] | None],
        stage: str = StageName.DRAIN,
    ) -> None:
        self._means, self._steps, self._stage = means, steps, stage
        self._drained, self._established = drained, established
        self._until = means.clock() + means.settings.quiet
        self._silent: dict[str, tuple[str, ...]] = {}  # drained switch → peers that cannot show marks of EVPN routes

    def wait(self) -> None:
        """Return when all ports are idle. Raises Failed where they are not in time, and RunStopped."""
        self.wait_peers()
        self._steps.each(StepName.QUIET, self._stage, self._drained, self._wait_idle, lambda detail: detail)
        if self._means.stop.is_set():
            raise RunStopped

    def wait_peers(self) -> None:
        """Return when every peer has the drained routes. Raises Failed where one has not in time, and RunStopped."""
        self._wait_for(self._lacking)
        self._wait_for(self._unmarked)

    def _wait_for(self, find_lacking: Callable[[], Iterator[tuple[str, str]]]) -> None:
        """Wait until no drained switch lacks something at a peer."""
        while lacking := dict(find_lacking()):
            if self._means.stop.is_set():
                raise RunStopped
            if self._means.clock() >= self._until:
                for name, reason in lacking.items():
                    detail = {"reason": reason}
                    self._steps.note(StepName.QUIET, StepState.FAILED, device=name, stage=self._stage, detail=detail)
                raise Failed(lacking)
            self._means.wait(PAUSE_SECONDS)

    def _lacking(self) -> Iterator[tuple[str, str]]:
        """Drained switches that a peer has no drained route of, and which peer."""
        peers_by_switch = {name: peers_of(device, self._established[name]) for name, device in self._drained.items()}
        peers = sorted({peer for peer_addresses in peers_by_switch.values() for peer in peer_addresses})
        results = self._means.fleet.each(peers, _drained_hops)
        for name, peer_addresses in peers_by_switch.items():
            for peer, addresses in peer_addresses.items():
                next_hops = results.get(peer)
                if isinstance(next_hops, SwitchError):
                    yield name, f"cannot query {peer} for the routes of the drained switch: {next_hops.reason}"
                elif next_hops is not None and not addresses <= next_hops:
                    yield (
                        name,
                        f"{peer} has no route of {min(addresses - next_hops)} with the drain community",
                    )

    def _unmarked(self) -> Iterator[tuple[str, str]]:
        """Drained leaves of which a peer has EVPN routes without the community, or none at all, and which peer."""
        peers_by_switch = {
            name: overlay_peers(device, self._established[name]) for name, device in self._drained.items()
        }
        results = self._means.fleet.each(sorted(frozenset().union(*peers_by_switch.values())), _marks)
        for name, peers in peers_by_switch.items():
            self._silent[name] = tuple(peer for peer in sorted(peers) if results.get(peer) == NO_WAY)
            for peer in sorted(peers.difference(self._silent[name])):
                if problem := evpn_fault(results.get(peer), vtep_of(self._drained[name])):
                    yield name, f"{peer} {problem}"

    def _quiet(self, switch: SwitchConnection) -> QuietResult:
        settings = self._means.settings
        bounds = Bounds(
            limit_bps=settings.limit,
            polls=settings.polls,
            interval=settings.interval,
            seconds=max(0.0, self._until - self._means.clock()),
        )
        ports = drained_ports(self._drained[switch.name], self._established[switch.name])
        if not ports:
            return QuietResult(quiet=True, rates={}, polls=0, seconds=0)  # no session was up there
        result = wait_quiet(switch.counters, ports, self._means.stop, bounds)
        if not result.quiet and not self._means.stop.is_set():
            raise SwitchError("loud", _busiest(result, settings.limit))
        return result

    def _wait_idle(self, switch: SwitchConnection) -> Mapping[str, object]:
        """Wait until a switch's ports are idle. Return the detail for the journal."""
        result, unproven = self._quiet(switch), self._silent.get(switch.name)
        return {
            "ports": dict(result.rates),
            "limit": self._means.settings.limit,
            "polls": result.polls,
            "seconds": round(result.seconds, 1),
            **({"unproven": list(unproven)} if unproven else {}),
        }


def _drained_hops(switch: SwitchConnection) -> frozenset[str] | None:
    """Peers from which routes with the community came; None if no command shows it."""
    return switch.profile.draining_peers(switch.ask(switch.profile.signs)) if switch.profile.signs else None


NO_WAY = "no way"
"""Result for a driver without a known command that shows the community on EVPN routes."""


def _marks(switch: SwitchConnection) -> ByHop | str | None:
    """EVPN routes by next hop; None: they cannot be read."""
    return switch.profile.marks(switch.ask(switch.profile.overlay)) if switch.profile.overlay else NO_WAY


def evpn_fault(by_next_hop: ByHop | str | SwitchError | None, vtep: str) -> str:
    """What is wrong with a leaf's EVPN routes at a peer; empty if each carries the community."""
    if isinstance(by_next_hop, SwitchError):
        return f"cannot be queried for EVPN routes with the drain community: {by_next_hop.reason}"
    if by_next_hop is None or isinstance(by_next_hop, str):
        return "shows its EVPN routes in an unknown format"
    routes = by_next_hop.get(vtep)
    if routes is None:
        return f"has no EVPN route of {vtep}, so none with the drain community"
    unmarked = routes.routes - routes.marked
    return f"has {unmarked} of {routes.routes} EVPN routes of {vtep} without the drain community" if unmarked else ""


def _busiest(result: QuietResult, limit: int) -> str:
    """The port with the highest rate, in words."""
    rates = {port: rate for port, rate in result.rates.items() if rate is None or rate >= limit}
    if not rates:
        return "its ports were not idle for long enough"
    port = max(rates, key=lambda name: rates[name] or limit * BITS)
    rate_text = "an unknown rate" if rates[port] is None else f"{rates[port]} bit/s"
    return f"{len(rates)} of its ports still carry traffic, e.g. {port} with {rate_text}: the limit is {limit}"
