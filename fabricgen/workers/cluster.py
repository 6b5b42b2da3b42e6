"""The user's Dask cluster as an executor. Its workers report their release before they get work.

The scheduler notices a worker that dies, and gives its run to another one (`distributed.scheduler.allowed-failures`
of Dask's own configuration, 3 by default); a result that was lost with it is computed again. A run that itself fails,
for example on a worker of another release that joined later, is tried RETRIES times more.
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
"""Longest time to wait for a scheduler."""

T = TypeVar("T")


class ClusterExecutor(NamedTuple):
    """An executor, and the number of runs that its workers do at once."""

    executor: Executor
    threads: int


class _Client(Protocol):
    """The methods of `distributed.Client` that are used."""

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
        local_release = release()
        _agree(client, address, local_release)
        threads = sum(client.nthreads().values())
        try:
            yield ClusterExecutor(
                _SameReleaseExecutor(client.get_executor(retries=RETRIES, pure=False), local_release), threads
            )
        except (distributed.KilledWorker, CancelledError) as error:
            raise FabricError.of(
                code="worker-lost",
                what=f"the cluster at {address} has lost its work",
                why=str(error) or "its scheduler ended, or cancelled it",
                fix="check the logs of its workers (the usual cause is too little memory), and try again",
            ) from None
        except OtherReleaseError as error:
            raise FabricError([_other_release("a worker", str(error), local_release)]) from None


class _SameReleaseExecutor(Executor):
    """Executor whose calls are run only by workers of the same release."""

    def __init__(self, executor: Executor, local_release: RemoteRelease) -> None:
        self._executor, self._wanted = executor, local_release

    def submit(self, do: Callable[..., T], /, *args: object, **kwargs: object) -> Future[T]:
        """Submit a call, as Executor does; keyword arguments are not supported."""
        if kwargs:
            raise TypeError(f"by name: {', '.join(kwargs)}")
        answer = cast(Callable[..., T], answered)
        return self._executor.submit(answer, self._wanted, packed(do, *args))


def _client(connect: Callable[..., _Client], address: str) -> _Client:
    """Return a connected client. Dask raises ValueError for a bad address, TypeError where TLS has no keys."""
    if "://" not in address:
        raise FabricError([_unreached(address, "it does not begin with tcp:// or tls://")])
    try:
        return connect(address, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise FabricError([_unreached(address, str(error))]) from None


def _agree(client: _Client, address: str, ours: RemoteRelease) -> None:
    """Check the release of every worker. Raises FabricError where one differs, or there is no worker."""
    releases = client.run(release, on_error="return")
    if not releases:
        raise FabricError.of(
            code="cluster-empty",
            what=f"the scheduler at {address} has no worker",
            why="a scheduler only distributes work",
            fix=f"start workers: dask worker {address}",
        )
    problems = [_other_release(f"the worker {name}", _name(row), ours) for name, row in releases.items() if row != ours]
    if problems:
        raise FabricError(problems)


def _name(answer: object) -> str:
    """Release of a worker, or the reason why it could not report one."""
    return answer.version if isinstance(answer, RemoteRelease) else f"no fabricgen that responds ({answer})"


NOT_INSTALLED = Problem(
    code="cluster-not-installed",
    what="--cluster needs Dask, and it is not installed here",
    why="it is an extra of fabricgen",
    fix="pip install 'fabricgen[cluster]'",
)


def _unreached(address: str, reason: str) -> Problem:
    return Problem(
        code="cluster-unreachable",
        what=f"no Dask scheduler answers at {address!r}",
        why=reason,
        fix="start one with `dask scheduler`, and use the address that it prints, e.g. --cluster tcp://10.0.0.9:8786",
    )


def _other_release(worker: str, remote_version: str, local_release: RemoteRelease) -> Problem:
    is_same_version = remote_version == local_release.version
    return Problem(
        code="cluster-release",
        what=f"{worker} has {'other sources or templates of' * is_same_version} {remote_version}".replace("  ", " "),
        why=f"this is {local_release.version}, and the other might render differently",
        fix="install the same release for every worker, and start them again",
    )
