"""The switches of one site, acted on in parallel: Nornir's threads, NAPALM's drivers, and a SwitchConnection for each.

A connection is opened when a switch is first acted on, and kept from one call to the next. One that was lost is opened
again by the next call. These connections belong to the fleet; a verification opens and closes its own.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

from nornir.core.configuration import Config
from nornir.core.exceptions import NornirSubTaskError
from nornir.core.task import Task

from fabricgen.base.secret_values import SecretError
from fabricgen.platforms.base.live.commit_operations import CommitOperations
from fabricgen.platforms.commit_profiles import COMMIT_OPERATIONS, COMMIT_PROFILES
from fabricgen.push.switch.connection import NapalmConnection, SwitchConnection
from fabricgen.push.switch.errors import AWAY, box_error, is_ours, kind_of
from fabricgen.push.switch.switch import SwitchError
from fabricgen.verify.collect.connection import Connection, connection
from fabricgen.verify.collect.inventory import SiteInventory
from fabricgen.verify.collect.nornir_plugin import Opened
from fabricgen.verify.collect.run_on_hosts import in_nornir, run_on_hosts

T = TypeVar("T")


class NapalmFleet:
    """Switches by name, each with the NAPALM driver of its platform.

    workers  how many are acted on at the same time
    """

    def __init__(self, site: SiteInventory, drivers: Mapping[str, str], workers: int) -> None:
        self._site = site
        self._drivers = drivers
        self._workers = workers
        self._lines: dict[str, NapalmConnection] = {}
        self._left: dict[str, str] = {}  # switch → token of the candidate that was loaded when its connection was lost

    def __enter__(self) -> Self:
        """Return itself; no switch is contacted yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close all."""
        self.close()

    def each(self, names: Iterable[str], act: Callable[[SwitchConnection], T]) -> dict[str, T | SwitchError]:
        """Call `act` for each of these switches, in parallel.

        Return its results by name in the order given; a SwitchError that `act` or the connection raised is the result
        of that switch. Any other exception is raised after all switches are done.
        """
        names = tuple(names)
        hosts = self._site.nornir.hosts
        results: dict[str, T | SwitchError] = {
            name: SwitchError("unreachable", "it is not in the inventory") for name in names if name not in hosts
        }
        known = sorted({name for name in names if name in hosts})
        results.update(run_on_hosts(self._site, known, self._workers, partial(self._act, act=act)))
        return {name: results[name] for name in names}

    def close(self) -> None:
        """Close every connection. Timed commits go on waiting; what was loaded and not committed is forgotten."""
        run_on_hosts(self._site, sorted(self._lines), self._workers, self._close)

    def _act(self, task: Task, act: Callable[[SwitchConnection], T]) -> T | SwitchError:
        name = task.host.name
        try:
            line = self._live(task) or self._open(task)
            driver = self._drivers[name]
            guard = _Guard(task, line, COMMIT_OPERATIONS[driver])
            log_in = partial(self._log_in, task)
            result = act(
                SwitchConnection(name, COMMIT_PROFILES[driver], COMMIT_OPERATIONS[driver], line, guard, log_in)
            )
        except SwitchError as error:
            return error
        finally:
            # The next action must open a new connection.
            if name in self._lines and self._lines[name].broken:
                self._drop(task, self._lines.pop(name))
        return result

    def _live(self, task: Task) -> NapalmConnection | None:
        """Return the connection if it is open and still alive, else None."""
        line = self._lines.get(task.host.name)
        if line is None:
            return None
        alive = False
        with suppress(SwitchError):
            guard = _Guard(task, line, COMMIT_OPERATIONS[self._drivers[task.host.name]])
            alive = guard(lambda: bool(line.driver.is_alive()["is_alive"]), "lost")
        if alive:
            return line
        self._drop(task, self._lines.pop(task.host.name))
        return None

    def _open(self, task: Task) -> NapalmConnection:
        name = task.host.name
        driver = self._drivers.get(name, "")
        if driver not in COMMIT_OPERATIONS:
            raise SwitchError(
                "unable", f"no driver {driver or 'at all'} is supported by push: {', '.join(COMMIT_OPERATIONS)}"
            )
        opening = self._opening(task)
        self._lines[name] = line = _connected(task, opening, driver)
        if token := self._left.pop(name, ""):
            with suppress(SwitchError):
                _Guard(task, line, COMMIT_OPERATIONS[driver])(
                    lambda: COMMIT_OPERATIONS[driver].sweep(line.driver, token), "lost"
                )
        return line

    def _opening(self, task: Task) -> Connection:
        """Parameters of a switch's connections."""
        try:
            return connection(self._site.folder, task.host)
        except (OSError, SecretError, ValueError):
            raise SwitchError("unreachable", "a secret of the inventory can no longer be read") from None

    def _log_in(self, task: Task) -> None:
        """Open one more connection, read which commit is pending, and close it. The kept one is not touched."""
        driver = self._drivers[task.host.name]
        line = _connected(task, self._opening(task), driver)
        guard = _Guard(task, line, COMMIT_OPERATIONS[driver], opening=True)
        try:
            guard(lambda: COMMIT_OPERATIONS[driver].pending(line.driver), "refused")
        finally:
            self._end(task, line, "")

    def _drop(self, task: Task, line: NapalmConnection) -> None:
        """Discard a connection that was lost, without contacting the switch."""
        if line.loaded is not None:
            self._left[task.host.name] = line.loaded.token
        self._end(task, line, "")

    def _close(self, task: Task) -> None:
        line = self._lines.pop(task.host.name)
        self._end(task, line, line.loaded.token if line.loaded else "")

    def _end(self, task: Task, line: NapalmConnection, token: str) -> None:
        operations = COMMIT_OPERATIONS[self._drivers[task.host.name]]
        with suppress(SwitchError):
            _Guard(task, line, operations)(lambda: operations.close(line.driver, token), "lost")


