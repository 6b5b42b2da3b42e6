"""Lines that weaken the check of AS loops (RFC 4271, 9.1.2): each is a difference at its line, on every system.

Sources of the words are in the readers of BGP of each system.
"""

from typing import NamedTuple

import pytest

from fabricgen.audit.switch import audited
from fabricgen.readback.rows import Value
from tests.audit.detected import site

LEAF = "be-leaf-000"
OWN, OVER, PRIVATE = "own-as.ipv4", "as-override.ipv4", "remove-private-as.ipv4"


class Edit(NamedTuple):
    """Text that is put behind the first place of `behind`, and what its line `line` says then."""

    system: str
    file: str
    behind: str
    text: str
    setting: str
    value: Value
    line: int = 1


def _each(system: str, file: str, behind: str, *rows: tuple[str, str, Value]) -> tuple[Edit, ...]:
    """Edits at one place."""
    return tuple(Edit(system, file, behind, f"\n{text}", setting, value) for text, setting, value in rows)


EOS = "   neighbor SPINES-IPV4 peer group"
NXOS = "    timers 4 12\n    address-family ipv4 unicast"
FRR = "  neighbor SPINES-IPV4 activate"
SONIC = '"default|SPINES-IPV4|ipv4_unicast": {'
SRLINUX = '"group-name": "SPINES-IPV4",'
CUMULUS = "              '10.64.0.33':"
ASPATH = "                address-family:\n                  ipv4-unicast:\n                    aspath:\n"
JUNOS = "            family inet {\n                unicast {"
EDITS = (
    *_each(
        "eos",
        "startup-config",
        EOS,
        ("   neighbor SPINES-IPV4 allowas-in 2", OWN, 2),
        ("   neighbor SPINES-IPV4 allowas-in", OWN, 3),
        ("   neighbor SPINES-IPV4 as-path remote-as replace out", OVER, True),
        ("   neighbor SPINES-IPV4 remove-private-as all replace-as", PRIVATE, True),
    ),
    *_each(
        "nxos",
        "running-config",
        NXOS,
        ("      allowas-in 2", OWN, 2),
        ("      allowas-in", OWN, 3),
        ("      as-override", OVER, True),
    ),
    *_each("nxos", "running-config", "    timers 4 12", ("    remove-private-as all", PRIVATE, True)),
    *_each(
        "frr",
        "frr.conf",
        FRR,
        ("  neighbor SPINES-IPV4 allowas-in 2", OWN, 2),
        ("  neighbor SPINES-IPV4 allowas-in", OWN, 3),
        ("  neighbor 10.64.0.33 allowas-in origin", OWN, 10),
        ("  neighbor SPINES-IPV4 as-override", OVER, True),
        ("  neighbor SPINES-IPV4 remove-private-AS all replace-AS", PRIVATE, True),
    ),
    *_each(
        "sonic",
        "config_db.json",
        SONIC,
        ('"allow_as_in": "true", "allow_as_count": "2",', OWN, 2),
        ('"allow_as_in": "true",', OWN, 3),
        ('"allow_as_in": "true", "allow_as_origin": "true",', OWN, 10),
        ('"as_override": "true",', OVER, True),
        ('"remove_private_as_enabled": "true", "remove_private_as_all": "true",', PRIVATE, True),
    ),
    *_each(
        "srlinux",
        "config.json",
        SRLINUX,
        ('"as-path-options": {"allow-own-as": 2},', OWN, 2),
        ('"as-path-options": {"replace-peer-as": true},', OVER, True),
        ('"as-path-options": {"remove-private-as": {"mode": "delete"}},', PRIVATE, True),
    ),
    *(
        Edit("cumulus", "startup.yaml", CUMULUS, f"\n{ASPATH}                      {text}", setting, value, 4)
        for text, setting, value in (
            ("allow-my-asn: {enable: on, occurrences: 2}", OWN, 2),
            ("allow-my-asn: {enable: on}", OWN, 3),
            ("allow-my-asn: {enable: on, origin: on}", OWN, 10),
            ("replace-peer-as: on", OVER, True),
            ("private-as: replace", PRIVATE, True),
        )
    ),
    *_each("junos", "juniper.conf", JUNOS, ("                    loops 2;", OWN, 2)),
    *_each(
        "junos",
        "juniper.conf",
        "        group SPINES-IPV4 {",
        ("            as-override;", OVER, True),
        ("            remove-private all replace nearest;", PRIVATE, True),
    ),
    Edit("junos", "juniper.conf", "    autonomous-system 4201000000", " loops 3", OWN, 2, 0),
)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: f"{edit.system}: {edit.text.strip().splitlines()[-1].strip()}")
def test_what_weakens_the_check_of_as_loops_is_a_difference_at_its_line(edit: Edit) -> None:
    """The groups of the sessions have no such line by the plan; nothing else differs, and every line is understood."""
    whole = site(edit.system, "")
    files = dict(whole.files[LEAF])
    before, behind, after = files[edit.file].partition(edit.behind)
    assert behind
    files[edit.file] = before + behind + edit.text + after
    line = (before + behind).count("\n") + 1 + edit.line
    audit = audited(whole.devices[LEAF], files, filled=False)
    rows = [finding.difference for finding in audit.findings]
    assert not audit.unread
    assert {(row.thing, row.setting.partition(".")[0]) for row in rows} == {("session", edit.setting.partition(".")[0])}
    found = next(row for row in rows if row.setting == edit.setting)
    assert (found.intended, found.read, found.file, found.line) == (None, edit.value, edit.file, line)
