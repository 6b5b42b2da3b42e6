"""A frontend with its tenants, built by `fabricgen lab up`: what our reader says of the overlay, the Devices say."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from napalm import get_network_driver

from fabricgen.device.device import Device
from fabricgen.device.evpn import Evpn, Vlan
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.lab.operate.run import run
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.site.workspace import open_workspace
from fabricgen.state.state import EvpnRoute, Hop, Interface, State, Vni
from tests import forked
from tests.frr.site import INTENT
from tests.frr.waiting import becomes
from tests.live.frr_asked import LIVE, outputs
from tests.some import some

pytestmark = LIVE

SUBSET = "leaves=4,spines=2,links=1,borders=1,servers=8"
SECONDS = 600
LEAVES = ("fe-leaf-000", "fe-leaf-001", "fe-leaf-002", "fe-leaf-003")
NEAR, FAR = "fe-leaf-002", "fe-leaf-003"
"""A pair that has the same VLANs."""


class Running(NamedTuple):
    """The lab: its folder, its switches."""

    folder: Path
    devices: Mapping[str, Device]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The frontend of the site without its backend."""
    folder = tmp_path_factory.mktemp("lab")
    body = yaml.safe_load(INTENT.read_text())
    del body["fabrics"]["backend"]
    intent = folder / "intent.yaml"
    intent.write_text(yaml.safe_dump(body))
    devices = make_lab(open_workspace(intent).plan, parse_subset(SUBSET)).devices
    try:
        fabricgen(folder, "up", str(intent), "--subset", SUBSET)
        yield Running(folder, {device.name: device for device in devices})
    finally:
        fabricgen(folder, "down")


