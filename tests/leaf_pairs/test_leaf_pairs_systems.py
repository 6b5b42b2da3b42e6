"""Leaf pairs on each system: what is rendered is read back as planned, and wrong lines are found by what follows."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.platforms import PLATFORMS
from tests.leaf_pairs import site
from tests.some import LONG

SYSTEMS = {
    "frr": site.FRR,
    "eos": site.EOS,
    "cumulus": ("cumulus-5.14", "nvidia-sn5600"),
    "sonic": ("sonic-202511", "nvidia-sn5600"),
    "srlinux": ("srlinux-25.3", "nokia-7220-ixr-h5-64d"),
}
LEAF, MATE, OTHER = "be-leaf-000", "be-leaf-001", "be-leaf-005"


def rendered(folder: Path, system: tuple[str, str], **backend: object) -> tuple[Path, Path]:
    """An intent and what is rendered of it."""
    intent, out = site.written(folder, system=system, **backend), folder / "out"
    done = CliRunner().invoke(main, ["render", str(intent), "-o", str(out)])
    assert done.exit_code == 0, done.output
    return intent, out


def audit(intent: Path, out: Path) -> tuple[int, dict[str, Any]]:
    done = CliRunner().invoke(main, ["audit", str(intent), "--configs", str(out), "--json"])
    found: dict[str, Any] = json.loads(done.stdout)
    return done.exit_code, found


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_texts_are_as_planned_and_their_properties_hold(tmp_path: Path, system: str) -> None:
    code, found = audit(*rendered(tmp_path, SYSTEMS[system]))
    assert code == 0, found
    text = "".join(path.read_text() for path in (tmp_path / "out" / LEAF).iterdir() if path.is_file())
    # The number of the first server, the address of its NIC, and no other address of a server but the second's.
    assert "4294967294" in text
    assert set(re.findall(r"\b10\.64\.0\.\d+/32", text)) == {"10.64.0.1/32", "10.64.0.3/32"}


WAIVED = [{"code": code, "reason": "is replaced until Friday"} for code in ("links-missing", "rail-lost")]
EMPTY: Mapping[str, Mapping[str, Any]] = {
    "a free slot": {"servers": {"train": {"model": "duo", "slots": "0,2-3", "planned": 4}}},
    "an absent server": {"overrides": {"train[1]": {"state": "absent"}}},
    "an absent leaf": {"overrides": {MATE: {"state": "absent"}}, "waivers": WAIVED},
}
"""Ports of leaves and spines that nothing is at the far end of."""


@pytest.mark.parametrize("what", EMPTY)
@pytest.mark.parametrize(
    "system", [name if name in ("frr", "cumulus") else pytest.param(name, marks=LONG) for name in SYSTEMS]
)
def test_ports_without_a_far_end_are_as_planned(tmp_path: Path, system: str, what: str) -> None:
    intent = site.written(tmp_path, system=SYSTEMS[system])
    intent.write_text(yaml.safe_dump(yaml.safe_load(intent.read_text()) | EMPTY[what]))
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["render", str(intent), "-o", str(out)])
    assert done.exit_code == 0, done.output
    _, found = audit(intent, out)
    assert not any(switch["findings"] for switch in found["switches"]), found


NUMBERED_IPV4 = {"links": ["ipv4"]}
NUMBERED_IPV6 = {"links": ["ipv6"], "hosts": "ipv6"}


@pytest.mark.parametrize(
    ("system", "addressing"),
    [
        ("srlinux", NUMBERED_IPV4),
        ("eos", NUMBERED_IPV6),
        *(pytest.param(name, NUMBERED_IPV6, marks=LONG) for name in SYSTEMS if name != "eos"),
    ],
)
def test_only_sessions_that_carry_ipv4_over_ipv6_say_so(
    tmp_path: Path, system: str, addressing: Mapping[str, object]
) -> None:
    """RFC 8950 is for IPv4 prefixes with IPv6 next hops: unnumbered sessions with servers, where hosts have IPv4."""
    code, found = audit(*rendered(tmp_path, SYSTEMS[system], addressing=addressing))
    assert code == 0, found


def test_the_systems_of_the_table_are_those_that_are_tried() -> None:
    able = {name for name, platform in PLATFORMS.items() if (row := platform.can("dual-tor")) and not row.refusal}
    assert able == set(SYSTEMS)


FAULTS: Mapping[str, tuple[str, str, str, str]] = {
    "the address of another NIC": (
        LEAF,
        "PL-NIC-000 seq 10 permit 10.64.0.1/32",
        "PL-NIC-000 seq 10 permit 10.64.0.3/32",
        "10.64.0.3/32 may come in here, and at be-leaf-000 swp1s0",
    ),
    "a range of addresses": (
        MATE,
        "PL-NIC-001 seq 10 permit 10.64.0.3/32",
        "PL-NIC-001 seq 10 permit 10.64.0.0/16 le 32",
        "it takes 10.64.0.0/16 /16-32 from a server",
    ),
    "no limit": (
        LEAF,
        "  neighbor HOSTS-RAIL0-UNNUMBERED maximum-prefix 2 restart 5\n",
        "",
        "a server may announce any number of routes",
    ),
    "not sent up": (
        OTHER,
        "PL-HOSTS-IPV4 seq 10 permit 10.64.0.16/30 le 32",
        "PL-HOSTS-IPV4 seq 10 permit 10.65.0.16/30 le 32",
        "10.64.0.17/32 of a server reaches none of 7 leaves",
    ),
    "the mark of another rail": (
        OTHER,
        "standard CL-RAIL0 seq 10 permit 65000:1000",
        "standard CL-RAIL0 seq 10 permit 65000:1001",
        "it passes 10.64.0.9/32 on to the server",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_line_is_found_by_what_follows_from_it(tmp_path: Path, fault: str) -> None:
    switch, right, wrong, says = FAULTS[fault]
    intent, out = rendered(tmp_path, site.FRR)
    path = out / switch / "frr.conf"
    text = path.read_text()
    assert right in text
    path.write_text(text.replace(right, wrong))
    code, found = audit(intent, out)
    assert code == 3
    told = [row for row in found["violations"] if any(says in what for what in row["what"])]
    assert [row["switch"] for row in told][:1] == [switch], found["violations"]
