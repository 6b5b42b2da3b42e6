"""Lists whose order counts: members that both configurations have, but in another order on the switch."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.platforms.base.live.reader import Drift


class Ordered(NamedTuple):
    """One list. section: where it is; what: what its members are, e.g. terms."""

    section: tuple[str, ...]
    what: str


def by_list(listed: Iterable[tuple[Ordered, str]]) -> dict[Ordered, list[str]]:
    """List → its members, each once, in their order."""
    lists: dict[Ordered, dict[str, None]] = {}
    for key, member in listed:
        lists.setdefault(key, {})[member] = None
    return {key: list(members) for key, members in lists.items()}


def reordered(wanted_lists: Mapping[Ordered, list[str]], running_lists: Mapping[Ordered, list[str]]) -> Iterator[Drift]:
    """Two differences for each list whose common members are in another order. Other members differ as lines."""
    for key, members in wanted_lists.items():
        running_members = running_lists.get(key, [])
        wanted_order = [member for member in members if member in running_members]
        if (running_order := [member for member in running_members if member in members]) != wanted_order:
            yield Drift(key.section, f"{key.what} in the order {' '.join(wanted_order)}", present=False)
            yield Drift(key.section, f"{key.what} in the order {' '.join(running_order)}", present=True)
