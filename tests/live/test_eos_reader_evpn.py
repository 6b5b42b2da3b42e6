"""EVPN routes and VNIs of EOS in forms that were not recorded, each with its source.

ANTA is Arista's own test catalog, github.com/aristanetworks/anta at 68667e0, its tests' inputs (tests/units/anta_tests)
and the paths it reads (anta/tests).
"""

from fabricgen.platforms.eos.live import reader as eos
from fabricgen.state.state import EvpnRoute, Vni
from tests.live.eos_shown import of


def test_other_evpn_routes_by_their_text() -> None:
    """ANTA VerifyEVPNType2Route and EANTC 2024 results (auto-discovery with tag and segment): keys of other types."""

    def row(kind: str, *hops: str) -> object:
        paths = [{"nextHop": hop, "routeType": {"active": True, "valid": True}} for hop in hops]
        return {"routeKeyDetail": {"rd": "10.0.0.1:10", "nlriType": kind}, "evpnRoutePaths": paths}

    found = of(
        eos.EVPN_ROUTES,
        {
            "evpnRoutes": {
                "RD: 10.0.0.1:10 auto-discovery 0 0000:1111:1111:1111:11AB": row("auto-discovery", "FD00:9::9"),
                "RD: 10.0.0.1:10 mac-ip 001c.7300.0001": row("mac-ip", "10.9.9.9"),
                "RD: 10.0.0.1:10 mac-ip 10110 001c.7300.0001 10.1.1.5": row("mac-ip", ""),
                "RD: 10.0.0.1:10 ethernet-segment 0000:1111:1111:1111:11ab 10.9.9.9": row(
                    "ethernet-segment", "10.9.9.9"
                ),
                "RD: 10.0.0.1:10 smet 10110 0.0.0.0": row("smet", "10.9.9.9"),
            }
        },
    )
    assert found.evpn == (
        EvpnRoute(1, "10.0.0.1:10", "0000:1111:1111:1111:11ab", "fd00:9::9"),
        EvpnRoute(2, "10.0.0.1:10", "00:1c:73:00:00:01", "10.9.9.9"),
        EvpnRoute(2, "10.0.0.1:10", "00:1c:73:00:00:01 10.1.1.5", "", 10110),
        EvpnRoute(4, "10.0.0.1:10", "0000:1111:1111:1111:11ab", "10.9.9.9"),
    )


def test_a_route_of_another_domain() -> None:
    """ANTA VerifyEVPNType5Routes: the key of a route from a gateway's far side ends in `remote`."""
    row = {
        "routeKeyDetail": {
            "ipGenPrefix": "FD00:5::1/128",
            "domain": "remote",
            "rd": "10.1.0.21:500",
            "nlriType": "ip-prefix",
        },
        "evpnRoutePaths": [{"nextHop": "", "routeType": {"active": True, "valid": True}}],
    }
    found = of(eos.EVPN_ROUTES, {"evpnRoutes": {"RD: 10.1.0.21:500 ip-prefix fd00:5::1/128 remote": row}})
    assert found.evpn == (EvpnRoute(5, "10.1.0.21:500", "fd00:5::1/128", ""),)


def test_a_switch_without_vxlan_has_no_vni() -> None:
    assert of(eos.INTERFACES, {"interfaces": {}}).vnis == ()


def test_the_tunnel_that_is_down_takes_its_vnis_with_it() -> None:
    """The recordings' form. A VNI of a VRF is none of a VLAN, whatever source is said."""
    row = {
        "lineProtocolStatus": "down",
        "vlanToVniMap": {"10": {"vni": 10010, "source": ""}, "4093": {"vni": 20000, "source": ""}},
        "vlanToVtepList": {"10": {"remoteVtepAddr": ["10.0.0.2", "10.0.0.1"]}},
        "vrfToVniMap": {"red": 20000},
    }
    assert of(eos.INTERFACES, {"interfaces": {"Vxlan1": row}}).vnis == (
        Vni(10010, "l2", 10, "", ("10.0.0.1", "10.0.0.2"), False),
        Vni(20000, "l3", 4093, "red", (), False),
    )
