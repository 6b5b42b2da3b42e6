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
