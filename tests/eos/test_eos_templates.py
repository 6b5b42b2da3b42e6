"""The templates themselves: no logic, short, all listed, and every field of a Device printed or excused."""

import re
from pathlib import Path

import pytest

from fabricgen.platforms.eos import bgp as eos_speaker
from fabricgen.platforms.eos import context as eos_words
from fabricgen.platforms.eos import platform as eos
from fabricgen.platforms.eos import qos as eos_qos
from fabricgen.platforms.eos import telemetry as eos_telemetry
from fabricgen.platforms.eos.platform import EOS
from fabricgen.render.folder import templates_folder
from fabricgen.resolve.needs import needs
from tests.eos.fleet import planned
from tests.template_rules import fields, logic

FOLDER = templates_folder() / "eos"
FILES = sorted(path.name for path in FOLDER.glob("*.j2"))


@pytest.mark.parametrize("name", FILES)
def test_a_template_only_tests_loops_and_prints(name: str) -> None:
    source = (FOLDER / name).read_text()
    assert list(logic(source)) == []
    assert len(source.splitlines()) <= 60
    assert source.endswith("\n")


def test_every_template_is_listed_and_every_role_ends_alike() -> None:
    sections = [artifact.sections for artifacts in EOS.artifacts.values() for artifact in artifacts]
    assert sorted({name for names in sections for name in names}) == FILES
    for names in sections:
        assert len(set(names)) == len(names)
        assert names[0] == "header.j2"
        assert names[-2:] == ("raw.j2", "end.j2")


def test_roles_leave_out_sections_and_keep_the_order() -> None:
    whole = list(eos.LEAF)
    whole.insert(whole.index("loopbacks.j2"), "subinterfaces.j2")
    for names in (eos.LEAF, eos.BORDER_LEAF, eos.SPINE):
        assert list(names) == [name for name in whole if name in names]


EXCUSED = {
    "ttl_security": "through multihop_ttl and ttl_hops",
    "macs": "a VLAN's table has no number of its own here: Platform.vlan_macs is 0",
    "kind": "the fabric's, told by its parts",
    "system": "chooses the platform",
    "version": "one spelling for the versions the platform names",
    "state": "in the route maps already",
    "model": "through spellings",
    "asic": "through spellings",
    "artifact": "EOS has one file",
    "site": "remark",
    "dead": "the configuration stays for the box that comes; what is expected of the port is for verify",
    "gateway": "stands in the static routes",
    "marking": "its maps and queues are printed",
    "match_paths_list": "refused: link-loss-withdraw",
    "paths_lists": "refused: link-loss-withdraw",
    "paths": "of paths_lists",
    "set_paths": "refused: link-loss-weighted and link-loss-withdraw",
    "headroom": "one value a switch: the largest, headroom_octets",
    "octets": "row of headroom",
    "cells": "row of headroom",
    "ports": "row of headroom",
    "basis": "row of headroom",
    "length_m": "row of headroom",
    "source": "row of headroom",
    "resume_octets": "NOTES.md: what `ingress resume` counts from is unknown",
    "flowlet_gap_us": "NOTES.md: no command found",
    "ra_guard": "refused: ra-guard",
    "headroom_octets": "of a port: the switch's largest is printed",
    "peer": "in the description",
    "peer_port": "in the description",
    "members": "each member names its group",
    "vtep": "address of Loopback1",
    "imports": "through import_targets and import_map",
    "parts": "in the name of the port",
    "raw": "given to the templates by artifact",
    "id": "of a VRF: other platforms number their tables with it",
    "multihomed": "each segment is said by itself",
}


def read() -> set[str]:
    """Names that the templates or the adapter read as attributes."""
    texts = [(FOLDER / name).read_text() for name in FILES]
    texts += [Path(str(module.__file__)).read_text() for module in (eos_words, eos_qos, eos_speaker, eos_telemetry)]
    return set(re.findall(r"\.([a-z_0-9]+)\b", "\n".join(texts)))


def test_every_field_of_a_device_is_printed_or_excused() -> None:
    assert sorted(fields() - read() - set(EXCUSED)) == []


def test_no_excuse_outlives_its_field() -> None:
    assert sorted(set(EXCUSED) - fields()) == []


def test_capabilities_are_named_once_and_sourced() -> None:
    names = [row.feature for row in EOS.capabilities]
    assert len(set(names)) == len(names)
    assert all(row.source for row in EOS.capabilities)
    # What some models have is limited on them, and refused on the others.
    assert all(not (row.limit and row.refusal) or row.vouched for row in EOS.capabilities)
    for refused in ("dlb-per-packet", "headroom-per-interface", "flowlet-gap"):
        found = EOS.can(refused)
        assert found is not None
        assert found.refusal


@pytest.mark.parametrize("name", ["demo", "wide"])
def test_every_need_of_an_intent_is_in_the_table(name: str) -> None:
    asked = {need.feature for need in needs(planned(name))}
    assert len(asked) > 12
    assert [feature for feature in sorted(asked) if (row := EOS.can(feature)) is None or row.refusal] == []
