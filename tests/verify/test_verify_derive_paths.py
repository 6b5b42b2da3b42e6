"""How routes spread through three tiers, and what VRFs must not reach: by hand, on values of a few lines."""

from collections.abc import Iterable, Mapping

from fabricgen.base.addresses import Ipv4, Prefix
from fabricgen.device.routing import Neighbor, PeerGroup
from fabricgen.state.state import IPV4
from fabricgen.verify.expect.cohorts import cohorts_of
from fabricgen.verify.expect.isolation import Tenancies, forbidden
from fabricgen.verify.expect.paths import BestPaths, reaches, spread
from fabricgen.verify.expect.speakers import SiteSession, Speaker, halves_of

NUMBERS = {"A": 100, "B": 200, "c": 300}
"""Spines of a pod share an AS number, and so do all superspines; every leaf has its own."""

# Two pods of two leaves and two spines; spine k of each pod joins both superspines of core group k.
UP = {
    "a0": ("A0", "A1"),
    "a1": ("A0", "A1"),
    "b0": ("B0", "B1"),
    "b1": ("B0", "B1"),
    "A0": ("c00", "c01"),
    "A1": ("c10", "c11"),
    "B0": ("c00", "c01"),
    "B1": ("c10", "c11"),
}
GROUP = PeerGroup(
    name="g",
    description="",
    families=(IPV4,),
    route_map_in="",
    route_map_out="",
    maximum_routes=0,
    restart_minutes=0,
    bfd=False,
    extended_communities=False,
)
Pair = tuple[str, str]


def asn(name: str) -> int:
    return NUMBERS.get(name[0], 0) or {"a0": 1, "a1": 2, "b0": 3, "b1": 4, "S0": 5, "S1": 6}[name]


def drained(name: str, far: str, links: Iterable[Pair], switches: Iterable[str]) -> bool:
    return name in switches or (name, far) in links or (far, name) in links


Up = Mapping[str, tuple[str, ...]]


def speakers(links: Iterable[Pair] = (), switches: Iterable[str] = (), up: Up = UP) -> dict[str, Speaker]:
    """The switches, one link a pair; these links and switches are drained."""
    names = {*up, *(far for fars in up.values() for far in fars)}
    below = {name: frozenset(low for low, fars in up.items() if name in fars) for name in names}
    found = {}
    for name in names:
        above = frozenset(up.get(name, ()))
        ends = {(IPV4, far): (drained(name, far, links, switches),) * 2 for far in above | below[name]}
        halves = halves_of(ends, above, below[name], {})
        found[name] = Speaker(name, "f", asn(name), above, below[name], halves, {IPV4: (Prefix(f"{name}/32"),)})
    return found


def ways(
    name: str, links: Iterable[Pair] = (), switches: Iterable[str] = (), up: Up = UP
) -> dict[str, tuple[str, ...]]:
    """Switch → the neighbors by which it is reached."""
    made = speakers(links, switches, up)
    own = made[name]
    mine = [
        SiteSession(Neighbor(Ipv4(""), "g", 0, ""), GROUP, far, "", far, drained(name, far, links, switches), False)
        for far in sorted(own.above | own.below)
    ]
    found: dict[str, BestPaths] = reaches(spread(made)[IPV4], own, mine)
    return {origin: tuple(link.far for group in reach.links for link in group) for origin, reach in found.items()}


def test_a_leaf_goes_up_by_all_its_spines() -> None:
    found = ways("a0")
    assert found == {
        "a1": ("A0", "A1"),
        "b0": ("A0", "A1"),
        "b1": ("A0", "A1"),
        "A0": ("A0",),
        "A1": ("A1",),
        "B0": ("A0",),  # its core group is reached by spine 0 only
        "B1": ("A1",),
        **{f"c0{at}": ("A0",) for at in range(2)},
        **{f"c1{at}": ("A1",) for at in range(2)},
    }


def test_a_spine_goes_down_in_its_pod_and_up_for_the_other() -> None:
    assert ways("A0") == {
        "a0": ("a0",),
        "a1": ("a1",),
        "b0": ("c00", "c01"),
        "b1": ("c00", "c01"),
        "B0": ("c00", "c01"),
        "c00": ("c00",),
        "c01": ("c01",),
    }  # never the other spine of its pod: that one has its AS number, and a leaf passes nothing up


def test_a_superspine_goes_down_only() -> None:
    assert ways("c00") == {"a0": ("A0",), "a1": ("A0",), "b0": ("B0",), "b1": ("B0",), "A0": ("A0",), "B0": ("B0",)}


def test_a_drained_link_above_is_gone_around_below() -> None:
    one = [("A0", "c00")]
    assert ways("A0", one)["b0"] == ("c01",)
    assert ways("a0", one)["b0"] == ("A0", "A1")
    both = [("A0", "c00"), ("A0", "c01")]
    assert ways("A0", both)["b0"] == ("c00", "c01")  # no other way
    assert ways("a0", both)["b0"] == ("A1",)  # what A0 passes on is marked
    assert ways("a0", both)["a1"] == ("A0", "A1")
    assert ways("a0", both)["B0"] == ("A0",)


