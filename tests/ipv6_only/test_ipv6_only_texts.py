"""A fabric of IPv6 alone on each system: no IPv4 but management and router ids, audited, and judged where a judge is.

A router id is a number of 32 bits that is not zero, and one speaker's (RFC 6286 section 2.1).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.device.device import Device
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from tests.audit.seeded.test_seeded_judged import JUDGES
from tests.cumulus import commands, references, told
from tests.eos.rules import broken
from tests.ipv6_only.sites import SYSTEMS, document, written
from tests.nxos.lines import unknown
from tests.some import some

QUAD = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")
FAMILY = re.compile(r"address-family ipv4|ipv4-unicast:\n *enable: on|family inet \{\n *unicast")
UNUSED = re.compile(r'neighbor \w+-UNNUMBERED peer group|"group-name": "\w+-UNNUMBERED"')
"""On EOS and SR Linux each unnumbered link has a group of its own: nothing is in the one that they are made from."""
MANAGEMENT = re.compile(r"10\.0\.0\.\d+|127\.0\.0\.1|0\.0\.0\.0")
"""Management's own addresses, its default route, and the loopback that each Linux has."""


@pytest.mark.parametrize(("links", "system"), some(product(("ipv6", "unnumbered"), SYSTEMS), of=2))
def test_texts_have_ipv6_alone(system: str, links: str, tmp_path: Path) -> None:
    path = written(tmp_path, system, document(system, **({} if links == "ipv6" else {"links": [links]})))
    run = CliRunner().invoke(main, ["render", str(path), "-o", str(tmp_path / "out")])
    if links == "unnumbered" and system == "nxos":
        assert "fix: write links: [ipv6]" in run.output
        return
    assert run.exit_code == 0, run.output
    ids: dict[str, str] = {}
    for device in devices(open_workspace(path).plan):
        _has_ipv6_alone(device)
        ids[device.name] = device.routing.bgp.router_id
        for file in (tmp_path / "out" / device.name).iterdir():
            text = file.read_text(encoding="utf-8")
            assert {quad for quad in QUAD.findall(text) if not MANAGEMENT.fullmatch(quad)} <= {ids[device.name]}, file
            assert not FAMILY.search(text), file
            assert not UNUSED.search(text), file
            assert not _faults(device, file.name, text), file
        assert any(ids[device.name] in file.read_text() for file in (tmp_path / "out" / device.name).iterdir())
    assert len(set(ids.values())) == len(ids) == 4
    audit = CliRunner().invoke(main, ["audit", str(path), "--configs", str(tmp_path / "out")])
    assert audit.exit_code == 0, audit.output


def _has_ipv6_alone(device: Device) -> None:
    bgp, interfaces = device.routing.bgp, device.interfaces
    assert not any(row.ipv4 for row in interfaces.ethernet)
    assert not any(row.ipv4 for row in interfaces.loopbacks)
    assert (bgp.families, bgp.networks_ipv4) == (("ipv6",), ())
    assert {group.families for group in bgp.groups} == {("ipv6",)}
    assert not any(group.extended_next_hop for group in bgp.groups)
    assert {rows.family for rows in device.routing.policy.prefix_lists} == {"ipv6"}


OTHERS: Mapping[str, Callable[[str], Sequence[object]]] = {"running-config": unknown, "startup-config": broken}
"""NX-OS and EOS, which have no judge: the tables of cited forms."""


def _faults(device: Device, file: str, text: str) -> Sequence[object]:
    """What speaks against a file: the maker's models or programs, or the tables of cited forms."""
    if file in JUDGES:
        module, judge = JUDGES[file]
        filled = re.sub(r"\$\{env:\w+\}", "s0mesecret", text)
        return judge(filled) if module.available() is None else []
    if file == "startup.yaml":
        return [*commands.faults(text), *references.dangling(text), *told.differences(text, device)]
    return OTHERS[file](text) if file in OTHERS else ()
