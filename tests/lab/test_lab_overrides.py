"""Overrides in a lab: what is dead or absent is not there, settings are the fabric's own with the port's new names."""

from fabricgen.intent.fabric import Frontend
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.refit import refit
from fabricgen.lab.model.subset import Subset
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.resolve.device import devices
from tests.plan_inputs.sites import demo, planned


def overridden(**overrides: object) -> Plan:
    made = planned(demo(overrides=overrides))
    return with_exceptions(made, resolve_inputs(made.intent, made.fabrics))


def test_dead_and_absent_switches_and_their_cables_are_left_out() -> None:
    plan = overridden(
        **{"be-leaf-003": {"state": "dead"}, "be-spine-01": {"state": "absent"},
           "link:be-leaf-000/Ethernet33/1": {"state": "dead"}, "link:be-leaf-001/Ethernet1/1": {"state": "dead"}}
    )  # fmt: skip
    lab = make_lab(plan, Subset())
    names = {device.name for device in lab.devices}
    assert not names & {"be-leaf-003", "be-spine-01"}
    assert {"be-leaf-000", "be-spine-00"} <= names
    ends = {tuple(end) for link in lab.links for end in link}
    assert not {device for device, _ in ends} & {"be-leaf-003", "be-spine-01"}
    assert ("be-leaf-000", "swp33s0") not in ends
    assert ("be-leaf-000", "swp33s1") not in ends  # it leads to the absent spine
    assert ("be-leaf-000", "swp34s0") in ends
    assert ("be-leaf-001", "swp1s0") not in ends
    assert ("be-leaf-001", "swp1s1") in ends
    for device in lab.devices:
        assert not {row.peer for row in device.interfaces.ethernet} & {"be-leaf-003", "be-spine-01"}


def test_settings_follow_into_the_lab() -> None:
    plan = overridden(
        **{"be-leaf-003": {"os": "eos-4.34.1", "mtu": 9100}, "link:be-leaf-000/Ethernet33/5": {"mtu": 9050},
           "fe-leaf-000": {"server_ports": {"bpdu_guard": False}},
           "fe-leaf-001/Ethernet1/1": {"server_ports": {"bpdu_guard": True}}}
    )  # fmt: skip
    fitted = refit(plan)
    found = fitted.fabrics["backend"].exceptions
    assert found.systems == {}
    assert found.port_settings[PortKey("be-leaf-000", "swp33s1")].mtu == 9050
    own = found.settings["fe-leaf-000"].fabric
    assert isinstance(own, Frontend)
    assert own.server_ports.multihoming == "active-backup"
    made = {device.name: device for device in devices(fitted)}
    assert {device.system for device in made.values()} == {"frr"}
    assert {row.profile.mtu for row in made["be-leaf-003"].interfaces.ethernet} == {9100}
    assert not any(
        row.switching.bpdu_guard for device in made.values() for row in device.interfaces.ethernet if row.switching
    )


def test_raw_lines_stay_on_the_one_switch_that_runs_the_labs_system() -> None:
    """They are written for what a switch really runs, which an override of its own may say."""
    raw = [{"system": "frr", "role": "spine", "fabric": "backend", "lines": ["ip nht resolve-via-default"]}]
    made = planned(demo(overrides={"be-spine-01": {"os": "frr-8.4"}}, raw=raw))
    plan = with_exceptions(made, resolve_inputs(made.intent, made.fabrics))
    kept = {device.name for device in make_lab(plan, Subset()).devices if device.raw}
    assert kept == {"be-spine-01"}