class _Guard:
    """A SwitchGuard that runs the call as a subtask of Nornir, which catches whatever a driver raises."""

    def __init__(
        self, task: Task, line: NapalmConnection, operations: CommitOperations, *, opening: bool = False
    ) -> None:
        self._task = task
        self._line = line
        self._operations = operations
        self._opening = opening

    def __call__(self, act: Callable[[], T], unknown: str, hidden: tuple[str, ...] = ()) -> T:
        try:
            result: T = self._task.run(in_nornir, job=lambda _: act())[0].result
        except NornirSubTaskError as error:
            raised = error.result[0].exception
        else:
            return result
        finally:
            self._task.results.clear()  # otherwise Nornir keeps every output of the switch until the end
        if raised is None or is_ours(raised):
            raise raised or RuntimeError("Nornir lost the exception of a task")
        kind = kind_of(raised, self._operations.patterns, unknown, opening=self._opening)
        self._line.broken = self._line.broken or kind in AWAY
        raise box_error(raised, kind, (*self._line.secrets, *hidden))


def _connected(task: Task, opening: Connection, driver: str) -> NapalmConnection:
    """A new connection. Raises SwitchError."""
    line = NapalmConnection(driver=None, secrets=opening.secrets, broken=True)  # until it is open
    guard = _Guard(task, line, COMMIT_OPERATIONS[driver], opening=True)
    line.driver = guard(partial(_opened, opening, driver, task.nornir.config), "unreachable")
    line.broken = False
    return line


def _opened(opening: Connection, driver: str, config: Config) -> Any:  # noqa: ANN401 - a driver of NAPALM
    """Open a driver as Nornir does."""
    plugin = Opened()
    plugin.open(
        hostname=opening.hostname,
        username=opening.username,
        password=opening.password,
        port=opening.port,
        platform=opening.platform or driver,
        extras=opening.extras,
        configuration=config,
    )
    return plugin.connection
