"""Superspines above spines of another platform, and leaves of shared backends, as the text of both ends has them."""

import itertools
import re

import pytest

from fabricgen.platforms import PLATFORMS
from tests.pairs import sites, towers
from tests.pairs.pairing import compare, tenants
from tests.pairs.seeds import SAID
from tests.pairs.sites import PAIRS, SITES, problems
from tests.pairs.test_pairs import LOSSY, lossless
from tests.pairs.test_pairs_seeded import mistaken
from tests.pairs.view import EVPN, IPV4, IPV6
from tests.platform_case import Seed
from tests.some import some

SHARING = ("eos", "cumulus", "junos", "nxos")
"""Whose leaves render RoCE in VXLAN, of a model that is vouched for where that is asked."""
ABOVE = tuple(name for name in SITES if name not in ("frr", "srlinux"))
"""Who hands EVPN on and is lossless, too."""
CROWNED = {"eos": "cumulus", "sonic": "eos", "cumulus": "junos", "junos": "nxos", "srlinux": "sonic", "nxos": "srlinux"}
"""Platform of a spine → of the superspines above it, for mistakes."""
KINDS = ("mtu", "hold", "bfd", "dscp", "pfc")


@pytest.mark.parametrize(("spine", "core"), some(PAIRS))
def test_a_spine_and_its_superspines_pair_up(spine: str, core: str) -> None:
    way = "best-effort" if {spine, core} & LOSSY.keys() else "roce-lossless"
    assert not problems(towers.tower(spine, core, way))
    made = towers.top(spine, core, way)
    views = made.views()
    found = compare(views, made.cables)
    assert found == (4, 8, ())
    assert len({view.asn for view in views.values()}) == 2
    if way != "best-effort":
        assert all(lossless(views, cable) == {3} for cable in made.cables)


@pytest.mark.parametrize(("spine", "kind"), list(itertools.product(CROWNED, KINDS)))
def test_a_mistake_of_a_spine_below_superspines_is_found(spine: str, kind: str) -> None:
    made = towers.top(spine, CROWNED[spine], "roce-lossless")
    wrong = made.views(instead=mistaken(made, made.cables[0].near, SITES[spine].mistakes[kind]))
    faults = compare(wrong, made.cables).faults
    assert [fault for fault in faults if re.search(SAID[kind], fault)], faults


@pytest.mark.parametrize(("leaf", "spine"), some(itertools.product(SHARING, ABOVE)))
def test_a_shared_backend_pairs_up(leaf: str, spine: str) -> None:
    assert not problems(towers.shared(leaf, spine))
    made = towers.shared_site(leaf, spine)
    views = made.views()
    found = compare(views, made.cables)
    assert found.faults == ()
    leaves, spines = (sum(f"-{role}-" in name for name in views) for role in ("leaf", "spine"))
    assert found.sessions == leaves * (2 * len(made.cables) + spines)
    said = {session.families for view in views.values() for session in view.sessions.values()}
    assert said == {frozenset({IPV4}), frozenset({IPV6}), frozenset({EVPN})}
    assert all(lossless(views, cable) == {3} for cable in made.cables)
    assert list(tenants({name: view for name, view in views.items() if "-leaf-" in name})) == []


@pytest.mark.parametrize(("one", "other"), list(itertools.permutations(SHARING, 2)))
def test_leaves_of_two_platforms_share_a_backend(one: str, other: str) -> None:
    views = {
        "one": towers.shared_site(one, "eos").views(["be-leaf-000"])["be-leaf-000"],
        "other": towers.shared_site(other, "eos").views(["be-leaf-001"])["be-leaf-001"],
    }
    assert [set(view.routed) for view in views.values()] == [{10001, 10002}, {10001, 10002}]
    assert list(tenants(views)) == []


@pytest.mark.parametrize("leaf", SHARING)
def test_a_tenant_of_a_shared_backend_with_another_target_is_found(leaf: str) -> None:
    made = towers.shared_site(leaf, "eos")
    wrong = made.views(instead=mistaken(made, "be-leaf-000", Seed("", r"\b65000:10002\b", "65000:19999")))
    faults = list(tenants({name: view for name, view in wrong.items() if "-leaf-" in name}))
    assert faults
    assert all(re.match(r"L3 VNI 10002: be-leaf-000 exports \['65000:19999'\]", fault) for fault in faults)


@pytest.mark.parametrize("leaf", [name for name in SITES if name not in SHARING])
def test_who_can_not_carry_roce_in_vxlan_says_so(leaf: str) -> None:
    found = problems(towers.shared(leaf, "eos"))
    assert {problem.code for problem in found} <= {"platform-cannot", "headroom-unknown"}
    wanted = "pfc" if leaf == "frr" else "roce-over-vxlan"
    title = PLATFORMS[sites.SITES[leaf].system.partition("-")[0]].title
    assert [problem for problem in found if problem.what.startswith(f"{title} does not support {wanted},")]


def test_spines_that_hand_evpn_on_and_are_not_lossless_say_so() -> None:
    found = problems(towers.shared("eos", "srlinux"))
    assert [problem.code for problem in found if "headroom" in problem.what] == ["platform-cannot"]
