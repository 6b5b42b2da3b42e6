"""A host that sends from 40,000 MAC addresses in a lab: its port keeps to the limit, and no session falls."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.lab import Lab, LabNic
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.lab.operate.run import run
from fabricgen.site.workspace import open_workspace
from tests.frr.waiting import becomes
from tests.lab.sites import INVENTORIES, available, lab_verb, remains

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "leaves=4,spines=2,links=1,servers=3"
ADDRESSES = 40_000
GUESTS, LIMIT = 9, 20
"""Twice the server and its guests."""
FLOOD = f"""
import socket, struct
port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
port.bind(("{{}}", 0))
for number in range({ADDRESSES}):
    port.send(b"\\xff" * 6 + b"\\x02\\xaa" + struct.pack(">I", number) + b"\\x88\\xb5" + b"x" * 46)
"""
"""Broadcasts of an experimental type (IEEE 802, 0x88b5), each from an address of its own."""


class Site(NamedTuple):
    """A lab of the frontend that stands."""

    folder: Path
    lab: Lab


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("lab") / "lab"
    intent = folder.parent / "intent.yaml"
    found = yaml.safe_load((INVENTORIES / "lab/intent.yaml").read_text())
    del found["fabrics"]["backend"]
    found["fabrics"]["frontend"]["server_ports"]["guests_per_server"] = GUESTS
    intent.write_text(yaml.safe_dump(found))
    try:
        done = lab_verb("up", intent, "--subset", SUBSET, "--dir", folder)
        assert done.returncode == 0, done.stdout + done.stderr
        yield Site(folder, make_lab(open_workspace(intent).plan, parse_subset(SUBSET)))
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(folder)) == {}


def _nics(site: Site, leaf: str) -> list[tuple[str, LabNic]]:
    return [(one.name, nic) for one in site.lab.servers for nic in one.nics if nic.switch == leaf]


def _shown(site: Site, switch: str, command: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads(run(site.folder, switch, ["vtysh", "-c", command]).stdout)


def _sessions(site: Site) -> dict[tuple[str, str], tuple[int, int]]:
    """Switch and peer → both TCP ports of its session: one that was set up again has another."""
    return {
        (device.name, peer): (row["portLocal"], row["portForeign"])
        for device in site.lab.devices
        for peer, row in _shown(site, device.name, "show bgp neighbors json").items()
        if row["bgpState"] == "Established"
    }


def _flooded(site: Site, switch: str) -> int:
    """MAC addresses of the flood that a switch has of EVPN or of its own ports, once they grow no more."""
    counts = [-1, -2]
    while counts[-1] != counts[-2]:
        run(site.folder, switch, ["sleep", "3"])
        vnis = _shown(site, switch, "show evpn mac vni all json").values()
        counts.append(len({mac for vni in vnis for mac in vni["macs"] if mac.startswith("02:aa")}))
    return counts[-1]


def test_a_flood_of_addresses_stays_at_the_limit_of_its_port(site: Site) -> None:
    """Addresses that the set of the port has no room for do not reach the bridge, and so not EVPN (RFC 7432, 9)."""
    leaves = [device.name for device in site.lab.devices if device.role == "leaf"]
    before = _sessions(site)
    assert len(before) == 2 * 3 * len(leaves) * 2  # both ends, IPv4, IPv6 and EVPN, two spines
    server, nic = _nics(site, leaves[0])[0]
    vlans = {device.name: {vlan.vlan_id for vlan in device.evpn.vlans} for device in site.lab.devices if device.evpn}
    others = [leaf for leaf in leaves[1:] if vlans[leaf] & vlans[leaves[0]]]
    assert others
    done = run(site.folder, server, [sys.executable, "-c", FLOOD.format(nic.name)])
    assert done.returncode == 0, done.stderr
    learned = _flooded(site, leaves[0])
    assert LIMIT - 2 <= learned <= LIMIT  # the server's own address is in the set already
    assert [_flooded(site, leaf) for leaf in others] == [learned]
    becomes(before, _sessions, site)
    shown = json.loads(run(site.folder, leaves[0], ["ip", "-j", "link", "show", "dev", nic.port]).stdout)
    assert shown[0]["operstate"] == "UP"
