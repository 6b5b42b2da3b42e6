"""The templates themselves: no logic, all listed, no line that is idle, every field of a Device told or excused."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Template

from fabricgen.platforms.junos import platform as junos
from fabricgen.platforms.junos.platform import JUNOS
from fabricgen.platforms.junos.raw import lines_fault
from fabricgen.render.folder import templates_folder
from fabricgen.render.render import environment
from fabricgen.resolve.needs import needs
from tests.junos.sites import plan, sample
from tests.some import some
from tests.template_rules import fields, logic

FOLDER = templates_folder() / "junos"
FILES = sorted(path.name for path in FOLDER.glob("*.j2"))
SHOWN = (
    "tiers spine", "plain leaf", "front last leaf", "front border-leaf", "tiers leaf", "away leaf", "drained leaf",
    "unnumbered leaf", "shared leaf", "lossless leaf", "plain spine", "drained spine", "global leaf",
)  # fmt: skip
"""Samples from short to long: the first that prints a line otherwise is enough."""


@pytest.mark.parametrize("name", FILES)
def test_a_template_only_tests_loops_and_prints(name: str) -> None:
    source = (FOLDER / name).read_text()
    assert list(logic(source)) == []
    assert len(source.splitlines()) <= 125
    assert source.endswith("\n")


def test_every_template_is_listed() -> None:
    sections = [artifact.sections for artifacts in JUNOS.artifacts.values() for artifact in artifacts]
    assert sorted({name for names in sections for name in names}) == FILES
    for names in sections:
        assert len(set(names)) == len(names)
        assert (names[0], names[-1]) == ("header.j2", "raw.j2")
        assert list(names) == [name for name in junos.SECTIONS if name in names]


def printed(template: Template, name: str) -> str:
    told = sample(name).device
    return template.render(device=told, context=words(name), raw=told.raw)


SPELLED: dict[str, object] = {}


def words(name: str) -> object:
    if name not in SPELLED:
        SPELLED[name] = JUNOS.template_context(sample(name).device)
    return SPELLED[name]


@pytest.mark.parametrize("name", some(FILES))
def test_no_line_of_a_template_can_be_lost(name: str) -> None:
    """Without any line that prints, some file is another; and a file that is, is one that test_junos_text rejects."""
    jinja = environment(None)
    lines = (FOLDER / name).read_text().splitlines(keepends=True)
    whole = jinja.from_string("".join(lines))
    texts = {shown: printed(whole, shown) for shown in SHOWN if name in sections(shown)}
    for at, line in enumerate(lines):
        if line.lstrip().startswith("{%"):
            continue
        short = jinja.from_string("".join(lines[:at] + lines[at + 1 :]))
        assert any(printed(short, shown) != text for shown, text in texts.items()), f"{name}:{at + 1} {line}"


def sections(name: str) -> tuple[str, ...]:
    (artifact,) = JUNOS.artifacts[sample(name).device.role]
    return artifact.sections


EXCUSED = {
    "ra_guard": "refused: ra-guard",
    "macs": "a VLAN's table has no number of its own here: Platform.vlan_macs is 0",
    "kind": "the fabric's, told by its parts",
    "system": "chooses the platform",
    "version": "one spelling for the versions the platform names",
    "state": "in the route maps already",
    "model": "through spellings",
    "asic": "through spellings",
    "artifact": "Junos has one file",
    "dead": "the configuration stays for the box that comes; what is expected of the port is for verify",
    "gateway": "stands in the static routes",
    "marking": "its maps and queues are printed",
    "match_paths_list": "refused: link-loss-withdraw",
    "paths_lists": "refused: link-loss-withdraw",
    "paths": "of paths_lists",
    "set_paths": "refused: link-loss-weighted and link-loss-withdraw",
    "headroom": "Junos computes it of the length and the largest frame; refused where an override gives it",
    "headroom_octets": "as headroom",
    "octets": "row of headroom",
    "cells": "row of headroom",
    "length_m": "of a port: cable-length",
    "basis": "row of headroom",
    "source": "row of headroom",
    "seed": "refused: hash-seed",
    "cluster": "refused",
    "destination_length": "of cluster",
    "aging_seconds": "of cluster",
    "wait_install": "refused",
    "eapi_certificate": "left: eapi",
    "ecn_counters": "refused: counters are on or off by themselves",
    "high": "refused: queue-monitor",
    "low": "refused: queue-monitor",
    "latency": "refused: queue-latency",
    "streaming": "refused: queue-streaming",
    "captures": "refused: congestion-capture",
    "load_interval_seconds": "refused: load-interval",
    "keepalive_seconds": "refused where it is no third of the hold time",
    "fallback": "refused: lacp-fallback",
    "broadcast_percent": "refused: storm-control",
    "multicast_percent": "refused: storm-control",
    "unknown_unicast_percent": "refused: storm-control-unknown-unicast",
    "es_import": "Junos derives it from the segment's identifier",
    "members": "each says its aggregate",
    "peer": "in the description",
    "peer_port": "in the description",
    "extended_communities": "Junos sends all communities",
    "next_hop_unchanged": "of every session between loopbacks, as Juniper has it on leaves too",
    "vtep": "the loopback's address that is primary",
    "raw": "handed to the templates apart",
    "imports": "in import_map and import_targets",
    "graceful_shutdown": "by its community",
    "multihomed": "each segment is said by itself",
}


def read() -> set[str]:
    """Names that the templates or the adapter read as attributes."""
    texts = [(FOLDER / name).read_text() for name in FILES]
    texts += [path.read_text() for path in Path(str(junos.__file__)).parent.glob("*.py")]
    return set(re.findall(r"\.([a-z_0-9]+)\b", "\n".join(texts)))


def test_every_field_of_a_device_is_printed_or_excused() -> None:
    assert sorted(fields() - read() - set(EXCUSED)) == []


def test_no_excuse_outlives_its_field() -> None:
    assert sorted(set(EXCUSED) - fields()) == []


def every_need() -> Iterator[str]:
    for name in ("lossless", "unnumbered", "shared", "front", "plain"):
        yield from (need.feature for need in needs(plan(name)))


def test_every_need_of_an_intent_is_in_the_table() -> None:
    asked = set(every_need())
    assert len(asked) > 20
    refused = {feature for feature in asked if (row := JUNOS.can(feature)) is None or row.refusal}
    assert not refused


def test_capabilities_are_named_once_and_sourced() -> None:
    names = [row.feature for row in JUNOS.capabilities]
    assert len(set(names)) == len(names)
    assert all(row.source for row in JUNOS.capabilities)
    assert all(not (row.limit and row.refusal) or row.vouched for row in JUNOS.capabilities)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("system {", "    commit synchronize;", "}"), ""),
        (("## remark", "protocols lldp disable;"), ""),
        (('system host-name "a } b";',), ""),
        (("set system commit synchronize",), "is a command"),
        (("system {",), "stay open"),
        (("}",), "do not open"),
        (("system commit synchronize",), "without a semicolon"),
        (('system host-name "a;',), "no second one"),
    ],
)
def test_raw_lines_are_whole_statements(lines: tuple[str, ...], why: str) -> None:
    fault = lines_fault("juniper.conf", lines)
    assert bool(fault) == bool(why)
    assert why in fault
