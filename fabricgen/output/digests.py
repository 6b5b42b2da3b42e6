"""Names and their digests in little memory: in dictionaries, those of a million GPUs took half of a render's."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO

ANY = "surrogatepass"
"""Halves of signs, too: JSON can write them, and what is damaged is told by who reads it."""


class _Texts:
    """Texts one behind the other, as octets; asked for by their number."""

    def __init__(self) -> None:
        self._coming, self._octets = bytearray(), b""
        self._ends = array("Q", (0,))

    def add(self, text: str) -> None:
        self._coming += text.encode(errors=ANY)
        self._ends.append(len(self._coming))

    def close(self) -> None:
        """Nothing is added any more, and all can be asked for."""
        self._octets, self._coming = bytes(self._coming), bytearray()

    def at(self, number: int) -> bytes:
        return self._octets[self._ends[number] : self._ends[number + 1]]

    def text(self, number: int) -> str:
        return self.at(number).decode(errors=ANY)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Texts) and (self._octets, self._ends) == (other._octets, other._ends)

    __hash__ = None  # type: ignore[assignment]


class Digests(Mapping[str, str]):
    """Name → digest, in the order of the names. What is asked for in this order is found at once.

    pairs  names, sorted, each once, and the digest of each
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._names, self._digests = _Texts(), _Texts()
        for name, digest in pairs:
            self._names.add(name)
            self._digests.add(digest)
        self._names.close()
        self._digests.close()
        self._count = len(self._names)
        self._last = -1

    def __getitem__(self, name: str) -> str:
        """Digest of a name. Raises KeyError."""
        number = self.number(name)
        if number is None:
            raise KeyError(name)
        return self._digests.text(number)

    def __contains__(self, name: object) -> bool:
        """Whether it is one of the names."""
        return isinstance(name, str) and self.number(name) is not None

    def __iter__(self) -> Iterator[str]:
        """Names, sorted."""
        return map(self._names.text, range(self._count))

    def __len__(self) -> int:
        """How many there are."""
        return self._count

    def __eq__(self, other: object) -> bool:
        """Whether both have the same names and digests."""
        return isinstance(other, Digests) and (self._names, self._digests) == (other._names, other._digests)

    __hash__ = None  # type: ignore[assignment]

    def number(self, name: str) -> int | None:
        """Which of the names it is, from 0; None for none of them."""
        wanted = name.encode(errors=ANY)
        for number in (self._last + 1, self._last):
            if 0 <= number < self._count and self._names.at(number) == wanted:
                self._last = number
                return number
        number = self._at(wanted)
        return number if number < self._count and self._names.at(number) == wanted else None

    def digest(self, number: int) -> str:
        """Digest of the name with this number."""
        return self._digests.text(number)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Names with their digests, in order."""
        return ((self._names.text(number), self._digests.text(number)) for number in range(self._count))

    def below(self, folder: str) -> Iterator[tuple[int, str]]:
        """Names that start with a folder and a slash, each with its number."""
        start = f"{folder}/".encode(errors=ANY)
        number = self._at(start)
        while number < self._count and self._names.at(number).startswith(start):
            yield number, self._names.text(number)
            number += 1

    def _at(self, name: bytes) -> int:
        """Number of the first name that does not come before this one."""
        for number in (self._last + 1, self._last):
            if self._is_at(number, name):
                self._last = number
                return number
        self._last = bisect_left(range(self._count), name, key=self._names.at)
        return self._last

    def _is_at(self, number: int, name: bytes) -> bool:
        """Whether this number is the one that `_at` looks for."""
        if not 0 <= number < self._count or self._names.at(number) < name:
            return False
        return number == 0 or self._names.at(number - 1) < name


class Gathered:
    """Names with their digests as they come, each name once, in one piece of memory. No name has an end of line."""

    def __init__(self) -> None:
        self._lines = bytearray()

    def add(self, name: str, digest: str) -> None:
        """Take one."""
        self._lines += f"{name}\0{digest}\n".encode()

    def digests(self) -> Digests:
        """All of them: a line starts with its name, and with a sign that sorts before any other."""
        parts = (line.decode().rstrip("\n").partition("\0") for line in sorted(BytesIO(self._lines)))
        return Digests((name, digest) for name, _, digest in parts)


def packed(entries: Mapping[str, str]) -> Digests:
    """The same in little memory."""
    return entries if isinstance(entries, Digests) else Digests((name, entries[name]) for name in sorted(entries))
