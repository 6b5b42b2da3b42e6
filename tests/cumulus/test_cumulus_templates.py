"""The templates themselves: no logic, short, all listed, and every field of a Device printed or excused."""

import re
from inspect import getsource
from pathlib import Path

import pytest

from fabricgen.checks.support.capabilities import capabilities, platforms
from fabricgen.platforms.cumulus import platform as cumulus
from fabricgen.platforms.cumulus.platform import CUMULUS
from fabricgen.platforms.linux import interfaces as linux
from fabricgen.render.folder import templates_folder
from fabricgen.resolve.needs import needs
from tests.cumulus.fleet import PLANS
from tests.template_rules import fields, logic

FOLDER = templates_folder() / "cumulus"
FILES = sorted(path.name for path in FOLDER.glob("*.j2"))


@pytest.mark.parametrize("name", FILES)
def test_a_template_only_tests_loops_and_prints(name: str) -> None:
    source = (FOLDER / name).read_text()
    assert list(logic(source)) == []
    assert len(source.splitlines()) <= 95
    assert source.endswith("\n")


def test_every_template_is_listed_and_every_role_ends_alike() -> None:
    sections = [artifact.sections for artifacts in CUMULUS.artifacts.values() for artifact in artifacts]
    assert sorted({name for names in sections for name in names}) == FILES
    for names in sections:
        assert len(set(names)) == len(names)
        assert names[0] == "header.j2"
        assert names[-1] == "raw.j2"


def test_roles_leave_out_sections_and_keep_the_order() -> None:
    whole = list(cumulus.LEAF)
    whole.insert(whole.index("interface-svis.j2"), "interface-subinterfaces.j2")
    for names in (cumulus.LEAF, cumulus.BORDER_LEAF, cumulus.SPINE):
        assert list(names) == [name for name in whole if name in names]


EXCUSED = {
    "ttl_security": "through multihop_ttl and ttl_hops",
    "auth_algorithm": "refused: snmp",
    "privacy_algorithm": "refused: snmp",
    "only_keys": "refused: login-keys",
    "strong": "refused: ssh-ciphers",
    "macs": "a VLAN's table has no number of its own here: Platform.vlan_macs is 0",
    "system": "chooses the platform",
    "version": "one release",
    "hardware": "chooses the platform's words: capabilities of a model",
    "model": "of hardware",
    "asic": "of hardware",
    "spellings": "of hardware",
    "artifact": "there is one file",
    "raw": "given to the templates by artifact",
    "routed": "tells itself by addresses",
    "unnumbered": "a session over the port turns router advertisements on",
    "dead": "the configuration stays for the box that comes",
    "marking": "its classes are printed",
    "peer_port": "in the description",
    "relay_source": "the loopback of its VRF",
    "tracking": "NOTES.md: refused; bonds that are segments always follow",
    "broadcast_percent": "refused: storm-control",
    "multicast_percent": "refused: storm-control",
    "unknown_unicast_percent": "refused: storm-control-unknown-unicast",
    "import_targets": "each VRF takes its own; imports are of VRFs",
    "route_target_lists": "NOTES.md: own routes come by route-import from-evpn",
    "extended_communities": "sent by itself",
    "next_hop_unchanged": "EVPN routes keep theirs by themselves",
    "es_import": "made of the identifier by the switch, as RFC 7432 says",
    "match_paths_list": "refused: link-loss-withdraw",
    "paths_lists": "refused: link-loss-withdraw",
    "headroom_pool_octets": "NOTES.md: the pool is a share of the buffer; headroom is the cable's length",
    "cells": "row of headroom",
    "basis": "row of headroom",
    "resume_octets": "refused: resume-offset",
    "restore_ms": "NOTES.md: a queue is healthy when one look finds no pause",
    "flowlet_gap_us": "refused: dlb-flowlet",
    "cluster": "refused: cluster",
    "destination_length": "refused: cluster",
    "aging_seconds": "refused: cluster",
    "latency": "refused: queue-latency",
    "streaming": "refused: queue-streaming",
    "ecn_counters": "counted always",
    "captures": "refused",
    "load_interval_seconds": "refused: load-interval",
    "snmp": "refused",
    "user": "refused: snmp",
    "auth": "refused: snmp",
    "privacy": "refused: snmp",
    "location": "refused: snmp",
    "contact": "refused: snmp",
    "traps": "refused: snmp",
    "gnmi": "refused",
    "port": "refused: gnmi; that of management is eth0",
    "certificate": "refused: gnmi",
}


SHARED = (linux.l3_vlans, linux.loopbacks, linux.relay_sources, linux.segment, linux.session_source)
"""What the adapter takes from platforms/linux."""


def read() -> set[str]:
    """Names that the templates or the adapter read as attributes."""
    texts = [(FOLDER / name).read_text() for name in FILES]
    texts += [path.read_text() for path in Path(str(cumulus.__file__)).parent.glob("*.py")]
    texts += [getsource(function) for function in SHARED]
    return set(re.findall(r"\.([a-z_0-9]+)\b", "\n".join(texts)))


def test_every_field_of_a_device_is_printed_or_excused() -> None:
    assert sorted(fields() - read() - set(EXCUSED)) == []


def test_no_excuse_outlives_its_field() -> None:
    assert sorted(set(EXCUSED) - fields()) == []


def test_capabilities_are_named_once_and_sourced() -> None:
    names = [row.feature for row in CUMULUS.capabilities]
    assert len(set(names)) == len(names)
    assert all(row.source for row in CUMULUS.capabilities)
    assert all(not (row.limit and row.refusal) for row in CUMULUS.capabilities)
    for refused in ("dlb-flowlet", "dscp-remap"):
        found = CUMULUS.can(refused)
        assert found is not None
        assert found.refusal


@pytest.mark.parametrize("name", PLANS)
def test_every_need_of_an_intent_is_in_the_table(name: str) -> None:
    asked = {need.feature for need in needs(PLANS[name]())}
    assert len(asked) > 6
    assert [feature for feature in sorted(asked) if CUMULUS.can(feature) is None] == []
    assert [*capabilities(PLANS[name]()), *platforms(PLANS[name]())] == []
