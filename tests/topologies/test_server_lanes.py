"""A NIC and its switch port have lanes of one speed, or transceivers that change it: every model against every NIC.

Lanes of a NIC are those of its connector (IEEE 802.3: 100GBASE-CR4 has four of 25G, 200GBASE-CR4 four of 50G and
400GBASE-CR4 four of 100G). A cable is electrical from end to end, so both ends run its lanes.
"""

import json
from itertools import product
from pathlib import Path

import pytest

from fabricgen.hardware.catalog import load_catalog
from fabricgen.hardware.media import MediaEnd, choose_cable
from fabricgen.hardware.model import NicGroup, NicPort
from fabricgen.hardware.ports import LANE_GBPS, PanelPort, lane_ports, ports
from fabricgen.topologies.server_cages import joined
from tests.rendered.sites import call

CATALOG = load_catalog(None)
NICS = (
    ("qsfp28", 100),
    ("qsfp56", 100),
    ("qsfp56", 200),
    ("qsfp112", 200),
    ("qsfp112", 400),
    ("osfp-rhs", 400),
    ("osfp-rhs", 800),
    ("qsfp-dd", 400),
)
INTENT = """\
fabricgen: 1
site: lanes
management:
  oob: 10.0.0.0/20
  gateway: 10.0.0.1
  lldp: false
  users: {{admin: {{role: network-admin, password: "${{env:A}}"}}}}
cables: {{default: {{server_leaf: {metres}, leaf_spine: 40}}}}
servers: {{store: {{model: storage-2x200, slots: 0-3}}}}
fabrics:
  frontend:
    kind: frontend
    prefix: fe
    connects: {{store: data}}
    topology: {{design: leaf-spine, oversubscription: "3:1", spines: {{now: 2}}, border_leaves: 0}}
    leaf: {{model: {leaf}, os: {os}}}
    spine: {{model: {leaf}, os: {os}}}
    addressing: {{links: [ipv4], ipv4: 10.128.0.0/16}}
    asns: 4202000000-4202999999
    evpn: {{admin: 65000, vni_base: 10000}}
    server_ports:
      {{multihoming: active-backup, lacp_fallback: false, storm_control: null, bpdu_guard: false,
      uplink_tracking: false}}
tenants:
  a:
    servers: ["store[0-3]"]
    networks: {{n: {{vlan: 20, subnets: [172.17.0.0/20]}}}}
"""


def nic(connector: str, speed: int) -> NicGroup:
    one = NicPort.model_construct(name="p", rail=0, cage="")
    return NicGroup.model_construct(
        speed_gbps=speed, connector=connector, ports=(one,), planes=1, vendor="nvidia", source=""
    )


def split(found: tuple[PanelPort, ...]) -> set[tuple[int, int]]:
    return {(port.parts, port.lanes) for port in found}


FASTEST_LANE = LANE_GBPS | {"osfp-rhs": 200}
"""Of a NIC: NVIDIA's MCA7K10 joins a cage of 1.6T with two flat OSFP of 800G, on four lanes of 200G each."""


@pytest.mark.parametrize(("model", "ends"), list(product(sorted(CATALOG.switches), NICS)))
def test_copper_has_lanes_that_the_nic_has(model: str, ends: tuple[str, int]) -> None:
    connector, speed = ends
    switch = CATALOG.switches[model]
    for first in (ports(switch, speed), lane_ports(switch, speed, connector)):
        for port in joined(CATALOG.media, switch, nic(connector, speed), first):
            found = choose_cable(
                CATALOG.media,
                MediaEnd(port.connector, speed, port.parts),
                MediaEnd(connector, speed, 1),
                1,
                shared=False,
            )
            assert found is None or found.kind == "optic" or speed <= port.lanes * FASTEST_LANE[connector]


@pytest.mark.parametrize("model", ["nvidia-sn5600", "dell-z9864f-on"])
def test_200g_on_four_lanes_gets_half_a_cage(model: str) -> None:
    """4 x 200G has two lanes of 100G each, and a QSFP56 has none of 100G (NVIDIA MCP7Y60-H: 2 x 200G, four of 50G)."""
    switch = CATALOG.switches[model]
    assert split(ports(switch, 200)) == {(4, 2)}
    assert split(joined(CATALOG.media, switch, nic("qsfp56", 200), ports(switch, 200))) == {(2, 4)}
    assert split(joined(CATALOG.media, switch, nic("qsfp112", 200), ports(switch, 200))) == {(4, 2)}


def test_a_whole_cage_without_a_medium_is_halved() -> None:
    """No module of one 400G link is made for an OSFP cage: two share one."""
    switch = CATALOG.switches["arista-7060x6-64pe"]
    whole = tuple(port for port in ports(switch, 400, (1, 4)))
    assert split(joined(CATALOG.media, switch, nic("qsfp112", 400), whole)) == {(2, 4)}


def test_where_no_split_has_a_medium_the_first_stays_and_is_refused() -> None:
    switch = CATALOG.switches["juniper-qfx5240-64od"]
    assert joined(CATALOG.media, switch, nic("qsfp56", 200), ports(switch, 200)) == ports(switch, 200)


def write(folder: Path, leaf: str, system: str, metres: int) -> Path:
    path = folder / "intent.yaml"
    path.write_text(INTENT.format(leaf=leaf, os=system, metres=metres))
    return path


def test_servers_of_200g_on_a_leaf_of_800g(tmp_path: Path) -> None:
    intent = write(tmp_path, "nvidia-sn5600", "cumulus-5.11", 2)
    told = call("plan", intent, "--cables", "--json")
    assert told.exit_code == 0, told.stderr
    cables = [row for row in json.loads(told.stdout)["cables"] if row["kind"] == "server-leaf"]
    assert {row["medium"] for row in cables} == {"dac"}
    assert "dac-osfp-to-2-qsfp56-200g" in told.stdout


def test_servers_of_200g_without_four_lanes_are_refused(tmp_path: Path) -> None:
    told = call("validate", write(tmp_path, "juniper-qfx5240-64od", "junos-24.4", 2))
    assert told.exit_code == 1
    assert "error[no-medium]" in told.stderr
    assert f"intent.yaml:{_line(tmp_path, '    leaf: ')}:" in told.stderr  # its model decides, not the length


def _line(folder: Path, start: str) -> int:
    lines = (folder / "intent.yaml").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith(start))


@pytest.mark.parametrize("is_written", [True, False])
def test_a_cable_that_is_too_long_names_its_key(tmp_path: Path, is_written: bool) -> None:
    """A QSFP56 of 200G and an OSFP cage of 800G have copper of 2 m alone; 5 m is the default of the key."""
    path = write(tmp_path, "nvidia-sn5600", "cumulus-5.11", 5)
    if not is_written:
        path.write_text("".join(line for line in path.read_text().splitlines(True) if not line.startswith("cables:")))
    told = call("validate", path)
    assert "error[no-medium]" in told.stderr
    assert "fix: write cables.default.server_leaf: 2 or less, or " in told.stderr
    assert f"intent.yaml:{_line(tmp_path, 'cables:' if is_written else '    leaf: ')}:" in told.stderr
