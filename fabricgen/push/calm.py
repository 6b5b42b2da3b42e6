"""Whether the traffic of drained switches has gone: their peers have heard of it, and their ports are quiet."""

from collections.abc import Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.push.box import Box, BoxError
from fabricgen.push.model import How, StageName, StepName
from fabricgen.push.quiet import BITS, Bounds, QuietResult, drained_ports, peers_of, wait_quiet
from fabricgen.push.steps import Steps
from fabricgen.push.work import Failed, Means, Stopped

PAUSE_SECONDS = 1.0
"""Between two looks for the community."""


class Calm:
    """Switches that were just drained.

    drained      name → drained Device
    established  name → addresses of the peers whose sessions stood before; None: not read, all are meant
    stage        of the steps in the journal; "" after all stages
    """

    def __init__(
        self,
        means: Means,
        steps: Steps,
        drained: Mapping[str, Device],
        established: Mapping[str, frozenset[str] | None],
        stage: str = StageName.DRAIN,
    ) -> None:
        self._means, self._steps, self._stage = means, steps, stage
        self._drained, self._established = drained, established
        self._until = means.clock() + means.settings.quiet

    def wait(self) -> None:
        """Return when all is quiet. Raises Failed where it is not in time, and Stopped."""
        self._heard()
        self._steps.each(StepName.QUIET, self._stage, self._drained, self._quiet, self._detail)
        if self._means.stop.is_set():
            raise Stopped

    def _heard(self) -> None:
        """Wait until every peer has routes with the graceful-shutdown community over every drained session."""
        while lacking := dict(self._lacking()):
            if self._means.stop.is_set():
                raise Stopped
            if self._means.clock() >= self._until:
                raise self._failed(lacking)
            self._means.wait(PAUSE_SECONDS)

    def _failed(self, reasons: Mapping[str, str]) -> Failed:
        for name, reason in reasons.items():
            detail = {"reason": reason}
            self._steps.note(StepName.QUIET, How.FAILED, device=name, stage=self._stage, detail=detail)
        return Failed(reasons)

    def _lacking(self) -> Iterator[tuple[str, str]]:
        """Drained switches that a peer has not heard of, and which."""
        wanted = {name: peers_of(device, self._established[name]) for name, device in self._drained.items()}
        peers = sorted({peer for found in wanted.values() for peer in found})
        seen = self._means.fleet.each(peers, _shut)
        for name, found in wanted.items():
            for peer, addresses in found.items():
                heard = seen.get(peer)
                if isinstance(heard, BoxError):
                    yield name, f"{peer} can not be asked whether it has heard that this is drained: {heard.reason}"
                elif heard is not None and not addresses <= heard:
                    yield name, f"{peer} has not heard that it is drained: no route of {min(addresses - heard)} says so"

    def _quiet(self, box: Box) -> QuietResult:
        settings = self._means.settings
        bounds = Bounds(
            limit_bps=settings.limit,
            polls=settings.polls,
            interval=settings.interval,
            seconds=max(0.0, self._until - self._means.clock()),
        )
        ports = drained_ports(self._drained[box.name], self._established[box.name])
        if not ports:
            return QuietResult(quiet=True, rates={}, polls=0, seconds=0)  # no session stood there
        found = wait_quiet(box.counters, ports, self._means.stop, bounds)
        if not found.quiet and not self._means.stop.is_set():
            raise BoxError("loud", _loud(found, settings.limit))
        return found

    def _detail(self, found: QuietResult) -> Mapping[str, object]:
        limit = self._means.settings.limit
        return {"ports": dict(found.rates), "limit": limit, "polls": found.polls, "seconds": round(found.seconds, 1)}


def _shut(box: Box) -> frozenset[str] | None:
    """Peers from which routes with the community came; None where no command is known that tells."""
    return box.manner.seen(box.ask(box.manner.signs)) if box.manner.signs else None


def _loud(found: QuietResult, limit: int) -> str:
    """The loudest port."""
    rates = {port: rate for port, rate in found.rates.items() if rate is None or rate >= limit}
    if not rates:
        return "its ports were not quiet for long enough"
    port = max(rates, key=lambda name: rates[name] or limit * BITS)
    said = "an unknown rate" if rates[port] is None else f"{rates[port]} bit/s"
    return f"{len(rates)} of its ports still carry traffic, such as {port} with {said}: the limit is {limit}"
