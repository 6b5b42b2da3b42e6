"""Hostile inputs by the thousand: whatever is put in, fabricgen accepts it or says what is wrong, and soon.

python -m tests.fuzz.run [COUNT [SEED [KIND…]]]
"""

import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from traceback import extract_tb, format_exception
from types import FrameType
from typing import NamedTuple

from tests.fuzz.kinds import KINDS, Kind

COUNT = 100_000
SECONDS = 10.0
"""Of the processor for one input; the slowest sound one takes a tenth of it."""
SHOWN = 1500  # characters of an input that a report shows


class TooSlowError(BaseException):
    """An input that takes longer than SECONDS. No Exception, so that nothing takes it for another error."""


class Failure(NamedTuple):
    """An input that drew something else than an answer. seed: makes it again."""

    kind: str
    seed: str
    octets: bytes
    error: BaseException

    @property
    def cause(self) -> str:
        """What failures of one cause have in common."""
        frames = [frame for frame in extract_tb(self.error.__traceback__) if "/fabricgen/" in frame.filename]
        place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "the fuzzer"
        return f"{self.kind}: {type(self.error).__name__} at {place}"


class Result(NamedTuple):
    """What a run gave: answers by kind, and failures."""

    answers: Counter[tuple[str, str]]
    failures: tuple[Failure, ...]
    slowest: tuple[float, str]


@contextmanager
def limited() -> Iterator[None]:
    """Raise TooSlowError in what runs longer than SECONDS of this processor's time."""

    def late(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise TooSlowError(f"more than {SECONDS:g} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def one(kind: Kind, seed: str, folder: Path) -> tuple[str, Failure | None]:
    """Feed one input."""
    octets = b""
    try:
        octets, meet = kind.feed(folder, Random(seed))  # noqa: S311 - a seed, no secret
        with limited():
            return meet(), None
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001 - everything that is no answer is what is looked for
        return "failed", Failure(kind.name, seed, octets, error)


def run(count: int, seed: int = 1, kinds: Sequence[Kind] = KINDS, *, loud: bool = False) -> Result:
    """Feed so many inputs, of each kind its share."""
    answers: Counter[tuple[str, str]] = Counter()
    failures: list[Failure] = []
    slowest = (0.0, "")
    whole = sum(kind.weight for kind in kinds)
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as made:
        for kind in kinds:
            started = time.process_time()
            for number in range(max(1, count * kind.weight // whole)):
                name = f"{seed}/{kind.name}/{number}"
                begun = time.process_time()
                answer, failure = one(kind, name, Path(made))
                slowest = max(slowest, (time.process_time() - begun, name))
                answers[kind.name, answer] += 1
                if failure is not None:
                    if loud and failure.cause not in {known.cause for known in failures}:
                        print(*told([failure]), sep="\n", flush=True)  # noqa: T201 - a run may be stopped before its end
                    failures.append(failure)
            if loud:
                counts = ", ".join(
                    f"{found} {word}" for (of, word), found in sorted(answers.items()) if of == kind.name
                )
                print(f"{kind.name}: {counts} ({time.process_time() - started:.0f} s)", flush=True)  # noqa: T201
    return Result(answers, tuple(failures), slowest)


def told(failures: Sequence[Failure]) -> Iterator[str]:
    """One failure of each cause, with its input."""
    first: dict[str, Failure] = {}
    count = Counter(failure.cause for failure in failures)
    for failure in failures:
        first.setdefault(failure.cause, failure)
    for cause, failure in first.items():
        yield f"\n=== {cause}, {count[cause]} times; first {failure.seed}"
        yield "".join(format_exception(failure.error)[-6:])
        yield repr(failure.octets[:SHOWN])


def main(words: Sequence[str]) -> int:
    """Feed inputs as asked, and say what came of them."""
    count, seed = (int(words[0]) if words else COUNT), (int(words[1]) if len(words) > 1 else 1)
    kinds = [kind for kind in KINDS if not words[2:] or kind.name in words[2:]]
    found = run(count, seed, kinds, loud=True)
    print(*told(found.failures), sep="\n")  # noqa: T201
    total = sum(found.answers.values())
    print(f"{total} inputs, {len(found.failures)} failures, slowest {found.slowest[0]:.1f} s ({found.slowest[1]})")  # noqa: T201
    return 1 if found.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
