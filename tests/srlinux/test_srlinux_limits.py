"""What SR Linux cannot be told of one switch is a problem at the intent's line; ranges are those of the models."""

from collections.abc import Callable

import pytest

from fabricgen.base.addresses import Ipv4
from fabricgen.base.secret import secret
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.management import Management, User
from fabricgen.device.qos import Watchdog
from fabricgen.errors import IntentPath
from fabricgen.platforms.srlinux.platform import SRLINUX
from tests.judges import srlinux
from tests.srlinux import references, xgs
from tests.srlinux.expected import leaves
from tests.srlinux.sites import render, samples

LEAF, BORDER, LOSSLESS = "demo frontend leaf", "demo frontend border-leaf", "demo backend leaf"
MANAGEMENT: dict[str, tuple[Callable[[Management], Management], IntentPath]] = {
    "root": (
        lambda own: own._replace(users=(User("root", "network-admin", secret("${env:HASH}")),)),
        ("management", "users", "root"),
    ),
    "linuxadmin": (
        lambda own: own._replace(users=(User("linuxadmin", "network-operator", secret("${env:HASH}")),)),
        ("management", "users", "linuxadmin", "role"),
    ),
    "four DNS servers": (
        lambda own: own._replace(dns=tuple(Ipv4(f"10.0.0.{last}") for last in range(4))),
        ("management", "dns"),
    ),
    "one packet in many": (
        lambda own: own._replace(sflow=own.sflow._replace(sample=2_000_001) if own.sflow else None),
        ("management", "sflow", "sample"),
    ),
}


def where(device: Device) -> list[IntentPath]:
    return [problem.where for problem in SRLINUX.limits(device)]


@pytest.mark.parametrize("name", sorted(samples()))
def test_the_samples_are_taken(name: str) -> None:
    assert where(samples()[name]) == []


@pytest.mark.parametrize("name", sorted(MANAGEMENT))
def test_management_is_what_the_models_take(name: str) -> None:
    change, wanted = MANAGEMENT[name]
    device = samples()[LEAF]
    assert where(device._replace(management=change(device.management))) == [wanted]


def test_the_management_vrf_is_no_network_instance_of_a_vlan() -> None:
    """Both are entries of one list, `network-instance`, by name; a VLAN that is not here takes no name."""
    device = samples()[LEAF]
    assert device.evpn is not None
    here = device.evpn.vlans[0].vlan_id
    taken, free = (device._replace(management=device.management._replace(vrf=f"VLAN-{at}")) for at in (here, 4000))
    assert where(taken) == [("management", "vrf")]
    assert where(free) == []


def test_a_table_of_more_addresses_than_the_models_take_is_refused_by_its_vlan() -> None:
    """srl_nokia-bridge-table-mac-limit of 25.3.1: `maximum-entries` has the range 1 to 250000."""
    device = samples()[LEAF]
    evpn = device.evpn
    assert evpn is not None
    first, *others = evpn.vlans

    def of(macs: int) -> Device:
        return device._replace(evpn=evpn._replace(vlans=(first._replace(macs=macs), *others)))

    assert where(of(250_000)) == []
    (problem,) = SRLINUX.limits(of(250_001))
    assert problem.where == ("fabrics", "frontend", "server_ports", "guests_per_server")
    assert f"VLAN {first.vlan_id} ({first.name})" in problem.what


def with_mtu(device: Device, mtu: int) -> Device:
    """The same switch with another MTU on each of its ports."""

    def port(row: Ethernet) -> Ethernet:
        return row._replace(profile=row.profile._replace(mtu=mtu))

    own = device.interfaces
    lags = tuple(lag._replace(mtu=mtu) for lag in own.lags)
    subs = tuple(sub._replace(mtu=mtu) for sub in own.subinterfaces)
    ethernet = tuple(port(row) for row in own.ethernet)
    return device._replace(interfaces=own._replace(ethernet=ethernet, lags=lags, subinterfaces=subs))


@pytest.mark.parametrize(
    ("name", "mtu", "wanted"),
    [
        (LEAF, 9394, []),
        (LEAF, 9395, [("fabrics", "frontend", "mtu")]),
        (LOSSLESS, 9398, []),
        (LOSSLESS, 1279, [("fabrics", "backend", "mtu")]),
        (BORDER, 1280, []),
        (BORDER, 1279, [("fabrics", "frontend", "mtu"), ("tenants", "research", "external")]),
        (BORDER, 9395, [("tenants", "research", "external")]),
    ],
)
def test_packets_fit_with_their_tags(name: str, mtu: int, wanted: list[IntentPath]) -> None:
    assert where(with_mtu(samples()[name], mtu)) == wanted


