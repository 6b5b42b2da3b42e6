"""A table whose values are imported on first use: a fabric of one operating system does not load the others."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


class OnDemand(Mapping[str, T]):
    """Values by name, in the order of the table. Listing the names imports nothing.

    A maker imports the module of its value and returns the value. Python caches modules, so this class caches nothing.
    """

    __slots__ = ("_makers",)

    def __init__(self, makers: Mapping[str, Callable[[], T]]) -> None:
        self._makers = makers

    def __getitem__(self, name: str) -> T:
        """Return the value; raises KeyError for a name that is not in the table."""
        return self._makers[name]()

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)
