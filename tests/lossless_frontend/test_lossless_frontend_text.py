"""What the files of a lossless frontend say of each kind of port, read without code of fabricgen."""

import re

import pyavd
import pytest

from fabricgen.audit.gathered import GatheredSite
from fabricgen.audit.nics import nic_ends
from fabricgen.audit.switch import audited
from fabricgen.device.device import Device
from tests.eos.oracle import compare as pyavd_compare
from tests.eos.structured import structured
from tests.lossless_frontend.site import ABLE, planned, switches
from tests.pairs.pairing import Cable, compare
from tests.pairs.sites import files_of
from tests.platform_cases import CASES

ROCE_DSCP, LOSSY_DSCP, PRIORITY = 26, 0, 3
"""Of the marking `nvidia` (CumulusNetworks/docs, RDMA-over-Converged-Ethernet-RoCE.md)."""
TUNNEL = {
    "cumulus": r"encapsulation:\s+dscp:\s+action: copy(?s:.*)",
    "eos": r"vxlan qos ecn propagation\n +vxlan qos dscp propagation encapsulation",
}
"""Lines that put the inner mark on the outer header, of systems that do not by themselves (NX-OS does: RoCE white
paper)."""


PAUSED = {
    "cumulus": r"\n      {}:\n(?:       .*\n)+?          pfc: \{{ profile: ROCE-200G-3m \}}\n",
    "nxos": r"interface {}\n(?:  .*\n)+?  priority-flow-control mode on\n(?:  .*\n)+?  service-policy type qos input",
    "eos": r"interface {}\n(?:   .*\n)+?   service-profile ROCE-200G\n",
}
"""What a server port says, as a pattern with the name of the port."""


def ports(device: Device, *roles: str) -> list[str]:
    return [row.name for row in device.interfaces.ethernet if row.profile.role in roles and row.enabled]


@pytest.mark.parametrize("system", ABLE)
def test_the_class_is_paused_at_servers_and_links_and_not_towards_outside_peers(system: str) -> None:
    found = switches(system)
    views = {name: CASES[system].pair_text(files_of(device)) for name, device in found.items()}
    cables = [
        Cable(device.name, row.name, row.peer, row.peer_port)
        for device in found.values()
        for row in device.interfaces.ethernet
        if "leaf" in device.role and row.peer in found
    ]
    assert len(cables) == 6 * 8
    assert compare(views, tuple(cables)).faults == ()
    seen = 0
    for name, device in found.items():
        for port in ports(device, "uplink", "downlink"):
            sends, obeys = dict(views[name].ports[port].sends), dict(views[name].ports[port].obeys)
            assert (sends.get(ROCE_DSCP), obeys.get(ROCE_DSCP)) == (PRIORITY, PRIORITY), (name, port)
            assert LOSSY_DSCP not in sends
            seen += 1
        for port in ports(device, "external"):
            assert not views[name].ports[port].sends, (name, port)
        text = "\n".join(files_of(device).values())
        for port in ports(device, "server"):
            assert re.search(PAUSED[system].format(port), text), (name, port)
            seen += 1
    assert seen == 2 * 6 * 8 + 2 * 12


@pytest.mark.parametrize("system", TUNNEL)
def test_leaves_and_border_leaves_copy_marks_into_tunnels(system: str) -> None:
    for device in switches(system).values():
        text = "\n".join(files_of(device).values())
        assert bool(re.search(TUNNEL[system], text)) == ("leaf" in device.role), device.name


def test_pyavd_writes_the_profile_at_ports_and_port_channels() -> None:
    device = switches("eos")["fe-leaf-000"]
    checked = pyavd.validate_structured_config(structured(device))
    assert not checked.validation_result.violations
    assert checked.validated_data is not None
    (text,) = files_of(device).values()
    assert re.search(r"interface Port-Channel1\n(?:   .*\n)*   service-profile ROCE-200G\n", text)
    found = pyavd_compare(text, str(pyavd.get_device_config(checked.validated_data)))
    assert (found.extra, found.missing) == ((), ())


WITHOUT = {
    "cumulus": r"(\n      swp1:\n(?:       .*\n)+?)          pfc: .*\n",
    "nxos": r"(interface Ethernet1/1\n(?:  .*\n)+?)  priority-flow-control mode on\n",
    "eos": r"(interface Port-Channel1\n(?:   .*\n)+?)   service-profile ROCE-200G\n",
}
"""A line without which a server port is not paused. On EOS that of the port channel: the profile of its member is for
LACP fallback."""


@pytest.mark.parametrize("system", ABLE)
def test_audit_finds_a_server_port_without_pfc(system: str) -> None:
    device = switches(system)["fe-leaf-000"]
    first = ports(device, "server")[0]
    files = files_of(device)
    assert audited(device, files, filled=False).is_exact
    wrong = {name: re.sub(WITHOUT[system], r"\1", text, count=1) for name, text in files.items()}
    assert wrong != files
    found = audited(device, wrong, filled=False)
    assert {(name, row.difference.setting) for row in found.findings for name in row.names} >= {(first, "pfc")}


@pytest.mark.parametrize("system", ABLE)
def test_both_ends_of_a_servers_link_are_compared(system: str) -> None:
    """A NIC that `export hosts` gives PFC for a port without it; a switched port has no MTU of packets."""
    device, fabric = switches(system)["fe-leaf-000"], planned(system).fabrics["frontend"]
    files = {name: re.sub(WITHOUT[system], r"\1", text) for name, text in files_of(device).items()}
    site = GatheredSite()
    site.add(fabric, device, audited(device, files, filled=False), frozenset({device.name}))
    port = ports(device, "server")[0]
    found = [violation.what for violation in nic_ends(site.sides()[0])]
    assert {what for what in found if "MTU" in what} == set()
    assert f"{port}: PFC is on for no priority, and on the NIC for 3" in found
    assert {what.partition(":")[0] for what in found} == {port}