def test_a_port_takes_no_frame_below_1500_octets() -> None:
    text = render(with_mtu(samples()[BORDER], 1280))
    assert leaves(text)["/interface[ethernet-1/1]/mtu"] == 1500
    assert references.faults(text) == []


@pytest.mark.parametrize(
    ("watchdog", "key"),
    [
        (Watchdog(9, 400, 100, "drop"), "detect_ms"),
        (Watchdog(1501, 400, 100, "drop"), "detect_ms"),
        (Watchdog(200, 99, 100, "drop"), "restore_ms"),
    ],
)
def test_a_watchdog_outside_its_range_is_not_brought_to_the_end(watchdog: Watchdog, key: str) -> None:
    device = samples()[LOSSLESS]
    assert device.qos is not None
    assert where(device._replace(qos=device.qos._replace(watchdog=watchdog))) == [
        ("fabrics", "backend", "roce", "watchdog", key)
    ]


def test_a_queue_that_pauses_before_it_marks_is_told_with_the_rest() -> None:
    device = samples()[LOSSLESS]
    small = device.hardware._replace(spellings={**device.hardware.spellings, "buffer_octets": "40000000"})
    assert where(device._replace(hardware=small)) == [("fabrics", "backend", "roce", "ecn")]


def test_tenants_that_meet_on_a_leaf_and_reach_each_other() -> None:
    device = samples()["demo frontend last-leaf"]
    bgp = device.routing.bgp
    vrfs = tuple(vrf._replace(imports=("serving",)) if vrf.name == "research" else vrf for vrf in bgp.vrfs)
    met = device._replace(routing=device.routing._replace(bgp=bgp._replace(vrfs=vrfs)))
    assert where(met) == [("tenants", "research", "imports")]


def test_admin_has_the_role_that_the_intent_gives_it() -> None:
    device = samples()[LEAF]
    users = (User("admin", "network-operator", secret("${env:HASH}")),)
    found = leaves(render(device._replace(management=device.management._replace(users=users))))
    path = "/system/aaa/authentication/admin-user"
    assert found[f"{path}/superuser"] is False
    assert found[f"{path}/role[=network-operator]"] == "network-operator"


def test_users_of_tacacs_have_roles_though_no_local_one_has() -> None:
    device = samples()[LEAF]
    alone = device.management._replace(users=(User("admin", "network-admin", secret("${env:HASH}")),))
    found = leaves(render(device._replace(management=alone)))
    role = "/system/aaa/authorization/role"
    assert found[f"{role}[network-admin]/tacacs/priv-lvl"] == 15
    assert found[f"{role}[network-operator]/tacacs/priv-lvl"] == 1


@pytest.mark.parametrize(
    ("speed", "lanes", "fec", "word"),
    [
        (25, 1, "fc-fec", "base-r"),
        (25, 1, "rs-fec", "rs-528"),
        (100, 4, "rs-fec", "rs-528"),
        (100, 4, "none", "disabled"),
        (400, 8, "rs-fec", ""),
        (100, 2, "rs-fec", ""),
        (100, 4, "fc-fec", None),
        (100, 2, "none", None),
        (400, 8, "none", None),
        (40, 4, "rs-fec", None),
    ],
)
def test_fec_is_told_where_there_is_a_choice(speed: int, lanes: int, fec: str, word: str | None) -> None:
    device = samples()[LEAF]
    last = device.interfaces.ethernet[-1]
    profile = last.profile._replace(speed_gbps=speed, lanes=lanes, fec=fec)
    ethernet = (*device.interfaces.ethernet[:-1], last._replace(profile=profile))
    told = device._replace(interfaces=device.interfaces._replace(ethernet=ethernet))
    assert where(told) == ([("overrides",)] if word is None else [])
    path = f"/interface[{last.name}]/ethernet/forward-error-correction/fec-option"
    assert word is None or leaves(render(told)).get(path, "") == word


def test_linuxadmin_has_a_container_of_its_own_and_a_password_alone() -> None:
    """srl_nokia-aaa of 25.3.1: linuxadmin-user has password, and neither role nor superuser."""
    device = samples()[LEAF]
    users = (*device.management.users, User("linuxadmin", "network-admin", secret("${env:LINUX_HASH}")))
    named = device._replace(management=device.management._replace(users=users))
    assert where(named) == []
    found = leaves(render(named))
    path = "/system/aaa/authentication"
    assert found[f"{path}/linuxadmin-user/password"] == "${env:LINUX_HASH}"
    assert not [key for key in found if "linuxadmin" in key and "password" not in key]
    assert f"{path}/linuxadmin-user/password" not in leaves(render(device))
    if srlinux.available() is None:
        assert xgs.faults(render(named)) == []
