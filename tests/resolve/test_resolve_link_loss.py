"""What switches are told of links that are lost: only where a pair has several, and the intent asks."""

from functools import cache

import pytest

from fabricgen.checks.support.capabilities import capabilities
from fabricgen.device.device import Device
from fabricgen.device.routing import PathsList, Statement
from fabricgen.plan.fabric import place_of
from fabricgen.plan.plan import Plan
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from fabricgen.resolve.needs import needs
from tests.checks.intents import plan, with_shape
from tests.frr.site import plan_of, single_homed

SHORT = "EC-LINK-SHORT"


@cache
def made(link_loss: str, fabric: str = "frontend") -> Plan:
    """The small site, where a leaf of the frontend has two links to a spine, and one of the backend has 32."""
    intent = single_homed()
    told = intent.fabrics[fabric].model_copy(update={"link_loss": link_loss})
    return plan_of(intent.model_copy(update={"fabrics": {**intent.fabrics, fabric: told}}))


def switch(given: Plan, name: str, fabric: str = "frontend") -> Device:
    site = make_site(given, fabric)
    place = place_of(site.fabric, name)
    assert place is not None
    return resolve(site, place)


def statements(device: Device, name: str) -> tuple[Statement, ...]:
    return next(found.statements for found in device.routing.policy.route_maps if found.name == name)


def counting(device: Device) -> set[str]:
    maps = device.routing.policy.route_maps
    return {found.name for found in maps if any(row.set_paths for row in found.statements)}


DOWN = {f"RM-LEAVES-{family}{drained}-OUT" for family in ("IPV4", "IPV6") for drained in ("", "-DRAINED")}


@pytest.mark.parametrize(("link_loss", "expected"), [("keep", set()), ("weighted", DOWN), ("withdraw", DOWN)])
def test_a_spine_counts_its_links_for_those_below(link_loss: str, expected: set[str]) -> None:
    """In the underlay, drained or not; an EVPN route has the links of its next hop, which it says by itself."""
    assert counting(switch(made(link_loss), "fe-spine-00")) == expected
    assert counting(switch(made(link_loss), "fe-leaf-000")) == set()


def test_a_leaf_leaves_a_spine_that_is_short_of_a_link() -> None:
    """What is shut down comes last, what is short of links before it, and all else has the usual preference."""
    device = switch(made("withdraw"), "fe-leaf-000")
    assert device.routing.policy.paths_lists == (PathsList(SHORT, 2),)
    for family in ("ipv4", "ipv6"):
        rows = statements(device, f"RM-SPINES-{family.upper()}-IN")
        told = [(row.match_community_list, row.match_paths_list, row.set_local_preference) for row in rows]
        assert told == [("CL-GRACEFUL-SHUTDOWN", "", 0), ("", SHORT, 50), ("", "", -1)]
        assert [row.sequence for row in rows] == [10, 20, 30]
        assert len({getattr(row, f"match_prefix_list_{family}") for row in rows} - {""}) == 1
        assert all(row.permit for row in rows)


@pytest.mark.parametrize("name", ["RM-SPINES-IPV4-DRAINED-IN", "RM-SPINES-EVPN-IN"])
def test_other_maps_look_at_no_links(name: str) -> None:
    assert not [row for row in statements(switch(made("withdraw"), "fe-leaf-000"), name) if row.match_paths_list]


@pytest.mark.parametrize("link_loss", ["keep", "weighted"])
def test_a_leaf_that_weighs_leaves_nobody(link_loss: str) -> None:
    policy = switch(made(link_loss), "fe-leaf-000").routing.policy
    assert policy.paths_lists == ()
    assert not [row for found in policy.route_maps for row in found.statements if row.match_paths_list]


def test_where_pairs_have_one_link_nothing_is_said() -> None:
    """64 uplinks of a leaf, and as many spines."""
    spines = {"now": 64, "planned": 64}
    single = plan({"fabrics.backend.link_loss": "withdraw", "fabrics.backend.topology.spines": spines})
    assert single.fabrics["backend"].shape.links == 1
    assert counting(switch(single, "be-spine-00", "backend")) == set()
    assert switch(single, "be-leaf-000", "backend").routing.policy.paths_lists == ()


@pytest.mark.parametrize(
    ("link_loss", "paths", "feature"),
    [
        ("keep", 64, None),
        ("weighted", 50, "link-loss-weighted"),
        ("weighted", 51, "link-loss-weighted-wide"),
        ("withdraw", 64, "link-loss-withdraw"),
    ],
)
def test_many_paths_need_fine_weights(link_loss: str, paths: int, feature: str | None) -> None:
    given = made(link_loss, "backend")
    (group,) = given.fabrics["backend"].shape.groups
    cut = group.leaf._replace(up=group.leaf.uplinks[:paths], reserved=())
    narrow = with_shape(given, groups=(group._replace(leaf=cut),), spines=1, links=paths)
    asked = {need.feature for need in needs(narrow) if need.fabric == "backend"}
    assert {one for one in asked if one.startswith("link-loss")} == ({feature} if feature else set())


@pytest.mark.parametrize("link_loss", ["weighted", "withdraw"])
def test_who_can_not_is_refused_with_the_place(link_loss: str) -> None:
    (problem,) = capabilities(plan({"fabrics.backend.link_loss": link_loss}))
    assert (problem.code, problem.where) == ("platform-cannot", ("fabrics", "backend", "link_loss"))
    assert list(capabilities(made(link_loss))) == []
