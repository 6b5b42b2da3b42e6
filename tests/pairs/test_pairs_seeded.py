"""Mistakes in the text of a leaf: each is found, on every platform, and the same leaf without it is faultless."""

import re
from collections.abc import Mapping

import pytest

from tests.pairs.pairing import Cable, compare, tenants
from tests.pairs.seeds import ANYWHERE, GATEWAYS, SAID, SEGMENTS, TARGETS
from tests.pairs.sites import SITES, Site, can_import, site
from tests.pairs.view import View
from tests.platform_case import Seed
from tests.platform_cases import CASES
from tests.some import some

BELOW = {"eos": "junos", "frr": "srlinux", "sonic": "nxos", "cumulus": "eos", "junos": "cumulus", "srlinux": "sonic"}
"""Platform of a leaf → platform of the spines above it; the others are below EOS."""
LOSSY = "frr"
BACKEND_SEEDS = [
    (name, kind, seed) for name, row in SITES.items() for kind, seed in {**ANYWHERE, **row.mistakes}.items()
]
FRONTEND_SEEDS = [(name, kind, seed) for name, case in CASES.items() for kind, seed in case.frontend.items()]
TENANT_KINDS = (*TARGETS, "import")
UNNUMBERED_BELOW = {**BELOW, "sonic": "frr"}
"""The same, of those that can do without addresses."""
BARE_SEEDS = [
    (name, kind, seed)
    for name, case in CASES.items()
    if case.unnumbered
    for kind, seed in {**case.unnumbered, "peer-as": ANYWHERE["peer-as"]}.items()
]
GATEWAY_SEEDS = [
    *((name, kind, seed) for name in CASES for kind, seed in GATEWAYS.items()),
    *((name, "gateway", case.own_gateway) for name, case in CASES.items() if case.own_gateway),
]


def backend(leaf: str) -> Site:
    spine = BELOW.get(leaf, "eos")
    return site(leaf, spine, "backend", "best-effort" if LOSSY in (leaf, spine) else "roce-lossless")


def filled(text: str, views: Mapping[str, View], cable: Cable) -> str:
    """Words of a row, by what the two ends of a cable have."""
    near, far = views[cable.near], views[cable.far]
    loopback = next(session.source for session in near.sessions.values() if session.source or not near.vtep)
    words = {
        "own_port": cable.near_port,
        "own_ipv4": near.ports[cable.near_port].ipv4.partition("/")[0],
        "far_ipv4": far.ports[cable.far_port].ipv4.partition("/")[0],
        "own_asn": str(near.asn),
        "far_asn": str(far.asn),
        "own_loopback": loopback,
        "own_vtep": near.vtep,
    }
    return re.sub(r"<(\w+)>", lambda found: words[found[1]], text)


def broken(made: Site, views: Mapping[str, View], cable: Cable, seed: Seed) -> dict[str, dict[str, str]]:
    """Files of the leaf at a cable with a mistake in them."""
    pattern, instead = filled(seed.pattern, views, cable), filled(seed.instead, views, cable)
    return mistaken(made, cable.near, Seed(seed.file, pattern, instead))


def mistaken(made: Site, name: str, seed: Seed) -> dict[str, dict[str, str]]:
    """Files of a switch with a mistake in them."""
    files = made.files[name]
    changed = {
        file: re.sub(seed.pattern, seed.instead, text) if seed.file in ("", file) else text
        for file, text in files.items()
    }
    assert changed != files
    return {name: changed}


@pytest.mark.parametrize(
    ("leaf", "kind", "seed"), some(BACKEND_SEEDS), ids=[f"{row[0]}-{row[1]}" for row in BACKEND_SEEDS]
)
def test_a_mistake_in_a_backend_is_found(leaf: str, kind: str, seed: Seed) -> None:
    made = backend(leaf)
    _held(made, kind, seed)


def _held(made: Site, kind: str, seed: Seed) -> None:
    names = [made.cables[0].near, *(name for name in made.files if "-spine-" in name)]
    cables = [cable for cable in made.cables if cable.near == names[0]]
    views = made.views(names)
    assert compare(views, cables).faults == ()
    wrong = made.views(names, broken(made, views, cables[0], seed))
    faults = compare(wrong, cables).faults
    assert [fault for fault in faults if re.search(SAID[kind], fault)], faults


@pytest.mark.parametrize(("leaf", "kind", "seed"), BARE_SEEDS, ids=[f"{row[0]}-{row[1]}" for row in BARE_SEEDS])
def test_a_mistake_at_links_without_addresses_is_found(leaf: str, kind: str, seed: Seed) -> None:
    _held(site(leaf, UNNUMBERED_BELOW.get(leaf, "eos"), "frontend", bare=True), kind, seed)


