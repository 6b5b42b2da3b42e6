"""Mistakes to make in the text of a leaf, one a platform and kind, and what must be said of each.

A row's pattern is found once or more in the file and replaced wherever it stands; words as <own_asn> are filled in with
what the leaf or the spine has. Frontends of SONiC have frr.conf where backends have tables.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Seed(NamedTuple):
    """File (empty: the only one), what is looked for as a regular expression, and what stands there instead."""

    file: str
    pattern: str
    instead: str


SAID: Mapping[str, str] = {
    "address": "is at both ends",
    "peer-as": "is expected, it is",
    "own-as": "is expected, it is",
    "family": r"families \[.*\] and \[.*\]",
    "mtu": "packets of 9100 and 9|packets of 9[0-9]+ and 9100|packets of 9086",
    "hold": "timers 4 15 and 4 12|timers 5 15 and 4 12",
    "bfd": "BFD at one end only",
    "dscp": r"DSCP in two classes: \[(26|48)\]",
    "pfc": "one end sends and the other does not obey",
    "source": "has no session to",
    "hops": "does not reach over a hop",
    "communities": "without extended communities",
    "l2-target": r"L2 VNI 10004: \S+ exports",
    "l3-target": r"L3 VNI 10003: \S+ exports",
    "import": "VNI 10003: ",
    "gateway-mac": "gateway of 10004: ",
    "gateway-address": "gateway of 10004: ",
    "gateway": r"gateway of 10004: (none at near$|.*near \[\]$)",
    "esi": r"segment 00:00:00:00:00:00:0[19]:00:00:00 of \S+ and \S+ is of (far|near) alone",
    "system-id": r"segment 00:00:00:00:00:00:01:00:00:00 of \S+ and 02:fa:00:00:00:0[19] is of (far|near) alone",
    "next-hop": "EVPN routes get another next hop",
    "ipv6-hops": "IPv4 without next hops of IPv6",
    "advertises": "leaf-000 does not advertise itself",
}
"""Kind → what a sentence about it has."""

ANYWHERE: Mapping[str, Seed] = {
    "address": Seed("", r"(?<![\d.])<own_ipv4>/31", "<far_ipv4>/31"),
    "peer-as": Seed("", r"\b<far_asn>\b", "4200000999"),
    "own-as": Seed("", r"\b<own_asn>\b", "4200000999"),
}
"""The same on every platform: numbers that all write alike. All files of a switch are looked through."""

BACKEND: Mapping[str, Mapping[str, Seed]] = {
    "eos": {
        "family": Seed("", r"\n +neighbor \S+-IPV6 activate", ""),
        "mtu": Seed("", r"mtu 9100", "mtu 9114"),
        "hold": Seed("", r"timers 4 12", "timers 5 15"),
        "bfd": Seed("", r"\n +neighbor \S+ bfd", ""),
        "dscp": Seed("", r"qos map dscp 48 to traffic-class 6", "qos map dscp 48 to traffic-class 5"),
        "pfc": Seed("", r"priority 3 no-drop", "priority 4 no-drop"),
    },
    "frr": {
        "family": Seed("frr.conf", r"\n +neighbor \S+-IPV6 activate", ""),
        "mtu": Seed("interfaces", r"mtu 9100", "mtu 9114"),
        "hold": Seed("frr.conf", r"timers bgp 4 12", "timers bgp 5 15"),
        "bfd": Seed("frr.conf", r"\n +neighbor \S+ bfd", ""),
    },
    "sonic": {
        "family": Seed("config_db.json", r'(IPV6\|ipv6_unicast": \{\s*"admin_status": )"up"', r'\1"down"'),
        "mtu": Seed("config_db.json", r'"mtu": "9100"', '"mtu": "9114"'),
        "hold": Seed("config_db.json", r'"holdtime": "12"', '"holdtime": "15"'),
        "bfd": Seed("config_db.json", r'"bfd": "true"', '"bfd": "false"'),
        "dscp": Seed("config_db.json", r'"26": "3"', '"26": "0"'),
        "pfc": Seed("config_db.json", r'"pfc_enable": "3"', '"pfc_enable": "4"'),
    },
    "sonic-202505": {
        "family": Seed("frr.conf", r"\n +neighbor \S+-IPV6 activate", ""),
        "mtu": Seed("config_db.json", r'"mtu": "9100"', '"mtu": "9114"'),
        "hold": Seed("frr.conf", r"timers bgp 4 12", "timers bgp 5 15"),
        "bfd": Seed("frr.conf", r"\n +neighbor \S+ bfd", ""),
        "dscp": Seed("config_db.json", r'"26": "3"', '"26": "0"'),
        "pfc": Seed("config_db.json", r'"pfc_enable": "3"', '"pfc_enable": "4"'),
    },
    "cumulus": {
        "family": Seed("", r"(ipv6-unicast:\s*enable: )on(\s*policy)", r"\1off\2"),
        "mtu": Seed("", r"mtu: 9100", "mtu: 9114"),
        "hold": Seed("", r"hold: 12", "hold: 15"),
        "bfd": Seed("", r"(bfd:\s*enable: )on", r"\1off"),
        "dscp": Seed("", r"'26': \{switch-priority: 3 ?\}", "'26': {switch-priority: 0}"),
        "pfc": Seed("", r"(switch-priority:\s*)'3': \{\}", r"\1'4': {}"),
    },
    "junos": {
        "family": Seed("", r"family inet6 (\{\s*unicast)", r"family inet \1"),
        "mtu": Seed("", r"mtu 9114;", "mtu 9100;"),
        "hold": Seed("", r"hold-time 12;", "hold-time 15;"),
        "bfd": Seed("", r"bfd-liveness-detection \{[^}]*\}", ""),
        "dscp": Seed("", r"(code-points \[ 011000 011001) 011010", r"\1"),
        "pfc": Seed("", r"pfc-priority 3;", "pfc-priority 4;"),
    },
    "srlinux": {
        "family": Seed("", r'(ipv6-unicast",\s*"admin-state": )"enable"(,\s*"send-)', r'\1"disable"\2'),
        "mtu": Seed("", r'"mtu": 9114', '"mtu": 9100'),
        "hold": Seed("", r'"hold-time": 12', '"hold-time": 15'),
        "bfd": Seed("", r'"enable-bfd": true', '"enable-bfd": false'),
        "dscp": Seed("", r'("value": 26,\s*"forwarding-class": )"fc3"', r'\1"fc0"'),
        "pfc": Seed("", r'"pfc-pause-frame-priority": 3', '"pfc-pause-frame-priority": 4'),
    },
    "nxos": {
        "family": Seed("", r"address-family ipv6 unicast(\s*send-community)", r"address-family ipv4 unicast\1"),
        "mtu": Seed("", r"mtu 9100", "mtu 9114"),
        "hold": Seed("", r"timers 4 12", "timers 5 15"),
        "bfd": Seed("", r"\n    bfd\b", ""),
        "dscp": Seed("", r"match dscp 24,25,26,", "match dscp 24,25,"),
        "pfc": Seed("", r"pause pfc-cos 3", "pause pfc-cos 4"),
    },
}
TARGETS: Mapping[str, Seed] = {
    "l2-target": Seed("", r"\b65000:10004\b", "65000:19999"),
    "l3-target": Seed("", r"\b65000:10003\b", "65000:19999"),
}
"""Another number wherever a leaf has the route target of a VNI: all write them alike."""
GATEWAYS: Mapping[str, Seed] = {
    "gateway-mac": Seed("", r"\b(02:?fa[:.]b0:?00[:.]00:?)01\b", r"\g<1>02"),
    "gateway-address": Seed("", r"(?<![\d.])172\.17\.0\.1/20", "172.17.0.2/20"),
}
"""Another gateway of the VLAN that all leaves have: all write its addresses alike, and its MAC address nearly so."""
SEGMENTS: Mapping[str, Seed] = {
    "esi": Seed("", r"\b(0000:0000:0000:0|00:00:00:00:00:00:0)1(00:0000|:00:00:00)\b", r"\g<1>9\2"),
    "system-id": Seed("", r"\b(02:?fa[:.]00:?00[:.]00:?0)1\b", r"\g<1>9"),
}
"""Another segment for the bond of the first server: in pairs of digits, or in fours."""
OWN_GATEWAYS: Mapping[str, Seed] = {
    "eos": Seed("", r"(ip(?:v6)? address) virtual", r"\1"),
    "sonic": Seed("config_db.json", r'"static_anycast_gateway": "true"', '"static_anycast_gateway": "false"'),
    "junos": Seed("", r"\n +l3-interface irb\.20;", ""),
    "srlinux": Seed("", r'"anycast-gw": true', '"anycast-gw": false'),
    "nxos": Seed("", r"\n +fabric forwarding mode anycast-gateway", ""),
}
"""Addresses of a VLAN that are one leaf's own, where a system tells the two apart."""
_BARE_FRR: Mapping[str, Seed] = {
    "ipv6-hops": Seed("frr.conf", r"\n +neighbor \S+ capability extended-nexthop", ""),
    "advertises": Seed("frr.conf", r"(?m)^(router bgp \d+)$", r"interface <own_port>\n ipv6 nd suppress-ra\nexit\n\1"),
}
BARE: Mapping[str, Mapping[str, Seed]] = {
    "eos": {
        "ipv6-hops": Seed("", r"\n +neighbor \S+ next-hop address-family ipv6 originate", ""),
        "advertises": Seed("", r"\n +ipv6 enable", ""),
    },
    "frr": _BARE_FRR,
    "sonic": {
        **_BARE_FRR,
        "advertises": Seed("config_db.json", r'"ipv6_use_link_local_only": "enable"', '"mpls": "disable"'),
    },
    "cumulus": {"ipv6-hops": Seed("", r"extended-nexthop: on", "extended-nexthop: off")},
    "junos": {
        "ipv6-hops": Seed("", r"\s*extended-nexthop;", ""),
        "advertises": Seed("", r"(interface et-\S+)\.0( \{\s*max-adv)", r"\1.1\2"),
    },
    "srlinux": {
        "ipv6-hops": Seed("", r'"advertise-ipv6-next-hops": true', '"advertise-ipv6-next-hops": false'),
        "advertises": Seed("", r'("router-role": \{\s*"admin-state": )"enable"', r'\1"disable"'),
    },
}
"""What a leaf says of links without addresses; FRR sends advertisements where it has a session, unless it is told."""
SPINES: Mapping[str, Seed] = {
    "eos": Seed("", r"\n +neighbor \S+ next-hop-unchanged", ""),
    "frr": Seed("frr.conf", r"(\n +)(neighbor \S+-EVPN )activate", r"\1\2activate\1\2next-hop-self force"),
    "sonic": Seed("config_db.json", r'"unchanged_nexthop": "true"', '"nhself": "true"'),
    "sonic-202505": Seed("frr.conf", r"(\n +)(neighbor \S+-EVPN )activate", r"\1\2activate\1\2next-hop-self force"),
    "cumulus": Seed("", r"(l2vpn-evpn:)(\n +)enable: on(\s*p)", r"\1\2enable: on\2nexthop-setting: self-force\3"),
    "junos": Seed("", r"\s*no-nexthop-change;", ""),
    "srlinux": Seed("", r'"inter-as-vpn": true', '"inter-as-vpn": false'),
    "nxos": Seed("", r"\n +set ip next-hop unchanged", ""),
}
"""A spine that puts itself in place of the VTEP in what it hands on."""
_FRR: Mapping[str, Seed] = {
    "family": Seed("frr.conf", r"\n +neighbor \S+-EVPN activate", ""),
    "communities": Seed(
        "frr.conf", r"(\n +)(neighbor \S+-EVPN )activate", r"\1\2activate\1no \2send-community extended"
    ),
    "source": Seed("frr.conf", r"update-source <own_loopback>", "update-source <own_vtep>"),
    "hops": Seed("frr.conf", r"\n +neighbor \S+ ebgp-multihop 3", ""),
    "import": Seed("frr.conf", r"route-target import 65000:10003", "route-target import 65000:19999"),
}
FRONTEND: Mapping[str, Mapping[str, Seed]] = {
    "eos": {
        "family": Seed("", r"\n +neighbor \S+-EVPN activate", ""),
        "communities": Seed("", r"send-community standard extended", "send-community standard"),
        "source": Seed("", r"update-source Loopback0", "update-source Loopback1"),
        "hops": Seed("", r"\n +neighbor \S+ ebgp-multihop 3", ""),
        "import": Seed("", r"route-target import evpn 65000:10003", "route-target import evpn 65000:19999"),
    },
    "frr": _FRR,
    "sonic": _FRR,
    "cumulus": {
        "family": Seed("", r"(l2vpn-evpn:\s*enable: )on(\s*p)", r"\1off\2"),
        "communities": Seed(
            "", r"(\n +)(l2vpn-evpn:)(\s*enable: on\s*p)", r"\1\2\1  community-advertise: {extended: off}\3"
        ),
        "source": Seed("", r"update-source: <own_loopback>", "update-source: <own_vtep>"),
        "hops": Seed("", r"multihop-ttl: 3", "multihop-ttl: 1"),
        "import": Seed("", r"(from-evpn: \{route-target: \{)'65000:10003'", r"\1'65000:19999'"),
    },
    "junos": {
        "family": Seed("", r"family evpn (\{\s*)signaling", r"family inet \1unicast"),
        "source": Seed("", r"local-address <own_loopback>;", "local-address <own_vtep>;"),
        "hops": Seed("", r"ttl 3;", "ttl 1;"),
        "import": Seed("", r"(community EC-STORAGE members target:65000):10003", r"\1:19999"),
    },
    "srlinux": {
        "family": Seed("", r'(:evpn",\s*"admin-state": )"enable"(,\s*"send-)', r'\1"disable"\2'),
        "communities": Seed("", r',\s*"extended"', ""),
        "source": Seed("", r'"local-address": "<own_loopback>"', '"local-address": "<own_vtep>"'),
        "hops": Seed("", r'"maximum-hops": 3', '"maximum-hops": 1'),
        "import": Seed("", r'("name": "(?:EC|RT)-STORAGE(?:-IMPORTS)?",[^]]*any[^]]*?):10003', r"\1:19999"),
    },
    "nxos": {
        "family": Seed("", r"    address-family l2vpn evpn(\s*send-community)", r"    address-family ipv4 unicast\1"),
        "communities": Seed("", r"\n +send-community extended", ""),
        "source": Seed("", r"update-source loopback0", "update-source loopback1"),
        "hops": Seed("", r"\n +ebgp-multihop 3", ""),
        "import": Seed("", r"route-target import 65000:10003 evpn", "route-target import 65000:19999 evpn"),
    },
}
"""What a leaf says of the overlay."""
