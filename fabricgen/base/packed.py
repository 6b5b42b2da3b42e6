"""Values of all switches, kept compressed in memory until they are needed again."""

import pickle
import zlib
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")

AT_ONCE = 256
"""Values per block. Switches are alike, and similar values compress well only within one block."""
LEVEL = 9
"""Compression level of zlib. Its result has three fifths of the size of level 1's, and the time per block is a
hundredth of the time between two blocks."""


class Packed(Generic[T]):
    """Values in the order in which they were added; iteration returns equal copies. The values must be picklable."""

    def __init__(self, values: Iterable[T] = ()) -> None:
        self._blocks: list[bytes] = []
        self._last: list[T] = []
        for value in values:
            self.add(value)

    def add(self, value: T) -> None:
        """Add one value."""
        self._last.append(value)
        if len(self._last) == AT_ONCE:
            self._blocks.append(zlib.compress(pickle.dumps(self._last, protocol=5), LEVEL))
            self._last = []

    def __iter__(self) -> Iterator[T]:
        """Iterate over all values, as often as needed; one block at a time is decompressed."""
        for block in self._blocks:
            yield from pickle.loads(zlib.decompress(block))  # noqa: S301 - our own, from this process
        yield from self._last
