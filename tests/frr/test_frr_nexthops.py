"""Next-hop groups stay out of the kernel: after a link flap they keep one member (FRRouting issues 12239 and 14481)."""

import pytest

from tests.frr.site import ROLES, site

LINE = "no zebra nexthop kernel enable"


@pytest.mark.parametrize("name", ROLES)
def test_the_kernel_is_given_routes_and_no_groups(name: str) -> None:
    lines = site()[name].files["frr.conf"].splitlines()
    assert lines.count(LINE) == 1
    assert lines.index(LINE) < next(at for at, line in enumerate(lines) if line.startswith("router bgp"))
