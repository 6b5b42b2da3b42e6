"""Cables between switches, found for all equal switches at once, against `wiring` asked for each cable by itself."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fabricgen.base.addresses import interface_ipv4, interface_ipv6, ipv4, ipv6
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import FabricPlan, asn_of, name_of, own_blocks, places, port_text, present_places
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import Uplink, downlinks, uplinks
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from fabricgen.resolve.links import ABSENT, link_state, plugged
from fabricgen.site.workspace import open_workspace
from tests.resolve import tiers

SITES = Path(__file__).parents[2] / "inventories"
SMALL = ("demo", "frr", "inference-only", "lab", "shared-backend-512", "superpod-b300", "time-sliced")
Row = tuple[object, ...]


def asked(plan: FabricPlan, place: Place) -> list[Row]:
    """Every cable of a switch, those down first, each asked for by itself."""
    below = downlinks(plan, place) if place.tier in UPPER else ()
    return [
        *(_row(plan, link, link.upper) for link in below),
        *(_row(plan, link, place) for link in uplinks(plan, place)),
    ]


def _row(plan: FabricPlan, link: Uplink, near: Place) -> Row:
    upward = near == link.lower
    ports = (link.lower_port, link.upper_port) if upward else (link.upper_port, link.lower_port)
    far = link.upper if upward else link.lower
    name, port = name_of(plan, far), port_text(plan, far, ports[1])
    ends = (port_text(plan, near, ports[0]), far, name, port, f"{name} {port}", asn_of(plan, far))
    return (upward, ports[0], *ends, *_addresses(plan, link, upward=upward), link_state(plan, link))


def _addresses(plan: FabricPlan, link: Uplink, *, upward: bool) -> Iterator[str]:
    """IPv4, then IPv6: ours with its length, and the far one. The lower switch has the even one of its own block."""
    four, six = own_blocks(plan, link.lower)
    families = plan.fabric.addressing.links
    for family, own, near, far, length in (
        ("ipv4", four, interface_ipv4, ipv4, 31),
        ("ipv6", six, interface_ipv6, ipv6, 127),
    ):
        if own is None or family not in families:
            yield from ("", "")
        else:
            even = own.uplinks + 2 * link.number
            yield near(even if upward else even + 1, length)
            yield far(even + 1 if upward else even)


def same(plan: Plan) -> int:
    """Compare all switches of a plan in the order of places; how many cables there were."""
    count = 0
    for name, fabric in plan.fabrics.items():
        site = make_site(plan, name)
        for place in places(fabric):
            bundles = site.bundles.of(place)
            rows = [(one.way.upward, *row) for one in bundles for row in zip(*one[1:], strict=True)]
            assert rows == asked(fabric, place), place
            there = [row for one in map(plugged, bundles) for row in zip(*one[1:], strict=True)]
            assert there == [row[1:] for row in rows if row[-1] != ABSENT], place
            count += len(rows)
    return count


@pytest.mark.parametrize("site", SMALL)
def test_as_each_cable_says_itself(site: str) -> None:
    assert same(open_workspace(SITES / site / "intent.yaml").plan) > 0


STATED = Exceptions(
    devices={"be-leaf-000": "drained", "be-spine-03": "absent", "be-super-01": "dead"},
    ports={PortKey("be-leaf-003", "Ethernet2/1"): "drained", PortKey("be-spine-00", "Ethernet1/1"): "absent"},
    broken=frozenset({PortKey("be-leaf-002", "Ethernet2/5")}),
    systems={"be-leaf-001": "frr-10.3", "be-super-02": "frr-10.3"},
)
"""States at either end of a link; and switches whose ports have names of their own."""


@pytest.mark.parametrize("exceptions", [Exceptions(), STATED], ids=["plain", "stated"])
@pytest.mark.parametrize("cores", [2, 4], ids=["two links per pair", "one"])
def test_three_tiers(exceptions: Exceptions, cores: int) -> None:
    assert same(tiers.three_tiers(exceptions=exceptions, cores=cores)) == 4 * (4 * 2 + 4 * 4) // 2


def test_border_leaves_and_planes() -> None:
    assert same(tiers.overlay()) > 0
    assert same(tiers.planes()) > 0


def test_a_switch_without_a_block_of_a_family_has_no_addresses_of_it() -> None:
    """Such a lock is no sound one, and whoever shows it must not fail: below a spine are two kinds of switches."""
    plan = tiers.overlay()
    fabric = plan.fabrics["frontend"]
    segments = {
        key: tuple(one._replace(ipv6=None) if key[0] is Tier.BORDER else one for one in found)
        for key, found in fabric.segments.items()
    }
    assert same(plan._replace(fabrics={"frontend": replace(fabric, segments=segments)})) > 0


OWN = """
overrides:
  be-leaf-002: {mtu: 9050, bgp: {bfd: true}}
  be-spine-0?: {load_balancing: ecmp}
  be-leaf-004/Ethernet1/1: {headroom_octets: 500000}
  be-leaf-006: {state: drained}
"""


@pytest.mark.parametrize("words", ["", OWN], ids=["alike", "settings of their own"])
def test_a_switch_is_the_same_whoever_came_before(words: str, tmp_path: Path) -> None:
    """What switches that are alike share is made for the first of them: of none does it depend which that was."""
    path = tmp_path / "intent.yaml"
    path.write_text((SITES / "superpod-b300/intent.yaml").read_text() + words)
    plan = open_workspace(path).plan
    for name, fabric in plan.fabrics.items():
        site, every = make_site(plan, name), list(present_places(fabric))
        for place in (*every, *reversed(every)):
            assert resolve(site, place) == resolve(make_site(plan, name), place), place
