"""The plan with the lab's operating system: every name, number, address and session is the original's."""

from pathlib import Path

import pytest
import yaml

from fabricgen.device.device import Device
from fabricgen.hardware import catalog as shelves
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.overrides import Override
from fabricgen.intent.site import Raw
from fabricgen.lab.model.lab import Lab, LabEnd
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.refit import SYSTEM, refit
from fabricgen.lab.model.subset import Subset
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes, with_exceptions
from fabricgen.resolve.device import devices
from tests.lab.sites import DEMO, SMALL, plan

STORE = "arista-7050cx4-24d8"


def _edited(**keys: object) -> Plan:
    """The demo with other top-level keys, planned with its own lock, overrides applied."""
    original = plan(DEMO)
    intent = original.intent.model_copy(update=keys)
    shapes = make_shapes(intent, original.catalog)
    bare = make_plan(intent, original.catalog, shapes, original.lock, original.fabrics["backend"].exceptions)
    return with_exceptions(bare, resolve_inputs(intent, bare.fabrics))


def _numbers(device: Device) -> object:
    """All of a switch that must not depend on its operating system. Ports stand in panel order under either name."""
    bgp = device.routing.bgp
    return {
        "name": device.name,
        "role": device.role,
        "state": device.state,
        "asn": bgp.asn,
        "router id": bgp.router_id,
        "sessions": [(row.address, row.group, row.remote_as) for row in bgp.neighbors],
        "originated": (bgp.networks_ipv4, bgp.networks_ipv6),
        "outside": [(vrf.name, [row._replace(password=None) for row in vrf.neighbors]) for vrf in bgp.vrfs],
        "targets": [(vrf.rd, vrf.import_targets, vrf.export_target) for vrf in bgp.vrfs],
        "ports": [(row.ipv4, row.ipv6, row.enabled, row.peer, row.profile.mtu) for row in device.interfaces.ethernet],
        "loopbacks": device.interfaces.loopbacks,
        "management": device.management.address,
        "overlay": device.evpn and device.evpn._replace(multihomed=False),  # a lab has no Ethernet segments
        "policy": device.routing.policy,
    }


@pytest.mark.parametrize("path", [DEMO, SMALL])
def test_numbers_addresses_and_sessions_are_the_original_s(path: Path) -> None:
    original = {device.name: _numbers(device) for device in devices(plan(path))}
    fitted = {device.name: _numbers(device) for device in devices(refit(plan(path)))}
    assert fitted == original


def test_every_switch_has_the_lab_s_system_and_its_port_names() -> None:
    for device in devices(refit(plan(DEMO))):
        assert f"{device.system}-{device.version}" == SYSTEM
        assert {row.name[:3] for row in device.interfaces.ethernet} == {"swp"}
        assert not device.interfaces.lags


def test_numbers_are_those_of_the_lock_of_a_site_that_grew() -> None:
    """A tenant that came last has the highest number, wherever its name sorts."""
    original = plan(DEMO)
    first = {name: tenant for name, tenant in original.intent.tenants.items() if name != "research"}
    before = original.intent.model_copy(update={"tenants": first})
    shapes = make_shapes(original.intent, original.catalog)
    lock = make_plan(before, original.catalog, shapes, Lock(), Exceptions()).lock
    grown = make_plan(original.intent, original.catalog, shapes, lock, Exceptions())
    assert grown.lock != original.lock
    fitted = refit(grown)
    assert fitted.lock == grown.lock
    assert [_numbers(device) for device in devices(fitted)] == [_numbers(device) for device in devices(grown)]


OVERRIDES = {
    "be-leaf-000/Ethernet3/1": Override(state="absent"),
    "be-leaf-001/Ethernet33/5": Override(state="drained"),
    "be-leaf-001/Ethernet34/1": Override(state="absent"),
    "fe-leaf-002": Override(state="drained"),
    "train[1]": Override(state="absent"),
}


def test_exceptions_follow_the_ports_new_names() -> None:
    """EOS names the second half of a cage by its lane, 5; here parts are counted from 0."""
    found = refit(_edited(overrides=OVERRIDES)).fabrics["backend"].exceptions
    assert {(key.device, key.port): state for key, state in found.ports.items()} == {
        ("be-leaf-000", "swp3s0"): "absent",
        ("be-leaf-001", "swp33s1"): "drained",
        ("be-leaf-001", "swp34s0"): "absent",
    }
    assert found.devices == {"fe-leaf-002": "drained"}


def test_numbers_are_the_same_with_exceptions_too() -> None:
    edited = _edited(overrides=OVERRIDES)
    assert [_numbers(device) for device in devices(refit(edited))] == [_numbers(device) for device in devices(edited)]


def test_a_port_without_a_cable_has_none_in_the_lab() -> None:
    with_all, without = make_lab(plan(DEMO), Subset()), make_lab(_edited(overrides=OVERRIDES), Subset())
    gone = _ends(with_all) - _ends(without)
    assert LabEnd("be-leaf-000", "swp3s0") in gone
    assert LabEnd("be-leaf-001", "swp34s0") in gone
    assert {end.owner for end in gone} > {"be-leaf-000", "train-001"}
    assert "train-001" not in {server.name for server in without.servers}


def _ends(lab: Lab) -> set[LabEnd]:
    return {end for link in lab.links for end in link}


def test_a_model_without_the_system_s_port_names_gets_them(tmp_path: Path) -> None:
    value = yaml.safe_load((shelves.OURS / "switches" / f"{STORE}.yaml").read_text())
    for run in value["cages"]:
        run.get("port_names", {}).pop("frr", None)
    value["port_names"].pop("frr")
    value["management_port"].pop("frr")
    value["cited"] = {key: source for key, source in value["cited"].items() if not key.endswith(".frr")}
    (tmp_path / "switches").mkdir()
    (tmp_path / "switches" / f"{STORE}.yaml").write_text(yaml.safe_dump(value))
    original, catalog = plan(DEMO), load_catalog(tmp_path)
    shapes = make_shapes(original.intent, catalog)
    bare = make_plan(original.intent, catalog, shapes, original.lock, original.fabrics["backend"].exceptions)
    names = {row.name for device in make_lab(bare, Subset()).devices for row in device.interfaces.ethernet}
    assert names == {row.name for device in make_lab(original, Subset()).devices for row in device.interfaces.ethernet}


def test_lines_of_the_user_s_own_stay_where_they_were_written_for() -> None:
    theirs = Raw(system="frr", lines=("! mine",))
    assert all(not device.raw for device in make_lab(_edited(raw=(theirs,)), Subset()).devices)
    small = plan(SMALL)
    intent = small.intent.model_copy(update={"raw": (theirs,)})
    exceptions = small.fabrics["backend"].exceptions
    mine = make_plan(intent, small.catalog, make_shapes(intent, small.catalog), small.lock, exceptions)
    assert all(device.raw for device in make_lab(mine, Subset()).devices)
