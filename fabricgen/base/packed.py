"""Values of every switch that are needed again once all have gone by, in little memory."""

import pickle
import zlib
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")

AT_ONCE = 256
"""Values of one block: switches are alike, and what is alike has to stand together to be packed well."""
LEVEL = 9
"""Of zlib: three fifths of what the lowest leaves, for a hundredth of the time that goes by between two blocks."""


class Packed(Generic[T]):
    """Values in the order in which they came; they come back as equal ones. They must be of kinds that pickle knows."""

    def __init__(self, values: Iterable[T] = ()) -> None:
        self._blocks: list[bytes] = []
        self._last: list[T] = []
        for value in values:
            self.add(value)

    def add(self, value: T) -> None:
        """Take one."""
        self._last.append(value)
        if len(self._last) == AT_ONCE:
            self._blocks.append(zlib.compress(pickle.dumps(self._last, protocol=5), LEVEL))
            self._last = []

    def __iter__(self) -> Iterator[T]:
        """All of them, as often as one likes; a block at a time is unpacked."""
        for block in self._blocks:
            yield from pickle.loads(zlib.decompress(block))  # noqa: S301 - our own, from this process
        yield from self._last
