"""The fan-out: Nornir's threads ask each switch through NAPALM, and what it says is kept before the next is asked.

What a driver raises is told as the switch's failure, or as the error of one command; Nornir's subtasks catch it, so
that no kind of exception of any driver ends the run. What we raise ourselves passes.
"""

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Lock
from typing import Protocol, runtime_checkable

from nornir.core import Nornir
from nornir.core.configuration import Config
from nornir.core.exceptions import NornirSubTaskError
from nornir.core.inventory import Hosts, Inventory
from nornir.core.plugins.connections import ConnectionPluginRegister
from nornir.core.task import Task
from nornir.plugins.runners import ThreadedRunner

from fabricgen.base.secret_values import SecretError
from fabricgen.platforms.base.live.reader import Output, ReadCommand
from fabricgen.platforms.base.live.standing import Armed, RunMarks
from fabricgen.platforms.commit_profiles import COMMIT_OPERATIONS
from fabricgen.state.state import Pushed
from fabricgen.verify.collect.connection import NAPALM, Connection, connection
from fabricgen.verify.collect.inventory import SiteInventory
from fabricgen.verify.collect.redact_config import without_secrets
from fabricgen.verify.collect.redact_outputs import redacted, repeating
from fabricgen.verify.collect.store import Collected, Failure, Target, write

SWITCH_SECONDS = 240
"""A switch that has not said all by then is asked no further."""

CONFIGURED = frozenset({"running", "startup", "files"})
"""Parts whose outputs are configurations: their secrets are not kept."""

_LONGEST = 300  # characters of a driver's error


class Answered(Protocol):
    """What a command gave, or the error that it drew."""

    value: object
    error: str


UNPROBED = {"probe": False}
"""Optional arguments that spare a question at opening; a driver that does not know a name leaves it."""


@runtime_checkable
class Answering(Protocol):
    """A driver that is asked all at once: one command that fails takes no other with it."""

    def answers(self, asked: Mapping[str, str]) -> Mapping[str, Answered]:
        """Answer commands, each with its encoding. One that is missing is to be asked by `cli`.

        Raises where the switch does not answer at all: with UNPROBED it is opened without being asked anything.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """How and where to collect.

    folder   gets one file a switch; suffix: of the file
    stop     once set, no further command is sent; what was asked of a switch until then is dropped
    done     told each switch that is kept, one at a time
    armed    ask too what each switch will end by itself
    pushed   what a push had committed last on a switch; None where nobody knows
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
    """Ask these switches and keep what they say; one that the inventory lacks is kept as a failure.

    Raises FabricError where a file cannot be written.
    """
    hosts = collection.site.nornir.hosts
    lock = Lock()
    for target in targets.values():
        if target.device not in hosts:
            _keep(collection, lock, _failed(target, "host-missing", "the inventory does not name it"))
    # NAPALM takes longer to import than a small fabric to judge, and what is read again asks nobody. Not in a thread:
    # its drivers wait for one another where several threads are the first to import them (napalm/__init__.py).
    from fabricgen.verify.collect.nornir_plugin import Opened  # noqa: PLC0415

    ConnectionPluginRegister.register(NAPALM, Opened)
    nornir = Nornir(
        inventory=Inventory(
            hosts=Hosts({name: hosts[name] for name in targets if name in hosts}),
            groups=collection.site.nornir.groups,
            defaults=collection.site.nornir.defaults,
        ),
        config=Config(),
        runner=ThreadedRunner(num_workers=collection.workers),
    )
    with _quiet():
        results = nornir.run(_collect, name="collect", collection=collection, targets=targets, lock=lock)
    for result in results.values():
        if result[0].exception is not None:
            raise result[0].exception


@contextmanager
def _quiet() -> Iterator[None]:
    """Let no library write a log: what they would say is in the report, and some say more than one may read."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def _keep(collection: Collection, lock: Lock, collected: Collected) -> None:
    with ExitStack() as failed:
        failed.callback(collection.stop.set)  # a full disk is full for the others too
        write(collection.folder, collected, collection.suffix)
        failed.pop_all()
    with lock:
        collection.done(collected)


def _collect(task: Task, collection: Collection, targets: Mapping[str, Target], lock: Lock) -> None:
    """Nornir's task: one switch from connecting to the file."""
    if collection.stop.is_set():
        return
    target = targets[task.host.name]
    try:
        opening = connection(collection.site.folder, task.host)
    except (OSError, SecretError, ValueError):  # it was there when the run began
        _keep(collection, lock, _failed(target, "unreachable", "a secret of the inventory can no longer be read"))
        return
    try:
        collected = _asked(task, target, opening, collection.stop)
        if collection.armed and collected is not None and collected.failure is None:
            collected = replace(collected, armed=_armed(task, target, opening.secrets))
        if collected is not None and collected.failure is None:
            collected = replace(collected, pushed=collection.pushed(target.device))
    finally:
        with suppress(NornirSubTaskError):
            task.run(_close)
        task.results.clear()  # Nornir would keep what every switch said to the end
    if collected is not None:
        _keep(collection, lock, collected)


