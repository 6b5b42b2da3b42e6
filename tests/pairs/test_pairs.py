"""Every ordered pair of platforms: from the text of both ends alone, each cable and session is shown to pair up."""

import itertools
import re
from pathlib import Path

import pytest

from fabricgen.platforms import PLATFORMS
from tests.pairs import sites
from tests.pairs.pairing import Cable, compare, tenants
from tests.pairs.sites import PAIRS, SITES, can_import, problems, site
from tests.pairs.view import EVPN, IPV4, IPV6, Gateway, View
from tests.platform_cases import CASES
from tests.some import some

LOSSY = {"frr": {"pfc", "ecn", "pfc-watchdog", "headroom"}}
"""Who cannot do lossless, and every feature that is refused for it."""
NO_GATEWAYS = "sonic-202505"
"""Whose leaves have no tenants: release 202505 has no table for a gateway that is the same on every leaf."""
IMPORTLESS = {"nxos"}
"""Whose leaves take no routes of another tenant's VRF."""
NUMBERED = "nxos"
"""Who cannot do without addresses of links."""
LEAVES = tuple(name for name in SITES if name != NO_GATEWAYS)


def transport(leaf: str, spine: str) -> str:
    """Lossless where both can; it is refused, with each reason, where one cannot."""
    wanted = "roce-lossless"
    refusing = {name for name in (leaf, spine) if name in LOSSY}
    found = problems(sites.planned(leaf, spine, "backend", wanted))
    told = [(PLATFORMS[name], feature) for name in sorted(refusing) for feature in sorted(LOSSY[name])]
    assert {problem.code for problem in found} == ({"platform-cannot"} if refusing else set())
    assert len(found) == len(told)
    for platform, feature in told:
        row = platform.can(feature)
        assert row is not None
        wording = f"{platform.title} does not support {feature}, "
        assert any(problem.what.startswith(wording) and row.refusal in problem.why for problem in found)
    return "best-effort" if refusing else wanted


@pytest.mark.parametrize(("leaf", "spine"), some(PAIRS, of=6))
def test_both_ends_of_a_backend_pair_up(leaf: str, spine: str) -> None:
    way = transport(leaf, spine)
    assert not problems(sites.planned(leaf, spine, "backend", way))
    made = site(leaf, spine, "backend", way)
    views = made.views()
    found = compare(views, made.cables)
    assert found.faults == ()
    assert len(made.cables) == found.cables > 16
    assert found.sessions == 2 * found.cables
    assert {frozenset({IPV4}), frozenset({IPV6})} == families(views)
    print(f"{leaf} below {spine}: {way}, {found.cables} cables, {found.sessions} sessions")  # noqa: T201  # pytest -s
    if way != "best-effort":
        assert all(lossless(views, cable) == {3} for cable in made.cables)


QUEUED = tuple(name for name in SITES if name not in LOSSY and name != NO_GATEWAYS)
"""Systems with a lossless class."""


@pytest.mark.parametrize(("leaf", "spine"), some(itertools.product(QUEUED, repeat=2), of=5))
def test_a_class_that_is_paused_by_another_number_pairs_up(leaf: str, spine: str) -> None:
    """The marking `juniper`: DSCP 26 in class 4, paused by priority 3, and the CNP in class 3."""
    way = ("backend", "roce-lossless", "juniper")
    found = problems(sites.planned(leaf, spine, *way))
    rows = [PLATFORMS[name].can("pfc-priority-map") for name in (leaf, spine)]
    if any(row is None or row.refusal for row in rows):
        assert [problem.code for problem in found] == ["priority-not-class"]
        return
    assert found == ()
    made = site(leaf, spine, *way)
    views = made.views()
    assert compare(views, made.cables).faults == ()
    port = views[made.cables[0].near].ports[made.cables[0].near_port]
    assert (port.classes[26], port.classes[48], port.sends, port.obeys) == (4, 3, ((26, 3),), ((26, 3),))


def families(views: dict[str, View]) -> set[frozenset[str]]:
    """Families that go together in a session."""
    return {session.families for view in views.values() for session in view.sessions.values()}


def lossless(views: dict[str, View], cable: Cable) -> set[int]:
    """PFC priorities of DSCP 26 at both ends, both ways: what the marking `nvidia` makes lossless."""
    ends = (views[cable.near].ports[cable.near_port], views[cable.far].ports[cable.far_port])
    assert all(len(port.classes) == 64 for port in ends)
    return {priority for port in ends for way in (port.sends, port.obeys) for dscp, priority in way if dscp == 26}


@pytest.mark.parametrize(("leaf", "spine"), some(pair for pair in PAIRS if pair[0] != NO_GATEWAYS))
def test_both_ends_of_a_frontend_pair_up(leaf: str, spine: str) -> None:
    assert not problems(sites.planned(leaf, spine, "frontend"))
    made = site(leaf, spine, "frontend")
    views = made.views()
    found = compare(views, made.cables)
    assert found.faults == ()
    leaves, spines = (sum(f"-{role}-" in name for name in views) for role in ("leaf", "spine"))
    assert len(made.cables) == found.cables > 16
    assert found.sessions == 2 * found.cables + leaves * spines
    assert {frozenset({IPV4}), frozenset({IPV6}), frozenset({EVPN})} == families(views)
    print(f"{leaf} below {spine}: EVPN, {found.cables} cables, {found.sessions} sessions")  # noqa: T201  # pytest -s


BARE = tuple(pair for pair in PAIRS if NUMBERED not in pair)


