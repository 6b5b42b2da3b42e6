"""Corners of what is derived: too many equal paths, addresses of one leaf alone, segments, VRFs not carried."""

from fabricgen.device.device import Device
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected, ExpectedEvpnRoute
from tests.frr.site import site as bonded
from tests.verify.sites import healthy


def derived(name: str, **changes: object) -> Expected:
    """One switch of the site, with these changes of its BGP."""

    def edited(device: Device) -> Device:
        bgp = device.routing.bgp._replace(**changes)  # type: ignore[arg-type]
        return device._replace(routing=device.routing._replace(bgp=bgp)) if device.name == name else device

    devices = tuple(edited(device) for device in healthy())
    return next(one for one in expectations(devices) if one.device == name)


def test_of_too_many_equal_paths_so_many_are_taken_as_there_may_be() -> None:
    found = {(one.vrf, one.prefix): one for one in derived("fe-leaf-000", maximum_paths=3, overlay_paths=1).routes}
    assert found["", "10.128.192.9/32"][2:4] == (3, ("swp29", "swp30", "swp31", "swp32"))
    assert found["", "10.128.192.12/32"].interfaces == ("swp29", "swp31")
    assert found["research", "172.18.0.0/20"][2:5] == (1, (), ("10.128.192.11", "10.128.192.9"))
    assert found["research", "172.30.0.3/32"].addresses == ("10.128.192.9",)


def test_a_relay_s_own_address_is_no_route_of_its_leaf() -> None:
    """The kernel keeps a host address of its own in the local table: `ip route` does not show it."""
    found = {(one.vrf, one.prefix) for one in derived("fe-leaf-002").routes}
    assert ("research", "172.30.0.3/32") not in found
    assert ("research", "172.30.0.4/32") in found  # that of the other leaf
    assert ("research", "172.18.0.0/20") in found


def test_a_border_needs_no_route_of_a_tenant_that_it_does_not_import() -> None:
    """With research's VRF alone it takes research and storage; RDs of serving end in 3."""
    (border,) = (device for device in healthy() if device.name == "fe-border-00")
    research = tuple(vrf for vrf in border.routing.bgp.vrfs if vrf.name == "research")
    found = {one.rd for one in derived("fe-border-00", vrfs=research).evpn}
    assert {"10.128.192.9:1", "10.128.192.5:6"} <= found
    assert not {rd for rd in found if rd.endswith(":3")}
    assert "10.128.192.9:3" in {one.rd for one in derived("fe-border-00").evpn}  # storage's VRF imports it


def test_segments_are_announced_while_their_aggregate_is_up() -> None:
    """Types 1 and 4 (RFC 7432 section 7), with the ESI that both leaves of the pair have."""
    devices = tuple(rendered.device for rendered in bonded().values())
    found = {one.device: one.evpn for one in expectations(devices)}
    lag = next(device for device in devices if device.name == "fe-leaf-000").interfaces.lags[0]
    own = [one for one in found["fe-leaf-000"] if one.key == lag.esi]
    assert own == [
        ExpectedEvpnRoute(1, "", lag.esi, "", "fe-leaf-000", lag.number),
        ExpectedEvpnRoute(4, "", lag.esi, "", "fe-leaf-000", lag.number),
    ]
    assert lag.esi in {one.key for one in found["fe-leaf-001"]}
    assert not [one for one in found["fe-spine-00"] if one.route_type in (1, 4)]
