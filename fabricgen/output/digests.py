"""Names and their digests in little memory: in dictionaries, those of a million GPUs took half of a render's."""

import re
from collections.abc import Iterable, Iterator, Mapping

from fabricgen.output.packs import Lines, Packs, octets_of, several, text_of

OCTETS = 32
"""Of a SHA-256."""
NO_DIGEST = "00" * OCTETS
_SHA_256 = re.compile(f"[0-9a-f]{{{2 * OCTETS}}}")


class Digests(Mapping[str, str]):
    """Name → digest, in the order of the names. What is asked for beside the last one is found at once.

    pairs  names, sorted, each once, and the digest of each
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._digests = bytearray()
        self._others: dict[int, str] = {}
        """Number → what stands where a SHA-256 belongs: anybody can write a manifest."""
        self._names = Packs()
        for some in several(pairs):
            self._note([digest for _, digest in some])
            self._names.add([octets_of(name) for name, _ in some])

    def _note(self, digests: list[str]) -> None:
        """Keep digests of the next names."""
        if not all(map(_SHA_256.fullmatch, digests)):
            others = {at: each for at, each in enumerate(digests) if not _SHA_256.fullmatch(each)}
            self._others |= {len(self._names) + at: each for at, each in others.items()}
            digests = [NO_DIGEST if at in others else each for at, each in enumerate(digests)]
        self._digests += bytes.fromhex("".join(digests))

    def __getitem__(self, name: str) -> str:
        """Digest of a name. Raises KeyError."""
        number = self.number(name)
        if number is None:
            raise KeyError(name)
        return self.digest(number)

    def __contains__(self, name: object) -> bool:
        """Whether it is one of the names."""
        return isinstance(name, str) and self.number(name) is not None

    def __iter__(self) -> Iterator[str]:
        """Names, sorted."""
        return map(text_of, self._names)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._names)

    def __eq__(self, other: object) -> bool:
        """Whether both have the same names and digests."""
        return isinstance(other, Digests) and self._parts == other._parts

    __hash__ = None  # type: ignore[assignment]

    @property
    def _parts(self) -> tuple[Packs, bytearray, dict[int, str]]:
        return self._names, self._digests, self._others

    def number(self, name: str) -> int | None:
        """Which of the names it is, from 0; None for none of them."""
        return self._names.number(octets_of(name))

    def digest(self, number: int) -> str:
        """Digest of the name with this number."""
        other = self._others.get(number)
        return self._digests[OCTETS * number : OCTETS * (number + 1)].hex() if other is None else other

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Names with their digests, in order."""
        return zip(self, map(self.digest, range(len(self))), strict=True)

    def below(self, folder: str) -> Iterator[tuple[int, str]]:
        """Names that start with a folder and a slash, each with its number."""
        start = octets_of(f"{folder}/")
        number = self._names.place(start)
        while number < len(self._names) and self._names[number].startswith(start):
            yield number, text_of(self._names[number])
            number += 1


class Gathered:
    """Names with their digests as they come, each name once, in little memory. No name has an end of line."""

    def __init__(self) -> None:
        self._lines = Lines()

    def add(self, name: str, digest: str) -> None:
        """Take one."""
        self._lines.add(f"{name}\0{digest}")

    def digests(self) -> Digests:
        """All of them: a line starts with its name, and with a sign that sorts before any other."""
        parts = (line.partition("\0") for line in self._lines)
        return Digests((name, digest) for name, _, digest in parts)


def packed(entries: Mapping[str, str]) -> Digests:
    """The same in little memory."""
    return entries if isinstance(entries, Digests) else Digests((name, entries[name]) for name in sorted(entries))