@pytest.mark.parametrize(
    ("leaf", "kind", "seed"),
    [row for row in FRONTEND_SEEDS if row[1] not in TENANT_KINDS],
    ids=[f"{row[0]}-{row[1]}" for row in FRONTEND_SEEDS if row[1] not in TENANT_KINDS],
)
def test_a_mistake_in_a_frontend_is_found(leaf: str, kind: str, seed: Seed) -> None:
    _held(site(leaf, BELOW.get(leaf, "eos"), "frontend"), kind, seed)


@pytest.mark.parametrize("kind", TENANT_KINDS)
@pytest.mark.parametrize("leaf", CASES)
def test_a_route_target_that_another_leaf_does_not_have_is_found(leaf: str, kind: str) -> None:
    seed = {**TARGETS, **CASES[leaf].frontend}[kind]
    above = BELOW.get(leaf, "eos")
    share = "imports" if can_import(leaf) and can_import(above) else "frontend"
    made, other = site(leaf, above, share), site(above, leaf, share)
    cable = made.cables[0]
    far = other.views(["fe-leaf-001"])["fe-leaf-001"]
    views = made.views()
    assert list(tenants({"near": views[cable.near], "far": far})) == []
    wrong = made.views([cable.near], broken(made, views, cable, seed))[cable.near]
    faults = list(tenants({"near": wrong, "far": far}))
    assert [fault for fault in faults if re.search(SAID[kind], fault)], faults


@pytest.mark.parametrize(("leaf", "kind", "seed"), GATEWAY_SEEDS, ids=[f"{row[0]}-{row[1]}" for row in GATEWAY_SEEDS])
def test_a_gateway_that_another_leaf_does_not_have_is_found(leaf: str, kind: str, seed: Seed) -> None:
    above = BELOW.get(leaf, "eos")
    made, other = site(leaf, above, "frontend"), site(above, leaf, "frontend")
    name = made.cables[0].near
    far = other.views(["fe-leaf-001"])["fe-leaf-001"]
    assert list(tenants({"near": made.views([name])[name], "far": far})) == []
    wrong = made.views([name], mistaken(made, name, seed))[name]
    faults = list(tenants({"near": wrong, "far": far}))
    assert faults
    assert all(re.search(SAID[kind], fault) for fault in faults), faults


@pytest.mark.parametrize("kind", SEGMENTS)
@pytest.mark.parametrize("leaf", ["eos", "cumulus", "junos", "srlinux"])
def test_a_bond_that_the_other_leaf_knows_by_another_name_is_found(leaf: str, kind: str) -> None:
    made, other = site(leaf, "eos", "bonds"), site("eos" if leaf != "eos" else "junos", "eos", "bonds")
    far = other.views(["fe-leaf-001"])["fe-leaf-001"]
    wrong = made.views(["fe-leaf-000"], mistaken(made, "fe-leaf-000", SEGMENTS[kind]))["fe-leaf-000"]
    faults = list(tenants({"near": wrong, "far": far}))
    assert len(faults) == 2
    assert all(re.fullmatch(SAID[kind], fault) for fault in faults), faults


@pytest.mark.parametrize("spine", SITES)
def test_a_spine_that_puts_itself_in_place_of_the_vtep_is_found(spine: str) -> None:
    leaf = BELOW.get(spine, "eos")
    made = site(leaf, spine, "frontend")
    cable = made.cables[0]
    names = [cable.near, *(name for name in made.files if "-spine-" in name)]
    assert compare(made.views(names), [cable]).faults == ()
    wrong = made.views(names, mistaken(made, cable.far, SITES[spine].spine_mistake))
    faults = compare(wrong, [cable]).faults
    assert [fault for fault in faults if re.search(SAID["next-hop"], fault)]
    assert all(fault.startswith(f"{cable.far} to ") for fault in faults), faults


def test_every_platform_has_every_kind() -> None:
    kinds = {"family", "mtu", "hold", "bfd", "dscp", "pfc"}
    assert {name: kinds - set(row.mistakes) for name, row in SITES.items()} == {
        name: {"dscp", "pfc"} if name == LOSSY else set() for name in SITES
    }
    overlay = {"family", "source", "hops", "import", "communities"}
    assert {name: overlay - set(case.frontend) for name, case in CASES.items()} == {
        name: {"communities"} if name == "junos" else set() for name in CASES
    }
    assert {name for name, case in CASES.items() if case.own_gateway is None} == {"frr", "cumulus"}
