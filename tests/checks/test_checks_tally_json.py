"""A tally comes back from its JSON as an equal value of the same types, whatever is in it."""

from dataclasses import fields, is_dataclass, replace

import pytest

from fabricgen.checks.routing.isolation import Crossing
from fabricgen.checks.routing.valleys import Passed, Turns
from fabricgen.checks.switches.link_consistency import LinkClass, LinkClassValues, Values
from fabricgen.checks.switches.link_ends import LinkEnd
from fabricgen.checks.switches.tally import Kin, Leader, Tally, Witness
from fabricgen.checks.switches.tally_json import dumped, loaded
from fabricgen.checks.switches.watch import watched
from fabricgen.errors import Problem, Source
from fabricgen.plan.exceptions import PortKey
from tests.checks.test_checks_tally import plans

LEAF = Turns(
    "", ("be-spine-00",), frozenset(("65000:1",)), frozenset((Passed("ipv4", "65000:1"),)), frozenset(), frozenset()
)
FULL = Tally(
    switches=3,
    opened={"": (1, Witness("be-leaf-000", "it lets a default route in"))},
    shared={"shared-default": (2, Witness("be-leaf-001", "why"))},
    classes={(("dscp", ((3, (24, 26)),)), (), None, 1): (3, Witness("be-leaf-000"))},
    bridged={"": (1, Witness("fe-leaf-000", "Vlan20"))},
    seeds={("leaf", 0): (2, Witness("be-leaf-000")), ("spine", None): (1, Witness("be-spine-00"))},
    mtus={9214, 9100},
    gateways={0, 9000},
    gaps={128},
    kmax={(400, 840_000)},
    lengths={0.5, 40.0},
    fits={(0, "write shared: 10%"): (1, Witness("be-leaf-000", "3 > 2"))},
    limits={
        (("fabrics", "be", 0), "why", "fix"): (
            2,
            Problem("limit", "what", "why", "fix", ("fabrics", "be", 0), Source("intent.yaml", 3, 1), ("be-leaf-000",)),
        ),
        ((), "none", "fix"): (1, Problem("limit", "what", "why", "fix")),
    },
    crossings={"": (1, Crossing("be-leaf-000", "be-spine-05"))},
    knots={LinkClassValues(LinkClass("leaf", ("", "a1"), 400), True, Values(9214, "rs-fec", False, "send", "none"))},
    single=[
        LinkEnd(
            PortKey("be-leaf-000", "Ethernet1/1"),
            PortKey("be-spine-00", "Ethernet2/1"),
            9100,
            "rs-fec",
            False,
            "check",
            "none",
        )
    ],
    mtu_sources={9100: ("overrides", "be-leaf-000", "mtu")},
    upper={LEAF._replace(above=()): [Leader(0, "be-spine-00", ("be-super-000",)), Leader(2, "be-spine-01", ())]},
    lower={LEAF: Kin(2, ((0, "be-leaf-000"), (7, "be-leaf-001")))},
)


def typed(value: object) -> object:
    """A value with the type of all that is in it."""
    if is_dataclass(value):
        return type(value), [typed(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, dict):
        return [(typed(key), typed(one)) for key, one in value.items()]
    if isinstance(value, set | frozenset):
        return type(value), sorted(map(repr, map(typed, value)))
    return (type(value), [typed(one) for one in value]) if isinstance(value, tuple | list) else (type(value), value)


def bare(tally: Tally) -> Tally:
    """The same without the table of tuples that are kept once: it is made again."""
    return replace(tally, above={})


def test_one_with_something_in_every_field() -> None:
    assert all(getattr(FULL, each.name) for each in fields(FULL) if each.name != "above")
    found = loaded(dumped({"backend": FULL, "frontend": Tally()}))
    assert found == {"backend": FULL, "frontend": Tally()}
    assert typed(found["backend"]) == typed(FULL)


@pytest.mark.parametrize("name", plans())
def test_those_of_sites(name: str) -> None:
    tallies = watched(plans()[name]).tallies
    found = loaded(dumped(tallies))
    assert list(found) == list(tallies)
    for fabric, tally in tallies.items():
        assert found[fabric] == bare(tally)
        is_plain = {each.name for each in fields(tally)} - {"classes"}  # any values, of which only equality is asked
        for field in sorted(is_plain):
            assert typed(getattr(found[fabric], field)) == typed(getattr(bare(tally), field)), field


@pytest.mark.parametrize("text", ["", "{", "[[]]", '[["backend", []]]', '[["backend", [1]]]', "[1]", "null"])
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        loaded(text)
