"""Mistakes in the text of a leaf: each is found, on every platform, and the same leaf without it is faultless."""

import re
from collections.abc import Mapping

import pytest

from tests.pairs.pairing import Cable, compare, tenants
from tests.pairs.seeds import ANYWHERE, BACKEND, FRONTEND, SAID, TARGETS, Seed
from tests.pairs.sites import Site, can_import, site
from tests.pairs.view import View

BELOW = {"eos": "junos", "frr": "srlinux", "sonic": "nxos", "cumulus": "eos", "junos": "cumulus", "srlinux": "sonic"}
"""Platform of a leaf → platform of the spines above it; the others are below EOS."""
LOSSY = "frr"
BACKEND_SEEDS = [
    (name, kind, {**ANYWHERE, **rows}[kind]) for name, rows in BACKEND.items() for kind in {**ANYWHERE, **rows}
]
FRONTEND_SEEDS = [(name, kind, {**ANYWHERE, **rows}[kind]) for name, rows in FRONTEND.items() for kind in rows]
TENANT_KINDS = (*TARGETS, "import")


def backend(leaf: str) -> Site:
    spine = BELOW.get(leaf, "eos")
    return site(leaf, spine, "backend", "best-effort" if LOSSY in (leaf, spine) else "roce-lossless")


def filled(text: str, views: Mapping[str, View], cable: Cable) -> str:
    """Words of a row, by what the two ends of a cable have."""
    near, far = views[cable.near], views[cable.far]
    loopback = next(session.source for session in near.sessions.values() if session.source or not near.vtep)
    words = {
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
    files = made.files[cable.near]
    changed = {
        name: re.sub(pattern, instead, text) if seed.file in ("", name) else text for name, text in files.items()
    }
    assert changed != files
    return {cable.near: changed}


@pytest.mark.parametrize(("leaf", "kind", "seed"), BACKEND_SEEDS, ids=[f"{row[0]}-{row[1]}" for row in BACKEND_SEEDS])
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


@pytest.mark.parametrize(
    ("leaf", "kind", "seed"),
    [row for row in FRONTEND_SEEDS if row[1] not in TENANT_KINDS],
    ids=[f"{row[0]}-{row[1]}" for row in FRONTEND_SEEDS if row[1] not in TENANT_KINDS],
)
def test_a_mistake_in_a_frontend_is_found(leaf: str, kind: str, seed: Seed) -> None:
    _held(site(leaf, BELOW.get(leaf, "eos"), "frontend"), kind, seed)


@pytest.mark.parametrize("kind", TENANT_KINDS)
@pytest.mark.parametrize("leaf", FRONTEND)
def test_a_route_target_that_another_leaf_does_not_have_is_found(leaf: str, kind: str) -> None:
    seed = {**TARGETS, **FRONTEND[leaf]}[kind]
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


def test_every_platform_has_every_kind() -> None:
    always = {"family", "mtu", "hold", "bfd"}
    assert {name: set(rows) - always for name, rows in BACKEND.items()} == {
        name: set() if name == LOSSY else {"dscp", "pfc"} for name in BACKEND
    }
    assert len(BACKEND) == 8
    kinds = {"family", "source", "hops", "import", "communities"}
    assert {name: kinds - set(rows) for name, rows in FRONTEND.items()} == {
        name: {"communities"} if name == "junos" else set() for name in FRONTEND
    }
    assert len(FRONTEND) == 7
