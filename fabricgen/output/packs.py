"""Texts in little memory: those of a million files. Sorted ones are alike, and packed they take a tenth.

As octets they sort as they do as texts, and none has 0xFF: UTF-8 knows no such octet.
"""

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from heapq import merge
from io import BytesIO
from itertools import chain, islice
from typing import TypeVar

T = TypeVar("T")

ANY = "surrogatepass"
"""Halves of signs, too: JSON can write them, and what is damaged is told by who reads it."""
BETWEEN = b"\xff"
AT_ONCE = 256
"""Texts of one pack: more would take hardly less memory, and longer until one of them is found."""
LEVEL = 1
RUN = 1 << 20
"""Octets that are sorted at once."""


def octets_of(text: str) -> bytes:
    """A text as it is packed."""
    return text.encode("utf-8", ANY)


def text_of(octets: bytes) -> str:
    """The same text again."""
    return octets.decode("utf-8", ANY)


def several(every: Iterable[T]) -> Iterator[list[T]]:
    """Cut into as many as a pack takes."""
    rest = iter(every)
    while some := list(islice(rest, AT_ONCE)):
        yield some


class Packs(Collection[bytes]):
    """Texts as octets, each asked for by its number. What is asked for beside the last one is found at once.

    every  sorted, each once, for `number` and `place`; in any order for all else
    """

    def __init__(self, every: Iterable[bytes] = ()) -> None:
        self._packs: list[bytes] = []
        self._firsts: list[bytes] = []
        self._count = 0
        self._open, self._some = -1, [b""]
        for some in several(every):
            self.add(some)

    def add(self, some: list[bytes]) -> None:
        """Take one pack more, of `several`."""
        self._packs.append(zlib.compress(BETWEEN.join(some), LEVEL))
        self._firsts.append(some[0])
        self._count += len(some)

    def __getitem__(self, number: int) -> bytes:
        """The one with this number, from 0."""
        pack, place = divmod(number, AT_ONCE)
        return self._opened(pack)[place]

    def __iter__(self) -> Iterator[bytes]:
        """All of them; few are unpacked at any time."""
        return chain.from_iterable(map(_unpacked, self._packs))

    def __len__(self) -> int:
        """How many there are."""
        return self._count

    def __contains__(self, octets: object) -> bool:
        """Whether it is one of them."""
        return any(octets == each for each in self)

    def __eq__(self, other: object) -> bool:
        """Whether both have the same texts in the same order."""
        return isinstance(other, Packs) and self._packs == other._packs

    __hash__ = None  # type: ignore[assignment]

    def number(self, octets: bytes) -> int | None:
        """Number of this one; None where it is none of them."""
        pack = bisect_right(self._firsts, octets) - 1
        if pack < 0:
            return None
        some = self._some if pack == self._open else self._opened(pack)
        place = bisect_left(some, octets)
        return pack * AT_ONCE + place if place < len(some) and some[place] == octets else None

    def place(self, octets: bytes) -> int:
        """Number of the first that does not come before this one."""
        if not self._packs:
            return 0
        pack = max(bisect_right(self._firsts, octets) - 1, 0)
        return pack * AT_ONCE + bisect_left(self._opened(pack), octets)

    def _opened(self, pack: int) -> list[bytes]:
        if pack != self._open:
            self._open, self._some = pack, _unpacked(self._packs[pack])
        return self._some


def _unpacked(pack: bytes) -> list[bytes]:
    return zlib.decompress(pack).split(BETWEEN)


class Texts(Collection[str]):
    """Texts that are read one after the other; equal to a tuple of the same."""

    def __init__(self, every: Iterable[str] = ()) -> None:
        self._packed = Packs(map(octets_of, every))

    def __iter__(self) -> Iterator[str]:
        """All of them."""
        return map(text_of, self._packed)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._packed)

    def __contains__(self, text: object) -> bool:
        """Whether it is one of them."""
        return any(text == each for each in self)

    def __eq__(self, other: object) -> bool:
        """Whether both have the same texts in the same order."""
        if isinstance(other, Texts):
            return self._packed == other._packed
        return isinstance(other, tuple) and tuple(self) == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """As a tuple: what a test shows where two differ."""
        return repr(tuple(self))


class Lines:
    """Lines as they come, in any order, and sorted when they are read. None has an end of line."""

    def __init__(self) -> None:
        self._runs: list[Packs] = []
        self._coming = bytearray()

    def add(self, line: str) -> None:
        """Take one."""
        self._coming += f"{line}\n".encode()
        if len(self._coming) >= RUN:
            self._runs.append(Packs(self._sorted()))
            self._coming.clear()

    def __iter__(self) -> Iterator[str]:
        """All of them, sorted; of each run few are unpacked at any time."""
        return (line.decode().rstrip("\n") for line in merge(*self._runs, self._sorted()))

    def _sorted(self) -> list[bytes]:
        return sorted(BytesIO(self._coming))
