"""Switches that lie: whatever they answer, a reader makes a State of it, in little memory, and touches nothing.

python -m tests.fuzz.lying_switch [COUNT [SEED [SYSTEM…]]]

A switch that somebody else controls chooses every octet of its answers. A reader must not raise, must not be slow or
take more than LIMIT_MIB of memory in all, and must open no file for writing, start no program and connect nowhere.
"""

import copy
import os
import pickle
import resource
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import partial
from random import Random
from traceback import format_exception
from typing import Any, NamedTuple

from fabricgen.platforms.base.live.reader import Output, Outputs, Reader
from fabricgen.platforms.readers import READERS
from fabricgen.state.state import State
from tests.fuzz.hostile import spoilt, spoilt_value
from tests.fuzz.kinds import answers
from tests.fuzz.run import TooSlowError, limited

COUNT = 10_000
LIMIT_MIB = 200
LONG = 1 << 21
"""Octets of a long answer; a full table of a real switch has fewer."""
SHOWN = 5
DEEP = 3000
"""Levels of a deep answer, three times what Python's stack takes."""
FORBIDDEN = {
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.chmod", "os.truncate"),
    *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect", "socket.bind"),
    *("socket.sendto", "socket.getaddrinfo", "shutil.rmtree", "tempfile.mkstemp", "ctypes.dlopen"),
}
"""Events of Python's audit hooks (docs.python.org, Audit events table) that no reader may raise; `open` apart."""


class TouchedError(Exception):
    """A reader did what a function of text has no reason to do."""


class Liar(NamedTuple):
    """What came of one reader. failures: seed → traceback; peak_mib: of the process, Python and fabricgen included."""

    system: str
    parts_read: int
    parts_unread: int
    failures: Mapping[str, str]
    peak_mib: float


def _deep(rng: Random) -> object:
    value: object = "x"
    for _ in range(rng.choice((50, DEEP))):
        value = {"a": value} if rng.random() < 0.5 else [value]
    return value


