"""Real switches: two of Cumulus Linux 3 with FRR 4, their outputs read and held against their own configurations.

From the recordings of batfish/lab-validation (Apache-2.0), which are no part of this repository: FABRICGEN_MODELS names
the folder with recorded-devices.tar.xz, else ../shared/data beside the checkout is looked at.
"""

import json
import os
import re
import tarfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.platforms.linux.live.daemons import NEIGHBORS
from fabricgen.state.state import BgpState, Facts, FamilyState, Session, State

ARCHIVE = "recorded-devices.tar.xz"
LAB = "recorded-devices/cumulusfrr_bgp_community"
SWITCHES = ("cumulusfrr1", "cumulusfrr2")
SAME_AS = {
    "show version": "show_version",
    "show bgp vrf all neighbors json": "show_ip_bgp_vrf_all_neighbors_json",
    "show evpn vni detail json": "show_evpn_vni_json",
}
"""Our command → the recorded one that prints the same objects. Nothing of the kernel was recorded."""


@cache
def recorded() -> Mapping[str, str]:
    """Files of the lab by path below it; a skip where there are none, but a failure in CI."""
    folder = os.environ.get("FABRICGEN_MODELS")
    archive = (Path(folder) if folder else Path(__file__).parents[3] / "shared/data") / ARCHIVE
    if not archive.is_file():
        why = f"no {ARCHIVE}: set FABRICGEN_MODELS to the folder that holds it"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    with tarfile.open(archive) as found:
        members = [row for row in found.getmembers() if row.isfile() and row.name.startswith(f"{LAB}/")]
        texts = {row.name.removeprefix(f"{LAB}/"): found.extractfile(row) for row in members}
        return {name: text.read().decode() for name, text in texts.items() if text}


def state(name: str) -> State:
    """What our reader makes of one switch."""
    files = recorded()
    outputs = {command: Output(files[f"show/{name}/vtysh_-c_'{file}'.txt"]) for command, file in SAME_AS.items()}
    return FRR.state(outputs, {})


def configuration(name: str) -> str:
    """Its configuration."""
    return recorded()[f"configs/{name}/{name}.cfg"]


@pytest.mark.parametrize("name", SWITCHES)
def test_facts(name: str) -> None:
    found = re.search(r"^frr version (\S+)$", configuration(name), re.MULTILINE)
    assert found is not None
    assert state(name).facts == Facts(hostname=name, version=found[1], model="", serial="")


@pytest.mark.parametrize("name", SWITCHES)
def test_sessions(name: str) -> None:
    """Neighbor and numbers by the configuration, prefixes received by the recorded BGP table."""
    text = configuration(name)
    asn = re.search(r"^router bgp (\d+)$", text, re.MULTILINE)
    neighbor = re.search(r"^ neighbor (\S+) remote-as (\d+)$", text, re.MULTILINE)
    assert asn is not None
    assert neighbor is not None
    table = json.loads(recorded()[f"show/{name}/vtysh_-c_'show_ip_bgp_vrf_all_json'.txt"])["default"]["routes"]
    received = sum(path["peerId"] == neighbor[1] for paths in table.values() for path in paths)
    shown = json.loads(recorded()[f"show/{name}/vtysh_-c_'{SAME_AS[NEIGHBORS]}'.txt"])["default"]
    up = shown[neighbor[1]]["bgpTimerUpMsec"] // 1000
    families = (FamilyState("ipv4", received),)
    session = Session("", neighbor[1], int(neighbor[2]), "Established", families, up_seconds=up, ends=0)
    assert state(name).bgp == BgpState(int(asn[1]), "", (session,))  # FRR 4 does not print its own router id there


@pytest.mark.parametrize("name", SWITCHES)
def test_no_overlay(name: str) -> None:
    assert "evpn" not in configuration(name)
    assert state(name).vnis == ()


@pytest.mark.parametrize("name", SWITCHES)
def test_a_configuration_drifts_from_nothing_but_what_was_changed(name: str) -> None:
    text = configuration(name)
    text = text[text.index("frr version") :]
    assert FRR.drift(text, text) == ()
    found = FRR.drift(text, re.sub(r"^( neighbor \S+ remote-as) \d+$", r"\1 64512", text, flags=re.MULTILINE))
    assert [row.line.split()[-1] for row in found if row.present] == ["64512"]
    assert [row.section for row in found] == [found[0].section] * 2


def test_what_was_not_asked_is_not_read() -> None:
    found = state(SWITCHES[0])
    assert (found.interfaces, found.routes, found.lldp, found.running) == (None, None, None, None)
    assert {"interfaces", "routes", "lldp", "running"} <= set(found.unread)
