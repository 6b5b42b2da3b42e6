"""A few switches with cables: sessions come up, routes reach the kernel, a drained switch comes last."""

import json
import subprocess
from collections.abc import Iterator

import pytest

from tests.frr.site import DRAINED, site
from tests.frr.waiting import becomes
from tests.frr.wired import Fabric, wired
from tests.judges import frr
from tests.judges.frr import Loaded

pytestmark = pytest.mark.skipif(frr.available() is not None, reason=f"judge: {frr.available()}")

BACKEND = ("be-leaf-000", "be-leaf-001", "be-spine-00", "be-spine-01")
FRONTEND = ("fe-leaf-000", DRAINED, "fe-spine-00", "fe-spine-01")


@pytest.fixture(scope="module")
def backend() -> Iterator[Fabric]:
    with wired(BACKEND, 1) as fabric:
        yield fabric


@pytest.fixture(scope="module")
def frontend() -> Iterator[Fabric]:
    with wired(FRONTEND, 2) as fabric:
        yield fabric


def _established(switch: Loaded) -> dict[str, int]:
    """Address family → how many sessions are up."""
    found = json.loads(switch.show("show bgp summary json"))
    return {
        name: sum(peer["state"] == "Established" for peer in family["peers"].values())
        for name, family in found.items()
        if "peers" in family
    }


def _kernel(switch: Loaded, family: str) -> dict[str, int]:
    """Prefix → number of next hops of what BGP put into the kernel."""
    command = ["ip", "-n", switch.namespace, family, "-j", "route", "show", "proto", "bgp"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    found: dict[str, int] = {}
    for row in json.loads(done.stdout or "[]"):
        found[row["dst"]] = found.get(row["dst"], 0) + len(row.get("nexthops", [row]))
    return found


def _originated(names: tuple[str, ...], family: str) -> dict[str, set[str]]:
    """Switch → what its Device originates, as the kernel writes it."""
    found = {}
    for name in names:
        bgp = site()[name].device.routing.bgp
        prefixes = bgp.networks_ipv4 if family == "-4" else bgp.networks_ipv6
        found[name] = {prefix.removesuffix("/32").removesuffix("/128") for prefix in prefixes}
    return found


def _paths(switch: Loaded, prefix: str) -> list[dict[str, object]]:
    family = "ipv6" if ":" in prefix else "ipv4"
    found = json.loads(switch.show(f"show bgp {family} unicast {prefix} json"))
    paths: list[dict[str, object]] = found.get("paths", [])
    return paths


def _count(switch: Loaded, prefix: str) -> int:
    return len(_paths(switch, prefix))


@pytest.mark.parametrize(("name", "width"), [("be-leaf-000", 2), ("be-leaf-001", 2), ("be-spine-00", 2)])
def test_backend_sessions_come_up(backend: Fabric, name: str, width: int) -> None:
    wanted = {"ipv4Unicast": width, "ipv6Unicast": width}
    becomes(wanted, _established, backend[name])


@pytest.mark.parametrize("family", ["-4", "-6"])
def test_a_backend_leaf_learns_all_over_every_spine(backend: Fabric, family: str) -> None:
    """Aggregates and loopbacks of the other leaf over both spines; each spine's own over its link. No default."""
    originated = _originated(BACKEND, family)
    wanted = dict.fromkeys(originated["be-leaf-001"], 2)
    wanted |= dict.fromkeys(originated["be-spine-00"] | originated["be-spine-01"], 1)
    becomes(wanted, _kernel, backend["be-leaf-000"], family)
    assert any("/" in prefix for prefix in originated["be-leaf-001"]) == (family == "-4")  # the hosts' aggregate


def test_no_path_goes_down_and_up_again(backend: Fabric) -> None:
    """A spine hears a leaf's routes from that leaf alone: the other leaf has them, and does not pass them on."""
    spine, other = backend["be-spine-00"], backend["be-leaf-001"]
    bgp = site()["be-leaf-000"].device.routing.bgp
    for prefix in (*bgp.networks_ipv4, *bgp.networks_ipv6):
        becomes(2, _count, other, prefix)
        assert _count(spine, prefix) == 1


def test_discard_routes_hold_the_aggregate(backend: Fabric) -> None:
    """What is not more specific in an aggregate is thrown away at its leaf: no packet turns back up."""
    leaf = backend["be-leaf-000"]
    show = ["ip", "-n", leaf.namespace, "-j", "route", "show", "type", "blackhole"]
    rows = json.loads(subprocess.run(show, capture_output=True, text=True, timeout=120, check=True).stdout)
    routes = site()["be-leaf-000"].device.routing.static_routes
    assert {row["dst"] for row in rows} == {route.prefix for route in routes if not route.next_hop}


def test_frontend_sessions_come_up(frontend: Fabric) -> None:
    for name in FRONTEND:  # two spines, two links to each
        becomes({"ipv4Unicast": 4, "ipv6Unicast": 4, "l2VpnEvpn": 2}, _established, frontend[name])


def test_frontend_leaves_reach_each_other_over_every_link(frontend: Fabric) -> None:
    for family in ("-4", "-6"):
        originated = _originated(FRONTEND, family)
        wanted = dict.fromkeys(originated[DRAINED], 4)
        wanted |= dict.fromkeys(originated["fe-spine-00"] | originated["fe-spine-01"], 2)
        becomes(wanted, _kernel, frontend["fe-leaf-000"], family)


def test_a_drained_switch_comes_last(frontend: Fabric) -> None:
    """Its routes have preference 0 at the spine and behind it; those it learns have 0 at itself (RFC 8326)."""
    drained = site()[DRAINED].device.routing.bgp.networks_ipv4[0]
    active = site()["fe-leaf-000"].device.routing.bgp.networks_ipv4[0]
    cases = (
        ("fe-spine-00", drained, 0),
        ("fe-leaf-000", drained, 0),
        ("fe-spine-00", active, 100),
        (DRAINED, active, 0),
    )
    for name, prefix, preference in cases:
        switch = frontend[name]
        becomes(2 if "spine" in name else 4, _count, switch, prefix)
        assert {path.get("locPrf", 100) for path in _paths(switch, prefix)} == {preference}, (name, prefix)