def _repeated(value: object) -> object:
    """The same again and again, until it is long."""
    if isinstance(value, str):
        return value * (LONG // max(1, len(value)))
    if isinstance(value, list):
        return value * (LONG // 64 // max(1, len(value)))
    if isinstance(value, dict) and value:
        name, part = next(iter(value.items()))
        return {**value, **{f"{name}{number}": part for number in range(LONG // 512)}}
    return [value] * (LONG // 64)


def _some_worse(given: dict[str, Output], rng: Random) -> None:
    for name in rng.sample(sorted(given), rng.randrange(1, min(4, len(given)) + 1)):
        given[name] = Output(_worse(given[name].value, rng))


def _all_worse(given: dict[str, Output], rng: Random) -> None:
    for name, output in given.items():
        given[name] = Output(_worse(output.value, rng))


def _exchanged(given: dict[str, Output], rng: Random) -> None:
    one_name, other = rng.choice(sorted(given)), rng.choice(sorted(given))
    given[one_name], given[other] = given[other], given[one_name]


def _one_deep(given: dict[str, Output], rng: Random) -> None:
    given[rng.choice(sorted(given))] = Output(_deep(rng))


def _one_long(given: dict[str, Output], rng: Random) -> None:
    name = rng.choice(sorted(given))
    given[name] = Output(_repeated(given[name].value))


def _one_lost(given: dict[str, Output], rng: Random) -> None:
    del given[rng.choice(sorted(given))]


def _one_odd(given: dict[str, Output], rng: Random) -> None:
    given[rng.choice(sorted(given))] = Output(rng.choice(ODD), rng.choice(("", "error")))


ODD: tuple[object, ...] = (
    None,
    "",
    0,
    -1,
    1e999,
    True,
    b"octets",
    [None],
    {None: None},
    {"": {"": {}}},
    "\0" * 999,
    "\n" * 9999,
)
WAYS = (*[_some_worse] * 4, _all_worse, _exchanged, _one_deep, _one_long, _one_lost, _one_odd)


def lie(outputs: Outputs, rng: Random) -> Outputs:
    """Answers of a switch, of which some or all are no longer true."""
    given = dict(outputs)
    rng.choice(WAYS)(given, rng)
    return given


def _worse(value: object, rng: Random) -> object:
    if isinstance(value, str):
        return spoilt(value.encode(), rng).decode("utf-8", "replace")
    return spoilt_value(copy.deepcopy(value), rng)


@contextmanager
def watched() -> Iterator[None]:
    """Raise TouchedError in what writes, starts or connects. A hook cannot be taken out again: it is told to rest."""
    if not _WATCH:
        sys.addaudithook(_hook)
    _WATCH[:] = [True]
    try:
        yield
    finally:
        _WATCH[:] = [False]


_WATCH: list[bool] = []


def _hook(event: str, details: tuple[Any, ...]) -> None:
    if not _WATCH[0]:
        return
    if event == "open":
        path, mode, flags = details
        if (isinstance(mode, str) and set(mode) & set("wax+")) or (
            isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        ):
            raise TouchedError(f"{event} {path!r} {mode}")
    elif event in FORBIDDEN:
        raise TouchedError(f"{event} {details!r}")


def one(reader: Reader, given: Outputs, vrfs: Mapping[str, str]) -> State:
    """The State that a reader makes of answers, and of the running configuration where one of them is a text."""
    with limited(), watched():
        state = reader.state(given, vrfs)
        if not isinstance(state, State):
            raise TypeError(f"it gave {type(state)}")
        texts = [output.value for output in given.values() if isinstance(output.value, str)]
        if texts:
            reader.drift(texts[0][:20_000], texts[-1][:20_000])
    return state


def lies(reader: Reader, count: int, seed: int) -> Liar:
    """So many lies, told to a reader in this process."""
    outputs, vrfs = answers()[reader.system]
    failures: dict[str, str] = {}
    parts: Counter[bool] = Counter()
    for number in range(count):
        name = f"{seed}/{reader.system}/{number}"
        try:
            state = one(reader, lie(outputs, Random(name)), vrfs)  # noqa: S311 - a seed, no secret
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except (Exception, TooSlowError, SystemExit) as error:  # noqa: BLE001 - everything that is no answer
            failures[name] = "".join(format_exception(error)[-4:])
            continue
        parts[True] += sum(getattr(state, part.name) is not None for part in fields(state))
        parts[False] += len(state.unread)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Liar(reader.system, parts[True], parts[False], failures, peak)


def apart(work: Callable[[], Liar]) -> Liar:
    """Do it in a process of its own, whose memory is its own."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(ours)
            with os.fdopen(theirs, "wb") as pipe:
                pickle.dump(work(), pipe)
            status = 0
        finally:
            os._exit(status)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if status or not text:
        return Liar("?", 0, 0, {"process": f"it ended with {status}"}, 0.0)
    found: Liar = pickle.loads(text)  # noqa: S301 - from our own child
    return found


def main(words: Sequence[str]) -> int:
    """Tell lies to every reader, and say what came of them."""
    count, seed = (int(words[0]) if words else COUNT), (int(words[1]) if len(words) > 1 else 1)
    late = False
    answers()  # before the fork: made once
    for system in words[2:] or READERS:
        found = apart(partial(lies, READERS[system], count, seed))
        late = late or not is_sound(found)
        print(*told(found, count), sep="\n", flush=True)  # noqa: T201
    return 1 if late else 0


def is_sound(found: Liar) -> bool:
    """Whether a reader did what it should."""
    return not found.failures and found.peak_mib <= LIMIT_MIB


def told(found: Liar, count: int) -> Iterator[str]:
    """What came of a reader, and the first failures."""
    yield (
        f"{found.system}: {count} answers, {found.parts_read} parts read, {found.parts_unread} not read, "
        f"{len(found.failures)} failures, {found.peak_mib:.0f} MiB"
    )
    for name, text in list(found.failures.items())[:SHOWN]:
        yield f"{name}\n{text}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
