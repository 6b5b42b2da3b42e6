"""The demo with a backend that its tenants share, and faults put into it."""

from collections.abc import Callable

import pytest

from fabricgen.checks.switches import watch as switches
from fabricgen.device.device import Device
from fabricgen.device.evpn import Vlan
from fabricgen.plan.plan import Plan
from tests.checks.devices import Edit, with_edit
from tests.checks.intents import Edits, catalog, plan, with_asic, with_group

SHARED: Edits = {"fabrics.backend.tenancy": "evpn-type5", "fabrics.backend.transport": "best-effort"}
"""Best effort: the demo's chip is known to copy no marks into a tunnel and back."""
LOSSLESS: Edits = {"fabrics.backend.tenancy": "evpn-type5"}


def shared(**edits: object) -> Plan:
    """The demo, its backend shared; a double underscore stands for the dot."""
    return plan({**SHARED, **{key.replace("__", "."): value for key, value in edits.items()}})


def vouched(**more: object) -> Plan:
    """The demo with lossless traffic inside tunnels, on a chip whose hardware file says that it can."""
    spellings = catalog().asics["tomahawk5"].spellings
    asic = with_asic(spellings={**spellings, "eos": {**spellings["eos"], "vxlan_qos": "yes"}}, **more)
    return plan(LOSSLESS, hardware=asic)


def bonded() -> Plan:
    """NICs over pairs of leaves, as a topology makes them of leaves_per_rail: 2."""
    return with_group(shared(), indexes=2)


def told(edit: Edit, *names: str) -> Callable[[pytest.MonkeyPatch], Plan]:
    """Case of the shared backend whose switches are told something else."""

    def case(patch: pytest.MonkeyPatch) -> Plan:
        patch.setattr(switches, "devices", with_edit(edit, *names))
        return shared()

    return case


def meeting(device: Device) -> Device:
    """The first VRF takes routes of the last one's target too."""
    bgp = device.routing.bgp
    first, *others = bgp.vrfs
    both = first._replace(import_targets=(*first.import_targets, others[-1].export_target))
    return device._replace(routing=device.routing._replace(bgp=bgp._replace(vrfs=(both, *others))))


def one_target(device: Device) -> Device:
    """All VRFs have the target of the first."""
    bgp = device.routing.bgp
    target = bgp.vrfs[0].export_target
    vrfs = tuple(vrf._replace(export_target=target, import_targets=(target,)) for vrf in bgp.vrfs)
    return device._replace(routing=device.routing._replace(bgp=bgp._replace(vrfs=vrfs)))


def bridging(device: Device) -> Device:
    """A VLAN with an L2 VNI."""
    assert device.evpn is not None
    vlan = Vlan(10, "stray", 9999, "10.0.0.1:9", "65000:9999", "research")
    return device._replace(evpn=device.evpn._replace(vlans=(vlan,)))


def exposed(device: Device) -> Device:
    """The first port in use is in the default VRF."""
    rows = device.interfaces.ethernet
    at = next(at for at, row in enumerate(rows) if row.profile.role == "host" and row.enabled)
    changed = (*rows[:at], rows[at]._replace(vrf=""), *rows[at + 1 :])
    return device._replace(interfaces=device.interfaces._replace(ethernet=changed))
