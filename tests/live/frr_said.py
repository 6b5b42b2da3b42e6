"""Small outputs of FRR 8.4.4 and lldpd 1.0.16, shortened: seeds for tests that spoil them. Live tests read all."""

import copy
from collections.abc import Mapping

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.frr.live.reader import FRR
from tests.live import frr_files_said, frr_kernel

NAMES: Mapping[str, str] = {"research": "research", "vrf10002": "a-tenant-with-a-long-name", "mgmt": "oob"}
NO_NAMESPACE = 'sw1: ip -n mgmt -j -d addr show: Cannot open network namespace "mgmt": No such file or directory'

VERSION = """FRRouting 8.4.4 (sw1) on Linux(6.18.44).
Copyright 1996-2005 Kunihiro Ishiguro, et al.
"""
LLDP = {
    "lldp": [
        {
            "interface": [
                {
                    "name": "swp1",
                    "via": "LLDP",
                    "chassis": [{"id": [{"type": "local", "value": "sp1"}], "name": [{"value": "spine-1"}]}],
                    "port": [{"id": [{"type": "ifname", "value": "swp3"}], "ttl": [{"value": "20"}]}],
                },
                {"name": "swp2", "via": "CDPv2", "chassis": [{"name": [{"value": "phone"}]}], "port": []},
            ]
        }
    ]
}
UNICAST = {"ipv4Unicast": {"advertisedAndReceived": True}, "ipv6Unicast": {"advertised": True}}
NEIGHBORS = {
    "default": {
        "vrfId": 0,
        "vrfName": "default",
        "10.1.0.1": {
            "remoteAs": 65100,
            "localAs": 65001,
            "localRouterId": "10.0.0.4",
            "bgpState": "Established",
            "neighborCapabilities": {"multiprotocolExtensions": UNICAST},
            "addressFamilyInfo": {"ipv4Unicast": {"acceptedPrefixCounter": 3}, "ipv6Unicast": {}},
        },
        "10.1.0.3": {
            "remoteAs": 65100,
            "localAs": 65001,
            "localRouterId": "10.0.0.4",
            "bgpState": "Active",
            "addressFamilyInfo": {"ipv4Unicast": {"acceptedPrefixCounter": 0}},
        },
    },
    "vrf10002": {"vrfId": 7, "vrfName": "vrf10002"},
}
BFD = [{"multihop": False, "peer": "10.1.0.1", "local": "10.1.0.0", "vrf": "default", "status": "up"}]
VNIS = """[{"vni":10001,"type":"L2","vrf":"research","vxlanInterface":"vni10001","ifindex":13,"vtepIp":"10.0.0.4",
"mcastGroup":"0.0.0.0","advertiseGatewayMacip":"No","advertiseSviMacip":"No","numMacs":0,"numArpNd":0},
{"vni":50001,"type":"L3","localVtepIp":"10.0.0.4","vxlanIntf":"vni50001","sviIntf":"vlan4094","state":"Up",
"vrf":"research","routerMac":"02:00:0a:00:00:04","l2Vnis":[10001]}]"""

RULES = [
    {"priority": 0, "src": "all", "table": "local"},
    {"priority": 1000, "src": "all", "l3mdev": None},
    {"priority": 32766, "src": "all", "table": "main"},
    {"priority": 32767, "src": "all", "table": "default"},
]


def path(peer: str, hop: str) -> dict[str, object]:
    """One path of an EVPN route."""
    return {"valid": True, "bestpath": True, "peerId": peer, "nexthops": [{"ip": hop, "afi": "ipv4", "used": True}]}


SEGMENT = "03:44:38:39:ff:ff:01:00:00:01"
EVPN = {
    "bgpTableVersion": 2,
    "bgpLocalRouterId": "10.0.0.4",
    "10.0.0.4:2": {
        "rd": "10.0.0.4:2",
        "[3]:[0]:[32]:[10.0.0.4]": {"prefixLen": 352, "paths": [path("(unspec)", "10.0.0.4")]},
    },
    "10.0.0.8:2": {
        "rd": "10.0.0.8:2",
        f"[1]:[0]:[{SEGMENT}]:[32]:[0.0.0.0]:[0]": {"paths": [path("10.0.0.12", "10.0.0.9")]},
        "[2]:[0]:[48]:[02:AA:00:00:00:01]": {"paths": [path("10.0.0.12", "10.0.0.9"), path("10.0.0.14", "10.0.0.9")]},
        "[2]:[0]:[48]:[02:AA:00:00:00:01]:[128]:[fd02:0::7]": {"paths": [path("10.0.0.12", "10.0.0.9")]},
        f"[4]:[{SEGMENT}]:[32]:[10.0.0.9]": {"paths": [path("10.0.0.12", "10.0.0.9")]},
        "[5]:[0]:[20]:[172.18.0.0]": {"paths": [path("10.0.0.12", "10.0.0.9"), path("10.0.0.12", "10.0.0.8")]},
        "[5]:[0]:[64]:[fd02::]": {"paths": [path("10.0.0.12", "10.0.0.9") | {"valid": False}]},
    },
    "numPrefix": 5,
}


def outputs() -> dict[str, Output]:
    """All that one switch says; its VRFs are no namespaces. A copy that may be spoilt."""
    found = {read.command: Output(None, NO_NAMESPACE) for read in FRR.reads(NAMES)}
    said = {
        "show version": VERSION,
        "ip -j -d addr show": frr_kernel.DEVICES,
        "lldpcli -f json0 show neighbors details": LLDP,
        "show bgp vrf all neighbors json": NEIGHBORS,
        "show bfd peers json": BFD,
        "ip -j -N route show table all": frr_kernel.ROUTES,
        "show evpn vni detail json": VNIS,
        "bridge -j fdb show": frr_kernel.FLOOD,
        "bridge -j vlan show": frr_kernel.BRIDGED,
        "show bgp l2vpn evpn json": EVPN,
        "show daemons": " zebra bgpd staticd bfdd\n",
        "ip -j rule show": RULES,
        "ip -j -6 rule show": RULES[:-1],
        "ip -j neigh show nud permanent nud noarp": [],
        "show running-config no-header": "frr version 8.4.4\nhostname sw1\n",
        **frr_files_said.SAID,
    }
    return found | {command: Output(copy.deepcopy(value)) for command, value in said.items()}
