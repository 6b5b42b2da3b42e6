"""Parallel collection: Nornir's threads read each switch through NAPALM, and its outputs are stored as it ends.

An exception of a driver, of whatever kind, becomes the switch's failure, or the error of one command: no driver ends
the run. Our own exceptions are passed on.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Event, Lock
from typing import Protocol, runtime_checkable

from nornir.core.exceptions import NornirSubTaskError
from nornir.core.plugins.connections import ConnectionPluginRegister
from nornir.core.task import Task

from fabricgen.base.grouping import grouped
from fabricgen.base.secret_values import SecretError
from fabricgen.platforms.base.live.reader import Output, ReadCommand
from fabricgen.platforms.base.live.run_marks import Armed, RunMarks
from fabricgen.platforms.commit_profiles import COMMIT_OPERATIONS
from fabricgen.state.state import Pushed
from fabricgen.verify.collect.connection import NAPALM, Connection, connection
from fabricgen.verify.collect.inventory import SiteInventory
from fabricgen.verify.collect.redact_outputs import message_of, output_of
from fabricgen.verify.collect.run_on_hosts import run_on_hosts
from fabricgen.verify.collect.store import Collected, Failure, Target, write

SWITCH_SECONDS = 240
"""A switch is asked no further command after this time."""


class Answered(Protocol):
    """The value of a command, or its error."""

    value: object
    error: str


UNPROBED = {"probe": False}
"""Optional arguments that skip a request when opening; a driver ignores names that it does not know."""


@runtime_checkable
class Answering(Protocol):
    """A driver that answers all commands in one call: one failed command does not affect the others."""

    def answers(self, asked: Mapping[str, str]) -> Mapping[str, Answered]:
        """Answer commands, each with its encoding. A missing one must be read with `cli`.

        Raises if the switch does not answer at all: with UNPROBED it is opened without a request.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """How and where to collect.

    folder   gets one file per switch; suffix: of the file
    stop     once set, no further command is sent; incomplete outputs of a switch are dropped
    done     called with each stored switch, one at a time
    armed    also read which commit each switch will end by itself
    pushed   what a push committed last on a switch; None where unknown
    """

    site: SiteInventory
    folder: Path
    suffix: str
    workers: int
    stop: Event
    done: Callable[[Collected], None]
    armed: bool = False
    pushed: Callable[[str], Pushed | None] = lambda device: None


def collect(collection: Collection, targets: Mapping[str, Target]) -> None:
    """Read these switches and store their outputs; one that the inventory lacks is stored as a failure.

    Raises FabricError where a file cannot be written.
    """
    hosts = collection.site.nornir.hosts
    lock = Lock()
    for target in targets.values():
        if target.device not in hosts:
            _keep(collection, lock, _failed(target, "host-missing", "it was not queried"))
    # NAPALM takes longer to import than a small fabric to judge, and judging stored outputs does not need it. Not in a
    # thread: its drivers deadlock if several threads are the first to import them (napalm/__init__.py).
    from fabricgen.verify.collect.nornir_plugin import Opened  # noqa: PLC0415

    ConnectionPluginRegister.register(NAPALM, Opened)
    known = [name for name in targets if name in hosts]
    job = partial(_collect, collection=collection, targets=targets, lock=lock)
    run_on_hosts(collection.site, known, collection.workers, job)


def _keep(collection: Collection, lock: Lock, collected: Collected) -> None:
    with ExitStack() as failed:
        failed.callback(collection.stop.set)  # a full disk affects the other switches too
        write(collection.folder, collected, collection.suffix)
        failed.pop_all()
    with lock:
        collection.done(collected)


def _collect(task: Task, collection: Collection, targets: Mapping[str, Target], lock: Lock) -> None:
    """Nornir's task for one switch, from connecting to the file."""
    if collection.stop.is_set():
        return
    target = targets[task.host.name]
    try:
        opening = connection(collection.site.folder, task.host)
    except (OSError, SecretError, ValueError):  # it existed when the run began
        _keep(collection, lock, _failed(target, "unreachable", "a secret of the inventory can no longer be read"))
        return
    try:
        collected = _collected(task, target, opening, collection.stop)
        if collection.armed and collected is not None and collected.failure is None:
            collected = replace(collected, armed=_armed(task, target, opening.secrets))
        if collected is not None and collected.failure is None:
            collected = replace(collected, pushed=collection.pushed(target.device))
    finally:
        with suppress(NornirSubTaskError):
            task.run(_close)
        task.results.clear()  # otherwise Nornir keeps every output of the switch until the end
    if collected is not None:
        _keep(collection, lock, collected)


