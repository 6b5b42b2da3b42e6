"""A list of link losses in FRR's terms: a regular expression on the text of a route's link bandwidth."""

from typing import NamedTuple

from fabricgen.device.routing import PathsList

OCTETS_A_PATH = 125_000
"""Octets that `num-multipaths` counts for a path: 1 Mbit/s."""


class PathsContext(NamedTuple):
    """An extended-community list of expressions on the text of a route's link bandwidth."""

    name: str
    expression: str


def paths_words(paths_list: PathsList) -> PathsContext:
    """A list that matches any bandwidth of fewer paths, as `show bgp` writes it: LB:<AS>:<octets/s> and a space."""
    fewer = "|".join(str(OCTETS_A_PATH * count) for count in range(1, paths_list.paths))
    return PathsContext(paths_list.name, f"LB:[0-9]+:({fewer})_")