def test_a_drained_link_in_the_far_pod_is_gone_around() -> None:
    one = [("b0", "B0")]
    assert ways("a0", one)["b0"] == ("A1",)
    assert ways("a0", one)["b1"] == ("A0", "A1")
    assert ways("c00", one)["b0"] == ("B0",)


def test_a_neighbor_over_a_drained_link_is_gone_around_to_where_there_is_a_way() -> None:
    """Spines with AS numbers of their own under the same superspines hear of each other."""
    woven = {"a0": ("S0", "S1"), "a1": ("S0", "S1"), "S0": ("c0", "c1"), "S1": ("c0", "c1")}
    assert ways("a0", up=woven)["S0"] == ("S0",)
    assert ways("a0", [("a0", "S0")], up=woven) == {
        "S0": ("S1",),
        "S1": ("S1",),
        "a1": ("S1",),
        "c0": ("S1",),
        "c1": ("S1",),
    }
    assert ways("c0", [("c0", "S0")], up=woven)["S0"] == ("S0",)  # nothing is sent up again


def test_switches_that_one_other_meets_otherwise_are_no_cohort() -> None:
    """The spine alone takes last what one leaf sends: both leaves see the same of it."""
    made = speakers()
    ends = {(IPV4, far): (far == "a1", False) for far in ("a0", "a1", "c00", "c01")}
    spine = made["A0"]
    made["A0"] = spine._replace(halves=halves_of(ends, spine.above, spine.below, {}))
    assert made["a0"].halves == made["a1"].halves
    found = {cohort.members for cohort in cohorts_of(made.values())}
    assert {("a0",), ("a1",), ("b0", "b1")} < found
    paths = spread(made)[IPV4]
    assert [path.last for _, path in sorted(paths.upward(paths.at["A0"]).items())] == [False, True]


def test_drained_switches() -> None:
    assert ways("a0", switches=["A0"])["b0"] == ("A1",)
    assert ways("a0", switches=["A0"])["A0"] == ("A0",)
    assert ways("a0", switches=["c00"])["b0"] == ("A0", "A1")
    assert ways("A0", switches=["c00"])["b0"] == ("c01",)
    assert ways("a0", switches=["b0"])["b0"] == ("A0", "A1")
    assert ways("a0", switches=["a0"])["b0"] == ("A0", "A1")


def prefixes(found: dict[tuple[str, str], set[str]]) -> dict[tuple[str, str], set[Prefix]]:
    return {key: {Prefix(text) for text in texts} for key, texts in found.items()}


def test_forbidden_prefixes_of_tenants_that_never_meet() -> None:
    found = forbidden(
        Tenancies(
            subnets=prefixes(
                {
                    ("fe", "red"): {"172.16.0.0/16", "fd00:16::/64"},
                    ("fe", "blue"): {"172.16.5.0/24", "172.20.0.0/24"},  # the first lies in a subnet of red
                    ("fe", "green"): {"172.30.0.0/24", "172.31.0.0/24"},
                    ("fe2", "red"): {"172.40.0.0/24"},
                }
            ),
            imports={("fe", "red"): {"green"}, ("fe", "green"): {"red"}},
            outside=prefixes({("fe", "blue"): {"0.0.0.0/0", "172.31.0.128/25"}}),
            blocks={"fe": {Prefix("10.128.0.0/16")}, "be": {Prefix("10.64.0.0/12")}},
        )
    )
    assert {one.prefix: one.about for one in found["fe", "red"]} == {
        "10.64.0.0/12": "of fabric be",
        "10.128.0.0/16": "of fabric fe",
        "172.20.0.0/24": "of tenant blue",
        "0.0.0.0/0": "there is no route out of tenant red here",
        "::/0": "there is no route out of tenant red here",
    }
    assert [one.prefix for one in found["fe", "blue"]] == [
        "10.64.0.0/12",
        "10.128.0.0/16",
        "172.30.0.0/24",  # 172.31.0.0/24 may be announced outside, and 172.16.0.0/16 holds a subnet of its own
        "fd00:16::/64",
    ]
    assert {one.prefix for one in found["fe", ""]} == {
        "10.64.0.0/12", "0.0.0.0/0", "::/0", "172.16.0.0/16", "fd00:16::/64", "172.16.5.0/24", "172.20.0.0/24",
        "172.30.0.0/24", "172.31.0.0/24",
    }  # fmt: skip
    assert [(one.prefix, one.about) for one in found["be", ""]] == [
        ("10.128.0.0/16", "of fabric fe"),
        ("0.0.0.0/0", "there is no route out of fabric be here"),
        ("::/0", "there is no route out of fabric be here"),
    ]
    assert {one.vrf for one in found["fe", "blue"]} == {"blue"}