def _collected(task: Task, target: Target, opening: Connection, stop: Event) -> Collected | None:
    """The outputs of a switch; None if the run was stopped."""
    deadline = time.monotonic() + SWITCH_SECONDS
    started = datetime.now(UTC)
    try:
        task.run(_open, opening=opening)
        started = datetime.now(UTC)
        outputs = _together(task, target, opening.secrets)
    except NornirSubTaskError as error:
        return None if stop.is_set() else _failed(target, "unreachable", _reason(error, opening.secrets))
    for read in target.reads:
        if read.command in outputs:
            continue
        if stop.is_set():
            return None
        if time.monotonic() > deadline:
            outputs[read.command] = Output(
                None, f"not queried: the switch took more than {SWITCH_SECONDS} s until here"
            )
            continue
        answers = task.run(_run, reads=(read,)).result
        if isinstance(answers, Exception):
            outputs[read.command] = Output(None, _message(answers, opening.secrets))
        else:
            outputs[read.command] = output_of(read, answers[read.command], opening.secrets)
    if outputs and all(output.error for output in outputs.values()):
        return _failed(target, "no-answer", next(iter(outputs.values())).error)
    in_order = {read.command: outputs[read.command] for read in target.reads}
    return Collected(device=target.device, system=target.system, vrfs=target.vrfs, outputs=in_order, at=started)


def _armed(task: Task, target: Target, secrets: tuple[str, ...]) -> Armed | str | None:
    """The commit that the switch will end by itself; a reason where that is unknown."""
    try:
        marks: RunMarks = task.run(_marks, driver=target.driver).result
    except NornirSubTaskError as error:
        return _reason(error, secrets)
    armed = marks.armed
    if armed is None:
        return None
    return armed._replace(token=message_of(armed.token, secrets), who=message_of(armed.who, secrets))


def _marks(task: Task, driver: str) -> RunMarks:
    return COMMIT_OPERATIONS[driver].run_marks(task.host.connections[NAPALM].connection)


def _together(task: Task, target: Target, secrets: tuple[str, ...]) -> dict[str, Output]:
    """Outputs of commands that are sent in one call; commands of a failed call are left to be sent one by one."""
    if isinstance(task.host.connections[NAPALM].connection, Answering):
        answers = task.run(_answers, reads=target.reads).result
        return {
            read.command: _answer(read, answers[read.command], secrets)
            for read in target.reads
            if read.command in answers
        }
    outputs: dict[str, Output] = {}
    calls = grouped(((read.call, read.encoding), read) for read in target.reads if read.call)
    for reads in calls.values():
        answers = task.run(_run, reads=reads).result
        if not isinstance(answers, Exception):
            outputs |= {read.command: output_of(read, answers[read.command], secrets) for read in reads}
    return outputs


def _open(task: Task, opening: Connection) -> None:
    arguments = {name: value for name, value in opening._asdict().items() if name != "secrets"}
    optional = opening.extras.get("optional_args")
    arguments["extras"] = {
        **opening.extras,
        "optional_args": {**(optional if isinstance(optional, dict) else {}), **UNPROBED},
    }
    task.host.open_connection(NAPALM, task.nornir.config, default_to_host_attributes=False, **arguments)


def _run(task: Task, reads: Sequence[ReadCommand]) -> Mapping[str, object] | Exception:
    """Outputs by command, or what the driver raised; all reads have one encoding.

    An exception is returned because Nornir formats a traceback of one that is raised: for a command that a release does
    not know, that takes longer than the query.
    """
    driver = task.host.connections[NAPALM].connection
    try:
        outputs: Mapping[str, object] = driver.cli([read.command for read in reads], encoding=reads[0].encoding)
    except Exception as error:  # noqa: BLE001 - drivers raise all kinds
        return error
    return outputs


def _answers(task: Task, reads: Sequence[ReadCommand]) -> Mapping[str, Answered]:
    """Result of each command, from a driver that can separate them."""
    driver: Answering = task.host.connections[NAPALM].connection
    return driver.answers({read.command: read.encoding for read in reads})


def _answer(read: ReadCommand, answer: Answered, secrets: tuple[str, ...]) -> Output:
    return Output(None, message_of(answer.error, secrets)) if answer.error else output_of(read, answer.value, secrets)


def _close(task: Task) -> None:
    if NAPALM in task.host.connections:
        task.host.close_connection(NAPALM)


def _failed(target: Target, code: str, reason: str) -> Collected:
    return Collected(device=target.device, system=target.system, vrfs=target.vrfs, failure=Failure(code, reason))


def _reason(error: NornirSubTaskError, secrets: tuple[str, ...]) -> str:
    return _message(error.result[0].exception, secrets)


def _message(raised: BaseException | None, secrets: tuple[str, ...]) -> str:
    """The text of a driver's exception, on one line and without the secrets of the connection."""
    return message_of(str(raised) or type(raised).__name__, secrets)
