"""Which link bandwidths, as the daemon writes them, are of a pair that has lost links."""

import re

import pytest

from fabricgen.device.routing import PathsList
from fabricgen.platforms.linux.link_bandwidth import paths_words

SHOWN = "LB:{asn}:{octets} ({mbits:.3f} Mbps)"
"""As `show bgp` of FRR 8.4.4 has it, which is what an expanded list compares; a path is 1 Mbit/s."""
END = r"(^|[,{}() ]|$)"
"""What `_` stands for in expressions of FRR (bgpd/bgp_regex.c)."""


def short(links: int, left: int, asn: int = 65100) -> bool:
    expression = paths_words(PathsList("EC", links)).expression.replace("_", END)
    shown = SHOWN.format(asn=asn, octets=left * 125_000, mbits=left)
    return re.search(expression, shown) is not None


@pytest.mark.parametrize("links", [2, 4, 16, 32])
def test_fewer_links_are_short_and_all_of_them_are_not(links: int) -> None:
    assert [left for left in range(1, 2 * links) if short(links, left)] == list(range(1, links))


def test_ten_links_are_not_one() -> None:
    """125000 is how 1250000 starts."""
    assert short(10, 1)
    assert not short(10, 10)


def test_the_as_number_of_a_long_one() -> None:
    assert short(2, 1, 23456)
    assert short(2, 1, 4201000000)


def test_a_route_that_says_nothing_is_whole() -> None:
    assert re.search(paths_words(PathsList("EC", 2)).expression.replace("_", END), "RT:65000:10001") is None
