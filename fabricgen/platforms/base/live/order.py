"""Lists whose order counts: what both configurations have, in another order on the switch."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.platforms.base.live.reader import Drift


class Ordered(NamedTuple):
    """One list. section: where it is; what: what its members are, e.g. terms."""

    section: tuple[str, ...]
    what: str


def by_list(found: Iterable[tuple[Ordered, str]]) -> dict[Ordered, list[str]]:
    """List → its members, each once, in their order."""
    lists: dict[Ordered, dict[str, None]] = {}
    for key, member in found:
        lists.setdefault(key, {})[member] = None
    return {key: list(members) for key, members in lists.items()}


def reordered(wanted: Mapping[Ordered, list[str]], found: Mapping[Ordered, list[str]]) -> Iterator[Drift]:
    """Two differences for each list whose common members are in another order. Other members are lines of their own."""
    for key, members in wanted.items():
        others = found.get(key, [])
        mine = [member for member in members if member in others]
        if (runs := [member for member in others if member in members]) != mine:
            yield Drift(key.section, f"{key.what} in the order {' '.join(mine)}", present=False)
            yield Drift(key.section, f"{key.what} in the order {' '.join(runs)}", present=True)
