"""From a list of what lost links to FRR's own words: an expression on the text of a route's link bandwidth."""

from typing import NamedTuple

from fabricgen.device.routing import PathsList

OCTETS_A_PATH = 125_000
"""What `num-multipaths` counts a path as: 1 Mbit/s, in octets."""


class PathsContext(NamedTuple):
    """An extended-community list of expressions on the text of a route's link bandwidth."""

    name: str
    expression: str


def paths_words(found: PathsList) -> PathsContext:
    """Any bandwidth of fewer paths, as `show bgp` writes it: LB:<AS>:<octets a second> and a space."""
    fewer = "|".join(str(OCTETS_A_PATH * each) for each in range(1, found.paths))
    return PathsContext(found.name, f"LB:[0-9]+:({fewer})_")
