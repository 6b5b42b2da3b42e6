"""frr.conf and interfaces that NVUE makes of our file: taken by real FRR and ifupdown2, and the same as FRR's own."""

import re

import pytest

from tests.cumulus import classic, oracle
from tests.cumulus.fleet import NAMES, sample
from tests.cumulus.reading import with_path
from tests.judges import frr
from tests.judges import interfaces as ifupdown2
from tests.some import some

LOADED = ("site fe-leaf-002", "site fe-border-00", "unnumbered be-spine-00", "shared be-leaf-000")
ROUTER = ("vrf", "default", "router", "bgp")

needs_frr = pytest.mark.skipif(frr.available() is not None, reason=str(frr.available()))
needs_ifupdown2 = pytest.mark.skipif(ifupdown2.available() is not None, reason=str(ifupdown2.available()))


@pytest.mark.parametrize("name", some(NAMES, of=4))
def test_routing_is_what_frr_is_told_of_the_same_switch(name: str) -> None:
    assert oracle.unlike(sample(name).text, name) == []


def test_the_witness_is_heard() -> None:
    name = "site fe-leaf-002"
    for path, value in (
        ((*ROUTER, "path-selection"), None),
        (("router", "policy", "route-map", "RM-RESEARCH-IMPORT"), {"rule": {"10": {"action": {"deny": {}}}}}),
        (("system", "config", "snippet", "frr.conf"), ""),
        (("vrf", "research", "router", "bgp", "rd"), "10.0.0.1:9"),
    ):
        assert oracle.unlike(with_path(sample(name).text, path, value), name)


def test_every_allowance_is_used() -> None:
    found = set()
    for name in NAMES:
        told, asked = frr.paths(classic.frr_conf(sample(name).text)), frr.paths(oracle.of_frr(name))
        found |= {f"- {', '.join(path)}" for path in asked - told} | {f"+ {', '.join(path)}" for path in told - asked}
    assert [pattern for pattern, _ in oracle.ALLOWED if not any(re.fullmatch(pattern, line) for line in found)] == []


@needs_frr
@pytest.mark.parametrize("name", some(NAMES))
def test_frr_knows_every_line(name: str) -> None:
    assert frr.dry_run(classic.frr_conf(sample(name).text)) == ()


@needs_frr
@pytest.mark.parametrize("name", some(LOADED, of=6))
def test_frr_has_what_it_was_told(name: str) -> None:
    text = classic.frr_conf(sample(name).text)
    with frr.load(text) as loaded:
        assert loaded.complaints == ()
        assert frr.differences(text, loaded.running) == ()


@needs_frr
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((*ROUTER, "autonomous-system"), "4294967296"),
        ((*ROUTER, "address-family", "ipv4-unicast", "network", "10.0.0.1/33"), {}),
        ((*ROUTER, "address-family", "l2vpn-evpn", "multipaths"), {"ebgp": "many"}),
    ],
)
def test_frr_refuses(path: tuple[str, ...], value: object) -> None:
    assert frr.dry_run(classic.frr_conf(with_path(sample("site fe-leaf-002").text, path, value)))


SEGMENT = ("interface", "bond1", "evpn", "multihoming", "segment", "identifier")
SNIPPET = ("system", "config", "snippet", "frr.conf")
HIDDEN = (
    ("Configure the peer-group first", (*ROUTER, "peer-group", "SPINES-IPV4"), None),
    ("Malformed Route Distinguisher", ("vrf", "research", "router", "bgp", "rd"), "10.0.0.1"),
    ("Malformed ESI name", SEGMENT, "00:01:02:03:04:05:06:07:08"),
    ("Malformed communities attribute", SNIPPET, "route-map X permit 1\n set community 1:2:3 additive"),
)
"""Faults that only running daemons see."""


@needs_frr
def test_running_frr_refuses() -> None:
    broken = sample("site fe-leaf-002").text
    for _, path, value in HIDDEN:
        broken = with_path(broken, path, value)
    with frr.load(classic.frr_conf(broken)) as loaded:
        said = " ".join(loaded.complaints)
    assert [words for words, _, _ in HIDDEN if words not in said] == []


@needs_ifupdown2
@pytest.mark.parametrize("name", some([*LOADED, "single fe-leaf-002"], of=2))
def test_ifupdown2_takes_the_interfaces(name: str) -> None:
    assert ifupdown2.syntax(classic.interfaces(sample(name).text)) == ()


@needs_ifupdown2
@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("interface", "swp25", "link", "mtu"), "big"),
        (("interface", "vlan110", "link", "mac-address"), "00:00:5e"),
        (("interface", "swp25", "link", "fec"), "fast"),
        (("interface", "vlan110", "vlan"), "five"),
    ],
)
def test_ifupdown2_refuses(path: tuple[str, ...], value: object) -> None:
    assert ifupdown2.syntax(classic.interfaces(with_path(sample("site fe-leaf-002").text, path, value)))
