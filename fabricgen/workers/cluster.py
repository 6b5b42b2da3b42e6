"""A Dask cluster that the user has, as an executor; its workers say what they would work with before they get work.

A worker that dies is noticed by the scheduler, which gives its run to another (`distributed.scheduler.allowed-failures`
of Dask's own configuration, 3 where nothing is said); a result that was lost with it is made again. A run that fails by
itself, as one of a worker with another release that came later, is tried RETRIES times more.
https://distributed.dask.org/en/stable/resilience.html, read 2026-11-22
"""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future
from contextlib import closing, contextmanager
from typing import NamedTuple, Protocol, TypeVar, cast

from fabricgen.errors import FabricError, Problem
from fabricgen.workers.remote import OtherReleaseError, RemoteRelease, answered, packed, release

RETRIES = 3
SECONDS = 10
"""For which a scheduler is waited for."""

T = TypeVar("T")


class ClusterExecutor(NamedTuple):
    """An executor, and how many runs its workers do at once."""

    executor: Executor
    threads: int


class _Client(Protocol):
    """What is asked of `distributed.Client`."""

    def run(self, function: Callable[..., object], *, on_error: str) -> Mapping[str, object]: ...
    def nthreads(self) -> Mapping[str, int]: ...
    def get_executor(self, *, retries: int, pure: bool) -> Executor: ...
    def close(self) -> None: ...


@contextmanager
def cluster(address: str) -> Iterator[ClusterExecutor]:
    """The cluster of a scheduler, e.g. tcp://10.0.0.9:8786; tls:// takes keys from Dask's own configuration.

    Raises FabricError where there is none, where a worker is of another release, and, from within, where work is lost.
    """
    try:
        import distributed  # noqa: PLC0415 - an extra, and half a second
    except ModuleNotFoundError:
        raise FabricError([NOT_INSTALLED]) from None
    client = _client(distributed.Client, address)
    with closing(client):
        wanted = release()
        _agree(client, address, wanted)
        threads = sum(client.nthreads().values())
        try:
            yield ClusterExecutor(_Held(client.get_executor(retries=RETRIES, pure=False), wanted), threads)
        except (distributed.KilledWorker, CancelledError) as error:
            raise FabricError([_lost(address, error)]) from None
        except OtherReleaseError as error:
            raise FabricError([_stranger("a worker", str(error), wanted)]) from None


class _Held(Executor):
    """Hands over calls that only a worker of the same release answers."""

    def __init__(self, executor: Executor, wanted: RemoteRelease) -> None:
        self._executor, self._wanted = executor, wanted

    def submit(self, do: Callable[..., T], /, *given: object, **named: object) -> Future[T]:
        """As Executor has it; words by name are not taken."""
        if named:
            raise TypeError(f"by name: {', '.join(named)}")
        answer = cast(Callable[..., T], answered)
        return self._executor.submit(answer, self._wanted, packed(do, *given))


def _client(connect: Callable[..., _Client], address: str) -> _Client:
    """A client that is connected. Dask raises a ValueError for an address, a TypeError where TLS has no keys."""
    if "://" not in address:
        raise FabricError([_unreached(address, "it has no tcp:// or tls:// in front")])
    try:
        return connect(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise FabricError([_unreached(address, str(error))]) from None


def _agree(client: _Client, address: str, wanted: RemoteRelease) -> None:
    """Ask every worker what it works with. Raises FabricError where one has something else, or there is none."""
    told = client.run(release, on_error="return")
    if not told:
        raise FabricError([_empty(address)])
    problems = [_stranger(f"the worker {name}", _name(one), wanted) for name, one in told.items() if one != wanted]
    if problems:
        raise FabricError(problems)


def _name(one: object) -> str:
    """The release of a worker; of one that could not tell it, why."""
    return one.version if isinstance(one, RemoteRelease) else f"no fabricgen that could be asked ({one})"


NOT_INSTALLED = Problem(
    code="cluster-not-installed",
    what="--cluster needs Dask, and it is not installed here",
    why="it is an extra of fabricgen",
    fix="pip install 'fabricgen[cluster]'",
)


def _unreached(address: str, why: str) -> Problem:
    return Problem(
        code="cluster-unreachable",
        what=f"no Dask scheduler answers at {address!r}",
        why=why,
        fix="start one with `dask scheduler`, and write the address that it tells, e.g. --cluster tcp://10.0.0.9:8786",
    )


def _empty(address: str) -> Problem:
    return Problem(
        code="cluster-empty",
        what=f"the scheduler at {address} has no worker",
        why="it hands out work and does none",
        fix=f"start workers: dask worker {address}",
    )


def _stranger(who: str, theirs: str, wanted: RemoteRelease) -> Problem:
    same = theirs == wanted.version
    return Problem(
        code="cluster-release",
        what=f"{who} has {'other sources or templates of' * same} {theirs}".replace("  ", " "),
        why=f"here is {wanted.version}, and it might write other bytes",
        fix="install the same release for every worker, and start them again",
    )


def _lost(address: str, error: BaseException) -> Problem:
    return Problem(
        code="worker-lost",
        what=f"the cluster at {address} has lost what it was given",
        why=str(error) or "its scheduler ended, or cancelled it",
        fix="look into the logs of its workers, mostly for want of memory, and try again",
    )
