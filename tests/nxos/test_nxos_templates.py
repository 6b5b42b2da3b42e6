"""The templates themselves: no logic, short, all listed, every line printed somewhere, every field of a Device."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from fabricgen.device import device
from fabricgen.platforms.nxos import access as nxos_access
from fabricgen.platforms.nxos import bgp as nxos_speaker
from fabricgen.platforms.nxos import context as nxos_words
from fabricgen.platforms.nxos import limits as nxos_limits
from fabricgen.platforms.nxos import platform as nxos
from fabricgen.platforms.nxos import ports as nxos_panel
from fabricgen.platforms.nxos import qos as nxos_qos
from fabricgen.platforms.nxos.platform import NXOS
from fabricgen.render.folder import templates_folder
from fabricgen.render.render import environment
from tests.nxos.fleet import NAMES, made, samples
from tests.template_rules import fields, logic

FOLDER = templates_folder() / "nxos"
FILES = sorted(path.name for path in FOLDER.glob("*.j2"))


@pytest.mark.parametrize("name", FILES)
def test_a_template_only_tests_loops_and_prints(name: str) -> None:
    source = (FOLDER / name).read_text()
    assert list(logic(source)) == []
    assert len(source.splitlines()) <= 60
    assert source.endswith("\n")


def test_every_template_is_listed_and_every_role_ends_alike() -> None:
    sections = [artifact.sections for artifacts in NXOS.artifacts.values() for artifact in artifacts]
    assert sorted({name for names in sections for name in names}) == FILES
    for names in sections:
        assert len(set(names)) == len(names)
        assert (names[0], names[-1]) == ("header.j2", "raw.j2")


def test_roles_leave_out_sections_and_keep_the_order() -> None:
    whole = list(nxos.LEAF)
    whole.insert(whole.index("ethernet.j2") + 1, "subinterfaces.j2")
    for names in (nxos.LEAF, nxos.BORDER_LEAF, nxos.SPINE):
        assert list(names) == [name for name in whole if name in names]


def test_an_interface_stands_before_what_names_it_as_its_source() -> None:
    """A relay's and the tunnel's source interface: lines are taken one by one."""
    for names in (nxos.LEAF, nxos.BORDER_LEAF):
        users = [names.index(name) for name in ("vlan-interfaces.j2", "nve.j2") if name in names]
        assert names.index("loopbacks.j2") < min(users)


@cache
def spoken() -> tuple[tuple[device.Device, object], ...]:
    """Samples and what NX-OS spells of them."""
    kinds = ("fec", "idle", "divided", "static", "long names", "bfd")
    found = [samples()[name] for name in NAMES] + [made(kind) for kind in kinds]
    return tuple((row, NXOS.template_context(row)) for row in found)


def printed(lines: list[str]) -> list[int]:
    """Positions of lines that print a command."""
    return [at for at, line in enumerate(lines) if line.strip() and not line.startswith(("{%", "!"))]


@pytest.mark.parametrize("name", [name for name in FILES if name not in ("header.j2", "raw.j2")])
def test_no_line_can_be_lost_unnoticed(name: str) -> None:
    """Every line prints a command in some sample; test_nxos_lines counts the commands of each."""
    read = environment(None)
    lines = (FOLDER / name).read_text().splitlines(keepends=True)
    whole = read.from_string("".join(lines))
    texts = [
        (row, spell, whole.render(device=row, context=spell, raw=()))
        for row, spell in spoken()
        if any(name in artifact.sections for artifact in NXOS.artifacts[row.role])
    ]
    for at in printed(lines):
        without = read.from_string("".join(lines[:at] + lines[at + 1 :]))
        assert any(without.render(device=row, context=spell, raw=()) != text for row, spell, text in texts), lines[at]


EXCUSED = {
    "only_keys": "refused: login-keys",
    "strong": "refused: ssh-ciphers",
    "idle_minutes": "through context.lines",
    "ra_guard": "refused: ra-guard",
    "recovery_seconds": "refused: duplicate-mac-recovery",
    "unknown_unicast_percent": "refused: storm-control-unknown-unicast",
    "macs": "a VLAN's table has no number of its own here: Platform.vlan_macs is 0",
    "artifact": "NX-OS has one file",
    "asic": "through the capability table",
    "cells": "row of headroom",
    "cluster": "refused: no command",
    "captures": "refused: no command",
    "aging_seconds": "refused: of cluster",
    "destination_length": "refused: of cluster",
    "df_preference": "left: df-preference",
    "dead": "the configuration stays for the box that comes; what is expected of the port is for verify",
    "ecn_counters": "nothing to be told",
    "es_import": "refused: esi-multihoming",
    "esi": "refused: esi-multihoming",
    "extended_next_hop": "refused: unnumbered",
    "mac_limit": "refused: mac-limit",
    "fallback": "refused: esi-multihoming",
    "gateway": "stands in the static routes",
    "hardware": "through the capability table",
    "headroom_octets": "NX-OS sets it aside by itself",
    "headroom_pool_octets": "NX-OS sets it aside by itself",
    "high": "refused: queue-monitor",
    "id": "of a VRF: other platforms number their tables with it",
    "interface": "refused: unnumbered",
    "import_map": "refused: tenant-imports",
    "imports": "refused: tenant-imports",
    "lag": "refused: esi-multihoming",
    "lags": "refused: esi-multihoming",
    "lanes": "NX-OS takes the speed alone",
    "latency": "refused: queue-latency",
    "low": "refused: queue-monitor",
    "marks": "a tunnel has the marks of its packets without a word",
    "marking": "its maps and queues are printed",
    "match_paths_list": "refused: link-loss-withdraw",
    "match_route_target_list": "refused: imports",
    "members": "refused: esi-multihoming",
    "model": "through the capability table",
    "multihomed": "refused: esi-multihoming",
    "octets": "row of headroom",
    "paths": "of paths_lists",
    "paths_lists": "refused: link-loss-withdraw",
    "peer": "in the description",
    "peer_port": "in the description",
    "polling_ms": "NX-OS's own times stay",
    "queue_monitor": "refused: queue-monitor",
    "raw": "given to the templates by artifact",
    "resume_octets": "refused: NX-OS's own",
    "route_target_lists": "refused: imports",
    "set_paths": "refused: link-loss-weighted and link-loss-withdraw",
    "source": "row of headroom",
    "spellings": "through the capability table",
    "state": "in the route maps already",
    "streaming": "refused: queue-streaming",
    "system": "chooses the platform",
    "system_id": "refused: esi-multihoming",
    "tracking": "refused: uplink-tracking",
    "unnumbered": "refused: unnumbered",
    "version": "one spelling for the versions the platform names",
    "vtep": "address of loopback1",
}


def sources() -> Iterator[str]:
    yield from ((FOLDER / name).read_text() for name in FILES)
    for module in (nxos_words, nxos_access, nxos_qos, nxos_speaker, nxos_panel, nxos_limits):
        yield Path(str(module.__file__)).read_text()


def read() -> set[str]:
    """Names that the templates or the adapter read as attributes."""
    return set(re.findall(r"\.([a-z_0-9]+)\b", "\n".join(sources())))


def test_every_field_of_a_device_is_printed_or_excused() -> None:
    assert sorted(fields() - read() - set(EXCUSED)) == []


def test_no_excuse_outlives_its_field() -> None:
    assert sorted(set(EXCUSED) - fields()) == []
    assert sorted(set(EXCUSED) & read()) == []


def test_capabilities_are_named_once_and_sourced() -> None:
    names = [row.feature for row in NXOS.capabilities]
    assert len(set(names)) == len(names)
    assert all(row.source for row in NXOS.capabilities)
    assert all(not (row.limit and row.refusal) or row.vouched for row in NXOS.capabilities)
