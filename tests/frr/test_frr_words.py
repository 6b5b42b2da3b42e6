"""Names and numbers that Linux needs and the Device does not have."""

import pytest

from fabricgen.base.addresses import Ipv4
from fabricgen.device.evpn import Evpn, Vlan, Vrf
from fabricgen.platforms.linux.frr_conf import description_text, template_context
from fabricgen.platforms.linux.interfaces import alias, l3_vlans, ports, router_mac
from fabricgen.platforms.linux.names import device_name
from tests.frr.site import site


def _evpn(vlans: tuple[int, ...], vrfs: tuple[Vrf, ...]) -> Evpn:
    rows = tuple(Vlan(vlan, f"v{vlan}", vlan, "", "", "") for vlan in vlans)
    return Evpn(vtep=Ipv4("10.0.0.1"), gateway_mac="", vlans=rows, vrfs=vrfs, gateways=())


@pytest.mark.parametrize(
    ("vlans", "ids", "wanted"),
    [
        ((), (1, 2), (4094, 4093)),
        ((4094,), (1, 2), (4092, 4093)),  # a tenant's VLAN: the highest that is left, the other does not move
        ((), (5000, 2), (4094, 4093)),  # below the range
        ((), (4093, 4094), (2, 4094)),
        ((4094, 4093), (1, 2, 3), (4091, 4090, 4092)),
    ],
)
def test_l3_vlans(vlans: tuple[int, ...], ids: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    found = l3_vlans(_evpn(vlans, tuple(Vrf(f"t{number}", number, number) for number in ids)))
    assert tuple(found[f"t{number}"] for number in ids) == wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("research", "research"),
        ("fifteen-octets-", "fifteen-octets-"),
        ("sixteen-octets--", "vrf7"),
        ("bridge", "vrf7"),
        ("swp1", "vrf7"),
        ("vlan20", "vrf7"),
        ("vlan20x", "vlan20x"),
        ("default", "vrf7"),
        ("vrf9", "vrf7"),
        ("local", "vrf7"),
        ("main", "vrf7"),
        ("unspec", "vrf7"),
        ("main-2", "main-2"),
    ],
)
def test_device_names(name: str, wanted: str) -> None:
    assert device_name(name, "vrf7") == wanted


def test_a_long_tenant_has_one_name_everywhere() -> None:
    device = site()["fe-border-00"].device
    assert device.evpn is not None
    long = "a-name-of-over-fifteen"
    rows = tuple(row._replace(name=long if row.name == "research" else row.name) for row in device.evpn.vrfs)
    bgp_rows = tuple(
        row._replace(
            name=long if row.name == "research" else row.name,
            imports=tuple(long if name == "research" else name for name in row.imports),
        )
        for row in device.routing.bgp.vrfs
    )
    subinterfaces = tuple(row._replace(vrf=long) for row in device.interfaces.subinterfaces)
    changed = device._replace(
        evpn=device.evpn._replace(vrfs=rows),
        routing=device.routing._replace(bgp=device.routing.bgp._replace(vrfs=bgp_rows)),
        interfaces=device.interfaces._replace(subinterfaces=subinterfaces),
    )
    found, name = template_context(changed, changed.version), f"vrf{next(row.vni for row in rows if row.name == long)}"
    assert {row.name for row in found.vrfs} == {name, "storage"}
    assert {row.device for row in found.bgp_vrfs} == {name, "storage"}
    assert {row.vrf for row in found.subinterfaces} == {name}
    assert name in {other for row in found.bgp_vrfs for family in row.families for other in family.imports}


def test_router_mac() -> None:
    assert router_mac("10.128.192.9") == "02:00:0a:80:c0:09"


def test_a_speed_that_ifupdown2_does_not_know_writes_no_line() -> None:
    device = site()["be-leaf-000"].device
    row = device.interfaces.ethernet[0]
    fast = row._replace(profile=row.profile._replace(speed_gbps=800))
    changed = device._replace(interfaces=device.interfaces._replace(ethernet=(fast,)))
    assert [port.speed_mbps for port in ports(changed)] == [0]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a b", "a b"),
        ("a\\", "a"),
        ("${x}", "${x}"),
        ("<%x%>", "<x>"),
        ("$", "$"),
        ("\\", "-"),
        ("$$IFACE", "IFACE"),
        ("$\\IFACE", "IFACE"),
    ],
)
def test_alias(text: str, wanted: str) -> None:
    assert alias(text) == wanted


@pytest.mark.parametrize(("text", "wanted"), [("a b", "a b"), ("a | b", "a / b"), (" ", "-")])
def test_said(text: str, wanted: str) -> None:
    assert description_text(text) == wanted


def test_timers_of_the_profile_are_not_written() -> None:
    device = site()["be-leaf-000"].device
    assert template_context(device, device.version).timers == ""
    bgp = device.routing.bgp._replace(hold_seconds=30)
    slower = device._replace(routing=device.routing._replace(bgp=bgp))
    assert template_context(slower, slower.version).timers == "3 30"
