"""EVPN routes by next hop, and how many of each carry graceful shutdown: two of one leaf marked, one of another not.

Forms: FRR and what runs it, an answer of FRR 8.4.4 cut short; EOS, batfish/lab-validation's parser of `show bgp evpn`
(nextHop, localPreference) and routeDetail.communityList of hyperglass; NX-OS, genieparser's ShowBgpVrfAllAllDetail;
Junos, the detail of junos_evpn_type5 (batfish/lab-validation) with protocol-nh; SR Linux, its models' local RIB.
"""

import json
from collections.abc import Mapping

import pytest

from fabricgen.platforms.base.live.marks import Marks, by_hop
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.platforms.cumulus.live import drain as cumulus_drain
from fabricgen.platforms.eos.live import drain as eos_drain
from fabricgen.platforms.junos.live import drain as junos_drain
from fabricgen.platforms.junos.live import reader as junos
from fabricgen.platforms.linux.live import drain as frr_drain
from fabricgen.platforms.linux.live import overlay as frr_overlay
from fabricgen.platforms.nxos.live import drain as nxos_drain
from fabricgen.platforms.sonic.live import drain as sonic_drain
from fabricgen.platforms.srlinux.live import drain as srlinux_drain
from fabricgen.platforms.srlinux.live import reader as srlinux

OURS, OTHER = "10.128.192.1", "10.128.192.3"
WANTED = {OURS: Marks(2, 2), OTHER: Marks(1, 0)}


def _frr(*names: str) -> dict[str, object]:
    """Routes of both leaves, or of those of these RDs."""
    found: dict[str, object] = {"bgpTableVersion": 58, "defaultLocPrf": 100, "numPrefix": len(names)}
    for rd in names:
        hop = rd.partition(":")[0]
        path = {"valid": True, "peerId": "10.128.192.0", "nexthops": [{"ip": hop, "afi": "ipv4", "used": True}]}
        found[rd] = {"rd": rd, "[5]:[0]:[20]:[172.17.0.0]": {"prefix": "-", "prefixLen": 352, "paths": [path]}}
    own = {"valid": True, "peerId": "(unspec)", "nexthops": [{"ip": "10.128.192.9"}]}
    return found | {"10.128.192.9:1": {"rd": "10.128.192.9:1", "[3]:[0]:[32]:[10.128.192.9]": {"paths": [own]}}}