@pytest.mark.parametrize(("leaf", "spine"), some(BARE, of=4))
def test_links_without_addresses_pair_up(leaf: str, spine: str) -> None:
    """A leaf and all spines: sessions over each cable, and EVPN's between loopbacks where there are tenants."""
    kind = "backend" if leaf == NO_GATEWAYS else "frontend"
    way = ("best-effort" if "frr" in (leaf, spine) else "roce-lossless") if kind == "backend" else ""
    assert not problems(sites.planned(leaf, spine, kind, way, bare=True))
    made = site(leaf, spine, kind, way, bare=True)
    near, spines = made.cables[0].near, [name for name in made.files if "-spine-" in name]
    views = made.views([near, *spines])
    cables = [cable for cable in made.cables if cable.near == near]
    found = compare(views, cables)
    assert found.faults == ()
    assert found.sessions == len(cables) + (len(spines) if kind == "frontend" else 0)
    ends = [views[cable.near].ports[cable.near_port] for cable in cables]
    assert {(port.ipv4, port.ipv6, port.advertises) for port in ends} == {("", "", True)}
    over = [views[cable.near].sessions[cable.near_port] for cable in cables]
    assert {(session.families, session.ipv6_hops) for session in over} == {(frozenset({IPV4, IPV6}), True)}


@pytest.mark.parametrize(("leaf", "spine"), [(NUMBERED, "eos"), ("frr", NUMBERED), (NUMBERED, NUMBERED)])
def test_who_needs_addresses_of_links_says_so(leaf: str, spine: str) -> None:
    found = problems(sites.planned(leaf, spine, "frontend", bare=True))
    assert [problem.code for problem in found] == ["platform-cannot"]
    assert "does not support unnumbered" in found[0].what


@pytest.mark.parametrize("spine", SITES)
def test_a_release_without_gateways_refuses_leaves_with_tenants(spine: str) -> None:
    found = problems(sites.planned(NO_GATEWAYS, spine, "frontend"))
    assert [problem.code for problem in found] == ["platform-part"]
    assert "community SONiC has it from master on, and these switches run 202505" in found[0].why


@pytest.mark.parametrize(("one", "other"), tuple(itertools.permutations(LEAVES, 2)))
def test_leaves_of_two_platforms_have_the_same_tenants(one: str, other: str) -> None:
    """The first leaf of a site, and the second of another one that has the same tenants and numbers."""
    kind = "imports" if can_import(one) and can_import(other) else "frontend"
    views = {
        "one": site(one, "eos", kind).views(["fe-leaf-000"])["fe-leaf-000"],
        "other": site(other, "eos", kind).views(["fe-leaf-001"])["fe-leaf-001"],
    }
    assert {frozenset({10004})} == {frozenset(view.bridged) for view in views.values()}
    assert 10003 in views["one"].routed
    both = {f"65000:{vni}" for vni in ((10001, 10003) if kind == "imports" else (10003,))}
    assert [view.routed[10003].imports for view in views.values()] == [both, both]
    assert list(tenants(views)) == []
    shared = Gateway("02:fa:b0:00:00:01", frozenset({"172.17.0.1/20", "fd5e:8c1f:2a00:2000::1/64"}))
    assert [dict(view.gateways) for view in views.values()] == [{10004: shared}, {10004: shared}]


BONDED = ("eos", "cumulus", "junos", "srlinux")
"""Whose leaves have bonds over two of them."""


@pytest.mark.parametrize(("one", "other"), tuple(itertools.permutations(BONDED, 2)))
def test_leaves_of_two_platforms_have_the_same_bonds(one: str, other: str) -> None:
    """The two leaves of the same servers, each of another platform."""
    views = {
        "one": site(one, "eos", "bonds").views(["fe-leaf-000"])["fe-leaf-000"],
        "other": site(other, "eos", "bonds").views(["fe-leaf-001"])["fe-leaf-001"],
    }
    assert [len(view.segments) for view in views.values()] == [4, 4]
    assert len({found.target for view in views.values() for found in view.segments}) == 4
    assert all(found.target != "00:00:00:00:00:00" for found in views["one"].segments)
    assert list(tenants(views)) == []


@pytest.mark.parametrize("leaf", [name for name in LEAVES if name not in BONDED])
def test_who_has_no_bonds_over_two_leaves_says_so(leaf: str) -> None:
    found = problems(sites.planned(leaf, "eos", "bonds"))
    assert [problem.code for problem in found] == ["platform-cannot"]
    assert "does not support esi-multihoming" in found[0].what


def test_who_can_not_import_routes_of_another_tenant_says_so() -> None:
    refusing = {name for name in LEAVES if not can_import(name)}
    assert refusing == IMPORTLESS
    for name in refusing:
        found = problems(sites.planned(name, name, "imports"))
        assert {problem.code for problem in found} <= {"platform-cannot", "platform-limit"}
        assert all("cannot take over routes" in row.what or "tenant-imports" in row.what for row in found)


def test_readers_know_nothing_of_what_wrote_the_text() -> None:
    here = Path(__file__).parent
    shared = [
        here.parent / "platform_case.py",
        *(here / f"{name}.py" for name in ("lines", "neighbors", "pairing", "view")),
    ]
    own = [path for name in ("pair_text", "lossless_text", "control_text") for path in here.parent.glob(f"*/{name}.py")]
    assert len(own) == 3 * len(CASES) - 2  # FRR has no lossless class
    imports = re.compile(r"^\s*(from|import) fabricgen", re.MULTILINE)
    assert [path for path in (*shared, *own) if imports.search(path.read_text())] == []