def fabricgen(folder: Path, verb: str, *words: str) -> None:
    """A verb of the lab."""
    done = forked.fabricgen(("lab", verb, "--dir", folder / "lab", *words), SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr


def inside(lab: Running, owner: str, *command: str) -> str:
    """Output of a command inside a switch or server."""
    done = run(lab.folder / "lab", owner, list(command))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def ask(lab: Running, name: str) -> State:
    """State of a switch, by the inventory of the lab."""
    hosts = yaml.safe_load((lab.folder / "lab/inventory/hosts.yaml").read_text())
    arguments = hosts[name]["connection_options"]["napalm"]["extras"]["optional_args"]
    names = FRR.vrf_names(lab.devices[name])
    with get_network_driver(FRR.driver)(name, "", "", optional_args=arguments) as driver:
        return FRR.state(outputs(driver, FRR.reads(names)), names)


def overlay(lab: Running, name: str) -> Evpn:
    found = lab.devices[name].evpn
    assert found is not None
    return found


def vteps(lab: Running, name: str, vlan: Vlan) -> tuple[str, ...]:
    """VTEPs of the other switches with a VLAN's VNI."""
    others = [overlay(lab, other) for other in LEAVES if other != name]
    return tuple(sorted(evpn.vtep for evpn in others if vlan.vni in {row.vni for row in evpn.vlans}))


@pytest.mark.parametrize("name", some(LEAVES, of=4))
def test_everything_is_read_and_nothing_drifts(lab: Running, name: str) -> None:
    state = ask(lab, name)
    assert set(state.unread) == set(FRR.unseen)
    assert state.facts is not None
    assert state.facts.hostname == name
    assert FRR.drift((lab.folder / f"lab/nodes/{name}/frr.conf").read_text(), state.running or "") == ()


@pytest.mark.parametrize("name", some(LEAVES, of=4))
def test_vnis(lab: Running, name: str) -> None:
    """As planned; the bridge learns nothing from tunnels."""
    evpn = overlay(lab, name)
    wanted = {Vni(row.vni, "l2", row.vlan_id, row.vrf, vteps(lab, name, row), True, False) for row in evpn.vlans}
    becomes(wanted, lambda: {row for row in ask(lab, name).vnis or () if row.kind == "l2"})
    l3 = {(row.vni, row.vrf, row.vteps, row.up) for row in ask(lab, name).vnis or () if row.kind == "l3"}
    assert l3 == {(row.vni, row.name, (), True) for row in evpn.vrfs}
    if name == NEAR:
        assert {len(row.vteps) for row in wanted} == {1}


@pytest.mark.parametrize("name", some(LEAVES, of=4))
def test_gateways(lab: Running, name: str) -> None:
    found = {row.vlan_id: row for row in ask(lab, name).interfaces or () if row.kind == "svi" and row.addresses}
    for row in overlay(lab, name).gateways:
        addresses = tuple(sorted(address for address in (row.ipv4, row.ipv6) if address))
        wanted = Interface(f"vlan{row.vlan_id}", "svi", True, True, row.mtu, addresses, row.vrf, row.vlan_id)
        assert found[row.vlan_id] == wanted._replace(mac=overlay(lab, name).gateway_mac)


@pytest.mark.parametrize("name", some(LEAVES, of=4))
def test_ports_stay_in_no_vrf(lab: Running, name: str) -> None:
    """A server's port is bridged; that its VLAN is a tenant's does not make it one of the VRF."""
    state = ask(lab, name)
    for port in lab.devices[name].interfaces.ethernet:
        found = [row for row in state.interfaces or () if row.name == port.name]
        assert [(row.kind, row.vrf, row.mtu) for row in found] == [("ethernet", "", port.profile.mtu)]


@pytest.mark.parametrize("name", some(LEAVES, of=4))
def test_evpn_routes(lab: Running, name: str) -> None:
    """Flooding routes of every leaf, and the subnets that each announces by itself; our own without a next hop."""
    wanted = set()
    for other in LEAVES:
        evpn, hop = overlay(lab, other), "" if other == name else overlay(lab, other).vtep
        wanted |= {EvpnRoute(3, row.rd, evpn.vtep, hop) for row in evpn.vlans}
        for vrf in lab.devices[other].routing.bgp.vrfs:
            wanted |= {EvpnRoute(5, vrf.rd, prefix, hop) for prefix in (*vrf.networks_ipv4, *vrf.networks_ipv6)}
    becomes(set(), lambda: wanted - {*(ask(lab, name).evpn or ())})
    flooding = {row for row in ask(lab, name).evpn or () if row.route_type == 3}
    assert flooding == {row for row in wanted if row.route_type == 3}


def test_a_host_that_speaks(lab: Running) -> None:
    """MAC and addresses of a server become routes of its leaf, seen here and on the other leaf of the pair."""
    facts = json.loads((lab.folder / "lab/lab.json").read_text())["servers"]
    server, nic = next(
        (name, nic)
        for name, body in facts.items()
        for nic in body["nics"]
        if (nic["switch"], body["tenant"]) == (NEAR, "research") and nic["ipv4"]
    )
    inside(lab, server, "ping", "-c", "1", "-W", "2", nic["gateway4"])
    mac = json.loads(inside(lab, server, "ip", "-j", "link", "show", "dev", nic["name"]))[0]["address"]
    evpn = overlay(lab, NEAR)
    rd = next(row.rd for row in evpn.vlans if row.vrf == facts[server]["tenant"])
    key = f"{mac} {nic['ipv4'].partition('/')[0]}"
    for name, hop in ((NEAR, ""), (FAR, evpn.vtep)):
        becomes(True, lambda name=name, hop=hop: EvpnRoute(2, rd, key, hop) in (ask(lab, name).evpn or ()))


def test_routes_of_a_vrf(lab: Running) -> None:
    """The storage's subnet, as a leaf without storage servers has it in two VRFs: over both leaves that have some."""
    hops = tuple(sorted(overlay(lab, name).vtep for name in LEAVES[:2]))
    prefixes = [
        prefix
        for vrf in lab.devices[LEAVES[0]].routing.bgp.vrfs
        for prefix in (*vrf.networks_ipv4, *vrf.networks_ipv6)
        if vrf.name == "storage"
    ]
    assert len(prefixes) == 2
    for vrf in ("storage", "research"):
        for prefix in prefixes:
            becomes(hops, far_ends, lab, vrf, prefix)


def far_ends(lab: Running, vrf: str, prefix: str) -> tuple[str, ...]:
    return tuple(sorted(hop.address for hop in of(lab, vrf, prefix) or ()))


def of(lab: Running, vrf: str, prefix: str) -> tuple[Hop, ...] | None:
    """Next hops of a route on the near leaf, None where there is no such route."""
    found = [row.hops for row in ask(lab, NEAR).routes or () if (row.vrf, row.prefix) == (vrf, prefix)]
    return found[0] if found else None


def test_a_tunnel_that_goes_down(lab: Running) -> None:
    """Down here, and no longer flooded to from the other leaf of the pair."""
    vlan, vtep = overlay(lab, NEAR).vlans[0], overlay(lab, NEAR).vtep
    link = ["ip", "-n", vlan.vrf, "link", "set", f"vni{vlan.vni}"]

    def seen(name: str) -> tuple[bool, tuple[str, ...]]:
        return next((row.up, row.vteps) for row in ask(lab, name).vnis or () if row.vni == vlan.vni)

    becomes((True, (vtep,)), seen, FAR)
    inside(lab, NEAR, *link, "down")
    becomes((True, ()), seen, FAR)
    assert seen(NEAR)[0] is False
    inside(lab, NEAR, *link, "up")
    becomes((True, (vtep,)), seen, FAR)
    assert seen(NEAR)[0] is True


def test_a_route_of_a_tenant_that_is_thrown_away(lab: Running) -> None:
    inside(lab, NEAR, "ip", "-n", "research", "route", "add", "blackhole", "192.0.2.0/24")
    assert of(lab, "research", "192.0.2.0/24") == ()
    assert of(lab, "storage", "192.0.2.0/24") is None
    inside(lab, NEAR, "ip", "-n", "research", "route", "del", "blackhole", "192.0.2.0/24")
    assert of(lab, "research", "192.0.2.0/24") is None