ALL = (f"{OURS}:1", f"{OURS}:3", f"{OTHER}:1")
FRR = {
    frr_overlay.EVPN_ROUTES: Output(_frr(*ALL)),
    frr_drain.MARKED: Output(_frr(*ALL[:2])),
}
EOS = {
    "show bgp evpn": Output({
        "evpnRoutes": {
            "RD: 1:1 ip-prefix 172.17.0.0/20": {"evpnRoutePaths": [{"nextHop": OURS, "localPreference": 0}]},
            "RD: 1:3 imet 10.128.192.1": {
                "evpnRoutePaths": [
                    {"nextHop": OURS, "localPreference": 100, "routeDetail": {"communityList": ["GSHUT"]}},
                    {"nextHop": "", "localPreference": 0},
                ]
            },
            "RD: 3:1 ip-prefix 172.17.0.0/20": {"evpnRoutePaths": [{"nextHop": OTHER, "localPreference": 100}]},
        }
    })
}  # fmt: skip
NXOS_PATH = """\
BGP routing table entry for [5]:[0]:[0]:[20]:[172.17.0.0]/224, version 18
Paths: (1 available, best #1)
  Path type: external, path is valid, is best path, no labeled nexthop
  AS-Path: 65100 , path sourced external to AS
    {hop} (metric 0) from 10.128.192.0 (10.128.192.0)
      Origin incomplete, MED 0, localpref {preference}, weight 0
"""
NXOS = {
    nxos_drain.PATHS: Output(
        "BGP routing table information for VRF default, address family IPv4 Unicast\n"
        + NXOS_PATH.format(hop="10.0.0.9", preference=0)
        + "BGP routing table information for VRF default, address family L2VPN EVPN\nRoute Distinguisher: 10.0.0.7:5\n"
        + NXOS_PATH.format(hop=OURS, preference=0)
        + NXOS_PATH.format(hop=OURS, preference=0)
        + "      Community: 65000:1 graceful-shutdown\n"
        + NXOS_PATH.format(hop=OTHER, preference=100)
    )
}
JUNOS_ENTRY = (
    "<rt><rt-destination>5:1:{at}::0::172.17.0.0::20</rt-destination><rt-entry><active-tag>*</active-tag>"
    "<protocol-name>{protocol}</protocol-name><local-preference>{preference}</local-preference>"
    "<protocol-nh><to>{hop}</to></protocol-nh>{more}</rt-entry></rt>"
)
MARK = "<communities><community>65535:0</community><community>target:65000:1</community></communities>"
JUNOS = {
    junos.EVPN_ROUTES: Output(
        "<rpc-reply><route-information><route-table><table-name>bgp.evpn.0</table-name>"
        + JUNOS_ENTRY.format(at=1, protocol="BGP", preference=0, hop=OURS, more="")
        + JUNOS_ENTRY.format(at=2, protocol="BGP", preference=0, hop=OURS, more=MARK)
        + JUNOS_ENTRY.format(at=3, protocol="BGP", preference=100, hop=OTHER, more="")
        + JUNOS_ENTRY.format(at=4, protocol="EVPN", preference=0, hop="10.0.0.9", more="")
        + "</route-table></route-information></rpc-reply>"
    )
}
BARE = {"route-distinguisher": "1:1", "ip-prefix": "172.17.0.0/20", "neighbor": "10.128.192.0", "valid-route": True}
SRLINUX = {
    srlinux.EVPN_ROUTES: Output({
        "network-instance": [
            {
                "name": "default",
                "bgp-rib": {
                    "afi-safi": [
                        {
                            "afi-safi-name": "evpn",
                            "evpn": {
                                "local-rib": {
                                    "ip-prefix-route": [
                                        BARE | {"attr-id": 7},
                                        BARE | {"attr-id": 9},
                                        BARE | {"attr-id": 7, "neighbor": "::"},
                                    ],
                                    "imet-route": [
                                        BARE | {"attr-id": 7},
                                        BARE | {"attr-id": 7, "valid-route": False},
                                    ],
                                }
                            },
                        }
                    ]
                },
            }
        ]
    }),
    srlinux.ATTRIBUTES: Output({
        "network-instance": [
            {
                "name": "default",
                "bgp-rib": {
                    "attr-sets": {
                        "attr-set": [
                            {"index": 7, "next-hop": OURS, "communities": {"community": ["65535:0"]}},
                            {"index": 9, "next-hop": OTHER, "communities": {"community": ["65000:1"]}},
                        ]
                    }
                },
            }
        ]
    }),
}  # fmt: skip
SONIC = {f"vtysh -c '{command}'": output for command, output in FRR.items()}
CASES: Mapping[str, tuple[object, Mapping[str, Output]]] = {
    "frr": (frr_drain, FRR),
    "cumulus": (cumulus_drain, FRR),
    "sonic": (sonic_drain, SONIC),
    "eos": (eos_drain, EOS),
    "nxos": (nxos_drain, NXOS),
    "junos": (junos_drain, JUNOS),
    "srlinux": (srlinux_drain, SRLINUX),
}


def test_every_driver_has_a_way() -> None:
    assert {profile.driver for profile in COMMIT_PROFILES.values() if profile.overlay} >= {
        "frr",
        "eos",
        "sonic",
        "cumulus",
    }
    assert all(profile.overlay for profile in COMMIT_PROFILES.values())


@pytest.mark.parametrize("name", CASES)
def test_routes_of_a_leaf_that_marks_and_of_one_that_does_not(name: str) -> None:
    module, outputs = CASES[name]
    assert {read.command for read in module.OVERLAY} <= outputs.keys()  # type: ignore[attr-defined]
    assert module.marks(outputs) == WANTED  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", CASES)
def test_what_cannot_be_read_shows_nothing(name: str) -> None:
    """Neither an answer that was refused nor one of another form counts as a leaf without routes."""
    module, outputs = CASES[name]
    for command in outputs:
        for wrong in (Output(None, "refused"), Output(["no", "table"])):
            assert module.marks({**outputs, command: wrong}) is None  # type: ignore[attr-defined]
    assert module.marks({}) is None  # type: ignore[attr-defined]


def test_json_that_came_as_text_is_read() -> None:
    texts = {command: Output(json.dumps(output.value)) for command, output in FRR.items()}
    assert frr_drain.marks(texts) == WANTED


def test_own_routes_have_no_next_hop() -> None:
    assert by_hop([("", True), (OURS, True), (OURS, False)]) == {OURS: Marks(2, 1)}
