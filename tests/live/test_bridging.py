"""VLANs of bridged ports: of a kernel with a VLAN-aware bridge, of one without, and of EOS."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.base.live.values import NotUnderstoodError
from fabricgen.platforms.eos.live import reader as eos
from fabricgen.platforms.eos.live.interfaces import interfaces as eos_interfaces
from fabricgen.platforms.eos.live.switchport import switchports
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.state.state import Interface
from tests.live import frr_kernel
from tests.live.eos_shown import REFUSED, shown
from tests.live.frr_said import NAMES, outputs

Pairs = tuple[tuple[int, int], ...]
ADDRESSES, BRIDGED = "ip -j -d addr show", "bridge -j vlan show"


def vlans(found: dict[str, Output]) -> dict[str, Pairs | None]:
    state = FRR.state(found, NAMES)
    assert state.interfaces is not None, state.unread
    return {one.name: one.vlans for one in state.interfaces if not one.vrf}


def filtered(*entries: dict[str, Any]) -> dict[str, Output]:
    """A port of the VLAN-aware bridge, in the form that iproute2 6.1.0 gave of one (BRIDGED of frr_kernel)."""
    found = outputs()
    rows: Any = copy.deepcopy(found[ADDRESSES].value)
    next(row for row in rows if row["ifname"] == "swp5")["master"] = "bridge"
    return {**found, ADDRESSES: Output(rows), BRIDGED: Output([{"ifname": "swp5", "vlans": list(entries)}])}


@pytest.mark.parametrize(
    ("entries", "wanted"),
    [
        ([{"vlan": 110, "flags": ["PVID", "Egress Untagged"]}], ((0, 110),)),
        ([{"vlan": 121}, {"vlan": 120, "flags": []}], ((120, 120), (121, 121))),
        ([{"vlan": 120, "vlanEnd": 122}], ((120, 120), (121, 121), (122, 122))),
        ([], ()),
    ],
)
def test_a_bridge_that_knows_vlans(entries: list[dict[str, Any]], wanted: Pairs) -> None:
    assert vlans(filtered(*entries))["swp5"] == wanted


def test_a_port_in_no_bridge_has_no_vlan() -> None:
    found = vlans(outputs())
    assert (found["swp5"], found["bridge"]) == ((), None)


def plain() -> dict[str, list[dict[str, Any]]]:
    """Devices by VRF of a kernel with neither, as seen with iproute2 6.1.0 on Linux 6.18; fields that matter.

    swp1 is in VLAN 20 of storage; swp5 carries tags 120 and 121 of research.
    """

    def device(name: str, at: int, kind: str = "veth", master: str = "", peer: int = 0) -> dict[str, Any]:
        ends = {"link_index": peer, "link_netnsid": 1} if peer else {}
        return {**frr_kernel.device(name, kind, ifindex=at, **ends), **({"master": master} if master else {})}

    return {
        "": [
            device("swp1", 2, master="b-swp1", peer=2),
            device("swp5", 3, peer=2),
            device("swp6", 4, peer=9),
            device("b-swp1", 14, "bridge"),
            device("t-swp1", 15, master="b-swp1", peer=2),
        ],
        "serving": [device("swp1", 2, master="vlan130", peer=99)],  # no end of that pair
        "storage": [device("swp1", 2, master="vlan20", peer=15), device("vlan20", 10020, "bridge")],
        "research": [
            device("swp9", 2, master="vlan120", peer=15),  # the same indexes, of a pair that leads elsewhere
            device("swp5.120", 3, master="vlan120", peer=7),
            device("swp5.121", 4, master="vlan121", peer=8),
            device("vlan120", 10120, "bridge"),
            device("vlan121", 10121, "bridge"),
        ],
    }


def asked(devices: dict[str, list[dict[str, Any]]]) -> dict[str, Output]:
    return {(f"ip -n {vrf} -j -d addr show" if vrf else ADDRESSES): Output(rows) for vrf, rows in devices.items()}


def test_bridges_that_stand_for_vlans() -> None:
    found = vlans(asked(plain()))
    assert {name: found[name] for name in ("swp1", "swp5", "swp6")} == {
        "swp1": ((0, 20),),
        "swp5": ((120, 120), (121, 121)),
        "swp6": (),
    }


Change = Callable[[dict[str, list[dict[str, Any]]]], object]


@pytest.mark.parametrize(
    ("port", "change", "wanted"),
    [
        ("swp1", lambda all_: all_[""][0].pop("master"), ()),
        ("swp1", lambda all_: all_[""][4].pop("master"), ()),
        ("swp1", lambda all_: all_["storage"][0].pop("master"), ()),
        ("swp1", lambda all_: all_["storage"][0].update(master="vlan30"), ((0, 30),)),
        ("swp1", lambda all_: all_[""][0].update(master="vlan40"), ((0, 40),)),
        ("swp5", lambda all_: all_["research"][2].update(master="vlan120"), ((120, 120), (121, 120))),
        ("swp5", lambda all_: all_["research"].pop(2), ((120, 120),)),
    ],
    ids=["out of its bridge", "pair out of it", "far end out", "another VLAN", "in a VLAN itself", "tag moved", "gone"],
)
def test_what_was_moved_by_hand(port: str, change: Change, wanted: Pairs) -> None:
    devices = plain()
    change(devices)
    assert vlans(asked(devices))[port] == wanted


def eos_port(**info: object) -> dict[str, object]:
    return {"switchports": {"Ethernet1": {"enabled": True, "switchportInfo": info}}}


@pytest.mark.parametrize(
    ("info", "wanted"),
    [
        ({"mode": "access", "accessVlanId": 20, "trunkAllowedVlans": "ALL", "trunkingNativeVlanId": 1}, ((0, 20),)),
        (
            {"mode": "trunk", "accessVlanId": 1, "trunkingNativeVlanId": 1, "trunkAllowedVlans": "13-14,120"},
            ((13, 13), (14, 14), (120, 120)),
        ),
        ({"mode": "trunk", "trunkingNativeVlanId": 13, "trunkAllowedVlans": "13-14"}, ((0, 13), (14, 14))),
        ({"mode": "trunk", "trunkingNativeVlanId": 1, "trunkAllowedVlans": "NONE"}, ()),
    ],
)
def test_switchports_of_eos(info: dict[str, object], wanted: Pairs) -> None:
    """internap/fake-switches, tests/arista: `show interfaces switchport` of an access port, and text of a trunk."""
    assert switchports(eos_port(**info)) == {"Ethernet1": wanted}


def test_more_of_switchports_of_eos() -> None:
    every = switchports(eos_port(mode="trunk", trunkingNativeVlanId=1, trunkAllowedVlans="ALL"))["Ethernet1"]
    assert (len(every), every[0], every[-1]) == (4094, (0, 1), (4094, 4094))
    assert switchports({"switchports": {"Ethernet2": {"enabled": False}}}) == {"Ethernet2": ()}


@pytest.mark.parametrize(
    "shown_",
    [
        [],
        {"switchports": []},
        eos_port(),
        eos_port(mode="tap", trunkAllowedVlans="20"),
        eos_port(mode="access", accessVlanId="none"),
        eos_port(mode="trunk", trunkAllowedVlans="1-4095"),
        eos_port(mode="trunk", trunkAllowedVlans="x"),
    ],
)
def test_other_forms_are_not_understood(shown_: object) -> None:
    with pytest.raises(NotUnderstoodError):
        switchports(shown_)


ROW = {"interfaceStatus": "connected", "lineProtocolStatus": "up", "forwardingModel": "bridged"}


def eos_state(switchport: Output, **row: object) -> Interface:
    found = {
        eos.INTERFACES: Output({"interfaces": {"Ethernet1": {**ROW, **row}}}),
        eos.INTERFACES_IPV6: REFUSED,
        eos.VRFS: Output({"vrfs": {}}),
        eos.SWITCHPORTS: switchport,
    }
    interfaces = shown(found).interfaces
    assert interfaces is not None
    return interfaces[0]


def test_vlans_of_eos_are_the_port_s() -> None:
    assert eos_state(Output(eos_port(mode="access", accessVlanId=20))).vlans == ((0, 20),)


@pytest.mark.parametrize("switchport", [REFUSED, Output(None, "timeout"), Output({"else": 1})])
def test_vlans_of_eos_that_are_not_had_hide_no_port(switchport: Output) -> None:
    found = eos_state(switchport)
    assert (found.oper_up, found.vlans) == (True, None)


def test_a_port_that_eos_took_out_of_service() -> None:
    down = {"interfaceStatus": "errdisabled", "lineProtocolStatus": "down"}
    assert [eos_state(REFUSED, **row).fault for row in ({}, {"interfaceStatus": "disabled"}, down)] == [
        "",
        "",
        "errdisabled",
    ]


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ({"memberInterfaces": {"Ethernet3": {}, "Ethernet4": {}}}, ("Ethernet3", "Ethernet4")),
        ({"memberInterfaces": {}}, ()),
        ({}, None),
    ],
)
def test_what_a_bundle_of_eos_bundles(row: dict[str, object], wanted: tuple[str, ...] | None) -> None:
    """Recorded on 4.23: ports of a bundle that stands, and none of one that does not."""
    found = eos_interfaces({"interfaces": {"Port-Channel3": {**ROW, **row}}}, {}, {"vrfs": {}}, {})
    assert found[0].members == wanted
