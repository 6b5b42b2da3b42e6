"""Pairs of key and value, grouped by key."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return key → its values in their order, keys in the order in which they come first."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def grouped_sets(pairs: Iterable[tuple[K, V]]) -> dict[K, set[V]]:
    """Return key → the set of its values."""
    return {key: set(values) for key, values in grouped(pairs).items()}