def _asked(task: Task, target: Target, opening: Connection, stop: Event) -> Collected | None:
    """What a switch says; None when it is no longer wanted."""
    deadline = time.monotonic() + SWITCH_SECONDS
    at = datetime.now(UTC)
    try:
        task.run(_open, opening=opening)
        at = datetime.now(UTC)
        outputs = _together(task, target, opening.secrets)
    except NornirSubTaskError as error:
        return None if stop.is_set() else _failed(target, "unreachable", _reason(error, opening.secrets))
    for read in target.reads:
        if read.command in outputs:
            continue
        if stop.is_set():
            return None
        if time.monotonic() > deadline:
            outputs[read.command] = Output(None, f"not asked: the switch took more than {SWITCH_SECONDS} s until here")
            continue
        try:
            outputs[read.command] = _output(read, task.run(_run, reads=(read,)).result[read.command], opening.secrets)
        except NornirSubTaskError as error:
            outputs[read.command] = Output(None, _reason(error, opening.secrets))
    if outputs and all(output.error for output in outputs.values()):
        return _failed(target, "no-answer", next(iter(outputs.values())).error)
    asked = {read.command: outputs[read.command] for read in target.reads}
    return Collected(device=target.device, system=target.system, vrfs=target.vrfs, outputs=asked, at=at)


def _armed(task: Task, target: Target, secrets: tuple[str, ...]) -> Armed | str | None:
    """What the switch will end by itself; where that is not known, why."""
    try:
        found: RunMarks = task.run(_standing, driver=target.driver).result
    except NornirSubTaskError as error:
        return _reason(error, secrets)
    armed = found.armed
    return None if armed is None else armed._replace(token=_plain(armed.token, secrets), who=_plain(armed.who, secrets))


def _standing(task: Task, driver: str) -> RunMarks:
    return COMMIT_OPERATIONS[driver].standing(task.host.connections[NAPALM].connection)


def _together(task: Task, target: Target, secrets: tuple[str, ...]) -> dict[str, Output]:
    """What is asked in one call; where one of these commands fails they are left to be asked one by one."""
    if isinstance(task.host.connections[NAPALM].connection, Answering):
        said = task.run(_answers, reads=target.reads).result
        return {
            read.command: _answer(read, said[read.command], secrets) for read in target.reads if read.command in said
        }
    found: dict[str, Output] = {}
    calls: dict[tuple[int, str], list[ReadCommand]] = {}
    for read in target.reads:
        if read.call:
            calls.setdefault((read.call, read.encoding), []).append(read)
    for reads in calls.values():
        with suppress(NornirSubTaskError):
            said = task.run(_run, reads=reads).result
            found |= {read.command: _output(read, said[read.command], secrets) for read in reads}
    return found


def _open(task: Task, opening: Connection) -> None:
    arguments = {name: value for name, value in opening._asdict().items() if name != "secrets"}
    optional = opening.extras.get("optional_args")
    arguments["extras"] = {
        **opening.extras,
        "optional_args": {**(optional if isinstance(optional, dict) else {}), **UNPROBED},
    }
    task.host.open_connection(NAPALM, task.nornir.config, default_to_host_attributes=False, **arguments)


def _run(task: Task, reads: Sequence[ReadCommand]) -> Mapping[str, object]:
    """Outputs by command; all reads have one encoding."""
    driver = task.host.connections[NAPALM].connection
    found: Mapping[str, object] = driver.cli([read.command for read in reads], encoding=reads[0].encoding)
    return found


def _answers(task: Task, reads: Sequence[ReadCommand]) -> Mapping[str, Answered]:
    """What came of each of them, where the driver can tell them apart."""
    driver: Answering = task.host.connections[NAPALM].connection
    return driver.answers({read.command: read.encoding for read in reads})


def _answer(read: ReadCommand, said: Answered, secrets: tuple[str, ...]) -> Output:
    return Output(None, _plain(said.error, secrets)) if said.error else _output(read, said.value, secrets)


def _close(task: Task) -> None:
    if NAPALM in task.host.connections:
        task.host.close_connection(NAPALM)


def _output(read: ReadCommand, value: object, secrets: tuple[str, ...]) -> Output:
    if not isinstance(value, str | dict | list):
        return Output(None, f"the driver gave {type(value).__name__} where {read.encoding} was asked for")
    kept = repeating(value, secrets)
    return Output(without_secrets(kept) if read.part in CONFIGURED else kept)


def _failed(target: Target, code: str, reason: str) -> Collected:
    return Collected(device=target.device, system=target.system, vrfs=target.vrfs, failure=Failure(code, reason))


def _reason(error: NornirSubTaskError, secrets: tuple[str, ...]) -> str:
    """What a driver raised, on one line and without the secrets of the connection."""
    raised = error.result[0].exception
    return _plain(str(raised) or type(raised).__name__, secrets)


def _plain(said: str, secrets: tuple[str, ...]) -> str:
    text = redacted(said, secrets)
    text = re.sub(r"\s+", " ", text).strip()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
